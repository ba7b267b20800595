import { type SkillwrightOptions } from '../../config/options.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { type Finding } from '../../kernel/finding.js';
import { isPartOfSkill, skillFileAmong } from '../discovery/not-part.js';
import { type SkillFile } from '../discovery/skill-entry.js';
import { describeFile } from '../discovery/skill-folder.service.js';
import { contentDigest } from '../format/content-digest.js';
import { parseSkill } from '../format/parse-skill.js';
import { type NewContent, type SkillVersion } from '../store/stored-skill.js';

/** A file to write, or null to remove it. */
export type FileEdit = { readonly bytes: Buffer; readonly mode: SkillFile['mode'] | null } | null;

export interface EditRequest {
  readonly slug: string;
  readonly base: SkillVersion;
  /** By path in the skill. */
  readonly edits: ReadonlyMap<string, FileEdit>;
  /** Bytes of the base's SKILL.md. */
  readonly mainBytes: Buffer;
  readonly limits: SkillwrightOptions['limits'];
}

/**
 * The folder of a version with some files changed, judged as a whole before anything is written.
 *
 * @throws SkillwrightError `skill_md_invalid`, `skill_md_missing`, `path_invalid`, `file_not_found`, `file_too_large`,
 *   `skill_too_large`
 */
export function editedContent(request: EditRequest): NewContent {
  const { slug, base, edits, mainBytes, limits } = request;
  const files = new Map(base.manifest.map((file) => [file.path, file]));
  const bytes = new Map<string, Buffer>();
  for (const [path, edit] of edits) applyEdit(files, bytes, path, edit, limits);
  const manifest = [...files.values()];
  const name = skillFileAmong(manifest.map(({ path }) => path));
  const main = manifest.find(({ path }) => path === name);
  if (main === undefined) throw new SkillwrightError('skill_md_missing', { slug });
  const size = manifest.reduce((sum, file) => sum + file.size, 0);
  if (manifest.length > limits.skillFiles || size > limits.skillBytes) {
    const detail = `the skill would have ${manifest.length} files and ${size} bytes; ${limits.skillFiles} files and ${limits.skillBytes} bytes are the limit`;
    throw new SkillwrightError('skill_too_large', { slug, detail });
  }
  const folderName = slug.slice(slug.lastIndexOf('/') + 1);
  const path = `skills/${slug}/${main.path}`;
  const document = parseSkill(bytes.get(main.sha256) ?? mainBytes, { folderName, path, limits });
  if (!document.valid) throw invalidDocument(slug, document.findings);
  const { frontmatter } = document;
  const rest = manifest.filter((file) => file !== main);
  rest.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  return {
    digest: contentDigest(manifest),
    fileHash: main.sha256,
    manifest: [main, ...rest],
    bytes,
    name: frontmatter.name ?? folderName,
    description: frontmatter.description ?? '',
    tags: frontmatter.tags ?? [],
    frontmatter: document.keys ?? {},
    findings: document.findings,
    filePath: path,
    origin: base.origin,
    provenance: base.provenance,
  };
}

function applyEdit(
  files: Map<string, SkillFile>,
  bytes: Map<string, Buffer>,
  path: string,
  edit: FileEdit,
  limits: EditRequest['limits'],
): void {
  const before = files.get(path);
  if (edit === null) {
    if (!files.delete(path)) throw new SkillwrightError('file_not_found', { path });
    return;
  }
  const clash = Array.from(files.keys()).find(
    (other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
  );
  if (clash !== undefined || !path.split('/').every(isPartOfSkill)) {
    const detail =
      clash === undefined
        ? `${path} is a name that is never part of a skill`
        : `${path} would be a file and a folder at once: ${clash} exists`;
    throw new SkillwrightError('path_invalid', { path, detail });
  }
  const limit = path === 'SKILL.md' ? limits.skillMdBytes : limits.fileBytes;
  if (edit.bytes.length > limit) {
    throw new SkillwrightError('file_too_large', { path, limit, detail: `${path} is over ${limit} bytes` });
  }
  const mode = edit.mode ?? before?.mode ?? '0644';
  const file = describeFile(path, { bytes: edit.bytes, mode });
  files.set(path, file);
  bytes.set(file.sha256, edit.bytes);
}

function invalidDocument(slug: string, findings: readonly Finding[]): SkillwrightError {
  const issues = findings.filter(({ severity }) => severity === 'error');
  const detail = issues
    .map(({ line, message }) => (line === undefined ? message : `line ${line}: ${message}`))
    .join('; ');
  return new SkillwrightError('skill_md_invalid', {
    slug,
    detail: `nothing was changed: ${detail}`,
    issues,
  });
}

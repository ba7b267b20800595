import { createHash } from 'node:crypto';
import { finding, type Finding } from '../kernel/finding.js';
import { SKILL_FILE } from '../skills/discovery/not-part.js';
import { type SkillFileContent } from '../skills/discovery/skill-entry.js';
import { contentDigest } from '../skills/format/content-digest.js';
import { decodeUtf8 } from '../skills/format/decode-text.js';
import { parseSkill } from '../skills/format/parse-skill.js';
import { type FormatContext } from '../skills/format/skill-head.js';
import { scanSkill } from '../skills/scan/scan-skill.js';
import { type Sliced } from '../workspace/time-slices.js';
import { proposeSlug } from './proposed-slug.js';
import { type Provenance, type StagedSkill } from './staged-skill.js';

export interface SourceFile {
  /** Relative to the skill's folder, safe, with `/`. */
  readonly path: string;
  readonly mode: '0644' | '0755';
  readonly bytes: Buffer;
}

export interface StageRequest {
  /** Folder inside the source; empty for its root. */
  readonly path: string;
  /** File name of its SKILL.md as it is spelled. */
  readonly fileName: string;
  readonly files: readonly SourceFile[];
  readonly provenance: Provenance;
  /** Slug that the caller asked for. */
  readonly as: string | null;
  readonly limits: FormatContext['limits'];
  /** Remarks of the fetching. */
  readonly remarks: readonly Finding[];
}

/** Judges the files of one skill and puts them together. Pure: the same bytes give the same value. */
export function* stageSkill(request: StageRequest): Sliced<StagedSkill> {
  const { path, fileName, provenance, as, limits } = request;
  const files = request.files.map(describe).sort((a, b) => order(a, b, fileName));
  const bytes = files.find((file) => file.path === fileName)?.bytes ?? Buffer.alloc(0);
  const folderName = path === '' ? null : (path.split('/').at(-1) ?? null);
  // Read without a folder first: what the folder will be called depends on what the file says.
  const { name, slug } = parseSkill(bytes, { limits }).frontmatter;
  const proposed = proposeSlug({ as, name, slug, folderName }, provenance.origin);
  const document = parseSkill(bytes, {
    limits,
    path: fileName,
    ...(proposed.kind === 'ok' && { folderName: proposed.slug.split('/').at(-1) ?? proposed.slug }),
  });
  const scan = yield* scanSkill(files);
  const findings = [
    ...withoutScanned(document.findings, scan.findings),
    ...scan.findings,
    ...request.remarks,
  ];
  if (fileName !== SKILL_FILE) findings.push(finding('file_name_case', { path: fileName }));
  if (proposed.kind === 'none') {
    const hint = 'give it a name of a-z, 0-9 and hyphens, or choose one with "as"';
    findings.push(
      finding('slug_invalid', { path: fileName, message: `No address: ${proposed.because}.`, hint }),
    );
  }
  return {
    slug: proposed.kind === 'ok' ? proposed.slug : null,
    path,
    document,
    fileName,
    files,
    digest: contentDigest(files),
    size: files.reduce((sum, file) => sum + file.size, 0),
    findings,
    disabledBecause: scan.quarantine,
    provenance,
  };
}

/** What the scan says of the same line, it says with more weight. */
function withoutScanned(findings: readonly Finding[], scanned: readonly Finding[]): Finding[] {
  const keyOf = ({ code, path, line }: Finding): string => `${code} ${path ?? ''} ${line ?? 0}`;
  const known = new Set(scanned.map(keyOf));
  return findings.filter((one) => !known.has(keyOf(one)));
}

function describe({ path, mode, bytes }: SourceFile): SkillFileContent {
  return {
    path,
    mode,
    bytes,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    kind: !bytes.includes(0) && decodeUtf8(bytes) !== null ? 'text' : 'binary',
  };
}

function order(a: SkillFileContent, b: SkillFileContent, first: string): number {
  if (a.path === first) return -1;
  if (b.path === first) return 1;
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}

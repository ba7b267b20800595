import { basename } from 'node:path';
import { type Finding, finding } from '../../kernel/finding.js';
import { type FindingCode } from '../../kernel/finding-codes.js';
import { type Sliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { skillFileAmong } from '../discovery/not-part.js';
import { type SkillFile } from '../discovery/skill-entry.js';
import { type FolderLimits, type FolderManifest, readManifest } from '../discovery/skill-folder.service.js';
import { type SkillSource } from '../discovery/skill-walk.service.js';
import { contentDigest } from '../format/content-digest.js';
import { parseSkill } from '../format/parse-skill.js';
import { type SkillDocument } from '../format/skill-document.js';
import { type FolderFingerprint, fingerprintFolder } from './folder-fingerprint.service.js';

/** A skill's folder with all its bytes. */
export interface FolderContent {
  /** `sha256:` over paths, modes and bytes. */
  readonly digest: string;
  /** By path bytes. */
  readonly files: readonly SkillFile[];
  /** Hex SHA-256 -> bytes, one for each content among the files. */
  readonly blobs: ReadonlyMap<string, Buffer>;
  /** `SKILL.md` or a case twin. */
  readonly fileName: string;
  /** The whole SKILL.md. */
  readonly document: SkillDocument;
}

/** What lies in a skill's folder. Paths in findings are relative to it. */
export type ReadFolder =
  | {
      readonly kind: 'ok';
      readonly content: FolderContent;
      readonly findings: readonly Finding[];
      /** Belongs to exactly these bytes. */
      readonly seen: FolderFingerprint;
    }
  | {
      readonly kind: 'invalid';
      /** Null when the folder could not be read whole: it is too large, or something in it is unreadable. */
      readonly content: FolderContent | null;
      readonly findings: readonly Finding[];
      readonly seen: FolderFingerprint;
    }
  /** Something changed while it was read. */
  | { readonly kind: 'unstable' }
  /** No folder, or nothing in it that is called SKILL.md. */
  | { readonly kind: 'missing' };

export interface ReadLimits extends FolderLimits {
  readonly skillMdBytes: number;
  readonly frontmatterBytes: number;
}

// Without what these are about, the folder would pass for one from which somebody removed files.
const NOT_WHOLE: ReadonlySet<FindingCode> = new Set([
  'skill_too_large',
  'folder_unreadable',
  'file_unreadable',
]);

/**
 * Reads a skill's folder, all of it or nothing; bounded by the limits whatever lies there.
 *
 * @param now milliseconds since the epoch
 */
export function* readFolder(
  files: WorkspaceFiles,
  source: SkillSource,
  limits: ReadLimits,
  now: number = Date.now(),
): Sliced<ReadFolder> {
  const seen = yield* fingerprintFolder(files, source, now);
  if (seen === null) return { kind: 'missing' };
  const blobs = new Map<string, Buffer>();
  const manifest = yield* readManifest(files, source, limits, (file, bytes) => {
    blobs.set(file.sha256, bytes);
  });
  const fileName = findSkillFile(files, source);
  const after = yield* fingerprintFolder(files, source, now);
  if (after?.fingerprint !== seen.fingerprint) return { kind: 'unstable' };
  if (fileName === null) return { kind: 'missing' };
  const content = assemble(manifest, blobs, { fileName, folderName: basename(source.dir), limits });
  if (content === null) return { kind: 'invalid', content, findings: whyNotWhole(manifest, fileName), seen };
  const findings = [...content.document.findings, ...manifest.findings];
  return { kind: content.document.valid ? 'ok' : 'invalid', content, findings, seen };
}

/** What the folder has for a SKILL.md, whether it can be read or not. */
function findSkillFile(files: WorkspaceFiles, { dir }: SkillSource): string | null {
  const listing = files.list(dir);
  // An unreadable folder may well have one.
  if (listing.kind !== 'ok') return listing.kind === 'unreadable' ? 'SKILL.md' : null;
  return skillFileAmong(listing.items.map(({ name }) => name));
}

function assemble(
  manifest: FolderManifest,
  blobs: ReadonlyMap<string, Buffer>,
  main: { readonly fileName: string; readonly folderName: string; readonly limits: ReadLimits },
): FolderContent | null {
  const { fileName, folderName, limits } = main;
  const { files } = manifest;
  const file = files.find(({ path }) => path === fileName);
  const bytes = file === undefined ? undefined : blobs.get(file.sha256);
  if (bytes === undefined || manifest.findings.some(({ code }) => NOT_WHOLE.has(code))) return null;
  const document = parseSkill(bytes, { folderName, path: fileName, limits });
  return { digest: contentDigest(files), files, blobs, fileName, document };
}

function whyNotWhole({ files, findings }: FolderManifest, fileName: string): readonly Finding[] {
  const grave = findings.map((remark): Finding => {
    const isGrave = NOT_WHOLE.has(remark.code) || remark.path === fileName;
    return isGrave ? { ...remark, severity: 'error' } : remark;
  });
  const isTold = grave.some(({ severity }) => severity === 'error');
  const isThere = files.some(({ path }) => path === fileName);
  // Only a folder of this name is left out without a word.
  return isTold || isThere ? grave : [...grave, finding('file_not_regular', { path: fileName })];
}

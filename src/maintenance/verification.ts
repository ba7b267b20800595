import { contentDigest, type DigestedFile } from '../skills/format/content-digest.js';

/** What must hold whatever happened before; `skillwright verify` looks whether it does. */
export const INVARIANTS = {
  I1: 'every version can be rebuilt from stored bytes, and these are what its digest says',
  I4: 'versions count from 1 without gaps, and the newest is the current one',
  I5: 'nothing unfinished is left behind for longer than an hour',
  I6: 'each change of a version stands in the audit once',
  I8: 'nothing of ours lies outside of the workspace and the data folder',
  I9: 'every migration is known and was run',
} as const;

export type Invariant = keyof typeof INVARIANTS;

/** One breach of an invariant. */
export interface Problem {
  readonly invariant: Invariant;
  /** One clause: what is wrong. */
  readonly text: string;
  /** Slug of the skill or id of the workflow. */
  readonly subject?: string;
  readonly layer?: string;
  readonly version?: number;
  /** A file of that version, or an item on disk. */
  readonly path?: string;
}

/** How much was looked at. */
export interface VerifiedCounts {
  readonly skills: number;
  readonly versions: number;
  readonly blobs: number;
  readonly workflow_versions: number;
  readonly audit_rows: number;
}

export interface Verification {
  readonly ok: boolean;
  /** Whether every version was rebuilt, or the current ones of live skills alone. */
  readonly all: boolean;
  readonly checked: VerifiedCounts;
  /** The first of them; `found` counts all. */
  readonly problems: readonly Problem[];
  readonly found: number;
}

/** One version as it is stored, with its row. */
export interface VersionRecord {
  readonly id: string;
  readonly layer: string;
  readonly slug: string;
  readonly version: number;
  readonly digest: string;
  readonly fileHash: string;
  readonly manifest: readonly DigestedFile[];
  /** What the skill's row says; null for a version that is not the current one. */
  readonly rowDigest: string | null;
}

/** Stored bytes as the database sees them. */
export interface BlobRecord {
  readonly size: number;
  /** Hex SHA-256 of the bytes, computed now. */
  readonly actual: string;
}

/** Holds a version to its digest, its row, and the bytes that it names. */
export function judgeVersion(record: VersionRecord, blobs: ReadonlyMap<string, BlobRecord>): Problem[] {
  const { layer, slug, version, digest, manifest, fileHash, rowDigest } = record;
  const about = { invariant: 'I1', subject: slug, layer, version } as const;
  const problems: Problem[] = [];
  if (contentDigest(manifest) !== digest) {
    problems.push({ ...about, text: 'its list of files is not what its digest says' });
  }
  if (rowDigest !== null && rowDigest !== digest) {
    problems.push({ ...about, text: 'the row of the skill names another digest than its current version' });
  }
  const main = manifest.find(({ path }) => path === 'SKILL.md');
  if (main?.sha256 !== fileHash) {
    problems.push({ ...about, path: 'SKILL.md', text: 'its hash is not the one in the list of files' });
  }
  for (const file of manifest) {
    const text = judgeBytes(file, blobs.get(file.sha256));
    if (text !== null) problems.push({ ...about, path: file.path, text });
  }
  return problems;
}

/** What is wrong with stored bytes; null when nothing is. */
export function judgeBytes(
  { sha256, size }: Pick<DigestedFile, 'sha256' | 'size'>,
  blob: BlobRecord | undefined,
): string | null {
  if (blob === undefined) return 'its bytes are not stored';
  if (blob.actual !== sha256) return 'its stored bytes are not what their hash says';
  return blob.size === size ? null : `${blob.size} bytes are stored in place of ${size}`;
}

/** One line: invariant, skill, layer, version, file, what is wrong. */
export function describeProblem({ invariant, subject, layer, version, path, text }: Problem): string {
  const place = [
    subject,
    layer === undefined ? undefined : `(${layer})`,
    version === undefined ? undefined : `version ${version}`,
    path,
  ].filter((part) => part !== undefined);
  return `${invariant} ${place.length === 0 ? '' : `${place.join(' ')}: `}${text}`;
}

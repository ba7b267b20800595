import { type SkillContent, type SkillEntry, type SkillFile } from '../skills/discovery/skill-entry.js';
import { skillFacts } from './skill-facts.js';

/** How many bytes of supporting files may stand in one answer; the options group `limits` holds these. */
export interface InlineLimits {
  readonly inlineFileBytes: number;
  readonly inlineAttachmentBytes: number;
}

/** A file that comes with a skill. */
export interface SupportingFile {
  readonly path: string;
  readonly size: number;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
  readonly mode: '0644' | '0755';
  readonly encoding: 'utf-8' | 'base64';
  /** Absent when contents were not asked for; null when they are too large for the answer. */
  readonly content?: string | null;
  readonly reason?: 'too_large';
}

/** A skill as it is given to an agent: the whole body, its files, where it came from. */
export interface Attachment {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  /** The Markdown after the frontmatter, never shortened. */
  readonly content: string;
  /** SKILL.md relative to the workspace; null for a skill that does not lie in it. */
  readonly path: string | null;
  readonly supporting_files: readonly SupportingFile[];
  readonly source: {
    readonly origin: string;
    readonly layer: string;
    readonly location: string;
    readonly digest: string;
  };
  readonly disable_model_invocation: boolean;
}

/** The supporting files: everything but the skill's own SKILL.md. */
export function supportingFiles(entry: SkillEntry, content: SkillContent): readonly SkillFile[] {
  return content.files.filter(({ path }) => path !== entry.fileName);
}

/**
 * Which files' bytes fit into one answer: none above the size of one file, and in order as long as the sum allows.
 * A file that does not fit leaves room for smaller ones behind it.
 */
export function chooseInlineFiles(files: Iterable<SkillFile>, limits: InlineLimits): ReadonlySet<SkillFile> {
  const chosen = new Set<SkillFile>();
  let room = limits.inlineAttachmentBytes;
  for (const file of files) {
    if (file.size > limits.inlineFileBytes || file.size > room) continue;
    room -= file.size;
    chosen.add(file);
  }
  return chosen;
}

/**
 * Describes a skill for an agent. `bytes`: contents of the files that fit; null when none were asked for.
 *
 * @example toAttachment(entry, content, null).supporting_files[0] // { path: 'templates/a.md', size: 12, … }
 */
export function toAttachment(
  entry: SkillEntry,
  content: SkillContent,
  bytes: ReadonlyMap<SkillFile, Buffer> | null,
): Attachment {
  const { folder } = skillFacts(entry);
  return {
    name: entry.name,
    slug: entry.slug,
    description: entry.description,
    content: content.body,
    path: folder === null ? null : entry.filePath,
    supporting_files: supportingFiles(entry, content).map((file) => toSupportingFile(file, bytes)),
    source: {
      origin: entry.origin,
      layer: entry.layer.startsWith('path:') ? 'path' : entry.layer,
      location: entry.source,
      digest: content.digest,
    },
    disable_model_invocation: entry.frontmatter.disableModelInvocation,
  };
}

function toSupportingFile(file: SkillFile, bytes: ReadonlyMap<SkillFile, Buffer> | null): SupportingFile {
  const { path, size, sha256, mode } = file;
  const encoding = file.kind === 'text' ? 'utf-8' : 'base64';
  const described = { path, size, sha256, mode, encoding } as const;
  if (bytes === null) return described;
  const content = bytes.get(file);
  return content
    ? { ...described, content: encodeFile(content, encoding) }
    : { ...described, content: null, reason: 'too_large' };
}

/** Bytes as they stand in JSON. */
export function encodeFile(bytes: Buffer, encoding: 'utf-8' | 'base64'): string {
  return encoding === 'utf-8' ? bytes.toString('utf8') : bytes.toString('base64');
}

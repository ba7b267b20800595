import { z } from 'zod';
import {
  ARCHIVE_FORMATS,
  type ArchiveFormat,
  MEDIA_TYPES,
  writeArchive,
} from '../github-import/archive/write-archive.adapter.js';
import { type PackedFile } from '../github-import/archive/tar-writer.js';
import { SkillwrightError } from '../kernel/errors.js';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { operation } from './define.operation.js';
import { type OperationContext } from './operation-context.service.js';
import { atVersion, layer, skillId } from './skills.operations.js';

const format = z
  .enum(ARCHIVE_FORMATS)
  .default('zip')
  .describe('`skill` is a zip under the name that agents expect.');

/** Bytes for a person to keep. */
export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

const downloadSchema = z.string().meta({ format: 'binary', description: 'The archive.' });

export const exportSkill = operation({
  name: 'skills.export',
  summary: 'A skill as an archive that can be uploaded again.',
  role: 'agent',
  input: z.strictObject({ id: skillId, layer, version: z.number().int().positive().optional(), format }),
  output: downloadSchema,
  async run(context, input): Promise<Download> {
    const entry = await atVersion(context, input);
    const name = entry.slug.split('/').at(-1) ?? entry.slug;
    return pack(await filesOf(context, entry, name), name, input.format, context);
  },
});

export const exportSkills = operation({
  name: 'skills.export_several',
  summary: 'Several skills in one archive, each in a folder of its slug.',
  role: 'agent',
  input: z.strictObject({
    ids: z.array(skillId).min(1).max(200).describe('UUIDs, slugs or unique names.'),
    format,
  }),
  output: downloadSchema,
  async run(context, input): Promise<Download> {
    const entries = new Set<SkillEntry>();
    for (const id of input.ids) entries.add(await atVersion(context, { id }));
    const files: PackedFile[] = [];
    for (const entry of entries) {
      files.push(...(await filesOf(context, entry, entry.slug)));
      requireSize(files, context);
    }
    return pack(files, 'skills', input.format, context);
  },
});

async function filesOf(
  { catalog }: OperationContext,
  entry: SkillEntry,
  folder: string,
): Promise<PackedFile[]> {
  const { files } = await catalog.content(entry);
  const packed: PackedFile[] = [];
  for (const { path, mode } of files) {
    const { bytes } = await catalog.readFile(entry, path);
    packed.push({ path: `${folder}/${path}`, mode, bytes });
  }
  return packed;
}

/** What could not come in again is not given out in one piece, and the memory is bounded. */
function requireSize(files: readonly PackedFile[], { options }: OperationContext): void {
  const { skillBytes, archiveEntries } = options.limits;
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size <= skillBytes && files.length <= archiveEntries) return;
  throw new SkillwrightError('payload_too_large', {
    detail: `an archive holds at most ${archiveEntries} files and ${skillBytes} bytes; export fewer skills at once`,
  });
}

function pack(
  files: readonly PackedFile[],
  name: string,
  archive: ArchiveFormat,
  context: OperationContext,
): Download {
  requireSize(files, context);
  return {
    fileName: `${name}.${archive}`,
    mediaType: MEDIA_TYPES[archive],
    bytes: writeArchive(files, archive),
  };
}

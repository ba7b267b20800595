import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { splitRelativePath } from '../workspace/paths.js';
import { parseSkill } from '../skills/format/parse-skill.js';
import { serializeSkill } from '../skills/format/serialize-skill.js';
import { authorOf } from './author-of.js';
import { operation } from './define.operation.js';
import { type OperationContext } from './operation-context.service.js';
import { requireSkill } from './require-skill.js';
import { skillSchema } from './schemas/skill.js';
import { wholeRow } from './whole-row.service.js';

const skillId = z.string().min(1).max(2048).describe('UUID, slug or unique name.');
const message = z.string().max(2000).optional().describe('Why; kept in the history.');
const ifMatch = z.string().max(400).optional().describe('Tag of what the editor saw.');
const path = z.string().min(1).max(4096);

export const updateSkill = operation({
  name: 'skills.update',
  summary: 'Changes what is named of name, description and tags inside SKILL.md, and who may see the skill.',
  role: 'editor',
  input: z.strictObject({
    id: skillId,
    name: z.string().max(2000).optional(),
    description: z.string().max(65_536).optional(),
    tags: z.array(z.string().max(200)).max(200).optional(),
    visibility: z.enum(['private', 'internal', 'public']).optional(),
    enabled: z.boolean().optional().describe('Ignored: switching goes through toggle.'),
    message,
  }),
  output: skillSchema,
  async run(context, { id, visibility, message, name, description, tags }, call) {
    const { catalog, editor } = context;
    const author = authorOf(call, message);
    const set = Object.fromEntries(
      Object.entries({ name, description, tags }).filter(([, value]) => value !== undefined),
    ) as Record<string, string | string[]>;
    let entry = requireSkill(catalog.snapshot(), id);
    if (Object.keys(set).length > 0) {
      const { limits } = context.options;
      const { folderName } = entry;
      entry = await editor.edit(
        entry,
        (main) => {
          const text = serializeSkill(parseSkill(main, { folderName, limits }), { set });
          return new Map([[entry.fileName, { bytes: Buffer.from(text), mode: null }]]);
        },
        null,
        author,
      );
    }
    if (visibility !== undefined) entry = await editor.setVisibility(entry, visibility, author);
    return wholeRow(context, entry);
  },
});

export const replaceContent = operation({
  name: 'skills.content.replace',
  summary: 'Replaces SKILL.md as a whole; judged before anything changes.',
  role: 'editor',
  input: z.strictObject({
    id: skillId,
    content: z
      .union([z.string(), z.instanceof(Buffer)])
      .describe('The whole file: as text/markdown, or as `content` of a JSON object.'),
    if_match: ifMatch,
    message,
  }),
  output: skillSchema,
  async run(context, { id, content, if_match, message }, call) {
    const entry = requireSkill(context.catalog.snapshot(), id);
    const edit = { bytes: Buffer.from(content), mode: null };
    return editFiles(context, entry, [[entry.fileName, edit]], if_match, authorOf(call, message));
  },
});

export const writeFile = operation({
  name: 'skills.files.write',
  summary: 'Writes one file of a skill, as a new version.',
  role: 'editor',
  input: z.strictObject({
    id: skillId,
    path,
    bytes: z.instanceof(Buffer).describe('The bytes of the file.'),
    mode: z.enum(['0644', '0755']).optional().describe('By default as before, or 0644.'),
    if_match: ifMatch,
    message,
  }),
  output: skillSchema,
  run(context, { id, path, bytes, mode, if_match, message }, call) {
    const entry = requireSkill(context.catalog.snapshot(), id);
    const edit = { bytes, mode: mode ?? null };
    return editFiles(context, entry, [[safe(path), edit]], if_match, authorOf(call, message));
  },
});

export const removeFile = operation({
  name: 'skills.files.remove',
  summary: 'Removes one file of a skill, as a new version.',
  role: 'editor',
  input: z.strictObject({ id: skillId, path, if_match: ifMatch, message }),
  output: z.null(),
  async run(context, { id, path, if_match, message }, call) {
    const entry = requireSkill(context.catalog.snapshot(), id);
    await editFiles(context, entry, [[safe(path), null]], if_match, authorOf(call, message));
    return null;
  },
});

async function editFiles(
  context: OperationContext,
  entry: Parameters<OperationContext['editor']['edit']>[0],
  edits: readonly (readonly [string, { bytes: Buffer; mode: '0644' | '0755' | null } | null])[],
  tag: string | undefined,
  author: ReturnType<typeof authorOf>,
) {
  const edited = await context.editor.edit(entry, () => new Map(edits), digestIn(tag), author);
  return wholeRow(context, edited);
}

/** The part of a skill's tag that an edit compares; `*` takes whatever there is. */
function digestIn(tag: string | undefined): string | null {
  if (tag === undefined) throw new SkillwrightError('match_required');
  if (tag.trim() === '*') return null;
  const digest = /^\s*"(sha256:[0-9a-f]{64})(?:\.[\w-]*)?"\s*$/.exec(tag)?.[1];
  // A tag that is none of ours cannot be that of the current version.
  if (digest === undefined)
    throw new SkillwrightError('version_conflict', { detail: `no skill has the tag ${tag}` });
  return digest;
}

function safe(path: string): string {
  const check = splitRelativePath(path.normalize('NFC'));
  if (check.kind === 'ok') return check.segments.join('/');
  throw new SkillwrightError('path_invalid', { detail: `the path is not acceptable: ${check.because}` });
}

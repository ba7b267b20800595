import { z } from 'zod';
import { authorOf } from './author-of.js';
import { operation } from './define.operation.js';
import { requireSkill } from './require-skill.js';
import { skillSchema } from './schemas/skill.js';
import { wholeRow } from './whole-row.service.js';

const skillId = z.string().min(1).max(2048).describe('UUID, slug or unique name.');
const message = z.string().max(2000).optional().describe('Why; kept in the history.');

export const deleteSkill = operation({
  name: 'skills.delete',
  summary: 'Deletes a skill of the workspace; its history stays and can be restored.',
  role: 'editor',
  input: z.strictObject({
    id: skillId,
    detach: z.boolean().default(false).describe('Take it out of the presets and steps that name it.'),
    message,
  }),
  output: z.null(),
  async run({ catalog, moves }, { id, detach, message }, call) {
    await moves.delete(requireSkill(catalog.snapshot(), id), { detach }, authorOf(call, message));
    return null;
  },
});

export const moveSkill = operation({
  name: 'skills.move',
  summary:
    'Gives a skill another address, `custom/x` to `x`; references follow, the old address leads to it.',
  role: 'editor',
  input: z.strictObject({ id: skillId, slug: z.string().min(1).max(2048), message }),
  output: skillSchema,
  async run(context, { id, slug, message }, call) {
    const entry = requireSkill(context.catalog.snapshot(), id);
    return wholeRow(context, await context.moves.move(entry, slug, authorOf(call, message)));
  },
});

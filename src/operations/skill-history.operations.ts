import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { folderChanges, type FileChange, isReadable, unifiedDiff } from '../skills/catalog/folder-diff.js';
import { authorOf } from './author-of.js';
import { operation } from './define.operation.js';
import { type OperationContext } from './operation-context.service.js';
import { requireEvenDeleted, requireSkill } from './require-skill.js';
import { skillSchema } from './schemas/skill.js';
import { skillDiffSchema, versionsSchema } from './schemas/skill-history.js';
import { fileRow } from './skill-view.js';
import { wholeRow } from './whole-row.service.js';

const skillId = z.string().min(1).max(2048).describe('UUID, slug or unique name.');
const version = z.number().int().positive();
const message = z.string().max(2000).optional().describe('Why; kept in the history.');
const label = z
  .string()
  .regex(/^[a-z][a-z0-9._-]{0,63}$/i)
  .describe('A letter, then letters, digits, ".", "_", "-".');

export const toggleSkill = operation({
  name: 'skills.toggle',
  summary: 'Switches a skill on or off for agents.',
  role: 'editor',
  input: z.strictObject({ id: skillId, enabled: z.boolean(), message }),
  output: z.object({ ok: z.literal(true), enabled: z.boolean(), status: z.enum(['active', 'archived']) }),
  async run({ catalog, editor }, { id, enabled, message }, call) {
    const entry = requireSkill(catalog.snapshot(), id);
    const toggled = await editor.toggle(entry, enabled, authorOf(call, message));
    return { ok: true as const, enabled: toggled.enabled, status: toggled.status };
  },
});

export const listVersions = operation({
  name: 'skills.versions',
  summary: 'The history of a skill, also of a deleted one.',
  role: 'agent',
  input: z.strictObject({ id: skillId }),
  output: versionsSchema,
  async run({ catalog, editor }, { id }) {
    const history = await editor.history(requireEvenDeleted(catalog.snapshot(), id));
    const { versions, current, labels, revoked } = history;
    return {
      versions: versions.map(({ version, digest, createdAt, actor, message, origin }) => ({
        version,
        digest,
        created_at: createdAt,
        actor: actor.name,
        actor_kind: actor.kind,
        message,
        origin,
        labels: Array.from(labels).flatMap(([name, at]) => (at === version ? [name] : [])),
        revoked: revoked.get(digest) ?? null,
      })),
      current,
      labels: Object.fromEntries(labels),
    };
  },
});

export const restoreVersion = operation({
  name: 'skills.restore',
  summary: 'Makes an earlier version the newest again; brings a deleted skill back.',
  role: 'editor',
  input: z.strictObject({ id: skillId, version, message }),
  output: skillSchema,
  async run(context, { id, version, message }, call) {
    const entry = requireEvenDeleted(context.catalog.snapshot(), id);
    const restored = await context.editor.restore(entry, version, authorOf(call, message));
    return wholeRow(context, restored);
  },
});

export const diffVersions = operation({
  name: 'skills.diff',
  summary: 'What differs between two versions of a skill, file by file.',
  role: 'agent',
  input: z.strictObject({
    id: skillId,
    from: version.optional().describe('By default the one before `to`.'),
    to: version.optional().describe('By default the current one.'),
  }),
  output: skillDiffSchema,
  async run({ catalog, editor }, { id, from, to }) {
    const entry = requireEvenDeleted(catalog.snapshot(), id);
    const { current } = await editor.history(entry);
    const newer = to ?? current;
    const after = await editor.version(entry, newer);
    const before = await editor.version(entry, from ?? Math.max(1, newer - 1));
    const changes = folderChanges(before.manifest, after.manifest);
    const files = [];
    for (const change of changes) files.push(await changeRow(catalog, change));
    return {
      from: before.version,
      to: after.version,
      from_digest: before.digest,
      to_digest: after.digest,
      files,
    };
  },
});

export const setLabel = operation({
  name: 'skills.label',
  summary: 'Points a label at a version, so that references to `slug@label` follow it.',
  role: 'editor',
  input: z.strictObject({ id: skillId, label, version, message }),
  output: skillSchema,
  async run(context, { id, label, version, message }, call) {
    const entry = requireSkill(context.catalog.snapshot(), id);
    return wholeRow(context, await context.editor.label(entry, label, version, authorOf(call, message)));
  },
});

export const removeLabel = operation({
  name: 'skills.label.remove',
  summary: 'Takes a label away; references to it are rejected from then on.',
  role: 'editor',
  input: z.strictObject({ id: skillId, label, message }),
  output: z.null(),
  async run({ catalog, editor }, { id, label, message }, call) {
    await editor.label(requireSkill(catalog.snapshot(), id), label, null, authorOf(call, message));
    return null;
  },
});

export const revokeVersion = operation({
  name: 'skills.revoke',
  summary: 'Takes the bytes of a version out of use for good.',
  role: 'admin',
  input: z.strictObject({
    id: skillId,
    version: version.optional(),
    digest: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .optional(),
    reason: z.string().min(1).max(2000),
  }),
  output: skillSchema,
  async run(context, { id, version, digest, reason }, call) {
    if ((version === undefined) === (digest === undefined)) {
      throw new SkillwrightError('bad_request', { detail: 'either version or digest is needed, not both' });
    }
    const entry = requireEvenDeleted(context.catalog.snapshot(), id);
    const what = digest === undefined ? { version: version ?? 0 } : { digest };
    return wholeRow(context, await context.editor.revoke(entry, what, reason, authorOf(call, reason)));
  },
});

async function changeRow(catalog: OperationContext['catalog'], change: FileChange) {
  const { path, kind, before, after } = change;
  const row = {
    path,
    change: kind,
    before: before && fileRow(before),
    after: after && fileRow(after),
  };
  const readable = isReadable(change);
  if (readable.kind === 'no') return { ...row, diff: null, because: readable.because };
  if (kind === 'mode') return { ...row, diff: null, because: 'only the mode differs' };
  const text = async (file: FileChange['before']): Promise<string | null> =>
    file === null ? null : ((await catalog.stored?.blobs.read(file.sha256))?.toString('utf8') ?? null);
  const diff = unifiedDiff(path, await text(before), await text(after));
  return { ...row, diff, because: diff === null ? 'the texts differ in too much' : null };
}

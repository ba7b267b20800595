import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { operation } from './define.operation.js';
import { type OperationContext } from './operation-context.service.js';
import { pageInput, pageOf } from './page.js';
import { requireEvenDeleted, requireSkill } from './require-skill.js';
import { skillFileContentSchema, skillFilesSchema, skillListSchema, skillSchema } from './schemas/skill.js';
import { fileRow, filterSkills, skillRow } from './skill-view.js';

export const skillId = z.string().min(1).max(2048).describe('UUID, slug or unique name.');
export const layer = z
  .string()
  .max(1024)
  .optional()
  .describe('Look in this layer only, to reach a hidden skill.');

export const listSkills = operation({
  name: 'skills.list',
  summary: 'Skills for people: disabled, archived, hidden and broken ones too.',
  role: 'agent',
  input: z.strictObject({
    ...pageInput,
    query: z.string().max(1000).optional().describe('Part of slug, name, description, author or a tag.'),
    status: z
      .enum(['active', 'archived', 'deleted'])
      .optional()
      .describe('`deleted`: those that can be restored; they are in no other list.'),
    enabled: z.boolean().optional(),
    origin: z.enum(['disk', 'github', 'zip', 'bundled', 'builtin', 'builder']).optional(),
    tag: z.string().max(200).optional(),
    attention: z.boolean().optional().describe('Only skills that somebody should look at.'),
    include: z
      .array(z.enum(['findings']))
      .default([])
      .describe('Parts to add to each row.'),
  }),
  output: skillListSchema,
  async run({ catalog, usage }, { limit, cursor, include, status, ...filter }) {
    const snapshot = catalog.snapshot();
    const usesOf = await usage.current();
    const listed = status === 'deleted' ? Array.from(snapshot.deleted.values()) : snapshot.entries;
    const wanted = status === 'deleted' ? filter : { ...filter, status };
    const page = pageOf(filterSkills(listed, wanted), pageKey, { limit, cursor });
    return {
      skills: page.items.map((entry) => ({
        ...skillRow(entry, usesOf(entry.slug).length),
        ...(include.includes('findings') && { findings: entry.findings }),
      })),
      total: page.total,
      next_cursor: page.next_cursor,
      revision: snapshot.revision,
      findings: snapshot.findings,
    };
  },
});

/** Snapshots are sorted by slug and then by location, so the place in the order ends the key. */
function pageKey(entry: SkillEntry): string {
  return `${entry.slug}\u0000${entry.shadowedBy === null ? '0' : `1${entry.id}`}`;
}

export const getSkill = operation({
  name: 'skills.get',
  summary: 'One skill, by UUID, slug or unique name.',
  role: 'agent',
  input: z.strictObject({
    id: skillId,
    layer,
    include: z
      .array(z.enum(['content', 'frontmatter', 'findings', 'origin', 'usage']))
      .default(['frontmatter', 'findings'])
      .describe('Parts to add.'),
  }),
  output: skillSchema,
  async run(context, input) {
    const { catalog } = context;
    const entry = requireSkill(context.catalog.snapshot(), input.id, input.layer);
    const usage = (await context.usage.current())(entry.slug);
    const content = entry.version > 0 ? await catalog.content(entry) : null;
    const findings = [...entry.findings, ...(content?.findings ?? [])];
    const whole = input.include.includes('content') || input.include.includes('frontmatter');
    const document = whole ? await catalog.readDocument(entry) : null;
    return {
      ...skillRow(entry, usage.length),
      findings_count: findings.length,
      digest: content?.digest ?? null,
      file_hash: content?.fileHash ?? null,
      revision: catalog.snapshot().revision,
      ...(input.include.includes('content') && document && { content: document.source }),
      ...(input.include.includes('frontmatter') && document && { frontmatter: document.keys }),
      ...(input.include.includes('findings') && { findings }),
      ...(input.include.includes('usage') && { usage }),
    };
  },
});

export const listSkillFiles = operation({
  name: 'skills.files.list',
  summary: 'The files of a skill, SKILL.md first.',
  role: 'agent',
  input: z.strictObject({ id: skillId, layer, version: z.number().int().positive().optional() }),
  output: skillFilesSchema,
  async run(context, input) {
    const entry = await atVersion(context, input);
    const { files, digest } = await context.catalog.content(entry);
    return { files: files.map(fileRow), digest };
  },
});

export const readSkillFile = operation({
  name: 'skills.files.read',
  summary: 'One file of a skill.',
  role: 'agent',
  input: z.strictObject({
    id: skillId,
    layer,
    path: z.string().min(1).max(4096),
    version: z.number().int().positive().optional(),
  }),
  output: skillFileContentSchema,
  async run(context, input) {
    const entry = await atVersion(context, input);
    const file = await context.catalog.readFile(entry, input.path);
    const text = file.kind === 'text';
    return { ...fileRow(file), encoding: text ? 'utf-8' : 'base64', bytes: file.bytes };
  },
});

/** @throws SkillwrightError `skill_not_found`, `ref_ambiguous`, `skill_md_invalid`, `version_not_found` */
export async function atVersion(
  { catalog }: OperationContext,
  asked: { readonly id: string; readonly layer?: string | undefined; readonly version?: number | undefined },
): Promise<SkillEntry> {
  const { id, layer, version } = asked;
  // A version of a deleted skill can be looked at before it is restored.
  const snapshot = catalog.snapshot();
  const entry = layer === undefined ? requireEvenDeleted(snapshot, id) : requireSkill(snapshot, id, layer);
  if (entry.version === 0) {
    throw new SkillwrightError('skill_md_invalid', {
      detail: `the skill "${entry.slug}" never parsed`,
      issues: entry.findings,
    });
  }
  if (version === undefined || version === entry.version) return entry;
  const { stored } = catalog;
  if (stored !== null && entry.stored !== null) {
    const pin = await stored.pins.load(entry, { kind: 'version', version });
    if (pin.kind === 'found') return pin.entry;
    throw new SkillwrightError(pin.code === 'skill_revoked' ? 'skill_revoked' : 'version_not_found', {
      detail: pin.text,
    });
  }
  throw new SkillwrightError('version_not_found', {
    detail: `the skill "${entry.slug}" has version ${entry.version} only`,
  });
}

import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { finding } from '../kernel/finding.js';
import { type SearchableSkill } from '../skills/search/analyzer.js';
import { checkTriggers, type PromptRank } from '../skills/search/trigger-check.service.js';
import { operation } from './define.operation.js';
import { type OperationContext } from './operation-context.service.js';
import { findingSchema } from './schemas/finding.js';

const otherSchema = z.object({ slug: z.string(), name: z.string() });

export const checkSkillTriggers = operation({
  name: 'skills.trigger-check',
  summary: 'Whether a description, written or stored, brings its skill up for what users say.',
  role: 'agent',
  input: z
    .strictObject({
      slug: z.string().min(1).max(2048).describe('Of the draft, or of the stored skill.'),
      description: z.string().max(65_536).optional().describe("Draft; absent: the stored skill's."),
      name: z.string().min(1).max(1024).optional(),
      tags: z.array(z.string().max(200)).max(100).optional(),
      prompts: z.array(z.string().min(1).max(10_000)).min(1).max(50).describe('What users would say.'),
      workflow_id: z
        .string()
        .min(1)
        .max(255)
        .optional()
        .describe('With step_id: among the skills of a step.'),
      step_id: z.string().min(1).max(500).optional(),
    })
    .refine((input) => (input.workflow_id === undefined) === (input.step_id === undefined), {
      path: ['step_id'],
      error: 'workflow_id and step_id stand together',
    }),
  output: z.object({
    slug: z.string(),
    among: z.number().int().describe('Skills among which it was ranked, itself included.'),
    prompts: z.array(
      z.object({
        prompt: z.string(),
        rank: z.number().int().nullable().describe('1 for the first; null when not among the first 100.'),
        ahead: z.array(otherSchema).describe('Skills before it, at most three.'),
      }),
    ),
    near_duplicates: z.array(
      otherSchema.extend({
        shared_words: z.number().describe('Share of their words that both descriptions have.'),
        cosine: z.number().nullable(),
      }),
    ),
    findings: z.array(findingSchema),
  }),
  async run(context, { prompts, workflow_id, step_id, ...about }) {
    const draft = draftOf(context, about);
    const others = await context.tools.searchable(
      workflow_id === undefined || step_id === undefined
        ? { allow: null }
        : { workflowId: workflow_id, stepId: step_id },
    );
    const { ranks, among, nearDuplicates } = await checkTriggers(context.search, { draft, prompts, others });
    return {
      slug: draft.slug,
      among,
      prompts: ranks.map(rankRow),
      near_duplicates: nearDuplicates.map(({ skill, sharedWords, cosine }) => ({
        slug: skill.slug,
        name: skill.name,
        shared_words: rounded(sharedWords),
        cosine: cosine === null ? null : rounded(cosine),
      })),
      findings: nearDuplicates.map(({ skill }) =>
        finding('description_near_duplicate', { field: 'description', found: skill.slug }),
      ),
    };
  },
});

interface DraftInput {
  readonly slug: string;
  readonly description?: string | undefined;
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** @throws SkillwrightError `skill_not_found` where neither a description nor a stored skill is given */
function draftOf(
  { catalog }: OperationContext,
  { slug, description, name, tags }: DraftInput,
): SearchableSkill {
  const stored = catalog.snapshot().bySlug.get(slug);
  if (description === undefined && stored === undefined) {
    throw new SkillwrightError('skill_not_found', {
      detail: `no skill has the slug "${slug}"; give a description to check a draft`,
    });
  }
  return {
    slug,
    name: name ?? stored?.name ?? slug.slice(slug.lastIndexOf('/') + 1),
    description: description ?? stored?.description ?? '',
    frontmatter: { tags: tags ?? stored?.frontmatter.tags ?? null },
  };
}

function rankRow({ prompt, rank, ahead }: PromptRank) {
  return { prompt, rank, ahead: ahead.map(({ entry }) => ({ slug: entry.slug, name: entry.name })) };
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}

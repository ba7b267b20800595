import { z } from 'zod';
import { searchAnswer } from '../skills/search/search-answer.js';
import { operation } from './define.operation.js';

const hitSchema = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  score: z.number().describe('Comparable within one answer only.'),
  matched_terms: z.array(z.string()).describe('Words of the query that were found.'),
  explain: z
    .object({
      lexical_score: z.number().describe('What its words alone make of it.'),
      cosine: z
        .number()
        .nullable()
        .describe("How near its vector is to the query's; null where one of them has none."),
      named: z.boolean().describe("The query is the skill's name or slug, which puts it first."),
      terms: z.array(
        z.object({
          word: z.string(),
          found: z.string().describe('The word that was taken for it.'),
          how: z.enum(['word', 'beginning', 'typo']),
          score: z.number(),
        }),
      ),
    })
    .optional(),
});

export const searchSkills = operation({
  name: 'skills.search',
  summary: 'Skills that an agent may have, found by words, best first.',
  role: 'agent',
  input: z.strictObject({
    q: z.string().max(10_000).describe('A few words, a name or a sentence about the task.'),
    limit: z.number().int().min(1).max(100).default(10).describe('Hits at most.'),
    explain: z.boolean().default(false).describe('Whether each hit tells where its score comes from.'),
  }),
  output: z.object({
    hits: z.array(hitSchema),
    total: z.number().int().describe('Skills that matched, whether or not they stand among the hits.'),
    headings_pending: z
      .number()
      .int()
      .describe('Skills whose headings are not read yet; they are found by everything else.'),
    vectors: z.object({
      state: z.enum(['off', 'ready', 'pending', 'failed']),
      count: z.number().int().optional().describe('Skills without a vector so far.'),
      because: z.string().optional(),
    }),
  }),
  async run({ search }, { q, limit, explain }) {
    return searchAnswer(await search.search({ query: q, limit }), { explain });
  },
});

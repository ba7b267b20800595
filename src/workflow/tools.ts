import { z } from 'zod';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';

/** A tool as a model sees it. */
export interface ToolDefinition {
  readonly name: ToolName;
  readonly description: string;
  /** JSON Schema. */
  readonly input_schema: Readonly<Record<string, unknown>>;
}

export const TOOL_NAMES = ['skill', 'read_skill', 'skill_search'] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

/** Hits of a search when the caller names no number, and at most. */
const SEARCH_HITS = { default: 5, max: 50 } as const;

const name = z.string().min(1).max(1000);

/** What each tool takes; anything else is malformed. */
export const TOOL_INPUTS = {
  skill: z.strictObject({ name }),
  read_skill: z.strictObject({ name, path: z.string().max(1024).optional() }),
  skill_search: z.strictObject({
    query: z.string().max(1000),
    limit: z.number().int().min(1).max(SEARCH_HITS.max).default(SEARCH_HITS.default),
  }),
} as const;

/**
 * The tools for a set of skills; none for none. The names that may be asked for are an enum, in the order of the
 * listing. Where the skills are too many to be listed, they are too many for an enum, and the search tool comes in.
 */
export function toolDefinitions(
  entries: readonly SkillEntry[],
  listed: 'inline' | 'search',
): ToolDefinition[] {
  const slugs = entries
    .filter((entry) => !entry.frontmatter.disableModelInvocation)
    .map(({ slug }) => slug)
    .sort();
  if (slugs.length === 0) return [];
  const skillName = {
    type: 'string',
    description: 'Slug of the skill.',
    ...(listed === 'inline' ? { enum: slugs } : {}),
  };
  const tools: ToolDefinition[] = [
    {
      name: 'skill',
      description:
        'Loads the full instructions of a skill. Call it before working on what the skill describes.',
      input_schema: objectSchema({ name: skillName }, ['name']),
    },
    {
      name: 'read_skill',
      description: 'Reads one file of a skill: its instructions, or the file at path. One file a call.',
      input_schema: objectSchema(
        {
          name: skillName,
          path: {
            type: 'string',
            description: 'File relative to the folder of the skill; SKILL.md when absent.',
          },
        },
        ['name'],
      ),
    },
  ];
  if (listed === 'search') tools.push(searchTool(slugs.length));
  return tools;
}

function searchTool(count: number): ToolDefinition {
  return {
    name: 'skill_search',
    description: `Finds the skills that fit a task among the ${count} that are available.`,
    input_schema: objectSchema(
      {
        query: { type: 'string', description: 'A few words about the task.' },
        limit: { type: 'integer', minimum: 1, maximum: SEARCH_HITS.max, default: SEARCH_HITS.default },
      },
      ['query'],
    ),
  };
}

function objectSchema(
  properties: Record<string, unknown>,
  required: readonly string[],
): Record<string, unknown> {
  return { type: 'object', properties, required, additionalProperties: false };
}

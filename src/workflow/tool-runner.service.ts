import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { type CatalogService } from '../skills/catalog/catalog.service.js';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { visibleText } from '../skills/format/visible-text.js';
import { encodeFile, supportingFiles } from './attachment.js';
import { wrapSkill } from './prompt.js';
import { searchAnswer, type SearchAnswer } from '../skills/search/search-answer.js';
import { isSearchable } from '../skills/search/skill-index.js';
import { type SearchService } from '../skills/search/search.service.js';
import { findInScope, toolPath } from './tool-scope.js';
import { type InlineQuestion, type StepAddress } from './step-question.js';
import { type ResolvedStep, type StepResolver } from './step-resolver.service.js';
import { TOOL_INPUTS, TOOL_NAMES, toolDefinitions, type ToolDefinition, type ToolName } from './tools.js';
import { type WorkflowSkillsService } from './workflow-skills.service.js';

/** Whose skills the tools may touch: a step's, or an agent's allow-list. */
export type ToolScope = StepAddress | Pick<InlineQuestion, 'allow'>;

/** One file of a skill as a tool answers it, with the names of the wire. */
export interface SkillFileAnswer {
  readonly skill_name: string;
  readonly slug: string;
  readonly path: string;
  /** With SKILL.md only. */
  readonly description?: string;
  /** The file itself; of SKILL.md the instructions, whole, without characters that nobody sees. */
  readonly content: string;
  readonly encoding: 'utf-8' | 'base64';
  /** What to hand to the model: instructions in a wrapper that says whose text they are. With SKILL.md only. */
  readonly text?: string;
  /** SKILL.md first. */
  readonly available_files: readonly string[];
  readonly source: string;
}

export type ToolAnswer = SkillFileAnswer | SearchAnswer;

/** Runs the agent tools. Nothing outside the scope is read, listed or found. */
export class ToolRunnerService {
  constructor(
    private readonly resolver: StepResolver,
    private readonly skills: WorkflowSkillsService,
    private readonly catalog: CatalogService,
    private readonly search: SearchService,
  ) {}

  /** The tools of a scope; none where it offers no skills. */
  async definitions(scope: ToolScope): Promise<ToolDefinition[]> {
    const step = await this.resolve(scope);
    const { mode } = await this.skills.listingOf(step);
    return toolDefinitions(entriesOf(step), mode === 'search' ? 'search' : 'inline');
  }

  /**
   * Runs one tool.
   *
   * @throws SkillwrightError `tool_not_found`, `bad_request`, `path_invalid`, `file_not_found`, `ref_ambiguous`;
   *   `skill_not_selected`, whose fact `available` lists what the scope has
   */
  async run(name: string, input: unknown, scope: ToolScope): Promise<ToolAnswer> {
    const tool = TOOL_NAMES.find((known) => known === name);
    if (!tool) {
      throw new SkillwrightError('tool_not_found', { detail: `the tools are ${TOOL_NAMES.join(', ')}` });
    }
    switch (tool) {
      case 'skill':
        return this.read(accept(tool, TOOL_INPUTS.skill, input).name, undefined, scope);
      case 'read_skill': {
        const { name: skill, path } = accept(tool, TOOL_INPUTS.read_skill, input);
        return this.read(skill, path, scope);
      }
      case 'skill_search': {
        const { query, limit } = accept(tool, TOOL_INPUTS.skill_search, input);
        const skills = await this.searchable(scope);
        return searchAnswer(await this.search.search({ query, limit, scope: skills }));
      }
    }
  }

  /** The skills among which `skill_search` finds. */
  async searchable(scope: ToolScope): Promise<readonly SkillEntry[]> {
    return entriesOf(await this.resolve(scope)).filter(isSearchable);
  }

  private async read(name: string, path: string | undefined, scope: ToolScope): Promise<SkillFileAnswer> {
    // The path is judged before anything is looked up, so that it cannot ask what exists.
    const wanted = toolPath(path);
    const step = await this.resolve(scope);
    const entry = findInScope(step.resolution, name);
    const content = await this.resolver.content(entry, step);
    const files = supportingFiles(entry, content).map((file) => file.path);
    const about = {
      skill_name: entry.name,
      slug: entry.slug,
      available_files: [entry.fileName, ...files],
      source: entry.origin,
    };
    if (wanted === null || wanted === entry.fileName) {
      const nonce = randomBytes(6).toString('hex');
      const text = wrapSkill({ entry, body: content.body, files }, nonce);
      const description = visibleText(entry.description);
      const instructions = visibleText(content.body);
      return { ...about, path: entry.fileName, description, content: instructions, encoding: 'utf-8', text };
    }
    const file = await this.catalog.readFile(entry, wanted);
    const encoding = file.kind === 'text' ? 'utf-8' : 'base64';
    return { ...about, path: wanted, content: encodeFile(file.bytes, encoding), encoding };
  }

  private resolve(scope: ToolScope): Promise<ResolvedStep> {
    return 'workflowId' in scope ? this.resolver.step(scope) : this.resolver.inline(scope);
  }
}

function entriesOf({ resolution }: ResolvedStep): SkillEntry[] {
  return resolution.skills.map(({ entry }) => entry);
}

function accept<T>(tool: ToolName, schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new SkillwrightError('bad_request', { detail: `${tool}: ${z.prettifyError(parsed.error)}` });
}

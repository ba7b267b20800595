import { randomBytes } from 'node:crypto';
import { type SkillwrightOptions } from '../config/options.js';
import { buildSkillFolderGuardPaths, type SkillGrants } from '../folder-guard/grants.js';
import { type GuardGrants } from '../folder-guard/guard-grants.js';
import { SkillwrightError } from '../kernel/errors.js';
import { type CatalogService } from '../skills/catalog/catalog.service.js';
import { type SkillContent, type SkillEntry, type SkillFile } from '../skills/discovery/skill-entry.js';
import { estimateTokens, loadTokenCounter, type TokenCounter } from '../skills/format/tokens.js';
import { chooseInlineFiles, supportingFiles, toAttachment, type Attachment } from './attachment.js';
import { judgeStrictly, type RejectedRef } from './effective-skills.js';
import { explainSkill, traceResolution } from './explain.js';
import { renderListing, type Listing } from './listing.js';
import { type ListingFormat } from './listing-formats.js';
import { fileProblems, resolutionProblems, type PreflightProblem } from './preflight.js';
import { renderPrompt, type SkillPrompt } from './prompt.js';
import {
  DEFAULT_PARTS,
  grantsOf,
  readPathsOf,
  skillAnswer,
  type AnswerPart,
  type ResolutionAnswer,
} from './resolution-answer.js';
import { type AnswerOptions, type InlineQuestion, type StepAddress } from './step-question.js';
import { type ResolvedStep, type StepResolver } from './step-resolver.service.js';
import { toolDefinitions } from './tools.js';
import { type WorkflowFolders } from './workflow-folder.service.js';

export type StepQuestion = StepAddress & AnswerOptions;

/** Attachments, and the references that gave none. */
export interface LoadedSkills {
  readonly attachments: readonly Attachment[];
  readonly rejected: readonly RejectedRef[];
}

export interface WorkflowCheck {
  readonly workflow_id: string;
  readonly ok: boolean;
  readonly problems: readonly PreflightProblem[];
}

export interface StepExplanation {
  readonly workflow_id: string;
  readonly step_id: string;
  readonly lines: readonly string[];
}

/** Answers which skills a step gets, with files, prompt text, read-only paths and reasons. */
export class WorkflowSkillsService {
  constructor(
    private readonly options: Pick<SkillwrightOptions, 'listing' | 'limits'>,
    private readonly resolver: StepResolver,
    private readonly catalog: CatalogService,
    private readonly folders: WorkflowFolders,
  ) {}

  /**
   * Skills of a step and preset that the caller holds itself. A list of the step replaces the preset's.
   *
   * @param stepConfig `{id?, agent_configs}` as in step_config.json; null for a step without an entry
   * @param preset `{selected_skills}`; null for none
   * @throws SkillwrightError `step_config_invalid`, `preset_invalid`, `skills_rejected` (strict), `not_ready`
   * @example (await skills.getEffectiveSkills({ agent_configs: { enabled_skills: ['pdf'] } }, null)).skills
   */
  getEffectiveSkills(
    stepConfig: unknown,
    preset: unknown,
    options: AnswerOptions = {},
  ): Promise<ResolutionAnswer> {
    return this.resolveInline({ step: stepConfig, preset, ...options });
  }

  /**
   * The main question: what a step of a workflow on disk gets.
   *
   * @throws SkillwrightError `path_invalid`, `workflow_not_found`, `preset_not_found`, `step_config_invalid`,
   *   `workflow_file_invalid`, `skills_rejected` (strict), `db_unavailable`, `not_ready`
   */
  async resolveStep(question: StepQuestion): Promise<ResolutionAnswer> {
    return this.answer(await this.resolver.step(question, question.capabilities), question);
  }

  /** @throws SkillwrightError `bad_request`, and as {@link getEffectiveSkills} */
  async resolveInline(question: InlineQuestion & AnswerOptions): Promise<ResolutionAnswer> {
    return this.answer(await this.resolver.inline(question, question.capabilities), question);
  }

  /**
   * What the folder guard lets a step have: its skills and what its learnings pointer points at. An engine adds its
   * own folders with `addGrants`.
   *
   * @throws SkillwrightError as {@link resolveStep}
   */
  async stepGrants(address: StepAddress): Promise<GuardGrants> {
    const { resolution, learnings } = await this.resolver.step(address);
    const places = this.catalog.locations().map(({ dir }) => dir);
    return { ...grantsOf(resolution, learnings), skill_places: places };
  }

  /** Read-only folders of skills; see the function of the same name. */
  buildSkillFolderGuardPaths(slugs: Iterable<string>): SkillGrants {
    return buildSkillFolderGuardPaths(slugs);
  }

  /**
   * Skills whole, with the contents of their files. A reference without a skill does not keep the others away.
   *
   * @example (await skills.loadAttachable(['pdf', 'gone'])).rejected[0]?.code // 'skill_not_found'
   */
  async loadAttachable(slugs: readonly string[]): Promise<LoadedSkills> {
    const { skills, rejected } = await this.resolver.named(slugs);
    const read = skills.map(async ({ entry }) => [entry, await this.catalog.content(entry)] as const);
    return { attachments: await this.attach(await Promise.all(read), true), rejected };
  }

  /**
   * The pointer to what earlier runs of a workflow learned; null where it has no learnings.
   *
   * @param workflowPath id of the workflow, or its folder `workflows/<id>`
   * @throws SkillwrightError `path_invalid`, `workflow_not_found`
   */
  loadGlobalSkill(workflowPath: string): Attachment | null {
    if (workflowPath.trim() === '') return null;
    const { pointer } = this.folders.get(workflowPath.replace(/^workflows\//, '').replace(/\/$/, ''));
    return pointer && toAttachment(pointer.entry, pointer.content, null);
  }

  /** Why a step gets what it gets; with `skill`, why that one is or is not among it. */
  async explainStep(
    question: StepAddress & { readonly skill?: string | undefined },
  ): Promise<StepExplanation> {
    const { resolution, view, facts } = await this.resolver.step(question);
    const lines =
      question.skill === undefined
        ? traceResolution(resolution, facts)
        : explainSkill(resolution, view, facts, question.skill);
    return { workflow_id: question.workflowId, step_id: facts.stepId, lines };
  }

  /**
   * Preflight of a whole workflow: every step and every skill that it names.
   *
   * @throws SkillwrightError `path_invalid`, `workflow_not_found`, `db_unavailable`, `not_ready`
   */
  async checkWorkflow(id: string): Promise<WorkflowCheck> {
    const { stepConfig, findings } = this.folders.get(id);
    const steps = stepConfig.kind === 'ok' ? [...stepConfig.steps.values()] : [];
    const ofSteps = new Set(steps.flatMap((step) => step.findings));
    const problems = fileProblems(
      null,
      findings.filter((each) => !ofSteps.has(each)),
    );
    for (const step of steps) {
      if (step.kind === 'invalid') problems.push(...fileProblems(step.id, step.findings));
      else problems.push(...(await this.checkStep({ workflowId: id, stepId: step.step.id })));
    }
    return { workflow_id: id, ok: problems.length === 0, problems };
  }

  /** The listing of a resolved step, in the configured format unless another is asked for. */
  async listingOf({ resolution, selected }: ResolvedStep, format?: ListingFormat): Promise<Listing> {
    const offered = resolution.skills.filter(({ mode }) => mode !== 'preload').map(({ entry }) => entry);
    const rules = format === undefined ? this.options.listing : { ...this.options.listing, format };
    return renderListing(offered, rules, { selected, countTokens: await this.exactCounter() });
  }

  private async checkStep(address: StepAddress): Promise<PreflightProblem[]> {
    try {
      const { resolution } = await this.resolver.step(address);
      return resolutionProblems(address.stepId, resolution);
    } catch (error) {
      // The file's own findings are among the problems already.
      if (SkillwrightError.is(error) && error.code === 'workflow_file_invalid') return [];
      throw error;
    }
  }

  private async answer(step: ResolvedStep, options: AnswerOptions): Promise<ResolutionAnswer> {
    const { resolution } = step;
    if (options.strict === true) refuseRejected(step);
    const parts = new Set<AnswerPart>(options.include ?? DEFAULT_PARTS);
    const listing = await this.listingOf(step, options.format);
    const { warnings: listingWarnings, ...listed } = listing;
    const entries = resolution.skills.map(({ entry }) => entry);
    return {
      workflow_id: step.workflowId,
      step_id: step.stepId,
      preset_id: step.presetId,
      decided_by: resolution.decidedBy,
      revision: step.view.snapshot.revision,
      skills: resolution.skills.map(skillAnswer),
      rejected: resolution.rejected,
      warnings: [...resolution.warnings, ...listingWarnings],
      ...(parts.has('attachments') || parts.has('file_contents')
        ? { attachments: await this.attachments(step, parts.has('file_contents')) }
        : {}),
      ...(parts.has('listing') ? { listing: listed, prompt: await this.prompt(step, listing) } : {}),
      ...(parts.has('folder_guard')
        ? { folder_guard: { read_paths: readPathsOf(resolution, step.learnings), write_paths: [] } }
        : {}),
      ...(parts.has('tools')
        ? { tools: toolDefinitions(entries, listing.mode === 'search' ? 'search' : 'inline') }
        : {}),
      ...(parts.has('trace') ? { trace: traceResolution(resolution, step.facts) } : {}),
    };
  }

  private async prompt(step: ResolvedStep, listing: Listing): Promise<SkillPrompt> {
    const preloaded = step.resolution.skills.filter(({ mode }) => mode === 'preload');
    if (preloaded.length === 0) return { text: listing.text, tokens: listing.tokens, preloaded: [] };
    const bodies = await Promise.all(
      preloaded.map(async ({ entry }) => {
        const content = await this.resolver.content(entry, step);
        const files = supportingFiles(entry, content).map(({ path }) => path);
        return { entry, body: content.body, files };
      }),
    );
    const nonce = randomBytes(6).toString('hex');
    return renderPrompt(listing, bodies, nonce, (await this.exactCounter()) ?? estimateTokens);
  }

  private async attachments(step: ResolvedStep, withBytes: boolean): Promise<Attachment[]> {
    // All that an agent may see is a catalogue, not a choice: it is listed or searched, never attached as a whole.
    if (!step.selected) return [];
    const read = step.resolution.skills.map(
      async ({ entry }) => [entry, await this.resolver.content(entry, step)] as const,
    );
    return this.attach(await Promise.all(read), withBytes);
  }

  private async attach(
    skills: readonly (readonly [SkillEntry, SkillContent])[],
    withBytes: boolean,
  ): Promise<Attachment[]> {
    if (!withBytes) return skills.map(([entry, content]) => toAttachment(entry, content, null));
    const files = skills.flatMap(([entry, content]) => supportingFiles(entry, content));
    const inline = chooseInlineFiles(files, this.options.limits);
    const bytes = new Map<SkillFile, Buffer>();
    for (const [entry, content] of skills) {
      for (const file of supportingFiles(entry, content)) {
        if (inline.has(file)) bytes.set(file, (await this.catalog.readFile(entry, file.path)).bytes);
      }
    }
    return skills.map(([entry, content]) => toAttachment(entry, content, bytes));
  }

  private async exactCounter(): Promise<TokenCounter | undefined> {
    return this.options.listing.tokenizer === 'estimate' ? undefined : loadTokenCounter('o200k');
  }
}

function refuseRejected({ workflowId, stepId, resolution }: ResolvedStep): void {
  const verdict = judgeStrictly(resolution);
  if (verdict.kind === 'accepted') return;
  const { rejected, warnings } = resolution;
  const facts = { workflow_id: workflowId, step_id: stepId, detail: verdict.because };
  throw new SkillwrightError('skills_rejected', { ...facts, rejected, issues: warnings });
}

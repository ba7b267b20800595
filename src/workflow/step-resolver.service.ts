import { learningsReadPaths } from '../folder-guard/grants.js';
import { SkillwrightError } from '../kernel/errors.js';
import { type CatalogService } from '../skills/catalog/catalog.service.js';
import { type SkillContent, type SkillEntry } from '../skills/discovery/skill-entry.js';
import { allowedSkills, effectiveSkills, type PresetSelection, type Resolution } from './effective-skills.js';
import { type TraceFacts } from './explain.js';
import { type PointerSkill } from './learnings-pointer.js';
import { type Preset } from './preset.js';
import { type PresetBindings } from './preset-binding.service.js';
import { pinOnDisk, type ResolutionView } from './resolve-ref.js';
import { type StepConfig } from './step-config.js';
import {
  broughtBy,
  inlineSelection,
  inlineStep,
  type InlineQuestion,
  type StepAddress,
} from './step-question.js';
import { type StepSettings } from './step-settings.js';
import { type WorkflowFolder, type WorkflowFolders } from './workflow-folder.service.js';

/** A resolution with everything that answers about it need. */
export interface ResolvedStep {
  readonly workflowId: string | null;
  readonly stepId: string | null;
  readonly presetId: string | null;
  readonly resolution: Resolution;
  readonly view: ResolutionView;
  readonly facts: TraceFacts;
  /** True when somebody chose the skills; false for all that an agent may see. */
  readonly selected: boolean;
  readonly pointer: PointerSkill | null;
  /** Read paths that the pointer needs. */
  readonly learnings: readonly string[];
}

/** Brings catalogue, preset and step together and lets the pure rules decide. */
export class StepResolver {
  constructor(
    private readonly catalog: CatalogService,
    private readonly folders: WorkflowFolders,
    private readonly bindings: PresetBindings,
  ) {}

  /**
   * @throws SkillwrightError `path_invalid`, `workflow_not_found`, `preset_not_found`, `step_config_invalid` (the
   *   file, or this step of it), `workflow_file_invalid`, `not_ready`
   */
  async step(address: StepAddress, capabilities?: readonly string[]): Promise<ResolvedStep> {
    const folder = this.folders.get(address.workflowId);
    const stepId = address.stepId.trim();
    const step = stepOf(folder, stepId);
    const { preset, boundBy, findings } = await this.bindings.of(folder, address.presetId);
    const decided = this.decide(folder.pointer, (view) =>
      effectiveSkills({
        view,
        stepId,
        step,
        preset: preset && selectionOf(preset),
        knownStepIds: knownIds(folder.stepConfig),
        brought: broughtBy(capabilities),
        pointer: folder.pointer?.entry ?? null,
      }),
    );
    const { resolution, view } = await decided;
    return {
      workflowId: folder.id,
      stepId,
      presetId: preset?.id ?? null,
      resolution: {
        ...resolution,
        warnings: [...findings, ...stepFindings(folder, stepId), ...resolution.warnings],
      },
      view,
      facts: { stepId, stepList: listKind(step), preset: preset && { name: preset.label, boundBy } },
      selected: true,
      pointer: folder.pointer,
      learnings: folder.pointer ? learningsReadPaths(folder.id) : [],
    };
  }

  /** @throws SkillwrightError `step_config_invalid`, `preset_invalid`, `bad_request`, `not_ready` */
  async inline(question: InlineQuestion, capabilities?: readonly string[]): Promise<ResolvedStep> {
    const { allow } = question;
    if (allow !== undefined) return this.agent(question, allow, capabilities);
    const step = inlineStep(question.step);
    const preset = inlineSelection(question.preset);
    const { resolution, view } = await this.decide(null, (view) =>
      effectiveSkills({ view, stepId: step.id, step, preset, brought: broughtBy(capabilities) }),
    );
    const name = preset?.label ?? preset?.id ?? 'given inline';
    const facts = {
      stepId: step.id,
      stepList: listKind(step),
      preset: preset && { name, boundBy: 'given inline' },
    };
    return {
      ...NOWHERE,
      stepId: step.id,
      presetId: preset?.id ?? null,
      resolution,
      view,
      facts,
      selected: true,
    };
  }

  /** What is read of a skill: from the catalogue, or of the pointer, which is in no catalogue. */
  content(
    entry: SkillEntry,
    { pointer }: Pick<ResolvedStep, 'pointer'>,
  ): SkillContent | Promise<SkillContent> {
    if (entry === pointer?.entry) return pointer.content;
    return this.catalog.knownContent(entry) ?? this.catalog.content(entry);
  }

  /** Exactly these references, without a step. */
  async named(refs: readonly string[]): Promise<Resolution> {
    return (await this.decide(null, (view) => allowedSkills(view, refs), false)).resolution;
  }

  private async agent(
    question: InlineQuestion,
    allow: readonly string[] | null,
    capabilities: readonly string[] | undefined,
  ): Promise<ResolvedStep> {
    if ((question.step ?? null) !== null || (question.preset ?? null) !== null) {
      throw new SkillwrightError('bad_request', { detail: 'allow stands alone, without step and preset' });
    }
    const brought = broughtBy(capabilities);
    // To know every digest, every folder would have to be read: for "all skills" those known by now must do.
    const { resolution, view } = await this.decide(
      null,
      (view) => allowedSkills(view, allow, brought),
      allow !== null,
    );
    const facts: TraceFacts = { stepId: 'of the agent', stepList: 'no_list', preset: null };
    return { ...NOWHERE, resolution, view, facts, selected: false };
  }

  /** Decides; folders whose digest was asked for and not known are read, and the decision is made again. */
  private async decide(
    pointer: PointerSkill | null,
    rules: (view: ResolutionView) => Resolution,
    readFolders = true,
  ): Promise<{ resolution: Resolution; view: ResolutionView }> {
    const snapshot = this.catalog.snapshot();
    const unread: (() => Promise<unknown>)[] = [];
    const pins: (() => Promise<unknown>)[] = [];
    const digestOf = (entry: SkillEntry): string | null => {
      if (entry === pointer?.entry) return pointer.content.digest;
      const digest = this.catalog.knownDigest(entry);
      if (digest === undefined) unread.push(() => this.catalog.content(entry));
      return digest ?? null;
    };
    const view: ResolutionView = {
      snapshot,
      digestOf,
      pin: (entry, target) => {
        const { stored } = this.catalog;
        if (stored === null || entry.stored === null) return pinOnDisk(entry, target, digestOf(entry));
        const known = stored.pins.known(entry, target);
        if (known === undefined) pins.push(() => stored.pins.load(entry, target));
        return known ?? { kind: 'unread' };
      },
    };
    const resolution = rules(view);
    const asks = readFolders ? [...pins, ...unread] : pins;
    if (asks.length === 0) return { resolution, view };
    // A folder that cannot be read keeps its skill without a digest; reading the body then says why.
    const asked = await Promise.allSettled([...asks].map((ask) => ask()));
    const outage = asked.find((one) => one.status === 'rejected' && isOutage(one.reason));
    if (outage?.status === 'rejected') throw outage.reason;
    return { resolution: rules(view), view };
  }
}

/** Without the database a pinned version cannot be told from a missing one. */
function isOutage(error: unknown): boolean {
  return SkillwrightError.is(error) && error.code === 'db_unavailable';
}

const NOWHERE = { workflowId: null, stepId: null, presetId: null, pointer: null, learnings: [] } as const;

function stepOf({ id, stepConfig }: WorkflowFolder, stepId: string): StepSettings | null {
  const step = stepConfig.kind === 'ok' ? stepConfig.steps.get(stepId) : undefined;
  if (stepConfig.kind === 'ok' && step === undefined) return null;
  if (step?.kind === 'ok') return step.step;
  const issues = (step ?? stepConfig).findings;
  const detail = issues.map(({ message, path }) => `${path ?? ''}: ${message}`).join('; ');
  throw new SkillwrightError('step_config_invalid', { workflow_id: id, step_id: stepId, detail, issues });
}

function stepFindings({ stepConfig, findings }: WorkflowFolder, stepId: string) {
  const step = stepConfig.kind === 'ok' ? stepConfig.steps.get(stepId) : undefined;
  const ofFile = findings.filter(({ code }) => code === 'step_config_twice');
  return step ? [...ofFile, ...step.findings] : ofFile;
}

function knownIds(stepConfig: StepConfig): Iterable<string> {
  return stepConfig.kind === 'ok' ? stepConfig.steps.keys() : [];
}

function selectionOf(preset: Preset): PresetSelection {
  return { id: preset.id, label: preset.label, selectedSkills: preset.selected_skills ?? null };
}

function listKind(step: StepSettings | null): TraceFacts['stepList'] {
  if (step === null) return 'no_entry';
  if (step.enabledSkills === null) return 'no_list';
  return step.enabledSkills.length === 0 ? 'empty' : 'list';
}

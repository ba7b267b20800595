import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { finding } from '../kernel/finding.js';
import { isPlainObject } from '../kernel/plain-object.js';
import { BUILTIN_SKILLS } from '../builtins/registry.js';
import { type PresetSelection } from './effective-skills.js';
import { type ListingFormat } from './listing-formats.js';
import { type AnswerPart } from './resolution-answer.js';
import { readStep, type StepSettings } from './step-settings.js';

/** How an answer should look; every key may be absent. */
export interface AnswerOptions {
  /** Refuse with `skills_rejected` unless every reference gives a skill, the step is configured and a list exists. */
  readonly strict?: boolean | undefined;
  /** Heavy parts; all but file contents and trace when absent. */
  readonly include?: readonly AnswerPart[] | undefined;
  readonly format?: ListingFormat | undefined;
  /** What the agent can do, `browser`; brings the builtin skills made for it. */
  readonly capabilities?: readonly string[] | undefined;
}

/** A step of a workflow on disk. */
export interface StepAddress {
  readonly workflowId: string;
  readonly stepId: string;
  /** Id of a preset that takes the place of the bound one. */
  readonly presetId?: string | undefined;
}

/** The same question with step and preset given, or for an agent without a workflow. */
export interface InlineQuestion {
  /** `{id?, agent_configs}` as in step_config.json. */
  readonly step?: unknown;
  /** `{selected_skills}` as in a preset; null or absent is none. */
  readonly preset?: unknown;
  /** Instead of both: the agent's allow-list, null for all it may see. */
  readonly allow?: readonly string[] | null | undefined;
}

/** Name of a step that was given inline without an id. */
const UNNAMED_STEP = 'step';

const inlinePreset = z.looseObject({
  id: z.string().nullish(),
  label: z.string().nullish(),
  selected_skills: z.array(z.string()).nullish(),
});

/** @throws SkillwrightError `step_config_invalid`, whose issues name the field */
export function inlineStep(given: unknown): StepSettings {
  const step = given === undefined || given === null ? {} : given;
  const reading = readStep(isPlainObject(step) ? { id: UNNAMED_STEP, ...step } : step, 'the step');
  if (reading.kind === 'ok') return reading.step;
  const issues = reading.remarks.map((remark) => remark.finding);
  const detail = issues.map(({ message }) => message).join('; ');
  throw new SkillwrightError('step_config_invalid', { detail, issues });
}

/** @throws SkillwrightError `preset_invalid`, whose issues name the field */
export function inlineSelection(given: unknown): PresetSelection | null {
  if (given === undefined || given === null) return null;
  const parsed = inlinePreset.safeParse(given);
  if (parsed.success) {
    const { id, label, selected_skills: selected } = parsed.data;
    return { id: id ?? null, label: label ?? null, selectedSkills: selected ?? null };
  }
  const issues = parsed.error.issues.map(({ path, message }) =>
    finding('field_type', { field: path.join('.'), message }),
  );
  const detail = issues.map(({ field, message }) => `${field ?? ''}: ${message}`).join('; ');
  throw new SkillwrightError('preset_invalid', { detail, issues });
}

/** Slugs of the builtin skills that capabilities bring. */
export function broughtBy(capabilities: readonly string[] | undefined): readonly string[] {
  if (!capabilities || capabilities.length === 0) return [];
  return BUILTIN_SKILLS.filter(
    ({ capability }) => capability !== null && capabilities.includes(capability),
  ).map(({ slug }) => slug);
}

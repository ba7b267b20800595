import { finding, type Finding } from '../kernel/finding.js';
import { type Because, type ReasonKind, type RejectionCode } from '../kernel/resolution-codes.js';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { closest } from './closest.js';
import { resolveRef, type ResolutionView } from './resolve-ref.js';
import { skillFacts } from './skill-facts.js';
import { type SkillMode, type StepSettings } from './step-settings.js';

/** What a preset says about skills. */
export interface PresetSelection {
  readonly id: string | null;
  readonly label: string | null;
  /** `null` and absent select nothing, as `[]` does: a preset never means "all". */
  readonly selectedSkills: readonly string[] | null;
}

/** One skill that a step gets, with its reason. */
export interface EffectiveSkill {
  readonly entry: SkillEntry;
  readonly because: Because;
  readonly mode: SkillMode;
  readonly digest: string | null;
  readonly warnings: readonly Finding[];
}

/** A reference that gives no skill, with its reason. */
export interface RejectedRef {
  readonly ref: string;
  readonly code: RejectionCode;
  readonly because: Because;
  /** Slugs to choose from, for `ref_ambiguous`. */
  readonly candidates?: readonly string[];
}

export type DecidedBy = 'step' | 'preset' | 'allow_list' | 'none';

/** What a step gets, what it does not get, and why. */
export interface Resolution {
  /** Whose list was used. `none`: nobody has one. */
  readonly decidedBy: DecidedBy;
  readonly skills: readonly EffectiveSkill[];
  readonly rejected: readonly RejectedRef[];
  readonly warnings: readonly Finding[];
}

export interface ResolutionInput {
  readonly view: ResolutionView;
  readonly stepId: string;
  /** The step's entry; null when the workflow has none for it. */
  readonly step: StepSettings | null;
  /** Null when none is bound. */
  readonly preset: PresetSelection | null;
  /** Ids that the workflow does configure, to name the nearest one. */
  readonly knownStepIds?: Iterable<string>;
  /** The skills of the step that starts this one; the step's own list is then added to them. */
  readonly parent?: { readonly stepId: string; readonly skills: readonly EffectiveSkill[] };
  /** Slugs that the caller's capabilities bring, `agent-browser` for a browser. */
  readonly brought?: readonly string[];
  /** The pointer to the workflow's learnings, when it has any. */
  readonly pointer?: SkillEntry | null;
}

const NO_REFS: readonly string[] = [];

/**
 * Decides which skills a step gets. The step's list replaces the preset's; `[]` is a list; an absent or null
 * list leaves it to the preset. Order is kept, repeats are dropped, whatever gives no skill is in `rejected`.
 *
 * @example
 * effectiveSkills({ view, stepId: 's1', step: null, preset: { id: null, label: 'review', selectedSkills: ['pdf'] } })
 * // { decidedBy: 'preset', skills: [{ entry, because: { kind: 'preset', ref: 'pdf', … }, mode: 'offer', … }], … }
 */
export function effectiveSkills(input: ResolutionInput): Resolution {
  const { step, preset, parent, stepId } = input;
  const collected = new Collector(input.view);
  if (parent) {
    for (const skill of parent.skills) collected.inherit(skill, parent.stepId);
  }
  const own = step?.enabledSkills ?? null;
  let decidedBy: DecidedBy = 'none';
  if (own !== null) {
    decidedBy = 'step';
    collected.addAll(own, 'step', `step ${stepId} enables it`);
  } else if (preset !== null && !parent) {
    decidedBy = 'preset';
    collected.addAll(preset.selectedSkills ?? NO_REFS, 'preset', `preset ${nameOf(preset)} selects it`);
  } else if (parent) {
    decidedBy = 'step';
  } else {
    collected.warnings.push(finding('no_preset'));
  }
  if (step === null) collected.warnings.push(notConfigured(stepId, input.knownStepIds ?? NO_REFS));
  collected.bring(input.brought ?? NO_REFS);
  if (input.pointer && own?.length !== 0) {
    collected.point(input.pointer);
  }
  return collected.finish(decidedBy, step?.skillModes ?? null);
}

/**
 * What an agent without a workflow may see: the named skills, or with `null` every skill that can be offered.
 */
export function allowedSkills(
  view: ResolutionView,
  allow: readonly string[] | null,
  brought: readonly string[] = NO_REFS,
): Resolution {
  const collected = new Collector(view);
  if (allow !== null) {
    collected.addAll(allow, 'allow_list', "the agent's allow-list names it");
  } else {
    for (const entry of view.snapshot.bySlug.values()) {
      const offered = entry.availability === 'available' || entry.availability === 'degraded';
      // A builtin of ours comes only with the capability that it needs.
      if (offered && entry.layer !== 'builtin') {
        collected.addEntry(entry, 'allow_list', 'the agent may see every skill');
      }
    }
  }
  collected.bring(brought);
  return collected.finish('allow_list', null);
}

/** Whether strict resolution lets the step start, and if not, why. */
export type StrictVerdict =
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'refused';
      readonly because: string;
      /** The warnings that strict resolution does not let pass. */
      readonly warnings: readonly Finding[];
    };

/** Strict: every reference gives a skill, the step is configured, and a list exists. */
export function judgeStrictly({ rejected, warnings }: Resolution): StrictVerdict {
  const grave = warnings.filter(({ code }) => STRICT_WARNINGS.has(code));
  if (rejected.length === 0 && grave.length === 0) return { kind: 'accepted' };
  const reasons = [
    ...rejected.map(({ ref, because }) => `${JSON.stringify(ref)}: ${because.text}`),
    ...grave.map(({ message }) => message),
  ];
  return { kind: 'refused', because: reasons.join('; '), warnings: grave };
}

const STRICT_WARNINGS: ReadonlySet<string> = new Set(['no_preset', 'preset_unknown', 'step_not_configured']);

class Collector {
  readonly warnings: Finding[] = [];
  /** By id: two versions of one skill would stand side by side under one name. */
  private readonly skills = new Map<string, EffectiveSkill>();
  private readonly rejected = new Map<string, RejectedRef>();

  constructor(private readonly view: ResolutionView) {}

  addAll(refs: readonly string[], kind: ReasonKind, text: string): void {
    for (const written of refs) this.add(written.trim(), kind, text);
  }

  addEntry(entry: SkillEntry, kind: ReasonKind, text: string): void {
    if (this.skills.has(entry.id)) return;
    this.put(entry, { kind, ref: entry.slug, text }, skillFacts(entry).warnings);
  }

  /** The pointer brings a read path of its own, to the learnings it points at. */
  point(entry: SkillEntry): void {
    const text = 'the workflow has learnings to read on demand';
    this.put(entry, { kind: 'pointer', ref: entry.slug, text }, []);
  }

  bring(slugs: readonly string[]): void {
    this.addAll(slugs, 'builtin', 'the caller stated a capability that brings it');
  }

  inherit(skill: EffectiveSkill, parentId: string): void {
    const { entry, because } = skill;
    const text = `the parent step ${parentId} has it`;
    this.skills.set(entry.id, { ...skill, because: { kind: 'inherited', ref: because.ref, text } });
  }

  private add(ref: string, kind: ReasonKind, text: string): void {
    const resolved = resolveRef(this.view, ref);
    if (resolved.kind === 'rejected') {
      if (this.rejected.has(ref)) {
        this.warnings.push(finding('ref_duplicate', { found: ref }));
        return;
      }
      const { code, candidates } = resolved;
      const because: Because = { kind, ref, text: resolved.text };
      this.rejected.set(ref, { ref, code, because, ...(candidates ? { candidates } : {}) });
      return;
    }
    const { entry, by, target } = resolved;
    const before = this.skills.get(entry.id);
    if (before) {
      const repeated = before.because.kind !== 'inherited' && kind !== 'builtin';
      if (repeated) this.warnings.push(finding('ref_duplicate', { found: ref }));
      return;
    }
    const because: Because =
      target.kind === 'current'
        ? { kind, ref, text }
        : { kind: 'pin', ref, text: `${text}, pinned by ${ref}` };
    const { warnings } = skillFacts(entry);
    this.put(entry, because, by === 'slug' ? warnings : [nameFinding(ref, entry), ...warnings]);
  }

  private put(entry: SkillEntry, because: Because, warnings: readonly Finding[]): void {
    const digest = this.view.digestOf(entry);
    this.skills.set(entry.id, { entry, because, mode: 'offer', digest, warnings });
  }

  finish(decidedBy: DecidedBy, modes: ReadonlyMap<string, SkillMode> | null): Resolution {
    if (modes && modes.size > 0) this.applyModes(modes);
    return {
      decidedBy,
      skills: [...this.skills.values()],
      rejected: [...this.rejected.values()],
      warnings: this.warnings,
    };
  }

  private applyModes(modes: ReadonlyMap<string, SkillMode>): void {
    for (const [key, mode] of modes) {
      const skill = [...this.skills.values()].find(
        ({ entry, because }) => entry.slug === key || because.ref === key,
      );
      if (skill) this.skills.set(skill.entry.id, { ...skill, mode });
      else
        this.warnings.push(finding('mode_without_skill', { found: key, field: 'agent_configs.skill_modes' }));
    }
  }
}

function nameFinding(ref: string, entry: SkillEntry): Finding {
  return finding('ref_by_name', { found: ref, hint: `write the slug ${entry.slug}` });
}

function notConfigured(stepId: string, known: Iterable<string>): Finding {
  const near = closest(stepId, known);
  const hint = near === null ? {} : { hint: `the nearest configured step is ${near}` };
  return finding('step_not_configured', { found: stepId, ...hint });
}

function nameOf(preset: PresetSelection): string {
  return preset.label ?? preset.id ?? 'given inline';
}

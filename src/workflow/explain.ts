import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { closest } from './closest.js';
import { type Resolution, type RejectedRef } from './effective-skills.js';
import { resolveRef, type ResolutionView } from './resolve-ref.js';

/** Where a resolution's lists came from, for sentences about it. */
export interface TraceFacts {
  readonly stepId: string;
  /** What stands in the step's entry. */
  readonly stepList: 'no_entry' | 'no_list' | 'empty' | 'list';
  /** Label or id of the preset and who bound it; null when there is none. */
  readonly preset: { readonly name: string; readonly boundBy: string } | null;
}

/** The resolution in sentences: whose list counts, each skill, each rejection, each remark. */
export function traceResolution(resolution: Resolution, facts: TraceFacts): string[] {
  return [
    listSentence(facts),
    presetSentence(facts),
    ...resolution.skills.map(
      ({ entry, because, mode, warnings }) =>
        `${entry.slug}: ${because.text}${mode === 'offer' ? '' : `; mode ${mode}`}` +
        warnings.map(({ message, hint }) => `; note: ${message}${hint ? ` ${hint}` : ''}`).join(''),
    ),
    ...resolution.rejected.map((rejected) => rejectionSentence(rejected)),
    ...resolution.warnings.map(
      ({ message, found, hint }) => `note: ${message}${found ? ` (${found})` : ''}${hint ? `; ${hint}` : ''}`,
    ),
  ];
}

/**
 * Why one skill is, or is not, among those of a step; also for a skill that nobody chose and one that does not
 * exist.
 */
export function explainSkill(
  resolution: Resolution,
  view: ResolutionView,
  facts: TraceFacts,
  ref: string,
): string[] {
  const wanted = ref.trim();
  const chosen = resolution.skills.find(({ entry, because }) => isNamed(entry, because.ref, wanted));
  if (chosen) return [`${chosen.entry.slug}: ${chosen.because.text}`, listSentence(facts)];
  const rejected = resolution.rejected.find((each) => each.ref === wanted);
  if (rejected) return [rejectionSentence(rejected), listSentence(facts)];
  const resolved = resolveRef(view, wanted);
  if (resolved.kind === 'found') {
    return [
      `${resolved.entry.slug}: it exists and could be used, but nothing chooses it for step ${facts.stepId}`,
      listSentence(facts),
      presetSentence(facts),
    ];
  }
  const near = resolved.code === 'skill_not_found' ? closest(wanted, view.snapshot.bySlug.keys()) : null;
  return [
    `${wanted}: ${resolved.text}${near === null ? '' : `; the nearest slug is ${near}`}`,
    listSentence(facts),
  ];
}

function isNamed(entry: SkillEntry, ref: string, wanted: string): boolean {
  return entry.slug === wanted || entry.name === wanted || ref === wanted || entry.id === wanted;
}

function listSentence({ stepId, stepList }: TraceFacts): string {
  switch (stepList) {
    case 'no_entry':
      return `step ${stepId} has no entry in step_config.json, so the preset decides`;
    case 'no_list':
      return `step ${stepId} has no enabled_skills, so the preset decides`;
    case 'empty':
      return `step ${stepId} has an empty enabled_skills: no skills, explicitly`;
    case 'list':
      return `step ${stepId} has its own enabled_skills, which replaces the preset's list`;
  }
}

function presetSentence({ preset }: TraceFacts): string {
  return preset === null ? 'no preset is bound' : `the preset is ${preset.name}, ${preset.boundBy}`;
}

function rejectionSentence({ ref, code, because }: RejectedRef): string {
  return `${ref === '' ? '(blank)' : ref}: rejected (${code}): ${because.text}`;
}

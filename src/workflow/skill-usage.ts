import { parseSkillRef } from '../kernel/slug.js';
import { type CatalogSnapshot } from '../skills/discovery/skill-entry.js';
import { type Preset } from './preset.js';
import { type StepSettings } from './step-settings.js';

/** A place that names a skill; snake_case as on the wire. */
export type SkillUse =
  | { readonly kind: 'preset'; readonly preset_id: string; readonly label: string }
  | { readonly kind: 'step'; readonly workflow_id: string; readonly step_id: string; readonly label: string };

export interface WorkflowSteps {
  readonly id: string;
  readonly steps: readonly StepSettings[];
}

/**
 * Who names which skill, by slug. A reference counts for the skill that it addresses, whatever version it pins and
 * whether or not the skill can be had at the moment.
 */
export function skillUsage(
  snapshot: Pick<CatalogSnapshot, 'bySlug' | 'byName'>,
  presets: Iterable<Preset>,
  workflows: Iterable<WorkflowSteps>,
): ReadonlyMap<string, readonly SkillUse[]> {
  const uses = new Map<string, SkillUse[]>();
  const count = (refs: readonly string[], use: SkillUse): void => {
    for (const slug of new Set(refs.map((ref) => addressedSlug(snapshot, ref)))) {
      if (slug === null) continue;
      const known = uses.get(slug);
      if (known) known.push(use);
      else uses.set(slug, [use]);
    }
  };
  for (const { id, label, selected_skills: refs } of presets) {
    count(refs ?? [], { kind: 'preset', preset_id: id, label });
  }
  for (const workflow of workflows) {
    for (const step of workflow.steps) {
      const use: SkillUse = { kind: 'step', workflow_id: workflow.id, step_id: step.id, label: step.title };
      count(step.enabledSkills ?? [], use);
    }
  }
  return uses;
}

function addressedSlug(
  { bySlug, byName }: Pick<CatalogSnapshot, 'bySlug' | 'byName'>,
  ref: string,
): string | null {
  const address = parseSkillRef(ref)?.address;
  if (address === undefined) return null;
  if (bySlug.has(address)) return address;
  const [only, ...others] = byName.get(address) ?? [];
  return only !== undefined && others.length === 0 ? only.slug : null;
}

import { finding, quoteFound, type Finding } from '../kernel/finding.js';
import { isPlainObject } from '../kernel/plain-object.js';

/** How a skill reaches the model: listed, whole in the prompt, or listed and reported when unread. */
export const SKILL_MODES = ['offer', 'preload', 'require'] as const;

export type SkillMode = (typeof SKILL_MODES)[number];

/** What one entry of step_config.json says about skills; all its other keys stay in the file. */
export interface StepSettings {
  /** Trimmed. */
  readonly id: string;
  /** For people; the id when there is none. */
  readonly title: string;
  /** References in the order written. `null`: absent or null, the preset decides. `[]`: no skills, explicitly. */
  readonly enabledSkills: readonly string[] | null;
  /** Slug -> mode, for skills that are not simply offered. */
  readonly skillModes: ReadonlyMap<string, SkillMode>;
}

/** Keys and indices from the value that was read down to the place of a problem. */
type FieldPath = readonly (string | number)[];

/** A remark with its place inside the step. */
export interface StepRemark {
  readonly finding: Finding;
  readonly path: FieldPath;
}

/** One entry read: usable, or wrong with every reason. Remarks may stand beside a usable entry too. */
export type StepReading =
  | { readonly kind: 'ok'; readonly step: StepSettings; readonly remarks: readonly StepRemark[] }
  | { readonly kind: 'invalid'; readonly id: string | null; readonly remarks: readonly StepRemark[] };

const NO_MODES: ReadonlyMap<string, SkillMode> = new Map();
const OWN_KEYS = ['enabled_skills', 'skill_modes'] as const;

/**
 * Reads one step from plain data; never throws. `label` is how messages call the step when it has no id.
 *
 * @example
 * readStep({ id: 's1', agent_configs: { enabled_skills: [] } }, 'step 0')
 * // { kind: 'ok', step: { id: 's1', title: 's1', enabledSkills: [], skillModes: Map {} }, remarks: [] }
 */
export function readStep(value: unknown, label: string): StepReading {
  return new StepReader(label).read(value);
}

class StepReader {
  private readonly remarks: StepRemark[] = [];
  private broken = false;

  constructor(private label: string) {}

  read(value: unknown): StepReading {
    if (!isPlainObject(value)) {
      this.wrong([], 'must be an object', value);
      return { kind: 'invalid', id: null, remarks: this.remarks };
    }
    const id = this.id(value['id']);
    for (const key of OWN_KEYS) {
      if (Object.hasOwn(value, key)) this.misplaced(key);
    }
    const configs = this.agentConfigs(value['agent_configs']);
    const enabledSkills = this.enabledSkills(configs['enabled_skills']);
    const skillModes = this.skillModes(configs['skill_modes']);
    if (this.broken || id === null) return { kind: 'invalid', id, remarks: this.remarks };
    const title = typeof value['title'] === 'string' && value['title'].trim() !== '' ? value['title'] : id;
    return { kind: 'ok', step: { id, title, enabledSkills, skillModes }, remarks: this.remarks };
  }

  private id(value: unknown): string | null {
    if (typeof value === 'string' && value.trim() !== '') {
      const id = value.trim();
      this.label = `step ${quoteFound(id)}`;
      return id;
    }
    this.wrong(['id'], 'must be a text that is not blank', value);
    // A number is still what a caller will ask for, and the answer should be this finding.
    return typeof value === 'number' ? String(value) : null;
  }

  private agentConfigs(value: unknown): Record<string, unknown> {
    if (value === undefined || value === null) return {};
    if (isPlainObject(value)) return value;
    this.wrong(['agent_configs'], 'must be an object', value);
    return {};
  }

  private enabledSkills(value: unknown): readonly string[] | null {
    const path = ['agent_configs', 'enabled_skills'];
    if (value === undefined || value === null) return null;
    if (!Array.isArray(value)) {
      this.wrong(path, 'must be a list of slugs, or null', value);
      return null;
    }
    const items: readonly unknown[] = value;
    const strings = items.filter((item) => typeof item === 'string');
    if (strings.length === items.length) return strings;
    for (const [index, item] of items.entries()) {
      if (typeof item !== 'string') this.wrong([...path, index], 'must be a text', item);
    }
    return null;
  }

  private skillModes(value: unknown): ReadonlyMap<string, SkillMode> {
    const path = ['agent_configs', 'skill_modes'];
    if (value === undefined || value === null) return NO_MODES;
    if (!isPlainObject(value)) {
      this.wrong(path, 'must be an object of slug to mode', value);
      return NO_MODES;
    }
    const modes = new Map<string, SkillMode>();
    for (const [slug, given] of Object.entries(value)) {
      const mode = SKILL_MODES.find((known) => known === given);
      if (mode) modes.set(slug.trim(), mode);
      else this.wrong([...path, slug], `must be one of ${SKILL_MODES.join(', ')}`, given);
    }
    return modes;
  }

  private wrong(path: FieldPath, must: string, value: unknown): void {
    this.broken = true;
    const field = path.join('.');
    const message = `${this.label}: ${field === '' ? 'a step' : field} ${must}`;
    const found = value === undefined ? {} : { found: quoteFound(JSON.stringify(value)) };
    this.remarks.push({ finding: finding('step_invalid', { message, field, ...found }), path });
  }

  private misplaced(key: string): void {
    const message = `${this.label}: ${key} has a meaning inside agent_configs only; here it has no effect`;
    this.remarks.push({ finding: finding('step_key_misplaced', { message, field: key }), path: [key] });
  }
}

import { randomUUID } from 'node:crypto';
import { SkillwrightError } from '../kernel/errors.js';
import { type ParsedPreset, parsePreset, patchPreset, type Preset, presetId } from './preset.js';
import { readPresetCursor, writePresetCursor } from './preset-cursor.js';
import { type PresetStore } from './preset-store.js';

export interface PresetListRequest {
  /** At most 1,000, which is also what an absent limit means. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface PresetList {
  readonly presets: readonly Preset[];
  readonly next_cursor: string | null;
  readonly total: number;
}

const LONGEST_PAGE = 1000;

/** What can be done with presets. Reads answer or say `preset_not_found`; writes judge what they are given. */
export class PresetService {
  constructor(
    private readonly store: PresetStore,
    /** The sample presets at hand, as `FilePresetStore.read` finds them. */
    private readonly samples: () => readonly Preset[] = () => [],
  ) {}

  /** Another text whenever presets or bindings may have changed. */
  stamp(): string {
    return this.store.stamp();
  }

  /** @throws SkillwrightError `bad_request` for a cursor that is none of ours */
  async list({ limit = LONGEST_PAGE, cursor }: PresetListRequest = {}): Promise<PresetList> {
    const after = cursor === undefined ? null : readPresetCursor(cursor);
    const size = Math.min(limit, LONGEST_PAGE);
    // One more than asked for tells whether there is a next page.
    const { presets, total } = await this.store.list({ limit: size + 1, after });
    const page = presets.slice(0, size);
    const last = page.at(-1);
    const more = presets.length > size && last !== undefined;
    return { presets: page, next_cursor: more ? writePresetCursor(last) : null, total };
  }

  /** @throws SkillwrightError `preset_not_found` */
  async get(id: string): Promise<Preset> {
    const known = presetId(id);
    return (known === null ? null : await this.store.get(known)) ?? notFound(id);
  }

  /**
   * Makes a preset; a body without an id gets one.
   *
   * @throws SkillwrightError `preset_invalid`, `preset_exists`
   */
  async create(body: unknown): Promise<Preset> {
    const { id, fields } = accepted(parsePreset(body));
    const now = new Date().toISOString();
    const preset: Preset = { id: id ?? randomUUID(), ...fields, created_at: now, updated_at: now };
    if ((await this.store.create(preset)) === 'created') return preset;
    throw new SkillwrightError('preset_exists', {
      preset_id: preset.id,
      detail: `a preset with the id ${preset.id} already exists`,
    });
  }

  /**
   * Replaces everything but id and time of creation.
   *
   * @throws SkillwrightError `preset_not_found`, `preset_invalid`
   */
  replace(id: string, body: unknown): Promise<Preset> {
    return this.#change(id, () => parsePreset(body));
  }

  /**
   * Replaces the keys that are sent. `null` is a value: only `replace` can remove a key.
   *
   * @throws SkillwrightError `preset_not_found`, `preset_invalid`
   */
  patch(id: string, body: unknown): Promise<Preset> {
    return this.#change(id, (current) => patchPreset(current, body));
  }

  /**
   * Deletes a preset. With `detach`, workflows bound to it are then bound to none.
   *
   * @throws SkillwrightError `preset_not_found`; `preset_in_use`, whose fact `workflows` names them
   */
  async delete(id: string, { detach = false }: { readonly detach?: boolean } = {}): Promise<void> {
    const known = presetId(id) ?? notFound(id);
    const deletion = await this.store.delete(known, { detach });
    if (deletion.kind === 'missing') notFound(id);
    if (deletion.kind === 'in_use') {
      throw new SkillwrightError('preset_in_use', {
        preset_id: known,
        workflows: deletion.workflows,
        detail: `workflows bound to the preset: ${deletion.workflows.join(', ')}; detach=true unbinds them`,
      });
    }
  }

  /** Makes each sample that was never made before, also if it was deleted since; ids of the new ones. */
  seedSamples(): Promise<readonly string[]> {
    return this.store.seed(this.samples());
  }

  async #change(id: string, parse: (current: Preset) => ParsedPreset): Promise<Preset> {
    const known = presetId(id) ?? notFound(id);
    const changed = await this.store.update(known, (current) => {
      const { id: stated, fields } = accepted(parse(current));
      if (stated !== null && stated !== known) {
        const detail = `the body names the preset ${stated}, the address names ${known}`;
        throw new SkillwrightError('preset_invalid', { detail });
      }
      return { id: known, ...fields, created_at: current.created_at, updated_at: new Date().toISOString() };
    });
    return changed ?? notFound(id);
  }
}

function accepted(parsed: ParsedPreset): Extract<ParsedPreset, { kind: 'ok' }> {
  if (parsed.kind === 'ok') return parsed;
  const detail = parsed.issues.map((issue) => issue.message).join('; ');
  throw new SkillwrightError('preset_invalid', { detail, issues: parsed.issues });
}

function notFound(id: string): never {
  throw new SkillwrightError('preset_not_found', { preset_id: id, detail: `no preset has the id ${id}` });
}

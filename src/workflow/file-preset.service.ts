import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type SkillwrightOptions } from '../config/options.js';
import { SkillwrightError } from '../kernel/errors.js';
import { finding, type Finding } from '../kernel/finding.js';
import { WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { parsePreset, type Preset } from './preset.js';
import { type PresetPage, type PresetPageRequest, type PresetStore } from './preset-store.js';

const FOLDER = 'presets';
const MAX_BYTES = 1_048_576;
/** What a file without times says: long before anything a person makes. */
const NO_TIME = new Date(0).toISOString();

/** The presets of a folder, and what is wrong with the files that gave none. */
export interface FilePresets {
  readonly presets: readonly Preset[];
  readonly findings: readonly Finding[];
}

/**
 * Presets from `<workspace>/presets/*.json`, read only: samples for a new database, and all there is for a
 * workspace without a service. A file that is no preset is a finding; the others load.
 */
export class FilePresetStore implements PresetStore {
  constructor(
    private readonly options: Pick<SkillwrightOptions, 'workspace'>,
    private readonly files: WorkspaceFiles,
  ) {}

  /** Reads the folder; presets in the order in which they were made. */
  read(): FilePresets {
    const listing = this.files.list(this.#folder);
    if (listing.kind === 'missing') return { presets: [], findings: [] };
    if (listing.kind === 'unreadable') {
      return {
        presets: [],
        findings: [finding('folder_unreadable', { path: FOLDER, hint: listing.because })],
      };
    }
    const byId = new Map<string, Preset>();
    const findings: Finding[] = [];
    for (const { name, kind } of listing.items) {
      if (kind === 'folder' || !name.endsWith('.json')) continue;
      const path = `${FOLDER}/${name}`;
      const file = this.#readFile(path, name.slice(0, -'.json'.length));
      if (file.kind === 'refused') findings.push(...file.findings);
      else if (byId.has(file.preset.id)) findings.push(finding('preset_duplicate', { path, field: 'id' }));
      else byId.set(file.preset.id, file.preset);
    }
    return { presets: [...byId.values()].sort(byPlace), findings };
  }

  stamp(): string {
    const listing = this.files.list(this.#folder);
    if (listing.kind !== 'ok') return listing.kind;
    return listing.items.map(({ name }) => `${name}:${this.#fileStamp(name)}`).join('|');
  }

  list({ limit, after }: PresetPageRequest): Promise<PresetPage> {
    const { presets } = this.read();
    const rest = after === null ? presets : presets.filter((preset) => byPlace(preset, after) > 0);
    return Promise.resolve({ presets: rest.slice(0, limit), total: presets.length });
  }

  get(id: string): Promise<Preset | null> {
    return Promise.resolve(this.read().presets.find((preset) => preset.id === id) ?? null);
  }

  findByLabel(label: string): Promise<readonly Preset[]> {
    return Promise.resolve(this.read().presets.filter((preset) => preset.label === label));
  }

  /** Files bind nothing: `workflow.json` of the workflow says which preset it wants. */
  binding(): Promise<null> {
    return Promise.resolve(null);
  }

  boundWorkflows(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  create(): Promise<never> {
    return readOnly();
  }

  update(): Promise<never> {
    return readOnly();
  }

  delete(): Promise<never> {
    return readOnly();
  }

  bind(): Promise<never> {
    return readOnly();
  }

  seed(): Promise<never> {
    return readOnly();
  }

  get #folder(): string {
    return join(this.options.workspace.dir, FOLDER);
  }

  #fileStamp(name: string): string {
    const stamp = this.files.stamp(join(this.#folder, name));
    return stamp === null ? '' : [stamp.ino, stamp.size, stamp.mtimeMs, stamp.ctimeMs].join('.');
  }

  #readFile(path: string, stem: string): ReadPreset {
    const file = this.files.readFile(this.options.workspace.dir, path, { maxBytes: MAX_BYTES });
    if (file.kind === 'refused') return refused(finding('file_unreadable', { path, hint: file.because }));
    const json = parseJson(file.bytes);
    if (json === undefined)
      return refused(finding('preset_file_invalid', { path, message: 'The file is not JSON.' }));
    const parsed = parsePreset(json);
    if (parsed.kind === 'invalid') return refused(...parsed.issues.map((issue) => ({ ...issue, path })));
    const created_at = timeOf(json, 'created_at') ?? NO_TIME;
    const updated_at = timeOf(json, 'updated_at') ?? created_at;
    const id = parsed.id ?? idFromName(stem);
    return { kind: 'ok', preset: { id, ...parsed.fields, created_at, updated_at } };
  }
}

type ReadPreset =
  | { readonly kind: 'ok'; readonly preset: Preset }
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] };

function refused(...findings: Finding[]): ReadPreset {
  return { kind: 'refused', findings };
}

function readOnly(): Promise<never> {
  const detail = 'presets in files are read only; start the service to change presets';
  return Promise.reject(new SkillwrightError('forbidden', { detail }));
}

/** By time of creation, then id: the order of the database. */
function byPlace(a: Pick<Preset, 'id' | 'created_at'>, b: Pick<Preset, 'id' | 'created_at'>): number {
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}

function key({ created_at, id }: Pick<Preset, 'id' | 'created_at'>): string {
  return `${created_at} ${id}`;
}

/** A file without an id has the same one on every machine (UUID version 8 over its name). */
function idFromName(stem: string): string {
  const hex = createHash('sha256').update(`skillwright preset ${stem}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** A time in the spelling that we answer; null when the file has none that is one. */
function timeOf(json: unknown, name: string): string | null {
  const text = (json as Record<string, unknown>)[name];
  const time = typeof text === 'string' ? new Date(text) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

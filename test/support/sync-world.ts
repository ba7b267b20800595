import { createHash } from 'node:crypto';
import { contentDigest, type DigestedFile } from '../../src/skills/format/content-digest.js';
import { judgeInterruptedWrite } from '../../src/skills/sync/interrupted-write.js';
import {
  planSync,
  type DiskState,
  type SyncAction,
  type SyncFacts,
  type SyncPlace,
} from '../../src/skills/sync/sync-plan.js';

export type ModelFiles = ReadonlyMap<string, string>;

/** A folder in brief: `{ 'SKILL.md': 'text' }`; text that begins with `!` makes a SKILL.md unusable. */
export const folder = (files: Record<string, string>): ModelFiles => new Map(Object.entries(files));

const known = new Map<string, { manifest: DigestedFile[]; digest: string }>();

function identity(files: ModelFiles): { manifest: DigestedFile[]; digest: string } {
  const key = JSON.stringify([...files].sort());
  let found = known.get(key);
  if (!found) {
    const manifest = Array.from(files, ([path, text]): DigestedFile => {
      return {
        path,
        mode: '0644',
        size: text.length,
        sha256: createHash('sha256').update(text).digest('hex'),
      };
    });
    found = { manifest, digest: contentDigest(manifest) };
    known.set(key, found);
  }
  return found;
}

/** One skill in a catalogue that several workspaces share. It refuses what must never be asked of it. */
export class ModelCatalog {
  readonly versions: string[] = [];
  deleted = false;
  private readonly kept = new Map<string, ModelFiles>();
  private readonly bytes = new Set<string>();

  append(files: ModelFiles, revive: boolean): string {
    const { digest } = identity(files);
    if (digest === this.current && !this.deleted) throw new Error('a version that changes nothing');
    if (this.deleted && !revive) throw new Error('a version of a deleted skill');
    this.deleted = false;
    this.add(digest, files);
    return digest;
  }

  /** What a door does when somebody saves; saving what is current already makes no version. */
  save(files: ModelFiles): void {
    if (this.deleted || identity(files).digest !== this.current) this.append(files, true);
  }

  /** `files` become a version below what is current now; nothing else changes. */
  keepBelow(files: ModelFiles): void {
    const current = this.current;
    if (current === undefined) throw new Error('nothing to keep it below');
    const { digest } = identity(files);
    if (digest === current) return;
    this.add(digest, files);
    this.add(current, this.filesOf(current));
  }

  get current(): string | undefined {
    return this.versions.at(-1);
  }

  filesOf(digest: string): ModelFiles {
    const files = this.kept.get(digest);
    if (!files) throw new Error('a digest that the history does not have');
    return files;
  }

  hasBytes(path: string, text: string): boolean {
    return this.bytes.has(`${path}\0${text}`);
  }

  private add(digest: string, files: ModelFiles): void {
    this.versions.push(digest);
    this.kept.set(digest, files);
    for (const [path, text] of files) this.bytes.add(`${path}\0${text}`);
  }
}

const SETTLED = new Set<SyncAction['kind']>(['none', 'keep', 'wait']);

/** A workspace with one item: the plan carried out step by step, killed by no longer asking for the next one. */
export class ModelWorkspace {
  base: string | null = null;
  intent: SyncFacts['intent'] = null;
  /** Whether an absence has been seen twice. */
  confirmed = true;
  rounds = 0;
  disk: Map<string, string>;

  constructor(
    readonly place: SyncPlace,
    readonly catalog: ModelCatalog,
    disk: ModelFiles = new Map(),
  ) {
    this.disk = new Map(disk);
  }

  facts(disk: DiskState = this.look()): SyncFacts {
    const { place, base, intent, catalog } = this;
    const digest = catalog.current;
    const row = digest === undefined ? null : { digest, deleted: catalog.deleted };
    return { place, base, intent, catalog: row, disk };
  }

  /** Plans and acts until nothing is left to do; may be killed, and the world changed, at every yield. */
  *sync(): Generator<void, SyncAction> {
    for (this.rounds = 0; this.rounds < 40; this.rounds += 1) {
      const seen = new Map(this.disk);
      const disk = this.look();
      const action = planSync(this.facts(disk));
      if (SETTLED.has(action.kind)) return action;
      yield;
      // The transaction reads base, row and intent again; what it finds changed is planned anew.
      if (JSON.stringify(planSync(this.facts(disk))) !== JSON.stringify(action)) continue;
      yield* this.act(action, seen);
    }
    throw new Error('the plan never settles');
  }

  private look(): DiskState {
    if (this.disk.size === 0) return { kind: 'absent', confirmed: this.confirmed };
    const text = this.disk.get('SKILL.md');
    if (text === undefined || text.startsWith('!')) return { kind: 'broken', because: 'its SKILL.md' };
    return { kind: 'present', digest: identity(this.disk).digest };
  }

  private *act(action: SyncAction, seen: ModelFiles): Generator<void, void> {
    const { catalog } = this;
    switch (action.kind) {
      case 'set_base':
        this.base = action.digest;
        return;
      case 'commit': {
        const restored = action.thenRestore;
        this.base = catalog.append(seen, action.revive);
        if (restored === null) return;
        catalog.append(catalog.filesOf(restored), false);
        this.intent = { from: action.digest, to: restored };
        yield;
        return yield* this.write();
      }
      case 'revive_same':
        catalog.deleted = false;
        this.base = action.digest;
        return;
      case 'delete':
      case 'disable':
        if ((action.kind === 'disable') !== (this.place === 'bundle')) throw new Error('of another place');
        catalog.deleted = true;
        this.base = null;
        return;
      case 'write':
      case 'remove':
        this.intent = { from: action.from, to: action.kind === 'write' ? action.digest : null };
        yield;
        return yield* this.write();
      case 'finish_write':
        return yield* this.write();
      case 'none':
      case 'keep':
      case 'wait':
        throw new Error(`nothing to do for ${action.kind}`);
    }
  }

  private *write(): Generator<void, void> {
    for (let step = 0; ; step += 1) {
      if (step > 50) throw new Error('the write never ends');
      if (this.intent === null) throw new Error('a write without its intent');
      const { from, to } = this.intent;
      const target = to === null ? null : this.catalog.filesOf(to);
      const before = from === null ? null : identity(this.catalog.filesOf(from)).manifest;
      const found = identity(this.disk);
      const verdict = judgeInterruptedWrite(found.manifest, before, target && identity(target).manifest);
      if (verdict.kind === 'keep_first') {
        this.catalog.keepBelow(new Map(this.disk));
        this.intent = { from: found.digest, to };
      } else if (!this.writeOneFile(target ?? new Map())) {
        this.base = to;
        this.intent = null;
        return;
      }
      yield;
    }
  }

  /** Other files, then deletions, then SKILL.md. False: nothing is left to write. */
  private writeOneFile(target: ModelFiles): boolean {
    const last = (path: string): boolean => path === 'SKILL.md';
    const differs = [...target].filter(([path, text]) => this.disk.get(path) !== text);
    const extra = [...this.disk.keys()].filter((path) => !target.has(path));
    const entry = differs.find(([path]) => !last(path));
    const gone = extra.find((path) => !last(path));
    const next = entry ?? (gone === undefined ? (differs[0] ?? extra[0]) : gone);
    if (next === undefined) return false;
    if (this.place !== 'working_copy') throw new Error('a write into a place that is only read');
    const [path, text] = typeof next === 'string' ? [next, null] : next;
    const old = this.disk.get(path);
    if (old !== undefined && !this.catalog.hasBytes(path, old)) throw new Error(`lost: ${path} ${old}`);
    if (text === null) this.disk.delete(path);
    else this.disk.set(path, text);
    return true;
  }
}

/** Runs to the end. */
export function settle(workspace: ModelWorkspace): SyncAction {
  const run = workspace.sync();
  for (;;) {
    const step = run.next();
    if (step.done) return step.value;
  }
}

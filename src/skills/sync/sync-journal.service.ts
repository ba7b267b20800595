import { type Change } from '../../events/change.store.js';
import { placeKey } from '../store/stored-skills.service.js';
import {
  type ItemKey,
  type ItemKind,
  type JournalEntry,
  type OpenWrite,
  saveJournal,
  type SyncedItem,
  type WorkspaceStore,
} from '../store/workspace.store.js';

// A process that dies keeps others from syncing its workspace no longer than this.
const LEASE_SECONDS = 10;

/** Applies to memory what a transaction wrote, once it is committed. */
export type Applied = () => void;

/** What one workspace held at its last sync, and the writes to it that are open: in memory and in the database. */
export class SyncJournal {
  private readonly items = new Map<string, SyncedItem>();
  private readonly writes = new Map<string, OpenWrite>();

  private constructor(
    readonly workspaceId: string,
    private readonly holder: string,
    private readonly store: WorkspaceStore,
  ) {}

  /** @throws SkillwrightError `db_unavailable` */
  static async open(
    store: WorkspaceStore,
    workspace: { readonly id: string; readonly machine: string },
    holder: string,
  ): Promise<SyncJournal> {
    await store.register(workspace.id, workspace.machine);
    const journal = new SyncJournal(workspace.id, holder, store);
    await journal.reload();
    return journal;
  }

  /**
   * Takes or renews the right to sync this workspace. Whoever gets it anew reads what the holder before wrote.
   *
   * @returns false while another process has it
   */
  async lease(): Promise<boolean> {
    const lease = await this.store.lease(this.workspaceId, this.holder, LEASE_SECONDS);
    if (lease === 'new') await this.reload();
    return lease !== 'refused';
  }

  release(): Promise<void> {
    return this.store.release(this.workspaceId, this.holder);
  }

  item(kind: ItemKind, layer: string, slug: string): SyncedItem | undefined {
    return this.items.get(`${kind}\0${placeKey(layer, slug)}`);
  }

  itemsOf(kind: ItemKind, layer: string): SyncedItem[] {
    return Array.from(this.items.values()).filter((item) => item.kind === kind && item.layer === layer);
  }

  write(kind: ItemKind, slug: string): OpenWrite | undefined {
    return this.writes.get(`${kind}\0${slug}`);
  }

  writesOf(kind: ItemKind): OpenWrite[] {
    return Array.from(this.writes.values()).filter((write) => write.kind === kind);
  }

  /** Writes an entry in the transaction of `change`; call what it gives after the commit. */
  async save(change: Change, entry: JournalEntry): Promise<Applied> {
    const { set = [], forget = [], open = [], close = [] } = entry;
    await saveJournal(change.manager, this.workspaceId, entry);
    return () => {
      for (const item of set) this.items.set(keyOf(item), item);
      for (const item of forget) this.items.delete(keyOf(item));
      for (const { kind, slug } of close) this.writes.delete(`${kind}\0${slug}`);
      for (const write of open) this.begin(write);
    };
  }

  private begin(write: OpenWrite): void {
    const key = `${write.kind}\0${write.slug}`;
    const before = this.writes.get(key);
    this.writes.set(key, before === undefined ? write : { ...write, from: before.from });
  }

  private async reload(): Promise<void> {
    const items = await this.store.items(this.workspaceId);
    const writes = await this.store.openWrites(this.workspaceId);
    this.items.clear();
    this.writes.clear();
    for (const item of items) this.items.set(keyOf(item), item);
    for (const write of writes) this.writes.set(`${write.kind}\0${write.slug}`, write);
  }
}

function keyOf({ kind, layer, slug }: ItemKey): string {
  return `${kind}\0${placeKey(layer, slug)}`;
}

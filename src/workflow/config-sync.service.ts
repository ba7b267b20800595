import { join, resolve } from 'node:path';
import { type SkillwrightOptions } from '../config/options.js';
import { type Author } from '../events/author.js';
import { type Change } from '../events/change.store.js';
import { SkillwrightError } from '../kernel/errors.js';
import { finding } from '../kernel/finding.js';
import { type CatalogService } from '../skills/catalog/catalog.service.js';
import { CatalogWatch, type NextLook } from '../skills/catalog/catalog-watch.service.js';
import { type StoredCatalog } from '../skills/catalog/stored-catalog.service.js';
import {
  commitConfig,
  type ConfigVersion,
  type StoredConfig,
  type WorkflowConfigStore,
} from '../skills/store/workflow-config.store.js';
import { countLost, judgeDisappearance } from '../skills/sync/mass-disappearance.js';
import { DISK_AUTHOR } from '../skills/sync/sync-actions.service.js';
import { type SyncJournal } from '../skills/sync/sync-journal.service.js';
import { type DiskState, planSync, type SyncAction, type SyncFacts } from '../skills/sync/sync-plan.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { type ConfigFile, readConfigFile, workflowIds, WORKFLOWS } from './config-file.service.js';
import { type ConfigItem, hexOf, versionOf } from './config-item.service.js';
import { parseStepConfig } from './step-config.js';

const CONFIRM_MS = 1000;
const MAX_STEPS = 6;
type Commit = Extract<SyncAction, { kind: 'commit' }>;

/** Keeps every step_config.json in the database, in step with its file, by the plan that skills have. */
export class ConfigSync {
  private readonly stored: StoredCatalog;
  private readonly absentSince = new Map<string, number>();
  private readonly workspace: string;
  private root: string | null = null;
  private lostBecause: string | null = null;
  private watch: CatalogWatch | null = null;

  constructor(
    private readonly options: Pick<SkillwrightOptions, 'workspace' | 'watch'>,
    private readonly files: WorkspaceFiles,
    catalog: CatalogService,
    private readonly store: WorkflowConfigStore,
    private readonly now: () => number = Date.now,
  ) {
    if (catalog.stored === null) throw new Error('workflow files are kept only where there is a database');
    this.stored = catalog.stored;
    this.workspace = resolve(options.workspace.dir);
  }

  /** The first pass, and from then on one after each change. */
  async start(): Promise<void> {
    await this.run();
    if (!this.options.watch.enabled) return;
    const watch = new CatalogWatch(this.options.watch, {
      scan: () => this.run(),
      directories: () => this.directories(),
    });
    this.watch = watch;
    this.stored.skills.onRevision(() => {
      watch.nudge();
    });
    await watch.start();
  }

  async stop(): Promise<void> {
    await this.watch?.stop();
  }

  /** Why the files are taken for lost, so that none was deleted; null while they are not. */
  vanished(): string | null {
    return this.lostBecause;
  }

  private directories(): ReadonlySet<string> {
    const root = join(this.workspace, WORKFLOWS);
    const dirs = new Set([this.workspace, root]);
    for (const id of this.onDisk()) {
      dirs.add(join(root, id));
      if (this.files.kind(join(root, id, 'planning')) === 'folder') dirs.add(join(root, id, 'planning'));
    }
    return dirs;
  }

  /** One pass over all workflows. @throws SkillwrightError `db_unavailable`, `storage_full` */
  run(): Promise<NextLook> {
    return this.stored.exclusive(async (_sync, journal) => {
      if (!this.stored.isWritable()) return 'no';
      if (!(await journal.lease())) return 'later';
      const current = new Map((await this.store.current()).map((config) => [config.workflowId, config]));
      const known = journal.itemsOf('workflow', '').map(({ slug }) => slug);
      const ids = [...new Set([...this.onDisk(), ...current.keys(), ...known])].sort();
      const items = ids.map((id) => this.itemOf(journal, id, current.get(id)));
      if (this.isVanished(items)) return 'soon';
      let next: NextLook = 'no';
      for (const item of items) if ((await this.settle(journal, item)) === 'soon') next = 'soon';
      return next;
    });
  }

  /**
   * Makes a new text of a workflow's file the newest version, and writes it.
   *
   * @param before the text that was edited; null where there was no file
   * @returns `changed` when another text lies there by now
   * @throws SkillwrightError `db_unavailable`, `storage_full`
   */
  async save(id: string, before: string | null, text: string, author: Author): Promise<'saved' | 'changed'> {
    // What was edited on disk becomes a version of its own first.
    await this.run();
    return this.stored.exclusive(async (_sync, journal) => {
      const [stored] = (await this.store.current()).filter((config) => config.workflowId === id);
      const { file } = this.itemOf(journal, id, stored);
      if ((file.read.kind === 'ok' ? file.read.text : null) !== before) return 'changed';
      const bytes = Buffer.from(text);
      const digest = hexOf(bytes);
      if (stored?.digest === digest) return 'saved';
      await this.stored.blobs.put([[digest, bytes]]);
      // The very bytes that were edited, broken ones too: anything else that lies there later is an edit.
      const from = file.read.kind === 'ok' ? hexOf(file.read.bytes) : null;
      const { value } = await this.stored.changes.run(author, async (change) => {
        const version = await commitConfig(change, {
          workflowId: id,
          path: file.path,
          digest,
          size: bytes.length,
          origin: 'edit',
          expectedVersion: stored?.version ?? 0,
          action: 'workflow.update',
        });
        if (version === null) return null;
        return journal.save(change, { open: [{ kind: 'workflow', slug: id, from, to: digest }] });
      });
      if (value === null) return 'changed';
      value();
      await this.finish(journal, this.itemOf(journal, id, stored), file.path);
      return 'saved';
    });
  }

  versions(id: string): Promise<ConfigVersion[]> {
    return this.store.versions(id);
  }

  /** @throws SkillwrightError `version_not_found`, `db_unavailable` */
  async restore(id: string, version: number, author: Author): Promise<'saved' | 'changed'> {
    const wanted = await this.store.version(id, version);
    if (wanted?.digest === undefined || wanted.digest === null) {
      const detail = `the workflow "${id}" has no text of version ${version}`;
      throw new SkillwrightError('version_not_found', { workflow_id: id, detail });
    }
    const text = (await this.stored.blobs.read(wanted.digest)).toString('utf8');
    const { read } = readConfigFile(this.files, this.workspace, id);
    return this.save(id, read.kind === 'ok' ? read.text : null, text, author);
  }

  private onDisk(): string[] {
    return workflowIds(this.files, this.workspace);
  }

  private itemOf(journal: SyncJournal, id: string, stored: StoredConfig | undefined): ConfigItem {
    const file = readConfigFile(this.files, this.workspace, id);
    const write = journal.write('workflow', id);
    const facts: SyncFacts = {
      place: 'working_copy',
      base: journal.item('workflow', '', id)?.digest ?? null,
      catalog: stored === undefined ? null : { digest: stored.digest ?? '', deleted: stored.digest === null },
      disk: this.diskOf(id, file),
      intent: write === undefined ? null : { from: write.from, to: write.to },
    };
    return { id, file, stored, facts };
  }

  private diskOf(id: string, { path, read }: ConfigFile): DiskState {
    if (read.kind === 'missing') {
      const since = this.absentSince.get(id) ?? this.now();
      this.absentSince.set(id, since);
      return { kind: 'absent', confirmed: this.now() - since >= CONFIRM_MS };
    }
    this.absentSince.delete(id);
    if (read.kind === 'refused') return { kind: 'broken', because: read.finding.message };
    // Half a file is no edit: what can be told from any text of a person is that it is JSON.
    const broken = parseStepConfig(read.text, path).findings.find(({ code }) => code === 'json_invalid');
    if (broken !== undefined) return { kind: 'broken', because: broken.message };
    return { kind: 'present', digest: hexOf(read.bytes) };
  }

  private isVanished(items: readonly ConfigItem[]): boolean {
    const dir = join(this.workspace, WORKFLOWS);
    const stamp = this.files.resolve(dir)?.kind === 'folder' ? this.files.stamp(dir) : null;
    const now = stamp === null ? null : `${stamp.dev}:${stamp.ino}`;
    const root = { before: this.root, now, empty: this.onDisk().length === 0 };
    const judged = judgeDisappearance({ ...countLost(items.map(({ facts }) => facts)), root });
    this.lostBecause = judged.kind === 'vanished' ? judged.because : null;
    if (judged.kind === 'ordinary') this.root = now;
    return judged.kind === 'vanished';
  }

  private async settle(journal: SyncJournal, first: ConfigItem): Promise<'done' | 'soon'> {
    let item = first;
    for (let step = 0; step < MAX_STEPS; step++) {
      const action = planSync(item.facts);
      if (action.kind === 'none' || action.kind === 'keep') return 'done';
      if (action.kind === 'wait') return 'soon';
      await this.act(journal, item, action);
      const [stored] = (await this.store.current()).filter((config) => config.workflowId === item.id);
      item = this.itemOf(journal, item.id, stored);
    }
    return 'soon';
  }

  private async act(journal: SyncJournal, item: ConfigItem, action: SyncAction): Promise<void> {
    const { id, stored } = item;
    const key = { kind: 'workflow', layer: '', slug: id } as const;
    switch (action.kind) {
      case 'set_base': {
        const { digest } = action;
        const entry = digest === null ? { forget: [key] } : { set: [{ ...key, digest, fingerprint: null }] };
        return this.change((change) => journal.save(change, entry));
      }
      case 'commit':
        return this.commit(journal, item, action);
      case 'delete':
        return this.change(async (change) => {
          await commitConfig(change, {
            ...versionOf(item),
            digest: null,
            size: 0,
            action: 'workflow.delete',
          });
          return journal.save(change, { forget: [key] });
        });
      case 'write':
        await this.change((change) =>
          journal.save(change, { open: [{ ...key, from: action.from, to: action.digest }] }),
        );
        return this.finish(journal, item, stored?.path ?? item.file.path);
      case 'remove':
        await this.change((change) =>
          journal.save(change, { open: [{ ...key, from: action.from, to: null }] }),
        );
        return this.finish(journal, item, item.file.path);
      case 'finish_write':
        return this.finish(journal, item, stored?.path ?? item.file.path);
      // A working copy is neither revived nor disabled, and the rest asks for nothing.
      case 'none':
      case 'keep':
      case 'wait':
      case 'disable':
      case 'revive_same':
        return undefined;
    }
  }

  private async commit(journal: SyncJournal, item: ConfigItem, action: Commit): Promise<void> {
    const { read } = item.file;
    if (read.kind !== 'ok') return;
    const { digest, thenRestore } = action;
    const key = { kind: 'workflow', layer: '', slug: item.id } as const;
    await this.stored.blobs.put([[digest, read.bytes]]);
    const findings =
      action.finding === null
        ? []
        : [finding(action.finding, { path: `${WORKFLOWS}/${item.id}/${item.file.path}` })];
    const restored = thenRestore === null ? null : await this.stored.blobs.read(thenRestore);
    await this.change(async (change) => {
      const first = { ...versionOf(item), digest, size: read.bytes.length, findings };
      const version = await commitConfig(change, first);
      // Somebody else was first: the next look plans anew.
      if (version === null) return () => undefined;
      const set = [{ ...key, digest, fingerprint: null }];
      if (restored === null || thenRestore === null) return journal.save(change, { set });
      const again = { ...first, digest: thenRestore, size: restored.length, findings: [] };
      await commitConfig(change, { ...again, expectedVersion: version });
      return journal.save(change, { set, open: [{ ...key, from: digest, to: thenRestore }] });
    });
  }

  /** Brings the file to what the open write says. A file that somebody changed meanwhile is judged as an edit. */
  private async finish(journal: SyncJournal, item: ConfigItem, path: string): Promise<void> {
    const write = journal.write('workflow', item.id);
    if (write === undefined) return;
    const key = { kind: 'workflow', layer: '', slug: item.id } as const;
    const { read } = readConfigFile(this.files, this.workspace, item.id);
    const here = read.kind === 'ok' ? hexOf(read.bytes) : null;
    const isOurs = read.kind === 'missing' || here === write.from || here === write.to;
    if (isOurs && here !== write.to) {
      const place = `${WORKFLOWS}/${item.id}/${path}`;
      if (write.to === null) this.files.remove(this.workspace, place);
      else this.files.writeFileAtomic(this.workspace, place, await this.stored.blobs.read(write.to));
    }
    const { to } = write;
    const base = to === null ? { forget: [key] } : { set: [{ ...key, digest: to, fingerprint: null }] };
    await this.change((change) => journal.save(change, { close: [key], ...(isOurs && base) }));
  }

  private async change(work: (change: Change) => Promise<() => void>): Promise<void> {
    const { value: applied } = await this.stored.changes.run(DISK_AUTHOR, work);
    applied();
  }
}

import { resolveOptions } from '../../src/config/resolve-options.js';
import { type DatabaseService } from '../../src/database/database.service.js';
import { type Author, systemAuthor } from '../../src/events/author.js';
import { type Change, ChangeStore } from '../../src/events/change.store.js';
import { CatalogService } from '../../src/skills/catalog/catalog.service.js';
import { type StoredCatalog } from '../../src/skills/catalog/stored-catalog.service.js';
import { type SkillEntry, type StoredSkill } from '../../src/skills/discovery/skill-entry.js';
import { contentOfVersion } from '../../src/skills/store/stored-skill.js';
import { commitVersions } from '../../src/skills/store/version-commit.store.js';
import { WorkspaceFiles } from '../../src/workspace/workspace-files.adapter.js';
import { type TestDatabase } from './databases.js';
import { StoredFacts } from './stored-facts.js';
import { TempFolder } from './temp-folder.js';

interface Opening {
  readonly options?: Record<string, Record<string, unknown>>;
  readonly database?: DatabaseService;
  readonly files?: WorkspaceFiles;
  /** The real clock, for tests of what counts only after a while. */
  readonly realTime?: boolean;
}

/** A person at the keyboard of some door. */
export const SOMEBODY: Author = { ...systemAuthor('http', 'Somebody'), kind: 'user', subject: 'somebody' };

// Everything that a test wrote counts as written long ago, so that one look at it is enough.
const AHEAD_MS = 60_000;

/** Stored catalogues over scratch workspaces, all on one database that is emptied before each test. */
export class CatalogGround {
  readonly facts: StoredFacts;
  private readonly folders: TempFolder[] = [];
  private readonly running: CatalogService[] = [];
  private ahead = AHEAD_MS;

  constructor(private readonly database: TestDatabase) {
    this.facts = new StoredFacts(() => database.service);
  }

  async begin(): Promise<void> {
    this.ahead = AHEAD_MS;
    await this.facts.clear();
  }

  async end(): Promise<void> {
    for (const catalog of this.running.splice(0)) await catalog.stop();
    for (const folder of this.folders.splice(0)) folder.remove();
  }

  /** A new scratch folder. */
  folder(): TempFolder {
    const folder = new TempFolder();
    this.folders.push(folder);
    return folder;
  }

  /** Lets the clock of every catalogue jump; two seconds are more than any of its waits. */
  later(ms = 2000): void {
    this.ahead += ms;
  }

  /** A catalogue that has read its rows and brought folders and rows together once. */
  async open(workspace: TempFolder, opening: Opening = {}): Promise<CatalogService> {
    const catalog = this.build(workspace, opening);
    await catalog.start();
    await catalog.attach();
    return catalog;
  }

  /** The same before it started. */
  build(workspace: TempFolder, opening: Opening = {}): CatalogService {
    const database = opening.database ?? this.database.service;
    const options = resolveOptions({
      workspace: { dir: workspace.dir },
      watch: { enabled: false },
      ...opening.options,
    });
    const catalog = new CatalogService(options, opening.files ?? new WorkspaceFiles(), {
      env: { cwd: workspace.dir, home: undefined, zotHome: undefined, zotAgentSkills: [] },
      now: () => Date.now() + (opening.realTime === true ? 0 : this.ahead),
      store: { database, changes: new ChangeStore(database) },
    });
    this.running.push(catalog);
    return catalog;
  }

  /** Stops a catalogue as a process would, and lets another one take its place. */
  async reopen(
    catalog: CatalogService,
    workspace: TempFolder,
    opening: Opening = {},
  ): Promise<CatalogService> {
    await catalog.stop();
    return this.open(workspace, opening);
  }

  /** Passes until everything came to rest, with absence confirmed on the way. */
  async settle(...catalogs: readonly CatalogService[]): Promise<void> {
    for (let pass = 0; pass < 3; pass++) {
      for (const catalog of catalogs) await catalog.refresh();
      this.later();
    }
  }

  /** A change through a door: a transaction, then a pass. */
  async edit(
    catalog: CatalogService,
    work: (change: Change, stored: StoredCatalog) => Promise<unknown>,
  ): Promise<void> {
    const stored = storedOf(catalog);
    await stored.changes.run(SOMEBODY, (change) => work(change, stored));
    await catalog.refresh();
  }

  /** Makes an earlier version the newest again, as a door does. */
  async restore(catalog: CatalogService, slug: string, version: number): Promise<void> {
    const { id, layer, deleted, version: current } = rowOf(catalog, slug);
    const wanted = await storedOf(catalog).versions.version(id, version);
    if (wanted === null) throw new Error(`${slug} has no version ${version}`);
    const contents = [contentOfVersion(wanted, `skills/${slug}/SKILL.md`)];
    const expected = { id, version: current, deleted };
    await this.edit(catalog, (change) =>
      commitVersions(change, [{ layer, slug, expected, contents, action: 'skill.restore' }]),
    );
  }
}

export function storedOf({ stored }: CatalogService): StoredCatalog {
  if (stored === null) throw new Error('the catalogue has no database');
  return stored;
}

/** The row of a skill as the catalogue holds it in memory. */
export function rowOf(catalog: CatalogService, slug: string, layer = 'workspace'): StoredSkill {
  const { skills } = storedOf(catalog);
  const row = skills.at(layer, slug) ?? skills.deletedAt(layer, slug);
  if (row === undefined) throw new Error(`nothing is stored of ${slug}`);
  return row;
}

export function entryOf(catalog: CatalogService, slug: string): SkillEntry {
  const entry = catalog.snapshot().bySlug.get(slug);
  if (entry === undefined) throw new Error(`the snapshot has no ${slug}`);
  return entry;
}

/** `slug availability`, without what comes from code. */
export function offers(catalog: CatalogService): string[] {
  return catalog
    .snapshot()
    .entries.filter(({ layer }) => layer !== 'builtin')
    .map(({ slug, availability }) => `${slug} ${availability}`);
}

export function codesOf({ findings }: Pick<SkillEntry, 'findings'>): string[] {
  return findings.map(({ code }) => code);
}

/** Every file of a skill with mode and text, as doors serve it. */
export async function served(catalog: CatalogService, slug: string): Promise<Record<string, string>> {
  const entry = entryOf(catalog, slug);
  const { files } = await catalog.content(entry);
  const served: Record<string, string> = {};
  for (const { path, mode } of files) {
    const { bytes } = await catalog.readFile(entry, path);
    served[path] = `${mode} ${bytes.toString('utf8')}`;
  }
  return served;
}

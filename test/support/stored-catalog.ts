import { type SkillwrightOptions } from '../../src/config/options.js';
import { resolveOptions } from '../../src/config/resolve-options.js';
import { ChangeStore } from '../../src/events/change.store.js';
import { CatalogService } from '../../src/skills/catalog/catalog.service.js';
import { WorkspaceFiles } from '../../src/workspace/workspace-files.adapter.js';
import { type TestDatabase } from './databases.js';
import { type TempFolder } from './temp-folder.js';

export interface StoredGround {
  readonly options: SkillwrightOptions;
  readonly catalog: CatalogService;
  readonly changes: ChangeStore;
}

/** A catalogue over a scratch workspace and a database, after its first sync; without a watcher. */
export async function storedCatalog(
  database: Pick<TestDatabase, 'service' | 'options'>,
  temp: TempFolder,
  now: () => number = Date.now,
): Promise<StoredGround> {
  const options = resolveOptions({
    ...database.options,
    workspace: { dir: temp.dir },
    watch: { enabled: false },
  });
  const changes = new ChangeStore(database.service);
  const env = { cwd: temp.dir, home: undefined, zotHome: undefined, zotAgentSkills: [] };
  const store = { database: database.service, changes };
  const catalog = new CatalogService(options, new WorkspaceFiles(), { env, store, now });
  await catalog.start();
  await catalog.attach();
  return { options, catalog, changes };
}

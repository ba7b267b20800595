import { type DiscoveryEnv } from '../config/discovery-env.js';
import { type SkillwrightOptions } from '../config/options.js';
import { ImportService } from '../github-import/import.service.js';
import { FolderGuardService } from '../folder-guard/folder-guard.service.js';
import { DatabaseService } from '../database/database.service.js';
import { ChangeStore } from '../events/change.store.js';
import { Maintenance } from '../maintenance/maintenance.service.js';
import { OperationContext } from '../operations/operation-context.service.js';
import { CatalogService } from '../skills/catalog/catalog.service.js';
import { createEmbedder } from '../skills/search/embedder.factory.js';
import { SearchService } from '../skills/search/search.service.js';
import { FilePresetStore } from '../workflow/file-preset.service.js';
import { SqlPresetStore } from '../workflow/preset.store.js';
import { createWorkflowParts } from '../workflow/workflow-parts.factory.js';
import { WorkspaceFiles } from '../workspace/workspace-files.adapter.js';

/** Services over a folder, scanned and ready. */
export interface FolderContext {
  readonly context: OperationContext;
  close(): Promise<void>;
}

export interface FolderPlace {
  /** What profile `discovery` takes from the process; by default this one's. */
  readonly place?: DiscoveryEnv;
  readonly files?: WorkspaceFiles;
}

/**
 * Builds the services over a folder by hand: no Nest, no database, no watcher. Presets are those of
 * `presets/*.json` and cannot be changed.
 *
 * @example
 * const { context, close } = await openFolder(resolveOptions({ workspace: { dir: './workspace-docs' } }));
 */
export async function openFolder(
  options: SkillwrightOptions,
  { place, files = new WorkspaceFiles() }: FolderPlace = {},
): Promise<FolderContext> {
  const parts = build(options, files, { env: place, store: null });
  await parts.context.catalog.start();
  return parts;
}

/**
 * Opens the database for one piece of work on what is stored: no Nest, no door, no watcher; folders are not looked at.
 *
 * @throws SkillwrightError `db_unavailable`, `data_folder_in_use`
 */
export async function openDatabase(
  options: SkillwrightOptions,
  files: WorkspaceFiles = new WorkspaceFiles(),
): Promise<FolderContext> {
  const database = new DatabaseService(options);
  await database.open();
  const built = build(options, files, { env: undefined, store: database });
  return {
    context: built.context,
    async close() {
      await built.close();
      await database.stop();
    },
  };
}

function build(
  options: SkillwrightOptions,
  files: WorkspaceFiles,
  { env, store }: { readonly env: DiscoveryEnv | undefined; readonly store: DatabaseService | null },
): FolderContext {
  const still = { ...options, watch: { ...options.watch, enabled: false } };
  const catalog = new CatalogService(still, files, {
    ...(env && { env }),
    ...(store && { store: { database: store, changes: new ChangeStore(store) } }),
  });
  const search = new SearchService(options, catalog, createEmbedder(options, files));
  const presetStore = store === null ? new FilePresetStore(options, files) : new SqlPresetStore(store);
  const parts = createWorkflowParts({ options, files, catalog, search, store: presetStore });
  const { presets, workflows, workflowSkills, tools, usage } = parts;
  return {
    context: new OperationContext(
      options,
      catalog,
      search,
      presets,
      workflows,
      workflowSkills,
      tools,
      usage,
      new ImportService(options, catalog),
      new FolderGuardService(options),
      store,
      store && new Maintenance(options, store, files),
    ),
    async close() {
      await search.stop();
      await catalog.stop();
    },
  };
}

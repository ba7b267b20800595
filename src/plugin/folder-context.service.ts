import { type DiscoveryEnv } from '../config/discovery-env.js';
import { type SkillwrightOptions } from '../config/options.js';
import { ImportService } from '../github-import/import.service.js';
import { FolderGuardService } from '../folder-guard/folder-guard.service.js';
import { OperationContext } from '../operations/operation-context.service.js';
import { CatalogService } from '../skills/catalog/catalog.service.js';
import { createEmbedder } from '../skills/search/embedder.factory.js';
import { SearchService } from '../skills/search/search.service.js';
import { FilePresetStore } from '../workflow/file-preset.service.js';
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
  const still = { ...options, watch: { ...options.watch, enabled: false } };
  const catalog = new CatalogService(still, files, place === undefined ? {} : { env: place });
  const search = new SearchService(options, catalog, createEmbedder(options, files));
  const store = new FilePresetStore(options, files);
  const parts = createWorkflowParts({ options, files, catalog, search, store });
  const { presets, workflows, workflowSkills, tools, usage } = parts;
  await catalog.start();
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
      null,
    ),
    async close() {
      await search.stop();
      await catalog.stop();
    },
  };
}

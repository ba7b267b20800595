import { type DiscoveryEnv } from '../../src/config/discovery-env.js';
import { resolveOptions } from '../../src/config/resolve-options.js';
import { CatalogService } from '../../src/skills/catalog/catalog.service.js';
import { type SkillEntry } from '../../src/skills/discovery/skill-entry.js';
import { WorkspaceFiles } from '../../src/workspace/workspace-files.adapter.js';
import { type TempFolder } from './temp-folder.js';

interface CatalogSetup {
  readonly options?: Record<string, Record<string, unknown>>;
  readonly env?: Partial<DiscoveryEnv>;
  readonly files?: WorkspaceFiles;
  readonly now?: () => number;
}

/** A catalogue over `<scratch folder>/skills`, without a watcher unless the options say so. */
export function catalogOf(temp: TempFolder, setup: CatalogSetup = {}): CatalogService {
  const options = resolveOptions({
    workspace: { dir: temp.dir },
    watch: { enabled: false },
    ...setup.options,
  });
  const env = { cwd: temp.dir, home: undefined, zotHome: undefined, zotAgentSkills: [], ...setup.env };
  return new CatalogService(options, setup.files ?? new WorkspaceFiles(), {
    env,
    ...(setup.now && { now: setup.now }),
  });
}

/** The same after its first scan. */
export async function startedCatalog(temp: TempFolder, setup?: CatalogSetup): Promise<CatalogService> {
  const catalog = catalogOf(temp, setup);
  await catalog.start();
  return catalog;
}

/** Every entry that does not come from code, in the order of the snapshot. */
export function onDisk(catalog: CatalogService): SkillEntry[] {
  return catalog.snapshot().entries.filter((entry) => entry.layer !== 'builtin');
}

export function slugsOf(catalog: CatalogService): string[] {
  return onDisk(catalog).map((entry) => entry.slug);
}

/** `code path` of each finding about locations and folders. */
export function remarksOf(catalog: CatalogService): string[] {
  return catalog.snapshot().findings.map(({ code, path }) => `${code} ${path ?? ''}`);
}

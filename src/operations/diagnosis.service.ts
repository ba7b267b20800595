import { resolve } from 'node:path';
import { type DiscoveryEnv } from '../config/discovery-env.js';
import { optionLeaves } from '../config/describe-options.js';
import { type SkillwrightOptions } from '../config/options.js';
import { askOwner } from '../database/data-folder-lock.adapter.js';
import { askServer } from '../database/ask-server.adapter.js';
import { CatalogService } from '../skills/catalog/catalog.service.js';
import { FolderGuardService } from '../folder-guard/folder-guard.service.js';
import { type SkillLocation } from '../skills/discovery/skill-entry.js';
import { closest } from '../workflow/closest.js';
import { watchAccess, writeAccess } from '../workspace/permissions.adapter.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { type DatabaseFacts, type Diagnosis, judgeFacts, type LocationFacts } from './diagnosis.js';

export interface DiagnosisRequest {
  readonly options: SkillwrightOptions;
  readonly place: DiscoveryEnv;
  /** What names the workspace; `dir` is null when nothing does. */
  readonly workspace: { readonly dir: string | null; readonly because: string };
  /** Names in the environment that look like options and are none. */
  readonly unknownNames: readonly string[];
}

/** Looks at everything that the service needs, changes nothing, and judges it. */
export async function diagnose(
  { options, place, workspace, unknownNames }: DiagnosisRequest,
  files: WorkspaceFiles,
): Promise<Diagnosis> {
  const catalog = new CatalogService(options, files, { env: place });
  const snapshot = await catalog.refresh();
  const locations = catalog.locations();
  const root = resolve(place.cwd, options.workspace.dir);
  const optionNames = optionLeaves().flatMap(({ env }) => env);
  return judgeFacts({
    node: process.versions.node,
    unknownNames: unknownNames.map((name) => ({ name, meant: closest(name, optionNames) })),
    workspace: { ...workspace, exists: files.resolve(root)?.kind === 'folder', access: writeAccess(root) },
    locations: locations.map((location) => locationFacts(location, catalog, files)),
    remarks: snapshot.findings.filter(({ severity }) => severity !== 'info').length,
    database: await databaseFacts(options, place.cwd),
    sandbox: await new FolderGuardService(options, files).enforcement(),
    watching: watchAccess([root, ...locations.map(({ dir }) => dir)]),
  });
}

function locationFacts(
  { dir, label, layer, shownAs }: SkillLocation,
  catalog: CatalogService,
  files: WorkspaceFiles,
): LocationFacts {
  const { kind } = files.list(dir);
  const entries = catalog.snapshot().entries.filter((entry) => entry.layer === layer);
  return {
    label,
    shownAs,
    state: kind === 'ok' ? 'searched' : kind,
    skills: entries.length,
    broken: entries.filter(({ availability }) => availability === 'invalid').length,
  };
}

async function databaseFacts({ database, data }: SkillwrightOptions, cwd: string): Promise<DatabaseFacts> {
  if (database.url !== undefined) return { kind: 'postgres', answer: await askServer(database.url) };
  const dir = resolve(cwd, data.dir);
  return { kind: 'embedded', dir: data.dir, access: writeAccess(dir), owner: await askOwner(dir) };
}

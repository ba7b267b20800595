import { type SkillwrightOptions } from '../config/options.js';
import { type CatalogService } from '../skills/catalog/catalog.service.js';
import { type SearchService } from '../skills/search/search.service.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { type ConfigSync } from './config-sync.service.js';
import { FilePresetStore } from './file-preset.service.js';
import { PresetBindings } from './preset-binding.service.js';
import { PresetService } from './preset.service.js';
import { type PresetStore } from './preset-store.js';
import { SkillUsageService } from './skill-usage.service.js';
import { StepResolver } from './step-resolver.service.js';
import { ToolRunnerService } from './tool-runner.service.js';
import { WorkflowFolders } from './workflow-folder.service.js';
import { WorkflowSkillsService } from './workflow-skills.service.js';
import { WorkflowService } from './workflow.service.js';

/** The services of this folder, wired to each other. */
export interface WorkflowParts {
  readonly presets: PresetService;
  readonly workflows: WorkflowService;
  readonly workflowSkills: WorkflowSkillsService;
  readonly tools: ToolRunnerService;
  readonly usage: SkillUsageService;
}

/** What they work on. The store decides whether presets live in a database or in files. */
export interface WorkflowGround {
  readonly options: SkillwrightOptions;
  readonly files: WorkspaceFiles;
  readonly catalog: CatalogService;
  readonly search: SearchService;
  readonly store: PresetStore;
  /** Null for a folder without a database. */
  readonly configs?: ConfigSync | null;
}

/** Wires the services by hand: the Nest module does it, and so does whoever works on a folder without Nest. */
export function createWorkflowParts({
  options,
  files,
  catalog,
  search,
  store,
  configs = null,
}: WorkflowGround): WorkflowParts {
  const folders = new WorkflowFolders(options, files);
  const samples = new FilePresetStore(options, files);
  const bindings = new PresetBindings(store);
  const resolver = new StepResolver(catalog, folders, bindings);
  const workflowSkills = new WorkflowSkillsService(options, resolver, catalog, folders);
  return {
    presets: new PresetService(store, () => samples.read().presets),
    workflows: new WorkflowService(folders, bindings, store, configs),
    workflowSkills,
    tools: new ToolRunnerService(resolver, workflowSkills, catalog, search),
    usage: new SkillUsageService(catalog, folders, store),
  };
}

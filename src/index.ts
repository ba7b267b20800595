/** The plugin's public API. */
export * from './core.js';
export { type SkillwrightOptions, type SkillwrightOptionsInput } from './config/options.js';
export { optionsFromEnv, type OptionsFromEnv } from './config/options-from-env.js';
export { resolveOptions } from './config/resolve-options.js';
export { BuiltinsModule } from './builtins/builtins.module.js';
export { DatabaseModule } from './database/database.module.js';
export { DatabaseService, type DatabaseStatus } from './database/database.service.js';
export { FolderGuardModule } from './folder-guard/folder-guard.module.js';
export { FolderGuardService } from './folder-guard/folder-guard.service.js';
export { type GuardedFile } from './folder-guard/guarded-files.service.js';
export {
  type Enforcement,
  type GuardedCommand,
  type GuardedResult,
  type SandboxLaunch,
} from './folder-guard/sandbox-request.js';
export { GitHubImportModule } from './github-import/github-import.module.js';
export { ImportService } from './github-import/import.service.js';
export { type ExistingSkill, type ImportVerdict, type JudgedSkill } from './github-import/import-verdict.js';
export { type ImportCandidate, type ImportChoice, type StagedImport } from './github-import/staged-import.js';
export { type Provenance, type StagedSkill } from './github-import/staged-skill.js';
export {
  SkillwrightModule,
  type SkillwrightAsyncOptions,
  type SkillwrightModuleExtras,
} from './plugin/skillwright.module.js';
export { CatalogService, type CatalogListener } from './skills/catalog/catalog.service.js';
export { SkillsModule } from './skills/catalog/skills.module.js';
export { SearchModule } from './skills/search/search.module.js';
export { type SearchRequest, type SearchResult } from './skills/search/search-result.js';
export { SearchService } from './skills/search/search.service.js';
export { PresetService, type PresetList, type PresetListRequest } from './workflow/preset.service.js';
export { ToolRunnerService, type ToolScope } from './workflow/tool-runner.service.js';
export { WorkflowModule } from './workflow/workflow.module.js';
export { WorkflowService, type WorkflowRow } from './workflow/workflow.service.js';
export {
  WorkflowSkillsService,
  type LoadedSkills,
  type StepExplanation,
  type StepQuestion,
  type WorkflowCheck,
} from './workflow/workflow-skills.service.js';

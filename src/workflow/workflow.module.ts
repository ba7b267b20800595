import { Module, type Provider, type Type } from '@nestjs/common';
import { type SkillwrightOptions } from '../config/options.js';
import { SKILLWRIGHT_OPTIONS } from '../config/options.token.js';
import { DatabaseModule } from '../database/database.module.js';
import { DatabaseService } from '../database/database.service.js';
import { CatalogService } from '../skills/catalog/catalog.service.js';
import { SkillsModule } from '../skills/catalog/skills.module.js';
import { SearchModule } from '../skills/search/search.module.js';
import { SearchService } from '../skills/search/search.service.js';
import { WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { WorkflowConfigStore } from '../skills/store/workflow-config.store.js';
import { ConfigSync } from './config-sync.service.js';
import { PresetService } from './preset.service.js';
import { SqlPresetStore } from './preset.store.js';
import { SkillUsageService } from './skill-usage.service.js';
import { ToolRunnerService } from './tool-runner.service.js';
import { createWorkflowParts, type WorkflowParts } from './workflow-parts.factory.js';
import { WorkflowSkillsService } from './workflow-skills.service.js';
import { WorkflowService } from './workflow.service.js';

const PARTS = Symbol('skillwright:workflow-parts');

/** Presets, workflows, what their steps get, and the tools of agents. Needs a global provider of `SKILLWRIGHT_OPTIONS`. */
@Module({
  imports: [DatabaseModule, SkillsModule, SearchModule],
  providers: [
    {
      provide: PARTS,
      inject: [
        SKILLWRIGHT_OPTIONS,
        WorkspaceFiles,
        CatalogService,
        SearchService,
        DatabaseService,
        ConfigSync,
      ],
      useFactory: (
        options: SkillwrightOptions,
        files: WorkspaceFiles,
        catalog: CatalogService,
        search: SearchService,
        database: DatabaseService,
        configs: ConfigSync,
      ) =>
        createWorkflowParts({
          options,
          files,
          catalog,
          search,
          store: new SqlPresetStore(database),
          configs,
        }),
    },
    {
      provide: ConfigSync,
      inject: [SKILLWRIGHT_OPTIONS, WorkspaceFiles, CatalogService, DatabaseService],
      useFactory: (
        options: SkillwrightOptions,
        files: WorkspaceFiles,
        catalog: CatalogService,
        database: DatabaseService,
      ) => new ConfigSync(options, files, catalog, new WorkflowConfigStore(database)),
    },
    part(PresetService, ({ presets }) => presets),
    part(WorkflowService, ({ workflows }) => workflows),
    part(WorkflowSkillsService, ({ workflowSkills }) => workflowSkills),
    part(ToolRunnerService, ({ tools }) => tools),
    part(SkillUsageService, ({ usage }) => usage),
  ],
  exports: [
    ConfigSync,
    PresetService,
    WorkflowService,
    WorkflowSkillsService,
    ToolRunnerService,
    SkillUsageService,
  ],
})
export class WorkflowModule {}

function part<T>(provide: Type<T>, choose: (parts: WorkflowParts) => T): Provider {
  return { provide, inject: [PARTS], useFactory: choose };
}

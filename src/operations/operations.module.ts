import { Module } from '@nestjs/common';
import { SKILLWRIGHT_OPTIONS } from '../config/options.token.js';
import { type SkillwrightOptions } from '../config/options.js';
import { DatabaseModule } from '../database/database.module.js';
import { DatabaseService } from '../database/database.service.js';
import { GitHubImportModule } from '../github-import/github-import.module.js';
import { ImportService } from '../github-import/import.service.js';
import { FolderGuardModule } from '../folder-guard/folder-guard.module.js';
import { FolderGuardService } from '../folder-guard/folder-guard.service.js';
import { Maintenance } from '../maintenance/maintenance.service.js';
import { MaintenanceModule } from '../maintenance/maintenance.module.js';
import { CatalogService } from '../skills/catalog/catalog.service.js';
import { SkillsModule } from '../skills/catalog/skills.module.js';
import { SearchModule } from '../skills/search/search.module.js';
import { SearchService } from '../skills/search/search.service.js';
import { PresetService } from '../workflow/preset.service.js';
import { SkillUsageService } from '../workflow/skill-usage.service.js';
import { ToolRunnerService } from '../workflow/tool-runner.service.js';
import { WorkflowModule } from '../workflow/workflow.module.js';
import { WorkflowService } from '../workflow/workflow.service.js';
import { WorkflowSkillsService } from '../workflow/workflow-skills.service.js';
import { OperationContext } from './operation-context.service.js';

@Module({
  imports: [
    DatabaseModule,
    FolderGuardModule,
    SkillsModule,
    GitHubImportModule,
    SearchModule,
    WorkflowModule,
    MaintenanceModule,
  ],
  providers: [
    {
      provide: OperationContext,
      inject: [
        SKILLWRIGHT_OPTIONS,
        CatalogService,
        SearchService,
        PresetService,
        WorkflowService,
        WorkflowSkillsService,
        ToolRunnerService,
        SkillUsageService,
        ImportService,
        FolderGuardService,
        DatabaseService,
        Maintenance,
      ],
      useFactory: (
        options: SkillwrightOptions,
        catalog: CatalogService,
        search: SearchService,
        presets: PresetService,
        workflows: WorkflowService,
        workflowSkills: WorkflowSkillsService,
        tools: ToolRunnerService,
        usage: SkillUsageService,
        imports: ImportService,
        guard: FolderGuardService,
        database: DatabaseService,
        maintenance: Maintenance,
      ) =>
        new OperationContext(
          options,
          catalog,
          search,
          presets,
          workflows,
          workflowSkills,
          tools,
          usage,
          imports,
          guard,
          database,
          maintenance,
        ),
    },
  ],
  exports: [OperationContext],
})
export class OperationsModule {}

/** What a host application's tests need: the same services from a folder, without a database. */
import { Module, type DynamicModule } from '@nestjs/common';
import { type SkillwrightOptionsInput } from './config/options.js';
import { SKILLWRIGHT_OPTIONS } from './config/options.token.js';
import { resolveOptions } from './config/resolve-options.js';
import { openFolder } from './plugin/folder-context.service.js';
import { CatalogService } from './skills/catalog/catalog.service.js';
import { SearchService } from './skills/search/search.service.js';
import { PresetService } from './workflow/preset.service.js';
import { ToolRunnerService } from './workflow/tool-runner.service.js';
import { WorkflowService } from './workflow/workflow.service.js';
import { WorkflowSkillsService } from './workflow/workflow-skills.service.js';

/**
 * Takes the place of `SkillwrightModule` in tests. Skills and workflows are those of the workspace folder, presets
 * those of its `presets/*.json`, read-only; nothing is started and nothing needs to be stopped.
 *
 * @example
 * ```ts
 * const module = await Test.createTestingModule({
 *   imports: [SkillwrightTestingModule.forFolder('./workspace-docs')],
 * }).compile();
 * const { skills } = await module.get(WorkflowSkillsService).resolveStep({ workflowId: 'demo', stepId: 's1' });
 * ```
 */
@Module({})
export class SkillwrightTestingModule {
  /** @throws SkillwrightError `options_invalid` */
  static async forFolder(dir: string, options: SkillwrightOptionsInput = {}): Promise<DynamicModule> {
    const resolved = resolveOptions({ ...options, workspace: { dir } });
    const { context } = await openFolder(resolved);
    const providers = [
      { provide: SKILLWRIGHT_OPTIONS, useValue: resolved },
      { provide: CatalogService, useValue: context.catalog },
      { provide: SearchService, useValue: context.search },
      { provide: PresetService, useValue: context.presets },
      { provide: WorkflowService, useValue: context.workflows },
      { provide: WorkflowSkillsService, useValue: context.workflowSkills },
      { provide: ToolRunnerService, useValue: context.tools },
    ];
    return {
      module: SkillwrightTestingModule,
      global: true,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}

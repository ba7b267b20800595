import { type SkillwrightOptions } from '../config/options.js';
import { type DatabaseService } from '../database/database.service.js';
import { type ImportService } from '../github-import/import.service.js';
import { type FolderGuardService } from '../folder-guard/folder-guard.service.js';
import { type Maintenance } from '../maintenance/maintenance.service.js';
import { type CatalogService } from '../skills/catalog/catalog.service.js';
import { type SearchService } from '../skills/search/search.service.js';
import { SkillEditor } from '../skills/catalog/skill-editor.service.js';
import { type PresetService } from '../workflow/preset.service.js';
import { SkillMoves } from '../workflow/skill-moves.service.js';
import { type SkillUsageService } from '../workflow/skill-usage.service.js';
import { type ToolRunnerService } from '../workflow/tool-runner.service.js';
import { type WorkflowSkillsService } from '../workflow/workflow-skills.service.js';
import { type WorkflowService } from '../workflow/workflow.service.js';

/** Everything that operations work on. Built by the Nest module, or by hand for a folder without a database. */
export class OperationContext {
  readonly editor: SkillEditor;
  readonly moves: SkillMoves;

  constructor(
    readonly options: SkillwrightOptions,
    readonly catalog: CatalogService,
    readonly search: SearchService,
    readonly presets: PresetService,
    readonly workflows: WorkflowService,
    readonly workflowSkills: WorkflowSkillsService,
    readonly tools: ToolRunnerService,
    readonly usage: SkillUsageService,
    readonly imports: ImportService,
    readonly guard: FolderGuardService,
    /** Null when the program works on a folder without a database. */
    readonly database: DatabaseService | null,
    /** Null without a database. */
    readonly maintenance: Maintenance | null,
  ) {
    this.editor = new SkillEditor(catalog);
    this.moves = new SkillMoves(catalog, this.editor, usage, workflows.configs);
  }
}

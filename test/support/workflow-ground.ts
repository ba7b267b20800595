import { type SkillwrightOptionsInput } from '../../src/config/options.js';
import { resolveOptions } from '../../src/config/resolve-options.js';
import { CatalogService } from '../../src/skills/catalog/catalog.service.js';
import { SearchService } from '../../src/skills/search/search.service.js';
import { createWorkflowParts, type WorkflowParts } from '../../src/workflow/workflow-parts.factory.js';
import { WorkspaceFiles } from '../../src/workspace/workspace-files.adapter.js';
import { MemoryPresetStore } from './memory-preset-store.js';
import { TempFolder } from './temp-folder.js';

/** A workspace of one test with the real services over it; presets are kept in memory. */
export class WorkflowGround {
  readonly temp = new TempFolder();
  readonly store = new MemoryPresetStore();
  readonly catalog: CatalogService;
  readonly parts: WorkflowParts;

  constructor(input: SkillwrightOptionsInput = {}) {
    const options = resolveOptions({
      ...input,
      workspace: { dir: this.temp.dir },
      watch: { enabled: false },
    });
    const files = new WorkspaceFiles();
    const nowhere = { cwd: this.temp.dir, home: undefined, zotHome: undefined, zotAgentSkills: [] };
    this.catalog = new CatalogService(options, files, { env: nowhere });
    const search = new SearchService(options, this.catalog);
    this.parts = createWorkflowParts({ options, files, catalog: this.catalog, search, store: this.store });
  }

  /** Writes skills of these slugs and scans. */
  async skills(...slugs: readonly string[]): Promise<void> {
    for (const slug of slugs) this.temp.skill(`skills/${slug}`);
    await this.catalog.refresh();
  }

  /** Writes step_config.json of a workflow: what stands in `agent_configs` of each step. */
  steps(workflow: string, steps: Readonly<Record<string, unknown>>): void {
    const list = Object.entries(steps).map(([id, configs]) => ({ id, agent_configs: configs }));
    this.temp.write(`workflows/${workflow}/step_config.json`, JSON.stringify({ steps: list }, null, 2));
  }

  async remove(): Promise<void> {
    await this.catalog.stop();
    this.temp.remove();
  }
}

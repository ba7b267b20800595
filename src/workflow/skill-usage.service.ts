import { type CatalogService } from '../skills/catalog/catalog.service.js';
import { type CatalogSnapshot } from '../skills/discovery/skill-entry.js';
import { type Preset } from './preset.js';
import { type PresetStore } from './preset-store.js';
import { skillUsage, type SkillUse, type WorkflowSteps } from './skill-usage.js';
import { type WorkflowFolders } from './workflow-folder.service.js';

const PAGE = 1000;
const NONE: readonly SkillUse[] = [];

/** Where skills are named; found anew only when presets, workflows or the catalogue changed. */
export class SkillUsageService {
  private known: {
    snapshot: CatalogSnapshot;
    stamp: string;
    uses: ReadonlyMap<string, readonly SkillUse[]>;
  } | null = null;

  constructor(
    private readonly catalog: CatalogService,
    private readonly folders: WorkflowFolders,
    private readonly store: PresetStore,
  ) {}

  /** A look-up of the places that name a slug. @throws SkillwrightError `db_unavailable`, `not_ready` */
  async current(): Promise<(slug: string) => readonly SkillUse[]> {
    const snapshot = this.catalog.snapshot();
    const stamp = `${this.store.stamp()}|${this.folders.stamp(null)}`;
    if (this.known?.snapshot !== snapshot || this.known.stamp !== stamp) {
      this.known = { snapshot, stamp, uses: skillUsage(snapshot, await this.presets(), this.workflows()) };
    }
    const { uses } = this.known;
    return (slug) => uses.get(slug) ?? NONE;
  }

  private async presets(): Promise<Preset[]> {
    const all: Preset[] = [];
    for (let after: Preset | null = null; ;) {
      const { presets } = await this.store.list({ limit: PAGE, after });
      all.push(...presets);
      const last = presets.at(-1);
      if (last === undefined || presets.length < PAGE) return all;
      after = last;
    }
  }

  private workflows(): WorkflowSteps[] {
    return this.folders.ids().map((id) => {
      const { stepConfig } = this.folders.get(id);
      const steps = stepConfig.kind === 'ok' ? [...stepConfig.steps.values()] : [];
      return { id, steps: steps.flatMap((step) => (step.kind === 'ok' ? [step.step] : [])) };
    });
  }
}

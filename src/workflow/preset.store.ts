import { type EntityManager } from 'typeorm';
import { DatabaseService } from '../database/database.service.js';
import { databaseErrorCode } from '../database/outage.js';
import { PresetEntity } from '../database/preset.entity.js';
import { SeededPresetEntity } from '../database/seeded-preset.entity.js';
import { WorkflowEntity } from '../database/workflow.entity.js';
import { type Preset, type PresetFields } from './preset.js';
import {
  type PresetBinding,
  type PresetDeletion,
  type PresetPage,
  type PresetPageRequest,
  type PresetStore,
} from './preset-store.js';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** Presets and bindings in PostgreSQL. */
export class SqlPresetStore implements PresetStore {
  #writes = 0;

  constructor(
    private readonly database: DatabaseService,
    private readonly now: () => number = Date.now,
  ) {}

  /** Nobody else writes to an embedded database; on a server others may, so there a stamp holds for one second. */
  stamp(): string {
    const others = this.database.status().kind === 'embedded' ? 0 : Math.floor(this.now() / 1000);
    return `${this.#writes}.${others}`;
  }

  list({ limit, after }: PresetPageRequest): Promise<PresetPage> {
    return this.database.run(async (manager) => {
      const query = manager.createQueryBuilder(PresetEntity, 'preset');
      const total = await query.getCount();
      if (after !== null) {
        query.where('(preset.created_at, preset.id) > (:at::timestamptz, :id::uuid)', {
          at: after.created_at,
          id: after.id,
        });
      }
      const rows = await query
        .orderBy({ 'preset.created_at': 'ASC', 'preset.id': 'ASC' })
        .limit(limit)
        .getMany();
      return { presets: rows.map(toPreset), total };
    });
  }

  async get(id: string): Promise<Preset | null> {
    const row = await this.database.run((manager) => manager.findOneBy(PresetEntity, { id }));
    return row && toPreset(row);
  }

  async findByLabel(label: string): Promise<Preset[]> {
    const rows = await this.database.run((manager) =>
      manager.find(PresetEntity, { where: { label }, order: { createdAt: 'ASC', id: 'ASC' } }),
    );
    return rows.map(toPreset);
  }

  async create(preset: Preset): Promise<'created' | 'exists'> {
    try {
      await this.#write((manager) => manager.insert(PresetEntity, toRow(preset)));
      return 'created';
    } catch (error) {
      if (databaseErrorCode(error) === UNIQUE_VIOLATION) return 'exists';
      throw error;
    }
  }

  update(id: string, change: (current: Preset) => Preset): Promise<Preset | null> {
    return this.#write(async (manager) => {
      const row = await lockPreset(manager, id);
      if (row === null) return null;
      const changed = change(toPreset(row));
      await manager.update(PresetEntity, { id }, toRow(changed));
      return changed;
    });
  }

  delete(id: string, { detach }: { readonly detach: boolean }): Promise<PresetDeletion> {
    return this.#write(async (manager) => {
      // The lock keeps workflows from being bound to the preset in the meantime.
      if ((await lockPreset(manager, id)) === null) return { kind: 'missing' };
      const workflows = await workflowsOf(manager, id);
      if (workflows.length > 0 && !detach) return { kind: 'in_use', workflows };
      await manager.update(WorkflowEntity, { presetId: id }, { presetId: null, updatedAt: new Date() });
      await manager.delete(PresetEntity, { id });
      return { kind: 'deleted' };
    });
  }

  async binding(workflowId: string): Promise<string | null> {
    const row = await this.database.run((manager) => manager.findOneBy(WorkflowEntity, { id: workflowId }));
    return row?.presetId ?? null;
  }

  async bind(workflowId: string, presetId: string | null): Promise<PresetBinding> {
    const row = { id: workflowId, presetId, updatedAt: new Date() };
    try {
      await this.#write((manager) => manager.upsert(WorkflowEntity, row, ['id']));
      return { kind: 'bound' };
    } catch (error) {
      if (databaseErrorCode(error) === FOREIGN_KEY_VIOLATION) return { kind: 'preset_missing' };
      throw error;
    }
  }

  boundWorkflows(presetId: string): Promise<string[]> {
    return this.database.run((manager) => workflowsOf(manager, presetId));
  }

  seed(presets: readonly Preset[]): Promise<string[]> {
    return this.#write(async (manager) => {
      const made: string[] = [];
      for (const preset of presets) {
        if ((await markSeeded(manager, preset.id)) && (await insertIfNew(manager, preset)))
          made.push(preset.id);
      }
      return made;
    });
  }

  async #write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } finally {
      // Counted after the commit, and also when it is not known whether it happened.
      this.#writes += 1;
    }
  }
}

function lockPreset(manager: EntityManager, id: string): Promise<PresetEntity | null> {
  return manager.findOne(PresetEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

async function workflowsOf(manager: EntityManager, presetId: string): Promise<string[]> {
  const rows = await manager.find(WorkflowEntity, { where: { presetId }, order: { id: 'ASC' } });
  return rows.map((row) => row.id);
}

/** False when it was marked before; a second process waits here for the first one's transaction. */
async function markSeeded(manager: EntityManager, id: string): Promise<boolean> {
  const insert = manager.createQueryBuilder().insert().into(SeededPresetEntity);
  return isNew(await insert.values({ id, seededAt: new Date() }).orIgnore().returning('id').execute());
}

async function insertIfNew(manager: EntityManager, preset: Preset): Promise<boolean> {
  const insert = manager.createQueryBuilder().insert().into(PresetEntity);
  return isNew(await insert.values(toRow(preset)).orIgnore().returning('id').execute());
}

function isNew(result: { readonly raw: unknown }): boolean {
  return Array.isArray(result.raw) && result.raw.length > 0;
}

function toPreset(row: PresetEntity): Preset {
  return {
    id: row.id,
    ...(row.document as PresetFields),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

function toRow({ id, created_at, updated_at, ...fields }: Preset) {
  return {
    id,
    label: fields.label,
    document: fields as object,
    createdAt: new Date(created_at),
    updatedAt: new Date(updated_at),
  };
}

import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { inSchema } from './in-schema.js';

export class PresetsAndWorkflows1796100000000 implements MigrationInterface {
  readonly name = 'PresetsAndWorkflows1796100000000';

  async up(runner: QueryRunner): Promise<void> {
    const presets = inSchema(runner, 'presets');
    await runner.query(`
      CREATE TABLE ${presets} (
        "id" uuid PRIMARY KEY,
        "label" text NOT NULL,
        "document" jsonb NOT NULL,
        "created_at" timestamptz(3) NOT NULL DEFAULT now(),
        "updated_at" timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX "idx_presets_order" ON ${presets} ("created_at", "id")`);
    await runner.query(`CREATE INDEX "idx_presets_label" ON ${presets} ("label")`);
    const workflows = inSchema(runner, 'workflows');
    await runner.query(`
      CREATE TABLE ${workflows} (
        "id" text PRIMARY KEY,
        "preset_id" uuid REFERENCES ${presets} ("id"),
        "updated_at" timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX "idx_workflows_preset" ON ${workflows} ("preset_id")`);
    await runner.query(`
      CREATE TABLE ${inSchema(runner, 'seeded_presets')} (
        "id" uuid PRIMARY KEY,
        "seeded_at" timestamptz(3) NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['seeded_presets', 'workflows', 'presets']) {
      await runner.query(`DROP TABLE ${inSchema(runner, table)}`);
    }
  }
}

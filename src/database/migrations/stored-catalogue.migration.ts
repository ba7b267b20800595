import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { inSchema } from './in-schema.js';

/** Skills with every version of their bytes, workflow files, sync state, audit and events. */
export class StoredCatalogue1796200000000 implements MigrationInterface {
  readonly name = 'StoredCatalogue1796200000000';

  async up(runner: QueryRunner): Promise<void> {
    const table = (name: string): string => inSchema(runner, name);
    for (const statement of [...contents(table), ...pointers(table), ...sync(table), ...records(table)]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of TABLES) await runner.query(`DROP TABLE ${inSchema(runner, name)}`);
  }
}

type Table = (name: string) => string;

const TABLES = [
  'events',
  'audit_events',
  'counters',
  'workspace_writes',
  'workspace_items',
  'workspaces',
  'workflow_configs',
  'revocations',
  'aliases',
  'labels',
  'skill_versions',
  'skill_blobs',
  'skills',
];

function contents(table: Table): string[] {
  return [
    `CREATE TABLE ${table('skills')} (
      "id" uuid PRIMARY KEY,
      "layer" text NOT NULL,
      "slug" text NOT NULL,
      "name" text NOT NULL,
      "description" text NOT NULL,
      "version" integer NOT NULL,
      "digest" text NOT NULL,
      "is_system" boolean NOT NULL DEFAULT false,
      "status" text NOT NULL DEFAULT 'active',
      "enabled" boolean NOT NULL DEFAULT true,
      "disabled_by" jsonb,
      "visibility" text NOT NULL DEFAULT 'internal',
      "owner" text NOT NULL,
      "tags" text[] NOT NULL DEFAULT '{}',
      "file_path" text NOT NULL,
      "file_hash" text,
      "frontmatter" jsonb NOT NULL,
      "deps" jsonb NOT NULL DEFAULT '{}',
      "embedding" real[],
      "embedding_model" text,
      "findings" jsonb NOT NULL DEFAULT '[]',
      "origin" text NOT NULL,
      "provenance" jsonb,
      "created_at" timestamptz(3) NOT NULL DEFAULT now(),
      "updated_at" timestamptz(3) NOT NULL DEFAULT now(),
      "deleted_at" timestamptz(3),
      "revision" bigint NOT NULL DEFAULT 0
    )`,
    // A slug may be taken again after its skill was deleted or moved away.
    `CREATE UNIQUE INDEX "idx_skills_slug" ON ${table('skills')} ("layer", "slug") WHERE "deleted_at" IS NULL`,
    `CREATE INDEX "idx_skills_deleted" ON ${table('skills')} ("layer", "slug") WHERE "deleted_at" IS NOT NULL`,
    `CREATE INDEX "idx_skills_system" ON ${table('skills')} ("is_system") WHERE "is_system" = true`,
    `CREATE INDEX "idx_skills_enabled" ON ${table('skills')} ("enabled") WHERE "enabled" = false`,
    `CREATE INDEX "idx_skills_revision" ON ${table('skills')} ("revision")`,
    `CREATE TABLE ${table('skill_blobs')} (
      "sha256" text PRIMARY KEY,
      "size" integer NOT NULL,
      "bytes" bytea NOT NULL,
      "created_at" timestamptz(3) NOT NULL DEFAULT now()
    )`,
    `CREATE TABLE ${table('skill_versions')} (
      "skill_id" uuid NOT NULL REFERENCES ${table('skills')} ("id"),
      "version" integer NOT NULL,
      "digest" text NOT NULL,
      "file_hash" text NOT NULL,
      "name" text NOT NULL,
      "description" text NOT NULL,
      "frontmatter" jsonb NOT NULL,
      "manifest" jsonb NOT NULL,
      "findings" jsonb NOT NULL DEFAULT '[]',
      "origin" text NOT NULL,
      "provenance" jsonb,
      "actor" jsonb NOT NULL,
      "message" text,
      "created_at" timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY ("skill_id", "version")
    )`,
    `CREATE INDEX "idx_skill_versions_digest" ON ${table('skill_versions')} ("digest")`,
  ];
}

function pointers(table: Table): string[] {
  const skill = `"skill_id" uuid NOT NULL REFERENCES ${table('skills')} ("id")`;
  return [
    `CREATE TABLE ${table('labels')} (
      ${skill},
      "label" text NOT NULL,
      "version" integer NOT NULL,
      "updated_at" timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY ("skill_id", "label"),
      FOREIGN KEY ("skill_id", "version") REFERENCES ${table('skill_versions')} ("skill_id", "version")
    )`,
    `CREATE TABLE ${table('aliases')} (
      "layer" text NOT NULL,
      "slug" text NOT NULL,
      ${skill},
      "created_at" timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY ("layer", "slug")
    )`,
    `CREATE TABLE ${table('revocations')} (
      ${skill},
      "digest" text NOT NULL,
      "reason" text NOT NULL,
      "actor" jsonb NOT NULL,
      "created_at" timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY ("skill_id", "digest")
    )`,
    // A version without a digest says that the file was removed.
    `CREATE TABLE ${table('workflow_configs')} (
      "workflow_id" text NOT NULL,
      "version" integer NOT NULL,
      "path" text NOT NULL,
      "digest" text,
      "size" integer NOT NULL DEFAULT 0,
      "findings" jsonb NOT NULL DEFAULT '[]',
      "origin" text NOT NULL,
      "actor" jsonb NOT NULL,
      "message" text,
      "created_at" timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY ("workflow_id", "version")
    )`,
  ];
}

function sync(table: Table): string[] {
  return [
    `CREATE TABLE ${table('workspaces')} (
      "id" uuid PRIMARY KEY,
      "machine" text NOT NULL,
      "lease_holder" text,
      "lease_until" timestamptz(3),
      "created_at" timestamptz(3) NOT NULL DEFAULT now(),
      "seen_at" timestamptz(3) NOT NULL DEFAULT now()
    )`,
    // What the workspace held of an item at its last sync.
    `CREATE TABLE ${table('workspace_items')} (
      "workspace_id" uuid NOT NULL REFERENCES ${table('workspaces')} ("id") ON DELETE CASCADE,
      "kind" text NOT NULL,
      "layer" text NOT NULL,
      "slug" text NOT NULL,
      "digest" text NOT NULL,
      "fingerprint" text,
      "synced_at" timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY ("workspace_id", "kind", "layer", "slug")
    )`,
    // An open write: its bytes on disk are not read as somebody's edit until it is finished.
    `CREATE TABLE ${table('workspace_writes')} (
      "workspace_id" uuid NOT NULL REFERENCES ${table('workspaces')} ("id") ON DELETE CASCADE,
      "kind" text NOT NULL,
      "slug" text NOT NULL,
      "from_digest" text,
      "to_digest" text,
      "started_at" timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY ("workspace_id", "kind", "slug")
    )`,
  ];
}

function records(table: Table): string[] {
  return [
    // One row, so that two transactions take its numbers in the same order. The revision goes on from the clock:
    // no number is given twice over a restored database.
    `CREATE TABLE ${table('counters')} (
      "id" integer PRIMARY KEY CHECK ("id" = 1),
      "revision" bigint NOT NULL,
      "seq" bigint NOT NULL,
      "audit" bigint NOT NULL
    )`,
    `INSERT INTO ${table('counters')} VALUES (1, floor(extract(epoch FROM now()))::bigint, 0, 0)`,
    `CREATE TABLE ${table('audit_events')} (
      "id" bigint PRIMARY KEY,
      "at" timestamptz(3) NOT NULL DEFAULT now(),
      "actor" jsonb NOT NULL,
      "door" text NOT NULL,
      "request_id" text,
      "action" text NOT NULL,
      "subject_kind" text NOT NULL,
      "subject_id" text NOT NULL,
      "slug" text,
      "version" integer,
      "digest" text,
      "message" text,
      "details" jsonb NOT NULL DEFAULT '{}'
    )`,
    `CREATE INDEX "idx_audit_subject" ON ${table('audit_events')} ("subject_kind", "subject_id", "id")`,
    `CREATE INDEX "idx_audit_at" ON ${table('audit_events')} ("at")`,
    `CREATE TABLE ${table('events')} (
      "seq" bigint PRIMARY KEY,
      "revision" bigint NOT NULL,
      "type" text NOT NULL,
      "payload" jsonb NOT NULL,
      "at" timestamptz(3) NOT NULL DEFAULT now()
    )`,
  ];
}

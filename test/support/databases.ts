import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it as jestIt } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { type SkillwrightOptions } from '../../src/config/options.js';
import { resolveOptions } from '../../src/config/resolve-options.js';
import { DatabaseService, type DatabaseParts } from '../../src/database/database.service.js';
import { openInThreadEngine } from './in-thread-engine.js';

/** One database that a suite runs on. */
export interface TestDatabase {
  readonly kind: 'embedded' | 'postgres';
  readonly options: Pick<SkillwrightOptions, 'database' | 'data'>;
  readonly parts: DatabaseParts;
  /** Started before the first test of the suite. */
  readonly service: DatabaseService;
}

const serverUrl = process.env['TEST_DATABASE_URL'];
let anyFailed = false;

Logger.overrideLogger(false);

/**
 * Runs a suite on the embedded database, and on the server that TEST_DATABASE_URL names. Each suite has a
 * schema of its own, dropped at the end unless a test failed: then it stays for whoever looks into it.
 */
export function describeOnDatabases(title: string, suite: (database: TestDatabase) => void): void {
  describe.each(databases())(`${title} ($kind)`, ({ kind }) => {
    const schema = `test_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
    const service: { current?: DatabaseService; options?: TestDatabase['options'] } = {};
    const parts: DatabaseParts = kind === 'embedded' ? { embedded: { openEngine: openInThreadEngine } } : {};

    beforeAll(async () => {
      const dir = await mkdtemp(join(tmpdir(), 'skillwright-db-'));
      const url = kind === 'postgres' ? { url: serverUrl } : {};
      service.options = resolveOptions({ data: { dir }, database: { schema, ...url } });
      service.current = new DatabaseService(service.options, parts);
      await service.current.start();
    });

    afterAll(async () => {
      await service.current?.stop();
      await rm(service.options?.data.dir ?? '', { recursive: true, force: true });
      if (kind === 'postgres' && !anyFailed) await onServer(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    });

    suite({
      kind,
      parts,
      get options() {
        return started(service.options);
      },
      get service() {
        return started(service.current);
      },
    });
  });
}

/** The databases at hand. */
export function databases(): { readonly kind: TestDatabase['kind'] }[] {
  return [{ kind: 'embedded' }, ...(serverUrl === undefined ? [] : [{ kind: 'postgres' as const }])];
}

/** `it` that remembers a failure, so that the suite's schema is kept. */
export function it(name: string, test: () => Promise<void>, timeoutMs?: number): void {
  jestIt(
    name,
    async () => {
      try {
        await test();
      } catch (error) {
        anyFailed = true;
        throw error;
      }
    },
    timeoutMs,
  );
}

/** Runs one statement on the server of TEST_DATABASE_URL. */
export async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the database is there only while tests run');
  return value;
}

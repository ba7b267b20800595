import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { askOwner } from '../../src/database/data-folder-lock.adapter.js';
import { DatabaseProcess } from '../support/database-process.js';

describe('an embedded database in a process of its own', () => {
  let dir: string;
  const running: DatabaseProcess[] = [];

  const start = async (options?: { statementMs: number }): Promise<DatabaseProcess> => {
    const started = await DatabaseProcess.start(dir, options);
    running.push(started);
    return started;
  };

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'skillwright-embedded-'));
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.kill()));
    await rm(dir, { recursive: true, force: true });
  });

  it('has every acknowledged row after a kill in the middle of writing', async () => {
    const first = await start();
    await first.query('CREATE TABLE kept (n int PRIMARY KEY)');
    const acknowledged: number[] = [];
    await new Promise<void>((resolve) => {
      for (let n = 0; n < 200; n++) {
        void first.query(`INSERT INTO kept VALUES (${n})`).then(() => {
          if (acknowledged.push(n) === 60) resolve();
        });
      }
    });
    await first.kill();

    const second = await start();
    const { rows } = await second.query('SELECT n FROM kept');
    const found = new Set((rows as { n: number }[]).map((row) => row.n));
    expect(acknowledged.length).toBeGreaterThanOrEqual(60);
    expect(acknowledged.filter((n) => !found.has(n))).toEqual([]);
  }, 60_000);

  it('is refused to a second process, which is told who has it, and taken over from a dead one', async () => {
    const first = await start();
    const second = await start();
    const refusal = await second.greeting;
    expect(refusal).toMatchObject({ code: 'data_folder_in_use' });
    expect(refusal.message).toContain(String(first.pid));
    expect(await askOwner(dir)).toEqual({ url: null, pid: first.pid });

    await first.kill();
    expect(await askOwner(dir)).toBeNull();
    const third = await start();
    expect(await third.greeting).toEqual({ ready: true });
    await third.stop();
    expect(await askOwner(dir)).toBeNull();
  }, 60_000);

  it('ends a statement that runs too long, fails what waits behind it, and goes on', async () => {
    const database = await start({ statementMs: 1_500 });
    await database.query('CREATE TABLE kept AS SELECT 42 AS n');
    const endless = database.query('SELECT count(*) FROM generate_series(1, 100000000000)');
    const behind = database.query('SELECT 1');
    expect(await endless).toMatchObject({ message: expect.stringContaining('1500 ms') as unknown });
    expect(await behind).toMatchObject({ code: 'db_unavailable' });
    expect(await database.query('SELECT n FROM kept')).toMatchObject({ rows: [{ n: 42 }] });
  }, 60_000);

  it('refuses COPY FROM STDIN without harm', async () => {
    const database = await start();
    await database.query('CREATE TABLE kept (n int)');
    expect(await database.query('COPY kept FROM STDIN')).toMatchObject({
      message: expect.stringContaining('not supported') as unknown,
    });
    expect(await database.query('SELECT count(*)::int AS n FROM kept')).toMatchObject({ rows: [{ n: 0 }] });
  }, 60_000);
});

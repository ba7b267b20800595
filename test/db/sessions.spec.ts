import { expect } from '@jest/globals';
import type pg from 'pg';
import { describeOnDatabases, it } from '../support/databases.js';
import { until } from '../support/until.js';

describeOnDatabases('sessions', (database) => {
  const query = <T>(sql: string, parameters?: unknown[]): Promise<T[]> =>
    database.service.run((manager) => manager.query<T[]>(sql, parameters));

  it('adds twenty times when twenty transactions add at once', async () => {
    const { schema } = database.options.database;
    await query(`CREATE TABLE "${schema}"."counter" ("n" int NOT NULL)`);
    await query(`INSERT INTO "${schema}"."counter" VALUES (0)`);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        database.service.transaction(async (manager) => {
          const [row] = await manager.query<{ n: number }[]>(
            `SELECT "n" FROM "${schema}"."counter" FOR UPDATE`,
          );
          await manager.query(`UPDATE "${schema}"."counter" SET "n" = $1`, [(row?.n ?? 0) + 1]);
        }),
      ),
    );
    expect(await query(`SELECT "n" FROM "${schema}"."counter"`)).toEqual([{ n: 20 }]);
  });

  it('keeps the parameters of parallel queries apart', async () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((n) =>
        n % 2 === 0
          ? query('SELECT $1::int AS n, $2::text AS t', [n, `t${n}`])
          : query('SELECT $2::text AS t, $1::int AS n', [n, `t${n}`]),
      ),
    );
    expect(answers.map(([row]) => row)).toEqual(numbers.map((n) => ({ n, t: `t${n}` })));
  });

  it('rolls back what a failed transaction did', async () => {
    const table = `"${database.options.database.schema}"."rolled"`;
    await query(`CREATE TABLE ${table} ("n" int PRIMARY KEY)`);
    const failing = database.service.transaction(async (manager) => {
      await manager.query(`INSERT INTO ${table} VALUES (1)`);
      await manager.query(`INSERT INTO ${table} VALUES (1)`);
    });
    await expect(failing).rejects.toMatchObject({ driverError: { code: '23505' } });
    expect(await query(`SELECT * FROM ${table}`)).toEqual([]);
  });

  it('rolls back to a savepoint and goes on', async () => {
    const table = `"${database.options.database.schema}"."saved"`;
    await query(`CREATE TABLE ${table} ("t" text)`);
    await database.service.transaction(async (outer) => {
      await outer.query(`INSERT INTO ${table} VALUES ('before')`);
      const inner = outer.transaction(async (manager) => {
        await manager.query(`INSERT INTO ${table} VALUES ('lost')`);
        throw new Error('changed its mind');
      });
      await expect(inner).rejects.toThrow('changed its mind');
      await outer.query(`INSERT INTO ${table} VALUES ('after')`);
    });
    expect(await query(`SELECT "t" FROM ${table}`)).toEqual([{ t: 'before' }, { t: 'after' }]);
  });

  it('keeps large parameters of parallel queries apart', async () => {
    const big = 'x'.repeat(200_000);
    const lengths = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        query('SELECT length($1::text) AS l, $2::int AS n', [big + 'y'.repeat(n), n]),
      ),
    );
    expect(lengths.flat()).toEqual(Array.from({ length: 20 }, (_, n) => ({ l: 200_000 + n, n })));
  });

  it('hands a notification to every session that listens, once its transaction is committed', async () => {
    const listeners = [await listener('skills'), await listener('skills'), await listener('"Other"')];
    try {
      await database.service.transaction(async (manager) => {
        await manager.query(`SELECT pg_notify('skills', 'one'), pg_notify('Other', 'two')`);
        expect(listeners.flatMap((one) => one.heard)).toEqual([]);
      });
      await until('each listener heard one', () => listeners.every((one) => one.heard.length === 1));
      expect(listeners.map((one) => one.heard)).toEqual([['one'], ['one'], ['two']]);
      await listeners[0]!.runner.query('UNLISTEN skills');
      await query(`SELECT pg_notify('skills', 'three')`);
      await until('the other listener heard it', () => listeners[1]!.heard.length === 2);
      expect(listeners[0]!.heard).toEqual(['one']);
    } finally {
      for (const { runner } of listeners) await runner.release();
    }
  });

  it('has the same answer for a wrong statement, in a transaction and after it', async () => {
    const runner = database.service.dataSource().createQueryRunner();
    await runner.startTransaction();
    await expect(runner.query('SELECT 1/0')).rejects.toMatchObject({ driverError: { code: '22012' } });
    await expect(runner.query('SELECT 1')).rejects.toMatchObject({ driverError: { code: '25P02' } });
    await runner.rollbackTransaction();
    expect(await runner.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
    await runner.release();
  });

  async function listener(channel: string) {
    const runner = database.service.dataSource().createQueryRunner();
    const heard: (string | undefined)[] = [];
    const client = (await runner.connect()) as pg.PoolClient;
    client.on('notification', ({ payload }) => heard.push(payload));
    await runner.query(`LISTEN ${channel}`);
    return { runner, heard };
  }
});

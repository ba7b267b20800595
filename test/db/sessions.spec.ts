import { expect } from '@jest/globals';
import { describeOnDatabases, it } from '../support/databases.js';

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
});

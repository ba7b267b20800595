import { type DataSource, MigrationExecutor } from 'typeorm';
import { schemaOf } from './migrations/in-schema.js';

/**
 * Brings the schema up to date; the names of what ran. Everything happens in one transaction that holds an
 * advisory lock, so processes that start together wait for each other and the later ones find nothing to do.
 * (TypeORM reads the list of executed migrations before it begins a transaction of its own: too early.)
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const schema = schemaOf(dataSource);
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`migrate:${schema}`]);
    // Asked first: a role that may not create schemas can still serve from one that exists.
    if (!(await runner.hasSchema(schema))) await runner.createSchema(schema);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'none';
    const executed = await executor.executePendingMigrations();
    await runner.commitTransaction();
    return executed.map((migration) => migration.name);
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

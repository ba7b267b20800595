import { expect } from '@jest/globals';
import { DataSource } from 'typeorm';
import { DatabaseService } from '../../src/database/database.service.js';
import { MIGRATIONS } from '../../src/database/migrations/all-migrations.js';
import { describeOnDatabases, it, onServer } from '../support/databases.js';

describeOnDatabases('the schema', (database) => {
  const tables = async (service: DatabaseService, schema: string): Promise<string[]> => {
    const rows = await service.run((manager) =>
      manager.query<{ name: string }[]>(
        'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1',
        [schema],
      ),
    );
    return rows.map((row) => row.name);
  };

  it('holds our tables, our list of migrations and nothing else', async () => {
    const { schema } = database.options.database;
    expect(await tables(database.service, schema)).toEqual([
      'aliases',
      'audit_events',
      'counters',
      'events',
      'labels',
      'migrations',
      'presets',
      'revocations',
      'seeded_presets',
      'skill_blobs',
      'skill_versions',
      'skills',
      'workflow_configs',
      'workflows',
      'workspace_items',
      'workspace_writes',
      'workspaces',
    ]);
    expect(await tables(database.service, 'public')).not.toContain('migrations');
  });

  it('is made once by services that start together, on the DataSource of a host', async () => {
    const host = new DataSource({ ...database.service.dataSource().options });
    const schema = `${database.options.database.schema}_twice`;
    const options = { ...database.options, database: { ...database.options.database, schema } };
    const services = [1, 2, 3].map(() => new DatabaseService(options, { host }));
    try {
      await Promise.all(services.map((service) => service.start()));
      expect(services.map((service) => service.status())).toEqual(
        services.map(() => ({ state: 'up', kind: 'postgres' })),
      );
      const [first] = services;
      const executed = await first!.run<object[]>((manager) =>
        manager.query(`SELECT name FROM "${schema}"."migrations"`),
      );
      expect(executed).toHaveLength(MIGRATIONS.length);
    } finally {
      await Promise.all(services.map((service) => service.stop()));
      if (database.kind === 'postgres') await onServer(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    }
  });

  it('is not touched by a start that finds it complete', async () => {
    const host = database.service.dataSource();
    const again = new DatabaseService(database.options, { host });
    await again.start();
    expect(again.status().state).toBe('up');
    await again.stop();
    expect(host.isInitialized).toBe(true);
  });
});

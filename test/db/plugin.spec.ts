import { expect } from '@jest/globals';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { DatabaseService, SkillwrightModule, WorkflowSkillsService } from '../../src/index.js';
import { describeOnDatabases, it, onServer } from '../support/databases.js';

describeOnDatabases('the plugin', (database) => {
  it("answers on a host's own DataSource, in a schema of its own, and leaves the host's open", async () => {
    const host = await new DataSource({ ...database.service.dataSource().options }).initialize();
    @Module({ providers: [{ provide: 'HOST_DATABASE', useValue: host }], exports: ['HOST_DATABASE'] })
    class HostDatabaseModule {}
    const schema = `${database.options.database.schema}_plugin`;
    const module = await Test.createTestingModule({
      imports: [
        SkillwrightModule.forRootAsync({
          imports: [HostDatabaseModule],
          dataSource: 'HOST_DATABASE',
          useFactory: () => ({
            workspace: { dir: 'workspace-docs' },
            database: { schema },
            watch: { enabled: false },
          }),
        }),
      ],
    }).compile();
    try {
      await module.init();
      expect(module.get(DatabaseService, { strict: false }).status()).toMatchObject({ state: 'up' });
      const answer = await module
        .get(WorkflowSkillsService, { strict: false })
        .resolveStep({ workflowId: 'demo', stepId: 'qualify-step' });
      expect(answer).toMatchObject({ decided_by: 'preset', rejected: [] });
    } finally {
      await module.close();
    }
    expect(await host.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await host.destroy();
    if (database.kind === 'postgres') await onServer(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../src/config/resolve-options.js';
import { DatabaseService } from '../../src/database/database.service.js';
import { EmbeddedServer } from '../../src/database/embedded/embedded-server.adapter.js';
import { databases, onServer } from '../support/databases.js';
import { openInThreadEngine } from '../support/in-thread-engine.js';
import { TcpFront } from '../support/tcp-front.js';
import { until } from '../support/until.js';

const serverUrl = process.env['TEST_DATABASE_URL'];

describe.each(databases())('a server that goes away ($kind)', ({ kind }) => {
  const schema = `test_outage_${Math.random().toString(36).slice(2, 8)}`;
  let embedded: EmbeddedServer | null = null;
  let front: TcpFront;
  let service: DatabaseService;

  beforeEach(async () => {
    if (kind === 'embedded') {
      const server = new EmbeddedServer(openInThreadEngine);
      await server.start();
      embedded = server;
      front = new TcpFront(() => server.session());
    } else {
      front = TcpFront.to(serverUrl!);
    }
    await front.mend();
    const url = new URL(serverUrl ?? 'postgres://postgres@localhost/postgres');
    url.host = `127.0.0.1:${front.port}`;
    service = new DatabaseService(resolveOptions({ database: { url: url.href, schema } }));
  });

  afterEach(async () => {
    await service.stop();
    await front.cut();
    await embedded?.stop();
    if (kind === 'postgres') await onServer(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  });

  const ask = () => service.run((manager) => manager.query<{ n: number }[]>('SELECT 1 AS n'));

  it('keeps the service starting until it is there, then is migrated and serves', async () => {
    await front.cut();
    await service.start();
    expect(service.status()).toEqual({
      state: 'starting',
      kind: 'postgres',
      because: 'the server refuses connections',
    });
    await expect(ask()).rejects.toMatchObject({ code: 'db_unavailable', facts: { retryAfter: 2 } });
    await front.mend();
    await service.whenUp();
    expect(service.status()).toEqual({ state: 'up', kind: 'postgres' });
    expect(
      await service.run((manager) => manager.query<unknown[]>(`SELECT id FROM "${schema}"."presets"`)),
    ).toEqual([]);
  });

  it('is noticed without a query, refuses with a time to retry, and is taken up again by itself', async () => {
    await service.start();
    expect(await ask()).toEqual([{ n: 1 }]);
    await front.cut();
    await until('it is down', () => service.status().state === 'down');
    await expect(ask()).rejects.toMatchObject({ code: 'db_unavailable', facts: { retryAfter: 2 } });
    await front.mend();
    await until('it is up', () => service.status().state === 'up');
    expect(await ask()).toEqual([{ n: 1 }]);
  });

  it('fails the transaction that it leaves, and nothing of it stays', async () => {
    await service.start();
    const table = `"${schema}"."half"`;
    await service.run((manager) => manager.query(`CREATE TABLE ${table} ("n" int)`));
    const torn = service.transaction(async (manager) => {
      await manager.query(`INSERT INTO ${table} VALUES (1)`);
      await front.cut();
      await manager.query(`INSERT INTO ${table} VALUES (2)`);
    });
    await expect(torn).rejects.toMatchObject({ code: 'db_unavailable' });
    await front.mend();
    await until('it is up', () => service.status().state === 'up');
    await until('the table is empty', () =>
      service
        .run((m) => m.query<unknown[]>(`SELECT n FROM ${table}`))
        .then(
          (rows) => rows.length === 0,
          () => false,
        ),
    );
  });

  it('does not keep a stop waiting', async () => {
    await front.cut();
    await service.start();
    await service.stop();
    expect(service.status()).toMatchObject({ state: 'down', because: 'the service is stopping' });
  });
});

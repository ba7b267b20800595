import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../src/config/resolve-options.js';
import { DatabaseService } from '../../src/database/database.service.js';
import { EmbeddedServer } from '../../src/database/embedded/embedded-server.adapter.js';
import { ChangeStore } from '../../src/events/change.store.js';
import { CatalogService } from '../../src/skills/catalog/catalog.service.js';
import { WorkspaceFiles } from '../../src/workspace/workspace-files.adapter.js';
import { codesOf, entryOf, served } from '../support/catalog-ground.js';
import { databases, onServer } from '../support/databases.js';
import { openInThreadEngine } from '../support/in-thread-engine.js';
import { StoredFacts } from '../support/stored-facts.js';
import { TcpFront } from '../support/tcp-front.js';
import { TempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const serverUrl = process.env['TEST_DATABASE_URL'];

describe.each(databases())('a stored catalogue whose database goes away ($kind)', ({ kind }) => {
  const schema = `test_away_${Math.random().toString(36).slice(2, 8)}`;
  const facts = new StoredFacts(() => database);
  let embedded: EmbeddedServer | null = null;
  let front: TcpFront;
  let database: DatabaseService;
  let temp: TempFolder;
  let catalog: CatalogService;

  beforeEach(async () => {
    temp = new TempFolder();
    temp.skill('skills/a', { description: 'The first.' });
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
    const options = resolveOptions({
      workspace: { dir: temp.dir },
      watch: { enabled: false },
      database: { url: url.href, schema },
    });
    database = new DatabaseService(options);
    catalog = new CatalogService(options, new WorkspaceFiles(), {
      env: { cwd: temp.dir, home: undefined, zotHome: undefined, zotAgentSkills: [] },
      now: () => Date.now() + 60_000,
      store: { database, changes: new ChangeStore(database) },
    });
  });

  afterEach(async () => {
    await catalog.stop();
    await database.stop();
    await front.cut();
    await embedded?.stop();
    temp.remove();
    if (kind === 'postgres') await onServer(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  });

  const away = async () => {
    await front.cut();
    await until('it is noticed', () => database.status().state === 'down');
  };
  const back = async () => {
    await front.mend();
    await until('it is up', () => database.status().state === 'up');
  };

  it('has no answer before the rows were read, rather than an empty one', async () => {
    await front.cut();
    await database.start();
    await catalog.start();
    expect(() => catalog.snapshot()).toThrow(expect.objectContaining({ code: 'db_unavailable' }));
    await expect(catalog.attach()).rejects.toMatchObject({ code: 'db_unavailable' });
    expect(() => catalog.snapshot()).toThrow(expect.objectContaining({ code: 'db_unavailable' }));
    await back();
    await catalog.attach();
    expect(entryOf(catalog, 'a')).toMatchObject({ version: 1, availability: 'available' });
  });

  it('keeps its snapshot and what was read, and catches up with every edit afterwards', async () => {
    await database.start();
    await catalog.start();
    await catalog.attach();
    await catalog.refresh();
    const files = await served(catalog, 'a');
    const snapshot = catalog.snapshot();
    await away();
    temp.skill('skills/a', { description: 'The second.' });
    temp.skill('skills/b');
    await catalog.refresh().catch(() => undefined);
    expect(catalog.snapshot()).toBe(snapshot);
    expect((await catalog.content(entryOf(catalog, 'a'))).files).toHaveLength(Object.keys(files).length);
    await back();
    await catalog.refresh();
    expect(entryOf(catalog, 'a')).toMatchObject({ version: 2, description: 'The second.' });
    expect(await facts.rows()).toEqual(['a v2', 'b v1']);
    expect(await facts.violations()).toEqual([]);
  });

  it('shows afterwards what broke meanwhile without becoming a version', async () => {
    await database.start();
    await catalog.start();
    await catalog.attach();
    await catalog.refresh();
    await away();
    temp.write('skills/a/SKILL.md', 'no header any more');
    await catalog.refresh().catch(() => undefined);
    await back();
    await catalog.refresh();
    expect(entryOf(catalog, 'a')).toMatchObject({ version: 1, description: 'The first.' });
    expect(codesOf(entryOf(catalog, 'a'))).toContain('last_good_kept');
  });
});

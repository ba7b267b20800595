import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { resolveOptions } from '../../src/config/resolve-options.js';
import { DatabaseService } from '../../src/database/database.service.js';
import { inSchema } from '../../src/database/migrations/in-schema.js';
import { systemAuthor } from '../../src/events/author.js';
import { BACKUP_TABLES, BLOB_TABLE, TABLES_LEFT_OUT } from '../../src/maintenance/backup-format.js';
import { Maintenance } from '../../src/maintenance/maintenance.service.js';
import { BlobStore } from '../../src/skills/store/blob.store.js';
import { deleteSkill, revokeDigest, setLabel } from '../../src/skills/store/skill-state.store.js';
import { commitConfig } from '../../src/skills/store/workflow-config.store.js';
import { WorkspaceFiles } from '../../src/workspace/workspace-files.adapter.js';
import { databases, describeOnDatabases, it, onServer } from '../support/databases.js';
import { openInThreadEngine } from '../support/in-thread-engine.js';
import { storedCatalog, type StoredGround } from '../support/stored-catalog.js';
import { TempFolder } from '../support/temp-folder.js';

const AUTHOR = systemAuthor('cli', 'test');

describeOnDatabases('backup and restore', (database) => {
  let temp: TempFolder;
  let ground: StoredGround;
  let backup: Buffer;
  const opened: { service: DatabaseService; schema: string }[] = [];

  beforeAll(async () => {
    temp = new TempFolder();
    temp.skill('skills/tidy', { body: 'First.' });
    temp.write('skills/tidy/logo.png', Buffer.from([0x89, 0x50, 0xff, 0x00, 0x0a]));
    temp.skill('skills/gone');
    ground = await storedCatalog(database, temp);
    temp.skill('skills/tidy', { body: 'Second "quoted" \u2028 line.' });
    await ground.catalog.refresh();
    const { stored } = ground.catalog;
    const tidy = stored?.skills.at('workspace', 'tidy');
    const gone = stored?.skills.at('workspace', 'gone');
    if (tidy === undefined || gone === undefined) throw new Error('the skills are not stored');
    const sha256 = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';
    await new BlobStore(database.service).put([[sha256, Buffer.from('x')]]);
    await ground.changes.run(AUTHOR, async (change) => {
      await setLabel(change, tidy, 'stable', 1);
      await revokeDigest(change, gone, gone.digest, 'leaks');
      await deleteSkill(change, gone);
      const config = {
        workflowId: 'demo',
        path: 'step_config.json',
        digest: sha256,
        size: 1,
        origin: 'edit',
      } as const;
      await commitConfig(change, { ...config, expectedVersion: 0, action: 'workflow.update' });
    });
    await sql(
      database.service,
      `INSERT INTO {presets} ("id", "label", "document") VALUES ('00000000-0000-4000-8000-000000000001', 'all',
         '{"label": "all", "extra": {"__proto__": 1, "n": 1.5e-7}}')`,
      `INSERT INTO {workflows} ("id", "preset_id") VALUES ('demo', '00000000-0000-4000-8000-000000000001')`,
      `INSERT INTO {seeded_presets} ("id") VALUES ('00000000-0000-4000-8000-000000000002')`,
      `INSERT INTO {aliases} SELECT 'workspace', 'former', "id" FROM {skills} WHERE "slug" = 'tidy'`,
      `UPDATE {skills} SET "embedding" = ARRAY[0.1, -2.5]::real[], "tags" = ARRAY['a,b', 'c"d'] WHERE "slug" = 'tidy'`,
    );
    backup = await bytesOf(maintenanceOf(database.service).backup());
  });

  afterAll(async () => {
    await ground.catalog.stop();
    for (const { service, schema } of opened) {
      await service.stop();
      if (service.status().kind === 'postgres') await onServer(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    }
    temp.remove();
  });

  const maintenanceOf = (service: DatabaseService) =>
    new Maintenance(ground.options, service, new WorkspaceFiles());

  const elsewhere = async (kind: string): Promise<DatabaseService> => {
    const schema = `restored_${Math.random().toString(36).slice(2, 10)}`;
    const url = kind === 'postgres' ? { url: process.env['TEST_DATABASE_URL'] } : {};
    const parts = kind === 'embedded' ? { embedded: { openEngine: openInThreadEngine } } : {};
    const dir = temp.path(schema);
    const service = new DatabaseService(
      resolveOptions({ data: { dir }, database: { schema, ...url } }),
      parts,
    );
    opened.push({ service, schema });
    await service.open();
    return service;
  };

  const restore = (
    service: DatabaseService,
    bytes: Buffer,
    { replace = false, force = false }: { replace?: boolean; force?: boolean } = {},
  ) => maintenanceOf(service).restore(inPieces(bytes), { replace, force, author: AUTHOR });

  it('every table is in a backup, or known to be left out', async () => {
    const [rows] = await sql(
      database.service,
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${database.options.database.schema}'`,
    );
    const names = (rows as { name: string }[]).map(({ name }) => name);
    expect(names.sort()).toEqual([...BACKUP_TABLES, ...TABLES_LEFT_OUT, BLOB_TABLE].sort());
  });

  for (const { kind } of databases()) {
    it(`gives the same database again on ${kind}, and an audit row that says so`, async () => {
      const other = await elsewhere(kind);
      const report = await restore(other, backup);
      expect(report).toMatchObject({
        replaced: null,
        problems: [],
        restored: { skills: 2, versions: 3, presets: 1 },
      });
      expect(await contents(other)).toEqual(await contents(database.service));
      const [audit] = await sql(
        other,
        `SELECT "action", "id" FROM {audit_events} ORDER BY "id" DESC LIMIT 1`,
      );
      expect(audit).toMatchObject([{ action: 'database.restore' }]);
      expect(await maintenanceOf(other).verify({ all: true })).toMatchObject({
        ok: true,
        checked: { versions: 3 },
      });
    }, 60_000);
  }

  it('puts nothing into a database that holds something, unless told to replace it', async () => {
    const other = await elsewhere(database.kind);
    await restore(other, backup);
    await sql(
      other,
      `INSERT INTO {presets} ("id", "label", "document") VALUES ('00000000-0000-4000-8000-000000000009', 'x', '{}')`,
    );
    const before = await contents(other);
    await expect(restore(other, backup)).rejects.toMatchObject({
      code: 'database_not_empty',
      message: expect.stringContaining('2 skills and 2 presets'),
    });
    expect(await contents(other)).toEqual(before);
    expect(await restore(other, backup, { replace: true })).toMatchObject({
      replaced: { skills: 2, presets: 2 },
    });
    expect(await contents(other)).toEqual(await contents(database.service));
  }, 60_000);

  it('changes nothing when the file is damaged, cut off, changed, of a later release, or none', async () => {
    const other = await elsewhere(database.kind);
    const text = gunzipSync(backup).toString('utf8');
    const lines = text.trimEnd().split('\n');
    const packed = (changed: readonly string[]): Buffer => gzipSync(`${changed.join('\n')}\n`);
    const head = JSON.parse(lines[0] ?? '') as { migrations: string[] };
    const wrong: [string, Buffer, string][] = [
      ['not compressed', Buffer.from(text), 'is not a backup'],
      ['something else', gzipSync('{"hello":1}\n'), 'is not a backup'],
      ['empty', gzipSync(''), 'it is empty'],
      ['cut off as a file', backup.subarray(0, backup.length - 20), 'cut off'],
      ['without its end', packed(lines.slice(0, -1)), 'its end is missing'],
      ['without a row', packed(lines.filter((line) => !line.startsWith('{"table":"labels"'))), 'rows'],
      ['with other bytes', packed(lines.map((line) => line.replace('"text":"x"', '"text":"y"'))), 'checksum'],
      [
        'of a later format',
        packed([JSON.stringify({ ...head, skillwright_backup: 2 }), ...lines.slice(1)]),
        'format 2',
      ],
      [
        'of a later schema',
        packed([JSON.stringify({ ...head, migrations: [...head.migrations, 'Later1'] }), ...lines.slice(1)]),
        'migration Later1 is not known',
      ],
    ];
    for (const [what, bytes, because] of wrong) {
      const refused = restore(other, bytes);
      expect({ what, error: await refused.catch((error: unknown) => error) }).toMatchObject({
        what,
        error: { code: 'backup_invalid', message: expect.stringContaining(because) },
      });
    }
    expect(await restore(other, backup)).toMatchObject({ replaced: null });
  }, 60_000);

  it('takes what is not whole only when forced, and names it', async () => {
    const damaged = await elsewhere(database.kind);
    await restore(damaged, backup);
    await sql(damaged, `UPDATE {skill_blobs} SET "bytes" = 'y' WHERE "bytes" = 'x'`);
    const bytes = await bytesOf(maintenanceOf(damaged).backup());
    const other = await elsewhere(database.kind);
    await expect(restore(other, bytes)).rejects.toMatchObject({
      code: 'backup_invalid',
      message: expect.stringContaining(
        'I1 demo version 1 step_config.json: its stored bytes are not what their hash says',
      ),
    });
    expect(await restore(other, bytes, { force: true })).toMatchObject({
      problems: [{ invariant: 'I1', subject: 'demo' }],
    });
  }, 60_000);

  it('lets the next sync compare folders anew: equal ones stay, and what differs is kept as a version', async () => {
    const other = await elsewhere(database.kind);
    await restore(other, backup);
    const place = new TempFolder();
    place.skill('skills/tidy', { body: 'Later than the backup.' });
    place.skill('skills/gone');
    const restored = await storedCatalog({ service: other, options: database.options }, place);
    await restored.catalog.refresh();
    await restored.catalog.refresh();
    const skill = restored.catalog.stored?.skills.at('workspace', 'tidy');
    const versions = (await restored.catalog.stored?.versions.versions(skill?.id ?? '')) ?? [];
    expect(versions.map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    expect(versions[0]?.digest).toBe(versions[2]?.digest);
    expect(place.read('skills/tidy/SKILL.md')).toContain('Second "quoted"');
    expect(await maintenanceOf(other).verify({ all: true })).toMatchObject({ ok: true });
    await restored.catalog.stop();
    place.remove();
  }, 60_000);

  if (database.kind === 'postgres') {
    it('waits for no service: it refuses while one works on the database', async () => {
      const other = await elsewhere('postgres');
      await sql(
        other,
        `INSERT INTO {workspaces} ("id", "machine", "lease_until") VALUES
         ('00000000-0000-4000-8000-000000000003', 'm', now() + interval '10 seconds')`,
      );
      await expect(restore(other, backup, { replace: true })).rejects.toMatchObject({
        code: 'database_in_use',
      });
    });
  }
});

async function sql(service: DatabaseService, ...statements: string[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const statement of statements) {
    answers.push(
      await service.run((manager) =>
        manager.query(statement.replace(/\{(\w+)\}/g, (_, name: string) => inSchema(manager, name))),
      ),
    );
  }
  return answers;
}

/** Every row of every table that is backed up, without what the restore itself wrote. */
async function contents(service: DatabaseService): Promise<Record<string, unknown>> {
  const tables: Record<string, unknown> = {};
  for (const name of [...BACKUP_TABLES, BLOB_TABLE]) {
    if (name === 'counters') continue;
    const without = name === BLOB_TABLE ? `to_jsonb(t) - 'created_at'` : 'to_jsonb(t)';
    const where = name === 'audit_events' ? `WHERE "action" <> 'database.restore'` : '';
    [tables[name]] = await sql(
      service,
      `SELECT ${without} AS row FROM {${name}} t ${where} ORDER BY to_jsonb(t)::text`,
    );
    if (name === BLOB_TABLE)
      tables[name] = (tables[name] as { row: object }[]).map((row) => JSON.stringify(row)).sort();
  }
  return tables;
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** As a slow disk would give it. */
function inPieces(bytes: Buffer): AsyncIterable<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 1000) pieces.push(bytes.subarray(at, at + 1000));
  return Readable.from(pieces);
}

import { afterAll, beforeAll, expect } from '@jest/globals';
import { inSchema } from '../../src/database/migrations/in-schema.js';
import { systemAuthor } from '../../src/events/author.js';
import { Maintenance } from '../../src/maintenance/maintenance.service.js';
import { type Problem } from '../../src/maintenance/verification.js';
import { commitConfig } from '../../src/skills/store/workflow-config.store.js';
import { BlobStore } from '../../src/skills/store/blob.store.js';
import { WorkspaceFiles } from '../../src/workspace/workspace-files.adapter.js';
import { describeOnDatabases, it } from '../support/databases.js';
import { storedCatalog, type StoredGround } from '../support/stored-catalog.js';
import { TempFolder } from '../support/temp-folder.js';

describeOnDatabases('verify', (database) => {
  let temp: TempFolder;
  let ground: StoredGround;
  let maintenance: Maintenance;

  beforeAll(async () => {
    temp = new TempFolder();
    temp.skill('skills/tidy', { body: 'First.' });
    temp.write('skills/tidy/scripts/run.sh', '#!/bin/sh\necho tidy\n', { mode: 0o755 });
    temp.skill('skills/plain');
    ground = await storedCatalog(database, temp);
    temp.skill('skills/tidy', { body: 'Second.' });
    await ground.catalog.refresh();
    maintenance = new Maintenance(ground.options, database.service, new WorkspaceFiles());
  });

  afterAll(async () => {
    await ground.catalog.stop();
    temp.remove();
  });

  const sql = (statement: string): Promise<unknown> =>
    database.service.run((manager) =>
      manager.query(statement.replace(/\{(\w+)\}/g, (_, name: string) => inSchema(manager, name))),
    );

  /** What is found while the damage lasts; the statements in the second list put everything back. */
  const found = async (damage: string[], repair: string[], all = false): Promise<readonly Problem[]> => {
    for (const statement of damage) await sql(statement);
    const { ok, problems } = await maintenance.verify({ all });
    for (const statement of repair) await sql(statement);
    expect(ok).toBe(problems.length === 0);
    return problems;
  };

  const oldBlob = `"sha256" = (SELECT f->>'sha256' FROM {skill_versions} v, jsonb_array_elements(v."manifest") f
    JOIN {skills} s ON s."slug" = 'tidy' WHERE v."skill_id" = s."id" AND v."version" = 1 AND f->>'path' = 'SKILL.md')`;
  const script = oldBlob.replace("'SKILL.md'", "'scripts/run.sh'");

  it('finds nothing where everything is whole, and says how much it looked at', async () => {
    expect(await maintenance.verify({ all: false })).toMatchObject({
      ok: true,
      problems: [],
      checked: { skills: 2, versions: 2, blobs: 3, audit_rows: 3 },
    });
    expect(await maintenance.verify({ all: true })).toMatchObject({
      ok: true,
      checked: { versions: 3, blobs: 4 },
    });
  });

  it('names skill, version and file whose stored bytes are other ones', async () => {
    const problems = await found(
      [`UPDATE {skill_blobs} SET "bytes" = "bytes" || 'x'::bytea WHERE ${script}`],
      [`UPDATE {skill_blobs} SET "bytes" = substring("bytes" FROM 1 FOR "size") WHERE ${script}`],
    );
    expect(problems).toEqual([
      {
        invariant: 'I1',
        subject: 'tidy',
        layer: 'workspace',
        version: 2,
        path: 'scripts/run.sh',
        text: 'its stored bytes are not what their hash says',
      },
    ]);
  });

  it('looks at earlier versions only when asked to', async () => {
    const damage = [
      `CREATE TABLE {kept} AS SELECT * FROM {skill_blobs} WHERE ${oldBlob}`,
      `DELETE FROM {skill_blobs} WHERE ${oldBlob}`,
    ];
    const repair = ['INSERT INTO {skill_blobs} SELECT * FROM {kept}', 'DROP TABLE {kept}'];
    expect(await found(damage, repair)).toEqual([]);
    expect(await found(damage, repair, true)).toMatchObject([
      { invariant: 'I1', subject: 'tidy', version: 1, path: 'SKILL.md', text: 'its bytes are not stored' },
    ]);
  });

  it('finds a digest that its files or its row do not have', async () => {
    const problems = await found(
      [`UPDATE {skills} SET "digest" = 'sha256:0' WHERE "slug" = 'plain'`],
      [
        `UPDATE {skills} s SET "digest" = v."digest" FROM {skill_versions} v WHERE v."skill_id" = s."id"
        AND v."version" = s."version"`,
      ],
    );
    expect(problems).toMatchObject([{ invariant: 'I1', subject: 'plain', version: 1 }]);
  });

  it('finds a current version that is not the newest, and a missing one', async () => {
    const back = [`UPDATE {skills} SET "version" = 2 WHERE "slug" = 'tidy'`];
    const behind = await found([`UPDATE {skills} SET "version" = 1 WHERE "slug" = 'tidy'`], back);
    expect(behind.filter(({ invariant }) => invariant === 'I4')).toMatchObject([
      { subject: 'tidy', text: 'its versions are 2 from 1 to 2, the current one is 1' },
    ]);
    const ahead = await found([`UPDATE {skills} SET "version" = 3 WHERE "slug" = 'tidy'`], back);
    expect(ahead).toMatchObject([{ invariant: 'I4', subject: 'tidy', version: 3 }]);
  });

  it('finds a version without an audit row, and an audit row without its version', async () => {
    const lost = await found(
      [
        `CREATE TABLE {kept} AS SELECT * FROM {audit_events} WHERE "slug" = 'tidy' AND "version" = 2`,
        `DELETE FROM {audit_events} WHERE "slug" = 'tidy' AND "version" = 2`,
      ],
      ['INSERT INTO {audit_events} SELECT * FROM {kept}', 'DROP TABLE {kept}'],
    );
    expect(lost).toMatchObject([
      { invariant: 'I6', subject: 'tidy', version: 2, text: 'it stands in the audit 0 times' },
      { invariant: 'I6', text: expect.stringContaining('audit rows are missing') },
    ]);
    const unkept = await found(
      [`UPDATE {audit_events} SET "digest" = 'sha256:1' WHERE "slug" = 'plain'`],
      [
        `UPDATE {audit_events} a SET "digest" = s."digest" FROM {skills} s WHERE s."slug" = a."slug" AND s."slug" = 'plain'`,
      ],
    );
    expect(unkept).toMatchObject([{ invariant: 'I6', subject: 'plain', version: 1 }]);
  });

  it('finds writes that nobody finishes and bytes that nobody collects, when they are old', async () => {
    const begun = (age: string): string[] => [
      `INSERT INTO {workspace_writes} SELECT "id", 'skill', 'tidy', NULL, NULL, now() - interval '${age}'
       FROM {workspaces}`,
      `INSERT INTO {skill_blobs} VALUES ('orphan', 1, 'x', now() - interval '${age}')`,
    ];
    const repair = ['DELETE FROM {workspace_writes}', `DELETE FROM {skill_blobs} WHERE "sha256" = 'orphan'`];
    expect(await found(begun('1 minute'), repair)).toEqual([]);
    expect(await found(begun('3 hours'), repair)).toMatchObject([
      { invariant: 'I5', subject: 'tidy' },
      { invariant: 'I5', path: 'orphan' },
    ]);
  });

  it('finds temporary files: old ones in the workspace, any in a folder that is only read', async () => {
    const source = new TempFolder();
    const options = { ...ground.options, discovery: { ...ground.options.discovery, path: [source.dir] } };
    const looking = new Maintenance(options, database.service, new WorkspaceFiles());
    temp.write('skills/tidy/.skw-0123456789abcdef', 'young');
    expect(await looking.verify({ all: false })).toMatchObject({ ok: true });
    const later = new Date(Date.now() - 7_200_000);
    temp.age('skills/tidy/.skw-0123456789abcdef', later);
    source.write('x/.skw-0123456789abcdef', 'foreign');
    const { problems } = await looking.verify({ all: false });
    expect(problems).toMatchObject([
      { invariant: 'I5', path: 'skills/tidy/.skw-0123456789abcdef' },
      { invariant: 'I8', path: source.path('x/.skw-0123456789abcdef') },
    ]);
    temp.removeFile('skills/tidy/.skw-0123456789abcdef');
    source.remove();
  });

  it('finds a migration that this release does not know', async () => {
    const problems = await found(
      [`INSERT INTO {migrations} ("timestamp", "name") VALUES (1999999999999, 'FromTheFuture1999999999999')`],
      [`DELETE FROM {migrations} WHERE "name" LIKE 'FromTheFuture%'`],
    );
    expect(problems).toEqual([
      { invariant: 'I9', text: 'migration FromTheFuture1999999999999 is not known to this release' },
    ]);
  });

  it('looks at the versions of workflow files too', async () => {
    const sha256 = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';
    await new BlobStore(database.service).put([[sha256, Buffer.from('x')]]);
    await ground.changes.run(systemAuthor('disk', 'test'), (change) =>
      commitConfig(change, {
        workflowId: 'demo',
        path: 'step_config.json',
        digest: sha256,
        size: 1,
        origin: 'disk',
        expectedVersion: 0,
        action: 'workflow.update',
      }),
    );
    expect(await maintenance.verify({ all: false })).toMatchObject({
      ok: true,
      checked: { workflow_versions: 1 },
    });
    const problems = await found(
      [`UPDATE {skill_blobs} SET "bytes" = 'y' WHERE "sha256" = '${sha256}'`],
      [`UPDATE {skill_blobs} SET "bytes" = 'x' WHERE "sha256" = '${sha256}'`],
    );
    expect(problems).toMatchObject([
      { invariant: 'I1', subject: 'demo', version: 1, path: 'step_config.json' },
    ]);
  });

  it('collects bytes that nobody refers to when they are an hour old, and nothing else', async () => {
    await sql(
      `INSERT INTO {skill_blobs} VALUES ('young', 1, 'x', now()), ('old', 1, 'x', now() - interval '61 minutes')`,
    );
    await sql(
      `UPDATE {skill_blobs} SET "created_at" = now() - interval '1 day' WHERE "sha256" NOT IN ('young', 'old')`,
    );
    expect(await maintenance.collectOrphans()).toBe(1);
    expect(await sql(`SELECT "sha256" FROM {skill_blobs} WHERE length("sha256") < 10`)).toEqual([
      { sha256: 'young' },
    ]);
    expect(await maintenance.verify({ all: true })).toMatchObject({ ok: true });
  });
});

import { existsSync, mkdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startedCatalog } from '../../support/catalog-of.js';
import { TempFolder } from '../../support/temp-folder.js';

let temp: TempFolder;

beforeEach(() => {
  temp = new TempFolder();
});
afterEach(() => {
  temp.remove();
});

describe('the content of a skill', () => {
  it('lists odd file names as they are and reads each', async () => {
    temp.skill('skills/odd#1', { name: 'odd' });
    const names = ['refs/100%.md', 'refs/[draft] résumé.md', 'refs/part one.md', 'refs/a\u0308.md'];
    for (const name of names) temp.write(`skills/odd#1/${name}`, name);
    const catalog = await startedCatalog(temp);
    const entry = catalog.snapshot().bySlug.get('odd#1')!;
    const { files } = await catalog.content(entry);
    expect(files.map(({ path }) => path)).toEqual(['SKILL.md', ...[...names].sort()]);
    for (const name of names) {
      expect((await catalog.readFile(entry, name)).bytes.toString()).toBe(name);
    }
  });

  it('leaves out what is no part of a skill, and names that are not UTF-8 with a remark', async () => {
    temp.skill('skills/one');
    for (const junk of [
      '.DS_Store',
      'a.pyc',
      'draft~',
      '.skw-12ab',
      '.notes.md.swp',
      'node_modules/x/index.js',
    ]) {
      temp.write(`skills/one/${junk}`, 'x');
    }
    temp.write('skills/one/.env.example', 'KEY=');
    writeFileSync(Buffer.concat([Buffer.from(`${temp.path('skills/one')}/`), Buffer.from([0xe9])]), 'x');
    const catalog = await startedCatalog(temp);
    const content = await catalog.content(catalog.snapshot().bySlug.get('one')!);
    expect(content.files.map(({ path }) => path)).toEqual(['SKILL.md', '.env.example']);
    expect(content.findings).toMatchObject([{ code: 'file_name_unreadable', found: String.raw`"\xe9"` }]);
  });

  it('leaves out files whose names no door would take, with a remark', async () => {
    temp.skill('skills/one');
    for (const name of ['notes/two\nlines.md', 'notes/back\\slash.md', 'notes/plain.md']) {
      temp.write(`skills/one/${name}`, 'x');
    }
    const catalog = await startedCatalog(temp);
    const content = await catalog.content(catalog.snapshot().bySlug.get('one')!);
    expect(content.files.map(({ path }) => path)).toEqual(['SKILL.md', 'notes/plain.md']);
    expect(content.findings).toMatchObject([
      { code: 'file_name_unreadable', path: 'notes', message: expect.stringContaining('backslash') },
      { code: 'file_name_unreadable', path: 'notes', message: expect.stringContaining('control character') },
    ]);
  });

  it('has a digest over paths, modes and bytes, whatever the order on disk', async () => {
    for (const slug of ['one', 'two']) {
      temp.write(`skills/${slug}/SKILL.md`, '---\nname: same\ndescription: Same.\n---\nText.\n');
      for (const name of slug === 'one' ? ['a', 'b'] : ['b', 'a']) temp.write(`skills/${slug}/${name}`, name);
    }
    const catalog = await startedCatalog(temp);
    const digest = async (slug: string): Promise<string> =>
      (await catalog.content(catalog.snapshot().bySlug.get(slug)!)).digest;
    const before = await digest('one');
    expect(await digest('two')).toBe(before);
    temp.write('skills/two/a', 'a', { mode: 0o755 });
    await catalog.refresh();
    expect(await digest('two')).not.toBe(before);
    expect(await digest('one')).toBe(before);
  });

  it('is read once for callers that ask at the same time', async () => {
    temp.skill('skills/one');
    const catalog = await startedCatalog(temp);
    const entry = catalog.snapshot().bySlug.get('one')!;
    const [first, second] = await Promise.all([catalog.content(entry), catalog.content(entry)]);
    expect(second).toBe(first);
    expect(catalog.knownContent(entry)).toBe(first);
  });

  it('stays known while a file is only touched, and the revision with it', async () => {
    temp.skill('skills/one');
    temp.write('skills/one/run.sh', 'echo');
    const catalog = await startedCatalog(temp);
    const entry = catalog.snapshot().bySlug.get('one')!;
    await catalog.content(entry);
    const before = catalog.snapshot();
    temp.age('skills/one/SKILL.md');
    temp.age('skills/one/run.sh');
    expect(await catalog.refresh()).toBe(before);
    expect(catalog.knownContent(entry)).toBeDefined();
  });

  it('changes with a file that is added or removed', async () => {
    temp.skill('skills/one');
    const catalog = await startedCatalog(temp);
    await catalog.content(catalog.snapshot().bySlug.get('one')!);
    temp.write('skills/one/refs/new.md', 'x');
    const added = await catalog.refresh();
    expect((await catalog.content(added.bySlug.get('one')!)).files).toHaveLength(2);
    unlinkSync(temp.path('skills/one/refs/new.md'));
    const removed = await catalog.refresh();
    expect(removed.revision).toBe(added.revision + 1);
    expect((await catalog.content(removed.bySlug.get('one')!)).files).toHaveLength(1);
  });

  it('is known for the same skill also when another location gives it a remark', async () => {
    temp.skill('skills/pdf');
    mkdirSync(temp.path('bundle'));
    const catalog = await startedCatalog(temp, { options: { bundled: { dir: temp.path('bundle') } } });
    await catalog.content(catalog.snapshot().bySlug.get('pdf')!);
    temp.skill('bundle/pdf');
    await catalog.refresh();
    const entry = catalog.snapshot().bySlug.get('pdf')!;
    expect(entry.findings).toMatchObject([{ code: 'shadows_bundled' }]);
    expect(catalog.knownContent(entry)).toBeDefined();
  });

  it('stops at the limits of a skill and says so', async () => {
    temp.skill('skills/many');
    for (let n = 0; n < 30; n++) temp.write(`skills/many/f${n}`, 'x');
    temp.write('skills/many/large.bin', 'x'.repeat(500));
    const limits = { skillFiles: 20, fileBytes: 400 };
    const catalog = await startedCatalog(temp, { options: { limits } });
    const content = await catalog.content(catalog.snapshot().bySlug.get('many')!);
    expect(content.files).toHaveLength(20);
    expect(content.findings.map(({ code }) => code)).toContain('skill_too_large');
  });

  it('refuses unsafe paths and files that it does not list', async () => {
    temp.skill('skills/one');
    const catalog = await startedCatalog(temp);
    const entry = catalog.snapshot().bySlug.get('one')!;
    for (const path of ['../one/SKILL.md', '/etc/passwd', 'a\\b', 'SKILL.md\u0000', '']) {
      await expect(catalog.readFile(entry, path)).rejects.toMatchObject({ code: 'path_invalid' });
    }
    await expect(catalog.readFile(entry, 'none.md')).rejects.toMatchObject({ code: 'file_not_found' });
  });

  it('is an error with a code when the folder is gone', async () => {
    temp.skill('skills/one');
    const catalog = await startedCatalog(temp);
    const entry = catalog.snapshot().bySlug.get('one')!;
    rmSync(temp.path('skills/one'), { recursive: true });
    await expect(catalog.content(entry)).rejects.toMatchObject({ code: 'skill_not_found' });
    await expect(catalog.readDocument(entry)).rejects.toMatchObject({ code: 'skill_not_found' });
  });

  it('of a builtin comes from code', async () => {
    const catalog = await startedCatalog(temp);
    const entry = catalog.snapshot().bySlug.get('agent-browser')!;
    const content = await catalog.content(entry);
    expect(content.body).not.toBe('');
    expect(content.files[0]).toMatchObject({ path: 'SKILL.md', sha256: content.fileHash });
    expect((await catalog.readFile(entry, 'SKILL.md')).bytes.toString()).toContain('name: agent-browser');
    expect(existsSync(temp.path('skills'))).toBe(false);
  });

  it('of a bundled skill with scripts has the shared files beside them', async () => {
    temp.skill('bundle/with-scripts');
    temp.write('bundle/with-scripts/scripts/run.py', 'run');
    temp.write('bundle/with-scripts/scripts/_shared/own.py', 'own');
    temp.skill('bundle/without');
    temp.write('bundle/_shared/lib.py', 'lib');
    temp.write('bundle/_shared/own.py', 'shared');
    const catalog = await startedCatalog(temp, { options: { bundled: { dir: temp.path('bundle') } } });
    const entry = catalog.snapshot().bySlug.get('with-scripts')!;
    const { files, digest } = await catalog.content(entry);
    expect(files.map(({ path }) => path)).toEqual([
      'SKILL.md',
      'scripts/_shared/lib.py',
      'scripts/_shared/own.py',
      'scripts/run.py',
    ]);
    expect((await catalog.readFile(entry, 'scripts/_shared/lib.py')).bytes.toString()).toBe('lib');
    expect((await catalog.readFile(entry, 'scripts/_shared/own.py')).bytes.toString()).toBe('own');
    expect((await catalog.content(catalog.snapshot().bySlug.get('without')!)).files).toHaveLength(1);
    temp.write('bundle/_shared/lib.py', 'lib 2');
    const after = await catalog.refresh();
    expect((await catalog.content(after.bySlug.get('with-scripts')!)).digest).not.toBe(digest);
  });
});

describe('the document of a skill', () => {
  it('is the file as it is now, with places of its keys', async () => {
    temp.skill('skills/one', { body: 'First.' });
    const catalog = await startedCatalog(temp);
    const entry = catalog.snapshot().bySlug.get('one')!;
    const document = await catalog.readDocument(entry);
    expect(document).toMatchObject({ body: 'First.', valid: true });
    expect([...document.spans.keys()]).toEqual(['name', 'description']);
  });
});

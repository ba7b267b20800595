import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  linkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CopyFile } from '../../../src/skills/sync/copy-acts.js';
import { WorkingCopy, type CopyOutcome } from '../../../src/skills/sync/working-copy.service.js';
import { WorkspaceFiles } from '../../../src/workspace/workspace-files.adapter.js';
import { TempFolder } from '../../support/temp-folder.js';

type Version = Readonly<Record<string, string>>;
const LIMITS = { fileBytes: 1000 };
const blobs = new Map<string, Buffer>();
const bytesOf = (sha256: string): Promise<Buffer> => Promise.resolve(blobs.get(sha256)!);
let temp: TempFolder;

beforeEach(() => {
  temp = new TempFolder();
  mkdirSync(temp.path('skills'));
});
afterEach(() => {
  temp.remove();
});

/** A text that starts with `#!` is executable. */
function manifest(version: Version): CopyFile[] {
  return Object.entries(version).map(([path, text]) => {
    const bytes = Buffer.from(text);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    blobs.set(sha256, bytes);
    return { path, size: bytes.length, sha256, mode: text.startsWith('#!') ? '0755' : '0644' };
  });
}

function lay(version: Version, folder = 'skills/pdf'): void {
  for (const [path, text] of Object.entries(version)) {
    temp.write(`${folder}/${path}`, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
}

function onDisk(folder = 'skills/pdf'): Version {
  const found: Record<string, string> = {};
  for (const item of readdirSync(temp.path(folder), { recursive: true, encoding: 'utf8' })) {
    const place = temp.path(folder, item);
    if (statSync(place).isFile()) found[item] = readFileSync(place, 'utf8');
  }
  return found;
}

async function write(
  from: Version | null,
  to: Version,
  onStep?: (step: string) => void,
): Promise<CopyOutcome> {
  const copy = new WorkingCopy(new WorkspaceFiles(), LIMITS, onStep);
  const request = { from: from === null ? null : manifest(from), to: manifest(to), bytesOf };
  return copy.write(temp.path('skills'), 'pdf', request);
}

const remove = (folder: string, version: Version): Promise<CopyOutcome> =>
  new WorkingCopy(new WorkspaceFiles(), LIMITS).remove(temp.path('skills'), folder, manifest(version));

const ONE: Version = {
  'SKILL.md': 'one',
  'same.md': 'same',
  'run.sh': '#!one',
  'old/gone.md': 'gone',
  'old/deeper/gone.md': 'gone too',
  turned: 'a file',
  'opened/inner.md': 'inner',
};
const TWO: Version = {
  'SKILL.md': 'two',
  'same.md': 'same',
  'run.sh': '#!two',
  'refs/résumé 🙂.md': 'new',
  'turned/inside.md': 'now a folder',
  opened: 'now a file',
};

describe('writing a version', () => {
  it('makes the folder with executable files as such, in a folder that is not there yet', async () => {
    expect(await write(null, TWO)).toEqual({ kind: 'done' });
    expect(onDisk()).toEqual(TWO);
    expect(statSync(temp.path('skills/pdf/run.sh')).mode & 0o777).toBe(0o755);
    expect(statSync(temp.path('skills/pdf/same.md')).mode & 0o777).toBe(0o644);
  });

  it('gets from one version to another, removes emptied folders and touches nothing that is equal', async () => {
    lay(ONE);
    const before = statSync(temp.path('skills/pdf/same.md'));
    expect(await write(ONE, TWO)).toEqual({ kind: 'done' });
    expect(onDisk()).toEqual(TWO);
    expect(existsSync(temp.path('skills/pdf/old'))).toBe(false);
    expect(statSync(temp.path('skills/pdf/same.md')).ctimeMs).toBe(before.ctimeMs);
  });

  it('changes only the mode when only the mode differs', async () => {
    lay({ 'SKILL.md': 'one' });
    const to = manifest({ 'SKILL.md': 'one' }).map((file) => ({ ...file, mode: '0755' as const }));
    const copy = new WorkingCopy(new WorkspaceFiles(), LIMITS);
    const from = manifest({ 'SKILL.md': 'one' });
    expect(await copy.write(temp.path('skills'), 'pdf', { from, to, bytesOf })).toEqual({ kind: 'done' });
    expect(statSync(temp.path('skills/pdf/SKILL.md')).mode & 0o777).toBe(0o755);
  });

  it('writes SKILL.md after everything else, deletions included', async () => {
    lay(ONE);
    const steps: string[] = [];
    await write(ONE, TWO, (step) => steps.push(step));
    expect(steps.at(-1)).toBe('put SKILL.md in its place');
    const firstOf = (what: string): number => steps.findIndex((step) => step.startsWith(what));
    expect(firstOf('delete old')).toBeGreaterThan(firstOf('write run.sh'));
  });

  it('leaves alone what belongs to neither version', async () => {
    lay(ONE);
    const theirs = { 'theirs.md': 'new', '.git/config': 'git', 'old/notes.md': 'mine', 'draft~': 'x' };
    lay(theirs);
    expect(await write(ONE, TWO)).toEqual({ kind: 'done' });
    expect(onDisk()).toEqual({ ...TWO, ...theirs });
  });

  it('leaves a file alone that a person changed and both versions share', async () => {
    lay({ ...ONE, 'same.md': 'edited' });
    expect(await write(ONE, TWO)).toEqual({ kind: 'done' });
    expect(onDisk()).toEqual({ ...TWO, 'same.md': 'edited' });
  });

  it('changes nothing when a file that would be replaced or deleted holds something else', async () => {
    const edited = { ...ONE, 'run.sh': '#!edited', 'old/gone.md': 'edited' };
    lay(edited);
    expect(await write(ONE, TWO)).toEqual({ kind: 'changed', paths: ['old/gone.md', 'run.sh'] });
    expect(onDisk()).toEqual(edited);
    expect(await write(edited, TWO)).toEqual({ kind: 'done' });
    expect(onDisk()).toEqual(TWO);
  });

  it('takes a removed file and a changed mode for changes', async () => {
    lay(ONE);
    chmodSync(temp.path('skills/pdf/run.sh'), 0o644);
    expect(await write(ONE, TWO)).toEqual({ kind: 'changed', paths: ['run.sh'] });
    const { 'run.sh': gone, ...rest } = ONE;
    expect(gone).toBe('#!one');
    temp.remove();
    lay(rest);
    expect(await write(ONE, TWO)).toEqual({ kind: 'changed', paths: ['run.sh'] });
  });

  it('wants what lies in a folder kept before a file takes its place', async () => {
    lay({ ...ONE, 'opened/theirs.md': 'theirs' });
    expect(await write(ONE, TWO)).toEqual({ kind: 'changed', paths: ['opened/theirs.md'] });
    lay({ 'opened/.git/config': 'x' });
    expect(await write({ ...ONE, 'opened/theirs.md': 'theirs' }, TWO)).toMatchObject({ kind: 'blocked' });
    expect(onDisk()['opened/theirs.md']).toBe('theirs');
  });

  it('never replaces an edit made at any moment before the file is put in its place', async () => {
    for (const path of ['SKILL.md', 'run.sh', 'old/gone.md', 'turned']) {
      const step = path in TWO ? `put ${path} in its place` : `delete ${path}`;
      temp.remove();
      lay(ONE);
      const edit = (now: string): void => {
        if (now === step) writeFileSync(temp.path('skills/pdf', path), 'theirs');
      };
      expect(await write(ONE, TWO, edit)).toEqual({ kind: 'changed', paths: [path] });
      expect(onDisk()[path]).toBe('theirs');
      expect(Object.keys(onDisk()).filter((name) => name.includes('.skw-'))).toEqual([]);
    }
  });

  it('is finished by asking again, wherever it stopped', async () => {
    let steps = 0;
    lay(ONE);
    await write(ONE, TWO, () => steps++);
    expect(steps).toBeGreaterThan(10);
    for (let stop = 1; stop <= steps; stop++) {
      temp.remove();
      lay(ONE);
      let left = stop;
      const kill = (): void => {
        if (--left === 0) throw new Error('killed');
      };
      await expect(write(ONE, TWO, kill)).rejects.toThrow('killed');
      temp.write('skills/pdf/refs/.skw-0123456789abcdef', 'half');
      temp.write('skills/pdf/.skw-0123456789abcdef', 'half');
      expect(await write(ONE, TWO)).toEqual({ kind: 'done' });
      expect(onDisk()).toEqual(TWO);
      expect(existsSync(temp.path('skills/pdf/old'))).toBe(false);
    }
  });

  it('gives a link bytes of its own before its target changes', async () => {
    lay({ 'SKILL.md': 'one', 'a.md': 'shared' });
    symlinkSync('a.md', temp.path('skills/pdf/b.md'));
    const from = { 'SKILL.md': 'one', 'a.md': 'shared', 'b.md': 'shared' };
    expect(await write(from, { ...from, 'a.md': 'other' })).toEqual({ kind: 'done' });
    expect(onDisk()).toEqual({ ...from, 'a.md': 'other' });
  });

  it('stops at what no version can hold, and writes nothing outside the root', async () => {
    mkdirSync(temp.path('outside'));
    lay({ 'SKILL.md': 'one' });
    symlinkSync(temp.path('outside'), temp.path('skills/pdf/refs'));
    expect(await write({ 'SKILL.md': 'one' }, TWO)).toMatchObject({
      kind: 'blocked',
      paths: ['refs/résumé 🙂.md'],
    });
    expect(onDisk()['SKILL.md']).toBe('one');
    temp.remove();
    mkdirSync(temp.path('outside'), { recursive: true });
    lay({ 'SKILL.md': 'one' });
    writeFileSync(temp.path('outside/kept'), '#!one');
    linkSync(temp.path('outside/kept'), temp.path('skills/pdf/run.sh'));
    expect(await write({ 'SKILL.md': 'one' }, TWO)).toMatchObject({ kind: 'blocked', paths: ['run.sh'] });
    temp.remove();
    mkdirSync(temp.path('outside'), { recursive: true });
    mkdirSync(temp.path('skills'));
    symlinkSync(temp.path('outside'), temp.path('skills/pdf'));
    expect(await write(null, TWO)).toMatchObject({ kind: 'blocked', paths: ['pdf'] });
    expect(readdirSync(temp.path('outside'))).toEqual([]);
  });
});

describe('removing a version', () => {
  it('removes the folder and its emptied groups, but not the group of custom skills', async () => {
    lay(ONE, 'skills/custom/team/pdf');
    temp.write('skills/custom/team/pdf/.skw-0123456789abcdef', 'half');
    expect(await remove('custom/team/pdf', ONE)).toEqual({ kind: 'done' });
    expect(readdirSync(temp.path('skills/custom'))).toEqual([]);
    lay(ONE, 'skills/team/pdf');
    lay(ONE, 'skills/team/other');
    expect(await remove('team/pdf', ONE)).toEqual({ kind: 'done' });
    expect(readdirSync(temp.path('skills/team'))).toEqual(['other']);
  });

  it('leaves what others put there', async () => {
    lay({ ...ONE, 'old/theirs.md': 'theirs' });
    expect(await remove('pdf', ONE)).toEqual({ kind: 'done' });
    expect(onDisk()).toEqual({ 'old/theirs.md': 'theirs' });
  });

  it('removes nothing while a file holds something else', async () => {
    lay({ ...ONE, 'same.md': 'edited' });
    expect(await remove('pdf', ONE)).toEqual({ kind: 'changed', paths: ['same.md'] });
    expect(onDisk()).toEqual({ ...ONE, 'same.md': 'edited' });
  });

  it('is done when nothing is there', async () => {
    expect(await remove('pdf', ONE)).toEqual({ kind: 'done' });
  });
});

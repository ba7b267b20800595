import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkspaceFiles } from '../../../src/workspace/workspace-files.adapter.js';
import { TempFolder } from '../../support/temp-folder.js';

const files = new WorkspaceFiles();
const LIMIT = { maxBytes: 1000 };
let temp: TempFolder;

beforeEach(() => {
  temp = new TempFolder();
  mkdirSync(temp.path('root'));
});
afterEach(() => {
  temp.remove();
});

const read = (path: string): string => {
  const result = files.readFile(temp.path('root'), path, LIMIT);
  return result.kind === 'ok' ? result.bytes.toString() : result.reason;
};

describe('reading below a root', () => {
  it('gives bytes, mode and stamp of a regular file', () => {
    temp.write('root/bin/run', 'echo', { mode: 0o755 });
    expect(files.readFile(temp.path('root'), 'bin/run', LIMIT)).toMatchObject({
      kind: 'ok',
      bytes: Buffer.from('echo'),
      mode: '0755',
      stamp: { size: 4 },
    });
  });

  it('says why there is nothing: missing, a folder, a link, too large', () => {
    temp.write('root/big', 'x'.repeat(1001));
    temp.write('root/real', 'x');
    symlinkSync('real', temp.path('root/link'));
    mkdirSync(temp.path('root/folder'));
    expect(['none', 'real/below', 'folder', 'link', 'big'].map(read)).toEqual([
      'missing',
      'missing',
      'not_regular',
      'link',
      'too_large',
    ]);
  });

  it('refuses a file that lies outside by way of a linked folder', () => {
    temp.write('outside/secret', 'secret');
    symlinkSync(temp.path('outside'), temp.path('root/way'));
    expect(read('way/secret')).toBe('outside');
  });

  it('does not wait for a pipe', () => {
    execFileSync('mkfifo', [temp.path('root/pipe')]);
    expect(read('pipe')).toBe('not_regular');
  });

  it('refuses sixty megabytes without reading them', () => {
    temp.write('root/SKILL.md', '');
    truncateSync(temp.path('root/SKILL.md'), 60_000_000);
    expect(read('SKILL.md')).toBe('too_large');
  });

  it('refuses unsafe paths as an error of the caller', () => {
    for (const path of ['../x', '/etc/passwd', 'a\\b', '']) {
      expect(() => read(path)).toThrow(expect.objectContaining({ code: 'path_invalid' }));
    }
  });

  it('never gives foreign bytes while a file is swapped for a link', async () => {
    temp.write('outside/secret', 'secret');
    temp.write('root/a', 'mine');
    const swap = `
      const fs = require('node:fs');
      const [root, secret] = process.argv.slice(1);
      for (const end = Date.now() + 700; Date.now() < end; ) {
        fs.symlinkSync(secret, root + '/l'); fs.renameSync(root + '/l', root + '/a');
        fs.writeFileSync(root + '/f', 'mine'); fs.renameSync(root + '/f', root + '/a');
      }`;
    const { spawn } = await import('node:child_process');
    const other = spawn(process.execPath, ['-e', swap, temp.path('root'), temp.path('outside/secret')]);
    const done = new Promise((resolve) => other.once('exit', resolve));
    const seen = new Map<string, number>();
    while (other.exitCode === null) {
      for (let i = 0; i < 200; i++) seen.set(read('a'), (seen.get(read('a')) ?? 0) + 1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    expect([...seen.keys()].filter((text) => !['mine', 'link', 'missing', 'outside'].includes(text))).toEqual(
      [],
    );
    expect(seen.get('mine')).toBeGreaterThan(0);
  });
});

describe('listing', () => {
  it('sorts names and says what each is, links unresolved', () => {
    temp.write('root/b', '');
    mkdirSync(temp.path('root/a'));
    symlinkSync('a', temp.path('root/c'));
    expect(files.list(temp.path('root'))).toEqual({
      kind: 'ok',
      items: [
        { name: 'a', kind: 'folder' },
        { name: 'b', kind: 'file' },
        { name: 'c', kind: 'link' },
      ],
      unreadableNames: [],
    });
  });

  it('tells names that are not UTF-8 from names with a replacement character', () => {
    temp.write('root/odd\uFFFD.md', 'x');
    const raw = Buffer.concat([
      Buffer.from(`${temp.path('root')}/bad-`),
      Buffer.from([0xff]),
      Buffer.from('.md'),
    ]);
    mkdirSync(raw);
    expect(files.list(temp.path('root'))).toMatchObject({
      items: [{ name: 'odd\uFFFD.md', kind: 'file' }],
      unreadableNames: ['bad-\\xff.md'],
    });
  });

  it('says that a folder is missing', () => {
    expect(files.list(temp.path('root/none'))).toEqual({ kind: 'missing' });
  });
});

describe('writing below a root', () => {
  const write = (path: string, text: string): void => {
    files.writeFileAtomic(temp.path('root'), path, text);
  };

  it('creates, replaces and leaves no temporary file', () => {
    write('presets/one.json', '1');
    write('presets/one.json', '2');
    expect(readFileSync(temp.path('root/presets/one.json'), 'utf8')).toBe('2');
    expect(readdirSync(temp.path('root/presets'))).toEqual(['one.json']);
  });

  it('replaces a link instead of writing through it', () => {
    temp.write('outside/target', 'old');
    symlinkSync(temp.path('outside/target'), temp.path('root/file'));
    write('file', 'new');
    expect(read('file')).toBe('new');
    expect(readFileSync(temp.path('outside/target'), 'utf8')).toBe('old');
  });

  it('refuses a linked folder on the way', () => {
    mkdirSync(temp.path('outside'));
    symlinkSync(temp.path('outside'), temp.path('root/way'));
    for (const act of [
      (): void => {
        write('way/file', 'x');
      },
      (): void => {
        files.mkdir(temp.path('root'), 'way/folder');
      },
      (): void => {
        write('way/made/on/the/way', 'x');
      },
      (): void => {
        files.remove(temp.path('root'), 'way/file');
      },
    ]) {
      expect(act).toThrow(expect.objectContaining({ code: 'path_invalid' }));
    }
    expect(readdirSync(temp.path('outside'))).toEqual([]);
  });

  it('refuses to write below a file and over a folder, and leaves nothing behind', () => {
    temp.write('root/file', 'x');
    mkdirSync(temp.path('root/folder'));
    expect(() => {
      write('file/below', 'x');
    }).toThrow(expect.objectContaining({ code: 'path_invalid' }));
    expect(() => {
      write('folder', 'x');
    }).toThrow(expect.objectContaining({ code: 'path_invalid' }));
    expect(readdirSync(temp.path('root')).sort()).toEqual(['file', 'folder']);
  });

  it('removes a link and not what it points to; nothing there is fine', () => {
    temp.write('outside/kept', 'x');
    symlinkSync(temp.path('outside'), temp.path('root/way'));
    files.remove(temp.path('root'), 'way');
    files.remove(temp.path('root'), 'none/at/all');
    expect(readdirSync(temp.path('outside'))).toEqual(['kept']);
    expect(files.exists(temp.path('root'), 'way')).toBe(false);
  });

  it('removes single files only when they are files and nobody objects', () => {
    const root = temp.path('root');
    temp.write('root/folder/file', 'x');
    expect(files.removeFile(root, 'folder')).toBe(false);
    expect(files.removeFile(root, 'folder/file', { ifStill: () => false })).toBe(false);
    expect(files.removeEmptyFolder(root, 'folder')).toBe(false);
    expect(read('folder/file')).toBe('x');
    expect(files.removeFile(root, ['folder', 'file'])).toBe(true);
    expect(files.removeEmptyFolder(root, 'folder')).toBe(true);
  });

  it('leaves the file and no temporary one when asked at the last moment not to write', () => {
    write('file', 'old');
    const root = temp.path('root');
    expect(files.writeFileAtomic(root, 'file', 'new', { ifStill: () => false })).toBe(false);
    expect(readdirSync(root)).toEqual(['file']);
    expect(read('file')).toBe('old');
  });

  it('follows the root itself when the operator made it a link', () => {
    renameSync(temp.path('root'), temp.path('elsewhere'));
    symlinkSync(temp.path('elsewhere'), temp.path('root'));
    write('file', 'x');
    expect(read('file')).toBe('x');
    rmSync(temp.path('root'));
    expect(readdirSync(temp.path('elsewhere'))).toEqual(['file']);
  });
});

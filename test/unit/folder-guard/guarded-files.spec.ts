import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../../src/config/resolve-options.js';
import { FolderGuardService } from '../../../src/folder-guard/folder-guard.service.js';
import { type GuardGrants } from '../../../src/folder-guard/guard-grants.js';
import { TempFolder } from '../../support/temp-folder.js';

/** Turns a folder into a link to elsewhere and back, as fast as it can, from another thread. */
const SWAPPER = `
const fs = require('node:fs');
const { workerData, parentPort } = require('node:worker_threads');
const { shared, folder, away, target } = workerData;
const turns = new Int32Array(shared);
const attempt = (work) => { try { work(); } catch {} };
while (Atomics.load(turns, 1) === 0) {
  attempt(() => {
    fs.renameSync(folder, away);
    fs.symlinkSync(target, folder);
  });
  Atomics.add(turns, 0, 1);
  // A writer may have made the folder anew.
  attempt(() => fs.rmSync(folder, { recursive: true, force: true }));
  attempt(() => fs.renameSync(away, folder));
}
`;

describe('the file tools of the guard', () => {
  let folder: TempFolder;
  let guard: FolderGuardService;
  const grants: GuardGrants = {
    skills: [{ target: 'skills/rig', source: null, digest: null }],
    write_paths: ['out'],
  };

  beforeEach(() => {
    folder = new TempFolder();
    folder.write('ws/skills/rig/SKILL.md', 'rig');
    folder.write('ws/skills/rig/refs/a.md', 'a');
    folder.write('ws/secret.txt', 'buried');
    folder.write('loot/x', 'loot');
    mkdirSync(folder.path('ws/out'));
    guard = new FolderGuardService(resolveOptions({ workspace: { dir: folder.path('ws') } }));
  });
  afterEach(() => {
    folder.remove();
  });

  const read = (path: string, cwd?: string): string => guard.readFile({ path, cwd, grants }).toString();
  const write = (path: string, text: string): void => {
    guard.writeFile({ path, grants }, text);
  };
  const refusal = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return (error as { code: string }).code;
    }
    return 'done';
  };

  it('read and write what is granted', () => {
    expect(read('skills/rig/refs/../SKILL.md')).toBe('rig');
    expect(read('a.md', 'skills/rig/refs')).toBe('a');
    write('out/made/now/f.txt', 'new');
    write('out/made/now/f.txt', 'newer');
    expect(read('out/made/now/f.txt')).toBe('newer');
    symlinkSync('../skills/rig/SKILL.md', folder.path('ws/out/l'));
    expect(read('out/l')).toBe('rig');
  });

  it('refuse everything else and change nothing', () => {
    symlinkSync(folder.path('loot'), folder.path('ws/out/away'));
    symlinkSync(folder.path('ws/secret.txt'), folder.path('ws/out/l'));
    for (const path of [
      'secret.txt',
      'out/l',
      'out/away/x',
      'skills',
      '/etc/passwd',
      '/proc/self/environ',
      '',
    ]) {
      expect(refusal(() => read(path))).toBe('guard_denied');
      expect(
        refusal(() => {
          write(path, 'x');
        }),
      ).toBe('guard_denied');
    }
    expect(
      refusal(() => {
        write('skills/rig/SKILL.md', 'x');
      }),
    ).toBe('guard_denied');
    linkSync(folder.path('ws/skills/rig/SKILL.md'), folder.path('ws/out/twin'));
    expect(
      refusal(() => {
        write('out/twin', 'x');
      }),
    ).toBe('guard_denied');
    expect(readFileSync(folder.path('ws/skills/rig/SKILL.md'), 'utf8')).toBe('rig');
    expect(readFileSync(folder.path('ws/secret.txt'), 'utf8')).toBe('buried');
  });

  it('tell a file that is not there, a folder, and one that is too large', () => {
    expect(refusal(() => read('out/gone'))).toBe('file_not_found');
    expect(refusal(() => read('skills/rig'))).toBe('guard_denied');
    expect(refusal(() => guard.readFile({ path: 'skills/rig/SKILL.md', grants }, { maxBytes: 2 }))).toBe(
      'file_too_large',
    );
  });

  it('never open what took the place of a judged folder meanwhile', async () => {
    folder.write('ws/out/d/x', 'ours');
    const shared = new SharedArrayBuffer(8);
    const turns = new Int32Array(shared);
    const places = {
      folder: folder.path('ws/out/d'),
      away: folder.path('ws/out/e'),
      target: folder.path('loot'),
    };
    const worker = new Worker(SWAPPER, { eval: true, workerData: { shared, ...places } });
    const outcomes = new Map<string, number>();
    const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    try {
      for (let tries = 0; tries < 2000 || Atomics.load(turns, 0) < 100; tries++) {
        count(
          refusal(() => {
            count(read('out/d/x'));
          }),
        );
        if (tries % 20 > 0) continue;
        count(
          refusal(() => {
            write('out/d/y', 'written');
          }),
        );
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      Atomics.store(turns, 1, 1);
      await new Promise((resolve) => worker.once('exit', resolve));
    }
    expect(outcomes.get('loot')).toBeUndefined();
    expect(readdirSync(folder.path('loot'))).toEqual(['x']);
    expect(outcomes.get('ours') ?? 0).toBeGreaterThan(0);
    expect(
      [...outcomes.keys()].filter(
        (one) => !['ours', 'done', 'guard_denied', 'file_not_found', 'path_invalid'].includes(one),
      ),
    ).toEqual([]);
  });
});

import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AccessRequest, decideAccess } from '../../../src/folder-guard/decide-access.js';
import { type GuardGrants } from '../../../src/folder-guard/guard-grants.js';
import { resolvePath } from '../../../src/folder-guard/resolve-path.js';
import { lookAtPath } from '../../../src/workspace/path-look.adapter.js';
import { TempFolder } from '../../support/temp-folder.js';

// Few names, so that paths meet.
const name = fc.constantFrom('a', 'b', 'c');
const segment = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 2, arbitrary: fc.constantFrom('..', '.', '') },
);
const below = (max: number) =>
  fc.array(name, { minLength: 1, maxLength: max }).map((names) => names.join('/'));
const pathText = fc.array(segment, { minLength: 1, maxLength: 7 }).map((segments) => segments.join('/'));

/** A file, folder or link somewhere. What does not fit any more is passed over. */
const item = fc.record({
  at: below(3),
  what: fc.oneof(
    fc.constant({ kind: 'file' as const }),
    fc.constant({ kind: 'folder' as const }),
    fc.record({
      kind: fc.constant('link' as const),
      target: fc.oneof(below(2), pathText),
      absolute: fc.boolean(),
    }),
  ),
});

type Item = typeof item extends fc.Arbitrary<infer T> ? T : never;

function build(root: string, items: readonly Item[]): void {
  for (const { at, what } of items) {
    const path = join(root, at);
    attempt(() => {
      mkdirSync(dirname(path), { recursive: true });
      if (what.kind === 'folder') mkdirSync(path);
      else if (what.kind === 'file') writeFileSync(path, at, { flag: 'wx' });
      else symlinkSync(what.absolute ? join(root, what.target) : what.target || '.', path);
    });
  }
}

/** Gives null where the system refuses. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

describe('the place of a path', () => {
  let folder: TempFolder;
  let run = 0;

  beforeEach(() => {
    folder = new TempFolder();
  });
  afterEach(() => {
    folder.remove();
  });

  it('is the one that the kernel finds', () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 12 }),
        fc.array(pathText, { minLength: 4, maxLength: 4 }),
        (items, texts) => {
          const root = folder.path(`tree-${run++}`);
          mkdirSync(root);
          build(root, items);
          for (const text of texts.filter((one) => one !== '' && !one.startsWith('/'))) {
            const asked = `${root}/${text}`;
            const rules = { from: root, look: lookAtPath, root };
            const ours = resolvePath(text, { ...rules, followLast: true });
            const kernel = attempt(() => realpathSync.native(asked));
            if (kernel !== null) expect(ours).toMatchObject({ kind: 'ok', path: kernel });
            else if (ours.kind === 'ok') expect(ours.found).toBe('missing');

            const entry = resolvePath(text, { ...rules, followLast: false });
            const last = basename(text);
            const plain = !text.endsWith('/') && last !== '.' && last !== '..';
            const parent = plain
              ? attempt(() => realpathSync.native(asked.slice(0, asked.lastIndexOf('/')) || '/'))
              : null;
            if (parent !== null && attempt(() => lstatSync(join(parent, last)))) {
              expect(entry).toMatchObject({ kind: 'ok', path: join(parent, last) });
            }
          }
        },
      ),
      { numRuns: 120 },
    );
  });

  it('of something missing is where the kernel makes it', () => {
    let made = 0;
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), pathText, (items, text) => {
        const root = folder.path(`tree-${run++}`);
        mkdirSync(root);
        build(root, items);
        if (text === '' || text.startsWith('/')) return;
        const ours = resolvePath(text, { from: root, look: lookAtPath, root, followLast: true });
        const fd = attempt(() => openSync(`${root}/${text}`, 'wx'));
        // Exclusive creation does not follow a dangling link; plain creation does.
        const opened = fd ?? attempt(() => openSync(`${root}/${text}`, 'a'));
        if (opened === null) return;
        made++;
        closeSync(opened);
        expect(ours).toMatchObject({ kind: 'ok', path: realpathSync.native(`${root}/${text}`) });
      }),
      { numRuns: 120 },
    );
    expect(made).toBeGreaterThan(5);
  });
});

/** What an agent may try. Everything that is allowed is then done. */
const attemptOf = fc.record({
  operation: fc.constantFrom(
    'write',
    'append',
    'mkdir',
    'delete',
    'rename',
    'copy',
    'chmod',
    'symlink',
    'hardlink',
  ),
  path: fc
    .tuple(fc.constantFrom('', 'out/', 'out/', 'out/a/', 'skill/'), fc.oneof(below(1), below(2), pathText))
    .map(([start, rest]) => start + rest),
  to: fc
    .tuple(fc.constantFrom('', 'out/', 'out/', 'skill/', '../'), fc.oneof(below(1), below(2), pathText))
    .map(([start, rest]) => start + rest),
});

function perform(root: string, { operation, path, to = '' }: AccessRequest): void {
  const from = `${root}/${path}`;
  const target = `${root}/${to}`;
  switch (operation) {
    case 'write':
      writeFileSync(from, 'changed');
      break;
    case 'append':
      appendFileSync(from, 'changed');
      break;
    case 'mkdir':
      mkdirSync(from);
      break;
    case 'delete':
      rmSync(from, { recursive: true });
      break;
    case 'rename':
      renameSync(from, target);
      break;
    case 'copy':
      copyFileSync(from, target);
      break;
    case 'chmod':
      chmodSync(from, 0o755);
      break;
    case 'symlink':
      symlinkSync(to, from);
      break;
    case 'hardlink':
      linkSync(from, target);
      break;
    case 'read':
    case 'list':
    case 'stat':
    case 'exec':
      break;
  }
}

/** Everything outside `out`, and the guarded folders in it. */
function protectedState(root: string): string[] {
  const lines: string[] = [];
  const walk = (path: string): void => {
    const stat = lstatSync(path);
    lines.push(
      `${path.slice(root.length)} ${stat.mode.toString(8)} ${stat.isFile() ? readFileSync(path, 'utf8') : ''}`,
    );
    if (stat.isDirectory()) for (const child of readdirSync(path).sort()) walk(join(path, child));
  };
  for (const child of readdirSync(root).sort()) if (child !== 'out') walk(join(root, child));
  for (const guarded of ['out/a/skill', 'out/b']) walk(join(root, guarded));
  return lines;
}

describe('an agent that does everything it is allowed to', () => {
  it('changes nothing outside its folder, and no skill and ban inside it', () => {
    const folder = new TempFolder();
    let run = 0;
    let done = 0;
    try {
      fc.assert(
        fc.property(
          fc.array(item, { maxLength: 8 }),
          fc.array(attemptOf, { minLength: 5, maxLength: 25 }),
          (items, tries) => {
            const root = folder.path(`ship-${run++}`);
            for (const file of ['skill/SKILL.md', 'out/a/skill/SKILL.md', 'out/b/kept', 'c/secret']) {
              mkdirSync(dirname(join(root, file)), { recursive: true });
              writeFileSync(join(root, file), file);
            }
            build(join(root, 'out'), items);
            const grants: GuardGrants = {
              skills: [
                { target: 'skill', source: null, digest: null },
                { target: 'out/a/skill', source: null, digest: null },
              ],
              write_paths: ['out'],
              blocked: ['out/b'],
            };
            const before = protectedState(root);
            for (const request of tries) {
              const two = ['rename', 'copy', 'symlink', 'hardlink'].includes(request.operation);
              const asked = { ...request, to: two ? request.to : undefined } as AccessRequest;
              if (!decideAccess(asked, grants, { root, look: lookAtPath }).allow) continue;
              if (attempt(() => (perform(root, asked), true)) === true) done++;
            }
            expect(protectedState(root)).toEqual(before);
          },
        ),
        { numRuns: 100 },
      );
    } finally {
      folder.remove();
    }
    expect(done).toBeGreaterThan(50);
  });
});

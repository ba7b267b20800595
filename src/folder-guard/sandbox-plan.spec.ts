import { describe, expect, it } from '@jest/globals';
import { type PathLook } from '../workspace/path-look.js';
import { bubblewrapArguments } from './bubblewrap.js';
import { containerArguments } from './container-mounts.js';
import { type GuardGrants } from './guard-grants.js';
import { type GuardGround, placeGrants } from './guard-roots.js';
import { planSandbox } from './sandbox-plan.js';

const FOLDERS = [
  '/ship',
  '/ship/skills',
  '/ship/skills/rig',
  '/ship/out',
  '/ship/out/lib',
  '/ship/out/lib/rig',
];
const TREE: Readonly<Record<string, PathLook>> = {
  ...Object.fromEntries(FOLDERS.map((path) => [path, { kind: 'folder' } as const])),
  '/ship/out/key': { kind: 'file', names: 1 },
  '/ship/charts': { kind: 'link', target: 'skills' },
};
const ground: GuardGround = { root: '/ship', look: (path) => TREE[path] ?? { kind: 'missing' } };
const skill = (target: string, source: string | null = null) => ({ target, source, digest: null });
const plan = (grants: GuardGrants) => planSandbox(placeGrants(grants, ground), ground);
const mountsOf = (grants: GuardGrants) =>
  plan(grants).mounts.map(
    ({ mode, source, target }) => `${mode} ${target}${source === target ? '' : ` = ${source ?? ''}`}`,
  );

describe('the plan of a sandbox', () => {
  it('shows what is granted and nothing else, outer places first', () => {
    expect(mountsOf({ skills: [skill('skills/rig')], write_paths: ['out'] })).toEqual([
      'write /ship/out',
      'read /ship/skills/rig',
    ]);
  });

  it('takes the bytes of a skill from its copy', () => {
    expect(mountsOf({ skills: [skill('skills/gone', '/store/abc')] })).toEqual([
      'read /ship/skills/gone = /store/abc',
    ]);
  });

  it('mounts the folders above a guarded place, since they could be renamed otherwise', () => {
    expect(mountsOf({ skills: [skill('out/lib/rig')], write_paths: ['out'] })).toEqual([
      'write /ship/out',
      'write /ship/out/lib',
      'read /ship/out/lib/rig',
    ]);
  });

  it('hides what is blocked only where it would be seen or could be made', () => {
    const { mounts, makeFolders, temporaryFolders } = plan({
      skills: [skill('skills/rig')],
      write_paths: ['out'],
      blocked: ['out/key', 'out/later/on', 'skills/rig/not-there', 'elsewhere'],
    });
    expect(mounts.filter(({ mode }) => mode === 'hide').map(({ target, found }) => [target, found])).toEqual([
      ['/ship/out/key', 'file'],
      ['/ship/out/later/on', 'folder'],
    ]);
    expect(makeFolders).toEqual(['/ship/out/later', '/ship/out/later/on']);
    expect(temporaryFolders).toEqual(makeFolders);
  });

  it('hides everything where everything is blocked', () => {
    expect(mountsOf({ write_paths: ['out'], blocked: ['.'] })).toEqual([]);
  });

  it('makes what may be written and is missing, to stay', () => {
    const { makeFolders, temporaryFolders } = plan({ write_paths: ['runs/7'] });
    expect([makeFolders, temporaryFolders]).toEqual([['/ship/runs/7'], []]);
  });

  it('brings the links along over which a grant leads', () => {
    expect(plan({ read_paths: ['charts/rig'] })).toMatchObject({
      mounts: [{ mode: 'read', target: '/ship/skills/rig' }],
      links: [{ at: '/ship/charts', target: 'skills' }],
    });
  });
});

describe('the arguments for bubblewrap', () => {
  const args = (more: object = {}) =>
    bubblewrapArguments(plan({ write_paths: ['out'] }), {
      cwd: '/ship',
      look: () => ({ kind: 'missing' }),
      ...more,
    });

  it('cut the command off from everything, and from the network unless it may', () => {
    for (const option of ['--unshare-all', '--die-with-parent', '--new-session', '--clearenv']) {
      expect(args()).toContain(option);
    }
    expect(args()).not.toContain('--share-net');
    expect(args({ network: true })).toContain('--share-net');
  });

  it('mount the place, or the descriptor that holds it, and end before the command', () => {
    expect(args().join(' ')).toContain('--bind /ship/out /ship/out');
    expect(args({ descriptorOf: () => 5 }).join(' ')).toContain('--bind-fd 5 /ship/out');
    expect(args().slice(-3)).toEqual(['--chdir', '/ship', '--']);
  });
});

describe('the arguments for a container', () => {
  it('mount the same, read-only where it is', () => {
    const grants = { skills: [skill('skills/rig')], write_paths: ['out'], blocked: ['out/key', 'out/lib'] };
    expect(containerArguments(plan(grants)).filter((one) => one !== '--mount')).toEqual([
      'type=bind,source=/ship/out,target=/ship/out',
      'type=bind,source=/dev/null,target=/ship/out/key,readonly',
      'type=tmpfs,target=/ship/out/lib,tmpfs-size=65536,readonly',
      'type=bind,source=/ship/skills/rig,target=/ship/skills/rig,readonly',
    ]);
  });

  it('quote what would be read as another field', () => {
    const grants = { skills: [skill('skills/rig', '/store/a,readonly=false,"b"')] };
    expect(containerArguments(plan(grants))[1]).toBe(
      'type=bind,"source=/store/a,readonly=false,""b""",target=/ship/skills/rig,readonly',
    );
  });
});

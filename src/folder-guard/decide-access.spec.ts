import { describe, expect, it } from '@jest/globals';
import { type PathLook } from '../workspace/path-look.js';
import { type AccessRequest, decideAccess } from './decide-access.js';
import { type GuardGrants, type SkillFolder } from './guard-grants.js';
import { type GuardGround } from './guard-roots.js';

const FOLDERS = ['skills/rig/refs', 'skills/rigging', 'skills-old', 'out/deep', 'data', 'shared/knots'];
const FILES = [
  'skills/rig/SKILL.md',
  'skills/rig/refs/a.md',
  'skills/rigging/SKILL.md',
  'out/log.txt',
  'secret.txt',
];

/** A tree as data: folders, files, and what `more` puts over them. */
function groundOf(more: Readonly<Record<string, PathLook>> = {}): GuardGround {
  const tree = new Map<string, PathLook>();
  const add = (path: string, look: PathLook): void => {
    const segments = `ship/${path}`.split('/');
    segments.forEach((_, index) => tree.set(`/${segments.slice(0, index).join('/')}`, { kind: 'folder' }));
    tree.set(`/ship/${path}`, look);
  };
  for (const path of FOLDERS) add(path, { kind: 'folder' });
  for (const path of FILES) add(path, { kind: 'file', names: 1 });
  for (const [path, look] of Object.entries(more)) add(path, look);
  return { root: '/ship', look: (path) => tree.get(path) ?? { kind: 'missing' } };
}

const link = (target: string): PathLook => ({ kind: 'link', target });
const rig: SkillFolder = { target: 'skills/rig', source: null, digest: null };
const STEP: GuardGrants = { skills: [rig], write_paths: ['out'] };

function decide(request: Partial<AccessRequest>, grants: GuardGrants = STEP, ground = groundOf()) {
  return decideAccess({ operation: 'read', path: '', ...request }, grants, ground);
}
const reasonOf = (...args: Parameters<typeof decide>) => decide(...args).because.kind;

describe('reading', () => {
  it.each([
    'skills/rig',
    'skills/rig/',
    'skills/rig/SKILL.md',
    './skills//rig/./SKILL.md',
    'skills/rig/refs/../SKILL.md',
    'skills/rig/not-written-yet.md',
    '/ship/skills/rig/refs/a.md',
  ])('is allowed for %j, in a skill of the step', (path) => {
    expect(decide({ path })).toMatchObject({ allow: true, because: { kind: 'skill' } });
  });

  it.each([
    'skills/rigging/SKILL.md',
    'skills/rig.bak/x',
    'skills/ri',
    'skills',
    'skills-old',
    'skills/rig/../rigging/SKILL.md',
    'skills/rig/../../secret.txt',
    'Skills/rig/SKILL.md',
    '../x',
    '.',
    '/',
    '/etc/passwd',
    '/shipwreck/skills/rig',
  ])('is denied for %j, which no grant holds', (path) => {
    expect(decide({ path })).toMatchObject({ allow: false, because: { kind: 'not_granted' } });
  });

  it.each([
    ['', 'empty'],
    ['skills/rig/a\0b', 'NUL'],
    ['skills/rig/..\\..\\secret.txt', 'backslash'],
    ['skills/rig/gone/../SKILL.md', 'does not exist'],
    ['skills/rig/SKILL.md/', 'not a folder'],
    ['skills/rig/SKILL.md/x', 'not a folder'],
    ['/proc/self/root/ship/skills/rig/SKILL.md', '/proc'],
    ['skills/rig/../../../proc/self/cwd/skills/rig', '/proc'],
    ['/dev/fd/3', '/dev'],
    [`skills/rig/${'x'.repeat(256)}`, 'too long'],
    [`skills/rig/${'d/'.repeat(3000)}x`, 'too long'],
  ])('is denied for %j, whose place cannot be told', (path, reason) => {
    const { allow, because } = decide({ path });
    expect({ allow, kind: because.kind }).toEqual({ allow: false, kind: 'unresolved' });
    expect(because.text).toContain(reason);
  });

  it('starts at cwd, and at the workspace without one', () => {
    expect(decide({ path: 'SKILL.md', cwd: 'skills/rig' })).toMatchObject({
      allow: true,
      path: 'skills/rig/SKILL.md',
    });
    expect(decide({ path: '../rig/SKILL.md', cwd: '/ship/skills/rigging' }).allow).toBe(true);
    expect(reasonOf({ path: 'SKILL.md', cwd: '/nowhere' })).toBe('not_granted');
    expect(reasonOf({ path: 'SKILL.md', cwd: '' })).toBe('unresolved');
  });

  it('expands nothing: such a path is a name like any other', () => {
    for (const path of [
      '~/skills/rig',
      '$HOME',
      'skills/r*',
      'skills/{rig,rigging}',
      'skills/rig/%2e%2e/x',
    ]) {
      expect(decide({ path }).path).toBe(path);
    }
    expect(decide({ path: '~/skills/rig' }).allow).toBe(false);
    expect(decide({ path: 'skills/rig/%2e%2e/x' }).allow).toBe(true);
  });
});

describe('links', () => {
  it.each([
    ['to a file outside', link('/etc/passwd')],
    ['up and out', link('../../secret.txt')],
    ['to another skill', link('../rigging/SKILL.md')],
    ['to nothing, outside', link('/etc/not-there-yet')],
    ['to the disk of the process', link('/proc/self/root/ship/skills/rig/SKILL.md')],
  ])('inside a skill give nothing that lies elsewhere: %s', (_, look) => {
    expect(decide({ path: 'skills/rig/out' }, STEP, groundOf({ 'skills/rig/out': look })).allow).toBe(false);
  });

  it('are followed one by one, and ".." goes up from where they led', () => {
    const ground = groundOf({
      'out/a': link('b'),
      'out/b': link('/ship/skills/rig/refs'),
      'data/refs': link('../skills/rig/refs'),
    });
    expect(decide({ path: 'out/a/a.md' }, STEP, ground).path).toBe('skills/rig/refs/a.md');
    expect(decide({ path: 'out/a/../SKILL.md' }, STEP, ground)).toMatchObject({
      allow: true,
      path: 'skills/rig/SKILL.md',
    });
    expect(decide({ path: 'out/a/../../secret.txt' }, STEP, ground).allow).toBe(false);
    expect(decide({ operation: 'write', path: 'out/a/a.md' }, STEP, ground).because.kind).toBe('read_only');
  });

  it('that go round are denied', () => {
    const ground = groundOf({ 'out/a': link('b'), 'out/b': link('a') });
    expect(reasonOf({ path: 'out/a' }, STEP, ground)).toBe('unresolved');
  });

  it('to nothing are judged by where a write would make a file', () => {
    const ground = groundOf({ 'out/new': link('../skills/rig/planted.md'), 'out/ok': link('deep/made.md') });
    expect(reasonOf({ operation: 'write', path: 'out/new' }, STEP, ground)).toBe('read_only');
    expect(decide({ operation: 'write', path: 'out/ok' }, STEP, ground).allow).toBe(true);
  });

  it('may be removed where they lie, wherever they lead', () => {
    const ground = groundOf({ 'out/away': link('/etc'), 'skills/rig/in': link('../../out/log.txt') });
    expect(decide({ operation: 'delete', path: 'out/away' }, STEP, ground).allow).toBe(true);
    expect(decide({ operation: 'delete', path: 'out/away/' }, STEP, ground).allow).toBe(false);
    expect(reasonOf({ operation: 'delete', path: 'skills/rig/in' }, STEP, ground)).toBe('read_only');
  });
});

describe('writing', () => {
  it.each([
    ['write', 'skills/rig/SKILL.md'],
    ['write', 'skills/rig/new.md'],
    ['append', 'skills/rig/SKILL.md'],
    ['mkdir', 'skills/rig/tmp'],
    ['delete', 'skills/rig/refs/a.md'],
    ['delete', 'skills/rig'],
    ['chmod', 'skills/rig/SKILL.md'],
  ] as const)('a skill is denied: %s %s', (operation, path) => {
    for (const grants of [STEP, { ...STEP, write_paths: ['skills'] }]) {
      expect(reasonOf({ operation, path }, grants)).toBe('read_only');
    }
  });

  it('is allowed in a folder that may be written, made already or not', () => {
    const grants = { ...STEP, write_paths: ['out', 'Made/Later'] };
    for (const path of ['out/log.txt', 'out/deep/new.txt', 'out/a/b/c.txt', 'Made/Later/x']) {
      expect(decide({ operation: 'write', path }, grants)).toMatchObject({
        allow: true,
        because: { kind: 'write_grant' },
      });
    }
    expect(decide({ operation: 'mkdir', path: 'Made/Later' }, grants).allow).toBe(true);
    expect(reasonOf({ operation: 'mkdir', path: 'Made' }, grants)).toBe('not_granted');
  });

  it('judges both ends of rename, copy and links', () => {
    const allowed = (operation: AccessRequest['operation'], path: string, to: string) =>
      decide({ operation, path, to }).allow;
    expect(allowed('rename', 'out/log.txt', 'out/old.txt')).toBe(true);
    expect(allowed('rename', 'skills/rig/SKILL.md', 'out/x')).toBe(false);
    expect(allowed('rename', 'out/log.txt', 'skills/rig/SKILL.md')).toBe(false);
    expect(allowed('copy', 'skills/rig/SKILL.md', 'out/x')).toBe(true);
    expect(allowed('copy', 'secret.txt', 'out/x')).toBe(false);
    expect(allowed('copy', 'out/log.txt', 'skills/rig/x')).toBe(false);
    expect(allowed('hardlink', 'skills/rig/SKILL.md', 'out/alias')).toBe(false);
    expect(allowed('hardlink', 'out/log.txt', 'skills/rig/alias')).toBe(false);
    expect(allowed('hardlink', 'out/log.txt', 'out/alias')).toBe(true);
    expect(allowed('symlink', 'out/l', '../skills/rig')).toBe(true);
    expect(allowed('symlink', 'out/l', '../secret.txt')).toBe(false);
    expect(allowed('symlink', 'skills/rig/l', '../../out')).toBe(false);
  });

  it('does not move, remove or replace what holds a granted place', () => {
    const grants: GuardGrants = { skills: [{ ...rig, target: 'out/lib/skills/rig' }], write_paths: ['out'] };
    for (const path of ['out/lib', 'out/lib/skills', 'out']) {
      expect(reasonOf({ operation: 'delete', path }, grants)).toBe('holds_root');
      expect(reasonOf({ operation: 'rename', path, to: 'out/elsewhere' }, grants)).toBe('holds_root');
      expect(reasonOf({ operation: 'rename', path: 'out/deep', to: path }, grants)).toBe('holds_root');
      expect(reasonOf({ operation: 'symlink', path, to: '/ship/out/deep' }, grants)).toBe('holds_root');
    }
    expect(reasonOf({ operation: 'rename', path: 'out/deep', to: 'out/lib/skills/rig' }, grants)).toBe(
      'read_only',
    );
    expect(decide({ operation: 'mkdir', path: 'out/lib/skills' }, grants).allow).toBe(true);
  });

  it('does not change a file that has a second name', () => {
    const ground = groundOf({ 'out/twin': { kind: 'file', names: 2 } });
    for (const operation of ['write', 'append', 'chmod'] as const) {
      expect(reasonOf({ operation, path: 'out/twin' }, STEP, ground)).toBe('hard_link');
    }
    expect(reasonOf({ operation: 'copy', path: 'out/log.txt', to: 'out/twin' }, STEP, ground)).toBe(
      'hard_link',
    );
    expect(decide({ operation: 'read', path: 'out/twin' }, STEP, ground).allow).toBe(true);
    expect(decide({ operation: 'delete', path: 'out/twin' }, STEP, ground).allow).toBe(true);
  });

  it('opens no pipes, sockets and devices', () => {
    const ground = groundOf({ 'out/socket': { kind: 'other' } });
    expect(reasonOf({ operation: 'read', path: 'out/socket' }, STEP, ground)).toBe('not_a_file');
    expect(reasonOf({ operation: 'write', path: 'out/socket' }, STEP, ground)).toBe('not_a_file');
    expect(decide({ operation: 'delete', path: 'out/socket' }, STEP, ground).allow).toBe(true);
  });
});

describe('grants', () => {
  it('to write imply reading; the deepest one decides', () => {
    const grants: GuardGrants = { read_paths: ['out/deep'], write_paths: ['out', 'out/deep/er'] };
    expect(decide({ path: 'out/log.txt' }, grants).allow).toBe(true);
    expect(reasonOf({ operation: 'write', path: 'out/deep/x' }, grants)).toBe('read_only');
    expect(decide({ operation: 'write', path: 'out/deep/er/x' }, grants).allow).toBe(true);
    expect(
      decide({ operation: 'write', path: 'data/x' }, { read_paths: ['data'], write_paths: ['data'] }).allow,
    ).toBe(true);
  });

  it('for one file hold nothing else', () => {
    const grants: GuardGrants = { write_paths: ['out/log.txt'] };
    expect(decide({ operation: 'append', path: 'out/log.txt' }, grants).allow).toBe(true);
    expect(decide({ path: 'out/log.txt.bak' }, grants).allow).toBe(false);
    expect(decide({ path: 'out' }, grants).allow).toBe(false);
  });

  it.each([
    '',
    ' ',
    '.',
    './',
    '/',
    '..',
    '../x',
    'out/../data',
    '/etc',
    '/shi',
    '*',
    'data/*',
    '~',
    '$HOME/x',
    'a\0b',
  ])('like %j grant nothing, and the answer says so', (path) => {
    for (const list of ['read_paths', 'write_paths'] as const) {
      const answer = decide({ path: 'out/log.txt' }, { [list]: [path] });
      expect(answer.because.kind).toBe('no_grants');
      expect(answer.refused).toEqual([{ list, path, because: expect.any(String) }]);
      expect(decide({ path: 'data/x' }, { [list]: [path, 'data'] }).allow).toBe(true);
    }
  });

  it('that are no text grant nothing', () => {
    for (const entry of [null, 7, {}, []] as unknown as string[]) {
      expect(reasonOf({ path: 'data/x' }, { read_paths: [entry] })).toBe('no_grants');
    }
  });

  it('grant nothing where a link leads out of the workspace, and what is inside where it does not', () => {
    const ground = groundOf({ leave: link('/etc'), near: link('shared/knots'), up: link('.') });
    expect(reasonOf({ path: 'leave/passwd' }, { read_paths: ['leave'] }, ground)).toBe('no_grants');
    expect(reasonOf({ path: 'secret.txt' }, { read_paths: ['up'] }, ground)).toBe('no_grants');
    expect(decide({ path: 'near/x' }, { read_paths: ['near'] }, ground)).toMatchObject({
      allow: true,
      path: 'shared/knots/x',
    });
  });

  it('of skills may lead to a place of skills outside, which is no place for a caller', () => {
    const ground = { ...groundOf({ 'skills/far': link('/harbor/far') }), skillPlaces: ['/harbor'] };
    const far = { ...rig, target: 'skills/far' };
    expect(decide({ path: 'skills/far/SKILL.md' }, { skills: [far] }, ground).allow).toBe(true);
    expect(reasonOf({ path: 'skills/far/x' }, { read_paths: ['skills/far'] }, ground)).toBe('no_grants');
  });

  it('grant nothing over a link that the step itself could turn elsewhere', () => {
    const ground = groundOf({ 'out/in': link('../shared') });
    const grants: GuardGrants = { read_paths: ['out/in/knots'], write_paths: ['out'] };
    expect(reasonOf({ path: 'shared/knots/x' }, grants, ground)).toBe('not_granted');
    expect(decide({ path: 'shared/knots/x' }, { read_paths: ['out/in/knots'] }, ground).allow).toBe(true);
  });

  it('deny everything when there are none', () => {
    for (const grants of [{}, { read_paths: [] }, { blocked: ['data'] }]) {
      expect(reasonOf({ path: 'data/x' }, grants)).toBe('no_grants');
    }
  });
});

describe('bans', () => {
  const grants: GuardGrants = {
    write_paths: ['out', 'data'],
    blocked: ['out/deep'],
    blocked_write: ['data/config'],
  };

  it('win over every grant', () => {
    expect(reasonOf({ path: 'out/deep/x' }, grants)).toBe('blocked');
    expect(reasonOf({ path: 'out/deep/x' }, { ...grants, read_paths: ['out/deep/x'] })).toBe('blocked');
    expect(decide({ path: 'data/config/x' }, grants).allow).toBe(true);
    expect(reasonOf({ operation: 'write', path: 'data/config/x' }, grants)).toBe('blocked');
    expect(reasonOf({ operation: 'mkdir', path: 'data/config' }, grants)).toBe('blocked');
  });

  it('are not got round by copying or moving what holds them', () => {
    expect(reasonOf({ operation: 'copy', path: 'out', to: 'data/all' }, grants)).toBe('blocked');
    expect(reasonOf({ operation: 'rename', path: 'out', to: 'data/all' }, grants)).toBe('holds_root');
  });

  it('hold at a link and where it leads', () => {
    const ground = groundOf({ 'shared/door': link('../data') });
    const shut: GuardGrants = { read_paths: ['data', 'shared'], blocked: ['shared/door'] };
    expect(reasonOf({ path: 'data/x' }, shut, ground)).toBe('blocked');
    expect(reasonOf({ path: 'shared/door' }, shut, ground)).toBe('blocked');
  });

  it('that cannot be kept deny everything', () => {
    for (const entry of ['', '*.key', 'a/../b', '~/.ssh', null] as string[]) {
      expect(reasonOf({ path: 'out/log.txt' }, { write_paths: ['out'], blocked: [entry] })).toBe('bad_ban');
    }
  });

  it('hold for other spellings where the file system folds names', () => {
    const folding = { ...groundOf(), foldsNames: true };
    expect(reasonOf({ path: 'OUT/Deep/x' }, grants, folding)).toBe('blocked');
    expect(reasonOf({ operation: 'write', path: 'out/DEEP' }, grants, folding)).toBe('blocked');
  });
});

describe('what is not understood', () => {
  it.each([
    [{ operation: 'chown' }],
    [{ operation: 'constructor' }],
    [{ operation: 7 }],
    [{ path: null }],
    [{ path: ['out'] }],
    [{ cwd: 3 }],
    [{ operation: 'rename' }],
    [{ operation: 'read', to: 'out/x' }],
  ])('is denied: %j', (wrong) => {
    const request = { operation: 'write', path: 'out/x', ...wrong } as unknown as AccessRequest;
    expect(decideAccess(request, STEP, groundOf())).toMatchObject({
      allow: false,
      because: { kind: 'bad_request' },
    });
  });

  it('is denied when the guard itself fails', () => {
    const look = (): never => {
      throw new Error('disk on fire at /home/x');
    };
    const answer = decideAccess({ operation: 'read', path: 'out' }, STEP, { root: '/ship', look });
    expect(answer).toMatchObject({ allow: false, because: { kind: 'error' } });
    expect(answer.because.text).not.toContain('/home');
    expect(decideAccess(null as unknown as AccessRequest, STEP, groundOf()).allow).toBe(false);
    expect(
      decideAccess({ operation: 'read', path: 'out' }, null as unknown as GuardGrants, groundOf()).allow,
    ).toBe(false);
  });

  it('is denied when the system does not say what lies there', () => {
    const ground = groundOf({ 'out/closed': { kind: 'unknown', because: 'EACCES' } });
    expect(reasonOf({ path: 'out/closed/x' }, STEP, ground)).toBe('unresolved');
  });
});

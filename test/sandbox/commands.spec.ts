import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../src/config/resolve-options.js';
import { FolderGuardService } from '../../src/folder-guard/folder-guard.service.js';
import { type GuardGrants, type SkillFolder } from '../../src/folder-guard/guard-grants.js';
import { type GuardedCommand } from '../../src/folder-guard/sandbox-request.js';
import { SANDBOX_WORKS } from '../support/bubblewrap.js';
import { TempFolder } from '../support/temp-folder.js';

const skill = (target: string): SkillFolder => ({ target, source: null, digest: null });
const GRANTS: GuardGrants = { skills: [skill('skills/rig')], write_paths: ['out'] };

(SANDBOX_WORKS ? describe : describe.skip)('a command in the sandbox', () => {
  let folder: TempFolder;
  let guard: FolderGuardService;

  const run = async (script: string, more: Partial<GuardedCommand> = {}) => {
    const result = await guard.run({
      command: ['sh', '-c', script],
      grants: GRANTS,
      timeMs: 20_000,
      ...more,
    });
    expect(result.enforcement).toBe('bubblewrap');
    return { ...result, out: result.stdout.bytes.toString(), err: result.stderr.bytes.toString() };
  };
  const host = (path: string): string => folder.path('ws', path);

  beforeEach(() => {
    folder = new TempFolder();
    folder.skill('ws/skills/rig');
    folder.write('ws/skills/rig/run.sh', '#!/bin/sh\necho ran "$@"\n', { mode: 0o755 });
    folder.skill('ws/skills/rigging');
    folder.write('ws/secret.txt', 'buried');
    folder.write('outside.txt', 'outside');
    mkdirSync(host('out'));
    guard = new FolderGuardService(resolveOptions({ workspace: { dir: folder.path('ws') } }));
  });
  afterEach(() => {
    guard.stop();
    folder.remove();
  });

  it('reads and runs its skills, writes its folder, and starts in the workspace', async () => {
    const { end, out } = await run(
      'pwd; head -1 skills/rig/SKILL.md; skills/rig/run.sh twice > out/log; cat out/log',
    );
    expect(end).toEqual({ kind: 'exited', status: 0 });
    expect(out).toBe(`${host('')}\n---\nran twice\n`.replace('ws/\n', 'ws\n'));
    expect(readFileSync(host('out/log'), 'utf8')).toBe('ran twice\n');
  });

  it('starts in a granted folder when it is told to, and in no other', async () => {
    expect((await run('pwd', { cwd: 'out' })).out).toBe(`${host('out')}\n`);
    for (const cwd of ['skills', '/', '/etc', 'out/../..', 'skills/rigging']) {
      await expect(run('pwd', { cwd })).rejects.toMatchObject({ code: 'guard_denied' });
    }
  });

  it('sees nothing of the host but what is granted and what programs need', async () => {
    const { out } = await run(
      'ls -A; ls -A skills; ls -A /; ls -A /etc; ls -A /tmp /home /root /run /var 2>/dev/null',
    );
    expect(out).not.toMatch(/secret|rigging|passwd|shadow|root|home/);
    expect(out).toMatch(/^out\nskills\nrig\n/);
  });

  // Each tries to change the skill, to read what is not granted, or to leave something outside of its folder.
  it.each([
    ['writing', 'echo x > skills/rig/SKILL.md'],
    ['appending', 'echo x >> skills/rig/SKILL.md'],
    ['making a file', 'touch skills/rig/new'],
    ['truncating by redirection of nothing', ': > skills/rig/SKILL.md'],
    ['removing', 'rm -rf skills/rig'],
    ['renaming', 'mv skills/rig/SKILL.md skills/rig/other'],
    ['moving the folder', 'mv skills/rig out/'],
    ['moving the folder above', 'mv skills out/'],
    ['replacing the folder above', 'mv skills gone; mkdir -p skills/rig; echo x > skills/rig/SKILL.md'],
    ['changing rights', 'chmod -R 777 skills/rig; echo x > skills/rig/SKILL.md'],
    ['writing through a link', 'ln -s ../skills/rig/SKILL.md out/l; echo x > out/l'],
    ['writing through a link of a folder', 'ln -s ../skills out/s; echo x > out/s/rig/SKILL.md'],
    ['writing through a hard link', 'ln skills/rig/SKILL.md out/h; echo x > out/h'],
    ['writing through a descriptor', 'exec 5<skills/rig/SKILL.md; echo x > /proc/self/fd/5'],
    ['writing through the root of the process', 'echo x > /proc/self/root$PWD/skills/rig/SKILL.md'],
    ['writing through the first process', 'echo x > /proc/1/root$PWD/skills/rig/SKILL.md'],
    ['mounting it anew', 'mount -o remount,rw,bind skills/rig; echo x > skills/rig/SKILL.md'],
    ['unmounting it', 'umount skills/rig; umount -l skills/rig; echo x > skills/rig/SKILL.md'],
    [
      'namespaces of its own',
      'unshare -rm sh -c "mount -o remount,rw,bind skills/rig; echo x > skills/rig/SKILL.md"',
    ],
    ['another root', 'unshare -r chroot / sh -c "echo x > $PWD/skills/rig/SKILL.md"'],
    ['a namespace of another process', 'nsenter -t 1 -m sh -c "echo x > $PWD/skills/rig/SKILL.md"'],
    ['a device', 'mknod out/disk b 8 0 && dd if=/dev/zero of=out/disk count=1'],
    ['rights of root', 'chmod u+s /bin/sh; su -c "touch /x"; sudo touch /x'],
    ['reading a neighbor', 'cat skills/rigging/SKILL.md secret.txt ../outside.txt > out/loot'],
    ['reading by an absolute path', 'cat /etc/shadow /etc/passwd /root/.bashrc /proc/1/environ > out/loot'],
    [
      'reading through links',
      'ln -s /etc/passwd out/p; ln -s ../../outside.txt out/q; cat out/p out/q > out/loot',
    ],
    ['reading through the root of the first process', 'cat /proc/1/root/etc/passwd > out/loot'],
    ['reading memory', 'head -c 100 /dev/mem /dev/kmem /proc/kcore > out/loot'],
    ['leaving something in the workspace', 'touch planted skills/planted; mkdir skills/rigging'],
    ['leaving something in the system', 'touch /planted /usr/bin/planted /etc/planted /dev/planted'],
    ['changing the kernel', 'echo 1 > /proc/sys/kernel/panic; echo c > /proc/sysrq-trigger'],
    ['typing into the terminal', 'python3 -c "import fcntl,termios; fcntl.ioctl(0,termios.TIOCSTI,b\'x\')"'],
  ])('cannot do it by %s', async (_, script) => {
    const before = readFileSync(host('skills/rig/SKILL.md'), 'utf8');
    await run(`${script}\ntrue`);
    expect(readFileSync(host('skills/rig/SKILL.md'), 'utf8')).toBe(before);
    expect(readdirSync(host('skills/rig')).sort()).toEqual(['SKILL.md', 'run.sh']);
    expect(lstatSync(host('skills/rig/run.sh')).mode & 0o777).toBe(0o755);
    expect(readdirSync(host('')).sort()).toEqual(['out', 'secret.txt', 'skills']);
    expect(readdirSync(host('skills')).sort()).toEqual(['rig', 'rigging']);
    expect(existsSync('/planted') || existsSync('/usr/bin/planted')).toBe(false);
    if (existsSync(host('out/loot'))) expect(readFileSync(host('out/loot'), 'utf8')).toBe('');
  });

  it('has no network, no rights and nobody to signal', async () => {
    const { out } = await run(
      'id -u; grep CapEff /proc/self/status; tail -n +3 /proc/net/dev | cut -d: -f1; ls /proc | grep -c "^[0-9]"',
    );
    expect(out).toMatch(/^65534\nCapEff:\t0{16}\n *lo\n[1-9]\n$/);
  });

  it('gets a small environment, and none of ours even in the first process', async () => {
    process.env['SKILLWRIGHT_TEST_SECRET'] = 'do not tell';
    try {
      const { out } = await run('env | sort; cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"', {
        env: { RUN_FOLDER: 'out' },
      });
      expect(out).toContain('RUN_FOLDER=out\n');
      expect(out).not.toContain('do not tell');
      expect(
        out
          .split('\n')
          .slice(0, 6)
          .map((line) => line.split('=')[0]),
      ).toEqual(['HOME', 'LANG', 'PATH', 'PWD', 'RUN_FOLDER', 'TMPDIR']);
    } finally {
      delete process.env['SKILLWRIGHT_TEST_SECRET'];
    }
  });

  it('gets no open folder of ours', async () => {
    const { out } = await run('for fd in /proc/[0-9]*/fd/*; do readlink $fd; done | sort -u');
    for (const target of out.trim().split('\n'))
      expect(target).toMatch(/^(\/dev\/null|\/proc\/|socket:|pipe:|anon_inode:)/);
  });

  it('takes what it started with it, also what left its group', async () => {
    const left = host('out/left');
    const script = `setsid sh -c 'sleep 1; touch out/left' & nohup sh -c 'sleep 1; touch out/left' & echo bye`;
    expect(await run(script)).toMatchObject({ end: { kind: 'exited', status: 0 }, out: 'bye\n' });
    // Whoever still lived would have written by now.
    expect((await run('sleep 1.5; ls out')).out).toBe('');
    expect(existsSync(left)).toBe(false);
  });

  it('is ended in time, however many it has become', async () => {
    const script =
      'i=0; while [ $i -lt 100 ]; do (trap "" TERM HUP INT; setsid sleep 30) & i=$((i+1)); done; wait';
    expect((await run(script, { timeMs: 1500 })).end).toEqual({ kind: 'timed_out' });
    const { out } = await run('ls /proc | grep -c "^[0-9]"');
    expect(Number(out)).toBeLessThan(10);
  });

  it('is not slowed down by output that nobody keeps', async () => {
    const { end, stdout, stderr } = await run('head -c 20000000 /dev/zero; head -c 5000000 /dev/zero >&2', {
      outputBytes: 1000,
    });
    expect(end).toEqual({ kind: 'exited', status: 0 });
    expect([stdout.dropped, stderr.dropped]).toEqual([19_999_000, 4_999_000]);
  });

  it('says so when its program is not there', async () => {
    const { end } = await guard.run({ command: ['no-such-program'], grants: GRANTS });
    expect(end).toMatchObject({ kind: 'not_started', because: expect.stringContaining('no-such-program') });
  });

  describe('with grants inside each other', () => {
    const nested: GuardGrants = {
      skills: [skill('out/lib/skills/rig')],
      read_paths: ['out/in'],
      write_paths: ['out', 'out/in/box'],
      blocked: ['out/hidden', 'out/.env', 'out/key.pem', 'out/not/made/yet'],
      blocked_write: ['out/config'],
    };
    beforeEach(() => {
      folder.skill('ws/out/lib/skills/rig');
      folder.write('ws/out/in/data', 'data');
      folder.write('ws/out/in/box/x', 'x');
      folder.write('ws/out/hidden/h', 'hidden');
      folder.write('ws/out/key.pem', 'hidden');
      folder.write('ws/out/config/c', 'c');
    });

    it('keeps to the deepest of each', async () => {
      const { out } = await run(
        'cat out/in/data out/in/box/x out/config/c; echo; for f in out/new out/in/new out/in/box/new out/config/new; ' +
          'do touch $f 2>/dev/null && echo $f; done; cat out/hidden/h out/key.pem 2>/dev/null; ls -A out/hidden',
        { grants: nested },
      );
      expect(out).toBe('dataxc\nout/new\nout/in/box/new\n');
      expect(readFileSync(host('out/key.pem'), 'utf8')).toBe('hidden');
    });

    it.each([
      [
        'moving a folder above a skill',
        'mv out/lib out/old; mkdir -p out/lib/skills/rig; echo x > out/lib/skills/rig/SKILL.md',
      ],
      ['moving the next one above it', 'mv out/lib/skills out/old; mkdir -p out/lib/skills/rig'],
      ['removing all', 'rm -rf out/* out/.env'],
      ['replacing what is read', 'mv out/in out/was; mkdir out/in; echo x > out/in/data'],
      ['moving what is hidden', 'mv out/hidden out/seen; cat out/seen/h > out/loot'],
      [
        'making what must not be',
        'echo x > out/.env; mkdir out/.env; ln -s config out/.env; mkdir -p out/not/made/yet; touch out/not/made/yet/x',
      ],
      [
        'moving something into its place',
        'mkdir out/d; mv -T out/d out/.env; mv -T out/d out/not/made/yet; mv out/not out/n; touch out/.env/x',
      ],
    ])('cannot get round them by %s', async (_, script) => {
      await run(`${script}\ntrue`, { grants: nested });
      expect(readdirSync(host('out/lib/skills/rig'))).toEqual(['SKILL.md']);
      expect(readFileSync(host('out/lib/skills/rig/SKILL.md'), 'utf8')).toContain('name: rig');
      expect(readFileSync(host('out/in/data'), 'utf8')).toBe('data');
      expect(readFileSync(host('out/hidden/h'), 'utf8')).toBe('hidden');
      expect(readFileSync(host('out/config/c'), 'utf8')).toBe('c');
      for (const gone of ['out/.env', 'out/not/made/yet']) expect(existsSync(host(gone))).toBe(false);
    });

    it('leaves nothing behind of what held places', async () => {
      await run('true', { grants: nested });
      expect(readdirSync(host('out')).sort()).toEqual(['config', 'hidden', 'in', 'key.pem', 'lib']);
    });
  });

  it('makes a folder that may be written and is not there yet', async () => {
    await run('echo x > runs/7/out/f', { grants: { write_paths: ['runs/7/out'] } });
    expect(readFileSync(host('runs/7/out/f'), 'utf8')).toBe('x\n');
  });

  it('writes a granted file and nothing beside it', async () => {
    folder.write('ws/out/report', 'old');
    const { out } = await run(
      'echo new > out/report; touch out/beside 2>/dev/null; rm out/report 2>/dev/null; ls out',
      {
        grants: { write_paths: ['out/report'] },
      },
    );
    expect(out).toBe('report\n');
    expect(readFileSync(host('out/report'), 'utf8')).toBe('new\n');
  });

  it('finds what is granted over a link, under both names', async () => {
    renameSync(host('skills'), host('shared'));
    symlinkSync('shared', host('skills'));
    const { out } = await run('head -1 skills/rig/SKILL.md; head -1 shared/rig/SKILL.md; ls shared');
    expect(out).toBe('---\n---\nrig\n');
  });

  it('shows a copy of a skill at its place where there is one', async () => {
    folder.skill('store/rig-copy', { body: 'from the store' });
    const copied = { target: 'skills/rig', source: folder.path('store/rig-copy'), digest: null };
    expect((await run('tail -1 skills/rig/SKILL.md', { grants: { skills: [copied] } })).out).toBe(
      'from the store\n',
    );
    const absent = { ...copied, target: 'skills/not-here' };
    expect((await run('tail -1 skills/not-here/SKILL.md', { grants: { skills: [absent] } })).out).toBe(
      'from the store\n',
    );
  });

  it('is not started with a skill that has a second name somewhere', async () => {
    linkSync(host('skills/rig/SKILL.md'), host('out/alias'));
    await expect(run('echo x > out/alias')).rejects.toMatchObject({ code: 'grants_invalid' });
    expect(
      (await run('cat skills/rig/SKILL.md', { grants: { skills: [skill('skills/rig')] } })).out,
    ).toContain('rig');
  });

  it('is not mounted with what took the place of a granted folder meanwhile', async () => {
    folder.write('loot/x', 'loot');
    mkdirSync(host('runs/a'), { recursive: true });
    let swaps = 0;
    let swapping = true;
    const swap = async (): Promise<void> => {
      while (swapping) {
        renameSync(host('runs/a'), host('runs/b'));
        symlinkSync(folder.path('loot'), host('runs/a'));
        await new Promise((resolve) => setImmediate(resolve));
        rmSync(host('runs/a'));
        renameSync(host('runs/b'), host('runs/a'));
        swaps++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const swapper = swap();
    const seen: string[] = [];
    for (let turn = 0; turn < 25; turn++) {
      // Judged while the folder is there, mounted when it may be gone.
      while (lstatSync(host('runs/a')).isSymbolicLink())
        await new Promise((resolve) => setImmediate(resolve));
      const outcome = await run('cat runs/a/x; echo x > runs/a/y', {
        grants: { write_paths: ['runs/a'] },
      }).catch((error: unknown) => error as { readonly code: string });
      if ('code' in outcome) expect(outcome.code).toBe('grants_invalid');
      else seen.push(outcome.out);
    }
    swapping = false;
    await swapper;
    expect(swaps).toBeGreaterThan(0);
    expect(seen.join('')).toBe('');
    expect(readdirSync(folder.path('loot'))).toEqual(['x']);
  });

  it.each(['', '.', '/', '../x', '/etc', '*', 'gone-link'])(
    'is not started with the grant %j',
    async (path) => {
      symlinkSync('/etc', host('gone-link'));
      for (const list of ['read_paths', 'write_paths'] as const) {
        await expect(run('true', { grants: { ...GRANTS, [list]: [path] } })).rejects.toMatchObject({
          code: 'grants_invalid',
          facts: { issues: [{ code: 'grant_invalid', field: list }] },
        });
      }
    },
  );

  it('is not started without any grant, without words, or with a variable that is none', async () => {
    await expect(run('true', { grants: {} })).rejects.toMatchObject({ code: 'guard_denied' });
    await expect(guard.run({ command: [], grants: GRANTS })).rejects.toMatchObject({ code: 'bad_request' });
    await expect(run('true', { env: { 'A=B': 'x' } })).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('works where folders cannot be opened by others', async () => {
    chmodSync(host('out'), 0o700);
    chmodSync(folder.path('ws'), 0o700);
    expect((await run('echo x > out/f && cat out/f')).out).toBe('x\n');
  });
});

describe('where nothing can keep a command to its grants', () => {
  let folder: TempFolder;
  const guardWith = (guard: object): FolderGuardService =>
    new FolderGuardService(
      resolveOptions({ workspace: { dir: folder.dir }, guard: { bubblewrap: '/nowhere/bwrap', ...guard } }),
    );
  const request = { command: ['sh', '-c', 'pwd; env | grep -c PATH'], grants: { write_paths: ['out'] } };

  beforeEach(() => {
    folder = new TempFolder();
    mkdirSync(folder.path('out'));
  });
  afterEach(() => {
    folder.remove();
  });

  it('it is refused, with the reason', async () => {
    const guard = guardWith({});
    expect(await guard.enforcement()).toMatchObject({ kind: 'none', because: expect.stringMatching(/./) });
    await expect(guard.run(request)).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  });

  it('it is run when the operator or the caller says that this does not matter, and the answer says so', async () => {
    for (const [guard, more] of [
      [guardWith({ allowUnsandboxed: true }), {}],
      [guardWith({}), { allowUnsandboxed: true }],
    ] as const) {
      const { enforcement, end, stdout } = await guard.run({ ...request, ...more });
      expect({ enforcement, end }).toEqual({ enforcement: 'none', end: { kind: 'exited', status: 0 } });
      expect(stdout.bytes.toString()).toBe(`${folder.dir}\n1\n`);
    }
  });
});

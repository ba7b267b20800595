import { closeSync, openSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CommandResult } from '../../../src/processes/command.js';
import { CommandRunner } from '../../../src/processes/command-runner.adapter.js';
import { TempFolder } from '../../support/temp-folder.js';
import { until } from '../../support/until.js';

const LIMITS = { timeMs: 20_000, graceMs: 0, outputBytes: 1000 };

describe('running a program', () => {
  const runner = new CommandRunner();
  let folder: TempFolder;
  const sh = (script: string, more: object = {}): Promise<CommandResult> =>
    runner.run({ program: '/bin/sh', args: ['-c', script], limits: LIMITS, ...more });
  const text = ({ stdout }: CommandResult): string => stdout.bytes.toString();

  beforeEach(() => {
    folder = new TempFolder();
  });
  afterEach(() => {
    runner.stop();
    folder.remove();
  });

  it('gives its status and both streams apart', async () => {
    const result = await sh('echo out; echo err >&2; exit 7');
    expect(result.end).toEqual({ kind: 'exited', status: 7 });
    expect([text(result), result.stderr.bytes.toString()]).toEqual(['out\n', 'err\n']);
  });

  it('gives it nothing of our environment and nothing to read', async () => {
    process.env['SKILLWRIGHT_TEST_SECRET'] = 'do not tell';
    try {
      expect(text(await sh('env; cat'))).not.toContain('do not tell');
      expect(text(await sh('echo "$NAME"', { env: { NAME: 'told' } }))).toBe('told\n');
    } finally {
      delete process.env['SKILLWRIGHT_TEST_SECRET'];
    }
  });

  it('passes words as they are, without a shell', async () => {
    const args = ['%s|', '$HOME', '`id`', 'a b', '; exit 3', '*'];
    const result = await runner.run({ program: '/usr/bin/printf', args, limits: LIMITS });
    expect(text(result)).toBe('$HOME|`id`|a b|; exit 3|*|');
  });

  it('keeps the start of its output and says how much was dropped', async () => {
    const seen: number[] = [];
    const onOutput = (_: string, bytes: Buffer): void => void seen.push(bytes.length);
    const { end, stdout } = await sh('head -c 3000000 /dev/zero | tr "\\0" x', { onOutput });
    expect(end).toEqual({ kind: 'exited', status: 0 });
    expect({ kept: stdout.bytes.length, dropped: stdout.dropped }).toEqual({
      kept: 1000,
      dropped: 2_999_000,
    });
    expect(seen.reduce((sum, one) => sum + one, 0)).toBe(1000);
  });

  it('is ended with its children when its time is over', async () => {
    const marker = folder.path('late');
    const { end } = await sh(`(sleep 30; touch ${marker}) & echo $! > ${folder.path('pid')}; sleep 30`, {
      limits: { ...LIMITS, timeMs: 200 },
    });
    expect(end).toEqual({ kind: 'timed_out' });
    await until(
      'the child is gone',
      async () => text(await sh(`kill -0 $(cat ${folder.path('pid')}) 2>&1 && echo lives`)) !== 'lives\n',
    );
  });

  it('may end by itself when its time is over and there is a grace', async () => {
    const limits = { timeMs: 200, graceMs: 20_000, outputBytes: 1000 };
    const result = await sh('trap "echo bye; exit" TERM; while :; do sleep 0.05; done', { limits });
    expect(result.end).toEqual({ kind: 'timed_out' });
    expect(text(result)).toBe('bye\n');
  });

  it('is over when it is over, whoever still holds its output', async () => {
    const result = await sh(`setsid sleep 20 & echo $! > ${folder.path('pid')}; echo done`);
    expect(result).toMatchObject({ end: { kind: 'exited', status: 0 } });
    expect(text(result)).toBe('done\n');
    await sh(`kill -9 $(cat ${folder.path('pid')})`);
  });

  it('says so when it is ended by somebody else, or cannot be started', async () => {
    expect((await sh('kill -9 $$')).end).toEqual({ kind: 'killed', signal: 'SIGKILL' });
    const missing = await runner.run({ program: '/nowhere/prog', args: [], limits: LIMITS });
    expect(missing.end).toEqual({ kind: 'not_started', because: 'the system says ENOENT' });
    const nul = await runner.run({ program: '/bin/echo', args: ['a\0b'], limits: LIMITS });
    expect(nul.end.kind).toBe('not_started');
  });

  it('reads what it is given over descriptors, and gets no others of ours', async () => {
    folder.write('given.txt', 'from a file');
    const given = openSync(folder.path('given.txt'), 'r');
    try {
      const result = await sh('cat <&3; cat <&4; for fd in /proc/$$/fd/*; do readlink $fd; done', {
        descriptors: [given],
        inputs: [Buffer.from(' and a pipe ')],
      });
      const [said, ...open] = text(result)
        .trim()
        .split(/(?=\/dev\/null)/);
      expect(said).toBe('from a file and a pipe ');
      // What whoever started the tests left open is covered.
      const others = open
        .join('')
        .split('\n')
        .filter((one) => !/^(\/dev\/null|socket:|pipe:)/.test(one));
      expect(others).toEqual([folder.path('given.txt')]);
    } finally {
      closeSync(given);
    }
  });
});

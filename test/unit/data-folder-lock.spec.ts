import { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { askOwner, lockDataFolder } from '../../src/database/data-folder-lock.adapter.js';

describe('the lock of a data folder', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'skillwright-lock-'));
  });

  afterEach(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  it('tells who has the folder and, once known, where it listens', async () => {
    expect(await askOwner(dir)).toBeNull();
    const lock = await lockDataFolder(dir);
    expect(await askOwner(dir)).toEqual({ url: null, pid: process.pid });
    lock.publish({ url: 'http://127.0.0.1:4310' });
    expect(await askOwner(dir)).toEqual({ url: 'http://127.0.0.1:4310', pid: process.pid });
    await expect(lockDataFolder(dir)).rejects.toThrow(/http:\/\/127\.0\.0\.1:4310/);
    await lock.release();
    expect(await askOwner(dir)).toBeNull();
    expect(await readdir(dir)).toEqual([]);
  });

  it('says which option is wrong when the folder cannot be made', async () => {
    await writeFile(join(dir, 'file'), '');
    await expect(lockDataFolder(join(dir, 'file', 'data'))).rejects.toMatchObject({
      code: 'options_invalid',
      message: expect.stringMatching(/data\.dir: .* cannot be made \(ENOTDIR\)/),
    });
  });

  it('is a socket for this user alone', async () => {
    const lock = await lockDataFolder(dir);
    const { mode } = await stat(join(dir, 'service.sock'));
    expect(mode & 0o777).toBe(0o600);
    await lock.release();
  });

  it('is had by one of many that try at once, over whatever a dead process left', async () => {
    await leaveDeadSocket(join(dir, 'service.sock'));
    await leaveDeadSocket(join(dir, 'service-claim-00ff.sock'));
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => lockDataFolder(dir)));
    const locks = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refusals = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(locks).toHaveLength(1);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'data_folder_in_use' });
    expect(await readdir(dir)).toEqual(['service.sock']);
    await locks[0]?.release();
  });

  it('replaces a file that is no socket', async () => {
    await writeFile(join(dir, 'service.sock'), 'left by a backup');
    const lock = await lockDataFolder(dir);
    expect(await askOwner(dir)).toEqual({ url: null, pid: process.pid });
    await lock.release();
  });

  it('lies in the folder also when the path is longer than an address may be', async () => {
    const deep = join(dir, 'x'.repeat(120), 'y'.repeat(40));
    const lock = await lockDataFolder(deep);
    expect(await readdir(deep)).toEqual(['service.sock']);
    expect(await askOwner(deep)).toEqual({ url: null, pid: process.pid });
    await expect(lockDataFolder(deep)).rejects.toMatchObject({ code: 'data_folder_in_use' });
    await lock.release();
    expect(await readdir(deep)).toEqual([]);
  });

  it('is respected when its holder says nothing that we understand', async () => {
    const other = createServer((socket) => socket.end('hello\n'));
    await new Promise<void>((resolve) => other.listen(join(dir, 'service.sock'), resolve));
    await expect(lockDataFolder(dir)).rejects.toMatchObject({ code: 'data_folder_in_use' });
    await new Promise((resolve) => other.close(resolve));
  });
});

/** What a killed process leaves behind: a socket file that nobody listens on. */
async function leaveDeadSocket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}.live`, resolve));
  await rename(`${path}.live`, path);
  await new Promise((resolve) => server.close(resolve));
}

import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SkillwrightError } from '../kernel/errors.js';
import { type DataFolderOwner, readOwner, writeOwner } from './data-folder-owner.js';

const SOCKET = 'service.sock';
const CLAIM = /^service-claim-[0-9a-f]+\.sock$/;
const ANSWER_MS = 2_000;
const CLAIM_ATTEMPTS = 100;
/** A socket's address has 104 bytes on macOS and 108 on Linux, with a final NUL. */
const MAX_ADDRESS_BYTES = 100;

/** A data folder that is ours until the process ends or lets go. */
export interface DataFolderLock {
  /** Tells other processes of the same user where this one listens. */
  publish(place: Omit<DataFolderOwner, 'pid'>): void;
  release(): Promise<void>;
}

/**
 * Takes a data folder for this process. The lock is the listening socket `<dir>/service.sock`: the kernel
 * drops it with the process, whatever ends it, so nothing stale can keep a folder closed.
 *
 * To replace a dead socket without a race, a process first announces itself by a socket under a name of its
 * own. Only if no other announcement is alive does it look at `service.sock` once more and rename its own
 * over it; two that meet both step back and try again.
 *
 * @throws SkillwrightError `data_folder_in_use`; `options_invalid` when the folder cannot be made
 */
export async function lockDataFolder(dir: string): Promise<DataFolderLock> {
  const folder = resolve(dir);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw cannotMake(folder, error);
  });
  for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
    await refuseOwned(folder);
    const claim = await announce(folder);
    if (await aloneWith(folder, claim.name)) {
      try {
        await refuseOwned(folder);
        await rename(join(folder, claim.name), join(folder, SOCKET));
        return lockOver(folder, claim);
      } catch (error) {
        await withdraw(folder, claim);
        throw error;
      }
    }
    await withdraw(folder, claim);
    await delay(5 + Math.random() * 40);
  }
  throw inUse('other processes keep trying to take it');
}

/** Asks the owner of a data folder where it listens; null when nobody owns the folder. */
export async function askOwner(dir: string): Promise<DataFolderOwner | null> {
  const answer = await ask(resolve(dir), SOCKET);
  return answer.kind === 'alive' ? answer.owner : null;
}

interface Claim {
  readonly name: string;
  readonly server: Server;
  line: string;
}

function lockOver(folder: string, claim: Claim): DataFolderLock {
  return {
    publish(place) {
      claim.line = writeOwner({ ...place, pid: process.pid });
    },
    async release() {
      await rm(join(folder, SOCKET), { force: true });
      await closed(claim.server);
    },
  };
}

async function announce(folder: string): Promise<Claim> {
  const random = randomBytes(8).toString('hex');
  // Until it listens, the socket looks dead: others must not see it before under a name that they judge.
  const hidden = `.skw-${random}`;
  const name = `service-claim-${random}.sock`;
  const claim: Claim = {
    name,
    line: writeOwner({ url: null, pid: process.pid }),
    server: createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(claim.line, () => socket.destroy());
    }),
  };
  // The lock alone keeps no process running.
  claim.server.unref();
  await reaching(folder, hidden, (address) => listening(claim.server, address));
  await chmod(join(folder, hidden), 0o600);
  await rename(join(folder, hidden), join(folder, name));
  return claim;
}

async function withdraw(folder: string, claim: Claim): Promise<void> {
  await rm(join(folder, claim.name), { force: true });
  await closed(claim.server);
}

/** Whether no other announcement is alive; dead ones are cleared away, as their names never come again. */
async function aloneWith(folder: string, own: string): Promise<boolean> {
  const others = (await readdir(folder)).filter((name) => CLAIM.test(name) && name !== own);
  for (const name of others) {
    if ((await ask(folder, name)).kind === 'alive') return false;
    await rm(join(folder, name), { force: true });
  }
  return true;
}

async function refuseOwned(folder: string): Promise<void> {
  const answer = await ask(folder, SOCKET);
  if (answer.kind === 'dead') return;
  const { owner } = answer;
  const at = owner?.url === null || owner?.url === undefined ? '' : `, which listens on ${owner.url}`;
  throw inUse(owner === null ? 'its owner does not answer' : `its owner is process ${owner.pid}${at}`);
}

function cannotMake(folder: string, error: unknown): SkillwrightError {
  return new SkillwrightError('options_invalid', {
    detail: `data.dir: ${folder} cannot be made (${(error as NodeJS.ErrnoException).code}); name a folder that may be written`,
  });
}

function inUse(because: string): SkillwrightError {
  return new SkillwrightError('data_folder_in_use', {
    detail: `another process owns the data folder: ${because}; stop it, or name another folder by data.dir`,
  });
}

type Answer = { readonly kind: 'dead' } | { readonly kind: 'alive'; readonly owner: DataFolderOwner | null };

async function ask(folder: string, name: string): Promise<Answer> {
  return reaching(folder, name, (address) => {
    return new Promise<Answer>((done) => {
      const socket = connect(address);
      let text = '';
      socket.setEncoding('utf8').setTimeout(ANSWER_MS, () => socket.destroy());
      socket.on('data', (part: string) => {
        text += part;
        if (text.length > 4096) socket.destroy();
      });
      socket.on('error', (error: NodeJS.ErrnoException) => {
        // Whatever else goes wrong (a full backlog, missing rights), somebody may be there.
        const dead = error.code === 'ECONNREFUSED' || error.code === 'ENOENT';
        done(dead ? { kind: 'dead' } : { kind: 'alive', owner: null });
      });
      socket.on('close', () => {
        done({ kind: 'alive', owner: readOwner(text) });
      });
    });
  });
}

/**
 * Gives a socket's address in `folder`. A longer path than the kernel takes is shortened by a symbolic link
 * in a private temporary folder, so the socket itself still lies where everybody looks for it.
 */
async function reaching<T>(folder: string, name: string, use: (address: string) => Promise<T>): Promise<T> {
  const address = join(folder, name);
  if (Buffer.byteLength(address) <= MAX_ADDRESS_BYTES) return use(address);
  const short = await mkdtemp(join(tmpdir(), 'skw-'));
  try {
    await symlink(folder, join(short, 'd'));
    return await use(join(short, 'd', name));
  } finally {
    await rm(short, { recursive: true, force: true });
  }
}

function listening(server: Server, address: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(address, () => {
      server.off('error', fail);
      done();
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => {
      done();
    });
  });
}

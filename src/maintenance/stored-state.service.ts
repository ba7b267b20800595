import { type DatabaseService } from '../database/database.service.js';
import { MIGRATIONS } from '../database/migrations/all-migrations.js';
import { StoredStateStore } from './stored-state.store.js';
import {
  type BlobRecord,
  judgeBytes,
  judgeVersion,
  type Problem,
  type VerifiedCounts,
} from './verification.js';

// The database hashes so much in one statement, that others get their turn in between.
const HASHED_BYTES = 33_554_432;
const HASHED_BLOBS = 500;

export interface StoredJudgement {
  readonly problems: readonly Problem[];
  readonly checked: VerifiedCounts;
}

/**
 * Looks whether what the database holds is whole.
 *
 * @param database also one transaction of it
 * @throws SkillwrightError `db_unavailable`
 */
export async function judgeStored(
  database: Pick<DatabaseService, 'run'>,
  { all }: { readonly all: boolean },
): Promise<StoredJudgement> {
  const store = new StoredStateStore(database);
  const hashed = new HashedBlobs(store);
  const { versions, problems } = await judgeVersions(store, hashed, all);
  return {
    problems: [
      ...judgeMigrations(await store.migrations()),
      ...problems,
      ...(await judgeConfigs(store, hashed, all)),
      ...(await store.gaps()),
      ...(await store.auditGaps()),
      ...(await store.numberGaps()),
      ...(await store.staleWrites()),
    ].map(withoutNulls),
    checked: { ...(await store.counts()), versions, blobs: hashed.size },
  };
}

async function judgeVersions(
  store: StoredStateStore,
  hashed: HashedBlobs,
  all: boolean,
): Promise<{ versions: number; problems: Problem[] }> {
  const problems: Problem[] = [];
  let versions = 0;
  for (let page = await store.versions(all); page.length > 0; page = await store.versions(all, page.at(-1))) {
    await hashed.look(page.flatMap(({ manifest }) => manifest));
    for (const record of page) problems.push(...judgeVersion(record, hashed.found));
    versions += page.length;
  }
  return { versions, problems };
}

async function judgeConfigs(store: StoredStateStore, hashed: HashedBlobs, all: boolean): Promise<Problem[]> {
  const configs = await store.configs(all);
  await hashed.look(configs);
  return configs.flatMap(({ workflowId, version, path, ...file }): Problem[] => {
    const text = judgeBytes(file, hashed.found.get(file.sha256));
    return text === null ? [] : [{ invariant: 'I1', subject: workflowId, version, path, text }];
  });
}

function judgeMigrations(names: readonly string[]): Problem[] {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const ran = new Set(names);
  const problem = (text: string): Problem => ({ invariant: 'I9', text });
  return [
    ...names
      .filter((name) => !known.has(name))
      .map((name) => problem(`migration ${name} is not known to this release`)),
    ...Array.from(known)
      .filter((name) => !ran.has(name))
      .map((name) => problem(`migration ${name} was not run`)),
  ];
}

/** Asks for the hash of each stored file once, however many versions share it. */
class HashedBlobs {
  readonly found = new Map<string, BlobRecord>();
  private readonly asked = new Set<string>();

  constructor(private readonly store: StoredStateStore) {}

  get size(): number {
    return this.asked.size;
  }

  async look(files: Iterable<{ readonly sha256: string; readonly size: number }>): Promise<void> {
    let batch: string[] = [];
    let bytes = 0;
    for (const { sha256, size } of files) {
      if (this.asked.has(sha256)) continue;
      this.asked.add(sha256);
      batch.push(sha256);
      bytes += size;
      if (bytes < HASHED_BYTES && batch.length < HASHED_BLOBS) continue;
      await this.ask(batch);
      batch = [];
      bytes = 0;
    }
    await this.ask(batch);
  }

  private async ask(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    for (const [hash, blob] of await this.store.blobs(hashes)) this.found.set(hash, blob);
  }
}

/** SQL says null where a problem says nothing. */
function withoutNulls(problem: Problem): Problem {
  return Object.fromEntries(
    Object.entries(problem).filter(([, value]) => value !== null),
  ) as unknown as Problem;
}

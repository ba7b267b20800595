import { type ServerAnswer } from '../database/server-answer.js';
import { type Enforcement } from '../folder-guard/sandbox-request.js';
import { type WatchAccess, type WriteAccess } from '../workspace/write-access.js';

export type CheckState = 'ok' | 'warn' | 'fail';

/** One line of the diagnosis. */
export interface Check {
  readonly state: CheckState;
  readonly topic: string;
  /** What was found. */
  readonly text: string;
  /** What to do about it. */
  readonly hint?: string;
}

export interface Diagnosis {
  readonly checks: readonly Check[];
}

/** Whether the service could do its work here. */
export function isHealthy({ checks }: Diagnosis): boolean {
  return checks.every(({ state }) => state !== 'fail');
}

export interface LocationFacts {
  readonly label: string;
  readonly shownAs: string;
  readonly state: 'searched' | 'missing' | 'unreadable';
  readonly skills: number;
  /** Of these, skills that cannot be offered. */
  readonly broken: number;
}

export type DatabaseFacts =
  | {
      readonly kind: 'embedded';
      /** As configured. */
      readonly dir: string;
      readonly access: WriteAccess;
      /** Process that owns the folder; null when none does. */
      readonly owner: { readonly pid: number; readonly url: string | null } | null;
    }
  | { readonly kind: 'postgres'; readonly answer: ServerAnswer };

export interface DiagnosisFacts {
  /** `20.19.0`, without a v. */
  readonly node: string;
  readonly unknownNames: readonly { readonly name: string; readonly meant: string | null }[];
  readonly workspace: {
    /** As it was named; null when nothing names one. */
    readonly dir: string | null;
    readonly because: string;
    readonly exists: boolean;
    readonly access: WriteAccess;
  };
  readonly locations: readonly LocationFacts[];
  readonly remarks: number;
  readonly database: DatabaseFacts;
  readonly watching: WatchAccess;
  readonly sandbox: Enforcement;
}

const LEAST_NODE = [20, 19] as const;
const LEAST_POSTGRES = 13;

/** Turns what `skillwright doctor` found into lines that say what to do. */
export function judgeFacts(facts: DiagnosisFacts): Diagnosis {
  return {
    checks: [
      nodeCheck(facts.node),
      ...environmentChecks(facts.unknownNames),
      workspaceCheck(facts.workspace),
      ...facts.locations.map(locationCheck),
      skillsCheck(facts),
      databaseCheck(facts.database),
      watcherCheck(facts.watching),
      sandboxCheck(facts.sandbox),
    ],
  };
}

function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const old = major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]);
  if (!old) return { state: 'ok', topic: 'node', text: version };
  return { state: 'fail', topic: 'node', text: version, hint: `install ${LEAST_NODE.join('.')} or later` };
}

function environmentChecks(unknown: DiagnosisFacts['unknownNames']): Check[] {
  return unknown.map(({ name, meant }) => ({
    state: 'warn',
    topic: 'environment',
    text: `${name} is no option and has no effect`,
    hint: meant === null ? 'docs/configuration.md lists the names' : `did you mean ${meant}?`,
  }));
}

function workspaceCheck({ dir, because, exists, access }: DiagnosisFacts['workspace']): Check {
  const topic = 'workspace';
  if (dir === null) {
    return { state: 'warn', topic, text: `none: ${because}`, hint: 'name one with --workspace DIR' };
  }
  if (!exists) {
    return {
      state: 'fail',
      topic,
      text: `${dir} is not a folder (${because})`,
      hint: 'make it or name another',
    };
  }
  if (access.kind === 'refused') {
    const hint = 'give the user write permission; edits through the service would fail';
    return { state: 'warn', topic, text: `${dir} (${because}) cannot be written: ${access.because}`, hint };
  }
  return { state: 'ok', topic, text: `${dir} (${because})` };
}

function locationCheck({ label, shownAs, state, skills, broken }: LocationFacts): Check {
  const topic = 'location';
  const text = `${shownAs} [${label}]`;
  switch (state) {
    case 'missing':
      return { state: 'ok', topic, text: `${text}: does not exist` };
    case 'unreadable':
      return {
        state: 'fail',
        topic,
        text: `${text}: cannot be read`,
        hint: 'it must be a folder that may be read',
      };
    case 'searched': {
      const found = `${text}: ${skills} ${skills === 1 ? 'skill' : 'skills'}`;
      if (broken === 0) return { state: 'ok', topic, text: found };
      return {
        state: 'warn',
        topic,
        text: `${found}, ${broken} of them cannot be offered`,
        hint: 'skillwright list --all says why',
      };
    }
  }
}

function skillsCheck({ locations, remarks }: DiagnosisFacts): Check {
  const usable = locations.reduce((sum, { skills, broken }) => sum + skills - broken, 0);
  const topic = 'skills';
  const text = `${usable} found on disk, ${remarks} remarks about places`;
  if (remarks === 0) return { state: 'ok', topic, text };
  return { state: 'warn', topic, text, hint: 'skillwright list --all shows them' };
}

function databaseCheck(database: DatabaseFacts): Check {
  const topic = 'database';
  if (database.kind === 'postgres') return serverCheck(database.answer);
  const { dir, access, owner } = database;
  if (owner !== null) {
    const at = owner.url === null ? 'it is starting' : `it listens on ${owner.url}`;
    return { state: 'ok', topic, text: `embedded in ${dir}, in use by process ${owner.pid}: ${at}` };
  }
  switch (access.kind) {
    case 'refused':
      return {
        state: 'fail',
        topic,
        text: `embedded in ${dir}, which cannot be written: ${access.because}`,
        hint: 'give write permission or name another folder with --data-dir',
      };
    case 'creatable':
      return { state: 'ok', topic, text: `embedded in ${dir}, made at the first start` };
    case 'writable':
      return { state: 'ok', topic, text: `embedded in ${dir}, no service is running` };
  }
}

function serverCheck(answer: ServerAnswer): Check {
  const topic = 'database';
  if (answer.kind === 'down') {
    const text = `PostgreSQL does not answer: ${answer.because}`;
    return { state: 'fail', topic, text, hint: 'check DATABASE_URL and that the server runs' };
  }
  const text = `PostgreSQL ${answer.version}`;
  if (answer.major >= LEAST_POSTGRES) return { state: 'ok', topic, text };
  return { state: 'fail', topic, text, hint: `PostgreSQL ${LEAST_POSTGRES} or later is needed` };
}

function watcherCheck(watching: DiagnosisFacts['watching']): Check {
  const topic = 'watcher';
  if (watching.kind === 'works') return { state: 'ok', topic, text: 'changes on disk are noticed at once' };
  return {
    state: 'warn',
    topic,
    text: `changes are found by polling: ${watching.because}`,
    hint: 'raise fs.inotify.max_user_watches',
  };
}

function sandboxCheck(sandbox: Enforcement): Check {
  const topic = 'sandbox';
  if (sandbox.kind === 'bubblewrap')
    return { state: 'ok', topic, text: 'bubblewrap keeps commands of steps to their grants' };
  return {
    state: 'warn',
    topic,
    text: `nothing keeps commands of steps to their grants: ${sandbox.because}`,
    hint: 'install bubblewrap, and allow it to make namespaces; until then `guard run` refuses',
  };
}

import { type EmbeddedEngine, EngineLost, type OpenEngine } from './engine.js';
import { Turnstile } from './turnstile.js';
import { notificationChannel, queryFrame } from './wire-frames.js';
import { type SessionHost, WireSession } from './wire-session.adapter.js';

/** Milliseconds. */
export interface EmbeddedServerLimits {
  /** How long a session waits for another one's transaction. */
  readonly acquireMs: number;
  /** How long one statement may run: the engine has no statement_timeout of its own. */
  readonly statementMs: number;
}

export const EMBEDDED_SERVER_LIMITS: EmbeddedServerLimits = { acquireMs: 10_000, statementMs: 30_000 };

/**
 * Many sessions over the one backend of the embedded database. A statement that runs too long ends the
 * backend, every session with it; the next query opens it again.
 */
export class EmbeddedServer implements SessionHost {
  readonly turnstile: Turnstile;
  readonly #sessions = new Set<WireSession>();
  #engine: Promise<EmbeddedEngine> | null = null;
  #lastProcessId = 1000;
  #stopped = false;

  constructor(
    private readonly openEngine: OpenEngine,
    private readonly limits: EmbeddedServerLimits = EMBEDDED_SERVER_LIMITS,
  ) {
    this.turnstile = new Turnstile(limits.acquireMs);
  }

  /** Opens the backend now, so that a broken data folder shows at the start. */
  async start(): Promise<void> {
    await this.#open();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.severAll('57P01', 'the embedded database is shutting down');
    const engine = await this.#engine?.catch(() => null);
    await engine?.close();
  }

  /** A new connection, for the option `stream` of `pg`. */
  session(): WireSession {
    this.#lastProcessId += 1;
    const session = new WireSession(this, this.#lastProcessId);
    this.#sessions.add(session);
    return session;
  }

  async exec(frames: Uint8Array): Promise<Uint8Array> {
    const engine = await this.#open();
    const overdue = new AbortController();
    const watchdog = setTimeout(() => {
      overdue.abort();
      void engine.terminate();
    }, this.limits.statementMs);
    try {
      return await engine.exec(frames);
    } catch (cause) {
      this.#engine = null;
      throw overdue.signal.aborted
        ? new EngineLost('57014', `the statement ran for more than ${this.limits.statementMs} ms`, { cause })
        : new EngineLost('57P02', 'the embedded database ended unexpectedly', { cause });
    } finally {
      clearTimeout(watchdog);
    }
  }

  /** Clears dead rows; between transactions, like any other session. */
  async vacuum(): Promise<void> {
    if (this.#stopped || !(await this.turnstile.enter())) return;
    try {
      await this.exec(queryFrame('VACUUM (ANALYZE)'));
    } catch (error) {
      const lost = error instanceof EngineLost ? error.sqlState : '57P02';
      this.severAll(lost, 'the embedded database was restarted');
    } finally {
      this.turnstile.leave();
    }
  }

  notify(frame: Buffer): void {
    const channel = notificationChannel(frame);
    for (const session of this.#sessions) if (session.listensOn(channel)) session.push(frame);
  }

  left(session: WireSession): void {
    this.#sessions.delete(session);
  }

  severAll(sqlState: string, message: string): void {
    for (const session of [...this.#sessions]) session.sever(sqlState, message);
  }

  async #open(): Promise<EmbeddedEngine> {
    if (this.#stopped) throw new EngineLost('57P03', 'the embedded database is shut down');
    const opening = (this.#engine ??= this.openEngine());
    try {
      return await opening;
    } catch (cause) {
      if (this.#engine === opening) this.#engine = null;
      throw new EngineLost('57P03', 'the embedded database cannot be opened', { cause });
    }
  }
}

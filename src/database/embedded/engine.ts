/** The one backend of the embedded database, wherever it runs: in a worker thread, or in a test's own thread. */
export interface EmbeddedEngine {
  /**
   * Runs whole wire-protocol messages, one call at a time.
   *
   * @throws Error when the backend is gone; a failing statement is an answer, not an error.
   */
  exec(frames: Uint8Array): Promise<Uint8Array>;
  /** Ends at once whatever is running; files stay as after a killed process. */
  terminate(): Promise<void>;
  /** Writes everything out and ends. */
  close(): Promise<void>;
}

export type OpenEngine = () => Promise<EmbeddedEngine>;

/** The backend went away under a statement; `sqlState` is what the client is told. */
export class EngineLost extends Error {
  override readonly name = 'EngineLost';

  constructor(
    readonly sqlState: '57014' | '57P02' | '57P03',
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

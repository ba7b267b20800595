/** What goes to the thread of the embedded database. */
export type ToWorker = { readonly kind: 'exec'; readonly frames: Uint8Array } | { readonly kind: 'close' };

/** What comes back: one `ready`, then one `answer` for each `exec`. */
export type FromWorker = { readonly kind: 'ready' } | { readonly kind: 'answer'; readonly bytes: Uint8Array };

export interface WorkerInput {
  /** Absolute folder of the database's files. */
  readonly dir: string;
}

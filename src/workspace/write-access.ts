/** Whether the process may write to a folder, or why not. */
export type WriteAccess =
  | { readonly kind: 'writable' }
  /** The folder does not exist yet and can be made. */
  | { readonly kind: 'creatable' }
  | { readonly kind: 'refused'; readonly because: string };

/** Whether the system tells this process about changes, or why not. */
export type WatchAccess = { readonly kind: 'works' } | { readonly kind: 'fails'; readonly because: string };

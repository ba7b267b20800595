/** What lies at one path, a link at its end not followed. */
export type PathLook =
  | { readonly kind: 'missing' }
  | { readonly kind: 'folder' }
  /** `names`: how many directory entries lead to the same bytes; more than one is a hard link. */
  | { readonly kind: 'file'; readonly names: number }
  | { readonly kind: 'link'; readonly target: string }
  /** A pipe, socket or device. */
  | { readonly kind: 'other' }
  /** The system does not say. */
  | { readonly kind: 'unknown'; readonly because: string };

/** Looks at an absolute path without `.` and `..`. */
export type LookAt = (path: string) => PathLook;

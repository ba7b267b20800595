/** What a PostgreSQL server said to a connection. */
export type ServerAnswer =
  | { readonly kind: 'up'; readonly version: string; readonly major: number }
  | { readonly kind: 'down'; readonly because: string };

/** What the embedded database must be spared, or what a session must remember about a statement. */
export type Statement =
  | { readonly kind: 'plain' }
  | { readonly kind: 'listen'; readonly channel: string }
  | { readonly kind: 'unlisten'; readonly channel: string }
  | { readonly kind: 'unlisten-all' }
  | { readonly kind: 'refused'; readonly because: string };

const LISTEN = /^(un)?listen\s+(?:"((?:[^"]|"")+)"|([\w$]+)|(\*))\s*;?$/i;
// Over the wire, COPY FROM STDIN ends the embedded database's process.
const COPY_FROM_STDIN = /(?:^|;)\s*copy\b[^;]*\bfrom\s+stdin\b/i;

export function classifyStatement(sql: string | null): Statement {
  if (sql === null) return { kind: 'plain' };
  if (COPY_FROM_STDIN.test(sql)) {
    return { kind: 'refused', because: 'COPY FROM STDIN is not supported by the embedded database' };
  }
  const match = LISTEN.exec(sql.trim());
  if (match === null) return { kind: 'plain' };
  const [, un, quoted, bare, all] = match;
  if (all !== undefined) return un === undefined ? { kind: 'plain' } : { kind: 'unlisten-all' };
  const channel = quoted === undefined ? (bare ?? '').toLowerCase() : quoted.replaceAll('""', '"');
  return { kind: un === undefined ? 'listen' : 'unlisten', channel };
}

/**
 * A statement that fails in the database itself with the given text, so that an open transaction is
 * marked failed there too.
 */
export function failingStatement(because: string): string {
  return `DO $$ BEGIN RAISE EXCEPTION '${because.replaceAll("'", "''")}' USING ERRCODE = '0A000'; END $$`;
}

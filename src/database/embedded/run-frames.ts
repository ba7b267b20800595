import { type PGlite } from '@electric-sql/pglite';

/**
 * Runs wire-protocol messages on PGlite. `execProtocolRaw` keeps every parsed answer in memory for ever
 * (seen in 0.5.14); the stream form goes around its parser.
 */
export async function runFrames(database: PGlite, frames: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  await database.execProtocolRawStream(frames, {
    // The bytes lie in the WASM heap and change with the next statement.
    onRawData: (data) => parts.push(data.slice()),
  });
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const answer = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    answer.set(part, at);
    at += part.length;
  }
  return answer;
}

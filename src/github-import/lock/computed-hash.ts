import { createHash } from 'node:crypto';

/** The order of the vercel CLI, whatever language this machine speaks. */
const COLLATOR = new Intl.Collator('en');

/**
 * The hash that the vercel CLI writes for a folder. Neither its order nor its borders between path and content are
 * safe to identify anything by; it is made to verify their file alone.
 *
 * @returns 64 hex digits.
 */
export function computedHash(files: readonly { readonly path: string; readonly bytes: Buffer }[]): string {
  const hash = createHash('sha256');
  for (const { path, bytes } of [...files].sort((a, b) => COLLATOR.compare(a.path, b.path))) {
    hash.update(path).update(bytes);
  }
  return hash.digest('hex');
}

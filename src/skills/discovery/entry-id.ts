import { hash } from 'node:crypto';

// A UUID of our own, made once; changing it would give every skill another id.
const NAMESPACE = Buffer.from('6f0b1f6c5b0e4d8f9a4c2d7e31b85a90', 'hex').toString('latin1');

/**
 * The id of a skill that no database has numbered: UUID version 5 over layer and slug, so the same folder
 * has the same id on every machine and after every start.
 */
export function entryId(layer: string, slug: string): string {
  const name = Buffer.from(`${layer}\0${slug}`).toString('latin1');
  const digest = hash('sha1', Buffer.from(NAMESPACE + name, 'latin1'), 'hex');
  const variant = ((parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    variant + digest.slice(17, 20),
    digest.slice(20, 32),
  ].join('-');
}

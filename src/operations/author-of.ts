import { type Author } from '../events/author.js';
import { type Call } from './principal.js';

/** Who stands in the history for what a call changes, with the caller's own words. */
export function authorOf({ principal, requestId, door }: Call, message: string | undefined): Author {
  const { kind, subject, name } = principal;
  return { kind, subject, name, door, requestId, message: message ?? null };
}

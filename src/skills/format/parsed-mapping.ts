import { type Finding } from '../../kernel/finding.js';
import { type JsonValue } from './skill-document.js';

/** Keys that would reach an object's prototype somewhere downstream; never kept. */
export const UNSAFE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Where a top-level key stands in the file, 1-based; `key` is its text after unquoting. */
export interface KeyPlace {
  readonly key: string;
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
}

/** A frontmatter block as data. Scalars are the text of the source; an empty or null scalar is null. */
export interface ParsedMapping {
  readonly kind: 'mapping';
  readonly keys: Readonly<Record<string, JsonValue>>;
  /** In file order; keys that were dropped are not here. */
  readonly places: readonly KeyPlace[];
  readonly findings: readonly Finding[];
  /** Whether values may hold characters that the source shows only as escapes. */
  readonly escapes: boolean;
}

/** A block that is not a mapping at all; the findings hold at least one error. */
export interface BrokenMapping {
  readonly kind: 'broken';
  readonly findings: readonly Finding[];
}

/**
 * An object for keys that strangers choose: nothing is inherited, so a lookup finds only what the file says.
 * A constructor over an empty prototype, because engines make `Object.create(null)` a slow hash table.
 */
export function emptyRecord(): Record<string, JsonValue> {
  return new BareRecord();
}

const BareRecord = function () {
  // Nothing to set up.
} as unknown as new () => Record<string, JsonValue>;
BareRecord.prototype = Object.freeze(Object.create(null) as object);

/** Words that YAML's core schema reads as null. */
export function isNullWord(plain: string): boolean {
  return plain === '' || plain === '~' || plain === 'null' || plain === 'Null' || plain === 'NULL';
}

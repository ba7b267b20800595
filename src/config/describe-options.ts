import { type z } from 'zod';
import { innermost, schemaDefault, schemaKind } from '../kernel/schema-kind.js';
import { optionsSchema } from './options.js';

export type OptionKind = 'text' | 'number' | 'boolean' | 'list' | 'enum';

/** One leaf of the options object. */
export interface OptionLeaf {
  /** Dotted path, `http.port`. */
  readonly path: string;
  /** Environment names, the mechanical one first. */
  readonly env: readonly string[];
  readonly kind: OptionKind;
  /** Undefined when the option has no default. */
  readonly defaultValue: unknown;
  readonly choices: readonly string[];
  readonly secret: boolean;
  readonly description: string;
}

/** Names that are not derived from the path. */
const EXTRA_ENV: Readonly<Record<string, readonly string[]>> = {
  'database.url': ['DATABASE_URL'],
  'discovery.path': ['SKILLWRIGHT_PATH'],
};

/** Every option, in the order of the schema. */
export function optionLeaves(): OptionLeaf[] {
  return Object.entries(optionsSchema.shape).flatMap(([group, section]) => {
    const leaves: Record<string, z.ZodType> = section.unwrap().shape;
    return Object.entries(leaves).map(([key, leaf]) => describeLeaf(`${group}.${key}`, leaf));
  });
}

/** `search.topK` -> `SKILLWRIGHT_SEARCH_TOP_K`. */
export function mechanicalEnvName(path: string): string {
  const words = path.replace(/[A-Z]/g, (capital) => `_${capital}`).replace(/\./g, '_');
  return `SKILLWRIGHT_${words.toUpperCase()}`;
}

function describeLeaf(path: string, leaf: z.ZodType): OptionLeaf {
  const inner = innermost(leaf);
  const { entries } = inner._zod.def as { entries?: Record<string, string> };
  const meta = { ...inner.meta(), ...leaf.meta() };
  return {
    path,
    env: [mechanicalEnvName(path), ...(EXTRA_ENV[path] ?? [])],
    kind: KINDS[schemaKind(leaf)] ?? 'text',
    defaultValue: schemaDefault(leaf),
    choices: entries ? Object.values(entries) : [],
    secret: meta['secret'] === true,
    description: meta.description ?? '',
  };
}

const KINDS: Readonly<Record<string, OptionKind>> = {
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  enum: 'enum',
};

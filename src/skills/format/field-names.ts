/** Plain text for people: an unquoted value that is not valid YAML may be recovered. */
const RECOVERABLE: ReadonlySet<string> = new Set([
  'description',
  'argument-hint',
  'license',
  'compatibility',
  'author',
  'model',
  'effort',
  'context',
  'agent',
]);

/** Known to us, but neither in the open specification nor in wide use by its clients. */
const EXTENSIONS: ReadonlySet<string> = new Set([
  'slug',
  'author',
  'tags',
  'version',
  'permissions',
  'deps',
  'exclude_deps',
  'requires',
]);

const OTHERS = ['name', 'metadata', 'allowed-tools', 'disable-model-invocation', 'user-invocable'];

export interface FieldName {
  /** The spelling that the tables know. */
  readonly field: string;
  /** True for a twin of the known spelling: `allowed_tools`, `exclude-deps`. */
  readonly twin: boolean;
}

const KNOWN: ReadonlyMap<string, FieldName> = new Map(
  [...RECOVERABLE, ...EXTENSIONS, ...OTHERS].map((field) => [field, { field, twin: false }]),
);

/**
 * The known field that a key means, or null. Hyphen and underscore are taken for each other.
 *
 * @example fieldName('allowed_tools') // { field: 'allowed-tools', twin: true }
 */
export function fieldName(key: string): FieldName | null {
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  const twin = KNOWN.get(key.replaceAll('_', '-')) ?? KNOWN.get(key.replaceAll('-', '_'));
  return twin === undefined ? null : { field: twin.field, twin: true };
}

/** Whether the key means plain text whose unquoted value may be recovered. */
export function isRecoverable(key: string): boolean {
  const known = fieldName(key);
  return known !== null && RECOVERABLE.has(known.field);
}

/** Whether the field is ours alone, so that other clients may not know it. */
export function isExtension(field: string): boolean {
  return EXTENSIONS.has(field);
}

/** A known field whose spelling differs from the key by case or blanks only; for a hint. */
export function similarField(key: string): string | null {
  return fieldName(key.toLowerCase().replaceAll(' ', '-'))?.field ?? null;
}

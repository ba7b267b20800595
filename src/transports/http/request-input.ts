import { type z } from 'zod';
import { SkillwrightError } from '../../kernel/errors.js';
import { objectShape, schemaKind } from '../../kernel/schema-kind.js';
import { type Route } from './route.js';

export interface RequestParts {
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** Without the leading question mark. */
  readonly query: string;
  /** Undefined when there was none. */
  readonly body: unknown;
  /** The body when it is a form. */
  readonly form?: {
    readonly fields: readonly (readonly [name: string, value: string])[];
    readonly file: { readonly field: string; readonly bytes: Buffer };
  };
}

/**
 * Puts the input of an operation together from path, query and body. Text is only typed here, by the kinds of
 * the operation's own schema, which then judges it.
 *
 * @throws SkillwrightError `bad_request` when a key stands twice, or a body stands where none is taken.
 */
export function inputOf(route: Route, parts: RequestParts): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const put = (key: string, value: unknown): void => {
    if (Object.hasOwn(input, key)) throw wrong(key, 'given twice');
    Object.defineProperty(input, key, { value, enumerable: true });
  };
  const { input: schema } = route.operation;
  for (const [key, value] of Object.entries(pathValues(parts.params))) {
    put(key, typed(kindOf(schema, key), value));
  }
  for (const [key, value] of textValues(schema, new URLSearchParams(parts.query))) put(key, value);
  if (parts.form === undefined) for (const [key, value] of bodyValues(route, parts.body)) put(key, value);
  else {
    for (const [key, value] of textValues(schema, parts.form.fields)) put(key, value);
    put(parts.form.file.field, parts.form.file.bytes);
  }
  return input;
}

/** `custom/{x}` in the plain form arrives as `custom`; a rest of the path as decoded segments. */
function pathValues(params: RequestParts['params']): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(params)) {
    const text = typeof value === 'string' ? value : value.join('/');
    if (key === 'custom') values['id'] = `custom/${text}`;
    else values[key] = text;
  }
  return values;
}

/** Values that arrived as text, typed by the kinds of the schema. */
function textValues(
  schema: z.ZodType,
  pairs: Iterable<readonly [key: string, value: string]>,
): [string, unknown][] {
  const seen = new Map<string, string[]>();
  for (const [key, value] of pairs) {
    const values = seen.get(key);
    if (values) values.push(value);
    else seen.set(key, [value]);
  }
  return Array.from(seen, ([key, values]) => {
    const kind = kindOf(schema, key);
    if (kind === 'array')
      return [key, values.flatMap((value) => value.split(',')).filter((item) => item !== '')];
    if (values.length > 1) throw wrong(key, 'given twice');
    return [key, typed(kind, values[0] ?? '')];
  });
}

function kindOf(schema: z.ZodType, key: string): string {
  const shape = objectShape(schema);
  const leaf = Object.hasOwn(shape, key) ? shape[key] : undefined;
  return leaf ? schemaKind(leaf) : 'string';
}

function typed(kind: string, text: string): unknown {
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind === 'boolean')
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
  return text;
}

function bodyValues(route: Route, body: unknown): [string, unknown][] {
  if (route.body === undefined) {
    if (body !== undefined) throw wrong('body', 'this request takes none');
    return [];
  }
  if (typeof route.body === 'object' && 'whole' in route.body) return [[route.body.whole, body]];
  if (typeof route.body === 'object' && Buffer.isBuffer(body)) return [[route.body.bytes, body]];
  if (body === undefined) return [];
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw wrong('body', 'must be a JSON object');
  return Object.entries(body);
}

function wrong(field: string, what: string): SkillwrightError {
  return new SkillwrightError('bad_request', { field, detail: `${field}: ${what}` });
}

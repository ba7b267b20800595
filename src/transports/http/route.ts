import { type z } from 'zod';
import { type ErrorCode } from '../../kernel/errors.js';

/** What a route needs to know of the operation behind it. */
export interface RoutedOperation {
  readonly name: string;
  readonly summary: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** The bytes of the body become the named input. */
export interface RawBody {
  readonly bytes: string;
  /** Option of `limits` that says how many there may be. */
  readonly limit: 'contentBodyBytes' | 'fileBytes';
  /** A JSON object is taken too: its keys become inputs. */
  readonly orJson: boolean;
}

/** One line of the HTTP table: method and path -> operation. The whole mapping is data. */
export interface Route<Op extends RoutedOperation = RoutedOperation> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express path, `/v1/skills/:id`; a last `*path` takes the rest. */
  readonly path: string;
  readonly operation: Op;
  /** Status of a success. */
  readonly status: 200 | 201 | 204;
  /**
   * Where the body goes: the keys of a JSON object become inputs, or the whole of it becomes the named input;
   * or the fields and the one file of a form do. Absent: the route takes no body.
   */
  readonly body?: 'keys' | 'multipart' | { readonly whole: string } | RawBody;
  /** An edit of content: `If-Match` becomes the input `if_match`. */
  readonly match?: true;
  /**
   * `revision`: the answer follows from catalogue, presets and workflow files alone, and is kept until one of them
   * changes. `skill`: it is tagged by the skill's own digest. Every other read is tagged by its bytes.
   */
  readonly tag?: 'revision' | 'skill';
  /** How the answer is written when it is not plain JSON. */
  readonly reply?: 'file' | 'stream' | 'download';
  /** Refusals worth naming in the documentation, besides those of every route. */
  readonly errors: readonly ErrorCode[];
}

type Extras<Op extends RoutedOperation> = Partial<Omit<Route<Op>, 'method' | 'path' | 'operation'>>;

const builder =
  (method: Route['method'], status: Route['status']) =>
  <Op extends RoutedOperation>(path: string, operation: Op, extras: Extras<Op> = {}): Route<Op> => ({
    method,
    path,
    operation,
    status,
    errors: [],
    ...extras,
  });

export const get = builder('GET', 200);
export const post = builder('POST', 200);
export const put = builder('PUT', 200);
export const patch = builder('PATCH', 200);
export const remove = builder('DELETE', 204);

/**
 * The two spellings of a route below one skill: `/v1/skills/custom/{x}` in the plain form, which must stand first,
 * and `/v1/skills/{id}`, where a slash in the id arrives encoded.
 */
export function withCustom<R>(rest: string, make: (path: string) => R): R[] {
  return [make(`/v1/skills/custom/:custom${rest}`), make(`/v1/skills/:id${rest}`)];
}

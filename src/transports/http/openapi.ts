import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../kernel/errors.js';
import { objectShape } from '../../kernel/schema-kind.js';
import { type Route } from './route.js';

type Json = Record<string, unknown>;

/** Refusals that any route can answer, by whether it writes. */
const READING: readonly ErrorCode[] = ['bad_request', 'host_refused', 'not_ready', 'internal'];
const WRITING: readonly ErrorCode[] = [
  ...READING,
  'origin_refused',
  'payload_too_large',
  'unsupported_media_type',
  'db_unavailable',
];

/** The OpenAPI 3.1 document of a route table. Schemas come from the operations, so the two cannot differ. */
export function openApiDocument(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/[:*](\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = describeRoute(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Skillwright',
      version,
      description: 'Gives each step of an agent workflow exactly the skills it should have.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: { schemas: { Problem: PROBLEM } },
  };
}

function describeRoute(route: Route): Json {
  const shape = objectShape(route.operation.input);
  const inPath = Array.from(route.path.matchAll(/[:*](\w+)/g), (match) => match[1] ?? '');
  const bodyKeys = Object.keys(shape).filter((key) => !inPath.includes(key));
  const inQuery = route.body === undefined ? bodyKeys : [];
  return {
    operationId: operationId(route),
    summary: route.operation.summary,
    tags: [route.operation.name.split('.')[0]],
    parameters: [
      ...inPath.map((name) => parameter('path', name, shape[name])),
      ...inQuery.map((name) => parameter('query', name, shape[name])),
    ],
    ...(route.body !== undefined && { requestBody: requestBody(route, shape, inPath) }),
    responses: responses(route),
  };
}

function operationId(route: Route): string {
  return route.path.includes(':custom') ? `${route.operation.name}.custom` : route.operation.name;
}

function parameter(place: 'path' | 'query', name: string, schema: z.ZodType | undefined): Json {
  const json = schema ? toJson(schema, 'input') : { type: 'string' };
  const { description, ...rest } = json;
  return {
    name,
    in: place,
    required: place === 'path' || (schema !== undefined && !schema.safeParse(undefined).success),
    ...(description !== undefined && { description }),
    ...(rest['type'] === 'array' && { style: 'form', explode: false }),
    schema: rest,
  };
}

function requestBody(route: Route, shape: Record<string, z.ZodType>, inPath: readonly string[]): Json {
  if (typeof route.body === 'object' && 'bytes' in route.body) {
    const binary = { schema: { type: 'string', format: 'binary' } };
    return { required: true, content: { [route.body.orJson ? 'text/markdown' : '*/*']: binary } };
  }
  if (typeof route.body === 'object') {
    const whole = shape[route.body.whole];
    return {
      required: true,
      content: { 'application/json': { schema: whole ? toJson(whole, 'input') : {} } },
    };
  }
  const { properties, required, ...rest } = toJson(route.operation.input, 'input') as {
    properties?: Json;
    required?: string[];
  };
  const kept = Object.fromEntries(Object.entries(properties ?? {}).filter(([key]) => !inPath.includes(key)));
  const needed = (required ?? []).filter((key) => !inPath.includes(key));
  const schema = { ...rest, properties: kept, ...(needed.length > 0 && { required: needed }) };
  const type = route.body === 'multipart' ? 'multipart/form-data' : 'application/json';
  return { required: needed.length > 0, content: { [type]: { schema } } };
}

function responses(route: Route): Json {
  const success = { description: 'Success' };
  const type = route.reply === 'download' ? 'application/octet-stream' : 'application/json';
  const content = { [type]: { schema: toJson(route.operation.output, 'output') } };
  const byStatus: Record<string, Json> = {
    [route.status]: route.status === 204 ? success : { ...success, content },
  };
  if (route.method === 'GET')
    byStatus['304'] = { description: 'The answer is the one named by If-None-Match.' };
  const codes = new Set([...(route.method === 'GET' ? READING : WRITING), ...route.errors]);
  for (const status of new Set(Array.from(codes, (code) => ERRORS[code].http))) {
    const here = Array.from(codes).filter((code) => ERRORS[code].http === status);
    byStatus[status] = {
      description: here.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join(' '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    };
  }
  return byStatus;
}

function toJson(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json: Json = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  delete json['$schema'];
  return json;
}

const PROBLEM: Json = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'issues', 'error'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    request_id: { type: 'string' },
    issues: { type: 'array', items: { type: 'object' } },
    error: { type: 'string' },
  },
};

import { ERRORS, type ErrorCode } from '../../kernel/errors.js';
import { objectShape } from '../../kernel/schema-kind.js';
import { type Route } from './route.js';

/** `docs/http.md`: every route in words; `/openapi.json` has the schemas. */
export function renderHttpDoc(routes: readonly Route[]): string {
  return [
    '# HTTP',
    '',
    'Generated from the route table in `src/transports/http`; `npm run docs` writes this file. A running service has',
    'the schemas at `/openapi.json` and a page to try them at `/docs`.',
    '',
    '- Bodies are JSON in UTF-8; names are snake_case, times ISO 8601 in UTC, sizes bytes.',
    '- Every answer carries `X-Request-Id`. Reads carry `ETag` and answer 304 to `If-None-Match`.',
    '- Lists take `limit` (at most 1,000; absent: all up to 1,000) and `cursor`, and answer `next_cursor` and `total`.',
    '- A list in a query is separated by commas. An unknown key is refused.',
    '- A refusal is `application/problem+json` with `code` and `issues[]`; [errors.md](errors.md) lists the codes.',
    '- `{id}` of a skill is its UUID, slug or unique name. A slash in it is encoded, `custom%2Fx`; `custom/x` also',
    '  works in the plain form.',
    '',
    ...routes.filter(({ path }) => !path.includes(':custom')).flatMap(describeRoute),
  ].join('\n');
}

function describeRoute(route: Route): string[] {
  const { method, path, operation, status, errors } = route;
  const shape = objectShape(operation.input);
  const inPath = Array.from(path.matchAll(/[:*](\w+)/g), (match) => match[1] ?? '');
  const rest = Object.keys(shape).filter((key) => !inPath.includes(key));
  const inputs = rest.map((key) => {
    const description = shape[key]?.description;
    return `\`${key}\`${description === undefined ? '' : `: ${description}`}`;
  });
  return [
    `## ${method} ${path.replace(/[:*](\w+)/g, '{$1}')}`,
    '',
    operation.summary,
    '',
    ...bodyLines(route, shape, inputs),
    `Answers ${status}.${errors.length === 0 ? '' : ` Refuses with ${refusals(errors)}.`}`,
    '',
  ];
}

function bodyLines(
  { body, match }: Route,
  shape: Record<string, { description?: string | undefined }>,
  inputs: readonly string[],
): string[] {
  const tagged = match === true ? ['Needs `If-Match` with the tag of the skill.', ''] : [];
  const kept = match === true ? inputs.filter((line) => !line.startsWith('`if_match`')) : inputs;
  if (typeof body !== 'object') return [...tagged, ...inputList(body, kept)];
  const name = 'whole' in body ? body.whole : body.bytes;
  return [...tagged, ...wholeBody(name, shape[name]?.description)];
}

function wholeBody(name: string, description: string | undefined): string[] {
  return [`Body: the ${name} itself, whole.${description === undefined ? '' : ` ${description}`}`, ''];
}

function inputList(body: Route['body'], inputs: readonly string[]): string[] {
  const where = body === undefined ? 'Query' : body === 'multipart' ? 'Form (multipart/form-data)' : 'Body';
  if (inputs.length === 0) return [];
  return [`${where}:`, '', ...inputs.map((input) => `- ${input}`), ''];
}

function refusals(errors: readonly ErrorCode[]): string {
  return errors.map((code) => `${ERRORS[code].http} \`${code}\``).join(', ');
}

import { finding, type Finding } from '../../kernel/finding.js';
import { bodyRange } from './body-text.js';
import { decodeUtf8 } from './decode-text.js';
import { skipByteOrderMark } from './fences.js';
import { fieldName, isExtension } from './field-names.js';
import { type KeyPlace } from './parsed-mapping.js';
import { type SkillDocument, type SourceSpan } from './skill-document.js';
import { readHead, type FormatContext, type PlacedHead } from './skill-head.js';
import { controlValueFindings, isStorable } from './text-checks.js';
import { controlTokenFindings, hiddenUnicodeFindings } from './visible-text.js';

const ADVISED_LINES = 500;

/**
 * Reads a whole SKILL.md. Content never makes it throw: whatever is wrong is a finding, and `valid` says whether
 * the skill may be offered. A text is taken as the UTF-8 file that it would be.
 *
 * @example
 * parseSkill('---\nname: pdf\ndescription: Reads PDF.\n---\n\nOpen it.\n', { folderName: 'pdf', limits }).body
 * // 'Open it.'
 */
export function parseSkill(source: Buffer | string, context: FormatContext): SkillDocument {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  const placed = readHead(bytes, { ...context, size: bytes.length });
  // The bytes are whole, so the head never has to wait for more.
  if (placed === 'need_more') throw new TypeError('a whole file was asked for more bytes');
  const isRead = bytes.length <= context.limits.skillMdBytes;
  const text = isRead ? decodeUtf8(bytes.subarray(skipByteOrderMark(bytes))) : '';
  const lost = typeof source === 'string' && !isStorable(source);
  const remarks = text === null ? [finding('encoding_invalid')] : textFindings(text, lost);
  const body = text === null ? null : findBody(text, bytes, placed.head.bodyOffset);
  if (isRead && body !== null) remarks.push(...bodyFindings(body));
  return assemble(placed, { source: text ?? '', body: body?.text ?? '' }, remarks, context);
}

function assemble(
  { head, places }: PlacedHead,
  texts: { readonly source: string; readonly body: string },
  remarks: readonly Finding[],
  { path }: FormatContext,
): SkillDocument {
  const known = new Set(head.findings.map(({ code }) => code));
  // What the head said of its bytes is not said again of the whole.
  const added = remarks.filter(({ code }) => !WHOLE_FILE_CODES.has(code) || !known.has(code));
  const whole = [...extensionFindings(places), ...controlValueFindings(head.keys, places), ...added];
  const findings = [
    ...head.findings,
    ...whole.map((remark) => (path === undefined ? remark : { ...remark, path })),
  ];
  return {
    frontmatter: head.frontmatter,
    keys: head.keys,
    findings,
    valid: !findings.some(({ severity }) => severity === 'error'),
    bodyOffset: head.bodyOffset,
    ...texts,
    spans: new Map<string, SourceSpan>(
      places.map(({ key, line, column, endColumn }) => [key, { line, column, endLine: line, endColumn }]),
    ),
  };
}

const WHOLE_FILE_CODES: ReadonlySet<string> = new Set(['encoding_invalid', 'text_unstorable']);

function textFindings(text: string, lost: boolean): Finding[] {
  return lost || !isStorable(text) ? [finding('text_unstorable')] : [];
}

/** Which keys other clients may not know. */
function extensionFindings(places: readonly KeyPlace[]): Finding[] {
  return places.flatMap(({ key, line, column }) => {
    const field = fieldName(key)?.field;
    return field !== undefined && isExtension(field)
      ? [finding('field_extension', { field, line, column })]
      : [];
  });
}

interface Body {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

/** The text behind the frontmatter without the blank lines at its edges. */
function findBody(source: string, bytes: Buffer, bodyOffset: number): Body {
  const rest = bodyOffset === 0 ? source : bytes.toString('utf8', bodyOffset);
  const { start, end } = bodyRange(source, source.length - rest.length);
  let line = 1;
  for (let at = source.indexOf('\n'); at >= 0 && at < start; at = source.indexOf('\n', at + 1)) line += 1;
  return { text: source.slice(start, end), line };
}

function bodyFindings({ text, line }: Body): Finding[] {
  if (text === '') return [finding('body_empty')];
  const lines = text.split('\n').length;
  const long = finding('body_long', {
    line,
    message: `The instructions have ${lines} lines; ${ADVISED_LINES} are advised.`,
  });
  return [
    ...(lines > ADVISED_LINES ? [long] : []),
    ...hiddenUnicodeFindings(text, { firstLine: line }),
    ...controlTokenFindings(text, { firstLine: line }),
  ];
}

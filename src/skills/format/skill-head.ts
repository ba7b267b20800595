import { finding, quoteFound, type Finding } from '../../kernel/finding.js';
import { decodeUtf8 } from './decode-text.js';
import { locateFrontmatter, type FrontmatterPlace } from './fences.js';
import { NOTHING_DECLARED } from './field-setters.js';
import { parseFrontmatter } from './parse-frontmatter.js';
import { type KeyPlace } from './parsed-mapping.js';
import { readFields } from './read-fields.js';
import { type SkillFrontmatter, type SkillHead } from './skill-document.js';
import { folderFindings } from './skill-name.js';
import { hiddenValueFindings, unstorableFindings } from './text-checks.js';
import { mayHide } from './visible-text.js';

/** A file made to be remarked on in every line does not fill the answer. */
const MAX_FINDINGS = 100;
const NONE: readonly Finding[] = Object.freeze<Finding[]>([]);

/** What is known of a SKILL.md besides its bytes. */
export interface FormatContext {
  /** Last segment of the skill's folder; absent for a file without a folder of its own. */
  readonly folderName?: string;
  /** Shown in findings. */
  readonly path?: string;
  readonly limits: { readonly skillMdBytes: number; readonly frontmatterBytes: number };
  /** Size of the whole file when the given bytes are only its head. */
  readonly size?: number;
}

/** A head with the places of its keys, which only a whole document keeps. */
export interface PlacedHead {
  readonly head: SkillHead;
  readonly places: readonly KeyPlace[];
}

/**
 * Reads the frontmatter of a SKILL.md from its first bytes. Content never makes it throw: whatever is wrong is
 * a finding, and `valid` says whether the skill may be offered.
 *
 * @returns `need_more` when the closing fence may lie beyond the given bytes.
 * @example
 * parseSkillHead(Buffer.from('---\nname: pdf\ndescription: Reads PDF.\n---\n'), { folderName: 'pdf', limits })
 */
export function parseSkillHead(bytes: Buffer, context: FormatContext): SkillHead | 'need_more' {
  const placed = readHead(bytes, context);
  return placed === 'need_more' ? placed : placed.head;
}

/** As `parseSkillHead`, with the places of the keys. */
export function readHead(bytes: Buffer, context: FormatContext): PlacedHead | 'need_more' {
  const size = context.size ?? bytes.length;
  const { skillMdBytes, frontmatterBytes } = context.limits;
  if (size > skillMdBytes) {
    const message = `SKILL.md has ${size} bytes; ${skillMdBytes} is the limit.`;
    return unreadable([finding('skill_md_too_large', { message })], 0, context);
  }
  const whole = bytes.length >= size;
  const place = locateFrontmatter(bytes, whole);
  const length = (place.kind === 'found' ? place.end : bytes.length) - ('start' in place ? place.start : 0);
  if ('start' in place && length > frontmatterBytes) {
    const message = `The frontmatter has more than ${frontmatterBytes} bytes.`;
    return unreadable([finding('frontmatter_too_large', { message })], bytes.length, context);
  }
  if (place.kind === 'unclosed' && !whole) return 'need_more';
  if (place.kind !== 'found') return unreadable([placeFinding(place)], 0, context);
  return readBlock(bytes, place, context);
}

function readBlock(
  bytes: Buffer,
  place: FrontmatterPlace & { kind: 'found' },
  context: FormatContext,
): PlacedHead {
  const block = decodeUtf8(bytes, place.start, place.end);
  if (block === null) return unreadable([finding('encoding_invalid')], place.body, context);
  const mapping = parseFrontmatter(block, place.line);
  const findings = [...mapping.findings];
  if (place.blankBefore) findings.push(finding('blank_before_frontmatter', { line: 1 }));
  if (mapping.kind === 'broken') return unreadable(findings, place.body, context);
  const unstorable = mapping.escapes ? unstorableFindings(mapping) : [];
  if (unstorable.length > 0) return unreadable([...findings, ...unstorable], place.body, context);
  const isAscii = block.length === place.end - place.start;
  // Values are looked at one by one only where there may be something to see.
  if (mapping.escapes || (!isAscii && mayHide(block))) findings.push(...hiddenValueFindings(mapping));
  const { keys, places } = mapping;
  const { frontmatter, findings: remarks } = readFields(mapping);
  findings.push(...remarks);
  const declared = { name: frontmatter.name, slug: frontmatter.slug, nameGiven: 'name' in keys };
  for (const remark of folderFindings(declared, context.folderName)) findings.push(atKey(remark, places));
  return finish(frontmatter, mapping, findings, place.body, context);
}

/** Gives a finding about a key the place of that key. */
function atKey(remark: Finding, places: readonly KeyPlace[]): Finding {
  const place = places.find(({ key }) => key === remark.field);
  return place ? { ...remark, line: place.line, column: place.column } : remark;
}

function placeFinding(place: Exclude<FrontmatterPlace, { kind: 'found' }>): Finding {
  switch (place.kind) {
    case 'encoding':
      return finding('encoding_invalid', { hint: 'Save the file as UTF-8.' });
    case 'missing':
      return finding('frontmatter_missing', { line: place.line, hint: 'Begin the file with a line of ---.' });
    case 'other':
      return finding('frontmatter_kind', { line: place.line, found: quoteFound(place.found) });
    case 'unclosed':
      return finding('frontmatter_unclosed', { line: place.line });
  }
}

/** A head of which nothing is used but its findings. */
function unreadable(findings: readonly Finding[], bodyOffset: number, context: FormatContext): PlacedHead {
  return finish(NOTHING_DECLARED, { keys: null, places: [] }, findings, bodyOffset, context);
}

function finish(
  frontmatter: SkillFrontmatter,
  { keys, places }: { readonly keys: SkillHead['keys']; readonly places: readonly KeyPlace[] },
  remarks: readonly Finding[],
  bodyOffset: number,
  { path }: FormatContext,
): PlacedHead {
  if (remarks.length === 0)
    return { head: { frontmatter, keys, findings: NONE, valid: true, bodyOffset }, places };
  const valid = !remarks.some(({ severity }) => severity === 'error');
  const shown = remarks.slice(0, MAX_FINDINGS);
  const findings = path === undefined ? shown : shown.map((remark) => ({ ...remark, path }));
  return { head: { frontmatter, keys, findings, valid, bodyOffset }, places };
}

/**
 * A slug is a skill's address: its folder path below a skills root, `code-review` or `custom/my-skill`.
 * Rules: `canonical` is the Agent Skills grammar for every segment; what merely loads gets a finding.
 */

const CONTAINER = 'custom';
const MAX_SEGMENTS = 8;
const MAX_SEGMENT_BYTES = 255;
const CANONICAL_SEGMENT = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const FORBIDDEN = /[/\\@:<>"'%?*]/;
// Controls, line and paragraph separators, format characters (zero-width, bidi, tags), surrogates.
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}]/u;

export type SlugCheck =
  | { readonly kind: 'ok'; readonly slug: string; readonly canonical: boolean }
  | { readonly kind: 'invalid'; readonly because: string };

/**
 * Judges a slug and gives its NFC form.
 *
 * @example checkSlug('custom/my-skill') // { kind: 'ok', slug: 'custom/my-skill', canonical: true }
 */
export function checkSlug(text: string): SlugCheck {
  // Nearly every slug: ASCII, which is its own NFC form, and one segment without anything to object to.
  if (isCanonicalSegment(text) && text !== CONTAINER) return { kind: 'ok', slug: text, canonical: true };
  const slug = text.normalize('NFC');
  const segments = slug.split('/');
  if (slug === CONTAINER) return invalid('"custom" is a container folder, not a skill');
  if (segments.length > MAX_SEGMENTS) return invalid(`more than ${MAX_SEGMENTS} path segments`);
  for (const segment of segments) {
    const because = segmentProblem(segment);
    if (because !== null) return invalid(because);
  }
  return { kind: 'ok', slug, canonical: segments.every(isCanonicalSegment) };
}

/** One to 64 characters of a-z, 0-9 and single inner hyphens: the grammar of the open specification. */
export function isCanonicalSegment(segment: string): boolean {
  return segment.length <= 64 && CANONICAL_SEGMENT.test(segment);
}

/** Null when the segment may stand in a slug, else why not. */
export function segmentProblem(segment: string): string | null {
  if (segment === '') return 'an empty path segment';
  if (segment !== segment.trim()) return 'blanks at the edge of a path segment';
  if (segment.startsWith('.') || segment.startsWith('_')) return 'a path segment starts with "." or "_"';
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
    return `a path segment is over ${MAX_SEGMENT_BYTES} bytes`;
  if (INVISIBLE.test(segment)) return 'a control or invisible character';
  const forbidden = FORBIDDEN.exec(segment);
  return forbidden ? `the character ${forbidden[0]}` : null;
}

function invalid(because: string): SlugCheck {
  return { kind: 'invalid', because };
}

export type SkillRefTarget =
  | { readonly kind: 'current' }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'digest'; readonly digest: string }
  | { readonly kind: 'label'; readonly label: string };

/** A reference to a skill as presets and steps write it: `slug`, `slug@3`, `slug@sha256:…`, `slug@label`. */
export interface SkillRef {
  /** As written, trimmed. */
  readonly ref: string;
  /** The part before `@`: a slug, or a frontmatter name. */
  readonly address: string;
  readonly target: SkillRefTarget;
}

const LABEL = /^[a-z][a-z0-9._-]{0,63}$/i;

/**
 * Splits a reference; null when it can name nothing. The address may be a name with blanks or colons,
 * so only its edges are judged here.
 *
 * @example parseSkillRef('pdf@3') // { ref: 'pdf@3', address: 'pdf', target: { kind: 'version', version: 3 } }
 */
export function parseSkillRef(text: string): SkillRef | null {
  const ref = text.normalize('NFC').trim();
  const at = ref.lastIndexOf('@');
  const address = (at < 0 ? ref : ref.slice(0, at)).trim();
  if (
    address === '' ||
    INVISIBLE.test(address) ||
    address.split('/').some((part) => part === '..' || part === '.')
  ) {
    return null;
  }
  if (at < 0) return { ref, address, target: { kind: 'current' } };
  const target = parseTarget(ref.slice(at + 1));
  return target && { ref, address, target };
}

function parseTarget(text: string): SkillRefTarget | null {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return { kind: 'version', version: Number(text) };
  if (/^sha256:[0-9a-f]{64}$/.test(text)) return { kind: 'digest', digest: text };
  return LABEL.test(text) ? { kind: 'label', label: text } : null;
}

import { finding, quoteFound, type Finding } from '../../kernel/finding.js';
import { isCanonicalSegment } from '../../kernel/slug.js';

const MAX_CODE_POINTS = 256;
const FORBIDDEN = /[/\\<>]/;
// Controls, line and paragraph separators, format characters, surrogates, fillers that show nothing.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}\p{Variation_Selector}\u034f\u115f\u1160\u3164\uffa0]/u;

export type NameCheck =
  | { readonly kind: 'ok'; readonly name: string; readonly canonical: boolean }
  | { readonly kind: 'invalid'; readonly name: string; readonly because: string };

/**
 * Judges a frontmatter name and gives its trimmed NFC form. Any visible text loads; what could be taken for a
 * path, markup or nothing at all does not.
 *
 * @example checkSkillName('Best Practices') // { kind: 'ok', name: 'Best Practices', canonical: false }
 */
export function checkSkillName(text: string): NameCheck {
  // ASCII is its own NFC form and by far the most common.
  if (isCanonicalSegment(text)) return { kind: 'ok', name: text, canonical: true };
  const name = text.normalize('NFC').trim();
  const because = nameProblem(name);
  if (because !== null) return { kind: 'invalid', name, because };
  return { kind: 'ok', name, canonical: isCanonicalSegment(name) };
}

function nameProblem(name: string): string | null {
  if (name === '') return 'it is blank';
  if (name.length > MAX_CODE_POINTS && Array.from(name).length > MAX_CODE_POINTS) {
    return `it is longer than ${MAX_CODE_POINTS} characters`;
  }
  if (name === '.' || name === '..' || name === '__proto__') return 'it is reserved';
  if (/^-+$/.test(name)) return 'it has only hyphens';
  if (UNSEEN.test(name)) return 'it has a control or invisible character';
  const forbidden = FORBIDDEN.exec(name);
  return forbidden ? `it has the character ${forbidden[0]}` : null;
}

/** Why a name is not of the open grammar, each reason a person can act on. */
function grammarBreaches(name: string): string {
  const breaches = [
    name.length > 64 ? 'over 64 characters' : null,
    /[A-Z]/.test(name) ? 'capital letters' : null,
    /^-|-$/.test(name) ? 'a hyphen at the edge' : null,
    name.includes('--') ? 'two hyphens in a row' : null,
    /[^A-Za-z0-9-]/.test(name) ? 'characters other than a-z, 0-9 and hyphens' : null,
  ];
  return breaches.filter((breach) => breach !== null).join(', ');
}

/** The findings that a declared name gives by itself, without its folder. */
export function nameFindings(check: NameCheck): Finding[] {
  const found = quoteFound(check.name);
  const field = 'name';
  if (check.kind === 'invalid') {
    const code = check.name === '' ? 'field_blank' : 'name_invalid';
    const message = `The name is not acceptable: ${check.because}.`;
    return [finding(code, code === 'name_invalid' ? { field, found, message } : { field })];
  }
  if (check.canonical) return [];
  const hint = `Use 1 to 64 of a-z, 0-9 and single inner hyphens; it has ${grammarBreaches(check.name)}.`;
  return [finding('name_nonconforming', { field, found, hint })];
}

/** What the folder says about the declared name and slug. `folderName` undefined: there is no folder. */
export function folderFindings(
  declared: { readonly name: string | null; readonly slug: string | null; readonly nameGiven: boolean },
  folderName: string | undefined,
): Finding[] {
  const findings: Finding[] = [];
  const { name, slug } = declared;
  if (!declared.nameGiven) {
    const absent = { field: 'name', hint: 'Add a name.' };
    findings.push(
      folderName === undefined ? finding('field_missing', absent) : finding('name_missing', absent),
    );
  }
  // Equal to a name in NFC, the folder needs no other form; nearly all are.
  if (folderName === undefined || (name === folderName && slug === null)) return findings;
  const folder = folderName.normalize('NFC');
  if (name !== null && name !== folder) {
    const hint = `The folder is called ${quoteFound(folder)}.`;
    findings.push(finding('name_mismatch', { field: 'name', found: quoteFound(name), hint }));
  }
  if (slug !== null && slug !== '' && slug.slice(slug.lastIndexOf('/') + 1) !== folder) {
    findings.push(finding('slug_mismatch', { field: 'slug', found: quoteFound(slug) }));
  }
  return findings;
}

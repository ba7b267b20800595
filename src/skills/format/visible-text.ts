import { finding, type Finding } from '../../kernel/finding.js';

// Characters that show nothing, or reorder what is shown: soft hyphen, joiners, fillers, bidirectional controls,
// invisible operators, variation selectors, interlinear marks, tag characters.
const HIDDEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;

// Sequences in which such a character carries meaning, in this order:
// a flag of a region (black flag, tags, cancel tag); an emoji joined to the next one; the emoji or text form of one
// symbol; one variation of one Han character; joiners between letters of scripts that write with them.
const MEANINGFUL =
  /\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{1,6}\u{e007f}|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Extended_Pictographic}\p{Emoji}])[\ufe0e\ufe0f](?![\ufe00-\ufe0f])|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}](?![\u{e0100}-\u{e01ef}])|(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}])[\u200c\u200d](?=[\p{L}\p{M}])/gu;

/**
 * Whether a text can hold characters that nobody sees: a look much cheaper than the expression, which decides where
 * this says true.
 */
export function mayHide(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0xad || (code >= 0x2010 && code <= 0x2029) || (code >= 0x4e00 && code <= 0x9fff)) continue;
    if (code === 0xad || (code >= 0x034f && code <= 0x180f) || (code >= 0x200b && code <= 0x206f))
      return true;
    // Fillers, selectors and marks from Hangul filler on; halves of pairs stand for what lies beyond.
    if (code >= 0x3164 && code !== 0xfffd && (code < 0x3200 || code > 0xd7a3)) return true;
  }
  return false;
}

const HIDDEN_ALL = new RegExp(HIDDEN.source, 'gu');
const CONTROL_TOKEN = /<\|[a-z_]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>/;
const MAX_FINDINGS = 20;

/**
 * The text as a person sees it: without characters that show nothing. Emoji and flag sequences, variants of Han
 * characters and the joiners of Persian and Indic words stay, because without them the text would look different.
 *
 * @example visibleText('read\u200b me') // 'read me'
 */
export function visibleText(text: string): string {
  if (!mayHide(text)) return text;
  let shown = '';
  let from = 0;
  for (const kept of text.matchAll(MEANINGFUL)) {
    shown += text.slice(from, kept.index).replace(HIDDEN_ALL, '') + kept[0];
    from = kept.index + kept[0].length;
  }
  return shown + text.slice(from).replace(HIDDEN_ALL, '');
}

/** The text on one line: each run of control characters and line breaks becomes one blank; trimmed. */
export function oneLine(text: string): string {
  if (!/[\p{Cc}\u2028\u2029]/u.test(text)) return text.trim();
  // The run takes the blanks around it along, so that "a \n  b" is "a b"; runs of blanks alone stay.
  return text.replace(/[\p{Cc}\u2028\u2029 ]+/gu, (run) => (/^ +$/.test(run) ? run : ' ')).trim();
}

/**
 * One finding for each line that holds characters nobody sees, at most 20.
 *
 * @param place `firstLine`: 1-based line of the text in its file; `field` when the text is a field's value.
 */
export function hiddenUnicodeFindings(
  text: string,
  place: { readonly firstLine: number; readonly field?: string; readonly path?: string },
): Finding[] {
  if (visibleText(text) === text) return [];
  return remarkLines(text, place, (line) => {
    const hidden = hiddenCharacters(line);
    return hidden.length === 0 ? null : finding('hidden_unicode', { found: hidden.join(' ') });
  });
}

/** One finding for each line that holds a control token of a chat model, at most 20. */
export function controlTokenFindings(
  text: string,
  place: { readonly firstLine: number; readonly field?: string; readonly path?: string },
): Finding[] {
  if (!CONTROL_TOKEN.test(text)) return [];
  return remarkLines(text, place, (line) => {
    const token = CONTROL_TOKEN.exec(line);
    return token && finding('control_token', { found: `"${token[0]}"` });
  });
}

function remarkLines(
  text: string,
  place: { readonly firstLine: number; readonly field?: string; readonly path?: string },
  remark: (line: string) => Finding | null,
): Finding[] {
  const { firstLine, ...where } = place;
  const findings: Finding[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const found = remark(line);
    if (found === null) continue;
    findings.push({ ...found, ...where, line: where.field === undefined ? firstLine + index : firstLine });
    if (findings.length === MAX_FINDINGS) break;
  }
  return findings;
}

/** Distinct hidden code points of a line as `U+200B`, at most eight. */
function hiddenCharacters(line: string): string[] {
  const kept = visibleText(line);
  if (kept === line) return [];
  const codes = new Set(line.replace(MEANINGFUL, '').match(HIDDEN_ALL) ?? []);
  return [...codes]
    .slice(0, 8)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
}

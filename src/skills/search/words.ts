import { mayHide, visibleText } from '../format/visible-text.js';

/** Who reads the words: a document is also found by each single character of a script without blanks. */
export type WordUse = 'document' | 'query';

// Letters with their marks and digits; C++, C#, F# keep what tells them apart.
const WORD = /[\p{L}\p{N}](?:\+\+|#)(?![\p{L}\p{N}])|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const NOT_ASCII = /[^\0-\x7f]/;
/** Scripts that write without blanks between words, or glue endings to them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const MARKS_ON_LATIN = /(?<=\p{Script=Latin})\p{M}+/gu;
const LONGEST_WORD = 64;

/**
 * The words of a text, folded: without case, width and accents of Latin letters. Runs of Chinese, Japanese, Korean or
 * Thai become pairs of characters. A single ASCII letter or digit says nothing and is no word.
 *
 * @example wordsOf('Résumés in C#, 工作周报', 'query') // ['resumes', 'in', 'c#', '工作', '作周', '周报']
 */
export function wordsOf(text: string, use: WordUse): string[] {
  if (!NOT_ASCII.test(text)) return asciiWords(text);
  const seen = (mayHide(text) ? visibleText(text) : text).normalize('NFKC').toLowerCase();
  const folded = seen.normalize('NFD').replace(MARKS_ON_LATIN, '').normalize('NFC');
  const words: string[] = [];
  for (const [run] of folded.matchAll(WORD)) {
    if (!NOT_ASCII.test(run)) pushWord(words, run);
    else splitScripts(words, run, use);
  }
  return words;
}

/** Whether the text ends within a word, as it does while somebody is still typing. */
export function endsInWord(text: string): boolean {
  return /[\p{L}\p{N}]$/u.test(text);
}

/** Whether a word is written in letters that form words between blanks; only those are completed or corrected. */
export function isSpelled(word: string): boolean {
  return !NOT_ASCII.test(word) || word.search(UNSPACED) < 0;
}

/** What two spellings of a name share: `Code Review`, `code_review` and `custom/code-review` differ in nothing else. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\-_./]+/gu, ' ')
    .trim();
}

/** What the expression finds in plain text, at a third of its cost: an index is mostly made of such text. */
function asciiWords(text: string): string[] {
  const words: string[] = [];
  const folded = text.toLowerCase();
  let start = -1;
  for (let at = 0; at <= folded.length; at += 1) {
    if (isAsciiAlphanumeric(folded.charCodeAt(at))) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      if (at - start > 1) pushWord(words, folded.slice(start, at));
      else pushSharpOrPlus(words, folded, start);
      start = -1;
    }
  }
  return words;
}

function isAsciiAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

function pushSharpOrPlus(words: string[], text: string, at: number): void {
  const end = text[at + 1] === '#' ? at + 2 : text.startsWith('++', at + 1) ? at + 3 : 0;
  if (end > 0 && !isAsciiAlphanumeric(text.charCodeAt(end))) words.push(text.slice(at, end));
}

function pushWord(words: string[], run: string): void {
  if (run.length > 1) words.push(run.length > LONGEST_WORD ? run.slice(0, LONGEST_WORD) : run);
}

function splitScripts(words: string[], run: string, use: WordUse): void {
  let from = 0;
  for (const match of run.matchAll(UNSPACED)) {
    if (match.index > from) pushWord(words, run.slice(from, match.index));
    pushPairs(words, match[0], use);
    from = match.index + match[0].length;
  }
  if (from === 0) words.push(run.slice(0, LONGEST_WORD));
  else if (from < run.length) pushWord(words, run.slice(from));
}

function pushPairs(words: string[], run: string, use: WordUse): void {
  const signs = Array.from(run);
  if (use === 'document' || signs.length === 1) words.push(...signs);
  for (let at = 1; at < signs.length; at += 1) words.push(`${signs[at - 1] ?? ''}${signs[at] ?? ''}`);
}

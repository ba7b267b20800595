// The English (Porter2) stemmer of the Snowball project, by its published description:
// https://snowballstem.org/algorithms/english/stemmer.html

const VOWEL = 'aeiouy';
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
const VALID_LI = 'cdeghkmnrt';
/** A short syllable at the end of the word. */
const SHORT_END = /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY]|past)$/;
/** Beginnings after which the first region starts at once. */
const REGION_PREFIX = /^(?:arsen|commun|emerg|gener|inter|later|organ|past|univers)/;

const WHOLE: Readonly<Record<string, string>> = {
  skis: 'ski',
  skies: 'sky',
  sky: 'sky',
  idly: 'idl',
  gently: 'gentl',
  singly: 'singl',
  ugly: 'ugli',
  early: 'earli',
  only: 'onli',
  news: 'news',
  howe: 'howe',
  atlas: 'atlas',
  cosmos: 'cosmos',
  bias: 'bias',
  andes: 'andes',
};

/** Words that keep `ed` or `ing` by the exceptions of step 1b. */
const KEEPS_ING = /^(?:inn|out|cann|herr|earr|even)ing$/;
const KEEPS_EED = /^(?:succ|proc|exc)eed$/;

const STEP2: Readonly<Record<string, string>> = {
  ization: 'ize',
  ational: 'ate',
  fulness: 'ful',
  ousness: 'ous',
  iveness: 'ive',
  tional: 'tion',
  biliti: 'ble',
  lessli: 'less',
  entli: 'ent',
  ation: 'ate',
  alism: 'al',
  aliti: 'al',
  ousli: 'ous',
  iviti: 'ive',
  fulli: 'ful',
  ogist: 'og',
  enci: 'ence',
  anci: 'ance',
  abli: 'able',
  izer: 'ize',
  ator: 'ate',
  alli: 'al',
  bli: 'ble',
};

const STEP3: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  alize: 'al',
  icate: 'ic',
  iciti: 'ic',
  ical: 'ic',
  ness: '',
  ful: '',
};

const STEP4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$/;

/**
 * The stem of one English word in lower case, letters only.
 *
 * @example stemEnglish('reviewing') // 'review'
 */
export function stemEnglish(word: string): string {
  if (word.length <= 2) return word;
  const whole = WHOLE[word];
  if (whole !== undefined && Object.hasOwn(WHOLE, word)) return whole;
  const marked = word.replace(/^y/, 'Y').replace(/(?<=[aeiouy])y/g, 'Y');
  const r1 = regionAfter(marked, 0, REGION_PREFIX.exec(marked)?.[0].length);
  const r2 = regionAfter(marked, r1);
  let stem = plural(marked);
  stem = pastTense(stem, r1);
  stem = stem.replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  stem = ending(stem, r1, STEP2, (before, end) =>
    end === 'li' ? VALID_LI.includes(before) : before === 'l',
  );
  stem = step3(stem, r1, r2);
  stem = step4(stem, r2);
  return finish(stem, r1, r2).toLowerCase();
}

/** Where the region after the first consonant that follows a vowel begins. */
function regionAfter(word: string, from: number, known?: number): number {
  if (known !== undefined) return known;
  for (let at = from + 1; at < word.length; at += 1) {
    if (!isVowel(word, at) && isVowel(word, at - 1)) return at + 1;
  }
  return word.length;
}

function isVowel(word: string, at: number): boolean {
  return VOWEL.includes(word.charAt(at));
}

function plural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(?:us|ss)$/.test(word)) return word;
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word;
}

function pastTense(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed) {
    return eed.index >= r1 && !KEEPS_EED.test(word) ? `${word.slice(0, eed.index)}ee` : word;
  }
  const end = /(?:ing|ed)(?:ly)?$/.exec(word);
  if (!end || KEEPS_ING.test(word)) return word;
  const stem = word.slice(0, end.index);
  // dying, lying, tying
  if (end[0] === 'ing' && /^[^aeiouy][yY]$/.test(stem)) return `${stem.slice(0, -1)}ie`;
  if (!/[aeiouy]/.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (DOUBLE.test(stem)) return /^[aeo](?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem) ? stem : stem.slice(0, -1);
  return stem.length <= r1 && SHORT_END.test(stem) ? `${stem}e` : stem;
}

/** Replaces the longest ending of the table if it lies in the region; `ogi` and `li` need a certain letter before. */
function ending(
  word: string,
  region: number,
  table: Readonly<Record<string, string>>,
  allowed: (before: string, end: string) => boolean,
): string {
  for (let length = Math.min(7, word.length); length > 1; length -= 1) {
    const end = word.slice(-length);
    const start = word.length - length;
    const put = Object.hasOwn(table, end) ? table[end] : undefined;
    if (put !== undefined) return start >= region ? word.slice(0, start) + put : word;
    if (end !== 'ogi' && end !== 'li') continue;
    if (start < region || !allowed(word.charAt(start - 1), end)) return word;
    return end === 'ogi' ? word.slice(0, -1) : word.slice(0, -2);
  }
  return word;
}

function step3(word: string, r1: number, r2: number): string {
  if (word.endsWith('ative')) {
    const start = word.length - 5;
    return start >= r2 ? word.slice(0, start) : word;
  }
  return ending(word, r1, STEP3, () => false);
}

function step4(word: string, r2: number): string {
  const end = STEP4.exec(word);
  if (end) return end.index >= r2 ? word.slice(0, end.index) : word;
  const ion = word.length - 3;
  return word.endsWith('ion') && ion >= r2 && /[st]ion$/.test(word) ? word.slice(0, ion) : word;
}

function finish(word: string, r1: number, r2: number): string {
  const last = word.length - 1;
  const before = word.slice(0, -1);
  if (word.endsWith('e')) {
    return last >= r2 || (last >= r1 && !SHORT_END.test(before)) ? before : word;
  }
  return word.endsWith('ll') && last >= r2 ? before : word;
}

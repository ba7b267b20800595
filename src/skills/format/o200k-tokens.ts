import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

// A run without a blank is merged pair by pair in quadratic time: a megabyte of one letter never ends.
const LONG_RUN = /\S{256}/gu;
// Text that looks like a control token is ordinary text here.
const OPTIONS = { disallowedSpecial: new Set<string>() };

/** Tokens of the text in the o200k vocabulary; runs over 256 characters are counted in pieces. */
export function countO200kTokens(text: string): number {
  let count = 0;
  let from = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    const end = run.index + run[0].length;
    count += countTokens(text.slice(from, end), OPTIONS);
    from = end;
  }
  return count + countTokens(text.slice(from), OPTIONS);
}

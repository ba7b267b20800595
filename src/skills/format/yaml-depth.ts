import { type CST } from 'yaml';

const MAX_DEPTH = 20;

/**
 * Whether lists and maps are nested more than 20 deep. Works on the parser's tokens, without recursion:
 * the parser is a state machine, everything after it is not.
 */
export function isTooDeep(tokens: readonly CST.Token[]): boolean {
  const open = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (depth > MAX_DEPTH) return true;
    if (token.type === 'document') {
      if (token.value) open.push({ token: token.value, depth });
    } else if ('items' in token) {
      for (const { key, value } of token.items) {
        if (key) open.push({ token: key, depth: depth + 1 });
        if (value) open.push({ token: value, depth: depth + 1 });
      }
    }
  }
  return false;
}

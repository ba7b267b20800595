import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { memberOf, parseJsonText, valueOf } from './json-text.js';

describe('parseJsonText', () => {
  it('accepts what JSON.parse accepts and means the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('', ' ', '  ', '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const parsed = parseJsonText(text);
        expect(parsed.kind).toBe('ok');
        if (parsed.kind === 'ok') expect(valueOf(text, parsed.root)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.nat(),
        fc.string({ maxLength: 2 }),
        (value, at, noise) => {
          const good = JSON.stringify(value);
          const text = good.slice(0, at % (good.length + 1)) + noise + good.slice(at % (good.length + 1));
          const accepted = parseJsonText(text).kind === 'ok';
          expect(accepted).toBe(isJson(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('says where and why', () => {
    expect(parseJsonText('{\n  "a": [1,\n  }')).toEqual({
      kind: 'invalid',
      line: 3,
      column: 3,
      because: 'a value is expected',
    });
    expect(parseJsonText('')).toMatchObject({ kind: 'invalid', line: 1, column: 1 });
    expect(parseJsonText('{} {}')).toMatchObject({ because: 'nothing may follow the JSON value' });
  });

  it('skips a byte-order mark and refuses bottomless nesting without overflowing the stack', () => {
    expect(parseJsonText('\uFEFF{}').kind).toBe('ok');
    expect(parseJsonText('['.repeat(200_000))).toMatchObject({ kind: 'invalid' });
  });

  it('reads a text of a megabyte', () => {
    const text = JSON.stringify({ long: 'x'.repeat(1_000_000) });
    expect(parseJsonText(text).kind).toBe('ok');
  });

  it('takes the last of repeated keys, as JSON.parse does', () => {
    const text = '{"k": 1, "k": 2}';
    const parsed = parseJsonText(text);
    if (parsed.kind !== 'ok') throw new Error('it is JSON');
    const member = memberOf(parsed.root, 'k');
    expect(member && valueOf(text, member.value)).toBe(2);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

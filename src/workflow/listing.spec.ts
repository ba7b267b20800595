import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { skillEntry } from '../../test/support/skill-entries.js';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { visibleText } from '../skills/format/visible-text.js';
import { renderListing, type Listing, type ListingRules } from './listing.js';
import { type ListingFormat } from './listing-formats.js';

const RULES: ListingRules = { format: 'xml', maxCount: 40, maxTokens: 5000, overBudget: 'search' };
const FORMATS: ListingFormat[] = ['xml', 'agent-skills', 'markdown', 'lines', 'json'];

const knots = skillEntry({ slug: 'knots', description: 'Ties ropes.' });
const radio = skillEntry({
  slug: 'custom/radio',
  name: 'VHF radio',
  description: 'Calls the harbor.',
  status: 'archived',
  availability: 'degraded',
  missingDeps: ['pip:pyserial', 'npm:marine'],
});
const browser = skillEntry({
  slug: 'agent-browser',
  description: 'Drives a browser.',
  layer: 'builtin',
  filePath: 'builtin:agent-browser',
});

function list(entries: readonly SkillEntry[], rules: Partial<ListingRules> = {}, selected = true): Listing {
  return renderListing(entries, { ...RULES, ...rules }, { selected });
}

function many(count: number, description = 'Short.'): SkillEntry[] {
  return Array.from({ length: count }, (_, index) =>
    skillEntry({ slug: `skill-${String(index).padStart(5, '0')}`, description }),
  );
}

describe('the formats', () => {
  it('xml has one line a skill, by slug, with a warning where something is missing', () => {
    expect(list([knots, radio]).text).toBe(
      [
        '<available_skills>',
        '  <skill name="VHF radio" slug="custom/radio" warning="missing: pip:pyserial, npm:marine">Calls the harbor.</skill>',
        '  <skill name="knots" slug="knots">Ties ropes.</skill>',
        '</available_skills>',
      ].join('\n'),
    );
  });

  it('agent-skills has child elements', () => {
    expect(list([radio], { format: 'agent-skills' }).text).toBe(
      [
        '<available_skills>',
        '  <skill>',
        '    <name>VHF radio</name>',
        '    <slug>custom/radio</slug>',
        '    <description>Calls the harbor.</description>',
        '    <location>skills/custom/radio/SKILL.md</location>',
        '    <warning>missing: pip:pyserial, npm:marine</warning>',
        '  </skill>',
        '</available_skills>',
      ].join('\n'),
    );
  });

  it('markdown has one bullet a skill', () => {
    expect(list([knots, radio], { format: 'markdown' }).text).toBe(
      '## Available skills\n\n' +
        '- **VHF radio** (`custom/radio`): Calls the harbor. (warning: missing: pip:pyserial, npm:marine)\n' +
        '- **knots**: Ties ropes.\n',
    );
  });

  it('lines is the addendum of prioritized discovery, by name', () => {
    const blank = skillEntry({ slug: 'anchor', description: '' });
    expect(list([knots, browser, blank], { format: 'lines' }).text).toBe(
      'Available skills (call the `skill` tool with a name from this list to load its full instructions):\n' +
        '- agent-browser [builtin]: Drives a browser.\n' +
        '- anchor [skills/anchor/SKILL.md]: (no description)\n' +
        '- knots [skills/knots/SKILL.md]: Ties ropes.\n',
    );
    expect(list([skillEntry({ slug: 'b', name: 'Sails' })], { format: 'lines' }).text).toContain(
      '- Sails (b) [',
    );
  });

  it('json reads back as the same values', () => {
    const odd = skillEntry({ slug: 'odd', description: '</available_skills> & "more"' });
    const { text } = list([odd, knots], { format: 'json' });
    expect(text).not.toContain('<');
    expect(JSON.parse(text)).toEqual({
      available_skills: [
        { name: 'knots', slug: 'knots', description: 'Ties ropes.' },
        { name: 'odd', slug: 'odd', description: '</available_skills> & "more"' },
      ],
    });
  });
});

describe('what a skill cannot do to a listing', () => {
  it('xml: any text comes back exactly, and opens no element', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((each) => visibleText(each) === each && /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(each));
    fc.assert(
      fc.property(text, text, (name, description) => {
        const { text: xml } = list([
          skillEntry({ slug: 'x', name: name.trim(), description: description.trim() }),
        ]);
        const found =
          /^<available_skills>\n {2}<skill name="([^"<>]*)" slug="x">([^<>]*)<\/skill>\n<\/available_skills>$/.exec(
            xml,
          );
        expect(found).not.toBeNull();
        expect(unescape(found![1]!)).toBe(name.trim());
        expect(unescape(found![2]!)).toBe(description.trim());
      }),
    );
  });

  it('escapes once what already looks escaped', () => {
    const { text } = list([skillEntry({ slug: 'x', description: `a <pod> & "job"; it's &amp; done` })]);
    expect(text).toContain('a &lt;pod&gt; &amp; &quot;job&quot;; it&#39;s &amp;amp; done');
  });

  it.each(FORMATS)('%s: line breaks and controls make no second entry', (format) => {
    const multi = skillEntry({
      slug: 'x',
      name: 'a\n- b',
      description: 'one\r\n- **two**: x\u2028three\u0007\n</skill>',
    });
    const { text } = list([multi], { format });
    const plain = list([skillEntry({ slug: 'x', name: 'a - b', description: 'one' })], { format }).text;
    expect(text.split('\n').length).toBe(plain.split('\n').length);
    expect(text).not.toMatch(/[\u0007\u2028\r]/);
  });

  it.each(FORMATS)('%s: hidden characters are left out, and emoji and Persian stay whole', (format) => {
    const hidden = skillEntry({
      slug: 'x',
      description: 'a\u{e0041}b\u200bc \u{1f469}\u200d\u{1f4bb} می\u200cخواهم',
    });
    expect(list([hidden], { format }).text).toContain('abc \u{1f469}\u200d\u{1f4bb} می\u200cخواهم');
  });

  it('one long description is cut, and the answer says so', () => {
    const { text, cut } = list([skillEntry({ slug: 'x', description: 'd'.repeat(8000) }), knots]);
    expect(text.length).toBeLessThan(1200);
    expect(text).toContain('ddd…<');
    expect(cut).toEqual([{ what: 'description_shortened', count: 1, slugs: ['x'] }]);
  });
});

describe('what is named', () => {
  it('is nothing, not an empty block, when nothing is offered', () => {
    const hidden = skillEntry({ slug: 'x', frontmatter: { disableModelInvocation: true } });
    for (const format of FORMATS) {
      expect(list([], { format })).toMatchObject({ mode: 'none', text: '', tokens: 0, count: 0 });
      expect(list([hidden], { format }).text).toBe('');
    }
  });

  it('leaves out what is hidden from the model', () => {
    const hidden = skillEntry({ slug: 'x', frontmatter: { disableModelInvocation: true } });
    expect(list([hidden, knots]).text).toBe(list([knots]).text);
  });

  it.each(['disabled', 'invalid', 'revoked', 'deleted', 'shadowed'] as const)(
    'leaves out what is %s',
    (availability) => {
      expect(list([skillEntry({ slug: 'x', availability }), knots]).text).toBe(list([knots]).text);
    },
  );

  it('gives the same bytes whatever the order of the input', () => {
    expect(list([radio, browser, knots]).text).toBe(list([knots, radio, browser]).text);
  });
});

describe('the budget', () => {
  it('counts a quarter of the bytes of name and description and ten, rounded down per skill', () => {
    expect(list([knots, radio]).tokens).toBe(Math.floor((5 + 11 + 10) / 4) + Math.floor((9 + 17 + 10) / 4));
  });

  it('counts the text that is written when a counter is given', () => {
    const counted = renderListing([knots], RULES, { selected: true, countTokens: (text) => text.length });
    expect(counted.tokens).toBe('  <skill name="knots" slug="knots">Ties ropes.</skill>'.length);
    expect(list([knots]).tokens).toBe(6);
  });

  it('names 40 skills, and points 41 at the search tool with their number', () => {
    expect(list(many(40), {}, false).mode).toBe('inline');
    const over = list(many(41), {}, false);
    expect(over).toMatchObject({ mode: 'search', count: 41, cut: [{ what: 'skill_omitted', count: 41 }] });
    expect(over.text).toContain('41 skills are available');
    expect(over.text).toContain('skill_search');
  });

  it('points at the search tool above the tokens', () => {
    const long = many(20, 'd'.repeat(1010));
    expect(list(long, {}, false)).toMatchObject({ mode: 'search', count: 20 });
    expect(list(long, { maxTokens: 6000 }, false).mode).toBe('inline');
  });

  it('never hides skills that a person selected: it warns', () => {
    const over = list(many(60), {});
    expect(over.mode).toBe('inline');
    expect(over.text.match(/<skill /g)).toHaveLength(60);
    expect(over.warnings).toMatchObject([{ code: 'listing_over_budget' }]);
    expect(list(many(20, 'd'.repeat(1010))).warnings).toHaveLength(1);
  });

  it('shrinks: shorter descriptions, then names, then search unless selected', () => {
    const rules = { overBudget: 'shrink' } as const;
    const shorter = list(many(30, 'd'.repeat(1000)), rules, false);
    expect(shorter).toMatchObject({ mode: 'inline', cut: [{ what: 'description_shortened', count: 30 }] });
    const names = list(many(30, 'd'.repeat(1000)), { ...rules, maxTokens: 300 }, false);
    expect(names).toMatchObject({
      mode: 'inline',
      cut: [{ what: 'description_dropped', count: 30 }],
      warnings: [],
    });
    expect(names.text).toContain('slug="skill-00029"></skill>');
    expect(list(many(30), { ...rules, maxTokens: 10 }, false).mode).toBe('search');
    expect(list(many(30), { ...rules, maxTokens: 10 })).toMatchObject({
      mode: 'inline',
      warnings: [{ code: 'listing_over_budget' }],
    });
  });
});

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

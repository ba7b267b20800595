import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { partOf, partsOf, textsOf } from './support/ooxml.js';
import { describeWith, done, PYTHON, scratch, script, told, tool } from './support/scripts.js';

const MARKDOWN = `# Harvest talk

What we learned

## Yields

- Hillside **{{cr**ates}}
  - early frost

> Speak slowly.

## Figures

| Orchard | Crates |
| --- | --- |
| Hillside | 120 |
`;

const OPEN_WITH_PYTHON_PPTX = `
import pptx, sys
for slide in pptx.Presentation(sys.argv[1]).slides:
    print(slide.slide_layout.name, slide.shapes.title.text, sep="|")
`;

interface Told {
  readonly slides: readonly Readonly<Record<string, unknown>>[];
}

describeWith({ libraries: ['lxml'] }, 'the pptx skill', () => {
  const folder = scratch();
  const talk = folder.path('talk.pptx');
  const slidesIn = (file: string): string[] =>
    partsOf(file).filter((part) => /^ppt\/slides\/slide\d+\.xml$/.test(part));
  const titlesIn = (file: string): unknown[] =>
    (told('pptx', 'read_pptx.py', [file, '--outline']) as Told).slides.map(({ title }) => title);

  beforeAll(() => {
    done('pptx', 'create_pptx.py', ['-', '-o', talk], MARKDOWN);
  });
  afterAll(folder.remove);

  it('creates a sound package whose every reference leads to a part', () => {
    const parts = partsOf(talk);
    expect(slidesIn(talk)).toHaveLength(3);
    for (const rels of parts.filter((part) => part.endsWith('.rels'))) {
      const from = rels.replace(/_rels\/[^/]+$/, '');
      for (const [, target] of partOf(talk, rels).matchAll(/Target="([^"]+)"/g)) {
        expect(parts).toContain(new URL(target!, `file:///${from}`).pathname.slice(1));
      }
    }
    expect(textsOf(partOf(talk, 'ppt/slides/slide1.xml'), 'a:t')).toEqual([
      'Harvest talk',
      'What we learned',
    ]);
    expect(partOf(talk, 'ppt/slides/slide3.xml')).toContain('<a:tbl>');
  });

  it('reads titles, levels, tables and notes', () => {
    const { slides } = told('pptx', 'read_pptx.py', [talk, '--json']) as Told;
    expect(slides).toMatchObject([
      { slide: 1, title: 'Harvest talk', notes: '' },
      {
        title: 'Yields',
        texts: [
          {
            paragraphs: [
              { level: 1, text: 'Hillside {{crates}}' },
              { level: 2, text: 'early frost' },
            ],
          },
        ],
        notes: 'Speak slowly.',
      },
      {
        title: 'Figures',
        tables: [
          [
            ['Orchard', 'Crates'],
            ['Hillside', '120'],
          ],
        ],
      },
    ]);
    expect(done('pptx', 'read_pptx.py', [talk, '--slides', '2'])).toContain('> Speak slowly.');
  });

  it('replaces text across styled pieces and in notes, and sets titles and notes', () => {
    const edited = folder.path('edited.pptx');
    const changes = ['--replace', '{{crates}}', '120', '--replace', 'slowly', 'clearly'];
    done('pptx', 'edit_pptx.py', [
      ...[talk, '-o', edited, ...changes],
      ...['--set-title', '3', 'Numbers', '--set-notes', '1', 'Welcome\nall'],
    ]);
    expect(textsOf(partOf(edited, 'ppt/slides/slide2.xml'), 'a:t').join('')).toContain('Hillside 120');
    const notes = partsOf(edited).filter((part) => /notesSlides\/notesSlide\d+\.xml$/.test(part));
    const texts = notes.map((part) => textsOf(partOf(edited, part), 'a:t').join('|'));
    expect(texts.sort()).toEqual(['Speak clearly.', 'Welcome|all']);
    expect(titlesIn(edited)).toEqual(['Harvest talk', 'Yields', 'Numbers']);
  });

  it('repeats, reorders and deletes slides, and leaves no orphan behind', () => {
    const arranged = folder.path('arranged.pptx');
    done('pptx', 'edit_pptx.py', [talk, '-o', arranged, '--duplicate', '1', '--order', '4,1-2']);
    expect(titlesIn(arranged)).toEqual(['Figures', 'Harvest talk', 'Harvest talk']);
    expect(slidesIn(arranged)).toHaveLength(3);
    expect(partsOf(arranged).filter((part) => part.includes('notesSlide'))).toEqual([]);
  });

  it('appends slides from Markdown and warns of slides that hold too much', () => {
    const longer = folder.path('longer.pptx');
    const items = Array.from({ length: 20 }, (_, index) => `- point ${index + 1}`).join('\n');
    const answer = told(
      'pptx',
      'edit_pptx.py',
      [talk, '-o', longer, '--append-markdown', '-'],
      `## More\n\n${items}\n`,
    );
    expect(answer).toMatchObject({ slides: 4, warnings: [expect.stringContaining('slide 4')] });
  });

  it('merges chosen slides with their design and notes', () => {
    const merged = folder.path('merged.pptx');
    done('pptx', 'merge_pptx.py', [`${talk}:1`, `${talk}:2-3`, '-o', merged]);
    expect(titlesIn(merged)).toEqual(['Harvest talk', 'Yields', 'Figures']);
    const parts = partsOf(merged);
    expect(parts.filter((part) => /slideMasters\/slideMaster\d+\.xml$/.test(part))).toHaveLength(2);
    expect(parts.filter((part) => /notesMasters\/notesMaster\d+\.xml$/.test(part))).toHaveLength(1);
    const ids = [...partOf(merged, 'ppt/presentation.xml').matchAll(/<p:sldId[^>]* id="(\d+)"/g)];
    expect(new Set(ids.map(([, id]) => id)).size).toBe(3);
  });

  it('uses the design of a template and drops its slides', () => {
    const styled = folder.path('styled.pptx');
    done('pptx', 'create_pptx.py', ['-', '-o', styled, '--template', talk], '# Fresh\n');
    expect(titlesIn(styled)).toEqual(['Fresh']);
    expect(slidesIn(styled)).toHaveLength(1);
  });

  it('refuses what is not there and what is no presentation, and writes nothing', () => {
    const never = folder.path('never.pptx');
    const broken = folder.path('broken.pptx');
    writeFileSync(broken, 'not a presentation');
    const attempts = [
      [talk, '-o', never, '--replace', 'pears', 'plums'],
      [talk, '-o', never, '--set-title', '9', 'x'],
      [talk, '-o', never, '--delete', '1-'],
      [broken, '-o', never, '--delete', '1'],
    ].map((options) => script('pptx', 'edit_pptx.py', options));
    expect(attempts.map(({ status }) => status)).toEqual([1, 1, 1, 1]);
    expect(attempts[1]!.stderr).toContain('there is no slide 9; there are 3');
    expect(existsSync(never)).toBe(false);
  });

  it('leaves the input alone unless told to overwrite it', () => {
    const before = readFileSync(talk);
    expect(script('pptx', 'edit_pptx.py', [talk, '-o', talk, '--delete', '1']).status).toBe(1);
    expect(readFileSync(talk).equals(before)).toBe(true);
  });

  describeWith({ libraries: ['pptx'] }, 'with python-pptx', () => {
    it('makes files that python-pptx opens', () => {
      const lines = tool(PYTHON, ['-c', OPEN_WITH_PYTHON_PPTX, talk]).trim().split('\n');
      expect(lines).toEqual([
        'Title Slide|Harvest talk',
        'Title and Content|Yields',
        'Title and Content|Figures',
      ]);
    });

    it('inserts a chart that holds the numbers', () => {
      const charted = folder.path('charted.pptx');
      const data = JSON.stringify({ categories: ['2025', '2026'], series: { Hillside: [110, 120] } });
      done('pptx', 'insert_pptx.py', [talk, '2', '-', '-o', charted, '--chart', 'column'], data);
      const chart = partsOf(charted).find((part) => /charts\/chart\d+\.xml$/.test(part))!;
      expect(textsOf(partOf(charted, chart), 'c:v')).toEqual(expect.arrayContaining(['2026', '120']));
    });
  });
});

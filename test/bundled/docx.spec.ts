import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { partOf, partsOf, textsOf } from './support/ooxml.js';
import { describeWith, done, PYTHON, scratch, script, told, tool } from './support/scripts.js';

const MARKDOWN = `# Harvest report

Dear {{customer}}, apples were **plentiful** this year.

1. pick
2. press

## Yields

| Orchard | Crates |
| --- | ---: |
| Hillside | 120 |
| Riverbank | 95 |

![a red square](square.png)
`;

/** One red pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/** Makes a document whose placeholder is cut into three runs in three styles, as word processors do. */
const CUT_RUNS = `
import docx, sys
document = docx.Document()
paragraph = document.add_paragraph("For ")
paragraph.add_run("{{cus").bold = True
paragraph.add_run("tom").italic = True
paragraph.add_run("er}} only")
document.sections[0].header.paragraphs[0].text = "{{customer}}"
document.save(sys.argv[1])
`;

describeWith({ libraries: ['docx'] }, 'the docx skill', () => {
  const folder = scratch();
  const report = folder.path('report.docx');
  const textIn = (file: string): string => textsOf(partOf(file, 'word/document.xml'), 'w:t').join('|');

  beforeAll(() => {
    writeFileSync(folder.path('report.md'), MARKDOWN);
    writeFileSync(folder.path('square.png'), PICTURE);
    done('docx', 'create_docx.py', [folder.path('report.md'), '-o', report, '--title', 'Harvest']);
  });
  afterAll(folder.remove);

  it('creates a sound package with headings, a table, a picture and properties', () => {
    expect(partsOf(report)).toContain('word/media/image1.png');
    const body = partOf(report, 'word/document.xml');
    expect(body).toContain('<w:pStyle w:val="Heading1"/>');
    expect(body).toContain('<w:tblStyle w:val="TableGrid"/>');
    expect(textsOf(body, 'w:t')).toEqual(expect.arrayContaining(['plentiful', 'Hillside', '120']));
    expect(partOf(report, 'docProps/core.xml')).toContain('<dc:title>Harvest</dc:title>');
  });

  it('starts each numbered list at one', () => {
    const twice = folder.path('lists.docx');
    done('docx', 'create_docx.py', ['-', '-o', twice], '1. a\n2. b\n\nbetween\n\n1. c\n');
    const numbers = [...partOf(twice, 'word/document.xml').matchAll(/<w:numId w:val="(\d+)"/g)].map(
      ([, id]) => id,
    );
    expect(numbers).toHaveLength(3);
    expect(numbers[0]).toBe(numbers[1]);
    expect(numbers[2]).not.toBe(numbers[0]);
  });

  it('reads Markdown, headings, tables and facts', () => {
    expect(done('docx', 'read_docx.py', [report])).toContain(
      '## Yields\n\n| Orchard | Crates |\n| --- | --- |',
    );
    expect(told('docx', 'read_docx.py', [report, '--outline'])).toMatchObject({
      headings: [
        { level: 1, number: 1, text: 'Harvest report' },
        { level: 2, number: 5, text: 'Yields' },
      ],
    });
    expect(told('docx', 'read_docx.py', [report, '--tables'])).toMatchObject({
      tables: [
        {
          number: 1,
          rows: [
            ['Orchard', 'Crates'],
            ['Hillside', '120'],
            ['Riverbank', '95'],
          ],
        },
      ],
    });
    expect(told('docx', 'read_docx.py', [report, '--info'])).toMatchObject({ pictures: 1, tables: 1 });
  });

  it('replaces text that is cut into runs, in the header too, and keeps the style where it began', () => {
    const cut = folder.path('cut.docx');
    const filled = folder.path('filled.docx');
    tool(PYTHON, ['-c', CUT_RUNS, cut]);
    expect(
      told('docx', 'edit_docx.py', [cut, '-o', filled, '--replace', '{{customer}}', 'Zoë']),
    ).toMatchObject({
      replaced: { '{{customer}}': 2 },
    });
    const body = partOf(filled, 'word/document.xml');
    expect(textsOf(body, 'w:t').join('')).toBe('For Zoë only');
    expect(body).toMatch(/<w:b\/><\/w:rPr><w:t[^>]*>Zoë</);
    expect(partOf(filled, 'word/header1.xml')).toContain('Zoë');
  });

  it('sets cells, adds rows, deletes and appends', () => {
    const edited = folder.path('edited.docx');
    const changes = [
      '--set-cell',
      '1,2,2',
      '130',
      '--add-row',
      '1',
      'Valley',
      '40',
      '--delete-paragraph',
      '2',
    ];
    done(
      'docx',
      'edit_docx.py',
      [report, '-o', edited, ...changes, '--append-markdown', '-'],
      '## Outlook\n',
    );
    const text = textIn(edited);
    expect(text).toContain('Hillside|130|Riverbank|95|Valley|40|Outlook');
    expect(text).not.toContain('plentiful');
    expect(partOf(edited, 'word/document.xml')).toContain('<w:drawing>');
  });

  it('refuses text that is not there and a cell that does not exist, and writes nothing', () => {
    const never = folder.path('never.docx');
    const missing = script('docx', 'edit_docx.py', [report, '-o', never, '--replace', 'pears', 'plums']);
    expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining("'pears'")]);
    const cell = script('docx', 'edit_docx.py', [report, '-o', never, '--set-cell', '1,9,1', 'x']);
    expect([cell.status, cell.stderr]).toEqual([
      1,
      expect.stringContaining('there is no row 9; there are 3'),
    ]);
    expect(existsSync(never)).toBe(false);
  });

  it('merges documents with their pictures and lists', () => {
    const merged = folder.path('merged.docx');
    done('docx', 'merge_docx.py', [report, report, '-o', merged]);
    partsOf(merged);
    const body = partOf(merged, 'word/document.xml');
    expect(textsOf(body, 'w:t').filter((text) => text === 'Yields')).toHaveLength(2);
    const relations = partOf(merged, 'word/_rels/document.xml.rels');
    const pictures = [...body.matchAll(/r:embed="(\w+)"/g)].map(([, id]) => id!);
    expect(pictures).toHaveLength(2);
    for (const id of pictures) expect(relations).toContain(`Id="${id}"`);
  });

  it('leaves the input alone unless told to overwrite it, and refuses what is no document', () => {
    const before = readFileSync(report);
    const refused = script('docx', 'edit_docx.py', [report, '-o', report, '--set', 'title=New']);
    expect([refused.status, readFileSync(report).equals(before)]).toEqual([1, true]);
    const broken = folder.path('broken.docx');
    writeFileSync(broken, 'not a document');
    const { status, stderr } = script('docx', 'read_docx.py', [broken]);
    expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(script('docx', 'edit_docx.py', [report, '-o', report, '--set', 'color=red']).status).toBe(2);
  });
});

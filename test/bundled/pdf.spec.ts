import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { formPdf } from './support/form-pdf.js';
import { describeWith, done, scratch, script, told, tool } from './support/scripts.js';

const MARKDOWN = `# Harvest report

Apples were **plentiful** this year – see [the log](https://example.org/log).

## Yields

| Orchard | Crates | Remark |
| --- | ---: | --- |
| Hillside | 120 | early frost |
| Riverbank | 95 | |

- first note
- second note

<!-- page break -->

# Outlook

Next year looks fine.
`;

describeWith({ libraries: ['pypdf'], tools: ['pdftotext', 'qpdf'] }, 'the pdf skill', () => {
  const folder = scratch();
  const report = folder.path('report.pdf');
  const textOf = (path: string): string => tool('pdftotext', ['-layout', path, '-']);
  const pagesOf = (path: string): number => Number(tool('qpdf', ['--show-npages', path]));

  beforeAll(() => {
    done('pdf', 'create_pdf.py', ['-', '-o', report, '--title', 'Harvest'], MARKDOWN);
  });
  afterAll(folder.remove);

  it('creates a sound PDF from Markdown whose text another reader finds', () => {
    tool('qpdf', ['--check', report]);
    expect(pagesOf(report)).toBe(2);
    const text = textOf(report);
    expect(text).toContain('Apples were plentiful this year – see the log.');
    expect(text).toMatch(/Hillside\s+120\s+early frost/);
    expect(text).toContain('2/2');
    expect(tool('pdfinfo', [report])).toMatch(/Title:\s+Harvest/);
  });

  it('refuses characters that the standard fonts lack, and names them', () => {
    const target = folder.path('cyrillic.pdf');
    const { status, stderr } = script('pdf', 'create_pdf.py', ['-', '-o', target], 'Жук');
    expect(status).toBe(1);
    expect(stderr).toContain('Ж (U+0416)');
    expect(existsSync(target)).toBe(false);
  });

  it('reads text page by page, and the outline', () => {
    expect(told('pdf', 'read_pdf.py', [report, '--json', '--pages', '2'])).toEqual({
      pages: [{ page: 2, text: expect.stringContaining('Next year looks fine.') }],
    });
    expect(told('pdf', 'read_pdf.py', [report, '--info'])).toMatchObject({
      pages: 2,
      properties: { Title: 'Harvest' },
      outline: [
        { title: 'Harvest report', level: 1, page: 1 },
        { title: 'Yields', level: 2, page: 1 },
        { title: 'Outlook', level: 1, page: 2 },
      ],
    });
  });

  it('extracts a table as rows of cells', () => {
    expect(told('pdf', 'tables_pdf.py', [report])).toEqual({
      tables: [
        {
          page: 1,
          rows: [
            ['Orchard', 'Crates', 'Remark'],
            ['Hillside', '120', 'early frost'],
            ['Riverbank', '95', ''],
          ],
        },
      ],
    });
    expect(done('pdf', 'tables_pdf.py', [report, '--format', 'csv'])).toContain('Hillside,120,early frost\n');
  });

  it('merges chosen pages in the order asked for', () => {
    const merged = folder.path('merged.pdf');
    done('pdf', 'merge_pdf.py', [`${report}:2`, report, '-o', merged]);
    tool('qpdf', ['--check', merged]);
    expect(pagesOf(merged)).toBe(3);
    expect(textOf(merged).trimStart()).toMatch(/^Outlook/);
  });

  it('splits by ranges and by a number of pages', () => {
    const parts = folder.path('parts');
    done('pdf', 'split_pdf.py', [report, '-d', parts, '--every', '1']);
    expect(pagesOf(`${parts}/report-1.pdf`)).toBe(1);
    expect(textOf(`${parts}/report-2.pdf`)).toContain('Outlook');
    const again = script('pdf', 'split_pdf.py', [report, '-d', parts, '--ranges', '1-2']);
    expect(again.status).toBe(1);
    expect(again.stderr).toContain('exists');
  });

  it('deletes, rotates, stamps and titles pages', () => {
    const edited = folder.path('edited.pdf');
    const changes = ['--delete', '2', '--rotate', '90', '--stamp', 'DRAFT', '--set', 'Title=Edited'];
    done('pdf', 'edit_pdf.py', [report, '-o', edited, ...changes]);
    tool('qpdf', ['--check', edited]);
    expect(pagesOf(edited)).toBe(1);
    const facts = tool('pdfinfo', [edited]);
    expect(facts).toMatch(/Page rot:\s+90/);
    expect(facts).toMatch(/Title:\s+Edited/);
    // Slanted letters come out of pdftotext one by one: look at the page's own operators.
    expect(tool('qpdf', ['--qdf', edited, '-'])).toMatch(/\(DRAFT\) Tj|<4452414654> Tj/i);
  });

  it('encrypts with a password from a file and reads it back with the same', () => {
    const password = folder.path('password.txt');
    const locked = folder.path('locked.pdf');
    writeFileSync(password, 'between us\n');
    done('pdf', 'edit_pdf.py', [report, '-o', locked, '--encrypt-file', password]);
    const refused = script('pdf', 'read_pdf.py', [locked]);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('--password-file');
    tool('qpdf', ['--password=between us', '--check', locked]);
    expect(done('pdf', 'read_pdf.py', [locked, '--password-file', password])).toContain('Outlook');
  });

  it('lists the fields of a form and fills them', () => {
    const form = folder.path('form.pdf');
    const filled = folder.path('filled.pdf');
    writeFileSync(form, formPdf());
    expect(told('pdf', 'form_pdf.py', ['list', form])).toEqual({
      fields: [
        { name: 'applicant', kind: 'text', page: 1, value: null },
        { name: 'agree', kind: 'checkbox', page: 1, value: false, options: ['Yes'] },
        { name: 'size', kind: 'choice', page: 1, value: null, options: ['small', 'large'] },
      ],
    });
    const values = JSON.stringify({ applicant: 'Zoë', agree: true, size: 'large' });
    done('pdf', 'form_pdf.py', ['fill', form, '-', '-o', filled], values);
    tool('qpdf', ['--check', filled]);
    const shown = tool('qpdf', ['--json', '--json-key=acroform', filled]);
    expect(tool('pdftotext', [filled, '-'])).toContain('Zoë');
    expect(shown).toContain('"value": "/Yes"');
    expect(shown).toContain('"value": "u:large"');
  });

  it('refuses a form value that the field does not take, and an unknown field by its nearest name', () => {
    const form = folder.path('form-2.pdf');
    const target = folder.path('never.pdf');
    writeFileSync(form, formPdf());
    const wrong = script('pdf', 'form_pdf.py', ['fill', form, '-', '-o', target], '{"size": "huge"}');
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("['small', 'large']")]);
    const unknown = script('pdf', 'form_pdf.py', ['fill', form, '-', '-o', target], '{"aplicant": "x"}');
    expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining("'applicant'")]);
    expect(existsSync(target)).toBe(false);
  });

  it('leaves the input alone unless told to overwrite it', () => {
    const own = folder.path('own.pdf');
    writeFileSync(own, readFileSync(report));
    const before = readFileSync(own);
    expect(script('pdf', 'edit_pdf.py', [own, '-o', own, '--rotate', '90']).status).toBe(1);
    expect(readFileSync(own).equals(before)).toBe(true);
    done('pdf', 'edit_pdf.py', [own, '-o', own, '--rotate', '90', '--overwrite']);
    expect(tool('pdfinfo', [own])).toMatch(/Page rot:\s+90/);
  });

  it('says in one line why a file cannot be opened, and 2 is wrong usage', () => {
    const broken = folder.path('broken.pdf');
    writeFileSync(broken, 'not a PDF');
    const { status, stderr } = script('pdf', 'read_pdf.py', [broken]);
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(script('pdf', 'read_pdf.py', [report, '--pages', '9']).status).toBe(1);
    expect(script('pdf', 'read_pdf.py', []).status).toBe(2);
  });
});

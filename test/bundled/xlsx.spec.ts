import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { partOf, partsOf, textsOf } from './support/ooxml.js';
import { describeWith, done, scratch, script, told } from './support/scripts.js';

const CSV = `Orchard;Crates;Postal code;Picked;Remark
Hillside;120;01234;2026-09-01;=1+1
Riverbank;95.5;99999;2026-09-02;"wet; cold"
`;

describeWith({ libraries: ['openpyxl'] }, 'the xlsx skill', () => {
  const folder = scratch();
  const source = folder.path('yields.csv');
  const book = folder.path('yields.xlsx');

  const textIn = (file: string): string[] =>
    partsOf(file)
      .filter((part) => /^xl\/(worksheets\/sheet\d+|sharedStrings)\.xml$/.test(part))
      .flatMap((part) => textsOf(partOf(file, part), 't'));

  beforeAll(() => {
    writeFileSync(source, CSV);
    done('xlsx', 'create_xlsx.py', [source, '-o', book]);
  });
  afterAll(folder.remove);

  it('creates a sound workbook from CSV, with typed cells and a frozen header', () => {
    expect(partsOf(book)).toContain('xl/worksheets/sheet1.xml');
    const sheet = partOf(book, 'xl/worksheets/sheet1.xml');
    expect(sheet).toMatch(/<c r="B2"[^>]*><v>120<\/v>/);
    // One openpyxl shares strings between cells, another writes them in place.
    expect(sheet).toMatch(/<c r="C2"[^>]*t="(s|inlineStr)"/);
    expect(sheet).toContain('topLeftCell="A2"');
    expect(partOf(book, 'xl/workbook.xml')).toContain('name="yields"');
  });

  it('never makes a formula of foreign data', () => {
    const sheet = partOf(book, 'xl/worksheets/sheet1.xml');
    expect(sheet).not.toContain('<f>');
    expect(textIn(book)).toContain('=1+1');
  });

  it('creates formulas from JSON', () => {
    const model = folder.path('model.xlsx');
    const json = JSON.stringify({
      Model: [
        ['a', 'b'],
        [1, 2],
        ['=A2+B2', '2026-01-31'],
      ],
    });
    done('xlsx', 'create_xlsx.py', ['-', '-o', model], json);
    expect(partOf(model, 'xl/worksheets/sheet1.xml')).toContain('<f>A2+B2</f>');
    expect(told('xlsx', 'read_xlsx.py', [model, '--info'])).toMatchObject({
      sheets: [{ name: 'Model', range: 'A1:B3', formulas: 1, not_calculated: 1, errors: {} }],
    });
  });

  it('reads ranges as JSON and sheets as CSV', () => {
    expect(told('xlsx', 'read_xlsx.py', [book, '--range', 'A2:D2'])).toEqual({
      sheet: 'yields',
      range: 'A2:D2',
      rows: [['Hillside', 120, '01234', '2026-09-01']],
    });
    const csv = done('xlsx', 'read_xlsx.py', [book, '--format', 'csv']);
    expect(csv.split('\n')[2]).toBe('Riverbank,95.5,99999,2026-09-02,wet; cold');
  });

  it('sets cells and formulas, styles them and manages sheets', () => {
    const edited = folder.path('edited.xlsx');
    done('xlsx', 'edit_xlsx.py', [
      ...[book, '-o', edited, '--set', 'B4', '=SUM(B2:B3)', '--set', 'A4', "'=total"],
      ...['--style', 'A4:B4', 'bold', 'fill=FFF2CC', 'format=0.00', '--replace', 'Hillside', 'Hilltop'],
      ...['--copy-sheet', 'yields', 'Copy', '--rename-sheet', 'Copy', 'Backup', '--width', 'A', '30'],
    ]);
    partsOf(edited);
    const sheet = partOf(edited, 'xl/worksheets/sheet1.xml');
    expect(sheet).toContain('<f>SUM(B2:B3)</f>');
    expect(sheet).not.toContain('<f>total</f>');
    expect(sheet).toMatch(/<col [^>]*width="30"/);
    expect(partOf(edited, 'xl/styles.xml')).toContain('FFFFF2CC');
    expect(textIn(edited)).toEqual(expect.arrayContaining(['Hilltop', '=total']));
    expect(partOf(edited, 'xl/workbook.xml')).toContain('name="Backup"');
  });

  it('appends rows below the used range', () => {
    const longer = folder.path('longer.xlsx');
    done('xlsx', 'edit_xlsx.py', [book, '-o', longer, '--append-rows', '-'], '[["Valley", 40]]');
    expect(told('xlsx', 'read_xlsx.py', [longer, '--range', 'A4:B4'])).toMatchObject({
      rows: [['Valley', 40]],
    });
  });

  it('exports sheets as CSV files that read back the same', () => {
    done('xlsx', 'export_csv.py', [book, '-d', folder.path('csv')]);
    expect(readFileSync(folder.path('csv/yields.csv'), 'utf8')).toBe(
      'Orchard,Crates,Postal code,Picked,Remark\n' +
        'Hillside,120,01234,2026-09-01,=1+1\n' +
        'Riverbank,95.5,99999,2026-09-02,wet; cold\n',
    );
  });

  it('merges sheets side by side and tells which were renamed', () => {
    const merged = folder.path('merged.xlsx');
    expect(told('xlsx', 'merge_xlsx.py', [book, book, '-o', merged])).toMatchObject({
      sheets: ['yields', 'yields (2)'],
      renamed: [{ sheet: 'yields', now: 'yields (2)' }],
    });
    expect(partOf(merged, 'xl/worksheets/sheet2.xml')).toContain('<v>95.5</v>');
  });

  it('stacks rows under one header, matching columns by name', () => {
    const other = folder.path('other.csv');
    const second = folder.path('other.xlsx');
    const stacked = folder.path('stacked.xlsx');
    writeFileSync(other, 'Crates,Orchard,Postal code,Picked,Remark\n40,Valley,,,\n');
    done('xlsx', 'create_xlsx.py', [other, '-o', second]);
    done('xlsx', 'merge_xlsx.py', [book, second, '-o', stacked, '--stack', '--source']);
    expect(told('xlsx', 'read_xlsx.py', [stacked, '--range', 'A4:F4'])).toMatchObject({
      rows: [['Valley', 40, null, null, null, 'other.xlsx']],
    });
  });

  it('refuses unknown sheets, styles and texts, and writes nothing', () => {
    const never = folder.path('never.xlsx');
    const attempts = [
      ['--sheet', 'Nope', '--set', 'A1', 'x'],
      ['--style', 'A1', 'glitter'],
      ['--replace', 'pears', 'plums'],
      ['--rename-sheet', 'yields', 'a/b'],
    ].map((options) => script('xlsx', 'edit_xlsx.py', [book, '-o', never, ...options]));
    expect(attempts.map(({ status }) => status)).toEqual([1, 1, 1, 1]);
    expect(attempts[0]!.stderr).toContain("no sheet 'Nope'");
    expect(existsSync(never)).toBe(false);
  });

  it('leaves the input alone unless told to overwrite it, and refuses what is no workbook', () => {
    const before = readFileSync(book);
    const refused = script('xlsx', 'edit_xlsx.py', [book, '-o', book, '--set', 'A1', 'x']);
    expect([refused.status, readFileSync(book).equals(before)]).toEqual([1, true]);
    const broken = folder.path('broken.xlsx');
    writeFileSync(broken, 'not a workbook');
    const { status, stderr } = script('xlsx', 'read_xlsx.py', [broken]);
    expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
  });
});

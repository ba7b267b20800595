import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = readdirSync('.').filter((name) => name.endsWith('.md'));
const generated = readdirSync('docs').filter((name) => name.endsWith('.md'));
const documents = [...root, ...generated.map((name) => join('docs', name)), 'examples/host-app/README.md'];

describe('documents', () => {
  it.each(documents)('%s links to files that exist', (document) => {
    const text = readFileSync(document, 'utf8');
    const links = Array.from(text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g), (match) => match[1] ?? '');
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.filter((link) => !existsSync(join(dirname(document), link)))).toEqual([]);
  });

  it('keep ARCHITECTURE.md short enough to be read at once', () => {
    expect(readFileSync('ARCHITECTURE.md', 'utf8').split('\n').length).toBeLessThan(200);
  });
});

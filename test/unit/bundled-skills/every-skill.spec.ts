import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { resolveOptions } from '../../../src/config/resolve-options.js';
import { parseSkill } from '../../../src/skills/format/parse-skill.js';

const ROOT = 'bundled-skills';
const SLUGS = readdirSync(ROOT).filter((name) => !/^[_.]/.test(name));
const CODE = /^```.*?^```|`[^`\n]+`/gms;
const LINK = /\]\((?!https?:|#)([^)\s]+)\)/g;

/** Files that a person or an agent starts, as against modules that they import. */
function scriptsOf(slug: string): string[] {
  const dir = join(ROOT, slug, 'scripts');
  return existsSync(dir)
    ? readdirSync(dir).filter((name) => readFileIfAny(join(dir, name)).startsWith('#!'))
    : [];
}

function readFileIfAny(path: string): string {
  return statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
}

describe.each(SLUGS)('the bundled skill %s', (slug) => {
  const source = readFileSync(join(ROOT, slug, 'SKILL.md'), 'utf8');
  const document = parseSkill(source, { folderName: slug, limits: resolveOptions({}).limits });

  it('parses without a finding, but for the note that author and tags extend the open format', () => {
    const fields = document.findings.map(({ code, field }) => `${code} ${field ?? ''}`);
    expect(fields).toEqual(['field_extension author', 'field_extension tags']);
    expect(document.valid).toBe(true);
  });

  it('says its name, author, tags, what it does and when to use it', () => {
    const { name, author, tags, description } = document.frontmatter;
    expect(name).toBe(slug);
    expect(author).toBe('Skillwright');
    expect(tags?.length).toBeGreaterThan(1);
    expect(description).toMatch(/\bUse\b/);
    expect(description!.length).toBeLessThanOrEqual(1024);
  });

  it('fits into the size that the format asks for', () => {
    expect(source.split('\n').length).toBeLessThan(500);
  });

  it('links only to files that it has', () => {
    const targets = [...document.body.replace(CODE, '').matchAll(LINK)].map((match) => match[1]!);
    expect(targets.filter((target) => !existsSync(join(ROOT, slug, target)))).toEqual([]);
  });

  it('names each of its scripts, and no script that it does not have', () => {
    const named = [...document.body.matchAll(/(?<![\w/-])scripts\/([\w-]+\.py)/g)].map((match) => match[1]!);
    expect([...new Set(named)].sort()).toEqual(scriptsOf(slug).sort());
  });

  it('has its scripts ready to run', () => {
    for (const name of scriptsOf(slug)) {
      const path = join(ROOT, slug, 'scripts', name);
      expect(readFileSync(path, 'utf8')).toMatch(/^#!\/usr\/bin\/env python3\n"""/);
      expect([name, (statSync(path).mode & 0o777).toString(8)]).toEqual([name, '755']);
    }
  });
});

describe('the bundled skills together', () => {
  it('are the system skills that the catalog seeds', () => {
    expect(SLUGS.sort()).toEqual([
      'docx',
      'lark-playbook',
      'lark-pm',
      'pdf',
      'pptx',
      'skill-creator',
      'skillwright',
      'workspace-organizing',
      'xlsx',
    ]);
  });

  it('reach no network and start no process from their scripts', () => {
    const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.py'),
    );
    const reaching =
      /^\s*(?:import|from)\s+(?:socket|urllib|http|requests|httpx|subprocess|ftplib|smtplib)\b/m;
    expect(files.filter((path) => reaching.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });
});

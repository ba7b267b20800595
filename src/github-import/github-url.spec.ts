import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type GitHubSite, parseGitHubUrl, PUBLIC_GITHUB } from './github-url.js';

const REPOSITORY = { kind: 'ok', host: 'github.com', owner: 'acorn', repo: 'kit' };
const first = (text: string, sites?: readonly GitHubSite[]) => {
  const check = parseGitHubUrl(text, sites);
  return check.kind === 'ok' ? check.refAndPath[0] : check;
};

describe('parseGitHubUrl', () => {
  it.each([
    'https://github.com/acorn/kit/tree/main/skills/table',
    'https://github.com/acorn/kit/tree/main/skills/table/',
    'https://github.com/acorn/kit/tree/main/skills/table?tab=readme-ov-file',
    'https://github.com/acorn/kit/tree/main/skills/table#use',
    'https://www.github.com/acorn/kit/tree/main/skills/table',
    'HTTPS://GitHub.com/acorn/kit/tree/main/skills/table',
    '  https://github.com/acorn/kit/tree/main/skills/table  ',
    'https://github.com/acorn/kit.git/tree/main/skills/table',
    'https://github.com:443/acorn/kit/tree/main/skills/table',
    'github.com/acorn/kit/tree/main/skills/table',
    'https://github.com/acorn/kit/tree/refs/heads/main/skills/table',
    'https://github.com/acorn/kit/tree/main/skills/t%61ble',
  ])('reads %s', (url) => {
    expect(parseGitHubUrl(url)).toMatchObject({ ...REPOSITORY, skill: null, pointsAt: 'folder' });
    expect(first(url)).toEqual({ ref: 'main', path: 'skills/table' });
  });

  it('offers every way to cut a branch that may hold slashes, shortest first', () => {
    const check = parseGitHubUrl('https://github.com/acorn/kit/tree/feature/fast/skills/table');
    expect(check).toMatchObject({
      refAndPath: [
        { ref: 'feature', path: 'fast/skills/table' },
        { ref: 'feature/fast', path: 'skills/table' },
        { ref: 'feature/fast/skills', path: 'table' },
        { ref: 'feature/fast/skills/table', path: '' },
      ],
    });
  });

  it('takes a branch with encoded slashes as it is', () => {
    const check = parseGitHubUrl('https://github.com/acorn/kit/tree/feature%2Ffast/skills/table');
    expect(check).toMatchObject({ refAndPath: [{ ref: 'feature/fast', path: 'skills/table' }] });
  });

  it.each([
    ['https://github.com/acorn/kit/blob/main/skills/table/SKILL.md', { ref: 'main', path: 'skills/table' }],
    ['https://github.com/acorn/kit/blob/main/skill.md', { ref: 'main', path: '' }],
    ['https://github.com/acorn/kit/raw/main/skills/table/SKILL.md', { ref: 'main', path: 'skills/table' }],
    ['https://raw.githubusercontent.com/acorn/kit/main/a/SKILL.md', { ref: 'main', path: 'a' }],
    ['https://raw.githubusercontent.com/acorn/kit/refs/heads/main/a/SKILL.md', { ref: 'main', path: 'a' }],
  ])('takes the address of a skill file, %s, for its folder', (url, place) => {
    expect(parseGitHubUrl(url)).toMatchObject({ ...REPOSITORY, pointsAt: 'skill_file' });
    expect(first(url)).toEqual(place);
  });

  it.each([
    ['https://github.com/acorn/kit', { ref: null, path: '' }],
    ['https://github.com/acorn/kit/', { ref: null, path: '' }],
    ['https://github.com/acorn/kit.git', { ref: null, path: '' }],
    ['acorn/kit', { ref: null, path: '' }],
    ['acorn/kit/skills/table', { ref: null, path: 'skills/table' }],
    ['acorn/kit/skills/table/', { ref: null, path: 'skills/table' }],
    ['acorn/kit/tree/v1.2/skills', { ref: 'v1.2', path: 'skills' }],
    ['https://github.com/acorn/kit/releases/tag/v1.2', { ref: 'v1.2', path: '' }],
    [
      'https://github.com/acorn/kit/tree/0123456789abcdef0123456789abcdef01234567/a',
      { ref: '0123456789abcdef0123456789abcdef01234567', path: 'a' },
    ],
    ['https://github.com/acorn/kit/tree/main/na%C3%AFve%20one', { ref: 'main', path: 'naïve one' }],
  ])('reads %s', (url, place) => {
    expect(first(url)).toEqual(place);
  });

  it('reads the skill after an @', () => {
    expect(parseGitHubUrl('acorn/kit@table')).toMatchObject({ ...REPOSITORY, skill: 'table' });
    expect(parseGitHubUrl('acorn/kit@')).toMatchObject({ kind: 'invalid', reason: 'form' });
  });

  it.each([
    '',
    'words and blanks',
    'http://github.com/acorn/kit',
    'ftp://github.com/acorn/kit',
    'file:///etc/passwd',
    'git@github.com:acorn/kit.git',
    'ext::sh -c x',
    'https://u:p@github.com/acorn/kit',
    'https://github.com@10.0.0.1/acorn/kit',
    'https://github.com/acorn',
    'https://github.com/acorn/kit/tree',
    'https://github.com/acorn/kit/tree/main/../../x',
    'https://github.com/acorn/kit/tree/main/%2e%2e/x',
    'https://github.com/acorn/kit/tree/main/a%2Fb',
    'https://github.com/acorn/kit/tree/main/a%252Fb',
    'https://github.com/acorn/kit/tree/main/a%5Cb',
    'https://github.com/acorn/kit/tree/main/a%00',
    'https://github.com/acorn/kit/tree/main/%ff',
    'https://github.com/acorn/kit/tree/main//a',
    'https://github.com/acorn/kit/tree/-x',
    'https://github.com/acorn/kit/tree/a..b/c..d',
    'https://github.com/acorn/kit\\tree\\main',
    'https://github.com/acorn/kit/tree/ma\tin',
    'https://github.com/acorn/kit/blob/main/skills/table/notes.md',
    'https://github.com/acorn/kit/issues/12',
    'acorn/../kit',
    '-x/kit',
  ])('refuses %j', (url) => {
    expect(parseGitHubUrl(url)).toMatchObject({ kind: 'invalid', reason: 'form' });
  });

  it.each([
    'https://github.com.evil.test/acorn/kit',
    'https://evilgithub.com/acorn/kit',
    'https://127.0.0.1/acorn/kit/tree/main/s',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost:5432/acorn/kit',
    'https://[::1]/acorn/kit',
    'https://github.com:8443/acorn/kit',
    'https://git.example/acorn/kit',
  ])('refuses the host of %s and names the option', (url) => {
    const check = parseGitHubUrl(url);
    expect(check).toMatchObject({ kind: 'invalid', reason: 'host' });
    expect(check).toMatchObject({ because: expect.stringContaining('github.webUrl') as unknown as string });
  });

  it('reads addresses of configured sites, with their port and scheme', () => {
    const sites = [PUBLIC_GITHUB, { web: 'http://127.0.0.1:8080', rawHost: null }];
    expect(parseGitHubUrl('http://127.0.0.1:8080/acorn/kit', sites)).toMatchObject({
      host: '127.0.0.1:8080',
    });
    expect(parseGitHubUrl('http://github.com/acorn/kit', sites)).toMatchObject({ kind: 'invalid' });
    expect(parseGitHubUrl('http://127.0.0.1:8081/acorn/kit', sites)).toMatchObject({ reason: 'host' });
  });

  it('never gives a path that leaves the repository or another host than the configured one', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '%2F',
      '@',
      ':',
      '//',
      '\\',
      '%00',
      'a',
      'tree',
      '-',
      '?',
      '#',
    );
    const parts = fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 8 });
    fc.assert(
      fc.property(parts, (words) => {
        const check = parseGitHubUrl(`https://github.com/${words.join('/')}`);
        if (check.kind === 'invalid') return;
        expect(check.host).toBe('github.com');
        for (const { ref, path } of check.refAndPath) {
          expect(path.split('/')).not.toContain('..');
          expect(path).not.toMatch(/^[-/]|\\|\0/);
          expect(ref ?? 'x').not.toMatch(/^-|\.\.|\\|\0/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type SkillSource } from '../../../src/skills/discovery/skill-walk.service.js';
import { contentDigest } from '../../../src/skills/format/content-digest.js';
import {
  type FolderFingerprint,
  fingerprintFolder,
} from '../../../src/skills/sync/folder-fingerprint.service.js';
import { type ReadFolder, readFolder } from '../../../src/skills/sync/read-folder.service.js';
import { type Sliced } from '../../../src/workspace/time-slices.js';
import { WorkspaceFiles } from '../../../src/workspace/workspace-files.adapter.js';
import { TempFolder } from '../../support/temp-folder.js';

const files = new WorkspaceFiles();
const LIMITS = {
  skillFiles: 20,
  skillBytes: 10_000,
  fileBytes: 5_000,
  skillMdBytes: 4_000,
  frontmatterBytes: 1_000,
};
let temp: TempFolder;

beforeEach(() => {
  temp = new TempFolder();
  temp.skill('pdf');
  temp.write('pdf/scripts/run.sh', 'echo', { mode: 0o755 });
  temp.write('pdf/refs/one.md', 'one');
});
afterEach(() => {
  temp.remove();
});

function finish<T>(work: Sliced<T>, between: () => void = () => undefined): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    between();
  }
}

const source = (facts: Partial<SkillSource> = {}): SkillSource => ({
  dir: temp.path('pdf'),
  sharedDir: null,
  trusted: false,
  ...facts,
});
const look = (now?: number, from = source()): FolderFingerprint | null =>
  finish(fingerprintFolder(files, from, now));
const fingerprint = (): string | undefined => look()?.fingerprint;
const read = (from = source(), between?: () => void): ReadFolder =>
  finish(readFolder(files, from, LIMITS), between);

describe('the fingerprint of a folder', () => {
  it('stays while files are only read and what is no part of the skill changes', () => {
    const before = fingerprint();
    readFileSync(temp.path('pdf/refs/one.md'));
    read();
    temp.write('pdf/.git/HEAD', 'x');
    temp.write('pdf/refs/.one.md.swp', 'x');
    expect(fingerprint()).toBe(before);
  });

  it.each<[string, () => void]>([
    [
      'content of the same size',
      () => {
        temp.write('pdf/refs/one.md', 'two');
      },
    ],
    [
      'content of a file in the same place',
      () => {
        temp.write('pdf/SKILL.md', 'other');
      },
    ],
    [
      'an executable bit',
      () => {
        chmodSync(temp.path('pdf/refs/one.md'), 0o755);
      },
    ],
    [
      'an added file',
      () => {
        temp.write('pdf/refs/two.md', '');
      },
    ],
    [
      'a removed file',
      () => {
        unlinkSync(temp.path('pdf/refs/one.md'));
      },
    ],
    [
      'a renamed file',
      () => {
        renameSync(temp.path('pdf/refs/one.md'), temp.path('pdf/refs/uno.md'));
      },
    ],
    [
      'a renamed folder',
      () => {
        renameSync(temp.path('pdf/refs'), temp.path('pdf/texts'));
      },
    ],
    [
      'a file that became a link',
      () => {
        renameSync(temp.path('pdf/refs/one.md'), temp.path('pdf/one.md'));
        symlinkSync('../one.md', temp.path('pdf/refs/one.md'));
      },
    ],
  ])('changes with %s', (_, change) => {
    const before = fingerprint();
    change();
    expect(fingerprint()).not.toBe(before);
  });

  it('changes with the target of a link and with a shared file', () => {
    symlinkSync('refs/one.md', temp.path('pdf/link.md'));
    temp.write('_shared/lib.py', 'one');
    const shared = source({ sharedDir: temp.path('_shared'), trusted: true });
    const before = look(undefined, shared);
    expect(before?.folders).toContain(temp.path('_shared'));
    temp.write('_shared/lib.py', 'two');
    expect(look(undefined, shared)?.fingerprint).not.toBe(before?.fingerprint);
  });

  it('is settled only when every file is older than the clock of a file system can hide', () => {
    expect(look(Date.now() + 100)?.settled).toBe(false);
    expect(look(Date.now() + 10_000)?.settled).toBe(true);
  });

  it('is null when the folder is gone or something else took its place', () => {
    renameSync(temp.path('pdf'), temp.path('moved'));
    expect(look()).toBeNull();
    symlinkSync(temp.path('moved'), temp.path('pdf'));
    expect(look()).toBeNull();
  });
});

describe('reading a folder', () => {
  it('gives files, bytes, digest, document and the fingerprint of these bytes', () => {
    const result = read();
    expect(result).toMatchObject({
      kind: 'ok',
      findings: [],
      content: { fileName: 'SKILL.md', document: { frontmatter: { name: 'pdf' } } },
    });
    if (result.kind !== 'ok') return;
    const { content, seen } = result;
    expect(content.files.map(({ path, mode }) => [path, mode])).toEqual([
      ['SKILL.md', '0644'],
      ['refs/one.md', '0644'],
      ['scripts/run.sh', '0755'],
    ]);
    for (const file of content.files) {
      expect(content.blobs.get(file.sha256)).toEqual(readFileSync(temp.path('pdf', file.path)));
    }
    expect(content.digest).toBe(contentDigest(content.files));
    expect(seen.fingerprint).toBe(fingerprint());
  });

  it('delivers shared files of bundled skills below scripts', () => {
    temp.write('_shared/lib.py', 'lib');
    const result = read(source({ sharedDir: temp.path('_shared'), trusted: true }));
    const paths = result.kind === 'ok' ? result.content.files.map(({ path }) => path) : [];
    expect(paths).toContain('scripts/_shared/lib.py');
  });

  it('is unstable when a file changes at any moment in between', () => {
    let steps = 0;
    read(source(), () => steps++);
    expect(steps).toBeGreaterThan(4);
    const kinds: string[] = [];
    for (let at = 1; at <= steps; at++) {
      let step = 0;
      const result = read(source(), () => {
        if (++step === at) temp.write('pdf/refs/one.md', `text ${at}`);
      });
      kinds.push(result.kind);
      if (result.kind !== 'ok') continue;
      // The change was made before the file was first looked at or after it was last: bytes and look agree.
      const isNew = [...result.content.blobs.values()].some((bytes) => String(bytes) === `text ${at}`);
      expect(result.seen.fingerprint === fingerprint()).toBe(isNew);
    }
    expect(kinds).toContain('unstable');
  });

  it('is missing without a folder and without a SKILL.md', () => {
    expect(read(source({ dir: temp.path('none') }))).toEqual({ kind: 'missing' });
    unlinkSync(temp.path('pdf/SKILL.md'));
    expect(read()).toEqual({ kind: 'missing' });
  });

  it('is invalid for an error anywhere in SKILL.md, with its bytes', () => {
    temp.write('pdf/SKILL.md', '---\nname: pdf\ndescription: Reads.\n---\n\nA\u0000B\n');
    expect(read()).toMatchObject({
      kind: 'invalid',
      content: { files: [{ path: 'SKILL.md' }, {}, {}] },
      findings: [{ code: 'text_unstorable', severity: 'error', path: 'SKILL.md' }],
    });
  });

  it('is invalid, and nothing is taken for removed, when it cannot be read whole', () => {
    for (let i = 0; i < 30; i++) temp.write(`pdf/many/${i}.md`, 'x');
    expect(read()).toMatchObject({
      kind: 'invalid',
      content: null,
      findings: [{ code: 'skill_too_large', severity: 'error' }],
    });
  });

  it('is invalid when SKILL.md is there and no file of this skill', () => {
    unlinkSync(temp.path('pdf/SKILL.md'));
    mkdirSync(temp.path('pdf/SKILL.md'));
    expect(read()).toMatchObject({
      kind: 'invalid',
      content: null,
      findings: [{ code: 'file_not_regular' }],
    });
    temp.remove();
    temp.write('outside.md', '---\nname: x\ndescription: X.\n---\n');
    mkdirSync(temp.path('pdf'));
    symlinkSync('../outside.md', temp.path('pdf/SKILL.md'));
    expect(read()).toMatchObject({
      kind: 'invalid',
      content: null,
      findings: [{ code: 'link_skipped', severity: 'error', path: 'SKILL.md' }],
    });
    unlinkSync(temp.path('pdf/SKILL.md'));
    linkSync(temp.path('outside.md'), temp.path('pdf/SKILL.md'));
    expect(read()).toMatchObject({
      kind: 'invalid',
      findings: [{ code: 'file_not_regular', severity: 'error' }],
    });
  });

  it('leaves out links, pipes and folders too deep, each with a remark', () => {
    execFileSync('mkfifo', [temp.path('pdf/pipe')]);
    symlinkSync('/etc', temp.path('pdf/etc'));
    symlinkSync('.', temp.path('pdf/loop'));
    temp.write(`pdf/${'d/'.repeat(40)}deep.md`, 'x');
    const result = read();
    const codes = result.kind === 'ok' ? result.findings.map(({ code }) => code).sort() : [];
    expect(codes).toEqual(['file_not_regular', 'link_skipped', 'link_skipped', 'walk_limit']);
    expect(result.kind === 'ok' && result.content.files).toHaveLength(3);
  });
});

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isPartOfSkill } from '../../../src/skills/discovery/not-part.js';
import { scanSkill } from '../../../src/skills/scan/scan-skill.js';
import { runSliced } from '../../../src/workspace/time-slices.js';

const folders = ['bundled-skills', 'workspace-docs/skills'].flatMap((root) =>
  readdirSync(root).map((name) => join(root, name)),
);

function filesBelow(folder: string): { path: string; mode: '0644' | '0755'; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.split('/').every(isPartOfSkill) && statSync(join(folder, path)).isFile())
    .map((path) => ({
      path: relative('.', path),
      mode: (statSync(join(folder, path)).mode & 0o111) === 0 ? '0644' : '0755',
      bytes: readFileSync(join(folder, path)),
    }));
}

describe('the content scan', () => {
  it.each(folders)('finds nothing in %s, which ships with the package', async (folder) => {
    expect(await runSliced(scanSkill(filesBelow(folder)))).toEqual({ findings: [], quarantine: null });
  });
});

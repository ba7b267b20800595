// P2: a pass over a catalogue in which nothing, or one skill, changed, against a stat of every SKILL.md.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { corpus } from '../corpus.mjs';

const require = createRequire(import.meta.url);
const { CatalogService } = require('../../dist/skills/catalog/catalog.service.js');
const { resolveOptions } = require('../../dist/config/resolve-options.js');
const { WorkspaceFiles } = require('../../dist/workspace/workspace-files.adapter.js');

class CountingFiles extends WorkspaceFiles {
  opened = 0;

  read(path, rule) {
    this.opened++;
    return super.read(path, rule);
  }
}

async function prepare(count) {
  const skills = corpus(count);
  const options = resolveOptions({ workspace: { dir: dirname(skills) }, watch: { enabled: false } });
  const env = { cwd: dirname(skills), home: undefined, zotHome: undefined, zotAgentSkills: [] };
  const files = new CountingFiles();
  // A minute ahead, so that a corpus made just now counts as settled.
  const catalog = new CatalogService(options, files, env, () => Date.now() + 60_000);
  await catalog.start();
  files.opened = 0;
  const yardstick = () => {
    for (const name of readdirSync(skills)) statSync(`${skills}/${name}/SKILL.md`);
  };
  return { skills, files, catalog, yardstick };
}

const unchanged = (count) => ({
  name: `P2 unchanged ${count}`,
  goal: 1.5,
  async prepare() {
    const { catalog, files, yardstick } = await prepare(count);
    return {
      async check() {
        const before = catalog.snapshot();
        assert.equal(await catalog.refresh(), before);
        assert.equal(files.opened, 0);
      },
      ours: () => catalog.refresh(),
      yardstick,
    };
  },
});

const oneChanged = (count) => ({
  name: `P2 one changed ${count}`,
  goal: 1.5,
  async prepare() {
    const { skills, catalog, files, yardstick } = await prepare(count);
    const file = join(skills, readdirSync(skills)[0], 'SKILL.md');
    const original = readFileSync(file, 'utf8');
    let changes = 0;
    const before = () => {
      writeFileSync(file, original.replace('description:', `version: "${++changes}"\ndescription:`));
      utimesSync(file, changes, changes);
      files.opened = 0;
    };
    return {
      async check() {
        before();
        const { revision } = catalog.snapshot();
        assert.equal((await catalog.refresh()).revision, revision + 1);
        assert.equal(files.opened, 1);
      },
      before,
      ours: () => catalog.refresh(),
      yardstick,
      after: () => {
        writeFileSync(file, original);
      },
    };
  },
});

export const rows = [unchanged(1_000), unchanged(10_000), oneChanged(10_000)];

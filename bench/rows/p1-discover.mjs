// P1: find, parse, judge and render all skills, against reading every SKILL.md.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { corpus } from '../corpus.mjs';

const require = createRequire(import.meta.url);
const { CatalogService } = require('../../dist/skills/catalog/catalog.service.js');
const { renderListing } = require('../../dist/workflow/listing.js');
const { resolveOptions } = require('../../dist/config/resolve-options.js');
const { WorkspaceFiles } = require('../../dist/workspace/workspace-files.adapter.js');

const RULES = { format: 'xml', maxCount: Infinity, maxTokens: Infinity, overBudget: 'shrink' };

const row = (count) => ({
  name: `P1 discover ${count}`,
  goal: 1.8,
  prepare() {
    const skills = corpus(count);
    const options = resolveOptions({ workspace: { dir: dirname(skills) }, watch: { enabled: false } });
    const env = { cwd: dirname(skills), home: undefined, zotHome: undefined, zotAgentSkills: [] };
    const discover = async () => {
      const catalog = new CatalogService(options, new WorkspaceFiles(), env);
      await catalog.start();
      const entries = [...catalog.snapshot().bySlug.values()].filter(
        ({ availability }) => availability === 'available',
      );
      return { entries, listing: renderListing(entries, RULES, { selected: true }) };
    };
    return {
      async check() {
        const { entries, listing } = await discover();
        const names = readdirSync(skills).sort();
        assert.deepEqual(
          entries.filter(({ layer }) => layer === 'workspace').map(({ slug }) => slug),
          names,
        );
        assert.ok(names.every((name) => listing.text.includes(`slug="${name}"`)));
      },
      ours: discover,
      yardstick() {
        for (const name of readdirSync(skills)) readFileSync(`${skills}/${name}/SKILL.md`);
      },
    };
  },
});

export const rows = [row(1_000), row(10_000)];

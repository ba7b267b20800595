// P3: what a step of 20 gets out of a large catalogue, with listing and read paths, against joining 20 ready strings.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { corpus } from '../corpus.mjs';

const require = createRequire(import.meta.url);
const { CatalogService } = require('../../dist/skills/catalog/catalog.service.js');
const { effectiveSkills } = require('../../dist/workflow/effective-skills.js');
const { renderListing } = require('../../dist/workflow/listing.js');
const { readPathsOf } = require('../../dist/workflow/resolution-answer.js');
const { resolveOptions } = require('../../dist/config/resolve-options.js');
const { WorkspaceFiles } = require('../../dist/workspace/workspace-files.adapter.js');

const TIMES = 2_000;
const LONGEST_MS = 0.1;

export const rows = [
  {
    name: 'P3 effective skills 10000',
    goal: 10,
    async prepare() {
      const skills = corpus(10_000);
      const options = resolveOptions({ workspace: { dir: dirname(skills) }, watch: { enabled: false } });
      const env = { cwd: dirname(skills), home: undefined, zotHome: undefined, zotAgentSkills: [] };
      const catalog = new CatalogService(options, new WorkspaceFiles(), env);
      await catalog.start();
      const snapshot = catalog.snapshot();
      const every = [...snapshot.bySlug.values()].filter(({ layer }) => layer === 'workspace');
      const chosen = every.filter((_, index) => index % 500 === 0);
      for (const entry of chosen) await catalog.content(entry);
      const view = { snapshot, digestOf: (entry) => catalog.knownContent(entry)?.digest ?? null };
      const preset = { id: null, label: 'bench', selectedSkills: chosen.map(({ slug }) => slug) };
      const resolve = () => {
        const resolution = effectiveSkills({ view, stepId: 'step', step: null, preset });
        const entries = resolution.skills.map(({ entry }) => entry);
        const listing = renderListing(entries, options.listing, { selected: true });
        return { resolution, listing, paths: readPathsOf(resolution, []) };
      };
      const ready = chosen.map(
        ({ slug, description }) => `  <skill name="${slug}" slug="${slug}">${description}</skill>`,
      );
      let length = 0;
      return {
        check() {
          const { resolution, listing, paths } = resolve();
          assert.equal(resolution.skills.length, 20);
          assert.equal(listing.text.match(/<skill /g)?.length, 20);
          assert.equal(paths.length, 40);
          for (let n = 0; n < TIMES; n++) resolve();
          const started = performance.now();
          for (let n = 0; n < TIMES; n++) resolve();
          const each = (performance.now() - started) / TIMES;
          assert.ok(each <= LONGEST_MS, `${each} ms for one step`);
        },
        ours() {
          for (let n = 0; n < TIMES; n++) length += resolve().listing.text.length;
        },
        yardstick() {
          for (let n = 0; n < TIMES; n++) length += ready.join('\n').length;
        },
        after: () => {
          assert.ok(length > 0);
        },
      };
    },
  },
];

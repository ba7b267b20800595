import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findBuiltin } from '../../../src/builtins/registry.js';
import { resolveOptions } from '../../../src/config/resolve-options.js';
import { CatalogService } from '../../../src/skills/catalog/catalog.service.js';
import { parseSkill } from '../../../src/skills/format/parse-skill.js';
import { WorkspaceFiles } from '../../../src/workspace/workspace-files.adapter.js';

const ROOT = 'workspace-docs';
const FILE_MENTION = /\b(?:references|scripts|templates|assets)\/[\w.-]*\w/g;

const skillFolders = readdirSync(join(ROOT, 'skills'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('SKILL.md'))
  .map((path) => join(ROOT, 'skills', dirname(path)));
const slugs = new Set(skillFolders.map((folder) => relative(join(ROOT, 'skills'), folder)));

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'SKILL.md' && !entry.name.endsWith('.pyc'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

const known = (slug: string) => slugs.has(slug) || findBuiltin(slug) !== undefined;

describe('the sample workspace', () => {
  it('is found whole, each skill offered and without a remark', async () => {
    const catalog = new CatalogService(resolveOptions({ workspace: { dir: ROOT } }), new WorkspaceFiles());
    await catalog.start();
    const { entries, findings } = catalog.snapshot();
    const own = entries.filter(({ layer }) => layer === 'workspace');
    expect(own.map(({ slug, availability, findings: remarks }) => ({ slug, availability, remarks }))).toEqual(
      [...slugs].sort().map((slug) => ({ slug, availability: 'available', remarks: [] })),
    );
    const contents = await Promise.all(own.map((entry) => catalog.content(entry)));
    expect(contents.flatMap((content) => content.findings)).toEqual([]);
    expect(findings.filter(({ code }) => code !== 'location_missing')).toEqual([]);
    await catalog.stop();
  });

  it.each(skillFolders)('%s names each of its files, and no file that is missing', (folder) => {
    const text = readFileSync(join(folder, 'SKILL.md'), 'utf8');
    expect([...new Set(text.match(FILE_MENTION) ?? [])].sort()).toEqual(filesBelow(folder).sort());
  });

  it.each(skillFolders)('%s shows a call of each of its scripts', (folder) => {
    const text = readFileSync(join(folder, 'SKILL.md'), 'utf8');
    for (const script of filesBelow(folder).filter((path) => path.startsWith('scripts/'))) {
      expect(text).toContain(`python3 ${script}`);
    }
  });

  it('selects in its presets only skills that exist', () => {
    for (const file of readdirSync(join(ROOT, 'presets'))) {
      const preset = readJson(join(ROOT, 'presets', file)) as { selected_skills: string[] };
      expect(preset.selected_skills.filter((slug) => !known(slug))).toEqual([]);
    }
  });

  it('binds each workflow to a preset of its own', () => {
    const presets = readdirSync(join(ROOT, 'presets')).map(
      (file) => (readJson(join(ROOT, 'presets', file)) as { id: string }).id,
    );
    for (const workflow of readdirSync(join(ROOT, 'workflows'))) {
      const { preset } = readJson(join(ROOT, 'workflows', workflow, 'workflow.json')) as { preset: string };
      expect(presets).toContain(preset);
    }
  });

  it('enables in its steps only skills that exist, and shows every way of choosing them', () => {
    const kinds = new Set<string>();
    for (const workflow of readdirSync(join(ROOT, 'workflows'))) {
      const { steps } = readJson(join(ROOT, 'workflows', workflow, 'step_config.json')) as {
        steps: { agent_configs?: { enabled_skills?: string[]; skill_modes?: Record<string, string> } }[];
      };
      for (const { agent_configs: configs } of steps) {
        const list = configs?.enabled_skills;
        expect((list ?? []).filter((slug) => !known(slug))).toEqual([]);
        kinds.add(list === undefined ? 'inherits' : list.length === 0 ? 'none' : 'overrides');
        for (const mode of Object.values(configs?.skill_modes ?? {})) kinds.add(mode);
      }
    }
    expect([...kinds].sort()).toEqual(['inherits', 'none', 'overrides', 'preload', 'require']);
  });

  it('has learnings to point at, well-formed as a skill', () => {
    const bytes = readFileSync(join(ROOT, 'workflows/demo/learnings/_global/SKILL.md'));
    const limits = { skillMdBytes: 65_536, frontmatterBytes: 4_096 };
    expect(parseSkill(bytes, { limits }).findings).toEqual([]);
  });
});

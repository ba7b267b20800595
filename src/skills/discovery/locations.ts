import { basename, isAbsolute, join, resolve } from 'node:path';
import { type SkillLocation } from './skill-entry.js';

/** The options that decide where is searched. */
export interface LocationOptions {
  readonly workspace: { readonly dir: string };
  readonly bundled: { readonly dir?: string | undefined };
  readonly discovery: { readonly path: readonly string[]; readonly maxDepth: number };
}

/** What the service profile needs to know about the machine. */
export interface ServiceFacts {
  /** Relative directories start here. */
  readonly cwd: string;
  /** Whether `skills-lock.json` lies in the workspace: only then is its `.agents/skills` ours to read. */
  readonly hasSkillsLock: boolean;
}

/** The environment of profile `discovery`; an absent directory is not searched. */
export interface DiscoveryFacts {
  readonly cwd: string;
  readonly home?: string | undefined;
  readonly zotHome?: string | undefined;
  readonly zotAgentSkills: readonly string[];
}

/** The lock file of the vercel CLI, beside the folders it writes. */
export const SKILLS_LOCK = 'skills-lock.json';

/** Says which workspace a folder is; ours alone. */
export const WORKSPACE_MARKER = '.skillwright-workspace.json';

/**
 * The search order of the service, first match wins per slug: directories named explicitly, the workspace,
 * what its skills CLI installed, bundled skills. Home directories are in it only when named.
 */
export function serviceLocations(options: LocationOptions, facts: ServiceFacts): SkillLocation[] {
  const depth = options.discovery.maxDepth;
  const workspace = resolve(facts.cwd, options.workspace.dir);
  const locations = namedLocations(options.discovery.path, facts.cwd, depth);
  locations.push({
    dir: join(workspace, 'skills'),
    label: 'workspace',
    layer: 'workspace',
    depth,
    shownAs: 'skills',
  });
  if (facts.hasSkillsLock) {
    locations.push({
      dir: join(workspace, '.agents', 'skills'),
      label: 'agents',
      layer: 'agents',
      depth,
      shownAs: '.agents/skills',
    });
  }
  if (options.bundled.dir !== undefined) {
    locations.push({
      dir: resolve(facts.cwd, options.bundled.dir),
      label: 'bundled',
      layer: 'bundled',
      depth,
      shownAs: 'bundled-skills',
    });
  }
  return locations;
}

/**
 * The search order of a coding agent outside any workspace, first match wins per name, one level deep.
 * Builtins come after all of these.
 */
export function discoveryLocations(path: readonly string[], facts: DiscoveryFacts): SkillLocation[] {
  const { cwd, home, zotHome } = facts;
  const named = [...path, ...facts.zotAgentSkills].filter((dir) => dir !== '');
  const searched: [string | undefined, string, string][] = [
    ...named.map((dir): [string, string, string] => [cwd, dir, 'agent']),
    [cwd, '.zot/skills', 'project'],
    [zotHome, 'skills', 'global'],
    [cwd, '.claude/skills', 'project (claude)'],
    [home, '.claude/skills', 'global (claude)'],
    [cwd, '.agents/skills', 'project (agents)'],
    [home, '.agents/skills', 'global (agents)'],
  ];
  return searched.flatMap(([start, below, label]) => {
    if (start === undefined || start === '') return [];
    const dir = resolve(cwd, start, below);
    return [{ dir, label, layer: `path:${dir}` as const, depth: 1, shownAs: shortened(dir, home) }];
  });
}

/** Shown without the path that leads there: host paths do not leave the service. */
function namedLocations(path: readonly string[], cwd: string, depth: number): SkillLocation[] {
  const shown = new Set<string>();
  return path
    .filter((entry) => entry !== '')
    .map((entry) => {
      const dir = resolve(cwd, entry);
      const name = `agent:${isAbsolute(entry) ? basename(dir) : entry}`;
      let shownAs = name;
      for (let n = 2; shown.has(shownAs); n++) shownAs = `${name}#${n}`;
      shown.add(shownAs);
      return { dir, label: 'agent', layer: `path:${dir}`, depth, shownAs };
    });
}

function shortened(dir: string, home: string | undefined): string {
  if (home === undefined || home === '' || !dir.startsWith(`${home}/`)) return dir;
  return `~${dir.slice(home.length)}`;
}

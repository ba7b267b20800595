import { describe, expect, it } from '@jest/globals';
import { discoveryLocations, type LocationOptions, serviceLocations } from './locations.js';

const options = (path: string[] = [], bundled?: string): LocationOptions => ({
  workspace: { dir: './docs' },
  bundled: { dir: bundled },
  discovery: { path, maxDepth: 8 },
});

describe('the locations of the service', () => {
  it('are the named directories, the workspace, its installed skills and the bundle, in this order', () => {
    const locations = serviceLocations(options(['/opt/team', 'extra'], '/pkg/bundled-skills'), {
      cwd: '/srv',
      hasSkillsLock: true,
    });
    expect(locations.map(({ dir, label, layer }) => [dir, label, layer])).toEqual([
      ['/opt/team', 'agent', 'path:/opt/team'],
      ['/srv/extra', 'agent', 'path:/srv/extra'],
      ['/srv/docs/skills', 'workspace', 'workspace'],
      ['/srv/docs/.agents/skills', 'agents', 'agents'],
      ['/pkg/bundled-skills', 'bundled', 'bundled'],
    ]);
  });

  it('leave out .agents/skills without a lock file, and homes always', () => {
    const locations = serviceLocations(options(), { cwd: '/srv', hasSkillsLock: false });
    expect(locations.map(({ dir }) => dir)).toEqual(['/srv/docs/skills']);
  });

  it('show no host path, and tell two directories of one name apart', () => {
    const locations = serviceLocations(options(['/a/skills', '/b/skills']), {
      cwd: '/srv',
      hasSkillsLock: false,
    });
    expect(locations.map(({ shownAs }) => shownAs)).toEqual(['agent:skills', 'agent:skills#2', 'skills']);
  });
});

describe('the locations of profile discovery', () => {
  it('stand in the order of the agent, one level deep', () => {
    const locations = discoveryLocations(['/own'], {
      cwd: '/project',
      home: '/home/me',
      zotHome: '/home/me/.zot',
      zotAgentSkills: ['/extra', ''],
    });
    expect(locations.map(({ dir, label }) => [dir, label])).toEqual([
      ['/own', 'agent'],
      ['/extra', 'agent'],
      ['/project/.zot/skills', 'project'],
      ['/home/me/.zot/skills', 'global'],
      ['/project/.claude/skills', 'project (claude)'],
      ['/home/me/.claude/skills', 'global (claude)'],
      ['/project/.agents/skills', 'project (agents)'],
      ['/home/me/.agents/skills', 'global (agents)'],
    ]);
    expect(new Set(locations.map(({ depth }) => depth))).toEqual(new Set([1]));
    expect(locations[3]?.shownAs).toBe('~/.zot/skills');
    expect(locations[2]?.shownAs).toBe('/project/.zot/skills');
  });

  it('skip what the environment does not name', () => {
    const locations = discoveryLocations([], { cwd: '/project', zotAgentSkills: [] });
    expect(locations.map(({ label }) => label)).toEqual(['project', 'project (claude)', 'project (agents)']);
  });
});

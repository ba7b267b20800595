import { join, resolve } from 'node:path';
import { BUILTIN_SKILLS } from '../../builtins/registry.js';
import { type DiscoveryEnv } from '../../config/discovery-env.js';
import { type SkillwrightOptions } from '../../config/options.js';
import { type Finding, finding } from '../../kernel/finding.js';
import { type Sliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { entryFromHead, type Identity } from './found-skill.js';
import { type CatalogScan, type LocationScan } from './location-scan.js';
import { walkLocation } from './location-walk.service.js';
import { discoveryLocations, serviceLocations, SKILLS_LOCK } from './locations.js';
import { type SkillEntry, type SkillLocation } from './skill-entry.js';
import { parseSkill } from '../format/parse-skill.js';

/** Looks through every location of the configured profile. */
export class CatalogScanner {
  readonly identity: Identity;
  /** Skills served from code; the same objects for the life of the process. */
  readonly builtins: readonly SkillEntry[];

  constructor(
    private readonly options: SkillwrightOptions,
    private readonly files: WorkspaceFiles,
    private readonly env: DiscoveryEnv,
  ) {
    this.identity = options.discovery.profile === 'discovery' ? 'name' : 'slug';
    this.builtins = BUILTIN_SKILLS.map(({ slug, skillMd }) => {
      const head = parseSkill(skillMd, { folderName: slug, limits: options.limits });
      const location: SkillLocation = {
        dir: '',
        label: 'builtin',
        layer: 'builtin',
        depth: 1,
        shownAs: 'builtin',
      };
      const place = { location, folder: slug, dir: '', fileName: 'SKILL.md', slug, canonical: true };
      const entry = entryFromHead(place, head, this.identity);
      return { ...entry, origin: 'builtin', dir: null, filePath: `builtin:${slug}` };
    });
  }

  /**
   * @param previous what the last pass found; unchanged folders are taken over from it
   * @param now milliseconds since the epoch
   */
  *scan(previous: CatalogScan | undefined, now: number): Sliced<CatalogScan> {
    const findings: Finding[] = [];
    const found = this.resolveLocations(findings);
    const roots = found.map(({ realDir }) => realDir);
    const scans: LocationScan[] = [];
    for (const { location, realDir } of found) {
      scans.push(
        yield* walkLocation({
          files: this.files,
          location,
          realDir,
          roots,
          identity: this.identity,
          limits: this.options.limits,
          maxFolders: this.options.discovery.maxFolders,
          now,
          previous: previous?.scans.find(
            (scan) => scan.realDir === realDir && scan.location.layer === location.layer,
          ),
        }),
      );
    }
    return { scans, findings };
  }

  /** Every location of the profile, whether it exists or not. */
  locations(): SkillLocation[] {
    const { discovery, workspace } = this.options;
    if (discovery.profile === 'discovery') {
      return discovery.includeUser ? discoveryLocations(discovery.path, this.env) : [];
    }
    const { cwd } = this.env;
    const lock = join(resolve(cwd, workspace.dir), SKILLS_LOCK);
    return serviceLocations(this.options, { cwd, hasSkillsLock: this.files.kind(lock) === 'file' });
  }

  private resolveLocations(findings: Finding[]): { location: SkillLocation; realDir: string }[] {
    const seen = new Map<string, SkillLocation>();
    const found: { location: SkillLocation; realDir: string }[] = [];
    for (const location of this.locations()) {
      const target = this.files.resolve(location.dir);
      const path = location.shownAs;
      if (target === null) {
        if (isExpected(location)) findings.push(finding('location_missing', { path }));
        continue;
      }
      if (target.kind !== 'folder') {
        findings.push(finding('location_unreadable', { path, hint: 'it is not a folder' }));
        continue;
      }
      const twin = seen.get(target.path);
      if (twin !== undefined) {
        findings.push(finding('location_duplicate', { path, found: twin.shownAs }));
        continue;
      }
      seen.set(target.path, location);
      found.push({ location, realDir: target.path });
    }
    return found;
  }
}

/** Whether somebody named the location or every workspace has it; the others may well not exist. */
function isExpected(location: SkillLocation): boolean {
  return location.label === 'agent' || location.layer === 'workspace' || location.layer === 'bundled';
}

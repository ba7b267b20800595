import { type Finding, finding, quoteFound } from '../../kernel/finding.js';
import { isSettled, sameStamp } from '../../workspace/file-facts.js';
import { containsPath } from '../../workspace/paths.js';
import { type Sliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { type FoundSkill, type Identity } from './found-skill.js';
import { type FolderRecord, type LocationScan } from './location-scan.js';
import { isSearched, skillFileAmong } from './not-part.js';
import { PROJECTION_MANIFEST, projectedFolders } from './projection-manifest.js';
import { type SkillLocation } from './skill-entry.js';
import { type ProbeLimits, type ProbeResult, SkillProbe } from './skill-probe.service.js';

const MANIFEST_BYTES = 1_048_576;

export interface WalkRequest {
  readonly files: WorkspaceFiles;
  readonly location: SkillLocation;
  readonly realDir: string;
  /** Real paths of every location: a linked skill folder must lie in one of them. */
  readonly roots: readonly string[];
  readonly identity: Identity;
  readonly limits: ProbeLimits;
  readonly maxFolders: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly previous: LocationScan | undefined;
}

/**
 * Looks through one location, breadth first and in sorted order, so that limits cut off the deepest folders
 * and the result never depends on the order of names on disk. What an earlier pass saw is only stat-ed.
 */
export function* walkLocation(request: WalkRequest): Sliced<LocationScan> {
  return yield* new LocationWalk(request).run();
}

class LocationWalk {
  private readonly skills = new Map<string, FoundSkill>();
  private readonly folders = new Map<string, FolderRecord>();
  private readonly findings: Finding[] = [];
  private readonly probe: SkillProbe;
  private looked = 0;
  private stoppedAt: string | null = null;
  private tooDeep: string | null = null;

  constructor(private readonly request: WalkRequest) {
    const { files, location, identity, limits, now } = request;
    this.probe = new SkillProbe(files, location, identity, limits, now);
  }

  *run(): Sliced<LocationScan> {
    const { location, realDir } = this.request;
    const queue = [''];
    for (const folder of queue) {
      yield* this.lookThrough(folder, folder === '' ? realDir : `${realDir}/${folder}`, queue);
      if (this.stoppedAt !== null) break;
    }
    yield* this.proveFolders();
    this.reportLimits();
    if (location.depth > 1) this.reportFoldersWithoutSkill();
    const { skills, folders, findings } = this;
    return { location, realDir, skills, folders, findings };
  }

  private *lookThrough(folder: string, dir: string, queue: string[]): Sliced<undefined> {
    const record = this.listFolder(folder, dir);
    if (record === null) return;
    const skip = this.projected(record);
    for (const { name, kind } of record.items) {
      if (!isSearched(name) || skip.has(name)) continue;
      const below = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'link') this.lookAtLink(below, `${dir}/${name}`);
      if (kind !== 'folder') continue;
      if (++this.looked > this.request.maxFolders) {
        this.stoppedAt = below;
        return;
      }
      this.lookAtFolder(below, `${dir}/${name}`, record.settled, queue);
      yield;
    }
    const misplaced = skillFileAmong(
      record.items.flatMap((item) => (item.kind === 'file' ? [item.name] : [])),
    );
    if (misplaced !== null) {
      this.findings.push(finding('skill_md_misplaced', { path: this.shown(folder, misplaced) }));
    }
  }

  private lookAtFolder(folder: string, dir: string, settled: boolean, queue: string[]): void {
    const { location, realDir, previous } = this.request;
    if (folder === 'custom' || this.isKnownContainer(folder, dir)) {
      this.enqueue(folder, queue, true);
      return;
    }
    const result = this.probe.probe(folder, dir, settled ? null : realDir, previous?.skills.get(folder));
    this.keep(folder, result);
    if (result.kind === 'no_skill' && location.depth > 1) this.enqueue(folder, queue, result.hasFolders);
  }

  /**
   * A folder can be swapped for a link only by a change of the folder above it. So files below folders that
   * stand as they were listed were read where they seem to lie; all others are read again with a check each.
   */
  private *proveFolders(): Sliced<undefined> {
    const { files, realDir, previous } = this.request;
    const moved = [...this.folders].filter(([, { dir, stamp, settled }]) => {
      const now = settled ? files.stamp(dir) : null;
      return settled && (stamp === null || now === null || !sameStamp(now, stamp));
    });
    if (moved.length === 0) return;
    for (const [folder, { entry }] of [...this.skills]) {
      const isLink = entry.dir !== `${realDir}/${folder}`;
      if (isLink || !moved.some(([above]) => above === '' || containsPath(above, folder))) continue;
      const result = this.probe.probe(folder, entry.dir, realDir, previous?.skills.get(folder));
      this.skills.delete(folder);
      this.keep(folder, result);
      yield;
    }
  }

  private enqueue(folder: string, queue: string[], hasFolders: boolean): void {
    if (folder.split('/').length < this.request.location.depth) queue.push(folder);
    else if (hasFolders) this.tooDeep ??= folder;
  }

  private keep(folder: string, result: ProbeResult): void {
    if (result.kind === 'skill') this.skills.set(folder, result.found);
    if (result.kind === 'bad_slug') {
      this.findings.push(
        finding('slug_invalid', {
          path: this.shown(folder),
          found: quoteFound(folder),
          hint: `the folder needs another name: ${result.because}`,
        }),
      );
    }
  }

  private lookAtLink(folder: string, path: string): void {
    const { files, roots, previous } = this.request;
    const target = files.resolve(path);
    if (target === null) {
      this.findings.push(finding('link_dangling', { path: this.shown(folder) }));
      return;
    }
    const allowed = target.kind === 'folder' && roots.some((root) => containsPath(root, target.path));
    const result = allowed
      ? this.probe.probe(folder, target.path, target.path, previous?.skills.get(folder))
      : null;
    if (result === null || result.kind === 'no_skill') {
      const hint = allowed
        ? 'only a link to a folder that directly holds a SKILL.md is followed'
        : 'only a link to a skill folder in a configured location is followed';
      this.findings.push(finding('link_refused', { path: this.shown(folder), hint }));
    } else {
      this.keep(folder, result);
    }
  }

  /** Unchanged since it was listed, so still without a SKILL.md: spares the failing open. */
  private isKnownContainer(folder: string, dir: string): boolean {
    const record = this.request.previous?.folders.get(folder);
    if (record === undefined || record.stamp === null || !record.settled) return false;
    const stamp = this.request.files.stamp(dir);
    return stamp !== null && sameStamp(stamp, record.stamp);
  }

  private listFolder(folder: string, dir: string): FolderRecord | null {
    const record = this.readFolder(folder, dir);
    if (record === null) return null;
    this.folders.set(folder, record);
    const path = this.shown(folder);
    for (const name of record.unreadableNames) {
      this.findings.push(finding('file_name_unreadable', { path, found: quoteFound(name) }));
    }
    if (record.unreadable !== null) {
      const code = folder === '' ? 'location_unreadable' : 'folder_unreadable';
      this.findings.push(finding(code, { path, hint: record.unreadable }));
    }
    return record;
  }

  private readFolder(folder: string, dir: string): FolderRecord | null {
    const { files, previous, now } = this.request;
    const known = previous?.folders.get(folder);
    // Before listing: a name added in between makes the next pass list again.
    const stamp = files.stamp(dir);
    if (known?.settled === true && known.stamp && stamp && sameStamp(stamp, known.stamp)) return known;
    const listing = files.list(dir);
    if (listing.kind === 'missing') return null;
    if (listing.kind === 'unreadable') {
      // For a moment or for long: what lay here is not forgotten because it cannot be seen.
      const { items, unreadableNames } = known ?? { items: [], unreadableNames: [] };
      return { dir, stamp: null, settled: false, items, unreadableNames, unreadable: listing.because };
    }
    const settled = stamp !== null && isSettled(stamp, now);
    const { items, unreadableNames } = listing;
    return { dir, stamp, settled, items, unreadableNames, unreadable: null };
  }

  private projected(record: FolderRecord): ReadonlySet<string> {
    const manifest = record.items.some((item) => item.name === PROJECTION_MANIFEST && item.kind === 'file');
    if (!manifest) return new Set();
    const read = this.request.files.readFile(record.dir, PROJECTION_MANIFEST, { maxBytes: MANIFEST_BYTES });
    return read.kind === 'ok' ? projectedFolders(read.bytes.toString('utf8')) : new Set();
  }

  private reportLimits(): void {
    const { maxFolders, location } = this.request;
    if (this.stoppedAt !== null) {
      const hint = `stopped after ${maxFolders} folders; discovery.maxFolders raises the limit`;
      this.findings.push(finding('walk_limit', { path: this.shown(this.stoppedAt), hint }));
    }
    if (this.tooDeep !== null && location.depth > 1) {
      const hint = `not deeper than ${location.depth} folders; discovery.maxDepth raises the limit`;
      this.findings.push(finding('walk_limit', { path: this.shown(this.tooDeep), hint }));
    }
  }

  /** One remark for a whole tree without a skill, not one for each folder in it. */
  private reportFoldersWithoutSkill(): void {
    const used = new Set<string>();
    for (const folder of this.skills.keys()) {
      for (let end = folder.indexOf('/'); end > 0; end = folder.indexOf('/', end + 1)) {
        used.add(folder.slice(0, end));
      }
    }
    for (const folder of this.folders.keys()) {
      const top = folder !== '' && (!folder.includes('/') || /^custom\/[^/]+$/.test(folder));
      if (top && folder !== 'custom' && !used.has(folder)) {
        this.findings.push(finding('skill_md_missing', { path: this.shown(folder) }));
      }
    }
  }

  private shown(...below: string[]): string {
    return [this.request.location.shownAs, ...below].filter((part) => part !== '').join('/');
  }
}

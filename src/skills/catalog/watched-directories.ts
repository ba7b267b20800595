import { dirname } from 'node:path';
import { type LocationScan } from '../discovery/location-scan.js';
import { type SkillEntry, type SkillLocation } from '../discovery/skill-entry.js';

/** Every directory whose entries may change what a scan finds or what a digest covers. */
export function watchedDirectories(
  locations: readonly SkillLocation[],
  scans: readonly LocationScan[],
  foldersOf: (entry: SkillEntry) => readonly string[],
): ReadonlySet<string> {
  const dirs = new Set<string>();
  for (const { dir, layer } of locations) {
    // Where a location would appear, and where the lock file lies that makes another one count.
    const isThere = scans.some((scan) => scan.location.dir === dir);
    if (!isThere || layer === 'workspace') dirs.add(dirname(dir));
  }
  for (const { folders, skills } of scans) {
    for (const { dir } of folders.values()) dirs.add(dir);
    for (const { entry } of skills.values()) {
      if (entry.dir !== null) dirs.add(entry.dir);
      for (const dir of foldersOf(entry)) dirs.add(dir);
    }
  }
  return dirs;
}

import { type Sliced } from '../../workspace/time-slices.js';
import { type FoundSkill } from '../discovery/found-skill.js';
import { type CatalogScan, type LocationScan } from '../discovery/location-scan.js';
import { type SkillEntry } from '../discovery/skill-entry.js';
import { type SkillContents } from './skill-contents.service.js';

/**
 * Makes entries of a new pass agree with contents that were read before it. A skill whose digest somebody
 * knows keeps its entry exactly as long as that digest holds: a changed script changes the entry, a touched
 * file does not.
 */
export function* carryContents(
  scan: CatalogScan,
  previous: CatalogScan,
  contents: SkillContents,
): Sliced<CatalogScan> {
  const scans: LocationScan[] = [];
  for (const location of scan.scans) {
    const before = previous.scans.find((earlier) => earlier.realDir === location.realDir);
    scans.push(before === undefined ? location : yield* carryLocation(location, before, contents));
  }
  return { ...scan, scans };
}

function* carryLocation(
  scan: LocationScan,
  before: LocationScan,
  contents: SkillContents,
): Sliced<LocationScan> {
  const replaced: [string, FoundSkill][] = [];
  for (const [folder, found] of scan.skills) {
    const earlier = before.skills.get(folder);
    if (earlier === undefined || !contents.has(earlier.entry)) continue;
    const entry = yield* carryEntry(found, earlier, contents);
    if (entry !== found.entry) replaced.push([folder, { ...found, entry }]);
  }
  return replaced.length === 0 ? scan : { ...scan, skills: new Map([...scan.skills, ...replaced]) };
}

function* carryEntry(found: FoundSkill, earlier: FoundSkill, contents: SkillContents): Sliced<SkillEntry> {
  if (found.held !== null) {
    // The folder is in between two states: what was read before stands in for it.
    if (found.entry !== earlier.entry) contents.share(earlier.entry, found.entry);
    return found.entry;
  }
  const looksTheSame =
    found.entry === earlier.entry || JSON.stringify(found.entry) === JSON.stringify(earlier.entry);
  if (!looksTheSame) return found.entry;
  if (yield* contents.isCurrent(earlier.entry)) return earlier.entry;
  return found.entry === earlier.entry ? { ...found.entry } : found.entry;
}

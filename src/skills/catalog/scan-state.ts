import { type CatalogScan } from '../discovery/location-scan.js';

// A file that cannot be read for longer than this is left to the regular pass.
const RECHECK_FOR_MS = 10_000;

/** Whether two passes saw the same. */
export function isSameScan(before: CatalogScan, after: CatalogScan): boolean {
  if (before.scans.length !== after.scans.length) return false;
  if (JSON.stringify(before.findings) !== JSON.stringify(after.findings)) return false;
  return after.scans.every((scan, at) => {
    const earlier = before.scans[at];
    if (earlier?.realDir !== scan.realDir || earlier.skills.size !== scan.skills.size) return false;
    for (const [folder, found] of scan.skills) {
      if (earlier.skills.get(folder)?.entry !== found.entry) return false;
    }
    return JSON.stringify(earlier.findings) === JSON.stringify(scan.findings);
  });
}

/** Whether some file is in between two states, so that another look is due soon. */
export function isUnsettled(scan: CatalogScan, now: number): boolean {
  const skills = scan.scans.flatMap((location) => Array.from(location.skills.values()));
  return skills.some(({ held, stamp, settled, entry }) =>
    held === null ? entry.version === 0 && stamp !== null && !settled : now - held.since < RECHECK_FOR_MS,
  );
}

import { z } from 'zod';

/** Lies in a folder of skills and names the ones that were copied there from a catalogue. */
export const PROJECTION_MANIFEST = '.skillwright-projection.json';

const manifestSchema = z.object({ skills: z.record(z.string(), z.unknown()) });

/** Folder names of projected skills: copies, so discovery leaves them out. Empty for anything else. */
export function projectedFolders(json: string): ReadonlySet<string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return new Set();
  }
  const manifest = manifestSchema.safeParse(parsed);
  return new Set(manifest.success ? Object.keys(manifest.data.skills) : []);
}

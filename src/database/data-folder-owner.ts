import { z } from 'zod';

const ownerSchema = z.object({ url: z.string().nullable(), pid: z.number().int() });

/** Who owns a data folder. `url` is null until the owner listens. */
export type DataFolderOwner = z.output<typeof ownerSchema>;

export function writeOwner(owner: DataFolderOwner): string {
  return `${JSON.stringify({ url: owner.url, pid: owner.pid })}\n`;
}

/** Null when the line is not an answer of ours. */
export function readOwner(line: string): DataFolderOwner | null {
  try {
    return ownerSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

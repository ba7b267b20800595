import { z } from 'zod';

const ownerSchema = z.object({
  url: z.string().nullable(),
  pid: z.number().int(),
  workspace: z.string().optional(),
});

/**
 * Who owns a data folder. `url` is null until the owner listens; `workspace` is the absolute folder that it
 * serves, so that a command for another workspace does not ask it.
 */
export type DataFolderOwner = z.output<typeof ownerSchema>;

export function writeOwner(owner: DataFolderOwner): string {
  return `${JSON.stringify({ url: owner.url, pid: owner.pid, workspace: owner.workspace })}\n`;
}

/** Null when the line is not an answer of ours. */
export function readOwner(line: string): DataFolderOwner | null {
  try {
    return ownerSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

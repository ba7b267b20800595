import { z } from 'zod';

/** What the marker file of a workspace says. */
export interface WorkspaceMarker {
  readonly id: string;
  /** Of the folder that it was made for, decimal. */
  readonly dev: string;
  readonly ino: string;
  /** Hash of the machine's id. */
  readonly machine: string;
}

const number = z.string().regex(/^[0-9]{1,20}$/);
const schema = z.looseObject({ id: z.uuid(), dev: number, ino: number, machine: z.string().min(1).max(100) });

/** @returns null when the text is no marker of ours */
export function parseMarker(text: string): WorkspaceMarker | null {
  try {
    const { id, dev, ino, machine } = schema.parse(JSON.parse(text));
    return { id, dev, ino, machine };
  } catch {
    return null;
  }
}

export function renderMarker(marker: WorkspaceMarker): string {
  return `${JSON.stringify(marker, null, 2)}\n`;
}

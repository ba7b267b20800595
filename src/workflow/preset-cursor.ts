import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { type Preset } from './preset.js';

type Place = Pick<Preset, 'id' | 'created_at'>;

const placeSchema = z.tuple([z.iso.datetime(), z.guid()]);

/** The place after a preset in the list, as opaque text. */
export function writePresetCursor({ created_at, id }: Place): string {
  return Buffer.from(JSON.stringify([created_at, id])).toString('base64url');
}

/** @throws SkillwrightError `bad_request` */
export function readPresetCursor(cursor: string): Place {
  try {
    const [created_at, id] = placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { created_at, id };
  } catch (cause) {
    throw new SkillwrightError('bad_request', { detail: 'the cursor is not one that we gave' }, { cause });
  }
}

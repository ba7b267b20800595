import { type ArchiveRefusal, refuseArchive } from './archive-limits.js';

/** The records of a zip file as they stand in it; nothing here judges what they mean. */

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 0xffff;
/** In a size, offset or count it says that the real number stands in a zip64 record. */
export const ZIP64_MARK = 0xffffffff;

export interface EndRecord {
  readonly kind: 'end';
  readonly offset: number;
  readonly entries: number;
  readonly directoryOffset: number;
}

/**
 * The record at the end of the file. Readers differ in which they take when there are two, so there must be one.
 */
export function readEndRecord(bytes: Buffer): EndRecord | ArchiveRefusal {
  const offset = findEnd(bytes);
  if (typeof offset !== 'number') return offset;
  const comment = bytes.subarray(offset + END_BYTES);
  if (holdsSignature(comment))
    return refuseArchive('archive_invalid', 'its comment holds a record of a zip file');
  const entries = bytes.readUInt16LE(offset + 10);
  const directoryBytes = bytes.readUInt32LE(offset + 12);
  const directoryOffset = bytes.readUInt32LE(offset + 16);
  if (entries === 0xffff || directoryBytes === ZIP64_MARK || directoryOffset === ZIP64_MARK) {
    return entries === 0xffff
      ? refuseArchive('archive_too_many_entries', 'it has 65,535 entries or more')
      : refuseArchive('archive_unsupported', 'it is a zip64 archive');
  }
  if (bytes.readUInt16LE(offset + 4) !== 0 || bytes.readUInt16LE(offset + 6) !== 0) {
    return refuseArchive('archive_unsupported', 'it is one part of a split archive');
  }
  if (bytes.readUInt16LE(offset + 8) !== entries) {
    return refuseArchive('archive_invalid', 'its two counts of entries differ');
  }
  if (directoryOffset + directoryBytes !== offset) {
    return refuseArchive('archive_invalid', 'its directory does not end where the end record begins');
  }
  return { kind: 'end', offset, entries, directoryOffset };
}

function findEnd(bytes: Buffer): number | ArchiveRefusal {
  const found: number[] = [];
  const lowest = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT);
  for (let at = bytes.length - END_BYTES; at >= lowest; at -= 1) {
    if (bytes.readUInt32LE(at) !== END) continue;
    if (at + END_BYTES + bytes.readUInt16LE(at + 20) === bytes.length) found.push(at);
  }
  const [offset, second] = found;
  if (second !== undefined) return refuseArchive('archive_invalid', 'it has two end records');
  return (
    offset ?? refuseArchive('archive_invalid', 'it is no zip file, or it is cut or followed by other bytes')
  );
}

/** Any two bytes `PK` followed by the number of a record. */
function holdsSignature(bytes: Buffer): boolean {
  for (let at = bytes.indexOf('PK'); at >= 0; at = bytes.indexOf('PK', at + 1)) {
    const [third = 0xff, fourth = 0xff] = bytes.subarray(at + 2, at + 4);
    if (third < 8 && fourth < 9) return true;
  }
  return false;
}

/** What directory and local header both say of an entry. */
export interface EntryFacts {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly rawName: Buffer;
  readonly extra: Buffer;
}

export interface CentralEntry extends EntryFacts {
  /** Unix mode and type, 0 when the writer knew none. */
  readonly unixMode: number;
  readonly offset: number;
}

/** Every entry of the directory; the count was bounded before. */
export function readDirectory(bytes: Buffer, end: EndRecord): readonly CentralEntry[] | ArchiveRefusal {
  const entries: CentralEntry[] = [];
  let at = end.directoryOffset;
  for (let index = 0; index < end.entries; index += 1) {
    if (at + CENTRAL_BYTES > end.offset || bytes.readUInt32LE(at) !== CENTRAL) {
      return refuseArchive('archive_invalid', `entry ${index + 1} of its directory is damaged`);
    }
    const nameBytes = bytes.readUInt16LE(at + 28);
    const extraBytes = bytes.readUInt16LE(at + 30);
    const next = at + CENTRAL_BYTES + nameBytes + extraBytes + bytes.readUInt16LE(at + 32);
    if (next > end.offset) return refuseArchive('archive_invalid', 'its directory is cut');
    if (bytes.readUInt16LE(at + 34) !== 0) {
      return refuseArchive('archive_unsupported', 'it is one part of a split archive');
    }
    const name = at + CENTRAL_BYTES;
    entries.push({
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      rawName: bytes.subarray(name, name + nameBytes),
      extra: bytes.subarray(name + nameBytes, name + nameBytes + extraBytes),
      unixMode: bytes.readUInt16LE(at + 40),
      offset: bytes.readUInt32LE(at + 42),
    });
    at = next;
  }
  return at === end.offset
    ? entries
    : refuseArchive('archive_invalid', 'its directory holds more than its entries');
}

export interface LocalHeader extends EntryFacts {
  /** Where the packed bytes begin. */
  readonly dataOffset: number;
}

/** Null when there is no header at this place. */
export function readLocalHeader(bytes: Buffer, at: number, limit: number): LocalHeader | null {
  if (at + LOCAL_BYTES > limit || bytes.readUInt32LE(at) !== LOCAL) return null;
  const name = at + LOCAL_BYTES;
  const nameEnd = name + bytes.readUInt16LE(at + 26);
  const dataOffset = nameEnd + bytes.readUInt16LE(at + 28);
  if (dataOffset > limit) return null;
  return {
    flags: bytes.readUInt16LE(at + 6),
    method: bytes.readUInt16LE(at + 8),
    crc: bytes.readUInt32LE(at + 14),
    packed: bytes.readUInt32LE(at + 18),
    size: bytes.readUInt32LE(at + 22),
    rawName: bytes.subarray(name, nameEnd),
    extra: bytes.subarray(nameEnd, dataOffset),
    dataOffset,
  };
}

/** Extra field: id -> data; null when it is not a row of fields. */
export function readExtra(extra: Buffer): ReadonlyMap<number, Buffer> | null {
  const fields = new Map<number, Buffer>();
  let at = 0;
  while (at < extra.length) {
    if (at + 4 > extra.length) return null;
    const next = at + 4 + extra.readUInt16LE(at + 2);
    if (next > extra.length) return null;
    fields.set(extra.readUInt16LE(at), extra.subarray(at + 4, next));
    at = next;
  }
  return fields;
}

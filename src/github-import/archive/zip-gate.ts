import {
  type ArchiveLimits,
  type ArchiveMember,
  type ArchiveRefusal,
  refuseArchive,
} from './archive-limits.js';
import { MemberPaths } from './member-paths.js';
import {
  type CentralEntry,
  type LocalHeader,
  readDirectory,
  readEndRecord,
  readExtra,
  readLocalHeader,
  ZIP64_MARK,
} from './zip-records.js';

/** Where the packed bytes of a member lie. */
export interface ZipMember extends ArchiveMember {
  readonly method: 0 | 8;
  readonly crc: number;
  readonly start: number;
  readonly end: number;
}

export type ZipGate = { readonly kind: 'ok'; readonly members: readonly ZipMember[] } | ArchiveRefusal;

const ENCRYPTED = 0x2041; // bits 0, 6 and 13
const DESCRIPTOR = 0x0008;
const PATCHED = 0x0020;
const UNICODE_PATH = 0x7075;
const ZIP64_EXTRA = 0x0001;
const TYPE = 0o170000;
const FILE = 0o100000;
const FOLDER = 0o040000;
/** A ratio says nothing about small files, which are often mostly repetition. */
const RATIO_FROM_BYTES = 1_048_576;
const MAX_RATIO = 200;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Judges a whole zip file by its records, before any byte is inflated. What two readers could understand in two ways
 * is refused: both headers of an entry are equal, entries lie side by side from the first byte to the directory, and
 * there is one end record.
 */
export function judgeZip(bytes: Buffer, limits: ArchiveLimits): ZipGate {
  const end = readEndRecord(bytes);
  if (end.kind === 'refused') return end;
  if (end.entries > limits.entries) {
    return refuseArchive(
      'archive_too_many_entries',
      `it has ${end.entries} entries; ${limits.entries} are allowed`,
    );
  }
  const entries = readDirectory(bytes, end);
  if ('kind' in entries) return entries;
  const members: ZipMember[] = [];
  const paths = new MemberPaths();
  const named: { readonly entry: CentralEntry; readonly name: string }[] = [];
  for (const entry of entries) {
    const name = decodeName(entry);
    if (typeof name !== 'string') return name;
    const refusal = judgeEntry(entry, name, paths);
    if (refusal !== null) return refusal;
    named.push({ entry, name });
  }
  const tooLarge = judgeSizes(entries, limits);
  if (tooLarge !== null) return tooLarge;
  let next = 0;
  for (const { entry, name } of named.sort((a, b) => a.entry.offset - b.entry.offset)) {
    const header = readLocalHeader(bytes, entry.offset, end.directoryOffset);
    if (header === null || entry.offset !== next) {
      return refuseArchive('archive_invalid', 'its entries overlap or leave gaps', name);
    }
    const difference = compareHeaders(entry, header);
    if (difference !== null) return refuseArchive('archive_invalid', difference, name);
    const dataEnd = header.dataOffset + entry.packed;
    const after = dataEnd + descriptorBytes(bytes, entry, dataEnd, end.directoryOffset);
    if (Number.isNaN(after) || after > end.directoryOffset) {
      return refuseArchive('archive_invalid', 'its packed bytes do not end where they should', name);
    }
    next = after;
    if (!isFolder(name)) members.push(memberOf(entry, name, header.dataOffset, dataEnd));
  }
  return next === end.directoryOffset
    ? { kind: 'ok', members }
    : refuseArchive('archive_invalid', 'bytes lie between its entries and its directory');
}

/** Strict UTF-8, also where the flag for it is missing: several tools write it so. */
function decodeName({ rawName, extra }: CentralEntry): string | ArchiveRefusal {
  let name: string;
  try {
    name = UTF8.decode(rawName);
  } catch {
    return refuseArchive('archive_path_unsafe', 'its name is not UTF-8', rawName.toString('latin1'));
  }
  const fields = readExtra(extra);
  if (fields === null) return refuseArchive('archive_invalid', 'its extra field is damaged', name);
  if (fields.has(ZIP64_EXTRA)) return refuseArchive('archive_unsupported', 'it is a zip64 entry', name);
  // Version, checksum of the plain name, then a name that some readers prefer to the plain one.
  const other = fields.get(UNICODE_PATH)?.subarray(5);
  if (other !== undefined && !other.equals(rawName)) {
    return refuseArchive('archive_invalid', 'it carries a second, different name', name);
  }
  return name;
}

function judgeEntry(entry: CentralEntry, name: string, paths: MemberPaths): ArchiveRefusal | null {
  const path = paths.add(name, isFolder(name));
  if (path.kind === 'refused') return path;
  const type = entry.unixMode & TYPE;
  if (type !== 0 && type !== FILE && type !== FOLDER) {
    return refuseArchive('archive_entry_type', 'it is a link or a special file', name);
  }
  if (type === FOLDER && !isFolder(name)) {
    return refuseArchive(
      'archive_invalid',
      'it says that it is a folder, but its name is that of a file',
      name,
    );
  }
  if (type === FILE && isFolder(name)) {
    return refuseArchive(
      'archive_invalid',
      'it says that it is a file, but its name is that of a folder',
      name,
    );
  }
  if ((entry.flags & ENCRYPTED) !== 0) return refuseArchive('archive_encrypted', 'it is encrypted', name);
  if ((entry.flags & PATCHED) !== 0 || (entry.method !== 0 && entry.method !== 8)) {
    return refuseArchive('archive_unsupported', `it is packed by method ${entry.method}`, name);
  }
  const isPackedFolder = isFolder(name) && entry.size !== 0;
  return isPackedFolder ? refuseArchive('archive_invalid', 'it is a folder that holds bytes', name) : null;
}

function isFolder(name: string): boolean {
  return name.endsWith('/') || name.endsWith('\\');
}

function judgeSizes(entries: readonly CentralEntry[], limits: ArchiveLimits): ArchiveRefusal | null {
  let total = 0;
  for (const { size, packed, rawName } of entries) {
    const name = rawName.toString();
    total += size;
    if (size > limits.fileBytes) {
      const most = `a file may have ${limits.fileBytes} bytes`;
      return refuseArchive('archive_too_large', `it unpacks to ${size} bytes; ${most}`, name);
    }
    if (size > RATIO_FROM_BYTES && size > packed * MAX_RATIO) {
      const most = `${MAX_RATIO} times is allowed`;
      return refuseArchive(
        'archive_too_large',
        `it is packed ${Math.round(size / packed)} times; ${most}`,
        name,
      );
    }
    if (total > limits.totalBytes) {
      return refuseArchive('archive_too_large', `it unpacks to more than ${limits.totalBytes} bytes`);
    }
    if (packed === ZIP64_MARK) return refuseArchive('archive_unsupported', 'it is a zip64 entry', name);
  }
  return null;
}

/** Null when the local header says the same; with a descriptor, its sizes may stand behind the data only. */
function compareHeaders(central: CentralEntry, local: LocalHeader): string | null {
  if (!central.rawName.equals(local.rawName)) return 'its two headers name it differently';
  if (central.flags !== local.flags || central.method !== local.method) {
    return 'its two headers say differently how it is packed';
  }
  const fields = readExtra(local.extra);
  if (fields === null) return 'its extra field is damaged';
  if (fields.has(ZIP64_EXTRA)) return 'its local header is one of zip64';
  const other = fields.get(UNICODE_PATH)?.subarray(5);
  if (other !== undefined && !other.equals(local.rawName)) return 'it carries a second, different name';
  const later =
    (central.flags & DESCRIPTOR) !== 0 && local.crc === 0 && local.packed === 0 && local.size === 0;
  const equal = central.crc === local.crc && central.packed === local.packed && central.size === local.size;
  return later || equal ? null : 'its two headers differ in size or checksum';
}

/** Bytes of the data descriptor behind the data; `NaN` when it is needed and not there. */
function descriptorBytes(bytes: Buffer, entry: CentralEntry, at: number, limit: number): number {
  if ((entry.flags & DESCRIPTOR) === 0) return 0;
  for (const signature of [4, 0]) {
    if (at + signature + 12 > limit) continue;
    if (signature === 4 && bytes.readUInt32LE(at) !== 0x08074b50) continue;
    const [crc, packed, size] = [0, 4, 8].map((field) => bytes.readUInt32LE(at + signature + field));
    if (crc === entry.crc && packed === entry.packed && size === entry.size) return signature + 12;
  }
  return Number.NaN;
}

function memberOf(entry: CentralEntry, name: string, start: number, end: number): ZipMember {
  return {
    path: name.replaceAll('\\', '/'),
    size: entry.size,
    mode: (entry.unixMode & 0o111) === 0 ? '0644' : '0755',
    method: entry.method === 0 ? 0 : 8,
    crc: entry.crc,
    start,
    end,
  };
}

import { type ErrorCode } from '../../kernel/errors.js';

/** What an archive may hold, in bytes and entries; judged before anything is unpacked. */
export interface ArchiveLimits {
  /** Folders count. */
  readonly entries: number;
  /** Of one file, unpacked. */
  readonly fileBytes: number;
  /** Of all files together, unpacked. */
  readonly totalBytes: number;
}

/** Why an archive is refused, and where. */
export interface ArchiveRefusal {
  readonly kind: 'refused';
  readonly code: Extract<ErrorCode, `archive_${string}`>;
  /** One clause: "it is encrypted". */
  readonly because: string;
  /** The entry it is about, as written in the archive. */
  readonly entry?: string;
}

export function refuseArchive(code: ArchiveRefusal['code'], because: string, entry?: string): ArchiveRefusal {
  return { kind: 'refused', code, because, ...(entry !== undefined && { entry }) };
}

/** One file of an archive, judged and not yet unpacked. */
export interface ArchiveMember {
  /** Safe, relative, with `/`. */
  readonly path: string;
  /** Bytes when unpacked, as the archive says. */
  readonly size: number;
  readonly mode: '0644' | '0755';
}

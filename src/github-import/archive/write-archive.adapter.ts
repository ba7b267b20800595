import { gzipSync } from 'node:zlib';
import AdmZip from 'adm-zip';
import { type PackedFile, writeTar } from './tar-writer.js';

export const ARCHIVE_FORMATS = ['zip', 'skill', 'tar.gz'] as const;
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

export const MEDIA_TYPES: Readonly<Record<ArchiveFormat, string>> = {
  zip: 'application/zip',
  skill: 'application/zip',
  'tar.gz': 'application/gzip',
};

/** The first moment that a zip file can say, by the clock that it says it in. */
const NO_TIME = new Date(1980, 0, 1);

/** Packs files in this order; the same files give the same bytes. A `.skill` file is a zip file. */
export function writeArchive(files: readonly PackedFile[], format: ArchiveFormat): Buffer {
  if (format === 'tar.gz') return gzipSync(writeTar(files));
  const zip = new AdmZip({ noSort: true });
  for (const { path, mode, bytes } of files) {
    const entry = zip.addFile(path, bytes, '', Number.parseInt(mode, 8));
    entry.header.time = NO_TIME;
  }
  return zip.toBuffer();
}

import { SkillwrightError } from '../../kernel/errors.js';
import { type ArchiveLimits } from './archive-limits.js';
import { type OpenedArchive } from './opened-archive.js';
import { openTarGzip } from './tar-gzip.adapter.js';
import { openZip } from './zip.adapter.js';

/**
 * Opens a zip, `.skill` or tar.gz by what its bytes say; its name is not asked.
 *
 * @throws SkillwrightError `archive_*`
 */
export async function openArchive(bytes: Buffer, limits: ArchiveLimits): Promise<OpenedArchive> {
  if (bytes.length === 0) throw new SkillwrightError('archive_invalid', { detail: 'the archive is empty' });
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return openTarGzip(bytes, limits);
  return openZip(bytes, limits);
}

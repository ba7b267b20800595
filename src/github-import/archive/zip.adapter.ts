import { crc32, inflateRawSync } from 'node:zlib';
import { type ArchiveLimits, refuseArchive } from './archive-limits.js';
import { archiveError, type OpenedArchive } from './opened-archive.js';
import { judgeZip, type ZipMember } from './zip-gate.js';

/**
 * Opens a zip file in memory. No zip library is asked: none judges what `judgeZip` does, and inflating is ten lines.
 *
 * @throws SkillwrightError `archive_*`
 */
export function openZip(bytes: Buffer, limits: ArchiveLimits): OpenedArchive {
  const gate = judgeZip(bytes, limits);
  if (gate.kind === 'refused') throw archiveError(gate);
  const byPath = new Map(gate.members.map((member) => [member.path, member]));
  return {
    members: gate.members,
    read(path) {
      const member = byPath.get(path);
      if (member === undefined) throw new TypeError(`the archive has no member ${path}`);
      return unpack(bytes.subarray(member.start, member.end), member);
    },
  };
}

function unpack(packed: Buffer, member: ZipMember): Buffer {
  const bytes = member.method === 0 ? packed : inflate(packed, member);
  if (bytes === null || bytes.length !== member.size || crc32(bytes) !== member.crc) {
    const because = 'its bytes are damaged, or not as many as it says';
    throw archiveError(refuseArchive('archive_invalid', because, member.path));
  }
  return bytes;
}

/** Null when more comes out than was declared, when it is no deflate stream, or when bytes follow the stream. */
function inflate(packed: Buffer, { size }: ZipMember): Buffer | null {
  try {
    // Zero is no length for zlib; a byte too many is noticed by the caller.
    const result = inflateRawSync(packed, { maxOutputLength: Math.max(1, size), info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return result.engine.bytesWritten === packed.length ? result.buffer : null;
  } catch {
    return null;
  }
}

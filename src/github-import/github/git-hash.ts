import { createHash } from 'node:crypto';

/** The name that git gives to the bytes of a file: SHA-1, or SHA-256 where the repository uses it. */
export function gitBlobHash(bytes: Buffer, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[a-z0-9.-]+ [^\n]*\n)*oid sha256:[0-9a-f]{64}\nsize \d+\n?$/;

/** Whether the whole file is a Git LFS pointer, which stands where the file should be. */
export function isLfsPointer(bytes: Buffer): boolean {
  return bytes.length < 1024 && POINTER.test(bytes.toString('latin1'));
}

/** One header block of a tar file, as it stands there. */
export interface TarHeader {
  readonly name: string;
  /** Octal mode bits. */
  readonly mode: number;
  /** Bytes that follow, before padding. */
  readonly size: number;
  /** One character: `0` file, `5` folder, `x` and `g` extended headers, `L` a long name, … */
  readonly type: string;
}

export const BLOCK = 512;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null for the block of zeros that ends a tar file; a text when the block is no header. */
export function readTarHeader(block: Buffer): TarHeader | null | string {
  if (block.every((byte) => byte === 0)) return null;
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (readOctal(block, 148, 8) !== sum) return 'a header has a wrong checksum';
  const size = readOctal(block, 124, 12);
  const mode = readOctal(block, 100, 8);
  if (size === null) return 'a header has a size that cannot be read';
  const name = readText(block, 0, 100);
  const isPosix = block.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isPosix ? readText(block, 345, 155) : '';
  if (name === null || prefix === null) return 'a name is not UTF-8';
  const type = block.toString('latin1', 156, 157);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    mode: mode ?? 0,
    size,
    type: type === '\0' || type === '7' ? '0' : type,
  };
}

/** The keys of an extended header that say something of the entry behind it; a text when it is damaged. */
export function readPax(bytes: Buffer): { path?: string; size?: number } | string {
  const facts: { path?: string; size?: number } = {};
  let at = 0;
  while (at < bytes.length) {
    const blank = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString('latin1', at, blank));
    const end = at + length;
    if (
      blank < 0 ||
      !Number.isInteger(length) ||
      end > bytes.length ||
      bytes[end - 1] !== 0x0a ||
      end <= blank
    ) {
      return 'an extended header is damaged';
    }
    const equals = bytes.indexOf(0x3d, blank);
    if (equals < 0 || equals >= end) return 'an extended header is damaged';
    const key = bytes.toString('latin1', blank + 1, equals);
    const value = decode(bytes.subarray(equals + 1, end - 1));
    if (key.startsWith('GNU.sparse')) return 'it holds a sparse file';
    if (key === 'path') {
      if (value === null) return 'a name is not UTF-8';
      facts.path = value;
    }
    if (key === 'size') {
      if (value === null || !/^\d{1,15}$/.test(value)) return 'a header has a size that cannot be read';
      facts.size = Number(value);
    }
    at = end;
  }
  return facts;
}

/** The text up to the first NUL; null when it is not UTF-8. */
export function readText(bytes: Buffer, at = 0, length = bytes.length): string | null {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return decode(end < 0 ? field : field.subarray(0, end));
}

function decode(bytes: Buffer): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}

/** Octal digits with blanks or NUL around; null for anything else, binary sizes of large files too. */
function readOctal(block: Buffer, at: number, length: number): number | null {
  const text = block
    .toString('latin1', at, at + length)
    .replace(/[\0 ]+$/, '')
    .trimStart();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : text === '' ? 0 : null;
}

import { BLOCK } from './tar-header.js';

export interface PackedFile {
  /** Relative, safe, with `/`. */
  readonly path: string;
  readonly mode: '0644' | '0755';
  readonly bytes: Buffer;
}

/** A tar file of files in this order; the same files give the same bytes. */
export function writeTar(files: readonly PackedFile[]): Buffer {
  const blocks = files.flatMap(({ path, mode, bytes }) => {
    const short = Buffer.byteLength(path) <= 100;
    const name = short ? path : 'long-name';
    return [
      ...(short ? [] : entry('PaxHeader', 'x', '0644', paxPath(path))),
      ...entry(name, '0', mode, bytes),
    ];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function entry(name: string, type: string, mode: string, bytes: Buffer): Buffer[] {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write(`000${mode}\0`, 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}

/** The length of the record counts its own digits. */
function paxPath(path: string): Buffer {
  const rest = ` path=${path}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (Buffer.byteLength(`${length}${rest}`) !== length) length += 1;
  return Buffer.from(`${length}${rest}`);
}

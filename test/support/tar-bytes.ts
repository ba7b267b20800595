import { gzipSync } from 'node:zlib';

export interface TarEntry {
  readonly name: string;
  readonly data?: string | Buffer;
  readonly mode?: number;
  /** One character, `0` for a file. */
  readonly type?: string;
  readonly linkName?: string;
  /** What the header says in place of the true size. */
  readonly size?: number;
  readonly checksum?: number;
}

/** A tar file byte by byte. */
export function tarOf(entries: readonly TarEntry[], tail: Buffer = Buffer.alloc(1024)): Buffer {
  return Buffer.concat([...entries.map(entryOf), tail]);
}

export function tarGzipOf(entries: readonly TarEntry[], tail?: Buffer): Buffer {
  return gzipSync(tarOf(entries, tail));
}

/** An extended header that renames the entry behind it. */
export function paxPath(path: string): TarEntry {
  const record = (length: number): string => `${length} path=${path}\n`;
  let length = Buffer.byteLength(record(0));
  while (Buffer.byteLength(record(length)) !== length) length = Buffer.byteLength(record(length));
  return { name: 'PaxHeader', type: 'x', data: record(length) };
}

function entryOf({
  name,
  data = '',
  mode = 0o644,
  type = '0',
  linkName = '',
  size,
  checksum,
}: TarEntry): Buffer {
  const body = Buffer.from(data as string);
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  header.write(`${(size ?? body.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(linkName, 157);
  header.write('ustar\x0000', 257);
  const sum = checksum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

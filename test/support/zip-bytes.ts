import { crc32, deflateRawSync } from 'node:zlib';

/** Fields that one of the two headers of an entry may say otherwise than the truth. */
export interface HeaderLies {
  readonly name?: string;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly packed?: number;
  readonly size?: number;
  readonly extra?: Buffer;
  readonly offset?: number;
}

export interface ZipEntry {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  /** Whole Unix mode with its type, `0o100755`; 0 says nothing. */
  readonly mode?: number;
  readonly stored?: boolean;
  readonly flags?: number;
  readonly descriptor?: 'signed' | 'plain';
  /** Packed bytes in place of the true ones. */
  readonly packedBytes?: Buffer;
  readonly central?: HeaderLies;
  readonly local?: HeaderLies;
  /** Leaves the entry out of the directory. */
  readonly hidden?: boolean;
}

export interface ZipFrame {
  readonly prefix?: Buffer;
  readonly beforeDirectory?: Buffer;
  readonly comment?: Buffer;
  readonly suffix?: Buffer;
  readonly entries?: number;
}

/** A zip file byte by byte, honest unless told otherwise: no library writes the lies that a test needs. */
export function zipOf(entries: readonly ZipEntry[], frame: ZipFrame = {}): Buffer {
  const parts: Buffer[] = [frame.prefix ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let offset = parts[0]!.length;
  for (const entry of entries) {
    const facts = factsOf(entry);
    const later = entry.descriptor === undefined ? {} : { crc: 0, packed: 0, size: 0 };
    const local = localHeader({ ...facts, ...later, ...entry.local });
    const bytes = [local, facts.bytes, descriptorOf(entry, facts)];
    if (entry.hidden !== true) {
      directory.push(centralHeader({ ...facts, offset, ...entry.central }, entry.mode ?? 0));
    }
    parts.push(...bytes);
    offset += bytes.reduce((sum, part) => sum + part.length, 0);
  }
  const central = Buffer.concat(directory);
  const gap = frame.beforeDirectory ?? Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(frame.entries ?? directory.length, 8);
  end.writeUInt16LE(frame.entries ?? directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset + gap.length, 16);
  end.writeUInt16LE(frame.comment?.length ?? 0, 20);
  return Buffer.concat([
    ...parts,
    gap,
    central,
    end,
    frame.comment ?? Buffer.alloc(0),
    frame.suffix ?? Buffer.alloc(0),
  ]);
}

type Facts = Required<Omit<HeaderLies, 'name' | 'offset'>> & {
  readonly name: string | Buffer;
  readonly bytes: Buffer;
};

function factsOf({ name, data = '', stored, flags = 0, descriptor, packedBytes }: ZipEntry): Facts {
  const plain = Buffer.from(data as string);
  const bytes = packedBytes ?? (stored === true ? plain : deflateRawSync(plain));
  return {
    name,
    flags: flags | (descriptor === undefined ? 0 : 8),
    method: stored === true ? 0 : 8,
    crc: crc32(plain),
    packed: bytes.length,
    size: plain.length,
    extra: Buffer.alloc(0),
    bytes,
  };
}

function descriptorOf({ descriptor }: ZipEntry, { crc, packed, size }: Facts): Buffer {
  if (descriptor === undefined) return Buffer.alloc(0);
  const words = descriptor === 'signed' ? [0x08074b50, crc, packed, size] : [crc, packed, size];
  const bytes = Buffer.alloc(words.length * 4);
  words.forEach((word, index) => bytes.writeUInt32LE(word, index * 4));
  return bytes;
}

type Header = Omit<Facts, 'bytes'>;

function localHeader({ name, flags, method, crc, packed, size, extra }: Header): Buffer {
  const raw = Buffer.from(name as string);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(packed, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(raw.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, raw, extra]);
}

function centralHeader(facts: Header & { readonly offset: number }, mode: number): Buffer {
  const raw = Buffer.from(facts.name as string);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(0x0314, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(facts.flags, 8);
  header.writeUInt16LE(facts.method, 10);
  header.writeUInt32LE(facts.crc, 16);
  header.writeUInt32LE(facts.packed, 20);
  header.writeUInt32LE(facts.size, 24);
  header.writeUInt16LE(raw.length, 28);
  header.writeUInt16LE(facts.extra.length, 30);
  header.writeUInt16LE(mode, 40);
  header.writeUInt32LE(facts.offset, 42);
  return Buffer.concat([header, raw, facts.extra]);
}

import { hash } from 'node:crypto';

// A UUID of our own, made once; changing it would give every skill another id.
const NAMESPACE = Buffer.from('6f0b1f6c5b0e4d8f9a4c2d7e31b85a90', 'hex');
const DIGITS = Buffer.from('0123456789abcdef');
const DASH = 0x2d;

// A pass makes thousands of ids: both buffers are used again and hold what is equal in all of them.
const hashed = Buffer.alloc(1024);
NAMESPACE.copy(hashed);
const uuid = Buffer.alloc(36, DASH);

/** UUID version 5 of a name in a namespace of ours: the same on every machine and after every start. */
export function nameUuid(name: string): string {
  const digest = digestOf(name);
  let at = 0;
  for (let n = 0; n < 16; n += 1) {
    let byte = digest.charCodeAt(n);
    if (n === 6) byte = (byte & 0x0f) | 0x50;
    if (n === 8) byte = (byte & 0x3f) | 0x80;
    if (n === 4 || n === 6 || n === 8 || n === 10) at += 1;
    uuid[at] = DIGITS[byte >> 4] ?? 0;
    uuid[at + 1] = DIGITS[byte & 0x0f] ?? 0;
    at += 2;
  }
  return uuid.toString('latin1');
}

/** SHA-1 over namespace and name, a character for each byte: a text is made faster than a buffer. */
function digestOf(name: string): string {
  const fits = NAMESPACE.length + name.length * 3 <= hashed.length;
  const length = fits ? NAMESPACE.length + hashed.write(name, NAMESPACE.length) : 0;
  const input = fits ? hashed.subarray(0, length) : Buffer.concat([NAMESPACE, Buffer.from(name)]);
  return hash('sha1', input, 'binary');
}

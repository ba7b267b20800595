const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes from `start` to `end`, or null when they are not valid UTF-8. */
export function decodeUtf8(bytes: Buffer, start = 0, end = bytes.length): string | null {
  const text = bytes.toString('utf8', start, end);
  // Wrong bytes become U+FFFD; only a text that holds one needs the slower strict look.
  if (!text.includes('\ufffd')) return text;
  try {
    return STRICT.decode(bytes.subarray(start, end));
  } catch {
    return null;
  }
}

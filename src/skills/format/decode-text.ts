const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes, or null when they are not valid UTF-8. */
export function decodeUtf8(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  // Wrong bytes become U+FFFD; only a text that holds one needs the slower strict look.
  if (!text.includes('\ufffd')) return text;
  try {
    return STRICT.decode(bytes);
  } catch {
    return null;
  }
}

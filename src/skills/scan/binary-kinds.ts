import { finding, type Finding } from '../../kernel/finding.js';

/** First bytes of what a machine runs, or what hides other files. */
const KINDS: readonly (readonly [
  magic: readonly number[],
  code: 'scan_native_binary' | 'scan_nested_archive',
  name: string,
])[] = [
  [[0x7f, 0x45, 0x4c, 0x46], 'scan_native_binary', 'a Linux program or library'],
  [[0xcf, 0xfa, 0xed, 0xfe], 'scan_native_binary', 'a macOS program or library'],
  [[0xca, 0xfe, 0xba, 0xbe], 'scan_native_binary', 'a macOS program or Java class'],
  [[0x4d, 0x5a], 'scan_native_binary', 'a Windows program or library'],
  [[0x00, 0x61, 0x73, 0x6d], 'scan_native_binary', 'a WebAssembly module'],
  [[0x50, 0x4b, 0x03, 0x04], 'scan_nested_archive', 'a zip archive'],
  [[0x1f, 0x8b], 'scan_nested_archive', 'a gzip archive'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'scan_nested_archive', 'a 7z archive'],
  [[0x52, 0x61, 0x72, 0x21], 'scan_nested_archive', 'a rar archive'],
  [[0xfd, 0x37, 0x7a, 0x58], 'scan_nested_archive', 'an xz archive'],
];
/** Documents that are zip archives by their format. */
const DOCUMENT = /\.(?:docx|xlsx|pptx|dotx|xltx|potx|odt|ods|odp|epub|jar)$/i;

/** A remark on a file that is no text and that the scan cannot look into; null for pictures, fonts and the like. */
export function binaryFinding(path: string, bytes: Buffer): Finding | null {
  const kind = KINDS.find(([magic]) => magic.every((byte, at) => bytes[at] === byte));
  if (kind === undefined) return null;
  const [, code, name] = kind;
  if (code === 'scan_nested_archive' && DOCUMENT.test(path)) {
    return finding('scan_document', { path, hint: 'macros and embedded files in it were not looked at' });
  }
  return finding(code, { path, message: `The file is ${name}; it was not looked into.` });
}

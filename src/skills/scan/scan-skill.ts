import { finding, type Finding } from '../../kernel/finding.js';
import { type FindingCode } from '../../kernel/finding-codes.js';
import { type Sliced } from '../../workspace/time-slices.js';
import { decodeUtf8 } from '../format/decode-text.js';
import { hiddenUnicodeFindings } from '../format/visible-text.js';
import { binaryFinding } from './binary-kinds.js';
import { NETWORK, type Place, SCAN_RULES } from './scan-rules.js';

/** One file of a skill. */
export interface ScannedFile {
  /** Relative to the skill's folder. */
  readonly path: string;
  readonly mode: '0644' | '0755';
  readonly bytes: Buffer;
}

export interface ScanResult {
  /** In the order of the files and their lines. */
  readonly findings: readonly Finding[];
  /** Why somebody should look before the skill is used, in one sentence; null when nothing is that grave. */
  readonly quarantine: string | null;
}

/** A file made to be remarked on in every line does not fill the answer. */
const MAX_PER_FILE = 20;
/** Longer lines are looked at in pieces, so that the work stays in proportion to the bytes. */
const PIECE = 4096;
const OVERLAP = 512;
const SCRIPT =
  /\.(?:sh|bash|zsh|fish|py|pyw|js|mjs|cjs|ts|mts|cts|jsx|tsx|rb|pl|php|ps1|psm1|bat|cmd|lua|r|go|rs|java|kt|swift|vbs|applescript)$/i;
// Overrides, embeddings and isolates reorder what is shown; tags show nothing at all.
const REORDERED = /[\u202a-\u202e\u2066-\u2069]/;
const TAGS = /[\u{e0001}\u{e0020}-\u{e007f}]/u;
const FLAG = /\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{1,6}\u{e007f}/gu;

/**
 * Looks over every file of a skill for what a person should see before an agent does. The answer warns and never
 * refuses: a scanner is easily fooled, and honest skills write about dangerous things.
 *
 * @example scanSkill([{ path: 'SKILL.md', mode: '0644', bytes }]).quarantine // null
 */
export function* scanSkill(files: readonly ScannedFile[]): Sliced<ScanResult> {
  const findings: Finding[] = [];
  let quarantine: string | null = null;
  for (const file of files) {
    const scan = yield* scanFile(file);
    findings.push(...scan.findings);
    quarantine ??= scan.quarantine;
  }
  return { findings, quarantine };
}

function* scanFile({ path, bytes, mode }: ScannedFile): Sliced<ScanResult> {
  const decoded = bytes.includes(0) ? null : decodeUtf8(bytes);
  if (decoded === null) {
    const remark = binaryFinding(path, bytes);
    return { findings: remark === null ? [] : [remark], quarantine: null };
  }
  const text = decoded.replace(/^\ufeff/, '');
  const isScript = SCRIPT.test(path) || text.startsWith('#!') || mode === '0755';
  const found = yield* scanText(text, path, isScript ? 'code' : 'prose');
  yield;
  const hidden = hiddenUnicodeFindings(text, { firstLine: 1, path });
  const grave = judge(new Set(found.map(({ code }) => code)), hidden, { path, text, isScript });
  const findings = [...hidden, ...found].map((one) =>
    grave?.code === one.code ? { ...one, severity: 'error' as const } : one,
  );
  return { findings, quarantine: grave?.because ?? null };
}

function* scanText(text: string, path: string, place: Place): Sliced<Finding[]> {
  const small = text.toLowerCase();
  const rules = SCAN_RULES.filter(
    ({ places, hints }) => places.includes(place) && hints.some((hint) => small.includes(hint)),
  );
  const findings: Finding[] = [];
  if (rules.length === 0) return findings;
  const seen = new Set<string>();
  for (const { line, piece } of pieces(text)) {
    if (piece === '') continue;
    for (const { code, pattern } of rules) {
      if (findings.length >= MAX_PER_FILE) return findings;
      if (seen.has(`${code} ${line}`) || !pattern.test(piece)) continue;
      seen.add(`${code} ${line}`);
      // What was found is not quoted: it may be a secret, or text that is better not spread.
      findings.push(finding(code, { path, line }));
    }
    yield;
  }
  return findings;
}

function* pieces(text: string): Generator<{ readonly line: number; readonly piece: string }> {
  let line = 1;
  for (let start = 0; start <= text.length; line += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    for (let at = start; ; at += PIECE - OVERLAP) {
      yield { line, piece: text.slice(at, Math.min(end, at + PIECE)) };
      if (at + PIECE >= end) break;
    }
    start = end + 1;
  }
}

interface Grave {
  readonly because: string;
  /** The findings that made it grave. */
  readonly code: FindingCode;
}

/** What is grave: text that nobody sees, and programs that read keys and use a network, or run what they fetch. */
function judge(
  codes: ReadonlySet<FindingCode>,
  hidden: readonly Finding[],
  { path, text, isScript }: { readonly path: string; readonly text: string; readonly isScript: boolean },
): Grave | null {
  if (hidden.length > 0 && (TAGS.test(text.replace(FLAG, '')) || REORDERED.test(text))) {
    const because = `${path} holds text that people do not see, or see in another order`;
    return { because, code: 'hidden_unicode' };
  }
  if (!isScript) return null;
  if (codes.has('scan_credential_access') && NETWORK.test(text)) {
    return { because: `${path} reads credentials and uses the network`, code: 'scan_credential_access' };
  }
  for (const [code, what] of GRAVE_IN_SCRIPTS)
    if (codes.has(code)) return { because: `${path} ${what}`, code };
  return null;
}

const GRAVE_IN_SCRIPTS: readonly (readonly [FindingCode, string])[] = [
  ['scan_piped_download', 'runs what it downloads'],
  ['scan_reverse_shell', 'opens a shell to another machine'],
];

import { relative, sep } from 'node:path';
import { FINDINGS, type FindingCode } from '../../kernel/finding-codes.js';
import { type Finding, type Severity } from '../../kernel/finding.js';

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

const CODES = Object.keys(FINDINGS) as FindingCode[];
const RULE_INDEX = new Map(CODES.map((code, index) => [code, index]));

/** Findings as SARIF 2.1.0, which code scanners and editors read. Paths become URIs relative to `cwd`. */
export function sarifLog(findings: readonly Finding[], cwd: string, version: string): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'skillwright', version, rules: CODES.map(rule) } },
        columnKind: 'unicodeCodePoints',
        results: findings.map((one) => result(one, cwd)),
      },
    ],
  };
}

function rule(id: FindingCode): object {
  const { severity, message } = FINDINGS[id];
  return { id, shortDescription: { text: message }, defaultConfiguration: { level: LEVELS[severity] } };
}

function result({ severity, code, message, path, line, column, found, hint }: Finding, cwd: string): object {
  const text = [message, found, hint].filter((part) => part !== undefined).join(' ');
  return {
    ruleId: code,
    ruleIndex: RULE_INDEX.get(code),
    level: LEVELS[severity],
    message: { text: wellFormed(text) },
    ...(path !== undefined && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: relativeUri(path, cwd), uriBaseId: '%SRCROOT%' },
            ...(line !== undefined && {
              region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
            }),
          },
        },
      ],
    }),
  };
}

/** Every segment percent-encoded, so blanks, `#`, `?` and `%` stay part of a name. */
function relativeUri(path: string, cwd: string): string {
  const below = relative(cwd, path.startsWith('/') ? path : `${cwd}/${path}`);
  return below
    .split(sep)
    .map((segment) => encodeURIComponent(wellFormed(segment)))
    .join('/');
}

/** A lone surrogate cannot be written in UTF-8. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

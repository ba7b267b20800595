import { describe, expect, it } from '@jest/globals';
import { FINDINGS } from '../../kernel/finding-codes.js';
import { finding, type Finding } from '../../kernel/finding.js';
import { sarifLog } from './sarif.js';

interface Log {
  version: string;
  runs: {
    tool: { driver: { rules: { id: string }[] } };
    results: {
      ruleId: string;
      ruleIndex: number;
      level: string;
      locations?: { physicalLocation: { artifactLocation: { uri: string }; region?: unknown } }[];
    }[];
  }[];
}

function runOf(...findings: Finding[]) {
  const log = JSON.parse(JSON.stringify(sarifLog(findings, '/srv/repo', '1.2.3'))) as Log;
  expect(log.version).toBe('2.1.0');
  return log.runs[0]!;
}

function uriOf(path: string): string {
  return runOf(finding('file_unreadable', { path })).results[0]!.locations![0]!.physicalLocation
    .artifactLocation.uri;
}

describe('a SARIF log', () => {
  it('has a rule for every finding code, and each result points at its own', () => {
    const { tool, results } = runOf(finding('name_shared'), finding('field_type', { path: 'a', line: 1 }));
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(Object.keys(FINDINGS));
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]!.id).toBe(ruleId);
  });

  it('calls a remark a note and gives a finding without a file no location', () => {
    const [result] = runOf(finding('body_long')).results;
    expect(result).toMatchObject({ level: 'note' });
    expect(result).not.toHaveProperty('locations');
  });

  it('writes relative, percent-encoded URIs', () => {
    expect(uriOf('skills/my skill #1/100%/SKILL.md')).toBe('skills/my%20skill%20%231/100%25/SKILL.md');
    expect(uriOf('/srv/repo/skills/a/SKILL.md')).toBe('skills/a/SKILL.md');
    expect(uriOf('/srv/other/SKILL.md')).toBe('../other/SKILL.md');
    expect(uriOf('caf\u00e9/\ud800/x')).toBe('caf%C3%A9/%EF%BF%BD/x');
  });
});

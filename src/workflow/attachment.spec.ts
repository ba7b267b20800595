import { describe, expect, it } from '@jest/globals';
import { skillEntry } from '../../test/support/skill-entries.js';
import { type SkillContent, type SkillFile } from '../skills/discovery/skill-entry.js';
import { chooseInlineFiles, toAttachment } from './attachment.js';
import { makePointerSkill } from './learnings-pointer.js';
import { parseWorkflowFile } from './workflow-file.js';

const LIMITS = { inlineFileBytes: 100, inlineAttachmentBytes: 150 };

function file(path: string, size: number, kind: SkillFile['kind'] = 'text'): SkillFile {
  return { path, size, mode: '0644', sha256: 'f'.repeat(64), kind };
}

const content: SkillContent = {
  digest: 'sha256:abc',
  fileHash: 'abc',
  body: '# Knots\n'.repeat(500),
  files: [file('SKILL.md', 40), file('logo.png', 4, 'binary'), file('refs/a.md', 7)],
  findings: [],
};

describe('toAttachment', () => {
  const entry = skillEntry({ slug: 'knots', name: 'All knots' });

  it('gives the whole body and every file but SKILL.md, without contents unless asked for', () => {
    const attachment = toAttachment(entry, content, null);
    expect(attachment).toMatchObject({
      name: 'All knots',
      slug: 'knots',
      content: content.body,
      path: 'skills/knots/SKILL.md',
      source: { origin: 'disk', layer: 'workspace', digest: 'sha256:abc' },
    });
    expect(attachment.supporting_files).toEqual([
      { path: 'logo.png', size: 4, mode: '0644', sha256: 'f'.repeat(64), encoding: 'base64' },
      { path: 'refs/a.md', size: 7, mode: '0644', sha256: 'f'.repeat(64), encoding: 'utf-8' },
    ]);
  });

  it('writes text as text and binary as base64, and says which file was too large', () => {
    const bytes = new Map([[content.files[1]!, Buffer.from([0, 255, 1, 2])]]);
    expect(toAttachment(entry, content, bytes).supporting_files).toMatchObject([
      { path: 'logo.png', content: 'AP8BAg==' },
      { path: 'refs/a.md', content: null, reason: 'too_large' },
    ]);
  });

  it('gives no path to a skill outside the workspace and keeps the host path to itself', () => {
    const outside = skillEntry({
      slug: 'x',
      layer: 'path:/opt/skills',
      filePath: '/opt/skills/x/SKILL.md',
    });
    const attachment = toAttachment(outside, content, null);
    expect(attachment.path).toBeNull();
    expect(attachment.source.layer).toBe('path');
  });
});

describe('chooseInlineFiles', () => {
  it('takes files in order as long as the sum allows, and none above the size of one', () => {
    const files = [file('a', 90), file('big', 101), file('b', 70), file('c', 60)];
    expect([...chooseInlineFiles(files, LIMITS)].map(({ path }) => path)).toEqual(['a', 'c']);
  });
});

describe('makePointerSkill', () => {
  it('is a small skill that names the folder and that no user invokes', () => {
    const { entry, content: pointer } = makePointerSkill('workflows/harbor');
    expect(entry).toMatchObject({ slug: 'workflow-learnings', layer: 'builtin', availability: 'available' });
    expect(entry.frontmatter.userInvocable).toBe(false);
    expect(pointer.body).toContain('workflows/harbor/learnings/_global/');
    expect(pointer.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('parseWorkflowFile', () => {
  const PATH = 'workflows/harbor/workflow.json';

  it.each([
    ['{"preset": " Watch ", "other": [1]}', 'Watch'],
    ['{"preset": null}', null],
    ['{}', null],
  ])('reads the preset of %s', (text, preset) => {
    expect(parseWorkflowFile(text, PATH)).toEqual({ kind: 'ok', preset });
  });

  it.each([
    ['{', 'json_invalid', 1],
    ['[]', 'workflow_file_shape', 1],
    ['{\n"preset": 7}', 'workflow_file_shape', 2],
    ['{"preset": " "}', 'workflow_file_shape', 1],
  ])('refuses %j with its place', (text, code, line) => {
    expect(parseWorkflowFile(text, PATH)).toMatchObject({
      kind: 'invalid',
      findings: [{ code, line, path: PATH }],
    });
  });
});

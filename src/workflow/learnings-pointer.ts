import { createHash } from 'node:crypto';
import { learningsPointer } from '../builtins/workflow-learnings.js';
import { entryId } from '../skills/discovery/entry-id.js';
import { type SkillContent, type SkillEntry } from '../skills/discovery/skill-entry.js';
import { contentDigest } from '../skills/format/content-digest.js';
import { parseSkill } from '../skills/format/parse-skill.js';

/** A skill that exists for one workflow only: it points at what earlier runs learned and copies nothing. */
export interface PointerSkill {
  readonly entry: SkillEntry;
  readonly content: SkillContent;
}

const LIMITS = { skillMdBytes: 65_536, frontmatterBytes: 65_536 };

/** @param workflowPath the workflow's folder relative to the workspace, `workflows/demo` */
export function makePointerSkill(workflowPath: string): PointerSkill {
  const { slug, skillMd } = learningsPointer(workflowPath);
  const document = parseSkill(skillMd, { folderName: slug, limits: LIMITS });
  const sha256 = createHash('sha256').update(skillMd).digest('hex');
  const file = {
    path: 'SKILL.md',
    size: Buffer.byteLength(skillMd),
    mode: '0644',
    sha256,
    kind: 'text',
  } as const;
  const { frontmatter } = document;
  const entry: SkillEntry = {
    id: entryId('builtin', slug),
    slug,
    name: frontmatter.name ?? slug,
    description: frontmatter.description ?? '',
    layer: 'builtin',
    source: 'builtin',
    origin: 'builtin',
    version: 1,
    enabled: true,
    status: 'active',
    missingDeps: [],
    availability: 'available',
    shadowedBy: null,
    frontmatter,
    findings: document.findings,
    folderName: slug,
    dir: null,
    filePath: `builtin:${slug}`,
    fileName: 'SKILL.md',
    stored: null,
  };
  return {
    entry,
    content: {
      digest: contentDigest([file]),
      fileHash: sha256,
      body: document.body,
      files: [file],
      findings: [],
    },
  };
}

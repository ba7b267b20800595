import { oneLine, visibleText } from '../skills/format/visible-text.js';

const SLUG = 'workflow-learnings';

/** The reserved skill that tells an agent where a workflow keeps what earlier runs found out. */
export interface LearningsPointer {
  readonly slug: typeof SLUG;
  /** The whole SKILL.md, frontmatter included. */
  readonly skillMd: string;
}

/**
 * Builds the pointer for one workflow. It names the folder and copies nothing from it: learnings grow with
 * every run, and a copy would sit in the context of every session.
 *
 * @param workflowPath the workflow's folder relative to the workspace, with `/`
 * @example learningsPointer('workflows/demo').skillMd.includes('workflows/demo/learnings/_global/SKILL.md')
 */
export function learningsPointer(workflowPath: string): LearningsPointer {
  const folder = `${asCode(workflowPath)}/learnings/_global`;
  return {
    slug: SLUG,
    skillMd: `---
name: ${SLUG}
description: What earlier runs of this workflow found out. Read it before the first action of a step and whenever something fails in a way that may have happened before.
user-invocable: false
---

This workflow keeps its learnings in \`${folder}/\`. They are not part of this prompt; read them there when you need them.

1. Read \`${folder}/SKILL.md\` first. It is the index.
2. From \`references/\`, \`scripts/\` and \`assets/\` beside it, open only the files that the index names for the task at hand. Any of the three may be absent.
3. The step's own instructions win where a learning contradicts them. A learning describes the past: check a path, selector or address before you rely on it.
`,
  };
}

/** A folder name may hold a line break or a backtick; neither may end the code span it stands in. */
function asCode(path: string): string {
  return visibleText(oneLine(path.replace(/\/+$/, '').replaceAll('`', ' ')));
}

import { type Backend } from './backend.port.js';
import { type CliSession, withBackend } from './cli-session.service.js';
import { findingLine } from './finding-lines.js';
import { skillDetailLines } from './skill-detail-view.js';
import { skillListLines, skillListNotes, type SkillRow, splitRows } from './skill-list-view.js';
import { block } from './terminal-text.js';

export interface SkillScope {
  /** `--no-skills` makes it false: builtins only. */
  readonly skills: boolean;
}

export interface ListFlags extends SkillScope {
  readonly all?: true;
  readonly query?: string;
}

/** Where skills are looked for, and whether builtins are somebody's wish or part of the furniture. */
interface OpenedSkills {
  readonly backend: Backend;
  readonly hideBuiltins: boolean;
}

/**
 * In a workspace (or with a service) its catalogue; anywhere else the skills that a coding agent would find here,
 * by profile `discovery`.
 */
export async function openSkills(session: CliSession, { skills }: SkillScope): Promise<OpenedSkills> {
  session.noteUnknownNames();
  const workspace = session.workspace();
  const dir = workspace.kind === 'workspace' ? { workspace: { dir: workspace.dir } } : {};
  const decision = await session.whoAnswers(session.options(dir), workspace);
  if (decision.kind === 'service') {
    return { backend: await session.openService(decision.url), hideBuiltins: false };
  }
  if (workspace.kind === 'workspace') {
    session.requireFolder(workspace);
    return { backend: await session.openFolder(session.options(dir)), hideBuiltins: false };
  }
  const discovery = { profile: 'discovery', ...(!skills && { includeUser: false }) };
  return { backend: await session.openFolder(session.options({ discovery })), hideBuiltins: true };
}

export async function listCommand(session: CliSession, flags: ListFlags): Promise<number> {
  const { listSkills } = await import('../../operations/skills.operations.js');
  const { backend, hideBuiltins } = await openSkills(session, flags);
  return withBackend(backend, async () => {
    const rows: SkillRow[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = await backend.ask(listSkills, { include: ['findings'], query: flags.query, cursor });
      rows.push(...page.skills);
      cursor = page.next_cursor ?? undefined;
      if (cursor !== undefined) continue;
      const all = flags.all === true;
      const split = splitRows(rows, { hideBuiltins });
      const places = page.findings.filter(({ severity }) => all || severity !== 'info');
      const listed = all ? rows : split.shown;
      const { paint, terminal } = session;
      session.answer(
        {
          skills: listed,
          not_shown: split.notShown.map(({ row, because }) => ({ ...row, because })),
          total: listed.length,
          revision: page.revision,
          findings: page.findings,
        },
        () => skillListLines(split, { all, width: terminal.width, paint }),
      );
      if (!session.json) {
        for (const text of skillListNotes(split, all)) session.note(text);
        for (const place of places) session.note(findingLine(place, paint));
      }
      return 0;
    }
  });
}

export interface ShowFlags extends SkillScope {
  readonly content?: true;
}

export async function showCommand(session: CliSession, id: string, flags: ShowFlags): Promise<number> {
  const { getSkill, listSkillFiles } = await import('../../operations/skills.operations.js');
  const { backend } = await openSkills(session, flags);
  return withBackend(backend, async () => {
    const skill = await backend.ask(getSkill, {
      id,
      include: ['content', 'frontmatter', 'findings', 'usage'],
    });
    if (flags.content === true) {
      const { content = '' } = skill;
      session.terminal.out(session.terminal.width === null ? content : block(content));
      return 0;
    }
    const files = skill.version === 0 ? [] : (await backend.ask(listSkillFiles, { id: skill.id })).files;
    session.answer({ ...skill, files }, () => skillDetailLines(skill, files, session.paint));
    return 0;
  });
}

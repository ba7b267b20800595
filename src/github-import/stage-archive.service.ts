import { createHash } from 'node:crypto';
import { parseSkill } from '../skills/format/parse-skill.js';
import { type FormatContext } from '../skills/format/skill-head.js';
import { type Sliced } from '../workspace/time-slices.js';
import { type OpenedArchive } from './archive/opened-archive.js';
import { findSkillFolders, pathInFolder, selectFolders } from './skill-folders.js';
import { type SourceFile, stageSkill } from './stage-skill.js';
import {
  type ImportCandidate,
  type ImportChoice,
  type ImportSource,
  requireChosen,
  type StagedImport,
} from './staged-import.js';
import { type StagedSkill } from './staged-skill.js';

/**
 * Stages the chosen skills of an opened archive; only their files are unpacked.
 *
 * @throws SkillwrightError `archive_invalid`, `skill_md_missing`, `skill_md_ambiguous`, `bad_request`
 */
export function* stageArchive(
  archive: OpenedArchive,
  bytes: Buffer,
  choice: ImportChoice,
  limits: FormatContext['limits'],
): Sliced<StagedImport> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const source: ImportSource = { kind: 'archive', sha256, size: bytes.length };
  const candidates: ImportCandidate[] = [];
  for (const folder of findSkillFolders(archive.members.map(({ path }) => path))) {
    const { path, fileName } = folder;
    const head = parseSkill(archive.read(path === '' ? fileName : `${path}/${fileName}`), { limits });
    const { name, description } = head.frontmatter;
    candidates.push({ ...folder, name, description, plugin: null });
    yield;
  }
  const chosen = requireChosen(source, candidates, selectFolders(candidates, choice.select), choice);
  const skills: StagedSkill[] = [];
  for (const { path, fileName } of chosen) {
    const files: SourceFile[] = [];
    for (const member of archive.members) {
      const relative = pathInFolder(path, member.path);
      if (relative === null) continue;
      files.push({ path: relative, mode: member.mode, bytes: archive.read(member.path) });
      yield;
    }
    const provenance = { origin: 'zip' as const, sha256, path };
    skills.push(yield* stageSkill({ path, fileName, files, provenance, as: choice.as, limits, remarks: [] }));
    yield;
  }
  return { source, candidates, skills, findings: [] };
}

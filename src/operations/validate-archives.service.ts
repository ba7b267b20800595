import { dirname } from 'node:path';
import { openArchive } from '../github-import/archive/archive.adapter.js';
import { stageArchive } from '../github-import/stage-archive.service.js';
import { type StagedSkill } from '../github-import/staged-skill.js';
import { SkillwrightError } from '../kernel/errors.js';
import { finding, type Finding } from '../kernel/finding.js';
import { validateSkill } from '../skills/format/validate-skill.js';
import { runSliced } from '../workspace/time-slices.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import {
  type ArchivePlace,
  type ValidatedSkill,
  type ValidationReport,
  type ValidationRequest,
} from './validation-report.js';

/** Judges archives as an import would: every skill in them, or why the archive would be refused. */
export async function validateArchives(
  places: readonly ArchivePlace[],
  request: ValidationRequest,
  files: WorkspaceFiles,
): Promise<ValidationReport> {
  const skills: ValidatedSkill[] = [];
  const findings: Finding[] = [];
  for (const place of places) {
    try {
      skills.push(...(await validateArchive(place, request, files)));
    } catch (error) {
      if (!SkillwrightError.is(error)) throw error;
      const message = `The archive would be refused (${error.code}): ${error.message}.`;
      findings.push(finding('archive_refused', { path: place.path, message }));
    }
  }
  return { skills, findings };
}

async function validateArchive(
  { path, real }: ArchivePlace,
  { limits, strict }: ValidationRequest,
  files: WorkspaceFiles,
): Promise<ValidatedSkill[]> {
  const read = files.read(real, { within: [dirname(real)], maxBytes: limits.uploadBytes });
  if (read.kind === 'refused') {
    const code = read.reason === 'too_large' ? 'payload_too_large' : 'file_not_found';
    throw new SkillwrightError(code, { detail: read.because });
  }
  const archive = await openArchive(read.bytes, {
    entries: limits.archiveEntries,
    fileBytes: limits.fileBytes,
    totalBytes: limits.skillBytes,
  });
  const choice = { select: ['*'], as: null };
  const { skills } = await runSliced(stageArchive(archive, read.bytes, choice, limits));
  return skills.map((skill) => validated(skill, path, strict));
}

/** A place inside an archive is shown as `bundle.zip!tool/SKILL.md`, as archive tools do. */
function validated(skill: StagedSkill, archive: string, strict: boolean): ValidatedSkill {
  const inside = (path: string): string => `${archive}!${skill.path === '' ? '' : `${skill.path}/`}${path}`;
  const breaches = validateSkill(skill.document, { strict });
  const others = skill.findings.filter((one) => !skill.document.findings.includes(one));
  const findings = [...breaches, ...others].map((one) => ({
    ...one,
    path: inside(one.path ?? skill.fileName),
  }));
  return {
    path: inside(skill.fileName),
    name: skill.document.frontmatter.name,
    valid: !findings.some(({ severity }) => severity === 'error'),
    findings,
  };
}

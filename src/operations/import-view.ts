import { type z } from 'zod';
import { finding } from '../kernel/finding.js';
import { type JudgedSkill } from '../github-import/import-verdict.js';
import { candidateRow, sourceRow, type StagedImport } from '../github-import/staged-import.js';
import { type importPreviewSchema } from './schemas/import.js';
import { fileRow } from './skill-view.js';

type Preview = z.output<typeof importPreviewSchema>['preview'];

/** A staged import as every door shows it. */
export function previewOf(staged: StagedImport, judged: readonly JudgedSkill[]): Preview {
  return {
    source: sourceRow(staged.source),
    candidates: staged.candidates.map(candidateRow),
    findings: [...staged.findings],
    skills: judged.map(skillRow),
  };
}

function skillRow({
  staged,
  existing,
  shadowsBundled,
  changes,
  verdict,
}: JudgedSkill): Preview['skills'][number] {
  const { frontmatter, keys } = staged.document;
  const findings = [...staged.findings, ...(shadowsBundled ? [finding('shadows_bundled')] : [])];
  return {
    path: staged.path === '' ? '.' : staged.path,
    slug: staged.slug,
    name: frontmatter.name,
    description: frontmatter.description,
    action: verdict.kind,
    ...(verdict.kind === 'refused' && { code: verdict.code }),
    because: verdict.because,
    frontmatter: keys,
    files: staged.files.map(fileRow),
    size: staged.size,
    digest: staged.digest,
    findings,
    enabled: staged.disabledBecause === null,
    disabled_because: staged.disabledBecause,
    overwrites: existing && {
      id: existing.id,
      slug: existing.slug,
      version: existing.version,
      digest: existing.digest,
    },
    changes: {
      added: [...changes.added],
      changed: [...changes.changed],
      removed: [...changes.removed],
    },
  };
}

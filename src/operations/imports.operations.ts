import { z } from 'zod';
import { type JudgedSkill } from '../github-import/import-verdict.js';
import { type StagedImport } from '../github-import/staged-import.js';
import { SkillwrightError } from '../kernel/errors.js';
import { operation } from './define.operation.js';
import { previewOf } from './import-view.js';
import { type OperationContext } from './operation-context.service.js';
import { importPreviewSchema } from './schemas/import.js';

const choice = {
  select: z
    .array(z.string().min(1).max(1024))
    .max(1000)
    .optional()
    .describe('Which skills of the source: paths, folder names or names; `*` is all of them.'),
  as: z.string().min(1).max(1024).optional().describe('Slug in place of the proposed one; for one skill.'),
  replace: z.boolean().default(false).describe('Allow a new version of a skill that is there already.'),
  dry_run: z.boolean().default(false).describe('Only show what would be imported.'),
};

export const uploadSkills = operation({
  name: 'skills.upload',
  summary: 'Skills from a zip, .skill or tar.gz file.',
  role: 'editor',
  input: z.strictObject({
    file: z
      .custom<Buffer>((value) => Buffer.isBuffer(value), 'the archive is missing')
      .describe('The archive.'),
    ...choice,
  }),
  output: importPreviewSchema,
  async run(context, { file, ...input }) {
    requireDryRun(input);
    const { select = null, as = null, replace } = input;
    return preview(context, await context.imports.stageArchive(file, { select, as }), replace);
  },
});

export const importSkills = operation({
  name: 'skills.import',
  summary: 'Skills from a repository on GitHub.',
  role: 'editor',
  input: z.strictObject({
    url: z
      .string()
      .max(4096)
      .describe(
        'Address of a repository, folder or SKILL.md; `owner/repo`, `owner/repo/path`, `owner/repo@skill`.',
      ),
    ref: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Branch, tag or commit in place of the one in the address.'),
    token: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, 'not a token')
      .optional()
      .describe('For a private repository; used for this import alone, never stored.'),
    ...choice,
  }),
  output: importPreviewSchema,
  async run(context, { url, ref = null, token = null, ...input }, { principal }) {
    requireDryRun(input);
    const { select = null, as = null, replace } = input;
    const mayUseServiceToken = principal.role === 'admin';
    const address = { url, ref, token, mayUseServiceToken };
    return preview(context, await context.imports.stageGitHub(address, { select, as }), replace);
  },
});

/** Only previews exist so far; keeping what was staged takes its place here. */
function requireDryRun(input: { readonly dry_run: boolean }): void {
  if (!input.dry_run) {
    throw new SkillwrightError('import_unavailable', {
      field: 'dry_run',
      detail: 'dry_run: must be true; imports can be previewed, but not yet kept',
    });
  }
}

/** @throws SkillwrightError what the real import would answer, with the preview. */
async function preview(
  { imports }: OperationContext,
  staged: StagedImport,
  replace: boolean,
): Promise<z.output<typeof importPreviewSchema>> {
  const judged: JudgedSkill[] = [];
  for (const skill of staged.skills) judged.push(await imports.judge(skill, { replace }));
  const shown = previewOf(staged, judged);
  for (const { verdict, staged: skill } of judged) {
    if (verdict.kind !== 'refused') continue;
    const where = judged.length > 1 ? `${skill.path}: ` : '';
    throw new SkillwrightError(verdict.code, {
      detail: where + verdict.because,
      issues: skill.findings,
      preview: shown,
    });
  }
  return { dry_run: true, preview: shown };
}

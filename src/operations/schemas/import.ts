import { z } from 'zod';
import { findingSchema } from './finding.js';
import { skillFileSchema } from './skill.js';

const sourceSchema = z
  .object({
    origin: z.enum(['zip', 'github']),
    sha256: z.string().optional().describe('Of the archive.'),
    size: z.number().int().optional().describe('Bytes of the archive.'),
    host: z.string().optional(),
    owner: z.string().optional(),
    repo: z.string().optional(),
    repository_id: z.number().int().optional(),
    private: z.boolean().optional(),
    ref: z.string().optional().describe('Branch, tag or commit that was asked for.'),
    commit: z.string().optional().describe('Hash of the commit that the ref stood for.'),
    path: z.string().optional(),
  })
  .describe('What the source turned out to be; a token is never part of it.');

const candidateSchema = z.object({
  path: z.string().describe('Folder in the source, `.` for its root; what `select` takes.'),
  name: z.string().nullable(),
  description: z.string().nullable(),
  inside: z.string().nullable().describe('An outer skill folder of which this one is a part.'),
  plugin: z.string().nullable().describe('Plugin of marketplace.json that names it.'),
});

const stagedSkillSchema = z.object({
  path: z.string(),
  slug: z.string().nullable().describe('Address it would get; null when nothing gives one.'),
  name: z.string().nullable(),
  description: z.string().nullable(),
  action: z.enum(['create', 'replace', 'unchanged', 'refused']),
  code: z.string().optional().describe('Why it would be refused, by the table of errors.'),
  because: z.string(),
  frontmatter: z.record(z.string(), z.unknown()).nullable(),
  files: z.array(skillFileSchema),
  size: z.number().int().describe('Bytes of all files.'),
  digest: z.string(),
  findings: z.array(findingSchema),
  enabled: z.boolean().describe('Whether it would arrive enabled.'),
  disabled_because: z.string().nullable(),
  overwrites: z
    .object({
      id: z.string(),
      slug: z.string(),
      version: z.number().int(),
      digest: z.string().nullable(),
    })
    .nullable()
    .describe('The skill of the workspace that has the slug now.'),
  changes: z.object({
    added: z.array(z.string()),
    changed: z.array(z.string()),
    removed: z.array(z.string()),
  }),
});

/** What an import would do; the same object stands in refusals. */
export const importPreviewSchema = z.object({
  dry_run: z.literal(true),
  preview: z.object({
    source: sourceSchema,
    candidates: z.array(candidateSchema),
    findings: z.array(findingSchema),
    skills: z.array(stagedSkillSchema),
  }),
});

import { type GuardGrants } from '../folder-guard/guard-grants.js';
import { type Finding } from '../kernel/finding.js';
import { type Because } from '../kernel/resolution-codes.js';
import { type Attachment } from './attachment.js';
import {
  type DecidedBy,
  type EffectiveSkill,
  type RejectedRef,
  type Resolution,
} from './effective-skills.js';
import { type Listing } from './listing.js';
import { type SkillPrompt } from './prompt.js';
import { skillFacts } from './skill-facts.js';
import { type SkillMode } from './step-settings.js';
import { type ToolDefinition } from './tools.js';

/** One skill of an answer, with the names of the wire. `null` means that the skill does not declare it. */
export interface SkillAnswer {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly version: number;
  /** `sha256:` over the folder; null when the folder has not been read. */
  readonly digest: string | null;
  readonly because: Because;
  readonly mode: SkillMode;
  readonly status: 'active' | 'archived';
  readonly warnings: readonly Finding[];
  /** SKILL.md relative to the workspace; null when the skill does not lie in it. */
  readonly path: string | null;
  readonly allowed_tools: readonly string[] | null;
  readonly model: string | null;
  readonly argument_hint: string | null;
  readonly effort: string | null;
  readonly context: string | null;
  readonly agent: string | null;
  readonly permissions: Readonly<Record<string, readonly string[]>> | null;
  readonly user_invocable: boolean | null;
  readonly disable_model_invocation: boolean;
}

/** The answer to "which skills does this step get?": the contract of every door. */
export interface ResolutionAnswer {
  readonly workflow_id: string | null;
  readonly step_id: string | null;
  readonly preset_id: string | null;
  readonly decided_by: DecidedBy;
  readonly revision: number;
  readonly skills: readonly SkillAnswer[];
  readonly rejected: readonly RejectedRef[];
  readonly warnings: readonly Finding[];
  readonly attachments?: readonly Attachment[];
  readonly listing?: Omit<Listing, 'warnings'>;
  readonly prompt?: SkillPrompt;
  readonly folder_guard?: { readonly read_paths: readonly string[]; readonly write_paths: readonly string[] };
  readonly tools?: readonly ToolDefinition[];
  readonly trace?: readonly string[];
}

/** The heavy parts of an answer. `file_contents` adds the bytes of supporting files to `attachments`. */
export const ANSWER_PARTS = [
  'attachments',
  'file_contents',
  'listing',
  'folder_guard',
  'tools',
  'trace',
] as const;

export type AnswerPart = (typeof ANSWER_PARTS)[number];

/** What is answered when the caller names no parts. */
export const DEFAULT_PARTS: readonly AnswerPart[] = ['attachments', 'listing', 'folder_guard', 'tools'];

export function skillAnswer({ entry, because, mode, digest, warnings }: EffectiveSkill): SkillAnswer {
  const { frontmatter } = entry;
  return {
    id: entry.id,
    slug: entry.slug,
    name: entry.name,
    description: entry.description,
    version: entry.version,
    digest,
    because,
    mode,
    status: entry.status,
    warnings,
    path: skillFacts(entry).folder === null ? null : entry.filePath,
    allowed_tools: frontmatter.allowedTools,
    model: frontmatter.model,
    argument_hint: frontmatter.argumentHint,
    effort: frontmatter.effort,
    context: frontmatter.context,
    agent: frontmatter.agent,
    permissions: frontmatter.permissions,
    user_invocable: frontmatter.userInvocable,
    disable_model_invocation: frontmatter.disableModelInvocation,
  };
}

/** Read-only paths of a resolution: each skill's folder, and what the pointer points at. */
export function readPathsOf(resolution: Resolution, learnings: readonly string[]): readonly string[] {
  const paths: string[] = [];
  let pointed = false;
  for (const { entry, because } of resolution.skills) {
    paths.push(...skillFacts(entry).readPaths);
    pointed ||= because.kind === 'pointer';
  }
  return pointed ? [...paths, ...learnings] : paths;
}

/** The same for the folder guard, which protects skills more than other paths. */
export function grantsOf({ skills }: Resolution, learnings: readonly string[]): GuardGrants {
  const folders = skills.flatMap(({ entry, digest }) => {
    const { folder } = skillFacts(entry);
    return folder === null ? [] : [{ target: folder, source: null, digest }];
  });
  const pointed = skills.some(({ because }) => because.kind === 'pointer');
  return { skills: folders, read_paths: pointed ? learnings : [] };
}

/** Skillwright without Nest, disk or SQL: pure functions over data. */
export { SkillwrightError, type ErrorCode, type ErrorFacts } from './kernel/errors.js';
export { type Finding, type Severity } from './kernel/finding.js';
export { type FindingCode } from './kernel/finding-codes.js';
export {
  REASONS,
  REJECTIONS,
  type Because,
  type ReasonKind,
  type RejectionCode,
} from './kernel/resolution-codes.js';
export { checkSlug, parseSkillRef, type SkillRef, type SlugCheck } from './kernel/slug.js';
export { contentDigest, type DigestedFile } from './skills/format/content-digest.js';
export { parseSkill } from './skills/format/parse-skill.js';
export { serializeSkill, type SkillEdits } from './skills/format/serialize-skill.js';
export { parseSkillHead, type FormatContext } from './skills/format/skill-head.js';
export { estimateSkillTokens, loadTokenCounter, type TokenCounter } from './skills/format/tokens.js';
export { validateSkill, type ValidateOptions } from './skills/format/validate-skill.js';
export { visibleText } from './skills/format/visible-text.js';
export {
  type JsonValue,
  type SkillDocument,
  type SkillFrontmatter,
  type SkillHead,
  type SourceSpan,
} from './skills/format/skill-document.js';
export {
  parseGitHubUrl,
  type GitHubSite,
  type GitHubSource,
  type GitHubUrlCheck,
} from './github-import/github-url.js';
export { type RefAndPath } from './github-import/github-ref.js';
export { type CatalogSnapshot, type SkillEntry } from './skills/discovery/skill-entry.js';
export { type GuardOperation } from './folder-guard/access-rules.js';
export { decideAccess, type AccessDecision, type AccessRequest } from './folder-guard/decide-access.js';
export { addGrants, type GuardGrants, type SkillFolder } from './folder-guard/guard-grants.js';
export { type GuardGround, type RefusedGrant } from './folder-guard/guard-roots.js';
export { type LookAt, type PathLook } from './workspace/path-look.js';
export { buildSkillFolderGuardPaths, type FolderGrants, type SkillGrants } from './folder-guard/grants.js';
export {
  allowedSkills,
  effectiveSkills,
  type DecidedBy,
  type EffectiveSkill,
  type PresetSelection,
  type RejectedRef,
  type Resolution,
  type ResolutionInput,
} from './workflow/effective-skills.js';
export {
  renderListing,
  type Listing,
  type ListingCut,
  type ListingRules,
  type ListingUse,
} from './workflow/listing.js';
export { type ListingFormat } from './workflow/listing-formats.js';
export { type ResolutionView } from './workflow/resolve-ref.js';
export { parseStepConfig, type StepConfig } from './workflow/step-config.js';
export { type SkillMode, type StepSettings } from './workflow/step-settings.js';

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
export { type FormatContext } from './skills/format/skill-head.js';
export { type SkillDocument, type SkillFrontmatter, type SkillHead } from './skills/format/skill-document.js';
export { type CatalogSnapshot, type SkillEntry } from './skills/discovery/skill-entry.js';

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
export { type SkillDocument, type SkillFrontmatter, type SkillHead } from './skills/format/skill-document.js';
export { type CatalogSnapshot, type SkillEntry } from './skills/discovery/skill-entry.js';

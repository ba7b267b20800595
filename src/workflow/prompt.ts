import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { type TokenCounter } from '../skills/format/tokens.js';
import { oneLine, visibleText } from '../skills/format/visible-text.js';
import { type Listing } from './listing.js';
import { escapeXml } from './listing-formats.js';
import { skillFacts } from './skill-facts.js';

/** A skill and its whole body, as a prompt or a tool result gives it to a model. */
export interface SkillText {
  readonly entry: SkillEntry;
  readonly body: string;
  /** Other files of the skill, to be read on demand; relative paths. */
  readonly files: readonly string[];
}

/** All that a step's prompt says about skills. */
export interface SkillPrompt {
  /** The listing, then each preloaded body in its wrapper. Empty when there is nothing. */
  readonly text: string;
  readonly tokens: number;
  /** Slugs whose body stands in the text; the listing does not repeat them. */
  readonly preloaded: readonly string[];
}

const TAG = 'skill_content';
const CLOSING_TAG = new RegExp(`<(/?)(?=\\s*/?\\s*${TAG})`, 'gi');

/**
 * Puts the listing and the preloaded bodies into one text.
 * `nonce`: random and new for each call, so that no body can know the tag that ends it.
 */
export function renderPrompt(
  listing: Listing,
  preloaded: readonly SkillText[],
  nonce: string,
  countTokens: TokenCounter,
): SkillPrompt {
  const bodies = preloaded.map((skill) => wrapSkill(skill, nonce));
  const text = [listing.text, ...bodies].filter((part) => part !== '').join('\n\n');
  const tokens = bodies.reduce((sum, body) => sum + countTokens(body), listing.tokens);
  return { text, tokens, preloaded: preloaded.map(({ entry }) => entry.slug) };
}

/**
 * A skill's body between tags that it cannot close: the tag carries the nonce, and what looks like the tag inside
 * the body is escaped. Nothing in the body is executed or expanded; `$ARGUMENTS` stays as it is.
 */
export function wrapSkill({ entry, body, files }: SkillText, nonce: string): string {
  const tag = `${TAG}_${nonce}`;
  return [
    `<${tag} name="${field(entry.name)}" slug="${field(entry.slug)}">`,
    `The text up to </${tag}> is the content of a skill. It was written by the author of the skill, not by the operator.`,
    ...declarations(entry),
    '',
    visibleText(body).replace(CLOSING_TAG, '&lt;$1'),
    ...(files.length === 0 ? [] : ['', 'Files of the skill, to be read with read_skill when needed:']),
    ...files.map((path) => `- ${field(path)}`),
    `</${tag}>`,
  ].join('\n');
}

function declarations(entry: SkillEntry): string[] {
  const { allowedTools, permissions, argumentHint } = entry.frontmatter;
  const { warning } = skillFacts(entry);
  return [
    ...(warning === null ? [] : [`Warning: ${field(warning)}`]),
    ...(argumentHint === null ? [] : [`Arguments: ${field(argumentHint)}`]),
    ...(allowedTools === null ? [] : [`Allowed tools: ${allowedTools.map(field).join(', ') || 'none'}`]),
    ...Object.entries(permissions ?? {}).map(
      ([tool, patterns]) => `Permission ${field(tool)}: ${patterns.map(field).join(', ') || 'none'}`,
    ),
  ];
}

function field(text: string): string {
  return escapeXml(oneLine(visibleText(text)));
}

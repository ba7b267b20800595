import { type Finding } from '../../kernel/finding.js';

/** A place in the source; 1-based lines and columns, columns in code points. */
export interface SourceSpan {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Any JSON value that the database can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** The known fields, typed. `null` means not declared. */
export interface SkillFrontmatter {
  readonly name: string | null;
  readonly slug: string | null;
  readonly description: string | null;
  readonly author: string | null;
  readonly tags: readonly string[] | null;
  readonly license: string | null;
  readonly compatibility: string | null;
  readonly metadata: Readonly<Record<string, JsonValue>> | null;
  readonly version: string | null;
  readonly argumentHint: string | null;
  readonly allowedTools: readonly string[] | null;
  /** Tool -> patterns; shown to the model, never policy of ours. */
  readonly permissions: Readonly<Record<string, readonly string[]>> | null;
  readonly model: string | null;
  /** Fails closed: anything that is not clearly false hides the skill from the model. */
  readonly disableModelInvocation: boolean;
  readonly userInvocable: boolean | null;
  readonly effort: string | null;
  readonly context: string | null;
  readonly agent: string | null;
  readonly deps: readonly string[] | null;
  readonly excludeDeps: readonly string[] | null;
  readonly requires: Readonly<Record<string, JsonValue>> | null;
}

/** What the first bytes of a SKILL.md say: all that listing and resolution need. */
export interface SkillHead {
  readonly frontmatter: SkillFrontmatter;
  /** Every key of the file as JSON, unknown ones too, in file order; null when it did not parse. */
  readonly keys: Readonly<Record<string, JsonValue>> | null;
  readonly findings: readonly Finding[];
  /** False when a finding of severity error says that the skill must not be offered. */
  readonly valid: boolean;
  /** Byte offset of the body in the file. */
  readonly bodyOffset: number;
}

/** A whole SKILL.md. */
export interface SkillDocument extends SkillHead {
  /** The file's text without a byte-order mark. */
  readonly source: string;
  /** The Markdown after the frontmatter: blank lines at its start and end removed, CRLF kept as it is. */
  readonly body: string;
  /** Where each top-level key of the frontmatter stands. */
  readonly spans: ReadonlyMap<string, SourceSpan>;
}

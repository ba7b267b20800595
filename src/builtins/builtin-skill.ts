/** A skill that ships in the code and never lies on disk. */
export interface BuiltinSkill {
  readonly slug: string;
  /** The whole SKILL.md, frontmatter included. */
  readonly skillMd: string;
  /** Supporting files, paths relative to the skill's folder. */
  readonly files: readonly BuiltinFile[];
  /** A caller that states this capability gets the skill without selecting it; null: only when selected. */
  readonly capability: string | null;
}

export interface BuiltinFile {
  readonly path: string;
  readonly mode: '0644' | '0755';
  readonly text: string;
}

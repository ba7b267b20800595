/** Injection token of the resolved {@link SkillwrightOptions}. */
export const SKILLWRIGHT_OPTIONS = Symbol.for('skillwright.options');

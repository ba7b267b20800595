import { SkillwrightError } from '../kernel/errors.js';
import { finding } from '../kernel/finding.js';
import { optionsSchema, type SkillwrightOptions, type SkillwrightOptionsInput } from './options.js';

/**
 * Fills in defaults and judges the input.
 *
 * @throws SkillwrightError `options_invalid`, whose issues name each wrong option by its path.
 */
export function resolveOptions(
  input: SkillwrightOptionsInput | Record<string, unknown> = {},
): SkillwrightOptions {
  const parsed = optionsSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) =>
    finding('option_invalid', {
      field:
        issue.path.map(String).join('.') || (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : ''),
      message: issue.message,
    }),
  );
  const detail = issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ');
  throw new SkillwrightError('options_invalid', { detail: `invalid configuration: ${detail}`, issues });
}

/** Merges two inputs group by group; the later one wins key by key. */
export function mergeOptions(
  first: Record<string, unknown>,
  second: Record<string, unknown>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...first };
  for (const [group, keys] of Object.entries(second)) {
    if (keys === undefined) continue;
    merged[group] = { ...(first[group] as object | undefined), ...(keys as object) };
  }
  return merged;
}

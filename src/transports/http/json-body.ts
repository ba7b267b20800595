import { SkillwrightError } from '../../kernel/errors.js';

/**
 * Reads a JSON body that has already arrived as bytes.
 *
 * @throws SkillwrightError `bad_request` that says where the text stops being JSON.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SkillwrightError('bad_request', { field: 'body', detail: 'body: not valid UTF-8' }, { cause });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : 'not JSON';
    throw new SkillwrightError('bad_request', { field: 'body', detail: `body: ${because}` }, { cause });
  }
}

/** Whether a content type announces JSON; charset and other parameters are looked at, not guessed. */
export function judgeContentType(
  contentType: string | undefined,
): { kind: 'json' } | { kind: 'other'; because: string } {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const essence = type.trim();
  if (essence !== 'application/json' && !/^application\/[a-z0-9.-]+\+json$/.test(essence)) {
    return { kind: 'other', because: `expected application/json, got ${essence || 'no content type'}` };
  }
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-8"?$/.test(charset)) {
    return { kind: 'other', because: `expected UTF-8, got ${charset}` };
  }
  return { kind: 'json' };
}

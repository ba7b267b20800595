import { finding, type Finding } from '../kernel/finding.js';
import { optionLeaves, type OptionLeaf } from './describe-options.js';

/** Environment names that doors read themselves: they name folders, not options. */
const OTHER_NAMES = new Set(['SKILLWRIGHT_PATH', 'SKILLWRIGHT_URL']);

export interface OptionsFromEnv {
  /** Nested input for the options schema; only what the environment names. */
  readonly input: Record<string, Record<string, unknown>>;
  /** A `SKILLWRIGHT_…` name that no option has. */
  readonly findings: readonly Finding[];
}

/**
 * Reads options from environment variables. Values are only split and typed here; the schema judges them,
 * so `SKILLWRIGHT_HTTP_PORT=x` fails at boot with the path `http.port`.
 */
export function optionsFromEnv(env: Readonly<Record<string, string | undefined>>): OptionsFromEnv {
  const input: Record<string, Record<string, unknown>> = {};
  const known = new Set(OTHER_NAMES);
  for (const leaf of optionLeaves()) {
    for (const name of leaf.env) known.add(name);
    const raw = leaf.env.map((name) => env[name]).find((value) => value !== undefined && value !== '');
    if (raw === undefined) continue;
    const [group = '', key = ''] = leaf.path.split('.');
    (input[group] ??= {})[key] = typed(leaf, raw);
  }
  const findings = Object.keys(env)
    .filter((name) => name.startsWith('SKILLWRIGHT_') && !known.has(name))
    .sort()
    .map((name) => finding('environment_unknown', { field: name }));
  return { input, findings };
}

function typed(leaf: OptionLeaf, raw: string): unknown {
  switch (leaf.kind) {
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : raw;
    case 'boolean':
      if (/^(true|1|yes|on)$/i.test(raw)) return true;
      return /^(false|0|no|off)$/i.test(raw) ? false : raw;
    case 'list':
      return raw.split(leaf.env.includes('SKILLWRIGHT_PATH') ? ':' : ',').filter((item) => item !== '');
    case 'enum':
    case 'text':
      return raw;
  }
}

import { optionLeaves, type OptionLeaf } from './describe-options.js';

/** `docs/configuration.md`. */
export function renderConfigurationDoc(): string {
  const rows = optionLeaves().map((leaf) => `| ${cells(leaf).join(' | ')} |`);
  return [
    '# Configuration',
    '',
    'Generated from `src/config/options.ts`; `npm run docs` writes this file.',
    '',
    'The same options are given to `SkillwrightModule.forRoot({ http: { port: 4310 } })`, to `forRootAsync`, and to',
    'the service through the environment. A wrong value stops the start and names its path. In the environment a',
    'list is separated by commas (`discovery.path` by colons) and a switch is `true` or `false`.',
    '',
    '| option | environment | default | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function cells(leaf: OptionLeaf): string[] {
  const choices = leaf.choices.length > 0 ? ` One of ${leaf.choices.map(code).join(', ')}.` : '';
  const secret = leaf.secret ? ' Never logged or shown.' : '';
  const { defaultValue } = leaf;
  const shown = defaultValue === undefined ? 'none' : code(JSON.stringify(defaultValue));
  return [code(leaf.path), leaf.env.map(code).join(', '), shown, `${leaf.description}${choices}${secret}`];
}

function code(text: string): string {
  return `\`${text}\``;
}

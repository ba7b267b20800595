// The laws of the house that concern imports; ARCHITECTURE.md, "The laws", says why.

// The order in which a skill travels. A folder may import only folders listed before it.
const ORDER = [
  'kernel',
  'config',
  'database',
  'events',
  'workspace',
  'processes',
  'folder-guard',
  'skills/format',
  'skills/scan',
  'builtins',
  'skills/discovery',
  'skills/store',
  'skills/sync',
  'skills/catalog',
  'github-import',
  'skills/search',
  'workflow',
  'maintenance',
  'operations',
  'transports',
  'plugin',
];
const inside = (folder) => `^src/${folder}/`;

const travelOrder = ORDER.map((folder, index) => ({
  name: `order:${folder}`,
  comment: `${folder} may import only what a skill has already passed through`,
  severity: 'error',
  from: { path: inside(folder) },
  to: {
    path:
      ORDER.slice(index + 1)
        .map(inside)
        .join('|') || '^$',
  },
}));

// `thing.ts` is pure, `thing.role.ts` is the shell.
const PURE = '^src/(?!database/).+/[^./]+\\.ts$';
const SHELL = '^src/.+/[^/]+\\.[a-z-]+\\.ts$';

const onlyIn = (name, packages, where) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: where },
  to: { path: `^(node:)?(${packages})$|node_modules/(${packages})/` },
});

module.exports = {
  forbidden: [
    ...travelOrder,
    {
      name: 'known-folder',
      comment: 'a new folder takes its place in ORDER',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: ORDER.map(inside) },
      to: {},
    },
    { name: 'pure-imports-pure', severity: 'error', from: { path: PURE }, to: { path: SHELL } },
    {
      name: 'pure-no-io',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|path|path/posix|util)$' },
    },
    {
      name: 'pure-npm',
      severity: 'error',
      from: { path: PURE },
      to: { path: 'node_modules/', pathNot: 'node_modules/(zod|yaml|semver|diff|gpt-tokenizer|@lezer)/' },
    },
    onlyIn('sql-in-stores', 'typeorm|pg', '\\.(store|entity|module)\\.ts$|^src/database/'),
    onlyIn('disk-in-workspace', 'fs|fs/promises', '^src/(workspace|database)/'),
    onlyIn('processes-in-runner', 'child_process', 'command-runner\\.adapter'),
    onlyIn('yaml-in-format', 'yaml', '^src/skills/format/'),
    onlyIn(
      'network-in-transports',
      'http|https|net|tls|dgram',
      '^src/(transports|database)/|^src/main\\.ts$',
    ),
    {
      name: 'transports-use-operations',
      severity: 'error',
      from: { path: inside('transports') },
      to: { path: '^src/', pathNot: '^src/(transports|operations|kernel|config|events)/' },
    },
    {
      name: 'core-entry-is-portable',
      severity: 'error',
      from: { path: '^src/core\\.ts$' },
      to: {
        path: 'node_modules/(@nestjs|typeorm|pg|@octokit)/|^(node:)?(fs|child_process|net|http)',
        reachable: true,
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-gray-matter',
      comment: 'gray-matter evaluates executable front matter',
      severity: 'error',
      from: {},
      to: { path: 'node_modules/gray-matter/' },
    },
    {
      name: 'no-vague-names',
      severity: 'error',
      from: {},
      to: { path: '[/.](utils?|helpers?|common|misc|manager|handler|base)[/.]', pathNot: 'node_modules' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    exclude: { path: '\\.spec\\.ts$' },
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node'],
    },
  },
};

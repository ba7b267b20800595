import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'core/',
      'testing/',
      'workspace-docs/',
      'test/package/fixtures/',
      'examples/',
      '**/*.cjs',
    ],
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-extraneous-class': 'off',
      // Nest types bags of options as classes.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/config/**', 'src/main.ts', 'src/cli.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read once, in config/.' },
        { object: 'process', property: 'exit', message: 'A guest does not end the process.' },
      ],
    },
  },
  {
    // Nest reads constructor parameter types at run time: a type-only import would erase the token.
    files: ['src/**/*.{service,controller,module,store,adapter}.ts', 'src/**/*.entity.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    // Tables that everybody shares: a row for each thing, and no logic.
    files: ['src/kernel/errors.ts', 'src/kernel/finding-codes.ts', 'src/config/options.ts'],
    rules: { 'max-lines': ['error', { max: 600 }] },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);

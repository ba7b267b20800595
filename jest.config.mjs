/** Sources stay ES modules under test; see ARCHITECTURE.md, "Decisions". */
const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
};

const suite = (displayName, testMatch) => ({ ...shared, displayName, testMatch });

export default {
  projects: [
    suite('unit', ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/unit/**/*.spec.ts']),
    suite('contract', ['<rootDir>/test/contract/**/*.spec.ts']),
    suite('db', ['<rootDir>/test/db/**/*.spec.ts']),
    suite('e2e', ['<rootDir>/test/e2e/**/*.spec.ts']),
    suite('sandbox', ['<rootDir>/test/sandbox/*.spec.ts']),
    suite('bundled', ['<rootDir>/test/bundled/*.spec.ts']),
    suite('package', ['<rootDir>/test/package/*.spec.ts']),
  ],
  testTimeout: 30000,
};

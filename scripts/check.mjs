// `npm run check`: every law of the house that a machine can hold, fastest first. Stops at the first failure.
import { spawnSync } from 'node:child_process';

const STEPS = [
  ['formatting', 'npx', ['prettier', '--check', '--log-level', 'warn', '.']],
  ['types', 'npx', ['tsc', '-p', 'tsconfig.json']],
  ['import rules', 'npx', ['depcruise', 'src', '--config', 'import-rules.cjs', '--output-type', 'err']],
  ['lint', 'npm', ['run', '--silent', 'lint']],
  ['unused code', 'npx', ['knip']],
  ['build', 'npm', ['run', '--silent', 'build']],
  ['generated docs', 'node', ['scripts/generate-docs.mjs', '--check']],
  ['unit tests', 'node', ['scripts/test.mjs', 'unit']],
];

for (const [name, command, args] of STEPS) {
  const started = performance.now();
  const result = spawnSync(command, args, { stdio: ['inherit', 'pipe', 'pipe'], encoding: 'utf8' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (result.status !== 0) {
    process.stdout.write(result.stdout ?? '');
    process.stderr.write(result.stderr ?? '');
    console.error(`check: ${name} failed after ${seconds} s`);
    process.exit(1);
  }
  console.log(`check: ${name} ok (${seconds} s)`);
}

import { spawnSync } from 'node:child_process';

/** Whether bubblewrap can make its namespaces here. */
const works =
  spawnSync('/usr/bin/bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--unshare-user', 'true']).status ===
  0;

if (!works) {
  process.stderr.write('SKIPPED: tests of the sandbox (bubblewrap is missing or cannot make namespaces)\n');
}

/** For `describe`: the suites that need bubblewrap, skipped in plain words where it does not work. */
export const SANDBOX_WORKS = works;

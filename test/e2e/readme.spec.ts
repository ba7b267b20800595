import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

describe('README.md', () => {
  it('shows commands that work and the answers that they give', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/readme.mjs', '--check'], {
      encoding: 'utf8',
    });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  }, 120_000);
});

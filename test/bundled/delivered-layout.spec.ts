import { afterAll, expect, it } from '@jest/globals';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { BUNDLED, describeWith, PYTHON, run, scratch } from './support/scripts.js';

const WITH_SCRIPTS = readdirSync(BUNDLED).filter((slug) => existsSync(join(BUNDLED, slug, 'scripts')));

describeWith({ libraries: ['pypdf', 'docx', 'openpyxl', 'lxml'] }, 'a delivered skill', () => {
  const folder = scratch();
  afterAll(folder.remove);

  it.each(WITH_SCRIPTS)('%s runs with the shared modules beside its scripts and nothing above it', (slug) => {
    const scripts = folder.path(`${slug}/scripts`);
    cpSync(join(BUNDLED, slug), folder.path(slug), { recursive: true });
    cpSync(join(BUNDLED, '_shared'), join(scripts, '_shared'), { recursive: true });
    const started = readdirSync(scripts)
      .filter((name) => name.endsWith('.py'))
      .filter((name) => readFileSync(join(scripts, name), 'utf8').startsWith('#!'));
    expect(started).not.toEqual([]);
    for (const name of started) {
      const { status, stdout, stderr } = run(PYTHON, [join(scripts, name), '--help']);
      expect([name, status, stderr]).toEqual([name, 0, '']);
      expect(stdout).toContain(`example: ${name} `);
    }
  });
});

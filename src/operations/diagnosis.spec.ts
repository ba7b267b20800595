import { describe, expect, it } from '@jest/globals';
import { type Check, type DiagnosisFacts, isHealthy, judgeFacts } from './diagnosis.js';

const well: DiagnosisFacts = {
  node: '22.1.0',
  unknownNames: [],
  workspace: { dir: './docs', because: 'named', exists: true, access: { kind: 'writable' } },
  locations: [{ label: 'workspace', shownAs: 'skills', state: 'searched', skills: 3, broken: 0 }],
  remarks: 0,
  database: { kind: 'embedded', dir: './.skillwright', access: { kind: 'creatable' }, owner: null },
  watching: { kind: 'works' },
  sandbox: { kind: 'bubblewrap' },
};

function check(topic: string, changed: Partial<DiagnosisFacts>): Check {
  return judgeFacts({ ...well, ...changed }).checks.find((one) => one.topic === topic)!;
}

describe('the diagnosis', () => {
  it('is healthy where everything is there', () => {
    const diagnosis = judgeFacts(well);
    expect(diagnosis.checks.map(({ state }) => state)).toEqual(Array(7).fill('ok'));
    expect(isHealthy(diagnosis)).toBe(true);
  });

  it.each([
    ['18.20.0', 'fail'],
    ['20.18.9', 'fail'],
    ['20.19.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('judges node %s as %s', (node, state) => {
    expect(check('node', { node }).state).toBe(state);
  });

  it('fails when the configured workspace is missing and only warns when none is configured', () => {
    const missing = { ...well.workspace, exists: false };
    expect(check('workspace', { workspace: missing }).state).toBe('fail');
    expect(check('workspace', { workspace: { ...missing, dir: null } }).state).toBe('warn');
  });

  it('counts the skills of a location that cannot be offered', () => {
    const [location] = well.locations;
    const { state, text } = check('location', { locations: [{ ...location!, broken: 2 }] });
    expect(state).toBe('warn');
    expect(text).toContain('3 skills, 2 of them cannot be offered');
  });

  it('fails when the embedded database has no place to live', () => {
    const access = { kind: 'refused', because: 'the system says EROFS' } as const;
    const database = { kind: 'embedded', dir: './.skillwright', access, owner: null } as const;
    expect(check('database', { database }).state).toBe('fail');
    const owner = { pid: 7, url: 'http://127.0.0.1:4310' };
    expect(check('database', { database: { ...database, owner } }).text).toContain('process 7');
  });

  it('fails when a server does not answer or is too old', () => {
    const down = { kind: 'postgres', answer: { kind: 'down', because: 'ECONNREFUSED' } } as const;
    const old = { kind: 'postgres', answer: { kind: 'up', version: '12.4', major: 12 } } as const;
    expect(check('database', { database: down })).toMatchObject({ state: 'fail' });
    expect(check('database', { database: old })).toMatchObject({ state: 'fail' });
  });

  it('warns, with what to do, where nothing keeps commands to their grants', () => {
    const sandbox = { kind: 'none', because: 'the system says ENOENT' } as const;
    expect(check('sandbox', { sandbox })).toMatchObject({ state: 'warn', hint: expect.any(String) });
  });

  it('says which name an unknown variable was meant to have', () => {
    const unknownNames = [{ name: 'SKILLWRIGHT_HTP_PORT', meant: 'SKILLWRIGHT_HTTP_PORT' }];
    expect(check('environment', { unknownNames }).hint).toBe('did you mean SKILLWRIGHT_HTTP_PORT?');
  });
});

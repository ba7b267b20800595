import { describe, expect, it } from '@jest/globals';
import { decideBackend, decideWorkspace, type WorkspaceSigns } from './decide-place.js';

const nothing: WorkspaceSigns = {
  cwd: '/srv/project',
  flag: undefined,
  env: undefined,
  hasMarker: false,
  hasWorkspaceDocs: false,
};

describe('the workspace of a command', () => {
  it('is what the option names before what the environment names', () => {
    expect(decideWorkspace({ ...nothing, flag: 'a', env: 'b', hasMarker: true })).toMatchObject({ dir: 'a' });
    expect(decideWorkspace({ ...nothing, env: 'b', hasMarker: true })).toMatchObject({ dir: 'b' });
  });

  it('is the current folder when its marker lies there, else ./workspace-docs', () => {
    const both = { ...nothing, hasMarker: true, hasWorkspaceDocs: true };
    expect(decideWorkspace(both)).toMatchObject({ dir: '/srv/project' });
    expect(decideWorkspace({ ...both, hasMarker: false })).toMatchObject({ dir: './workspace-docs' });
  });

  it('is none where nothing points at one, and the reason says what was looked for', () => {
    const decision = decideWorkspace({ ...nothing, env: '' });
    expect(decision.kind).toBe('none');
    expect(decision.because).toContain('./workspace-docs');
  });
});

describe('who answers a command', () => {
  const workspace = '/srv/project/workspace-docs';
  const url = 'http://127.0.0.1:4310';

  it('is the service that is named, whoever owns the folder', () => {
    const owner = { url, workspace };
    expect(decideBackend({ url: 'http://far:1', owner, workspace })).toMatchObject({ url: 'http://far:1' });
  });

  it('is the owner of the data folder when it serves this workspace', () => {
    expect(decideBackend({ url: undefined, owner: { url, workspace }, workspace })).toMatchObject({ url });
    expect(decideBackend({ url: '', owner: { url }, workspace })).toMatchObject({ url });
    expect(decideBackend({ url: undefined, owner: { url, workspace }, workspace: null })).toMatchObject({
      url,
    });
  });

  it('is the folder when nobody owns it, the owner starts, or serves another workspace', () => {
    const owners = [null, { url: null }, { url, workspace: '/srv/other' }];
    for (const owner of owners) {
      expect(decideBackend({ url: undefined, owner, workspace }).kind).toBe('folder');
    }
  });
});

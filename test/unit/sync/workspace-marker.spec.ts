import { cpSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  claimWorkspace,
  readMarker,
  type WorkspaceClaim,
} from '../../../src/skills/sync/workspace-marker.service.js';
import { machineId } from '../../../src/workspace/machine-id.adapter.js';
import { WorkspaceFiles } from '../../../src/workspace/workspace-files.adapter.js';
import { TempFolder } from '../../support/temp-folder.js';

const MARKER = '.skillwright-workspace.json';
const files = new WorkspaceFiles();
let temp: TempFolder;

beforeEach(() => {
  temp = new TempFolder();
  mkdirSync(temp.path('here'));
});
afterEach(() => {
  temp.remove();
});

const claim = (folder = 'here', machine = 'm1'): WorkspaceClaim =>
  claimWorkspace(files, temp.path(folder), machine);

describe('claiming a workspace', () => {
  it('gives a folder an id that stays, also when the folder is moved', () => {
    const first = claim();
    expect(first).toMatchObject({ state: 'new', writable: true, findings: [] });
    expect(claim()).toEqual({ ...first, state: 'known' });
    renameSync(temp.path('here'), temp.path('there'));
    expect(claim('there')).toEqual({ ...first, state: 'known' });
  });

  it('gives a copy an id of its own and leaves the original its id', () => {
    const first = claim();
    cpSync(temp.path('here'), temp.path('copy'), { recursive: true });
    const copied = claim('copy');
    expect(copied).toMatchObject({ state: 'copied', writable: true });
    expect(copied.id).not.toBe(first.id);
    expect(claim('copy')).toEqual({ ...copied, state: 'known' });
    expect(claim()).toEqual({ ...first, state: 'known' });
  });

  it('takes a folder on another machine for a copy', () => {
    const first = claim();
    expect(claim('here', 'm2')).toMatchObject({ state: 'copied' });
    expect(claim('here', 'm2').id).not.toBe(first.id);
  });

  it.each(['', 'not json', '[]', '{"id":"x","dev":"1","ino":"2","machine":"m1"}', 'x'.repeat(10_000)])(
    'replaces what is no marker of ours with a remark: %.20j',
    (text) => {
      temp.write(`here/${MARKER}`, text);
      expect(claim()).toMatchObject({
        state: 'new',
        writable: true,
        findings: [{ code: 'workspace_marker_replaced', path: MARKER }],
      });
      expect(claim()).toMatchObject({ state: 'known', findings: [] });
    },
  );

  it('does without a marker where none can be written, with the same id each time', () => {
    mkdirSync(temp.path('here', MARKER));
    const first = claim();
    expect(first).toMatchObject({
      state: 'new',
      writable: false,
      findings: [{ code: 'workspace_marker_replaced', message: expect.stringContaining('neither') }],
    });
    expect(claim().id).toBe(first.id);
    expect(claim('here', 'm2').id).not.toBe(first.id);
  });

  it('refuses a workspace that is not there', () => {
    expect(() => claim('none')).toThrow(expect.objectContaining({ code: 'workspace_not_found' }));
  });

  it('writes no host path and no id of the system', () => {
    claimWorkspace(files, temp.path('here'), machineId());
    const text = readFileSync(temp.path('here', MARKER), 'utf8');
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['id', 'dev', 'ino', 'machine']);
    expect(text).not.toContain(temp.dir);
    expect(readMarker(files, temp.path('here'))).toMatchObject({
      kind: 'ok',
      marker: { machine: machineId() },
    });
  });
});

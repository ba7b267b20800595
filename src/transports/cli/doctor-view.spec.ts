import { describe, expect, it } from '@jest/globals';
import { doctorLines } from './doctor-view.js';
import { painter } from './paint.js';

describe('the lines of the doctor', () => {
  it('are aligned and end with what to do', () => {
    const lines = doctorLines(
      {
        checks: [
          { state: 'ok', topic: 'node', text: '22.1.0' },
          { state: 'fail', topic: 'workspace', text: 'x is not a folder', hint: 'make it' },
        ],
      },
      painter(false),
    );
    expect(lines).toEqual(['ok   node       22.1.0', 'fail workspace  x is not a folder (make it)']);
  });
});

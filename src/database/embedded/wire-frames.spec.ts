import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type ClientInput,
  ClientInputSplitter,
  errorFrame,
  notificationChannel,
  queryFrame,
  readAnswer,
  readyFrame,
} from './wire-frames.js';

const typed = (type: string, body: Buffer): Buffer => {
  const frame = Buffer.alloc(5 + body.length);
  frame.write(type, 0, 'latin1');
  frame.writeInt32BE(4 + body.length, 1);
  body.copy(frame, 5);
  return frame;
};
const untyped = (code: number): Buffer => {
  const frame = Buffer.alloc(8);
  frame.writeInt32BE(8, 0);
  frame.writeInt32BE(code, 4);
  return frame;
};
const STARTUP = untyped(196_608);
const parse = (sql: string): Buffer => typed('P', Buffer.from(`name\0${sql}\0\0\0`));
const notification = (channel: string): Buffer =>
  typed('A', Buffer.concat([Buffer.alloc(4), Buffer.from(`${channel}\0payload\0`)]));

describe('the input of a client', () => {
  it('is a request for encryption, a startup, then batches', () => {
    const splitter = new ClientInputSplitter();
    const pipeline = Buffer.concat([
      parse('SELECT $1'),
      typed('B', Buffer.alloc(3)),
      typed('S', Buffer.alloc(0)),
    ]);
    const bytes = [
      untyped(80_877_103),
      STARTUP,
      queryFrame('SELECT 1'),
      pipeline,
      typed('X', Buffer.alloc(0)),
    ];
    expect(splitter.push(Buffer.concat(bytes))).toEqual([
      { kind: 'encryption' },
      { kind: 'startup' },
      { kind: 'batch', batch: { frames: queryFrame('SELECT 1'), sql: 'SELECT 1', kind: 'simple' } },
      { kind: 'batch', batch: { frames: pipeline, sql: 'SELECT $1', kind: 'extended' } },
      { kind: 'terminate' },
    ]);
  });

  it('is the same however the bytes arrive', () => {
    const bytes = Buffer.concat([
      STARTUP,
      queryFrame('SELECT 1'),
      parse('SELECT 2'),
      typed('S', Buffer.alloc(0)),
    ]);
    const whole = new ClientInputSplitter().push(bytes);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const splitter = new ClientInputSplitter();
        const inputs: ClientInput[] = [];
        let from = 0;
        for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
          inputs.push(...splitter.push(bytes.subarray(from, cut)));
          from = cut;
        }
        expect(inputs).toEqual(whole);
      }),
    );
  });
});

describe('an answer', () => {
  it('gives up its notifications and says how the transaction stands', () => {
    const error = errorFrame('ERROR', '42601', 'wrong');
    const answer = readAnswer(Buffer.concat([notification('a'), error, notification('b'), readyFrame()]));
    expect(answer.frames).toEqual(Buffer.concat([error, readyFrame()]));
    expect(answer.notifications.map(notificationChannel)).toEqual(['a', 'b']);
    expect(answer.status).toBe('idle');
  });

  it('is not at its end without ReadyForQuery', () => {
    expect(readAnswer(errorFrame('ERROR', '42601', 'wrong')).status).toBeNull();
    expect(readAnswer(typed('Z', Buffer.from('E'))).status).toBe('failed');
  });
});

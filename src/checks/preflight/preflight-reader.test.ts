import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Looked, readLook } from './preflight-reader.js';

const read = (...said: readonly string[]): Looked =>
  readLook({ machine: 'without mount', look: 'init', exit: 1, said, written: ['/x'] });

describe('what kubeadm says of a machine', () => {
  it('is of one look at one machine', () => {
    const { subject, look, exit, written } = read();
    assert.deepEqual([subject, look, exit, written], ['init: without mount', 'init', 1, ['/x']]);
    const ended = { machine: 'm', look: 'join', said: [], written: [] } as const;
    assert.equal(readLook({ ...ended, exit: undefined }).exit, null);
    assert.equal(readLook({ ...ended, exit: 0 }).exit, 0);
  });

  it('is told line by line, by what begins it', () => {
    const told = (line: string): unknown => {
      const [one] = read(line).told;
      return one === undefined ? undefined : [one.level, one.check, one.message];
    };
    assert.deepEqual(told('\t[ERROR Port-6443]: Port 6443 is in use'), ['ERROR', 'Port-6443', 'Port 6443 is in use']);
    assert.deepEqual(told('\\t[WARNING Swap]: swap is on'), ['WARNING', 'Swap', 'swap is on']);
    assert.deepEqual(told(' \\t  [ERROR A]: '), ['ERROR', 'A', '']);
    assert.deepEqual(told('[ERROR A]: b: [ERROR C]: d'), ['ERROR', 'A', 'b: [ERROR C]: d']);
    for (const line of [
      'x [ERROR A]: b',
      '[ERRORS A]: b',
      '[ERROR A] b',
      '[ERROR ]: b',
      '[INFO A]: b',
      '[ERROR A]: b\nc',
    ])
      assert.equal(told(line), undefined, line);
  });

  it('says whether it began, and whether it stopped', () => {
    assert.equal(read('[preflight] Running pre-flight checks').began, true);
    assert.equal(read('see [preflight] Running pre-flight checks').began, false);
    assert.equal(read('x', '[preflight] Some fatal errors occurred:').stopped, true);
    assert.equal(read('error: preflight checks failed').stopped, true);
    assert.deepEqual([read('x').stopped, read('x').began, read().stopped, read().began], [false, false, false, false]);
  });

  it('ends with the last error, or with the last line that says something', () => {
    const words = (...said: readonly string[]): string => read(...said).words;
    assert.equal(words('error: one', 'error: two', 'more'), 'error: two');
    assert.equal(words('an error', 'more', '   '), 'more');
    assert.equal(words('more', 'To see the stack trace of this error execute with --v=5 or higher'), 'more');
    assert.equal(words('it says: To see the stack trace'), 'it says: To see the stack trace');
    assert.equal(words(), '');
    assert.equal(words('error'.padEnd(500, '.')).length, 400);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flagsOfWords, STRAY } from './flag-words.js';

const read = (line: string, program: 'kubernetes' | 'etcd' = 'kubernetes') => flagsOfWords(line.split(' '), program);

describe('words of a command line', () => {
  it('are flags with their values', () => {
    const { flags, stray } = read('--a=b --c d -e --f_g=1=2 --h= --profiling=false');
    assert.deepEqual(flags, [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'true'],
      ['f-g', '1=2'],
      ['h', ''],
      ['profiling', 'false'],
    ]);
    assert.equal(stray, undefined);
    assert.deepEqual(read('--last').flags, [['last', 'true']]);
    assert.deepEqual(read('--a $B').flags, [['a', 'true']]);
    assert.notEqual(STRAY, '');
  });

  it('are no flags where they are neither one nor the value of one', () => {
    assert.equal(read('--a=b stray other').stray, 'stray');
    assert.equal(read('first --a=b').stray, 'first');
    assert.equal(read('--a b c').stray, 'c');
    assert.equal(read('$VARIABLE --a=b').stray, undefined);
  });

  it('give a switch no value behind a blank', () => {
    assert.deepEqual(read('--profiling false --secure-port 1'), {
      flags: [
        ['profiling', 'true'],
        ['secure-port', '1'],
      ],
      stray: 'false',
    });
    assert.equal(read('--client-cert-auth false', 'etcd').stray, 'false');
    assert.equal(read('--client-cert-auth false').stray, undefined);
  });
});

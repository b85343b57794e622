import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commanded } from './commands.testing.js';

// before there is a test, which would listen for the same
const rejected = await commanded(['serve', '--port', '0'], ['unhandledRejection', new Error('nobody waits for this')]);
const thrown = await commanded(['serve', '--port', '0'], ['uncaughtException', 'no error at all']);

describe('what nobody catches', () => {
  it('ends a command as a signal does, with 3 and a sentence', () => {
    assert.equal(rejected.code, 3);
    assert.match(rejected.err, /^joinproof: .*nobody waits for this/m);
    assert.doesNotMatch(rejected.out + rejected.err, /\n\s+at /);
    assert.equal(thrown.code, 3);
    assert.match(thrown.err, /no error at all/);
  });
});

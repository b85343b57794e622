import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Silence } from './silence.js';

const LONG = { earnest: 30, moment: 5 };

describe('a controller that may never act', () => {
  it('is waited for in earnest until that was once in vain, and for a moment then', () => {
    const signer = new Silence();
    assert.deepEqual([signer.isSilent, signer.within(LONG)], [false, 30]);
    signer.ended(false);
    assert.deepEqual([signer.isSilent, signer.within(LONG)], [true, 5]);
    signer.ended(false);
    assert.equal(signer.within(LONG), 5);
  });

  it('is waited for in earnest again once anybody has seen it act, however often it is late', () => {
    const signer = new Silence();
    signer.ended(false);
    signer.ended(true);
    assert.deepEqual([signer.isSilent, signer.within(LONG)], [false, 30]);
    signer.ended(false);
    assert.deepEqual([signer.isSilent, signer.within(LONG)], [false, 30]);
  });

  it('is never waited for longer than in earnest', () => {
    const signer = new Silence();
    signer.ended(false);
    assert.equal(signer.within({ earnest: 2, moment: 5 }), 2);
  });
});

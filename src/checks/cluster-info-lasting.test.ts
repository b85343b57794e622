import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authoritiesValid, livesOf, writable } from './cluster-info-lasting.js';

describe('what cluster-info publishes', () => {
  it('can be written', () => {
    const results = [false, true].map((immutable) => writable.judge({ immutable }, undefined)[0]?.result);
    assert.deepEqual(results, ['met', 'unmet']);
  });

  it('is valid from its first to its last instant', () => {
    const life = [{ name: 'CN=kubernetes', from: 1000, to: 2000 }];
    const results = [999, 1000, 2000, 2001].map((now) => authoritiesValid.judge(life, { now })[0]?.result);
    assert.deepEqual(results, ['unmet', 'met', 'met', 'unmet']);
    assert.deepEqual(
      [999, 2001].map((now) => authoritiesValid.judge(life, { now })[0]?.seen),
      ['it begins at 1970-01-01T00:00:01.000Z', 'it ends at 1970-01-01T00:00:02.000Z'],
    );
  });

  it('is nothing where no certificate can be read', () => {
    assert.deepEqual(livesOf('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'), []);
  });
});

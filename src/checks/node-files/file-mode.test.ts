import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOpen, modeSeen, octal } from './file-mode.js';

describe('permission bits', () => {
  it('are said in octal', () => {
    assert.deepEqual(
      [0o100600, 0o7, 0o4755].map((mode) => octal(mode)),
      ['0600', '0007', '0755'],
    );
    assert.equal(octal(0o4755, 0o7777), '04755');
    assert.equal(modeSeen(0o40), 'mode 0040');
    assert.equal(modeSeen(0o1777, 0o7777), 'mode 01777');
    assert.equal(modeSeen(null), 'nobody knows its mode');
  });
  it('let in group or others, or nobody', () => {
    assert.deepEqual([0o600, 0o700, 0o640, 0o601, 0o4700].map(isOpen), [false, false, true, true, false]);
  });
});

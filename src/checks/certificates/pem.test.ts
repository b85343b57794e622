import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blocksOf, decodedPem } from './pem.js';

const read = (...lines: readonly string[]): readonly (readonly [string, string])[] =>
  blocksOf(lines.join('\n')).map(({ label, bytes }) => [label, bytes.toString('utf8')]);
const block = (...lines: readonly string[]) => read('-----BEGIN X-----', ...lines, '-----END X-----', '');

describe('a PEM block', () => {
  it('holds its label and its bytes, with no more than base64 fills', () => {
    assert.deepEqual(block('aGVs', 'bG8='), [['X', 'hello']]);
    assert.deepEqual(block('aGVsbA=='), [['X', 'hell']]);
    assert.deepEqual(block('/+/+'), [['X', Buffer.from('/+/+', 'base64').toString('utf8')]]);
    assert.deepEqual(read('-----BEGIN A B-----', 'aGVs', '-----END A B-----'), [['A B', 'hel']]);
    assert.deepEqual(block(), [['X', '']]);
  });

  it('may be followed by white space on each of its lines', () => {
    assert.deepEqual(read('-----BEGIN X----- \t\r', '  aGVs\t\r', 'bG8=\r', '-----END X----- \t\r'), [['X', 'hello']]);
  });

  it('may begin with headers, which are passed over', () => {
    assert.deepEqual(block('Proc-Type: 4,ENCRYPTED', 'DEK-Info: a:b', '', 'aGVs'), [['X', 'hel']]);
    assert.deepEqual(block(':', 'aGVs'), [['X', 'hel']]);
  });

  it('is broken by headers behind its bytes, or by nothing but headers', () => {
    assert.deepEqual(block('aGVs', 'A: b', 'aGVs'), []);
    assert.deepEqual(block('A:bc'), []);
  });

  it('is broken where its text is no base64', () => {
    for (const text of ['aGVsb', 'aGVsbG', 'aGV*', 'a===', '=aGV', 'aG=V', 'a-_b', '\u00e4GVs', 'aGV s=='])
      assert.deepEqual(block(text), [], text);
  });

  it('stands on lines of its own', () => {
    for (const begin of [' -----BEGIN X-----', 'x-----BEGIN X-----', '-----BEGIN X-----x', '-----BEGINX-----', '----'])
      assert.deepEqual(read(begin, 'aGVs', '-----END X-----'), [], begin);
    for (const end of ['-----END X----', ' -----END X-----', '-----END X-----x', '-----END Y-----', '-----ENDX-----'])
      assert.deepEqual(read('-----BEGIN X-----', 'aGVs', end), [], end);
    assert.deepEqual(read('-----BEGIN X-----', 'aGVs'), []);
    assert.deepEqual(read('aGVs', '-----END X-----'), []);
    assert.deepEqual(read('aGVs', '-----END undefined-----'), []);
  });

  it('is over with the first end, whatever that ends', () => {
    const good = ['-----BEGIN X-----', 'aGVs', '-----END X-----'];
    assert.deepEqual(read('-----BEGIN X-----', 'bG8=', '-----END Y-----', '-----END X-----', ...good), [['X', 'hel']]);
    assert.deepEqual(read(...good, 'between', ...good), [
      ['X', 'hel'],
      ['X', 'hel'],
    ]);
    assert.deepEqual(read('-----BEGIN Y-----', 'bG8=', ...good), [['X', 'hel']]);
    assert.deepEqual(read(...good, 'bG8=', '-----END X-----'), [['X', 'hel']]);
  });

  it('is no block where a line only speaks of an end', () => assert.deepEqual(block('see -----END ', 'aGVs'), []));
});

describe('base64 of PEM', () => {
  it('is decoded byte by byte', () => {
    assert.equal(decodedPem(Buffer.from([0x41, 0xe4, 0xff]).toString('base64')), 'A\u00e4\u00ff');
    assert.equal(decodedPem(''), '');
    assert.equal(decodedPem(undefined), '');
  });
});

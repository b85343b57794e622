import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { isFalse, isTrue, listensHere } from './node-flags.js';
import { pod } from './node-seen.testing.js';

describe('a program of a control plane', () => {
  it('listens at addresses of its machine', () => {
    const OWN = ['192.0.2.10', '2001:db8::10'];
    const listens = (flags: Readonly<Record<string, string>>, addresses: readonly string[] = OWN): string =>
      resultsOf(listensHere, [pod('a', flags)], { addresses }).join();
    assert.equal(listens({}), 'met');
    for (const own of ['127.0.0.1', '0.0.0.0', '::', '::1', '192.0.2.10', '2001:db8:0:0::10'])
      assert.equal(listens({ 'bind-address': own }), 'met', own);
    assert.equal(listens({ 'bind-address': '192.0.2.11' }), 'unmet');
    assert.equal(listens({ 'bind-address': '2001:db8::11' }), 'unmet');
    assert.equal(listens({ 'listen-metrics-urls': 'http://127.0.0.1:2381,http://192.0.2.10:2381' }), 'met');
    assert.equal(listens({ 'listen-metrics-urls': 'http://127.0.0.1:2381,http://192.0.2.11:2381' }), 'unmet');
    assert.equal(listens({ 'bind-address': '192.0.2.11' }, []), 'met');
  });
});

it('switches are on and off in every way that Go writes them', () => {
  for (const on of ['true', '1', 't', 'T', 'TRUE', 'True'])
    assert.deepEqual([isTrue(on), isFalse(on)], [true, false], on);
  for (const off of ['false', '0', 'f', 'F', 'FALSE', 'False'])
    assert.deepEqual([isTrue(off), isFalse(off)], [false, true], off);
  for (const none of ['', 'yes', 'no', 'tRUE', 'fALSE', 'truex', 'xfalse', '10'])
    assert.deepEqual([isTrue(none), isFalse(none)], [false, false], none);
  assert.equal(isTrue(undefined), false);
});

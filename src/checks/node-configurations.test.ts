import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from './judged.testing.js';
import { configurationsTaken, secretsEncrypted } from './node-configurations.js';
import { at } from './node-seen.testing.js';

const seen = (more: object = {}) =>
  at('/etc/kubernetes/enc.yaml', {
    ...{ kind: 'configuration', flag: 'encryption-provider-config', odd: [], isOpen: false, names: [] },
    ...more,
  });
const taken = (more: object = {}) =>
  resultsOf(configurationsTaken, [seen(more)], { files: ['/etc/kubernetes/a.yaml'], below: '/etc/kubernetes' }).join();

describe('a file that configures the API server of a disk', () => {
  it('is taken where nothing of it is odd, and what it names is there', () => {
    assert.equal(taken(), 'met');
    assert.equal(taken({ odd: ['it has no rules'] }), 'unmet');
    assert.equal(taken({ names: ['/etc/kubernetes/a.yaml', '/srv/elsewhere.yaml'] }), 'met');
    assert.equal(taken({ names: ['/etc/kubernetes/b.yaml'] }), 'unmet');
    const [finding] = configurationsTaken.judge([seen({ odd: ['a', 'b'] })], { files: [], below: '/etc/kubernetes' });
    assert.equal(finding?.seen, 'a; b');
    assert.deepEqual(configurationsTaken.judge([], { files: [], below: '/etc/kubernetes' }), []);
  });

  it('encrypts Secrets where it is one of encryption', () => {
    const encrypted = (more: object = {}) => resultsOf(secretsEncrypted, [seen(more)], undefined).join();
    assert.equal(encrypted(), 'met');
    assert.equal(encrypted({ isOpen: true }), 'unmet');
    assert.equal(encrypted({ flag: 'audit-policy-file', isOpen: true }), '');
    assert.deepEqual(secretsEncrypted.judge([at('/x', { kind: 'other' })], undefined), []);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../kubernetes/json.js';
import { oddEncryption, socketsIn } from './encryption-configuration.js';

const AESCBC = { aescbc: { keys: [{ name: 'a', secret: Buffer.alloc(32, 7).toString('base64') }] } };
const kms = (more: object = {}) => ({
  kms: { apiVersion: 'v2', name: 'vault', endpoint: 'unix:///run/kms.sock', ...more },
});
const of = (resources: readonly string[], ...providers: readonly object[]): Fields => ({
  resources: [{ resources, providers }],
});
const odd = (fields: Fields, isOld = false): string => oddEncryption(fields, { isOld }).join('; ');

describe('an EncryptionConfiguration', () => {
  it('names resources once', () => {
    for (const sound of [['secrets', 'configmaps'], ['*.*'], ['*.apps', 'secrets'], ['widgets.example.com', '*.']])
      assert.equal(odd(of(sound, AESCBC)), '', sound.join());
    const masked = 'resources that a wildcard beside them means as well';
    for (const twice of [
      ['*.*', 'secrets'],
      ['*.', 'secrets'],
      ['*.apps', 'deployments.apps'],
    ])
      assert.equal(odd(of(twice, AESCBC)), masked, twice.join());
    assert.match(odd(of(['secrets', 'secrets'], AESCBC)), /^secrets twice/);
    for (const name of ['*', 'Secrets', 'events.events.k8s.io', 'secrets.*'])
      assert.equal(odd(of([name], AESCBC)), `the resource ${name}`);
  });

  it('asks at sockets of the machine by the protocol that is on', () => {
    assert.equal(odd(of(['secrets'], kms(), { identity: {} })), '');
    const off = 'kms of v1, which is off without the feature gate KMSv1';
    for (const apiVersion of ['v1', '']) {
      assert.equal(odd(of(['secrets'], kms({ apiVersion, cachesize: 10 }))), off);
      assert.equal(odd(of(['secrets'], kms({ apiVersion, cachesize: 10 })), true), '');
    }
    assert.equal(odd(of(['secrets'], kms({ apiVersion: 'v3' }))), 'kms of the version v3');
    for (const name of ['', 'a:b'])
      assert.equal(odd(of(['secrets'], kms({ name }))), 'kms has no name, or one with a colon');
    assert.equal(odd(of(['secrets'], kms(), kms())), 'kms vault twice');
    assert.deepEqual(socketsIn(of(['secrets'], kms(), kms({ endpoint: 'unix:/a' }), AESCBC)), ['/run/kms.sock', '/a']);
    assert.deepEqual(socketsIn(of(['secrets'], kms({ endpoint: 'unix:///@abstract' }))), []);
  });

  it('has keys that somebody has made, and no field of another name', () => {
    const zeros = { aescbc: { keys: [{ name: 'a', secret: Buffer.alloc(32).toString('base64') }] } };
    assert.equal(odd(of(['secrets'], zeros)), 'a key of aescbc is all zeros');
    const more = { resources: [{ resources: ['secrets'], providers: [AESCBC], provider: [] }] };
    assert.equal(odd(more), 'resources[0].provider is no field');
    assert.equal(odd({ ...of(['secrets'], AESCBC), kind: 1 }), 'kind is of another type');
  });
});

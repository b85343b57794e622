import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import { oddEncryption, opensSecrets, socketsIn } from './encryption-configuration.js';

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
    assert.equal(odd(of(['*.apps', '*.apps'], AESCBC)), '*.apps twice');
    assert.equal(odd(of(['*.apps', '.apps'], AESCBC)), masked);
    for (const sound of ['events', 'a.extensions.example.com', 'a.b.extensions', 'a.b.events.k8s.io', '*.a.*', 'a.*x'])
      assert.equal(odd(of([sound], AESCBC)), '', sound);
    assert.equal(odd(of(['A'.repeat(50)], AESCBC)), `the resource ${'A'.repeat(40)}`);
    for (const name of [
      '*',
      'Secrets',
      'events.events.k8s.io',
      'ingresses.extensions',
      'secrets.*',
      'apiserveripinfo',
      'serviceipallocations',
      'servicenodeportallocations',
    ])
      assert.equal(odd(of([name], AESCBC)), `the resource ${name}`);
  });

  it('asks at sockets of the machine by the protocol that is on', () => {
    assert.equal(odd(of(['secrets'], kms(), { identity: {} })), '');
    const off = 'kms of v1, which is off without the feature gate KMSv1';
    for (const apiVersion of ['v1', '']) {
      assert.equal(odd(of(['secrets'], kms({ apiVersion, cachesize: 10 }))), off);
      assert.equal(odd(of(['secrets'], kms({ apiVersion, cachesize: 10 })), true), '');
    }
    for (const apiVersion of ['v3', 'v10', 'av1'])
      assert.equal(odd(of(['secrets'], kms({ apiVersion }))), `kms of the version ${apiVersion}`);
    assert.equal(odd(of(['secrets'], kms({ apiVersion: 'v'.repeat(30) }))), `kms of the version ${'v'.repeat(20)}`);
    assert.deepEqual(oddEncryption(of(['secrets'], kms({ apiVersion: 'v1', cachesize: 10 }))), [off]);
    for (const name of ['', 'a:b'])
      assert.equal(odd(of(['secrets'], kms({ name }))), 'kms has no name, or one with a colon');
    assert.equal(odd(of(['secrets'], kms(), kms())), 'kms vault twice');
    assert.deepEqual(socketsIn(of(['secrets'], kms(), kms({ endpoint: 'unix:/a' }), AESCBC)), ['/run/kms.sock', '/a']);
    const long = kms({ name: 'k'.repeat(50) });
    assert.equal(odd(of(['secrets'], long, long)), `kms ${'k'.repeat(40)} twice`);
    for (const endpoint of ['unix:///@abstract', 'tcp://a/unix:/b', 'http://unix:///b'])
      assert.deepEqual(socketsIn(of(['secrets'], kms({ endpoint }))), [], endpoint);
  });

  it('has keys of the lengths of its ciphers', () => {
    const key = (name: string, bytes: Buffer): Fields =>
      of(['secrets'], { [name]: { keys: [{ name: 'a', secret: bytes.toString('base64') }] } });
    for (const [name, lengths] of [
      ['aescbc', [16, 24, 32]],
      ['aesgcm', [16, 24, 32]],
      ['secretbox', [32]],
    ] as const) {
      for (const length of [8, 16, 20, 24, 32, 64]) {
        const isSound = (lengths as readonly number[]).includes(length);
        const told = odd(key(name, Buffer.alloc(length, 7)));
        assert.equal(told, isSound ? '' : `a key of ${name} has ${length} bytes`);
      }
      assert.equal(odd(key(name, Buffer.alloc(32))), `a key of ${name} is all zeros`);
      for (const at of [0, 31]) {
        const bytes = Buffer.alloc(32);
        bytes[at] = 1;
        assert.equal(odd(key(name, bytes)), '', `${name} ${at}`);
      }
    }
  });

  it('encrypts Secrets by the first list that means them, and its first provider', () => {
    const identity = { identity: {} };
    for (const name of ['secrets', '*.', '*.*', '*']) {
      assert.equal(opensSecrets(of([name], AESCBC, identity)), false, name);
      assert.equal(opensSecrets(of([name], identity, AESCBC)), true, name);
      assert.equal(opensSecrets(of(['configmaps', name], AESCBC)), false, name);
    }
    for (const name of ['configmaps', '*.apps', 'secrets.apps', ''])
      assert.equal(opensSecrets(of([name], AESCBC)), true, name);
    const several = (...lists: readonly Fields[]): Fields => ({
      resources: lists.flatMap(({ resources }) => resources as readonly Fields[]),
    });
    const [first, second] = [of(['secrets'], AESCBC), of(['*.*'], identity)];
    assert.equal(opensSecrets(several(of(['configmaps'], identity), first, second)), false);
    assert.equal(opensSecrets(several(second, first)), true);
    assert.equal(opensSecrets({}), true);
  });

  it('names one provider at each place that it knows', () => {
    for (const [provider, told] of [
      [{}, 'the provider of nothing'],
      [{ aesctr: {} }, 'the provider aesctr'],
      [{ identity: {}, ...AESCBC }, 'the provider identity, aescbc'],
      [{ aescbc: {} }, 'aescbc has no key'],
      [{ ['x'.repeat(70)]: {} }, `the provider ${'x'.repeat(60)}`],
    ] as const)
      assert.equal(odd(of(['secrets'], provider)), told);
    const many = [...Array.from({ length: 10 }, () => ({ identity: {} })), { aesctr: {} }];
    assert.equal(odd(of(['secrets'], ...many)), 'the provider aesctr');
  });

  it('has keys that somebody has made, and no field of another name', () => {
    const zeros = { aescbc: { keys: [{ name: 'a', secret: Buffer.alloc(32).toString('base64') }] } };
    assert.equal(odd(of(['secrets'], zeros)), 'a key of aescbc is all zeros');
    const more = { resources: [{ resources: ['secrets'], providers: [AESCBC], provider: [] }] };
    assert.equal(odd(more), 'resources[0].provider is no field');
    assert.equal(odd({ ...of(['secrets'], AESCBC), kind: 1 }), 'kind is of another type');
  });
});

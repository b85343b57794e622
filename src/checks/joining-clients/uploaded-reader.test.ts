import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { UploadRun, UploadTime } from '../../kubernetes/upload-run.js';
import { createAuthority } from '../../pki/authority.js';
import { certificatesIn, tryCertificate } from '../certificates/x509.js';
import { twinsOf } from '../common/twins.testing.js';
import { readUpload, type TimeSeen } from './uploaded-reader.js';

const KEY = 'ab'.repeat(32);
const encoded = (value: string | Buffer): string => Buffer.from(value).toString('base64');

function encrypted(plain: string, nonce = '1'): string {
  const iv = Buffer.from(nonce.padEnd(12, '.'));
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(KEY, 'hex'), iv);
  return encoded(Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
}

const object = (kind: string, name: string, more: Fields = {}, metadata: Fields = {}): KubeObject =>
  ({ kind, metadata: { name, uid: `uid-${name}`, resourceVersion: '1', ...metadata }, ...more }) as KubeObject;
const TOKEN = object('Secret', 'bootstrap-token-aaaaaa');
const OWNER = { apiVersion: 'v1', kind: 'Secret', name: 'bootstrap-token-aaaaaa', uid: 'uid-bootstrap-token-aaaaaa' };
const certs = (data: Fields, owners: readonly Fields[] = []): KubeObject =>
  object('Secret', 'kubeadm-certs', { data }, { ownerReferences: owners });

const runOf = (more: Partial<UploadRun> = {}): UploadRun => ({
  circumstance: 'in a test',
  times: [],
  files: { 'sa.pub': 'public', 'ca.key': 'key', 'a.key': 'key', 'no.key': null },
  authorityPem: '',
  server: 'https://192.0.2.20:6443',
  token: 'abcdef.0123456789abcdef',
  ...more,
});
const timeOf = (objects: readonly KubeObject[], more: Partial<UploadTime> = {}): TimeSeen => {
  const time: UploadTime = { began: 60_000, exit: 0, said: [KEY], objects, ...more };
  const [seen] = readUpload(runOf({ times: [time] })).times;
  assert.ok(seen);
  return seen;
};

describe('an upload', () => {
  it('is told with what lies on the disk, and whom the cluster believes', () => {
    const { certificate } = createAuthority({ commonName: 'a', key: 'ECDSA-P256', now: 0 });
    const [der] = certificatesIn(certificate.pem);
    const facts = der === undefined ? undefined : tryCertificate(der);
    assert.ok(facts !== undefined && !('unreadable' in facts));
    const broken = '-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n';
    const empty = { times: [], files: ['a.key', 'ca.key', 'no.key', 'sa.pub'], absent: ['no.key'] };
    assert.deepEqual(readUpload(runOf({ authorityPem: broken + certificate.pem })), {
      ...empty,
      subject: 'an upload, in a test',
      pins: [facts.pin],
      login: null,
      signs: false,
      outlives: null,
    });
    const { absent } = readUpload(runOf({ files: { c: null, a: null, b: '' } }));
    assert.deepEqual(absent, ['a', 'c']);
    const told = readUpload(runOf({ login: 403, signs: true, outlives: false }));
    assert.deepEqual([told.login, told.signs, told.outlives], [403, true, false]);
    assert.equal(readUpload(runOf({ outlives: true })).outlives, true);
  });
});

describe('an entry', () => {
  const holds = (value: string, name = 'ca.key', time: Partial<UploadTime> = {}): string | undefined =>
    timeOf([certs({ [name]: value })], time)
      .certs?.entries.map((entry) => entry.holds)
      .join();

  it('is the file that the key makes of it, by its own name where two hold the same', () => {
    assert.equal(holds(encrypted('key')), 'ca.key');
    assert.equal(holds(encrypted('key'), 'a.key'), 'a.key');
    assert.equal(holds(encrypted('key'), 'other.key'), 'ca.key');
    assert.equal(holds(encrypted('public')), 'sa.pub');
    for (const twin of twinsOf('key')) assert.equal(holds(encrypted(twin)), 'another text', twin);
    assert.equal(holds(''), 'nothing');
    assert.equal(holds(encrypted('')), 'another text');
  });

  it('is closed where the key does not open it, or it is cut', () => {
    assert.equal(holds(encrypted('key'), 'ca.key', { told: 'cd'.repeat(32) }), 'closed');
    assert.equal(holds(encoded('short')), 'closed');
    const whole = Buffer.from(encrypted('key'), 'base64');
    for (const length of [27, 28, 30]) assert.equal(holds(encoded(whole.subarray(0, length))), 'closed', `${length}`);
  });

  it('stands with the others in the order of names, and tells a nonce that is used twice', () => {
    const data = { b: encrypted('key'), a: encrypted('public'), d: '', c: encrypted('key', '2'), e: '' };
    const seen = timeOf([certs(data)]).certs;
    assert.deepEqual(
      seen?.entries.map(({ name }) => name),
      ['a', 'b', 'c', 'd', 'e'],
    );
    assert.equal(seen?.alike, 1);
    assert.deepEqual(timeOf([certs({ a: encoded('-----BEGIN X') })]).certs?.entries, [
      { name: 'a', holds: 'closed', readable: true },
    ]);
  });
});

describe('the owner of what is uploaded', () => {
  const owned = (...owners: readonly Fields[]): readonly unknown[] => {
    const other = object('Secret', 'bootstrap-token-bbbbbb');
    const seen = timeOf([other, TOKEN, certs({}, owners)]).certs;
    return [seen?.owned, ...(seen?.owners ?? [])];
  };
  const theToken = 'Secret, the token of the upload';

  it('is one token of the upload, and nothing that is named like it', () => {
    assert.deepEqual(owned(OWNER), [true, theToken]);
    assert.deepEqual(owned(), [false]);
    assert.deepEqual(owned(OWNER, OWNER), [false, theToken, theToken]);
    assert.deepEqual(owned(OWNER, { ...OWNER, uid: 'x' }), [false, theToken, 'Secret, something else']);
    for (const key of ['apiVersion', 'kind', 'name', 'uid'] as const)
      for (const twin of twinsOf(OWNER[key]))
        assert.equal(owned({ ...OWNER, [key]: twin })[0], false, `${key} "${twin}"`);
    assert.deepEqual(owned({ ...OWNER, uid: 'uid-bootstrap-token-bbbbbb' }), [false, 'Secret, something else']);
  });
});

describe('tokens of an upload', () => {
  const token = (data: Readonly<Record<string, string>>, name = 'bootstrap-token-aaaaaa'): KubeObject =>
    object('Secret', name, {
      data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encoded(value)])),
    });

  it('are those that it was not told to make', () => {
    const names = ['bootstrap-token-abcdef', 'bootstrap-token-bbbbbb', 'Bootstrap-token-cccccc', 'kubeadm-certs'];
    assert.equal(timeOf(names.map((name) => token({}, name))).tokens.length, 1);
    assert.equal(timeOf([{ ...TOKEN, kind: 'ConfigMap' }]).tokens.length, 0);
  });

  it('are told with their life, usages and groups', () => {
    const read = (data: Readonly<Record<string, string>>) => timeOf([token(data)]).tokens;
    assert.deepEqual(read({ expiration: '1970-01-01T02:00:00Z', 'auth-extra-groups': ',a,,b' }), [
      { seconds: 7140, usages: [], groups: ['a', 'b'] },
    ]);
    const usages = { 'usage-b': 'true', 'usage-a': 'true', 'usage-c': 'True', 'usage-d': '', 'no-usage-e': 'true' };
    assert.deepEqual(read({ ...usages, expiration: 'soon' }), [
      { seconds: null, usages: ['usage-a', 'usage-b'], groups: [] },
    ]);
  });
});

describe('what an upload grants', () => {
  const NAME = 'kubeadm:kubeadm-certs';
  const role = (rules: readonly Fields[], name = NAME): KubeObject => object('Role', name, { rules });
  const binding = (roleRef: Fields, subjects: readonly Fields[] = [{ kind: 'Group', name: 'g' }]): KubeObject =>
    object('RoleBinding', NAME, { roleRef, subjects });

  it('is each right of the role of that name', () => {
    const rule = { verbs: ['get', 'list'], resources: ['secrets', 'pods'], resourceNames: ['a', 'b'] };
    assert.deepEqual(timeOf([role([rule])]).rights, [
      ...['get secrets/a', 'get secrets/b', 'get pods/a', 'get pods/b'],
      ...['list secrets/a', 'list secrets/b', 'list pods/a', 'list pods/b'],
    ]);
    assert.deepEqual(timeOf([role([{ verbs: ['*'], resources: ['*'] }, rule])]).rights.slice(0, 2), [
      '* *',
      'get secrets/a',
    ]);
    for (const twin of twinsOf(NAME)) assert.deepEqual(timeOf([role([rule], twin)]).rights, [], twin);
    assert.deepEqual(timeOf([]).rights, []);
  });

  it('is bound by a binding to that role alone', () => {
    const bound = (roleRef: Fields): readonly string[] => timeOf([binding(roleRef)]).bound;
    assert.deepEqual(bound({ kind: 'Role', name: NAME }), ['Group g']);
    for (const twin of twinsOf('Role')) assert.deepEqual(bound({ kind: twin, name: NAME }), [], twin);
    for (const twin of twinsOf(NAME)) assert.deepEqual(bound({ kind: 'Role', name: twin }), [], twin);
    const two = [{ kind: 'Group', name: 'g' }, { kind: 'User', name: 'u' }, {}];
    assert.deepEqual(timeOf([binding({ kind: 'Role', name: NAME }, two)]).bound, ['Group g', 'User u', ' ']);
  });

  it('is made in the order in which the cluster stored it', () => {
    const at = (one: KubeObject, resourceVersion: string): KubeObject => ({
      ...one,
      metadata: { ...one.metadata, resourceVersion },
    });
    const others = object('Secret', 'bootstrap-token-zzzzzz', {}, { resourceVersion: '1' });
    const all = [at(TOKEN, '30'), others, at(role([]), '4'), at(binding({}), '5'), at(certs({}), '20')];
    assert.deepEqual(timeOf(all).order, ['Role', 'RoleBinding', 'Secret', 'Secret']);
  });
});

describe('the key of an upload', () => {
  const keyOf = (said: readonly string[], more: Partial<UploadTime> = {}) => {
    const { printed, said: isSaid, digits, key } = timeOf([], { said, ...more });
    return [printed, isSaid, digits, key !== ''];
  };

  it('is what it was told, or the last that it said', () => {
    assert.deepEqual(keyOf([`key: ${KEY}`]), [1, true, 64, true]);
    assert.deepEqual(keyOf([KEY, `sha256:${'cd'.repeat(32)}`]), [1, true, 64, true]);
    assert.deepEqual(keyOf(['cd'.repeat(32), KEY]), [2, true, 64, true]);
    assert.deepEqual(keyOf([KEY.toUpperCase()], { told: KEY }), [1, true, 64, true]);
    assert.deepEqual(keyOf(['CD'.repeat(32), KEY], { told: KEY.toUpperCase() }), [2, true, 64, true]);
    assert.deepEqual(keyOf([KEY], { told: 'cd'.repeat(32) }), [1, false, 64, true]);
    assert.deepEqual(keyOf([`${KEY}0`, `x${KEY}`, `${KEY}z`]), [0, false, 0, false]);
    assert.deepEqual(keyOf([]), [0, false, 0, false]);
    assert.deepEqual(keyOf([KEY], { told: '' }), [1, false, 0, false]);
    for (const [told, digits] of [
      ['abc', 3],
      ['xyz', 0],
      ['abz', 0],
      ['zab', 0],
      ['ABC', 3],
    ] as const)
      assert.deepEqual(keyOf([], { told })[2], digits, told);
    const [a, b] = [KEY, KEY.toUpperCase()].map((told) => timeOf([], { told }).key);
    assert.equal(a, b);
  });

  it('is found in what the cluster holds, in whatever form', () => {
    const found = (value: string, told = KEY): readonly string[] =>
      timeOf([object('ConfigMap', 'a', { data: { value } }), object('Node', 'b')], { told }).leaks;
    const raw = Buffer.from(KEY, 'hex').toString('base64');
    for (const value of [KEY, `x ${KEY}`, encoded(KEY), raw]) assert.deepEqual(found(value), ['ConfigMap a'], value);
    assert.deepEqual(found(KEY, KEY.toUpperCase()), ['ConfigMap a']);
    assert.deepEqual(found('cd'.repeat(32)), []);
    assert.deepEqual(found(KEY, ''), [], 'no key is nowhere');
  });

  it('stands in no Secret of another name', () => {
    const misnamed = (name: string, data: Fields, kind = 'Secret') => timeOf([object(kind, name, { data })]).misnamed;
    for (const twin of [...twinsOf('kubeadm-certs'), 'other'])
      assert.deepEqual(misnamed(twin, { 'x.key': '', 'ca.key': '' }), [twin]);
    assert.deepEqual(misnamed('kubeadm-certs', { 'ca.key': '' }), []);
    assert.deepEqual(misnamed('other', { 'CA.key': '' }), []);
    assert.deepEqual(misnamed('other', { 'ca.key': '' }, 'ConfigMap'), []);
  });
});

describe('the words of an upload', () => {
  it('are the last that say something, without keys', () => {
    const words = (...said: readonly string[]): string => timeOf([], { said }).words;
    assert.equal(words('a', 'b', ' ', 'To see the stack trace of this error execute with --v=5'), 'b');
    assert.equal(words('a', 'not To see the stack trace'), 'not To see the stack trace');
    assert.equal(words(`the key ${KEY} and ${KEY}`), 'the key (a key) and (a key)');
    assert.equal(words('x'.repeat(400)), 'x'.repeat(300));
    assert.equal(words(), '');
  });

  it('have pins for those who join, and how it ended', () => {
    const pins = (...said: readonly string[]) => timeOf([], { said }).pins;
    const pin = `sha256:${'01'.repeat(32)}`;
    assert.deepEqual(pins(`--discovery-token-ca-cert-hash ${pin} \\`, `--discovery-token-ca-cert-hash=${pin}`), [
      pin,
      pin,
    ]);
    assert.deepEqual(pins('--discovery-token-ca-cert-hash', pin), [pin]);
    assert.deepEqual(pins(pin, `--ca-cert-hash ${pin}`, `--discovery-token-ca-cert-hash-${pin}`), []);
    assert.deepEqual([timeOf([]).exit, timeOf([], { exit: 1 }).exit], [0, 1]);
    assert.equal(timeOf([], { exit: undefined }).exit, null);
  });
});

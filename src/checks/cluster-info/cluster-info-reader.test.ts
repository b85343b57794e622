import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConfigMap } from '../../kubernetes/objects.js';
import { certificatesIn, readClusterInfo, textDigest } from './cluster-info-reader.js';

const REMOVED = '(removed by joinproof)';
const published = (kubeconfig: string | undefined): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'cluster-info', namespace: 'kube-public' },
  ...(kubeconfig === undefined ? {} : { data: { 'jws-kubeconfig-abcdef': 'a', kubeconfig } }),
});
const read = (kubeconfig: unknown) => readClusterInfo(published(JSON.stringify(kubeconfig)));

const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
const key = ['-----BEGIN', 'PRIVATE KEY-----\nAAAA\n-----END', 'PRIVATE KEY-----'].join(' ');
const part = (text: string): string => Buffer.from(`{"x":"${text}"}`).toString('base64url');
const jwt = `${part('header')}.${part('payload')}.${'s'.repeat(16)}`;

describe('cluster-info, read', () => {
  it('names its keys in order, and says what its value is not', () => {
    const all = readClusterInfo({ ...published('a: 1'), binaryData: { a: '' } });
    assert.deepEqual(all, {
      keys: ['a', 'jws-kubeconfig-abcdef', 'kubeconfig'],
      published: { kubeconfig: { a: 1 } },
      credentials: [],
    });
    const problem = (text: string | undefined) => readClusterInfo(published(text));
    assert.deepEqual(problem(undefined), {
      keys: [],
      published: { unreadable: 'it has no key "kubeconfig"' },
      credentials: [],
    });
    assert.deepEqual(problem('YTogMQ==').published, { unreadable: 'its value is one string, encoded twice' });
    for (const text of ['[1]', '1', 'null'])
      assert.deepEqual(problem(text).published, { unreadable: 'its value is no mapping' }, text);
    assert.deepEqual(problem('a: [').published, { unreadable: 'its value is no YAML' });
    assert.deepEqual(problem('a: b\n---\nc: d\n').published, {
      unreadable: 'its value is several documents of YAML',
    });
  });

  it('holds no credential by its name, at any depth, and says where one was', () => {
    const names =
      'token tokenFile bearer_token access-token refreshToken idToken client-key client-key-data clientCertificate ' +
      'client-certificate-data client_secret username password exec auth-provider';
    for (const name of names.split(' ')) {
      const { published: found, credentials } = read({ users: [{ user: { [name]: 'x', other: 'y' } }] });
      assert.deepEqual(credentials, [`users[0].user.${name}`]);
      assert.deepEqual(found, { kubeconfig: { users: [{ user: { [name]: REMOVED, other: 'y' } }] } });
    }
    for (const empty of [null, '', []]) {
      const { published: found, credentials } = read({ token: empty });
      assert.deepEqual([found, credentials], [{ kubeconfig: { token: empty } }, []]);
    }
    for (const given of [['x'], 0, false, {}]) assert.deepEqual(read({ token: given }).credentials, ['token']);
  });

  it('holds no credential by its value, and keeps the certificates beside it', () => {
    const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
    assert.deepEqual(read({ note: jwt }).credentials, ['note (a JSON Web Token)']);
    assert.deepEqual(read({ note: `${part('header')}.${part('payload')}.${'s'.repeat(15)}` }).credentials, []);
    const plain = read({ ca: `${certificate}\n${key}` });
    assert.deepEqual(plain.credentials, ['ca (a private key)']);
    assert.deepEqual(plain.published, { kubeconfig: { ca: `${certificate}\n${REMOVED}` } });
    const encoded = read({ ca: base64(`${certificate}\n${key}`) });
    assert.deepEqual(encoded.credentials, ['ca (a private key)']);
    assert.deepEqual(encoded.published, { kubeconfig: { ca: base64(`${certificate}\n`) } });
    assert.deepEqual(read({ server: 'https://u:p@a:1/x' }), {
      keys: ['jws-kubeconfig-abcdef', 'kubeconfig'],
      published: { kubeconfig: { server: 'https://a:1/x' } },
      credentials: ['server (a user in its URL)'],
    });
    for (const server of ['https://a/b@c', 'see https://u@a'])
      assert.deepEqual(read({ server }).published, { kubeconfig: { server } });
  });

  it('says that a comment holds one, where nothing else does', () => {
    assert.deepEqual(readClusterInfo(published(`# ${jwt}\na: 1`)).credentials, ['a comment (a JSON Web Token)']);
    assert.deepEqual(readClusterInfo(published(`# ${jwt}\ntoken: x`)).credentials, ['token']);
  });

  it('is compared by a digest', () => {
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    assert.equal(textDigest(published('abc')), digest);
    assert.equal(textDigest(published(undefined)), null);
    assert.deepEqual(certificatesIn(`x${certificate}\n${key}${certificate}`), [certificate, certificate]);
    assert.deepEqual(certificatesIn(key), []);
  });
});

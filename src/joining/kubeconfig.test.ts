import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAuthority } from '../pki/authority.js';
import { encodePem } from '../pki/pem.js';
import { JoinFailed } from './failures.js';
import { caCertificates, readKubeconfig, validate } from './kubeconfig.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const why = (act: () => unknown): string => {
  try {
    act();
    return 'nothing';
  } catch (error) {
    assert.ok(error instanceof JoinFailed, String(error));
    return error.message;
  }
};
const read = (value: unknown) => readKubeconfig(JSON.stringify(value));

describe('a kubeconfig that a machine is given', () => {
  it('is read with its clusters, users and contexts', () => {
    const { clusters, users, contexts, currentContext } = read({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'a', cluster: { server: 'https://no', 'certificate-authority': '/no' } },
        { name: 'a', cluster: { server: 'https://a:1', 'certificate-authority-data': base64('ca') } },
        { name: 'b', cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority': '/ca' } },
        { name: 'c' },
      ],
      users: [
        { name: 'u', user: { token: 't', tokenFile: '/t', 'client-key': '/k', 'client-certificate': '/c' } },
        { name: 'v', user: { 'client-certificate-data': base64('c'), 'client-key-data': base64('k'), exec: {} } },
        { name: 'w', user: { 'auth-provider': {} } },
      ],
      contexts: [{ name: 'x', context: { cluster: 'a', user: 'u' } }, { name: 'y' }],
      'current-context': 'x',
    });
    assert.deepEqual(Object.fromEntries(clusters), {
      a: { server: 'https://a:1', caPem: 'ca', caFile: '', skipsVerification: false },
      b: { server: '', caPem: '', caFile: '/ca', skipsVerification: true },
      c: { server: '', caPem: '', caFile: '', skipsVerification: false },
    });
    const none = { certificatePem: '', keyPem: '', certificateFile: '', keyFile: '' };
    assert.deepEqual(Object.fromEntries(users), {
      u: { ...none, token: 't', tokenFile: '/t', certificateFile: '/c', keyFile: '/k', hasPlugin: false },
      v: { ...none, token: '', tokenFile: '', certificatePem: 'c', keyPem: 'k', hasPlugin: true },
      w: { ...none, token: '', tokenFile: '', hasPlugin: true },
    });
    assert.deepEqual(Object.fromEntries(contexts), {
      x: { cluster: 'a', user: 'u' },
      y: { cluster: '', user: '' },
    });
    assert.equal(currentContext, 'x');
  });

  it('may say neither its kind nor its version, and nothing at all', () => {
    for (const head of [{}, { apiVersion: 'v1' }, { kind: 'Config' }, { apiVersion: null, kind: '' }])
      assert.equal(read({ ...head, 'current-context': 'a' }).currentContext, 'a');
    assert.equal(readKubeconfig('').clusters.size, 0);
  });

  it('is refused where it is none', () => {
    assert.equal(
      why(() => read({ apiVersion: 'v2', kind: 'Config' })),
      'no kind "Config" is registered for version "v2"',
    );
    assert.equal(
      why(() => read({ apiVersion: 'v1', kind: 'Pod' })),
      'no kind "Pod" is registered for version "v1"',
    );
    assert.equal(
      why(() => read({ apiVersion: 'v2' })),
      'no kind "Config" is registered for version "v2"',
    );
    const none = "couldn't get version/kind; json parse error: json: cannot unmarshal";
    assert.equal(
      why(() => readKubeconfig('[]')),
      `${none} array`,
    );
    assert.equal(
      why(() => readKubeconfig('words')),
      `${none} string`,
    );
    assert.match(
      why(() => readKubeconfig('a: [')),
      /^yaml: /,
    );
    const more = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]\n`);
    assert.match(
      why(() => readKubeconfig(`a0: &a0 [x]\n${more.join('')}`)),
      /^yaml: .*[Aa]lias/,
    );
  });

  it('holds base64 as Go reads it', () => {
    const of = (data: string) =>
      why(() => read({ clusters: [{ name: 'a', cluster: { 'certificate-authority-data': data } }] }));
    for (const good of ['', 'YQ==', 'YWI=', 'YWJj', 'YW\nJj\r\n']) assert.equal(of(good), 'nothing', good);
    assert.equal(of('YWJ'), 'illegal base64 data at input byte 3');
    assert.equal(of('YW*j'), 'illegal base64 data at input byte 2');
    assert.equal(of('Y==='), 'illegal base64 data at input byte 1');
    assert.equal(of('YWJjYW-_'), 'illegal base64 data at input byte 6');
  });
});

describe('what makes a kubeconfig no good', () => {
  const cluster = { server: 'https://a:1', 'certificate-authority-data': base64('ca') };
  const of = (change: object, skips?: boolean): string => {
    const whole = {
      clusters: [{ name: 'a', cluster }],
      users: [{ name: 'u', user: {} }],
      contexts: [{ name: 'x', context: { cluster: 'a', user: 'u' } }],
      'current-context': 'x',
    };
    return why(() => validate(read({ ...whole, ...change }), skips));
  };
  const context = (inner: object) => ({ contexts: [{ name: 'x', context: inner }] });

  it('is nothing where each name leads somewhere', () => {
    assert.equal(of({}), 'nothing');
    assert.equal(of({ 'current-context': '' }), 'nothing');
    assert.equal(of({ contexts: [], 'current-context': '' }), 'nothing');
  });

  it('is a name that leads nowhere, or is missing', () => {
    const invalid = 'invalid configuration:';
    assert.equal(of({ 'current-context': 'y' }), `${invalid} context was not found for specified context: y`);
    assert.equal(of(context({ cluster: 'a' })), `${invalid} user was not specified for context "x"`);
    assert.equal(of(context({ cluster: 'a', user: 'v' })), `${invalid} user "v" was not found for context "x"`);
    assert.equal(of(context({ user: 'u' })), `${invalid} cluster was not specified for context "x"`);
    assert.equal(of(context({ cluster: 'b', user: 'u' })), `${invalid} cluster "b" was not found for context "x"`);
    assert.equal(
      of(context({})),
      `${invalid} [user was not specified for context "x", cluster was not specified for context "x"]`,
    );
  });

  it('is a cluster without a server, or one that is believed and not believed', () => {
    const named = (name: string, inner: object) => ({
      clusters: [{ name, cluster: inner }],
      contexts: [],
      'current-context': '',
    });
    assert.equal(of(named('a', {})), 'invalid configuration: no server found for cluster "a"');
    assert.equal(of(named('', {})), 'invalid configuration: default cluster has no server defined');
    const skips = { 'insecure-skip-tls-verify': true, server: 'https://a:1' };
    const both = 'specifying a root certificates file with the insecure flag is not allowed';
    assert.equal(of(named('a', skips)), 'nothing');
    assert.equal(of(named('a', { ...cluster, ...skips })), `invalid configuration: ${both}`);
    assert.equal(of(named('a', { ...skips, 'certificate-authority': '/ca' })), `invalid configuration: ${both}`);
    assert.equal(of(named('a', { ...cluster, ...skips }), true), 'nothing');
  });
});

describe('the authorities of a PEM text', () => {
  const one = createAuthority({ commonName: 'one', key: 'ECDSA-P256', now: Date.now() }).certificate.pem;
  const two = createAuthority({ commonName: 'two', key: 'ECDSA-P256', now: Date.now() }).certificate.pem;
  const NONE = 'data does not contain any valid RSA or ECDSA certificates';

  it('are all certificates in it, and nothing else', () => {
    const other = encodePem('EC PRIVATE KEY', Buffer.from('x'));
    assert.deepEqual(
      caCertificates(`text\n${one}${other}${two}`).map(({ commonName }) => commonName),
      ['one', 'two'],
    );
    const headed = two.replace('-----\n', '-----\nA: b\n\n');
    assert.deepEqual(
      caCertificates(`${headed}${one}`).map(({ commonName }) => commonName),
      ['one'],
    );
  });

  it('are refused where there is none, or a broken one', () => {
    for (const pem of ['', 'text', encodePem('KEY', Buffer.from('x'))])
      assert.equal(
        why(() => caCertificates(pem)),
        NONE,
      );
    const broken = why(() => caCertificates(`${one}${encodePem('CERTIFICATE', Buffer.from('x'))}`));
    assert.ok(broken !== NONE && broken !== 'nothing', broken);
  });
});

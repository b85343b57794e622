import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { commandLines } from '../written/control-plane-flags.js';
import { type Asked, heardAsFlagsSay, knownOf, readAuthenticators } from './authenticators.js';

const FLAGS = ['--etcd-servers=https://127.0.0.1:2379', '--authorization-mode=Node,RBAC', '--client-ca-file=/ca.crt'];
const pod = (name: string, ...command: readonly string[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'kube-system' },
  spec: { containers: [{ command: ['kube-apiserver', ...command] }] },
});
const UNASKED: Asked = { nothing: [], trust: null, issuer: '' };
const seenOf = (pods: readonly KubeObject[], asked: Partial<Asked> = {}) =>
  readAuthenticators(commandLines(pods), { ...UNASKED, ...asked });
const at = (livez: number, api: number): Asked['nothing'] => [
  { path: '/livez', status: livez },
  { path: '/api', status: api },
];

describe('authenticators by their flags', () => {
  const cases = [
    ['client certificates', [], 'on', /name --client-ca-file/],
    ['static tokens', [], 'off', /^the API server's flags name no --token-auth-file$/],
    ['static tokens', ['--token-auth-file=/tokens.csv'], 'on', /name --token-auth-file/],
    ['static tokens', ['--token-auth-file='], 'off', /name no/],
    ['front proxies', ['--requestheader-client-ca-file', '/proxy.crt'], 'on', /name --requestheader-client-ca-file/],
    ['service accounts', ['--service-account-signing-endpoint=/signer.sock'], 'on', /name --service-account-key-file/],
    ['bootstrap tokens', [], 'off', /do not switch/],
    ['bootstrap tokens', ['--enable-bootstrap-token-auth'], 'on', /switch --enable-bootstrap-token-auth on/],
    ['bootstrap tokens', ['--enable-bootstrap-token-auth=false'], 'off', /do not switch/],
    ['identity providers', ['--oidc-issuer-url=https://id.example'], 'on', /oidc/],
    ['identity providers', ['--authentication-config=/auth.yaml'], 'unknown', /not published/],
    ['a webhook', ['--authentication-token-webhook-config-file=/hook.yaml'], 'on', /webhook/],
    ['strangers', [], 'on', /leave --anonymous-auth on/],
    ['strangers', ['--anonymous-auth=false'], 'off', /shut strangers out/],
    ['strangers', ['--authentication-config=/auth.yaml'], 'unknown', /not published/],
    ['strangers', ['--authorization-mode=AlwaysAllow'], 'off', /AlwaysAllow/],
    ['strangers', ['--authorization-mode=AlwaysAllow', '--authorization-config=/a.yaml'], 'on', /leave/],
  ] as const;
  for (const [authenticator, more, state, by] of cases)
    it(`${authenticator} are ${state} with ${more.join(' ') || 'those of kubeadm'}`, () => {
      const known = knownOf(seenOf([pod('a', ...FLAGS, ...more)]), authenticator);
      assert.equal(known.state, state);
      assert.match(known.by, by);
    });

  it('are those of all API servers, or of some', () => {
    const [one, other] = [pod('a', ...FLAGS), pod('b', ...FLAGS, '--token-auth-file=/tokens.csv')];
    assert.equal(knownOf(seenOf([one, one]), 'static tokens').state, 'off');
    const known = knownOf(seenOf([one, other]), 'static tokens');
    assert.deepEqual(known, {
      state: 'some',
      by: 'the flags of Pod kube-system/a and of Pod kube-system/b differ in it',
    });
    for (const pods of [
      [one, other, one],
      [one, one, other],
    ])
      assert.equal(knownOf(seenOf(pods), 'static tokens').state, 'some');
    const unpublished = pod('b', ...FLAGS, '--authentication-config=/auth.yaml');
    for (const pods of [
      [one, unpublished],
      [unpublished, one],
    ])
      assert.equal(knownOf(seenOf(pods), 'identity providers').state, 'some');
  });

  it('are not read of what is no command line of kube-apiserver', () => {
    const known = knownOf(seenOf([pod('a', '-c', 'exec kube-apiserver --etcd-servers=x')]), 'static tokens');
    assert.equal(known.state, 'unknown');
    assert.match(known.by, /^no Pod of kube-system shows the flags of kube-apiserver, and .*nobody can ask for it$/);
  });
});

describe('authenticators where no flags are published', () => {
  const trust = { 'client-ca-file': 'PEM' };
  const cases = [
    ['client certificates', { trust }, 'on'],
    ['front proxies', { trust }, 'off'],
    ['front proxies', { trust: null }, 'unknown'],
    ['service accounts', { issuer: 'https://issuer.example' }, 'on'],
    ['service accounts', {}, 'unknown'],
    ['strangers', { nothing: at(200, 403) }, 'on'],
    ['strangers', { nothing: at(401, 401) }, 'off'],
    ['strangers', { nothing: at(200, 401) }, 'some'],
    ['strangers', {}, 'unknown'],
    ['bootstrap tokens', {}, 'unknown'],
  ] as const;
  for (const [authenticator, asked, state] of cases)
    it(`${authenticator} are ${state} by ${JSON.stringify(asked)}`, () => {
      assert.equal(knownOf(seenOf([], asked), authenticator).state, state);
    });
});

describe('strangers', () => {
  const results = (flags: readonly string[], nothing: Asked['nothing']) =>
    heardAsFlagsSay.judge(seenOf([pod('a', ...FLAGS, ...flags)], { nothing }), undefined).map(({ result }) => result);

  it('are heard as flags say', () => {
    assert.deepEqual(results([], at(200, 403)), ['met']);
    assert.deepEqual(results(['--anonymous-auth=false'], at(401, 401)), ['met']);
    assert.deepEqual(results(['--anonymous-auth=false'], at(200, 401)), ['unmet']);
    assert.deepEqual(results(['--anonymous-auth=false'], at(200, 403)), ['unmet']);
    assert.deepEqual(results([], at(200, 401)), ['unmet']);
  });

  it('are not judged by what a file says, nor where nobody could ask', () => {
    assert.deepEqual(results(['--authentication-config=/auth.yaml'], at(200, 401)), []);
    assert.deepEqual(results([], []), []);
  });

  it('are not judged where API servers differ', () => {
    const seen = seenOf([pod('a', ...FLAGS), pod('b', ...FLAGS, '--anonymous-auth=false')], { nothing: at(401, 401) });
    assert.deepEqual(heardAsFlagsSay.judge(seen, undefined), []);
  });
});

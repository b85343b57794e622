import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Credentials } from '../../apiserver/access.js';
import { createAuthority } from '../../pki/authority.js';
import { createCertificate, parseCertificate } from '../../pki/certificate.js';
import { generateKey } from '../../pki/keys.js';
import { ATTRIBUTE } from '../../pki/oids.js';
import { NOW, putToken, type TestWorld, testWorld } from '../world.test.js';
import { type AuthenticatorOptions, createAuthenticator } from './authenticator.js';

const HOUR = 3_600_000;
/** As kubeadm's flags name them. */
const NAMED = { user: ['x-remote-user'], uid: [], group: ['x-remote-group'], extra: ['x-remote-extra-'] };
const TOKEN = { 'token-id': 'foobar', 'token-secret': 'circumnavigation', 'usage-bootstrap-authentication': 'true' };
const PRESENTED = 'foobar.circumnavigation';

const build = (world: TestWorld, options: Partial<AuthenticatorOptions> = {}) =>
  createAuthenticator({ ...world, clientCas: [], bootstrapTokenAuth: true, anonymousAuth: true, ...options });
const credentials = (given: Partial<Credentials>): Credentials => ({
  authorization: [],
  certificates: [],
  headers: {},
  ...given,
});
const bearer = (token: string): Credentials => credentials({ authorization: [`Bearer ${token}`] });

/**
 * plugin/pkg/auth/authenticator/token/bootstrap/bootstrap_test.go, and what it leaves out. Groups of who logs in;
 * undefined: 401.
 */
const CASES: readonly {
  readonly name: string;
  readonly secret?: string;
  readonly data?: object;
  readonly more?: object;
  readonly groups?: readonly string[];
}[] = [
  { name: 'valid token', groups: ['system:bootstrappers'] },
  {
    name: 'extra group',
    data: { 'auth-extra-groups': 'system:bootstrappers:foo' },
    groups: ['system:bootstrappers', 'system:bootstrappers:foo'],
  },
  { name: 'bad extra group', data: { 'auth-extra-groups': 'foo' } },
  { name: 'trailing comma', data: { 'auth-extra-groups': 'system:bootstrappers:foo,' } },
  { name: 'bad name', secret: 'bad-name' },
  { name: 'no usage', data: { 'usage-bootstrap-authentication': undefined } },
  { name: 'usage in capitals', data: { 'usage-bootstrap-authentication': 'True' } },
  { name: 'wrong secret', data: { 'token-secret': 'circumnavigatiom' } },
  { name: 'longer secret', data: { 'token-secret': 'circumnavigation2' } },
  { name: 'other id', data: { 'token-id': 'barfoo' } },
  { name: 'wrong type', more: { type: 'Opaque' } },
  { name: 'no data', more: { data: undefined } },
  {
    name: 'deleted',
    more: {
      metadata: { namespace: 'kube-system', name: 'bootstrap-token-foobar', deletionTimestamp: '2026-11-20T10:00:00Z' },
    },
  },
  { name: 'expired', data: { expiration: '2009-11-10T23:00:00Z' } },
  { name: 'expires later', data: { expiration: '2109-11-10T23:00:00Z' }, groups: ['system:bootstrappers'] },
  { name: 'unreadable expiration', data: { expiration: 'tomorrow' } },
];

for (const { name, secret = 'bootstrap-token-foobar', data = {}, more = {}, groups } of CASES) {
  test(`bootstrap token: ${name}`, () => {
    const world = testWorld();
    putToken(world, secret, { ...TOKEN, ...data }, more);
    const result = build(world).authenticate(bearer(PRESENTED), []);
    if (groups === undefined) return assert.equal(result.kind, 'refused');
    assert.deepEqual(result.kind === 'user' && result.user, {
      username: 'system:bootstrap:foobar',
      groups: [...groups, 'system:authenticated'],
    });
  });
}

test('an accepted token is remembered for ten seconds, a refused one is not', () => {
  const world = testWorld();
  const authenticator = build(world);
  assert.equal(authenticator.authenticate(bearer(PRESENTED), []).kind, 'refused');
  putToken(world, 'bootstrap-token-foobar', TOKEN);
  assert.equal(authenticator.authenticate(bearer(PRESENTED), []).kind, 'user');
  world.store.delete({ group: '', resource: 'secrets' }, 'kube-system', 'bootstrap-token-foobar');
  world.clock.advance(9_999);
  assert.equal(authenticator.authenticate(bearer(PRESENTED), []).kind, 'user');
  assert.equal(authenticator.review(PRESENTED, []).user?.username, 'system:bootstrap:foobar');
  world.clock.advance(1);
  assert.equal(authenticator.authenticate(bearer(PRESENTED), []).kind, 'refused');
});

test('without credentials one is anonymous, where that is allowed', () => {
  const world = testWorld();
  assert.deepEqual(build(world).authenticate(credentials({}), []), {
    kind: 'user',
    via: 'anonymous',
    user: { username: 'system:anonymous', groups: ['system:unauthenticated'] },
    audiences: ['https://kubernetes.default.svc.cluster.local'],
  });
  assert.equal(build(world, { anonymousAuth: false }).authenticate(credentials({}), []).kind, 'refused');
  const warnings: string[] = [];
  const spaced = build(world).authenticate(credentials({ authorization: ['Bearer  x'] }), warnings);
  assert.equal(spaced.kind === 'user' && spaced.via, 'anonymous');
  assert.equal(warnings.length, 1);
});

const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
const stranger = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
const leafKey = generateKey('ECDSA-P256');
type Given = Partial<Parameters<typeof createCertificate>[0]>;
const leaf = (given: Given = {}, from = authority): Buffer =>
  createCertificate({
    subject: { commonName: 'jane', organizations: ['dev', 'ops', 'dev'] },
    issuer: from.facts.subject.der,
    publicKey: leafKey,
    signingKey: from.key,
    notBefore: NOW - HOUR,
    notAfter: NOW + HOUR,
    keyUsage: ['digitalSignature'],
    extendedKeyUsage: ['clientAuth'],
    ...given,
  }).der;
const certificateLogin = (certificates: readonly Buffer[], minor = 36, requestHeader = false) => {
  const world = testWorld(minor);
  const proxies = requestHeader
    ? { requestHeader: { cas: [stranger.certificate.der], allowedNames: ['front-proxy-client'], headers: NAMED } }
    : {};
  return {
    world,
    result: build(world, { clientCas: [authority.certificate.der], ...proxies }).authenticate(
      credentials({ certificates }),
      [],
    ),
  };
};

test('a certificate is a user: last CN, every O, its hash', () => {
  const der = leaf();
  const { result } = certificateLogin([der]);
  assert.deepEqual(result.kind === 'user' && result.user, {
    username: 'jane',
    groups: ['dev', 'ops', 'dev', 'system:authenticated'],
    extra: {
      'authentication.kubernetes.io/credential-id': [`X509SHA256=${createHash('sha256').update(der).digest('hex')}`],
    },
  });
  const old = certificateLogin([der], 31).result;
  assert.equal(old.kind === 'user' && old.user.extra, undefined);
});

test('certificates that are refused, and those that are not', () => {
  const uid = (...values: string[]): Given => ({
    subject: { commonName: 'jane', extra: values.map((value) => ({ oid: ATTRIBUTE.kubernetesUid, value })) },
  });
  const table: readonly (readonly [string, readonly Buffer[], 'user' | 'refused'])[] = [
    ['expired', [leaf({ notAfter: NOW - 1000 })], 'refused'],
    ['not yet valid', [leaf({ notBefore: NOW + 1000 })], 'refused'],
    ['another CA of the same name', [leaf({}, stranger)], 'refused'],
    ['server usage only', [leaf({ extendedKeyUsage: ['serverAuth'] })], 'refused'],
    ['any usage', [leaf({ extendedKeyUsage: ['any'] })], 'user'],
    ['no usage', [leaf({ extendedKeyUsage: [] })], 'user'],
    ['a CA', [leaf({ basicConstraints: { ca: true }, keyUsage: ['keyCertSign'] })], 'user'],
    ['a UID', [leaf(uid('u'))], 'user'],
    ['two UIDs', [leaf(uid('u', 'v'))], 'refused'],
    ['garbage', [Buffer.from('30')], 'refused'],
  ];
  for (const [name, certificates, kind] of table) assert.equal(certificateLogin(certificates).result.kind, kind, name);
  const withUid = certificateLogin([leaf(uid('u'))]).result;
  assert.equal(withUid.kind === 'user' && withUid.user.uid, 'u');
});

test('a certificate without CN is nobody: anonymous, but refused where a proxy CA is configured', () => {
  const der = leaf({ subject: { organizations: ['dev'] } });
  const alone = certificateLogin([der]).result;
  assert.equal(alone.kind === 'user' && alone.via, 'anonymous');
  assert.equal(certificateLogin([der], 36, true).result.kind, 'refused');
});

test('a chain through an intermediate that the client sends', () => {
  const key = generateKey('ECDSA-P256');
  const intermediate = (given: Given): Buffer =>
    leaf({
      subject: { commonName: 'intermediate' },
      publicKey: key,
      keyUsage: ['keyCertSign'],
      extendedKeyUsage: [],
      basicConstraints: { ca: true },
      ...given,
    });
  const below = (parent: Buffer): readonly Buffer[] => {
    return [leaf({ issuer: parseCertificate(parent).subject.der, signingKey: key }), parent];
  };
  assert.equal(certificateLogin(below(intermediate({}))).result.kind, 'user');
  assert.equal(certificateLogin(below(intermediate({ basicConstraints: { ca: false } }))).result.kind, 'refused');
  assert.equal(certificateLogin(below(intermediate({ notAfter: NOW - 1000 }))).result.kind, 'refused');
});

test('the clock decides, not the moment of the first look', () => {
  const world = testWorld();
  const authenticator = build(world, { clientCas: [authority.certificate.der] });
  const certificates = [leaf()];
  assert.equal(authenticator.authenticate(credentials({ certificates }), []).kind, 'user');
  world.clock.advance(HOUR + 1);
  assert.equal(authenticator.authenticate(credentials({ certificates }), []).kind, 'refused');
});

test('the first success wins: a bad certificate beside a good token, a good certificate beside a bad token', () => {
  const world = testWorld();
  putToken(world, 'bootstrap-token-foobar', TOKEN);
  const authenticator = build(world, { clientCas: [authority.certificate.der] });
  const first = authenticator.authenticate(
    { ...bearer(PRESENTED), certificates: [leaf({ notAfter: NOW - 1000 })] },
    [],
  );
  assert.equal(first.kind === 'user' && first.via, 'token');
  const second = authenticator.authenticate({ ...bearer('foobar.aaaaaaaaaaaaaaaa'), certificates: [leaf()] }, []);
  assert.equal(second.kind === 'user' && second.via, 'certificate');
});

test('a proxy speaks for users by headers, under the name that is allowed', () => {
  const world = testWorld();
  const headers = { 'x-remote-user': ['jane'], 'x-remote-group': ['a', 'b'], 'x-remote-extra-acme.com%2fkey': ['v'] };
  const authenticator = build(world, {
    requestHeader: { cas: [authority.certificate.der], allowedNames: ['front-proxy-client'], headers: NAMED },
  });
  const proxy = (commonName: string) =>
    authenticator.authenticate(credentials({ certificates: [leaf({ subject: { commonName } })], headers }), []);
  const found = proxy('front-proxy-client');
  assert.deepEqual(found.kind === 'user' && found.user, {
    username: 'jane',
    groups: ['a', 'b', 'system:authenticated'],
    extra: { 'acme.com/key': ['v'] },
  });
  assert.equal(proxy('somebody').kind, 'refused');
});

test('websocket: one token, well encoded, beside another subprotocol', () => {
  const world = testWorld();
  putToken(world, 'bootstrap-token-foobar', TOKEN);
  const protocol = (token: string): string => `base64url.bearer.authorization.k8s.io.${token}`;
  const good = protocol(Buffer.from(PRESENTED).toString('base64url'));
  const table: readonly (readonly [readonly string[], string])[] = [
    [[`${good}, channel`], 'token'],
    [['channel', good], 'token'],
    [[good], 'refused'],
    [[`${good},${good},channel`], 'refused'],
    [[`${protocol('!!')},channel`], 'refused'],
    [[`${protocol('_w')},channel`], 'refused'],
    [[`${protocol('')},channel`], 'anonymous'],
    [[`${good.toUpperCase()},channel`], 'anonymous'],
  ];
  for (const [webSocketProtocols, expected] of table) {
    const result = build(world).authenticate(credentials({ webSocketProtocols }), []);
    assert.equal(result.kind === 'user' ? result.via : result.kind, expected, webSocketProtocols.join());
  }
});

test('TokenReview: what is refused, what is anonymous, which audiences', () => {
  const world = testWorld();
  putToken(world, 'bootstrap-token-foobar', TOKEN);
  const authenticator = build(world);
  const own = 'https://kubernetes.default.svc.cluster.local';
  assert.deepEqual(authenticator.review(PRESENTED, [own, 'x']), {
    user: { username: 'system:bootstrap:foobar', groups: ['system:bootstrappers', 'system:authenticated'] },
    audiences: [own],
  });
  assert.deepEqual(authenticator.review(PRESENTED, ['x']), { error: 'invalid bearer token' });
  assert.equal(authenticator.review(` ${PRESENTED}`, []).user?.username, 'system:anonymous');
  assert.deepEqual(build(world, { anonymousAuth: false }).review(' x', []), {});
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestHeaderFlags } from '../../kubernetes/authentication-flags.js';
import { createAuthority } from '../../pki/authority.js';
import { authenticationDecisions } from '../decisions/authentication.js';
import { anonymousAccess } from './authentication-configuration.js';
import { trustedProxies } from './request-header.js';

const pem = (commonName: string): string =>
  createAuthority({ commonName, key: 'ECDSA-P256', now: Date.now() }).certificate.pem;
const cas = { client: pem('kubernetes'), proxies: pem('front-proxy-ca') };

test('what upstream refuses of the flags of proxies is refused, with the flag and why', () => {
  const refused = (flags: RequestHeaderFlags, why: RegExp, given = cas, minor = 36) =>
    assert.throws(() => trustedProxies(given, { requestHeader: flags }, minor), why);
  refused({ usernameHeaders: [' '] }, /--requestheader-username-headers has an empty value/);
  refused({ uidHeaders: ['X-Remote-Uid'] }, /read since 1\.33/, cas, 32);
  refused({ uidHeaders: ['X-Other'] }, /must have X-Remote-Uid/);
  refused({ allowedNames: [] }, /overlapping/, { client: cas.client, proxies: `${cas.proxies}${cas.client}` });
  refused({}, /holds no certificate/, { ...cas, proxies: 'nothing' });
  assert.equal(trustedProxies(cas, { requestHeader: false }, 36), undefined);
  assert.deepEqual(trustedProxies(cas, {}, 36)?.headers.uid, []);
});

test('the first header that says something names the user, and every value of every header a group', () => {
  const named = { user: ['a', 'b'], uid: ['u'], group: ['g', 'h'], extra: ['x-', 'y-'] };
  const { proxiedUser, headersForHandlers } = authenticationDecisions;
  const headers = {
    a: [''],
    b: ['jane', 'bob'],
    u: ['5'],
    h: ['z'],
    g: ['p', '', 'q'],
    'y-k': ['3'],
    'x-k': ['1', '2'],
    authorization: ['Bearer t'],
    accept: ['*/*'],
  };
  assert.deepEqual(proxiedUser(headers, named), {
    username: 'jane',
    groups: ['p', 'q', 'z'],
    uid: '5',
    extra: { k: ['1', '2', '3'] },
  });
  assert.equal(proxiedUser({ g: ['system:masters'] }, named), undefined);
  assert.deepEqual(headersForHandlers(headers, named), { accept: ['*/*'] });
});

const configuration = (anonymous: string, version = 'v1') =>
  `apiVersion: apiserver.config.k8s.io/${version}\nkind: AuthenticationConfiguration\n${anonymous}`;

test('a configuration says where strangers are heard, and not beside --anonymous-auth', () => {
  const paths = configuration('anonymous: {enabled: true, conditions: [{path: /livez}, {path: /readyz}]}');
  assert.deepEqual(anonymousAccess(undefined, paths, 36), ['/livez', '/readyz']);
  assert.equal(anonymousAccess(undefined, configuration('anonymous: {enabled: true}'), 36), true);
  assert.equal(anonymousAccess(undefined, configuration('anonymous: {enabled: false}'), 36), false);
  assert.equal(anonymousAccess(false, configuration(''), 36), false);
  assert.equal(anonymousAccess(undefined, undefined, 36), true);
  for (const [text, minor, why] of [
    [paths, 33, /apiserver\.config\.k8s\.io\/v1alpha1 or .*v1beta1/],
    [paths.replace('/v1', '/v1beta1'), 31, /AnonymousAuthConfigurableEndpoints/],
    [paths, 28, /read since 1\.30/],
    [configuration('anonymous: {enabled: false, conditions: [{path: /livez}]}'), 36, /enabled must be true/],
    [configuration('anonymous: {enabled: true, paths: []}'), 36, /unknown field "anonymous\.paths"/],
    [configuration('jwt: [{}]'), 36, /identity providers/],
    ['- a', 36, /no object/],
    ['{', 36, /no YAML/],
  ] as const)
    assert.throws(() => anonymousAccess(undefined, text, minor), why);
  assert.throws(() => anonymousAccess(true, paths, 36), /must not be given as well/);
});

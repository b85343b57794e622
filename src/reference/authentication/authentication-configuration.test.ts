import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymousAccess } from './authentication-configuration.js';

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
    [
      configuration('anonymous: {enabled: true, conditions: [{path: /livez}, {path: /readyz, verb: get}]}'),
      36,
      /unknown field "anonymous\.conditions\.verb"\. Give path alone/,
    ],
    [configuration('anonymous: {enabled: true, conditions: [/livez]}'), 36, /must give each .* a path/],
    [configuration('anonymous: {enabled: true, conditions: [{path: 1}]}'), 36, /must give each .* a path/],
    [configuration('anonymous: {enabled: "true"}'), 36, /true or false/],
    [configuration('jwks: []'), 36, /unknown field "jwks"/],
    [configuration('jwt: [{}]'), 36, /identity providers/],
    ['- a', 36, /no object/],
    ['{', 36, /no YAML/],
  ] as const)
    assert.throws(() => anonymousAccess(undefined, text, minor), why);
  assert.throws(() => anonymousAccess(true, paths, 36), /must not be given as well/);
});

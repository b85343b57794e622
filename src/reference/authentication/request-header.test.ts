import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestHeaderFlags } from '../../kubernetes/authentication-flags.js';
import { createAuthority } from '../../pki/authority.js';
import { authenticationDecisions } from '../decisions/authentication.js';
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

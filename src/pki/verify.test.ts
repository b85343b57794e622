import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAuthority, issueCredential } from './authority.js';
import { parseCertificate } from './certificate.js';
import { serverProblem } from './verify.js';

const now = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const ca = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now, validity: 9 * DAY });
const other = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now });
type Leaf = Partial<Parameters<typeof issueCredential>[1]>;
const leafOf = (more: Leaf = {}) =>
  parseCertificate(
    issueCredential(ca, {
      subject: { commonName: 'kube-apiserver' },
      key: 'ECDSA-P256',
      now,
      extendedKeyUsage: ['serverAuth'],
      altNames: { dns: ['api.example.com', '*.apps.example.com'], ip: ['192.0.2.10'] },
      ...more,
    }).certificate.der,
  );
const problem = (
  host: string,
  {
    leaf = leafOf(),
    roots = [ca.facts],
    at = now,
  }: Partial<Record<'leaf', ReturnType<typeof leafOf>>> & {
    readonly roots?: readonly ReturnType<typeof leafOf>[];
    readonly at?: number;
  } = {},
): string | undefined => serverProblem(leaf, { roots, host, now: at })?.kind;

describe('the certificate of a server', () => {
  it('is believed for its names and addresses, whatever their case', () => {
    for (const host of ['api.example.com', 'API.example.com.', 'a.apps.example.com', '192.0.2.10', '[192.0.2.10]'])
      assert.equal(problem(host), undefined, host);
  });

  it('is for one label of a wildcard, and for nobody whose name is longer or shorter', () => {
    for (const host of [
      'apps.example.com',
      'a.b.apps.example.com',
      'xapi.example.com',
      'api.example.com.org',
      'example.com',
      'a.example.com',
      '192.0.2.1',
      '192.0.2.100',
    ])
      assert.equal(problem(host), 'name', host);
  });

  it('is signed by one of those who are believed, and both are of today', () => {
    assert.equal(problem('api.example.com', { roots: [other.facts] }), 'authority');
    assert.equal(problem('api.example.com', { roots: [] }), 'authority');
    assert.equal(problem('api.example.com', { roots: [other.facts, ca.facts] }), undefined);
    const ended = { ...ca.facts, notAfter: now - DAY };
    for (const roots of [
      [ended, ca.facts],
      [ca.facts, ended],
    ])
      assert.equal(
        problem('api.example.com', { roots }),
        undefined,
        'one of two certificates of one authority is over',
      );
    assert.equal(problem('api.example.com', { roots: [ended, ended] }), 'dates');
    assert.equal(problem('api.example.com', { at: now - DAY }), 'dates');
    assert.equal(problem('api.example.com', { at: now + 10 * DAY }), 'dates');
    assert.equal(problem('api.example.com', { at: now + 8 * DAY }), undefined);
    const leaf = { ...leafOf(), notBefore: now - DAY, notAfter: now + DAY };
    const root = { ...ca.facts, notBefore: now - 2 * DAY, notAfter: now + 2 * DAY };
    const short = { ...ca.facts, notBefore: now - DAY, notAfter: now + DAY };
    const long = { ...leaf, notBefore: root.notBefore, notAfter: root.notAfter };
    for (const [one, roots] of [
      [leaf, [root]],
      [long, [short]],
    ] as const)
      for (const [at, found] of [
        [now - DAY - 1, 'dates'],
        [now - DAY, undefined],
        [now + DAY, undefined],
        [now + DAY + 1, 'dates'],
      ] as const)
        assert.equal(problem('api.example.com', { leaf: one, roots, at }), found, 'both of its last instants count');
  });

  it('is for servers, or for anything', () => {
    const used = (...extendedKeyUsage: NonNullable<Leaf['extendedKeyUsage']>) =>
      problem('api.example.com', { leaf: leafOf({ extendedKeyUsage }) });
    assert.equal(used('clientAuth'), 'usage');
    assert.equal(used('clientAuth', 'serverAuth'), undefined);
    assert.equal(used('any'), undefined);
    assert.equal(used(), undefined);
  });
});

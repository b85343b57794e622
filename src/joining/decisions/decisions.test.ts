import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import { joiningDecisions as upstream } from './index.js';

const HOUR = 3_600_000;

describe('the decisions of a machine that joins', () => {
  it('renew between 70 and 90 percent of a life', () => {
    const life = { notBefore: 1_000, notAfter: 1_000 + 10 * HOUR };
    assert.equal(upstream.renewalDeadline(life, 0), 1_000 + 7 * HOUR);
    assert.ok(Math.abs(upstream.renewalDeadline(life, 1) - (1_000 + 9 * HOUR)) < 1);
  });
  it('use certificates to the instant at which they end, whether they have begun or not', () => {
    const life = { notBefore: 5, notAfter: 10 };
    assert.deepEqual(
      [1, 10, 11].map((now) => upstream.isUsable([life], now)),
      [true, true, false],
    );
    assert.equal(upstream.isUsable([], 1), false);
    assert.equal(upstream.isUsable([life, { notBefore: 0, notAfter: 3 }], 5), false);
  });
  it('use what is there, else the token, else nothing', () => {
    const step = (hasUsableKubeconfig: boolean, hasToken: boolean): string =>
      upstream.firstStep({ hasUsableKubeconfig, hasToken });
    assert.deepEqual([step(true, true), step(false, true), step(false, false)], ['use', 'bootstrap', 'give up']);
  });
  it('read a refusal before anything else, and no approval without a certificate as success', () => {
    const read = (types: readonly string[], certificate?: string, status = 'True'): string =>
      upstream.readRequest({
        metadata: {},
        spec: { request: '', signerName: '' },
        status: {
          conditions: types.map((type) => ({ type, status })),
          ...(certificate === undefined ? {} : { certificate }),
        },
      } satisfies CertificateSigningRequest);
    assert.deepEqual(
      [
        read(['Approved', 'Denied'], 'x'),
        read(['Approved', 'Failed'], 'x'),
        read(['Approved'], 'x'),
        read(['Approved'], ''),
        read(['Approved']),
        read([], 'x'),
        read(['Denied'], undefined, 'False'),
      ],
      ['denied', 'failed', 'issued', 'waiting', 'waiting', 'waiting', 'waiting'],
    );
  });
  it('name a request by key, subject and usages', () => {
    const by = { commonName: 'system:node:a', organizations: ['system:nodes'], usages: ['client auth'] };
    const name = upstream.fixedName(Buffer.from('key'), by);
    assert.match(name, /^node-csr-[\w-]{43}$/);
    assert.equal(upstream.fixedName(Buffer.from('key'), { ...by }), name);
    assert.notEqual(upstream.fixedName(Buffer.from('other'), by), name);
    assert.notEqual(upstream.fixedName(Buffer.from('key'), { ...by, usages: [] }), name);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TokenSecret } from '../bootstrap-tokens/token-secrets.js';
import type { SeenRequest } from '../kubelet-certificates/seen-requests.js';
import { controllersLed, requestsIssued, tokensSigned } from './controllers-at-rest.js';
import type { LeaseSeen } from './node-leases.js';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

describe('what controllers have left undone', () => {
  it('is a token that nobody signs for', () => {
    const SOUND = {
      subject: 's',
      publicId: 'abcdef',
      usages: ['usage-bootstrap-signing'],
      created: at(-3),
      expiration: at(60),
    };
    const judged = (token: Partial<TokenSecret>, ids: readonly string[] = []): string =>
      tokensSigned
        .judge([{ ...SOUND, ...token } as TokenSecret], { ids, now: NOW })
        .map(({ result, seen }) => `${result}: ${seen}`)
        .join();
    assert.equal(judged({}), 'unmet: cluster-info has no signature of it');
    assert.equal(judged({}, ['abcdef']), 'met: it is');
    assert.equal(judged({ expiration: '' }, ['other1']), 'unmet: cluster-info has no signature of it');
    for (const another of [
      { created: at(-1) },
      { created: at(-2) },
      { created: '' },
      { expiration: at(-1) },
      { expiration: 'tomorrow' },
      { usages: ['usage-bootstrap-authentication'] },
      { publicId: '' },
      { deleted: at(-1) },
    ])
      assert.equal(judged(another), '', JSON.stringify(another));
  });

  it('is a request that is approved and carries nothing', () => {
    const condition = (type: string, updated = at(-3)) => ({ type, reason: '', message: '', updated });
    const SOUND = {
      subject: 's',
      signer: 'kubernetes.io/kube-apiserver-client-kubelet',
      created: at(-60),
      conditions: [condition('Approved')],
    };
    const judged = (request: object): string =>
      requestsIssued
        .judge([{ ...SOUND, ...request } as unknown as SeenRequest], { now: NOW })
        .map(({ result, seen }) => `${result}: ${seen}`)
        .join();
    assert.equal(judged({}), 'unmet: it is approved, and nobody has signed it');
    assert.equal(judged({ certificate: {} }), 'met: it does');
    assert.equal(
      judged({ conditions: [condition('Approved', '')] }),
      'unmet: it is approved, and nobody has signed it',
    );
    for (const another of [
      { conditions: [condition('Approved', at(-1))] },
      { conditions: [condition('Approved', at(-2))] },
      { conditions: [condition('Approved'), condition('Failed')] },
      { conditions: [condition('Approved'), condition('Denied')] },
      { conditions: [] },
      { signer: 'example.com/own' },
    ])
      assert.equal(judged(another), '', JSON.stringify(another));
  });

  it('is a Lease that nobody holds any more', () => {
    const judged = (lease: Partial<LeaseSeen>, alive: number | null = NOW): string =>
      controllersLed
        .judge([{ name: 'kube-scheduler', holder: 'cp', renewed: NOW - 60_000, ...lease }], { alive })
        .map(({ result, subject, seen }) => `${result} ${subject}: ${seen}`)
        .join();
    assert.equal(judged({}), 'met Lease kube-system/kube-scheduler: somebody leads');
    assert.equal(judged({ renewed: NOW + 60_000 }), 'met Lease kube-system/kube-scheduler: somebody leads');
    assert.equal(judged({ renewed: NOW - 3_600_000 }), 'unmet Lease kube-system/kube-scheduler: nobody for 60 minutes');
    assert.equal(judged({ holder: '' }), 'unmet Lease kube-system/kube-scheduler: nobody holds it');
    assert.equal(judged({ renewed: Number.NaN }), '');
    assert.equal(judged({ renewed: NOW - 3_600_000 }, null), '');
  });
});

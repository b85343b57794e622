import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import { judged, resultsOf } from './judged.testing.js';
import { machineIssued, machineOrder, phaseOf, readEnded, readWay, readyReason } from './machine.js';

describe('a machine', () => {
  it('gets its certificate', () => {
    const ended = (outcome: Parameters<typeof readEnded>[1]) => [readEnded('a machine', outcome)];
    const demanded = { demanded: 'joins' };
    assert.deepEqual(resultsOf(machineIssued, ended({ kind: 'issued' }), demanded), ['met']);
    for (const kind of ['waiting', 'denied', 'had'])
      assert.deepEqual(resultsOf(machineIssued, ended({ kind }), demanded), ['unmet']);
    const refused = ended({ kind: 'refused', answer: { status: 403, body: { message: 'no' } } });
    assert.match(judged(machineIssued, refused, demanded)[0]?.seen ?? '', /answered with 403 no/);
    assert.deepEqual(resultsOf(machineIssued, refused, demanded), ['unmet']);
    const elsewhere = ended({ kind: 'refused', answer: { status: 405, body: {} } });
    assert.deepEqual(resultsOf(machineIssued, elsewhere, demanded), ['unclear']);
  });

  it('takes its steps in their order, as the cluster shows them', () => {
    const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 1, second)).toISOString();
    const way = (asked: string, approved: string | undefined, registered: string) => {
      const conditions = [
        { type: 'Other', status: 'True', lastUpdateTime: at(-50) },
        ...(approved === undefined ? [] : [{ type: 'Approved', status: 'True', lastUpdateTime: approved }]),
      ];
      const metadata = { creationTimestamp: asked };
      const request = { metadata, spec: { request: '', signerName: '' }, status: { conditions } };
      return readWay('a', request as CertificateSigningRequest, { metadata: { creationTimestamp: registered } });
    };
    const look = (...times: Parameters<typeof way>) => resultsOf(machineOrder, way(...times), undefined).join(' ');
    assert.equal(look(at(0), at(0), at(1)), 'met met');
    assert.equal(look(at(5), at(0), at(0)), 'met met', 'clocks differ by seconds');
    assert.equal(look(at(30), at(0), at(31)), 'unmet met');
    assert.equal(look(at(0), at(30), at(1)), 'met unmet');
    assert.equal(look(at(0), undefined, at(1)), 'unclear unclear');
    assert.deepEqual(resultsOf(machineOrder, readWay('a', undefined, undefined), undefined), ['unclear', 'unclear']);
    assert.match(judged(machineOrder, way(at(0), at(30), at(1)), undefined)[1]?.demanded ?? '', /Node .* approved/);
  });

  it('is read as what it has reported', () => {
    const conditions = [
      { type: 'DiskPressure', reason: 'b' },
      { type: 'Ready', reason: 'a' },
    ];
    assert.equal(readyReason({ metadata: {}, status: { conditions } }), 'a');
    assert.equal(readyReason({ metadata: {}, status: { conditions: conditions.slice(0, 1) } }), '');
    assert.equal(readyReason(undefined), '');
    assert.deepEqual([phaseOf({ metadata: {}, status: { phase: 'Running' } }), phaseOf(undefined)], ['Running', '']);
  });
});

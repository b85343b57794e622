import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SIGNER_KUBELET_CLIENT, SIGNER_KUBELET_SERVING } from '../../kubernetes/names.js';
import { judged } from '../common/judged.testing.js';
import type { Attempt, Seen } from './joining-client-reader.js';
import { attempted, seenAs } from './joining-seen.testing.js';
import { servingAskedFor, servingRenewed, servingWaitedFor } from './joining-serving.js';

const REQUESTS = 'POST /apis/certificates.k8s.io/v1/certificatesigningrequests';
type Request = NonNullable<Seen['request']>;
const RIGHT: Request = {
  subject: 'O=system:nodes, CN=system:node:worker-9',
  signer: SIGNER_KUBELET_SERVING,
  usages: ['digital signature', 'server auth'],
  names: ['worker-9', '192.0.2.9'],
};
const asked = (request: Partial<Request>, more: Partial<Seen> = {}): Seen =>
  seenAs(REQUESTS, 'a certificate', { answered: 201, request: { ...RIGHT, ...request }, ...more });
const before = (seen: readonly Seen[], more: Partial<Attempt> = {}): readonly Attempt[] => [
  attempted({ milliseconds: 60_000, seen, ...more }),
];

describe('what a kubelet asks for to serve with', () => {
  const told = (seen: readonly Seen[], more: Partial<Attempt> = {}): string =>
    judged(servingAskedFor, before(seen, more), undefined)
      .map(({ result, seen: what }) => `${result}: ${what}`)
      .join();

  it('is for its own names', () => {
    const client = asked({ signer: SIGNER_KUBELET_CLIENT, usages: ['digital signature', 'client auth'] });
    assert.equal(told([client, asked({})]), 'met: so it does');
    assert.equal(told([asked({ names: ['worker-9.rack.example', 'localhost', '::1'] })]), 'met: so it does');
    assert.equal(told([client]), 'unmet: it asks for none');
    assert.equal(told([], { isStarved: true }), 'unclear: it asks for none; the machine was too busy for it');
    const dotted = { subject: 'O=system:nodes, CN=system:node:a.example', names: ['a', 'a.example', '192.0.2.9'] };
    assert.equal(told([asked(dotted)], { node: 'a.example' }), 'met: so it does');
  });
  it('is for nothing else', () => {
    for (const [request, seen] of [
      [{ names: ['worker-9', '192.0.2.9', '*.example'] }, '*.example'],
      [{ names: ['kubernetes.default.svc', '192.0.2.9'] }, 'kubernetes.default.svc'],
      [{ names: ['worker-90', '192.0.2.9'] }, 'worker-90'],
      [{ names: ['worker-9', '10.96.0.1', '0.0.0.0'] }, '10.96.0.1, 0.0.0.0'],
      [{ names: [] }, 'for no name, for no address'],
      [{ names: ['192.0.2.9', '2001:db8::9'] }, 'for no name'],
      [{ names: ['worker-9'] }, 'for no address'],
      [{ usages: ['server auth', 'client auth'] }, 'for client auth'],
      [{ usages: ['digital signature'] }, 'without server auth'],
      [{ signer: 'example.com/a' }, 'of the signer example.com/a'],
      [{ subject: 'CN=a' }, 'for CN=a'],
    ] as const)
      assert.equal(told([asked(request)]), `unmet: ${seen}`);
    assert.equal(told([{ ...asked({}), as: 'its token' }]), 'unmet: with its token');
    // what it did ask for is its doing
    assert.equal(told([asked({ names: [] })], { isStarved: true }), 'unmet: for no name, for no address');
  });
});

describe('what a kubelet serves with', () => {
  const renewed = (life: number | undefined, milliseconds: number, ...times: readonly number[]): string =>
    judged(
      servingRenewed,
      before(
        times.map((first) => asked({}, { first })),
        { milliseconds, ...(life === undefined ? {} : { life }) },
      ),
      undefined,
    )
      .map(({ result, seen }) => `${result}: ${seen}`)
      .join();

  it('is renewed while it stays', () => {
    assert.equal(renewed(30_000, 60_000, 0, 25_000, 48_000), 'met: it is');
    assert.equal(renewed(30_000, 60_000, 0), 'unmet: it is not');
    assert.equal(renewed(30_000, 60_000, 0, 55_000), 'unmet: it is, too late');
    assert.equal(renewed(10_000, 60_000, 0, 8_000), 'unmet: it is, too late');
    assert.equal(renewed(30_000, 20_000, 0), 'unmet: it does not stay');
    assert.equal(renewed(undefined, 60_000, 0), '');
    assert.equal(renewed(30_000, 60_000), '');
    const busy = (...times: readonly number[]): string =>
      judged(
        servingRenewed,
        before(
          times.map((first) => asked({}, { first })),
          { milliseconds: 60_000, life: 30_000, isStarved: true },
        ),
        undefined,
      )
        .map(({ result }) => result)
        .join();
    assert.deepEqual([busy(0), busy(0, 55_000)], ['unclear', 'unmet']);
  });
  it('is waited for', () => {
    const waited = (times: number, exit: number | null): string =>
      judged(servingWaitedFor, before(times === 0 ? [] : [asked({}, { times })], { exit }), undefined)
        .map(({ result, seen }) => `${result}: ${seen}`)
        .join();
    assert.equal(waited(1, 0), 'met: it asks 1 times, and ends with 0');
    assert.equal(waited(2, 0), 'met: it asks 2 times, and ends with 0');
    assert.equal(waited(3, 0), 'unmet: it asks 3 times, and ends with 0');
    assert.equal(waited(1, null), 'unmet: it asks 1 times, and ends with nothing');
    assert.equal(waited(0, 0), 'met: it asks 0 times, and ends with 0');
    const busy = (times: number): string =>
      judged(servingWaitedFor, before([asked({}, { times })], { exit: 1, isStarved: true }), undefined)
        .map(({ result }) => result)
        .join();
    assert.deepEqual([busy(2), busy(3)], ['unclear', 'unmet']);
  });
});

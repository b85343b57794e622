import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as checks from './joining-certificates.js';
import { clientLeavesRefused, clientLooksAtItsOwn, clientNamesApart } from './joining-certificates.js';
import { ALL_REQUESTS, type Attempt, REQUESTS, type Seen } from './joining-client-reader.js';
import { attempted, seenAs } from './joining-seen.testing.js';

const seen = (what: string, more: Partial<Seen> = {}): Seen => seenAs(what, 'its token', more);
const attempt = (subject: string, ...seen: readonly Seen[]): Attempt =>
  attempted({ subject, milliseconds: 1_000, seen });
const asked = (key: string, called?: string): Seen =>
  seen(REQUESTS, {
    key,
    request: { subject: 's', signer: 's', usages: [], ...(called === undefined ? {} : { called }) },
  });
const said = (findings: readonly { readonly result: string; readonly seen: string }[]): readonly string[] =>
  findings.map((one) => `${one.result}: ${one.seen}`);

describe('how a client goes about its request', () => {
  it('looks at its own', () => {
    const own = attempt('a', asked('k'), seen(`${ALL_REQUESTS}/csr-1`), seen(ALL_REQUESTS));
    const all = attempt('b', seen(ALL_REQUESTS, { isWide: true, times: 3 }), seen(ALL_REQUESTS, { isWide: true }));
    assert.deepEqual(said(clientLooksAtItsOwn.judge([own, all], undefined)), [
      'met: so it does',
      'unmet: it asks for all, 4 times',
    ]);
  });

  it('calls it by a name of its own', () => {
    const judged = (...attempts: readonly Attempt[]) => said(clientNamesApart.judge(attempts, undefined));
    assert.deepEqual(judged(attempt('a', asked('k')), attempt('b', asked('l'))), ['met: so it has', 'met: so it has']);
    assert.deepEqual(judged(attempt('a', asked('k', 'one')), attempt('b', asked('l', 'two'))), [
      'met: so it has',
      'met: so it has',
    ]);
    assert.deepEqual(judged(attempt('a', asked('k', 'one'), asked('k', 'one'))), ['met: so it has']);
    assert.deepEqual(judged(attempt('a', asked('k', 'one')), attempt('b', asked('l', 'one'))), [
      'unmet: one is the name for other keys, too',
      'unmet: one is the name for other keys, too',
    ]);
    assert.deepEqual(judged(attempt('a')), ['unmet: no request can be read']);
    assert.deepEqual(judged({ ...attempt('a'), isStarved: true }), [
      'unclear: no request can be read; the machine was too busy for it',
    ]);
  });

  it('leaves what was refused', () => {
    const judged = (...all: readonly Seen[]) => said(clientLeavesRefused.judge([attempt('a', ...all)], undefined));
    const look = (times: number): Seen => seen(`${ALL_REQUESTS}/csr-1`, { times });
    assert.deepEqual(judged(asked('k'), look(5)), ['met: 5 looks at 1']);
    assert.deepEqual(judged(asked('k'), look(3), seen(ALL_REQUESTS, { times: 3 })), ['unmet: 6 looks at 1']);
    assert.deepEqual(judged(asked('k'), look(5), asked('l'), look(5)), ['met: 10 looks at 2']);
    assert.deepEqual(judged(look(1)), ['unmet: it makes no request']);
    assert.deepEqual(said(clientLeavesRefused.judge([{ ...attempt('a'), isStarved: true }], undefined)), [
      'unclear: it makes no request; the machine was too busy for it',
    ]);
  });

  const wanting = (more: Partial<NonNullable<Seen['request']>>): Seen =>
    seen(REQUESTS, { request: { subject: 's', signer: 's', usages: [], ...more } });

  it('writes nothing on it', () => {
    const judged = (one: Attempt): readonly string[] => said(checks.clientWritesNothingOnIt.judge([one], undefined));
    assert.deepEqual(judged(attempt('a', wanting({}))), ['met: so it is']);
    assert.deepEqual(judged(attempt('a', wanting({ frills: ['labels'] }))), ['unmet: labels']);
    assert.deepEqual(judged(attempt('a')), ['unmet: no request can be read']);
    assert.deepEqual(judged({ ...attempt('a', wanting({ frills: ['labels'] })), speaksKubeadm: false }), []);
  });

  it('leaves its life to the signer', () => {
    const judged = (attempt: Attempt) => said(checks.clientLeavesItsLife.judge([attempt], undefined));
    assert.deepEqual(judged(attempt('a', wanting({}))), ['met: so it is']);
    assert.deepEqual(judged(attempt('a', wanting({ seconds: 600 }), wanting({}))), ['unmet: it is asked for 600 s']);
    assert.deepEqual(judged({ ...attempt('a', wanting({ seconds: 600 })), speaksKubeadm: false }), []);
    assert.deepEqual(judged({ ...attempt('a', wanting({ seconds: 600 })), isStarved: true }), [
      'unmet: it is asked for 600 s',
    ]);
    assert.deepEqual(judged(attempt('a')), ['unmet: no request can be read']);
    assert.deepEqual(judged({ ...attempt('a'), isStarved: true }), [
      'unclear: no request can be read; the machine was too busy for it',
    ]);
  });

  it('asks for what its key can', () => {
    const judged = (more: Partial<NonNullable<Seen['request']>>) =>
      said(checks.clientAsksWhatItsKeyCan.judge([attempt('a', wanting(more))], undefined));
    assert.deepEqual(judged({ usages: ['digital signature', 'client auth'] }), ['met: so it is']);
    assert.deepEqual(judged({ usages: ['key encipherment'], rsaBits: 2048 }), ['met: so it is']);
    assert.deepEqual(judged({ usages: ['key encipherment'] }), ['unmet: key encipherment, by a key that only signs']);
  });

  it('asks for no other', () => {
    const judged = (own: Attempt) => said(checks.clientAsksForNoOther.judge([own], undefined));
    assert.deepEqual(judged(attempt('a')), ['met: it asks 0 times; it ends with 0 after 1 s']);
    assert.deepEqual(judged(attempt('a', asked('k'))), ['unmet: it asks 1 times; it ends with 0 after 1 s']);
    assert.deepEqual(judged(attempt('a', seenAs(REQUESTS, 'a certificate'))), [
      'met: it asks 0 times; it ends with 0 after 1 s',
    ]);
    assert.deepEqual(judged({ ...attempt('a'), exit: 1 }), ['unmet: it asks 0 times; it ends with 1 after 1 s']);
    assert.match(judged({ ...attempt('a'), exit: null, isStarved: true }).join(), /^unclear/);
    assert.deepEqual(judged({ ...attempt('a', asked('k')), speaksKubeadm: false }), []);
  });

  it('renews with its latest', () => {
    const made = (key: string, shown?: string, answered = 201): Seen =>
      seenAs(REQUESTS, shown === undefined ? 'its token' : 'a certificate', {
        key,
        answered,
        ...(shown === undefined ? {} : { shown }),
      });
    const judged = (...all: readonly Seen[]) =>
      said(checks.clientRenewsWithItsLatest.judge([attempt('a', ...all)], undefined));
    assert.deepEqual(judged(made('k'), made('l', 'k'), made('m', 'l')), [
      'met: 0 of 2 are asked for with an older one',
    ]);
    assert.deepEqual(judged(made('k'), made('l', 'k', 500), made('m', 'k')), [
      'met: 0 of 2 are asked for with an older one',
    ]);
    assert.deepEqual(judged(made('k'), made('l', 'k'), made('m', 'k')), [
      'unmet: 1 of 2 are asked for with an older one',
    ]);
    assert.deepEqual(judged(made('k'), seen(ALL_REQUESTS), made('l', 'z')), [
      'unmet: 1 of 1 are asked for with an older one',
    ]);
    assert.deepEqual(judged(made('k')), ['unmet: none is asked for with another']);
    assert.match(
      said(checks.clientRenewsWithItsLatest.judge([{ ...attempt('a', made('k')), isStarved: true }], undefined)).join(),
      /^unclear/,
    );
  });

  it('puts its token away', () => {
    const made = seen(REQUESTS, { answered: 201 });
    const look = seen(`${ALL_REQUESTS}/csr-1`);
    const map = seen('GET /api/v1/namespaces/kube-system/configmaps/kubelet-config');
    const node = seenAs('POST /api/v1/nodes', 'a certificate');
    const judged = (one: Attempt) => said(checks.clientPutsItsTokenAway.judge([one], undefined));
    assert.deepEqual(judged(attempt('a', map, made, look, node)), ['met: nothing is']);
    assert.deepEqual(judged(attempt('a', node, made, look)), ['met: nothing is']);
    assert.deepEqual(judged(attempt('a', made, map)), [
      'unmet: GET /api/v1/namespaces/kube-system/configmaps/kubelet-config',
    ]);
    assert.deepEqual(judged({ ...attempt('a', made, map), speaksKubeadm: false }), ['met: nothing is']);
    assert.match(judged({ ...attempt('a', made, node, map), speaksKubeadm: false }).join(), /^unmet: GET/);
    assert.match(judged(attempt('a', made, node, look)).join(), /^unmet: GET/);
    assert.deepEqual(judged(attempt('a', map)), ['unmet: no request for a certificate is taken']);
    assert.match(judged({ ...attempt('a', map), isStarved: true }).join(), /^unclear/);
  });
});

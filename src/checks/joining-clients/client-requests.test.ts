import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import * as checks from './client-requests.js';
import type { Attempts } from './joining-attempts.js';
import { type Attempt, REQUESTS, type Seen } from './joining-client-reader.js';
import { attempted, seenAs } from './joining-seen.testing.js';

const TOKEN = 'its token';
const PAIR = 'a certificate';
const LOOK = 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info';
const CONFIG = 'GET /api/v1/namespaces/kube-system/configmaps/kubeadm-config';
const LOOKS_AT_REQUESTS = 'GET /apis/certificates.k8s.io/v1/certificatesigningrequests';

const attempt = (seen: readonly Seen[], more: Partial<Attempt> = {}): Attempt =>
  attempted({ milliseconds: 2_000, seen, ...more });
/** After how many seconds somebody is told to come again. */
const told = (seconds: number): Check<Attempts> => ({
  ...checks.clientComesAsTold,
  judge: (attempts) => checks.clientComesAsTold.judge(attempts, { seconds }),
});
const judged = (check: Check<Attempts>, seen: readonly Seen[], more: Partial<Attempt> = {}): string =>
  check
    .judge([attempt(seen, more)], undefined)
    .map(({ result, seen: told }) => `${result}: ${told}`)
    .join();

describe('what a client reads', () => {
  const reads = (what: string, as = TOKEN, more: Partial<Attempt> = {}): string =>
    judged(checks.clientReadsWhatItNeeds, [seenAs(what, as)], more);

  it('is chosen by a node', () =>
    assert.equal(
      judged(checks.clientReadsWhatItNeeds, [seenAs('GET /api/v1/secrets', PAIR, { isUnselected: true })]),
      'unmet: GET /api/v1/secrets as a certificate',
    ));
  it('is of its own Node, and of nobody who may do what', () => {
    assert.equal(reads('GET /api/v1/nodes/worker-9', PAIR), 'met: so it is');
    assert.equal(reads('GET /api/v1/nodes/other', PAIR), 'unmet: GET /api/v1/nodes/other as a certificate');
    const roles = 'GET /apis/rbac.authorization.k8s.io/v1/clusterroles';
    assert.equal(reads(roles, PAIR), `unmet: ${roles} as a certificate`);
  });
  for (const [what, as] of [
    [LOOK, 'nobody'],
    [LOOK, 'somebody else'],
    ['GET /version', 'nobody'],
    ['GET /apis/certificates.k8s.io/v1', TOKEN],
    ['GET /openapi/v3', TOKEN],
    ['GET /livez/ping', 'nobody'],
    ['GET /f.conf', 'nobody'],
    [CONFIG, TOKEN],
    ['GET /api/v1/namespaces/kube-system/configmaps/kubelet-config-1.23', TOKEN],
    ['GET /api/v1/namespaces/kube-system/secrets/kubeadm-certs', TOKEN],
    ['GET /api/v1/nodes/worker-9', TOKEN],
    [`${LOOKS_AT_REQUESTS}/csr-1`, TOKEN],
    [LOOKS_AT_REQUESTS, TOKEN],
    ['GET /api/v1/pods', PAIR],
    ['DELETE /a', 'nobody'],
  ] as const)
    it(`may be ${what}, as ${as}`, () => assert.equal(reads(what, as), 'met: so it is'));

  for (const [what, as] of [
    ['GET /api/v1/namespaces/kube-system/secrets', TOKEN],
    ['GET /api/v1/namespaces/kube-public/configmaps', 'nobody'],
    [CONFIG, 'nobody'],
    [CONFIG, 'somebody else'],
    ['GET /api/v1/nodes', TOKEN],
    ['GET /api/v1/nodes/worker-1', TOKEN],
    ['GET /api/v1/nodes/worker-9/status', TOKEN],
    ['GET /api/v1/nodes/worker-90', TOKEN],
    ['GET /apis/a/b/c', TOKEN],
    [`${LOOKS_AT_REQUESTS}/csr-1/status`, TOKEN],
    ['GET /a/b.conf', 'nobody'],
  ] as const)
    it(`need not be ${what}, as ${as}`, () => assert.equal(reads(what, as), `unmet: ${what} as ${as}`));

  it('is the Node of the name that the machine was told', () => {
    const node = 'worker-9.rack';
    assert.match(reads('GET /api/v1/nodes/worker-9.rack', TOKEN, { node }), /^met/);
    assert.match(reads('GET /api/v1/nodes/worker-9', TOKEN, { node }), /^unmet/);
  });

  it('is nothing where a connection was closed', () => {
    const seen = [
      seenAs('closed by client', 'nobody', { answered: null }),
      seenAs('GET /a', TOKEN, { answered: null }),
    ];
    assert.match(judged(checks.clientReadsWhatItNeeds, seen), /^met/);
  });
});

describe('what a client writes', () => {
  const writes = (what: string, as: string = PAIR, more: Partial<Attempt> = {}): string =>
    judged(checks.clientWritesWhatItNeeds, [seenAs(what, as)], more);
  const allowed = [
    [REQUESTS, TOKEN],
    [REQUESTS, PAIR],
    ['POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews', TOKEN],
    ['POST /apis/authentication.k8s.io/v1/tokenreviews', PAIR],
    ['POST /api/v1/nodes', PAIR],
    ['PATCH /api/v1/nodes/worker-9', PAIR],
    ['PATCH /api/v1/nodes/worker-9/status', PAIR],
    ['PUT /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/worker-9', PAIR],
    ['POST /api/v1/namespaces/default/events', PAIR],
    ['POST /apis/events.k8s.io/v1/namespaces/default/events', PAIR],
    ['POST /apis/storage.k8s.io/v1/csinodes', PAIR],
    ['DELETE /apis/resource.k8s.io/v1/resourceslices', PAIR],
    ['PATCH /api/v1/namespaces/kube-system/pods/a/status', PAIR],
    ['POST /api/v1/namespaces/kube-system/serviceaccounts/a/token', PAIR],
    ['GET /a', 'nobody'],
  ] as const;
  for (const [what, as] of allowed)
    it(`may be ${what}, as ${as}`, () => assert.equal(writes(what, as), 'met: so it is'));
  it('is nothing that is longer, or begins otherwise', () => {
    for (const [what, as] of allowed)
      if (!what.startsWith('GET '))
        for (const other of [`${what}/more/of/it`, what.replace(' /', ' /x/'), `X${what}`])
          assert.equal(writes(other, as), `unmet: ${other} as ${as}`);
  });
  for (const [what, as] of [
    [REQUESTS, 'nobody'],
    ['DELETE /api/v1/nodes/worker-9', TOKEN],
    ['DELETE /api/v1/nodes/worker-9', PAIR],
    ['PATCH /api/v1/nodes/worker-9', TOKEN],
    ['PATCH /api/v1/nodes/worker-1', PAIR],
    ['PATCH /api/v1/nodes/worker-90', PAIR],
    ['PUT /api/v1/nodes/worker-9/proxy', PAIR],
    ['PUT /api/v1/nodes/worker-9/status/more', PAIR],
    ['POST /apis/authorization.k8s.io/v1/subjectaccessreviews', TOKEN],
    ['PUT /api/v1/namespaces/kube-system/configmaps/kubeadm-config', PAIR],
    ['PATCH /apis/certificates.k8s.io/v1/certificatesigningrequests/a/approval', PAIR],
    ['POST /apis/coordination.k8s.io/v1/namespaces/kube-system/leases', PAIR],
  ] as const)
    it(`must not be ${what}, as ${as}`, () => assert.equal(writes(what, as), `unmet: ${what} as ${as}`));
  it('is of the Node of the name that the machine was told', () => {
    const node = 'worker-9.rack';
    assert.match(writes('PATCH /api/v1/nodes/worker-9.rack', PAIR, { node }), /^met/);
    assert.match(writes('PATCH /api/v1/nodes/worker-9xrack', PAIR, { node }), /^unmet/);
  });
  it('is nothing that nobody was asked', () => {
    assert.match(judged(checks.clientWritesWhatItNeeds, [seenAs('DELETE /a', TOKEN, { answered: null })]), /^met/);
  });
});

describe('the tokens that a client shows', () => {
  const shown = (...seen: readonly Seen[]): string => judged(checks.clientShowsOneToken, seen);
  it('are that of TLS bootstrap alone, once the cluster is found', () => {
    assert.equal(shown(seenAs(LOOK, 'somebody else'), seenAs(CONFIG, TOKEN), seenAs('GET /a', PAIR)), 'met: it is');
    assert.equal(
      shown(seenAs(CONFIG, 'its token of discovery'), seenAs(REQUESTS, TOKEN)),
      `unmet: ${CONFIG} as its token of discovery`,
    );
    assert.equal(shown(seenAs(CONFIG, 'somebody else')), `unmet: ${CONFIG} as somebody else`);
    assert.equal(shown(seenAs(CONFIG, 'nobody')), 'unmet: nothing is asked with a token');
    assert.equal(shown(seenAs(CONFIG, TOKEN, { answered: null })), 'unmet: nothing is asked with a token');
  });
  it('are what they like while it still looks for the cluster', () => {
    const found = seenAs(CONFIG, 'its token of discovery');
    assert.equal(shown(seenAs(LOOK, 'nobody'), found, seenAs(LOOK, 'nobody'), seenAs(CONFIG, TOKEN)), 'met: it is');
    assert.match(shown(seenAs(LOOK, 'nobody'), seenAs(LOOK, 'nobody'), found, seenAs(CONFIG, TOKEN)), /^unmet/);
  });
  it('are nothing to be blamed of a join that had no time', () => {
    assert.match(judged(checks.clientShowsOneToken, [], { isStarved: true }), /^unclear/);
    const other = [seenAs(CONFIG, 'somebody else')];
    assert.match(judged(checks.clientShowsOneToken, other, { isStarved: true }), /^unmet/);
  });
});

describe('the keys of a client', () => {
  const key = (rsaBits?: number): Seen =>
    seenAs(REQUESTS, TOKEN, {
      request: { subject: 's', signer: 's', usages: [], ...(rsaBits === undefined ? {} : { rsaBits }) },
    });
  it('have signed the request', () => {
    const request = { subject: 's', signer: 's', usages: [], unsigned: true } as const;
    assert.equal(
      judged(checks.clientMakesStrongKeys, [seenAs(REQUESTS, TOKEN, { request })]),
      'unmet: its key has not signed it, or with SHA-1',
    );
  });
  it('are of 2048 bits at least, where they are of RSA', () => {
    assert.equal(judged(checks.clientMakesStrongKeys, [key(), key(2048)]), 'met: it is');
    assert.equal(judged(checks.clientMakesStrongKeys, [key(2047)]), 'unmet: RSA of 2047 bits');
    assert.equal(judged(checks.clientMakesStrongKeys, []), 'unmet: no request can be read');
    assert.match(judged(checks.clientMakesStrongKeys, [], { isStarved: true }), /^unclear/);
    assert.match(judged(checks.clientMakesStrongKeys, [key(1024)], { isStarved: true }), /^unmet/);
  });
});

describe('how often a client asks', () => {
  it('is one request each second, and ten at once', () => {
    const made = (times: number): string => judged(checks.clientAsksForFew, [seenAs(REQUESTS, TOKEN, { times })]);
    assert.equal(made(12), 'met: 12 requests in 2 s');
    assert.equal(made(13), 'unmet: 13 requests in 2 s');
    assert.equal(judged(checks.clientAsksForFew, []), 'met: 0 requests in 2 s');
  });
  it('is once or twice where it is signed at once', () => {
    const made = (times: number, as = TOKEN): string =>
      judged(checks.clientAsksOnce, [seenAs(REQUESTS, as, { times })]);
    assert.equal(made(1), 'met: 1 requests');
    assert.equal(made(2), 'met: 2 requests');
    assert.equal(made(3), 'unmet: 3 requests');
    assert.equal(made(1, PAIR), 'unmet: 0 requests');
    assert.match(judged(checks.clientAsksOnce, [], { isStarved: true }), /^unclear/);
  });
  it('is of a key of its own each', () => {
    const taken = (key: string, answered = 201): Seen => seenAs(REQUESTS, TOKEN, { key, answered });
    const made = (...all: readonly Seen[]): string => judged(checks.clientAsksOnce, all);
    assert.equal(made(taken('k'), taken('l')), 'met: 2 requests');
    assert.equal(made(taken('k', 500), taken('k')), 'met: 2 requests');
    assert.equal(
      made(taken('k'), seenAs(LOOK, 'nobody'), taken('k')),
      'unmet: 2 requests, 1 of them for a key that was asked for already',
    );
  });
  it('is three times in two seconds where it is told to come again, and three times at once', () => {
    const looks = (times: number): string => judged(told(1), [seenAs(LOOK, 'nobody', { times })]);
    assert.equal(looks(6), 'met: 6 looks in 2 s');
    assert.equal(looks(7), 'unmet: 7 looks in 2 s');
    assert.equal(judged(told(1), []), 'unmet: 0 looks in 2 s');
    assert.match(judged(told(1), [], { isStarved: true }), /^unclear/);
    assert.equal(judged(told(4), [seenAs(LOOK, 'nobody', { times: 3 })]), 'met: 3 looks in 2 s');
    assert.equal(judged(told(4), [seenAs(LOOK, 'nobody', { times: 4 })]), 'unmet: 4 looks in 2 s');
  });
  it('is once a second and a half where it is broken off, and three times at once', () => {
    const looks = (times: number, more: Partial<Attempt> = {}): string =>
      judged(checks.clientTriesAfterAMoment, [seenAs(LOOK, 'nobody', { times })], more);
    assert.equal(looks(1), 'met: 1 looks in 2 s');
    assert.match(looks(7, { isStarved: true }), /^unmet/);
    assert.equal(looks(6), 'met: 6 looks in 2 s');
    assert.equal(looks(7), 'unmet: 7 looks in 2 s');
    assert.equal(looks(7, { speaksKubeadm: false }), '');
    assert.equal(judged(checks.clientTriesAfterAMoment, []), 'unmet: 0 looks in 2 s');
    assert.match(judged(checks.clientTriesAfterAMoment, [], { isStarved: true }), /^unclear/);
  });
  it('is sixty times a second where it is sent to where it is', () => {
    const looks = (times: number): string => judged(checks.clientLeavesCircles, [seenAs(LOOK, 'nobody', { times })]);
    assert.equal(looks(1), 'met: 1 looks in 2 s');
    assert.equal(looks(180), 'met: 180 looks in 2 s');
    assert.equal(looks(181), 'unmet: 181 looks in 2 s');
    assert.equal(judged(checks.clientLeavesCircles, []), 'unmet: 0 looks in 2 s');
    assert.match(judged(checks.clientLeavesCircles, [], { isStarved: true }), /^unclear/);
  });
});

describe('whom a client speaks for', () => {
  const speaks = (...all: readonly Seen[]): string => judged(checks.clientSpeaksForItself, all);

  it('speaks for itself', () => {
    assert.equal(speaks(seenAs(LOOK, 'nobody'), seenAs(CONFIG, TOKEN)), 'met: none has');
  });
  it('is told from who speaks for others', () => {
    assert.equal(
      speaks(seenAs(LOOK, 'nobody'), seenAs(CONFIG, TOKEN, { claims: ['cookie', 'x-remote-user'] })),
      `unmet: cookie with ${CONFIG}, x-remote-user with ${CONFIG}`,
    );
  });
  it('asks somebody', () => {
    assert.equal(speaks(), 'unmet: it asks nobody');
  });
});

describe('requests for certificates', () => {
  const pauses = (...seen: readonly Seen[]): string => judged(checks.clientPausesBetweenRequests, seen);
  const at = (first: number, more: Partial<Seen> = {}): Seen =>
    seenAs(REQUESTS, TOKEN, { first, last: first, ...more });
  it('are made one after the other', () => {
    assert.equal(pauses(at(0), at(2_000, { as: PAIR }), at(6_000)), 'met: it does');
    assert.equal(pauses(at(0, { times: 3, last: 4_000 })), 'met: it does');
    assert.equal(pauses(at(0), at(10), at(20, { answered: null })), 'unmet: less, 1 times');
    assert.equal(pauses(at(0, { times: 3, last: 300 }), at(900)), 'unmet: less, 2 times');
    assert.equal(pauses(at(0), at(1_000), at(1_999)), 'unmet: less, 1 times');
    assert.equal(pauses(at(5_000, { times: 3, last: 7_000 })), 'met: it does');
    assert.equal(pauses(at(5_000, { times: 3, last: 6_999 })), 'unmet: less, 1 times');
    // a pause begins with the last of those that are alike
    assert.equal(pauses(at(0, { times: 2, last: 2_000 }), at(2_500)), 'unmet: less, 1 times');
    assert.equal(pauses(at(9_000)), 'met: it does');
    assert.match(judged(checks.clientPausesBetweenRequests, [at(0), at(10)], { isStarved: true }), /^unmet/);
    assert.equal(pauses(seenAs(CONFIG, TOKEN)), 'unmet: no request is made');
    assert.equal(
      judged(checks.clientPausesBetweenRequests, [], { isStarved: true }),
      'unclear: no request is made; the machine was too busy for it',
    );
  });
});

describe('how many certificates a client asks for', () => {
  const asks = (times: number, more: Partial<Attempt>): string =>
    judged(checks.clientAsksForNoMore, times === 0 ? [] : [seenAs(REQUESTS, TOKEN, { times })], more);
  const HOUR = 3_600_000;
  it('follows from how long they live', () => {
    assert.equal(asks(1, { life: HOUR, milliseconds: HOUR }), 'met: 1 requests in 1 lives');
    assert.match(asks(9, { life: HOUR, milliseconds: HOUR, isStarved: true }), /^unmet/);
    assert.equal(asks(6, { life: HOUR, milliseconds: 2 * HOUR }), 'met: 6 requests in 2 lives');
    assert.equal(asks(7, { life: HOUR, milliseconds: 2 * HOUR }), 'unmet: 7 requests in 2 lives');
    assert.equal(asks(0, { life: HOUR, milliseconds: HOUR }), 'unmet: 0 requests in 1 lives');
    assert.match(asks(0, { life: HOUR, milliseconds: HOUR, isStarved: true }), /^unclear/);
    assert.equal(asks(1, {}), '');
  });
});

describe('a Lease', () => {
  const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
  const writes = (what: string, more: Partial<Seen> = {}): string =>
    judged(checks.clientWritesWhatItNeeds, [seenAs(what, PAIR, more)]);
  it('is of the own node', () => {
    assert.match(writes(`POST ${LEASES}`), /^met/);
    assert.match(writes(`PUT ${LEASES}/worker-9`), /^met/);
    assert.match(writes(`PUT ${LEASES}/another`), /^unmet/);
    assert.match(writes(`POST ${LEASES}`, { ofAnother: true }), /^unmet/);
  });
});

describe('what a node reads', () => {
  it('are resources, and what everybody may ask', () => {
    assert.match(judged(checks.clientReadsWhatItNeeds, [seenAs('GET /healthz', PAIR)]), /^met/);
    assert.match(judged(checks.clientReadsWhatItNeeds, [seenAs('GET /metrics', PAIR)]), /^unmet/);
  });
});

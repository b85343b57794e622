import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import { sentenceOf } from '../../model/finding.js';
import type { Attempts } from './joining-attempts.js';
import { type Attempt, ITS_KEY_SAID, ITS_TOKEN_SAID, type Seen } from './joining-client-reader.js';
import * as checks from './joining-manners.js';
import type { RequestSeen } from './joining-request-reader.js';

const look = (times: number): Seen => ({
  first: 0,
  last: 7000,
  times,
  connection: 1,
  certificate: 'good',
  what: 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info',
  as: 'nobody',
  answered: 404,
});
const attempt = (more: Partial<Attempt>): Attempt => ({
  subject: 'x (y)',
  exit: 1,
  words: '',
  said: [],
  speaksKubeadm: true,
  milliseconds: 7000,
  timeout: 7000,
  seen: [],
  left: [],
  ...more,
});

type Judge = (attempts: Attempts) => readonly { readonly result: string }[];
const silent: Judge = (attempts) => checks.clientKeepsItsToken.judge(attempts, undefined);
const inHeader: Judge = (attempts) => checks.clientShowsInItsHeader.judge(attempts, undefined);
const atOnce: Judge = (attempts) => checks.clientEndsAtOnce.judge(attempts, undefined);
const kubeadmPauses: Judge = (attempts) => checks.kubeadmPauses.judge(attempts, undefined);
const pauses: Judge = (attempts) => checks.clientPauses.judge(attempts, undefined);

const atRequests: Judge = (attempts) => checks.clientPausesAtRequests.judge(attempts, undefined);
const ofRequests = (times: number, end = '/a'): Seen => ({
  ...look(times),
  what: `GET /apis/certificates.k8s.io/v1/certificatesigningrequests${end}`,
});

const onceMore: Judge = (attempts) => checks.clientPausesWhereRefused.judge(attempts, undefined);
const refused = (times: number, what = 'GET /a', answered = 403): Seen => ({ ...look(times), what, answered });

const waits: Judge = (attempts) => checks.clientEndsItsWait.judge(attempts, undefined);
const REQUESTED: Seen = { ...look(1), what: 'POST /apis/certificates.k8s.io/v1/certificatesigningrequests' };
const waiting = (milliseconds: number): Partial<Attempt> => ({ milliseconds, waits: 10_000, seen: [REQUESTED] });

const wellness: Judge = (attempts) => checks.clientEndsItsHealthWait.judge(attempts, undefined);
const NODE_LOOK: Seen = { ...look(1), what: 'GET /api/v1/nodes/a', as: 'its token', last: 1000 };
const ailing = (milliseconds: number): Partial<Attempt> => ({ milliseconds, health: 8_000, seen: [NODE_LOOK] });
const reads: Judge = (attempts) => checks.clientOnlyReads.judge(attempts, undefined);

const LOOK = 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info';
const firstAsks: Judge = (attempts) => checks.clientFirstAsks.judge(attempts, { what: LOOK, as: 'nobody' });

const CASES: readonly (readonly [name: string, judge: Judge, more: Partial<Attempt>, result: string | undefined])[] = [
  ['lines without the token', silent, { said: ['a', 'b'] }, 'met'],
  ['a line with it', silent, { said: ['a', `b ${ITS_TOKEN_SAID}`] }, 'unmet'],
  ['last words with it', silent, { words: ITS_TOKEN_SAID }, 'unmet'],
  ['requests without the token', inHeader, { seen: [look(1)] }, 'met'],
  ['a request that holds it', inHeader, { seen: [look(1), { ...look(1), strays: true }] }, 'unmet'],
  ['an error at once', atOnce, { milliseconds: 300 }, 'met'],
  ['an error when the time is over', atOnce, {}, 'unmet'],
  ['an error after a look', atOnce, { milliseconds: 300, seen: [look(1)] }, 'unmet'],
  ['asked, then as somebody else', firstAsks, { seen: [look(1), { ...look(1), as: 'somebody else' }] }, 'met'],
  ['asked as somebody else', firstAsks, { seen: [{ ...look(1), as: 'somebody else' }] }, 'unmet'],
  ['not asked', firstAsks, {}, 'unmet'],
  ['a look each second', pauses, { seen: [look(8)] }, 'met'],
  ['something refused, four times a second', onceMore, { seen: [refused(38), refused(30, 'GET /b')] }, 'met'],
  ['it again and again', onceMore, { seen: [refused(30, 'GET /b'), refused(20), refused(19)] }, 'unmet'],
  ['as much that is given', onceMore, { seen: [refused(90, 'GET /a', 200)] }, 'met'],
  ['it refused at last', onceMore, { seen: [refused(90, 'GET /a', 200), refused(1)] }, 'unmet'],
  ['no look at a request, and others without a pause', atRequests, { seen: [look(700)] }, 'met'],
  ['five looks a second at a request', atRequests, { seen: [ofRequests(45)] }, 'met'],
  ['more looks at a request', atRequests, { seen: [ofRequests(46)] }, 'unmet'],
  ['as many at lists of them', atRequests, { seen: [ofRequests(41, ''), ofRequests(40, '?watch=true')] }, 'unmet'],
  ['as many of something else', atRequests, { seen: [ofRequests(90, 'x')] }, 'met'],
  ['a look each five seconds of kubeadm', kubeadmPauses, { seen: [look(3)], speaksKubeadm: true }, 'met'],
  ['a look each second of kubeadm', kubeadmPauses, { seen: [look(8)], speaksKubeadm: true }, 'unmet'],
  ['one look of kubeadm', kubeadmPauses, { seen: [look(1)], speaksKubeadm: true }, 'unmet'],
  ['a hundred looks a second of kubeadm', kubeadmPauses, { seen: [look(700)], speaksKubeadm: true }, 'unmet'],
  ['a hundred looks a second of another', kubeadmPauses, { seen: [look(700)], speaksKubeadm: false }, undefined],
  ['one look', pauses, { seen: [look(1)] }, 'unmet'],
  ['a wait of its time', waits, waiting(10_200), 'met'],
  ['a wait of a busy machine', waits, { ...waiting(17_000), starts: 500 }, 'unclear'],
  ['a wait of three times its time', waits, waiting(30_000), 'unmet'],
  ['hardly a wait', waits, waiting(1000), 'unmet'],
  ['a wait without a request', waits, { ...waiting(10_200), seen: [] }, 'unmet'],
  ['a wait that ends well', waits, { ...waiting(10_200), exit: 0 }, 'unmet'],
  ['a kubelet that is waited for', wellness, ailing(9_200), 'met'],
  ['one that is waited for on a busy machine', wellness, { ...ailing(15_000), starts: 500 }, 'unclear'],
  ['one that is waited for three times as long', wellness, ailing(25_000), 'unmet'],
  ['one that is hardly waited for', wellness, ailing(2_000), 'unmet'],
  ['one that is good enough', wellness, { ...ailing(9_200), exit: 0 }, 'unmet'],
  ['one that is waited for, nobody knows how long', wellness, { milliseconds: 1 }, undefined],
  ['a dry run that reads', reads, { exit: 0, seen: [look(1)] }, 'met'],
  ['a dry run that reads, and fails', reads, { seen: [look(1)] }, 'unmet'],
  ['a dry run that asks for a certificate', reads, { exit: 0, seen: [look(1), REQUESTED] }, 'unmet'],
  ['a connection without a request', reads, { exit: 0, seen: [{ ...look(1), what: 'silent', answered: null }] }, 'met'],
  ['a hundred looks a second', pauses, { seen: [look(700)] }, 'unmet'],
];

const REQUEST = {
  subject: 'O=system:nodes, CN=system:node:worker-9',
  signer: 'kubernetes.io/kube-apiserver-client-kubelet',
  usages: ['digital signature', 'client auth'],
};

describe('a request for a certificate', () => {
  const judged = (request?: RequestSeen): readonly string[] =>
    checks.clientAsksAsNode
      .judge([attempt({ seen: [{ ...look(1), ...(request === undefined ? {} : { request }) }] })], undefined)
      .map(({ result }) => result);

  it('is that of a node, of the signer of kubelets, for clients', () => {
    assert.deepEqual(judged(REQUEST), ['met']);
    assert.deepEqual(judged({ ...REQUEST, usages: [...REQUEST.usages, 'key encipherment'] }), ['met']);
  });

  const OTHERS: readonly (readonly [string, Partial<RequestSeen>])[] = [
    ['another node', { subject: 'O=system:nodes, CN=system:node:other' }],
    ['another group', { subject: 'O=system:masters, CN=system:node:worker-9' }],
    ['another signer', { signer: 'kubernetes.io/kube-apiserver-client' }],
    ['servers too', { usages: ['client auth', 'server auth'] }],
    ['nothing', { usages: [] }],
    ['other names', { names: ['kubernetes'] }],
    ['ten years', { seconds: 315_360_000 }],
    ['less than ten minutes', { seconds: 599 }],
    ['no signatures', { usages: ['client auth'] }],
    ['somebody whom it names', { besides: ['groups'] }],
  ];
  for (const [name, other] of OTHERS)
    it(`is none of a node for ${name}`, () => {
      assert.deepEqual(judged({ ...REQUEST, ...other }), ['unmet']);
    });

  it('may ask for less than a year', () => assert.deepEqual(judged({ ...REQUEST, seconds: 600 }), ['met']));
  it('is of the name that the machine was told', () => {
    const named = (node: string): unknown =>
      checks.clientAsksAsNode.judge([attempt({ node, seen: [{ ...look(1), request: REQUEST }] })], undefined)[0]
        ?.result;
    assert.deepEqual([named('worker-9'), named('worker-9.rack')], ['met', 'unmet']);
  });
  it('has to be there', () => assert.deepEqual(judged(), ['unmet']));
});

describe('the manners of a joining client', () => {
  for (const [name, judge, more, result] of CASES)
    it(`are judged: ${name}`, () => {
      assert.deepEqual(
        judge([attempt(more)]).map((finding) => finding.result),
        result === undefined ? [] : [result],
      );
    });
});

describe('what is told of the manners of a joining client', () => {
  const told = (check: Check<Attempts>, more: Partial<Attempt>): string =>
    check
      .judge([attempt(more)], undefined)
      .map((one) => `${one.result} ${sentenceOf(one)}`)
      .join();
  const at = (what: string, first: number, more: Partial<Seen> = {}): Seen => ({
    ...look(1),
    what,
    first,
    last: first,
    ...more,
  });
  const POST = 'POST /apis/certificates.k8s.io/v1/certificatesigningrequests';
  const NODE = 'GET /api/v1/nodes/worker-9';
  const READS = 'x (y): the client only reads, and ends with 0; seen: it ends with 0 after 7 s';
  const STARVED = { isStarved: true } as const;

  it('is a sentence with what was seen', () => {
    const keeps = 'x (y): nothing that the client says holds its token, its certificate key or a private key; seen:';
    assert.equal(told(checks.clientKeepsItsToken, { said: ['a', 'b'] }), `met ${keeps} none of 2 lines does`);
    assert.equal(
      told(checks.clientKeepsItsToken, { said: [ITS_TOKEN_SAID, `a ${ITS_KEY_SAID}`, 'b'], words: ITS_KEY_SAID }),
      `unmet ${keeps} 3 lines do`,
    );
    const header = 'x (y): no request holds a token, but in its header Authorization, or a certificate key; seen:';
    assert.equal(told(checks.clientShowsInItsHeader, { seen: [look(1)] }), `met ${header} none does`);
    assert.equal(
      told(checks.clientShowsInItsHeader, {
        seen: [at('GET /a', 0, { strays: true }), look(1), at('GET /b', 0, { strays: true })],
      }),
      `unmet ${header} GET /a, GET /b`,
    );
    const first = (more: Partial<Attempt>): string =>
      checks.clientFirstAsks
        .judge([attempt(more)], { what: LOOK, as: 'nobody' })
        .map((one) => `${one.result} ${sentenceOf(one)}`)
        .join();
    const asks = `x (y): the client first asks ${LOOK} as nobody; seen:`;
    assert.equal(first({ seen: [at('GET /a', 0, { as: 'a' }), look(1)] }), `met ${asks} as nobody`);
    assert.equal(first({ seen: [{ ...look(1), as: 'its token' }, look(1)] }), `unmet ${asks} as its token`);
    assert.equal(first({}), `unmet ${asks} it does not ask for it`);
  });

  it('blames no join that had no time for what it has not done, and one that did it wrong', () => {
    const first = (more: Partial<Attempt>) =>
      checks.clientFirstAsks.judge([attempt({ ...more, ...STARVED })], { what: LOOK, as: 'nobody' })[0]?.result;
    assert.deepEqual([first({}), first({ seen: [{ ...look(1), as: 'a' }] })], ['unclear', 'unmet']);
    const node = (...requests: readonly RequestSeen[]) =>
      checks.clientAsksAsNode.judge(
        [attempt({ ...STARVED, seen: requests.map((request) => ({ ...look(1), request })) })],
        undefined,
      )[0];
    assert.deepEqual([node()?.result, node({ ...REQUEST, usages: [] })?.result], ['unclear', 'unmet']);
    const pauses = (times: number) =>
      checks.clientPauses.judge([attempt({ ...STARVED, seen: [look(times)] })], undefined)[0]?.result;
    assert.deepEqual([pauses(1), pauses(2), pauses(700)], ['unclear', 'met', 'unmet']);
    const exit = (code: number) =>
      told(checks.clientOnlyReads, { ...STARVED, exit: code, seen: [look(1)] }).split(' ')[0];
    assert.deepEqual([exit(0), exit(1)], ['met', 'unclear']);
    assert.match(told(checks.clientOnlyReads, { ...STARVED, exit: 1, seen: [at(POST, 0)] }), /^unmet/);
  });

  it('is what each request for a certificate asks for', () => {
    const seen = (...requests: readonly RequestSeen[]): string =>
      checks.clientAsksAsNode.judge(
        [attempt({ seen: requests.map((request) => ({ ...look(1), request })) })],
        undefined,
      )[0]?.seen ?? '';
    assert.equal(seen(), 'no request can be read');
    assert.equal(seen(REQUEST, REQUEST), 'it is');
    const odd = { subject: 'CN=a', names: ['b', 'c'], signer: '', usages: ['client auth', 'any'] };
    assert.equal(
      seen({ ...REQUEST, seconds: 9e8, besides: ['uid'] }),
      `${REQUEST.subject}, of ${REQUEST.signer}, for digital signature, client auth, for 900000000 s, with uid`,
    );
    assert.equal(
      seen(odd, REQUEST, { ...REQUEST, usages: ['key encipherment'] }),
      `CN=a, b, c, of no signer, for client auth, any; ${REQUEST.subject}, of ${REQUEST.signer}, for key encipherment`,
    );
  });

  it('is how often it looks, ten times at once and four times a second', () => {
    const pauses = (times: number, milliseconds: number): string =>
      told(checks.clientPauses, { milliseconds, seen: [look(times)] });
    const sentence = 'x (y): the client looks again 4 times a second at most; seen:';
    assert.equal(pauses(18, 2000), `met ${sentence} 18 looks in 2 s`);
    assert.equal(pauses(19, 2000), `unmet ${sentence} 19 looks in 2 s`);
    assert.match(pauses(2, 0), /^met/);
    assert.match(told(checks.clientPauses, { milliseconds: 2000, seen: [look(9), look(10)] }), /^unmet/);
  });

  it('is how often it looks where it looks again', () => {
    const pauses = (times: number): string =>
      told(checks.clientPausesWhereItLooksAgain, { milliseconds: 2000, seen: [look(times)] });
    assert.match(pauses(1), /^met/);
    assert.match(pauses(18), /^met/);
    assert.match(pauses(19), /^unmet .*; seen: 19 looks in 2 s$/);
  });

  it('is whether it only reads', () => {
    for (const verb of ['GET', 'HEAD', 'OPTIONS'])
      assert.equal(told(checks.clientOnlyReads, { exit: 0, seen: [at(`${verb} /a`, 0)] }), `met ${READS}`);
    assert.equal(
      told(checks.clientOnlyReads, { exit: 0, seen: [at('PATCH /a', 0), at('DELETE /GET /b', 0), at('PATCH /a', 0)] }),
      `unmet ${READS}; it asks PATCH /a, DELETE /GET /b`,
    );
  });

  it('is what it writes with its token', () => {
    const writes = (...all: readonly [what: string, as?: string, answered?: null][]): string =>
      told(checks.clientWritesItsOwn, {
        seen: all.map(([what, as = 'its token', answered = 200]) => ({ ...at(what, 0), as, answered }) as Seen),
      });
    const WRITES = 'x (y): the client writes nothing with its token but its request for a certificate; seen:';
    const review = 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    assert.equal(writes([POST], [review], ['GET /a'], ['PATCH /a', 'somebody else']), `met ${WRITES} so it is`);
    assert.equal(writes(['DELETE /a', 'its token', null]), `met ${WRITES} so it is`);
    assert.equal(
      writes(['DELETE /a'], ['PATCH /b', 'its token of discovery'], ['DELETE /a']),
      `unmet ${WRITES} it asks DELETE /a, PATCH /b`,
    );
    assert.match(writes([`${POST}/a`]), /^unmet/);
  });

  it('is how long it waits for its certificate, from the look for its Node on', () => {
    const wait = (milliseconds: number, ...seen: readonly Seen[]): string =>
      told(checks.clientEndsItsWait, { waits: 10_000, milliseconds, seen }).split(' ')[0] ?? '';
    const node = at(NODE, 4000);
    const asks = at(POST, 4500);
    assert.equal(wait(14_000, node, asks), 'met');
    // it is short by more than the server began before it
    assert.equal(wait(12_000, node, asks), 'met');
    assert.equal(wait(11_999, node, asks), 'unmet');
    // the last look before its request, and what only looks like one
    assert.equal(wait(13_000, at(NODE, 1000), at(NODE, 5001), asks), 'met');
    assert.equal(wait(13_000, at(NODE, 1000), at(NODE, 4500), asks), 'met');
    assert.equal(wait(12_000, at(NODE, 1000), at(NODE, 4400), asks), 'unmet');
    for (const other of ['GET /api/v1/nodes/a/status', 'GET /api/v1/nodes/', 'HEAD /a/GET /api/v1/nodes/a'])
      assert.equal(wait(12_000, at(NODE, 1000), at(other, 4400), asks), 'met', other);
    // without a look: since what it asked before
    assert.equal(wait(12_000, at('GET /a', 4100), asks), 'unmet');
    assert.equal(wait(12_100, at('GET /a', 4100), asks), 'met');
    // since its request it is long, or over
    assert.equal(wait(19_500, node, asks), 'met');
    assert.equal(wait(19_501, node, asks), 'unmet');
    // of a program, which may be started late, nobody knows whether that is too long
    const program = (milliseconds: number): string =>
      told(checks.clientEndsItsWait, { waits: 10_000, milliseconds, seen: [node, asks], starts: 500 }).split(' ')[0] ??
      '';
    assert.deepEqual([19_500, 19_501, 22_000, 22_001].map(program), ['met', 'unclear', 'unclear', 'unmet']);
    const sentence =
      'x (y): the client waits 10 s for its certificate, and ends with an error; seen: it ends with 1 after 14 s';
    assert.equal(
      told(checks.clientEndsItsWait, { waits: 10_000, milliseconds: 14_000, seen: [node, asks] }),
      `met ${sentence}, 10 s after its request`,
    );
    assert.equal(
      told(checks.clientEndsItsWait, { waits: 10_000, milliseconds: 14_000 }),
      `unmet ${sentence}, without a request`,
    );
    // who had no time to ask is not blamed; who has asked is
    const starved = { waits: 10_000, milliseconds: 11_000, isStarved: true } as const;
    assert.match(told(checks.clientEndsItsWait, starved), /^unclear .*without a request; the machine was too busy/);
    assert.match(told(checks.clientEndsItsWait, { ...starved, seen: [node, asks] }), /^unmet/);
    assert.equal(told(checks.clientEndsItsWait, {}), '');
  });

  it('is how long it waits for its kubelet, since its token asked last before a certificate was asked for', () => {
    const wait = (milliseconds: number, ...seen: readonly Seen[]): string =>
      told(checks.clientEndsItsHealthWait, { health: 8000, milliseconds, seen }).split(' ')[0] ?? '';
    const token = { as: 'its token' } as const;
    const node = at(NODE, 2000, token);
    assert.equal(wait(8000, node), 'met');
    assert.equal(wait(7999, node), 'unmet');
    assert.equal(wait(15_000, node), 'met');
    assert.equal(wait(15_001, node), 'unmet');
    const program = (milliseconds: number): string =>
      told(checks.clientEndsItsHealthWait, { health: 8000, milliseconds, seen: [node], starts: 500 }).split(' ')[0] ??
      '';
    assert.deepEqual([15_000, 15_001, 16_000, 16_001].map(program), ['met', 'unclear', 'unclear', 'unmet']);
    const starved = (...seen: readonly Seen[]): string =>
      told(checks.clientEndsItsHealthWait, { health: 8000, milliseconds: 7000, seen, isStarved: true });
    assert.match(starved(node), /^unclear .*; the machine was too busy for it$/);
    assert.match(starved(node, at(POST, 2500, token)), /^unmet/);
    // what is asked behind the request, as somebody else, of no object or to change something, is no look
    const others = [at(NODE, 7000), at('PUT /a', 7000, token), at('GET /healthz', 7000, token)];
    for (const later of [[at(POST, 2500, token), at(NODE, 7000, token)], ...others.map((one) => [one])])
      assert.equal(wait(8000, node, ...later), 'met');
    assert.equal(wait(8000, node, at(NODE, 2500, token)), 'unmet');
    assert.equal(wait(8000, at(POST, 1000, token)), 'met');
    assert.equal(
      told(checks.clientEndsItsHealthWait, { health: 8000, milliseconds: 10_000, seen: [node] }),
      'met x (y): the client waits 8 s for a kubelet that is well, and ends with an error; seen: it ends with 1 after 10 s, 8 s after it had what it asks the cluster for',
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClientRun, Entry } from '../../kubernetes/transcript.js';
import type { Check } from '../../model/check.js';
import { eachSays, type Told } from '../common/judged.testing.js';
import {
  clientAsks,
  clientAsksNamed,
  clientAsksNobody,
  clientDoesNotAsk,
  clientDoesNotTell,
  clientEnds,
  clientFails,
  clientIsOne,
  clientJoins,
  clientKeepsItsKey,
  clientRefuses,
  clientSays,
  clientTells,
  kubeadmAsksNobody,
  kubeadmFails,
  kubeadmJoins,
  kubeadmRefuses,
  quickClientJoins,
  whyNotJoined,
} from './joining-client.js';
import { type Attempt, ITS_TOKEN_SAID, readAttempt, type Seen } from './joining-client-reader.js';
import {
  clientBeginsAsNobody,
  clientEndsInTime,
  clientKeepsAsking,
  clientKeepsAskingByFile,
  clientLooks,
  clientLooksFirst,
  clientLooksUnnamed,
  clientReadsNoMore,
  clientShowsToTheRight,
  clientSpeaksTls,
  clientStops,
  fileDownloadedOnce,
  kubeadmEndsInTime,
  kubeadmKeepsAsking,
  kubeadmLooks,
} from './joining-discovery.js';
import { clientKeepsItsToken } from './joining-manners.js';
import { seenAs } from './joining-seen.testing.js';

const LOOK = 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info';
const POST = 'POST /apis/certificates.k8s.io/v1/certificatesigningrequests';
const seen = (what: string, as = 'nobody', more: Partial<Seen> = {}): Seen => seenAs(what, as, more);
const KEY = { answered: 201, key: 'sha256:a' };
const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  subject: 'x (y)',
  exit: 1,
  words: 'no such cluster',
  said: ['all is well'],
  speaksKubeadm: true,
  milliseconds: 7_000,
  timeout: 7_000,
  seen: [],
  left: [],
  ...more,
});
/** It keeps a CA that it may believe, whoever serves it. */
const believing: Partial<Attempt> = { isBelievable: true, left: ['/etc/kubernetes/pki/ca.crt'] };
const joined: Partial<Attempt> = { exit: 0, seen: [seen(LOOK), seen(LOOK), seen(POST, 'its token', KEY)] };
const refused: Partial<Attempt> = { seen: [seen(LOOK)] };
const retried: Partial<Attempt> = { seen: [seen(LOOK, 'nobody', { times: 2, answered: 500 })] };
const mute: Partial<Attempt> = { speaksKubeadm: false };

describe('what is asked again within a moment', () => {
  const paced = (milliseconds: number): unknown =>
    quickClientJoins.judge(
      [
        attempt({
          seen: [0, 1, 2].map((nth) => seen(LOOK, 'nobody', { first: nth * milliseconds, last: nth * milliseconds })),
        }),
      ],
      undefined,
    )[0]?.result;
  it('is demanded of those alone whose calls are quick', () => {
    assert.deepEqual([paced(50), paced(500)], ['unmet', undefined]);
  });
});

describe('a client that ends', () => {
  it('does so with an error, whatever it keeps', () => {
    const left = ['/var/lib/kubelet/pki/kubelet-client-current.pem'];
    const ended = (exit: number | null): unknown => clientEnds.judge([attempt({ exit, left })], undefined)[0]?.result;
    assert.deepEqual([1, 2, 0, null].map(ended), ['met', 'met', 'unmet', 'unmet']);
    assert.equal(clientFails.judge([attempt({ exit: 1, left })], undefined)[0]?.result, 'unmet');
  });
});

describe('what is late', () => {
  const late = (milliseconds: number, lag?: number): unknown =>
    clientEndsInTime.judge([attempt({ milliseconds, ...(lag === undefined ? {} : { lag }) })], { calls: false })[0]
      ?.result;

  it("is the client's doing on a machine that has time, and nobody knows whose on one that has none", () => {
    assert.equal(late(8_000), 'met');
    assert.equal(late(9_000), 'unmet');
    assert.equal(late(9_000, 400), 'unmet');
    assert.equal(late(9_000, 900), 'unclear');
    assert.equal(late(19_000, 900), 'unmet');
    assert.equal(late(7_000, 9_000), 'met');
  });
});

describe('a client on a machine that is too busy', () => {
  const busy: Attempt = attempt({ exit: null, milliseconds: 40_000, isStarved: true });
  const resultOf = (check: Check<readonly Attempt[]>, one: Attempt): unknown =>
    check.judge([one], undefined)[0]?.result;

  it('is not blamed for what it has had no time for', () => {
    const checks = [
      clientJoins,
      clientRefuses,
      clientAsksNobody,
      clientFails,
      clientEnds,
      clientKeepsAsking,
      clientStops,
    ];
    for (const check of checks) assert.equal(resultOf(check, busy), 'unclear', check.id);
    assert.equal(whyNotJoined([busy]), undefined);
  });

  it('is blamed for what it does all the same', () => {
    assert.equal(resultOf(clientRefuses, { ...busy, seen: [seen(POST, 'its token')] }), 'unmet');
    assert.equal(
      resultOf(clientFails, { ...busy, left: ['/var/lib/kubelet/pki/kubelet-client-current.pem'] }),
      'unmet',
    );
    assert.equal(resultOf(clientAsksNobody, { ...busy, seen: [seen(LOOK)] }), 'unmet');
    const token = { ...busy, said: [`it shows ${ITS_TOKEN_SAID}`] };
    assert.equal(resultOf(clientKeepsItsToken, token), 'unmet');
    const plain = { ...busy, seen: [seen('plain request')] };
    assert.equal(resultOf(clientSpeaksTls, plain), 'unmet');
    const asks = clientAsks.judge([{ ...busy, seen: [seen(POST, 'nobody')] }], { what: POST, as: 'its token' });
    assert.equal(asks[0]?.result, 'unmet');
  });
});

/** What a check says, of what is right and of what is wrong each. */
const cases: readonly Told<Attempt>[] = [
  [
    clientIsOne.id,
    (all) => clientIsOne.judge(all, undefined),
    [joined, { ...joined, exit: 1 }, { exit: 0, seen: [seen('GET /version', 'its token')] }],
    [{ exit: 0 }, refused, { exit: null, seen: [seen(POST, 'its token')] }, { seen: [seen(POST, 'somebody else')] }],
  ],
  [
    clientReadsNoMore.id,
    (all) => clientReadsNoMore.judge(all, { times: 1 }),
    [{}, refused, { seen: [seen(LOOK), seen(LOOK, 'nobody', { times: 3, answered: 500 })] }],
    [{ seen: [seen(LOOK), seen(LOOK)] }, { seen: [seen(LOOK, 'nobody', { times: 2 })] }],
  ],
  [
    `${clientReadsNoMore.id}, not at all`,
    (all) => clientReadsNoMore.judge(all, { times: 0 }),
    [{}, retried],
    [refused],
  ],
  [
    clientJoins.id,
    (all) => clientJoins.judge(all, undefined),
    [joined],
    [{ ...joined, exit: 1 }, { exit: 0 }, { exit: 0, seen: [seen(POST, 'nobody', KEY)] }],
  ],
  [
    clientRefuses.id,
    (all) => clientRefuses.judge(all, undefined),
    [refused, {}, { ...believing, speaksKubeadm: false }],
    [
      { exit: 0 },
      { exit: null },
      { seen: [seen(LOOK, 'its token')] },
      { left: ['/etc/kubernetes/pki/ca.crt'] },
      { ...believing, speaksKubeadm: true },
      { ...believing, speaksKubeadm: false, left: ['/etc/kubernetes/bootstrap-kubelet.conf'] },
    ],
  ],
  [kubeadmRefuses.id, (all) => kubeadmRefuses.judge(all, undefined), [refused], [{ exit: 0 }]],
  [
    clientAsksNobody.id,
    (all) => clientAsksNobody.judge(all, undefined),
    [{}],
    [refused, { exit: 0 }, { left: ['/a'] }],
  ],
  [kubeadmAsksNobody.id, (all) => kubeadmAsksNobody.judge(all, undefined), [{}], [refused]],
  [
    clientFails.id,
    (all) => clientFails.judge(all, undefined),
    [{}, { left: ['/etc/kubernetes/pki/ca.crt'] }],
    [{ exit: 0 }, { exit: null }, { left: ['/var/lib/kubelet/pki/kubelet-client-current.pem'] }],
  ],
  [kubeadmFails.id, (all) => kubeadmFails.judge(all, undefined), [{}], [{ exit: 0 }]],
  [kubeadmJoins.id, (all) => kubeadmJoins.judge(all, undefined), [joined], [{}]],
  [
    clientLooksUnnamed.id,
    (all) => clientLooksUnnamed.judge(all, undefined),
    [joined, refused],
    [{}, { seen: [seen(LOOK), seen(LOOK, 'nobody', { isNamed: true })] }],
  ],
  [
    fileDownloadedOnce.id,
    (all) => fileDownloadedOnce.judge(all, undefined),
    [{ seen: [seen('HEAD /f.conf'), seen('GET /f.conf')] }],
    [{}, { seen: [seen('GET /f.conf', 'nobody', { times: 2 })] }],
  ],
  [
    clientKeepsAskingByFile.id,
    (all) => clientKeepsAskingByFile.judge(all, undefined),
    [retried],
    [refused, { ...refused, speaksKubeadm: false, seen: [seen(LOOK)] }],
  ],
  [kubeadmKeepsAsking.id, (all) => kubeadmKeepsAsking.judge(all, undefined), [retried], [refused]],
  [
    clientKeepsAsking.id,
    (all) => clientKeepsAsking.judge(all, undefined),
    [retried, { ...retried, milliseconds: 2_000 }],
    [refused, { ...retried, milliseconds: 1_900 }, { ...retried, exit: 0 }],
  ],
  [
    clientEndsInTime.id,
    (all) => clientEndsInTime.judge(all, { calls: false }),
    [{}, { milliseconds: 8_000 }],
    [{ milliseconds: 8_100 }, { exit: 0 }, { exit: null }],
  ],
  [
    kubeadmEndsInTime.id,
    (all) => kubeadmEndsInTime.judge(all, undefined),
    [{}, { milliseconds: 8_000 }],
    [{ milliseconds: 8_100 }, { exit: 0 }],
  ],
  [
    kubeadmLooks.id,
    (all) => kubeadmLooks.judge(all, { times: 2 }),
    [joined],
    [refused, { seen: [seen(LOOK, 'nobody', { times: 3 })] }],
  ],
  [
    clientBeginsAsNobody.id,
    (all) => clientBeginsAsNobody.judge(all, undefined),
    [refused, { seen: [seen('GET /version'), seen(LOOK)] }, { seen: [seen('GET /f.conf'), seen(LOOK)] }],
    [
      {},
      { seen: [seen('GET /f.conf', 'its token'), seen(LOOK)] },
      { seen: [seen(LOOK, 'its token')] },
      { seen: [seen('GET /version', 'its token'), seen(LOOK)] },
      { seen: [seen(POST)] },
    ],
  ],
  [
    clientSpeaksTls.id,
    (all) => clientSpeaksTls.judge(all, undefined),
    [refused],
    [{}, { seen: [seen('plain request')] }, { seen: [seen('answered without tls, to a client without TLS')] }],
  ],
  [
    clientLooks.id,
    (all) => clientLooks.judge(all, { times: 2 }),
    [joined, { seen: [seen(LOOK, 'nobody', { times: 2 })] }],
    [refused, { seen: [seen(LOOK, 'nobody', { times: 2, first: 1_001 })] }],
  ],
  [
    clientLooksFirst.id,
    (all) => clientLooksFirst.judge(all, { times: 2 }),
    [joined],
    [
      refused,
      { seen: [seen(LOOK), seen(POST, 'its token'), seen(LOOK)] },
      { seen: [seen(LOOK), seen(LOOK, 'its token')] },
    ],
  ],
  [
    clientStops.id,
    (all) => clientStops.judge(all, undefined),
    [refused],
    [{ exit: 0 }, { seen: [seen('certificate refused')] }],
  ],
  [
    clientShowsToTheRight.id,
    (all) => clientShowsToTheRight.judge(all, undefined),
    [
      joined,
      refused,
      { seen: [seen(LOOK, 'nobody', { times: 2 }), seen(POST, 'its token', KEY), seen(LOOK)], speaksKubeadm: false },
    ],
    [
      { seen: [seen(LOOK), seen(POST, 'its token', { certificate: 'by other ca' })] },
      { seen: [seen(LOOK), seen(LOOK, 'its token')] },
      { seen: [seen(LOOK), seen(POST, 'its token', KEY), seen(LOOK)], speaksKubeadm: false },
      { seen: [seen(LOOK, 'nobody', { times: 2 }), seen(POST, 'its token', KEY), seen(LOOK)], speaksKubeadm: true },
    ],
  ],
  [
    clientSays.id,
    (all) => clientSays.judge(all, { words: 'no such' }),
    [{}, { words: '', said: ['[preflight]', '\t[ERROR FileExisting-a]: no such file'] }],
    [{ words: '' }, { exit: 0 }, { words: '', said: ['no such file', '\t[WARNING FileExisting-a]: no such file'] }],
  ],
  [
    clientDoesNotTell.id,
    (all) => clientDoesNotTell.judge(all, { words: 'ALL is well' }),
    [{ said: [] }],
    [{}, { said: [], words: 'all is well, then' }],
  ],
  [clientTells.id, (all) => clientTells.judge(all, { words: 'ALL is well' }), [{}], [{ said: [] }]],
  [
    clientAsks.id,
    (all) => clientAsks.judge(all, { what: POST, as: 'its token' }),
    [joined],
    [refused, { seen: [seen(POST)] }, { seen: [seen(POST), seen(POST, 'its token')] }],
  ],
  [
    clientAsksNamed.id,
    (all) => clientAsksNamed.judge(all, undefined),
    [joined],
    [refused, { seen: [seen(POST, 'its token', { elsewhere: true })] }],
  ],
  [clientDoesNotAsk.id, (all) => clientDoesNotAsk.judge(all, { what: POST }), [refused], [joined]],
  [
    clientKeepsItsKey.id,
    (all) => clientKeepsItsKey.judge([...all, attempt({ seen: [] })], undefined).slice(0, 1),
    [joined],
    [refused],
  ],
];

eachSays(cases, (more) => [attempt(more)]);

describe('the words of a client', () => {
  it('are not judged where it does not speak as kubeadm does', () => {
    assert.deepEqual(clientSays.judge([attempt(mute)], { words: 'x' }), []);
    assert.deepEqual(clientTells.judge([attempt(mute)], { words: 'x' }), []);
    assert.deepEqual(clientDoesNotTell.judge([attempt(mute)], { words: 'x' }), []);
    assert.deepEqual(kubeadmRefuses.judge([attempt(mute)], undefined), []);
    assert.deepEqual(kubeadmAsksNobody.judge([attempt(mute)], undefined), []);
    assert.deepEqual(kubeadmFails.judge([attempt(mute)], undefined), []);
    assert.deepEqual(kubeadmJoins.judge([attempt(mute)], undefined), []);
    assert.deepEqual(fileDownloadedOnce.judge([attempt(mute)], undefined), []);
    assert.deepEqual(kubeadmKeepsAsking.judge([attempt(mute)], undefined), []);
    assert.deepEqual(kubeadmEndsInTime.judge([attempt(mute)], undefined), []);
    assert.deepEqual(kubeadmLooks.judge([attempt(mute)], { times: 1 }), []);
  });
});

describe('keys', () => {
  it('are of one join each, and are not sent', () => {
    const leaking = attempt({ seen: [seen(POST, 'its token', { ...KEY, leaks: true })] });
    const results = clientKeepsItsKey.judge([attempt(joined), leaking], undefined).map(({ result }) => result);
    assert.deepEqual(results, ['unmet', 'met', 'unmet', 'unmet']);
  });
});

const TOKEN = 'abcdef.0123456789abcdef';
const request = (more: Partial<Extract<Entry, { kind: 'request' }>>): Entry => ({
  kind: 'request',
  at: 0,
  connection: 1,
  certificate: 'good',
  method: 'GET',
  target: '/version?timeout=1s',
  headers: {},
  authorization: undefined,
  body: '',
  answered: 200,
  ...more,
});
const runOf = (entries: readonly Entry[]): ClientRun => ({
  lie: 'x',
  server: 'y',
  truth: {
    discoveryTimeout: 1,
    discoveryToken: 'zzzzzz.zzzzzzzzzzzzzzzz',
    bootstrapToken: TOKEN,
    caPem: '',
    server: '',
    kubelet: '',
    shared: {},
  },
  speaksKubeadm: true,
  transcript: { entries, said: [`with ${TOKEN}`], exit: undefined, message: `no ${TOKEN}`, files: {}, milliseconds: 1 },
});

describe('reading what a client did', () => {
  const read = (entry: Entry): Seen | undefined => readAttempt(runOf([entry])).seen[0];
  it('tells whom it was asked as, by the header and wherever else a token stands', () => {
    const as = (more: Parameters<typeof request>[0]) => read(request(more))?.as;
    assert.equal(as({}), 'nobody');
    assert.equal(as({ authorization: `Bearer ${TOKEN}` }), 'its token');
    assert.equal(as({ authorization: 'Bearer zzzzzz.zzzzzzzzzzzzzzzz' }), 'its token of discovery');
    assert.equal(as({ authorization: 'Bearer other' }), 'somebody else');
    assert.equal(as({ clientCertificate: 'CN=a' }), 'a certificate');
    for (const more of [{ target: `/?token=${TOKEN}` }, { body: TOKEN }, { headers: { cookie: TOKEN } }])
      assert.match(as(more) ?? '', /with its token in some other place/);
  });
  it('repeats no token, and drops the query', () => {
    const whole = readAttempt(runOf([request({ authorization: `Bearer ${TOKEN}` })]));
    assert.ok(!JSON.stringify(whole).includes('0123456789abcdef'));
    assert.equal(whole.exit, null);
    assert.equal(whole.seen[0]?.what, 'GET /version');
  });
  it('puts together what repeats itself', () => {
    const { seen: all } = readAttempt(runOf([request({}), request({ at: 5 }), request({ method: 'POST' })]));
    assert.deepEqual(
      all.map(({ times, last }) => [times, last]),
      [
        [2, 5],
        [1, 0],
      ],
    );
  });
  it('notices a private key in a body, in base64 too', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
    const bodies = [pem, JSON.stringify({ key: Buffer.from(pem).toString('base64') })];
    for (const body of bodies) assert.equal(read(request({ body }))?.leaks, true);
    assert.equal(read(request({ body: '{"key":"PUBLIC"}' }))?.leaks, undefined);
  });
  it('tells of connections what became of them', () => {
    const event = { kind: 'connection', at: 1, connection: 2, event: 'certificate refused' } as const;
    assert.equal(read(event)?.what, 'certificate refused');
    assert.match(read({ ...event, event: 'answered without tls', firstByte: 71 })?.what ?? '', /without TLS$/);
  });
});

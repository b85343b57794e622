import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attempts } from './joining-attempts.js';
import { type Attempt, ITS_TOKEN_SAID, type RequestSeen, type Seen } from './joining-client-reader.js';
import * as checks from './joining-manners.js';

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
  ['a look each second of kubeadm', kubeadmPauses, { seen: [look(8)], speaksKubeadm: true }, 'met'],
  ['a hundred looks a second of kubeadm', kubeadmPauses, { seen: [look(700)], speaksKubeadm: true }, 'unmet'],
  ['a hundred looks a second of another', kubeadmPauses, { seen: [look(700)], speaksKubeadm: false }, undefined],
  ['one look', pauses, { seen: [look(1)] }, 'unmet'],
  ['a wait of its time', waits, waiting(10_200), 'met'],
  ['a wait of a busy machine', waits, waiting(17_000), 'unclear'],
  ['a wait of three times its time', waits, waiting(30_000), 'unmet'],
  ['hardly a wait', waits, waiting(1000), 'unmet'],
  ['a wait without a request', waits, { ...waiting(10_200), seen: [] }, 'unmet'],
  ['a wait that ends well', waits, { ...waiting(10_200), exit: 0 }, 'unmet'],
  ['a kubelet that is waited for', wellness, ailing(9_200), 'met'],
  ['one that is waited for on a busy machine', wellness, ailing(15_000), 'unclear'],
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
  ];
  for (const [name, other] of OTHERS)
    it(`is none of a node for ${name}`, () => {
      assert.deepEqual(judged({ ...REQUEST, ...other }), ['unmet']);
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

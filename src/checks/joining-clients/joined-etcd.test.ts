import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EtcdCall } from '../../kubernetes/transcript.js';
import type { Check } from '../../model/check.js';
import { sentenceOf } from '../../model/finding.js';
import { judged } from '../common/judged.testing.js';
import * as checks from './joined-etcd.js';
import type { Done, FileSeen, Machine } from './joined-files-reader.js';
import { untouchedMachine } from './joined-machine.testing.js';

const OWN = { name: 'worker-9', peerUrl: 'https://192.0.2.20:2380' };
// neither these nor what is told of them stand in the order of their names
const OTHERS = [
  { name: 'z', peerUrl: 'https://192.0.2.12:2380' },
  { name: 'a', peerUrl: 'https://192.0.2.11:2380' },
];
const call = (name: string, more: Partial<EtcdCall> = {}): EtcdCall => ({
  call: name,
  after: 3,
  isDone: true,
  ...more,
});
const inVain = (one: EtcdCall): EtcdCall => ({ ...one, isDone: false });
const STATUS = call('Status');
const LATE = call('Status', { after: 6 });
const LIST = call('MemberList');
const ADD = call('MemberAdd', { peerUrls: [OWN.peerUrl], asLearner: true });
const PROMOTE = call('MemberPromote');
const SOUND = [LIST, STATUS, LIST, ADD, LIST, PROMOTE, STATUS];
const MANIFEST = '/etc/kubernetes/manifests/etcd.yaml';
const manifest = (...flags: string[]): FileSeen => ({
  path: MANIFEST,
  mode: 0o600,
  digest: 'd',
  held: { kind: 'settings', settings: { spec: { containers: [{ command: ['etcd', ...flags] }] } } },
});
const ran = (path: string, after: number): Done => ({ what: 'ran', after, path });

const joined = (calls: readonly EtcdCall[], more: Partial<Machine> = {}): Machine => ({
  ...untouchedMachine,
  done: [ran('restart kubelet', 5)],
  etcd: { calls, others: OTHERS, own: OWN },
  ...more,
});

type Case = readonly [calls: readonly EtcdCall[], said: string, more?: Partial<Machine>];
/** Each machine is said to be so, of the one thing that is demanded. */
function says(check: Check<readonly Machine[]>, demanded: string, cases: readonly Case[]): void {
  for (const [calls, said, more] of cases) {
    const findings = judged(check, [joined(calls, more)], undefined).map((one) => `${one.result} ${sentenceOf(one)}`);
    const [result = '', seen = ''] = said.split(': ');
    assert.deepEqual(findings, [`${result} x (y): ${demanded}; seen: ${seen}`]);
  }
}

describe('the etcd of a cluster', () => {
  it('is asked how it is before the kubelet starts and a member is added', () => {
    says(checks.etcdLookedAt, 'etcd is asked how it is before the kubelet is started, and before a member is added', [
      [SOUND, 'met: it is'],
      [[STATUS, LIST, PROMOTE], 'met: it is'],
      [[STATUS, inVain(ADD), STATUS], 'met: it is'],
      [[inVain(ADD), STATUS, ADD], 'met: it is'],
      [[LIST, ADD, STATUS], 'unmet: after it'],
      [[ADD, STATUS], 'unmet: after it'],
      [[ADD, LATE], 'unmet: after it'],
      [[LATE, ADD], 'unmet: when the kubelet runs'],
      [[inVain(STATUS), ADD], 'unmet: it is not asked'],
      [[inVain(STATUS), LATE], 'unmet: when the kubelet runs'],
      [[], 'unmet: it is not asked'],
      // of two that are asked at the same time it is before it, where the server has seen no more
      [[STATUS], 'met: it is', { done: [ran('start kubelet', 3)] }],
      [[STATUS], 'unmet: when the kubelet runs', { done: [ran('start kubelet', 2)] }],
      // what is no start of the kubelet
      [[LATE], 'met: it is', { done: [] }],
      [[LATE], 'met: it is', { done: undefined }],
      [[], 'unmet: it is not asked', { done: [] }],
      ...['daemon-reload', 'is-active kubelet', 'stop kubelet', 'start kubelet-exporter', 'try-restart kubelet'].map(
        (path): Case => [[STATUS], 'met: it is', { done: [ran(path, 1), ran('start kubelet', 5)] }],
      ),
    ]);
  });

  it('is asked how it is in the end', () => {
    says(checks.etcdWaitedFor, 'etcd is asked how it is in the end', [
      [SOUND, 'met: it is'],
      [[STATUS, LIST], 'met: it is'],
      [[STATUS], 'met: it is'],
      [[ADD, STATUS, inVain(PROMOTE)], 'met: it is'],
      [[STATUS, ADD, PROMOTE], 'unmet: it is not asked then'],
      [[STATUS, ADD, LIST], 'unmet: it is not asked then'],
      [[ADD, STATUS, PROMOTE], 'unmet: it is not asked then'],
      [[ADD, PROMOTE, inVain(STATUS)], 'unmet: it is not asked then'],
      [[], 'unmet: it is not asked then'],
    ]);
  });

  it('is left alone where it may only be looked at', () => {
    says(checks.etcdLeftAlone, 'no member of this etcd is added or changed, and no etcd is started here', [
      [[LIST, STATUS], 'met: so it is'],
      [[ADD], 'unmet: MemberAdd'],
      [[inVain(ADD), LIST, PROMOTE], 'unmet: MemberAdd, MemberPromote'],
      [[call('MemberUpdate')], 'unmet: MemberUpdate'],
      [[], `unmet: there is ${MANIFEST}`, { left: [manifest()] }],
      [[call('MemberRemove')], `unmet: MemberRemove, there is ${MANIFEST}`, { left: [manifest()] }],
    ]);
    says(checks.etcdNotAddedAgain, `the member of ${OWN.peerUrl} stays as it is, and no other one is added`, [
      [[LIST, PROMOTE], 'met: so it is'],
      [[inVain(ADD)], 'unmet: MemberAdd'],
      [[call('MemberRemove'), ADD], 'unmet: MemberRemove, MemberAdd'],
    ]);
  });
});

describe('a member of etcd that joins', () => {
  it('is a learner of its own peer URL', () => {
    const own = `${OWN.peerUrl} as a learner`;
    says(checks.etcdJoinedAsLearner, `its etcd is added as a learner, by ${OWN.peerUrl}`, [
      [SOUND, `met: ${own}`],
      [[inVain(ADD), ADD], `met: ${own}, in vain, ${own}`],
      [[inVain(ADD)], `unmet: ${own}, in vain`],
      [[{ ...ADD, asLearner: false }], `unmet: ${OWN.peerUrl} as a voter`],
      [[{ ...ADD, asLearner: false }, ADD], `unmet: ${OWN.peerUrl} as a voter, ${own}`],
      [[{ ...ADD, peerUrls: ['https://192.0.2.1:2380'] }], 'unmet: https://192.0.2.1:2380 as a learner'],
      [[{ ...ADD, peerUrls: [OWN.peerUrl, 'http://a:1'] }], `unmet: ${OWN.peerUrl} and http://a:1 as a learner`],
      [[ADD, { ...ADD, peerUrls: ['http://a:1'] }], `unmet: ${own}, http://a:1 as a learner`],
      [[call('MemberAdd', { asLearner: true })], 'unmet:  as a learner'],
      [[LIST], 'unmet: it is not added'],
    ]);
  });

  it('is added when its kubelet runs', () => {
    says(checks.etcdAddedLast, 'its etcd is added when the kubelet that starts it runs', [
      [[call('MemberAdd', { after: 5 })], 'met: it is'],
      [[call('MemberAdd', { after: 6 })], 'met: it is'],
      [[call('MemberAdd', { after: 4 })], 'unmet: before that'],
      [[LIST], 'unmet: it is not added'],
      [[ADD], 'unmet: nobody starts one', { done: [] }],
      [[ADD], 'unclear: nobody watched what was written', { done: undefined }],
    ]);
  });

  it('gets its vote', () => {
    says(checks.etcdPromoted, 'the learner is given its vote', [
      [SOUND, 'met: it is'],
      [[PROMOTE], 'met: it is'],
      [[ADD, inVain(PROMOTE), PROMOTE], 'met: it is'],
      [[ADD, inVain(PROMOTE)], 'unmet: it is tried in vain'],
      [[ADD], 'unmet: it is not'],
      [[PROMOTE, ADD], 'unmet: it is tried in vain'],
      [[], 'unmet: it is not'],
    ]);
  });

  it('is not blamed for what a starved join has not asked', () => {
    const starved = joined([LIST], { isStarved: true });
    assert.deepEqual(
      judged(checks.etcdJoinedAsLearner, [starved], undefined).map(({ result }) => result),
      ['unclear'],
    );
    says(checks.etcdJoinedAsLearner, `its etcd is added as a learner, by ${OWN.peerUrl}`, [
      [[{ ...ADD, asLearner: false }], `unmet: ${OWN.peerUrl} as a voter`, { isStarved: true }],
    ]);
  });

  it('is told every member of a cluster that is there, in any order', () => {
    const all = [`${OWN.name}=${OWN.peerUrl}`, 'z=https://192.0.2.12:2380', 'a=https://192.0.2.11:2380'];
    const wanted = all.toSorted().join(', ');
    const members = all.join(',');
    const told = (said: string, ...flags: string[]): Case => [[], said, { left: [manifest(...flags)] }];
    const [initial, state] = ['--initial-cluster=', '--initial-cluster-state='];
    says(checks.etcdTold, `its etcd is told an existing cluster of ${wanted}`, [
      told(`met: existing, ${members}`, initial + members, `${state}existing`),
      told(`met: existing, ${members}`, `${initial}a=b`, `${state}new`, initial + members, `${state}existing`),
      told(`unmet: no state, ${members}`, initial + members),
      told(`unmet: new, ${members}`, initial + members, `${state}new`),
      told('unmet: existing, no member', `${state}existing`),
      told(`unmet: existing, ${all[0]}`, `${initial}${all[0]}`, `${state}existing`),
      told(`unmet: existing, ${members},b=c`, `${initial}${members},b=c`, `${state}existing`),
      told('unmet: no state, no member'),
      [[], `unmet: there is no ${MANIFEST}`],
    ]);
  });

  it('is not judged where there is none, or of clients with ways of their own', () => {
    const { etcd: _, ...without } = joined(SOUND);
    for (const check of Object.values(checks)) {
      assert.deepEqual(check.judge([without], undefined), [], check.id);
      assert.deepEqual(check.judge([joined([], { ownWays: true })], undefined), [], check.id);
      assert.equal(check.nothing, 'the client joins no etcd');
    }
  });

  it('is not blamed for what it had no time for', () => {
    for (const check of [checks.etcdLookedAt, checks.etcdPromoted, checks.etcdTold])
      assert.equal(judged(check, [joined([], { isStarved: true })], undefined)[0]?.result, 'unclear', check.id);
    assert.equal(judged(checks.etcdLeftAlone, [joined([ADD], { isStarved: true })], undefined)[0]?.result, 'unmet');
  });
});

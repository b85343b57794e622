import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EtcdCall } from '../kubernetes/transcript.js';
import type { Check } from '../model/check.js';
import * as checks from './joined-etcd.js';
import type { FileSeen, Machine } from './joined-files-reader.js';
import { untouchedMachine } from './joined-machine.testing.js';

const OWN = { name: 'worker-9', peerUrl: 'https://192.0.2.20:2380' };
const OTHERS = [{ name: 'a', peerUrl: 'https://192.0.2.11:2380' }];
const call = (name: string, more: Partial<EtcdCall> = {}): EtcdCall => ({
  call: name,
  after: 3,
  isDone: true,
  ...more,
});
const STATUS = call('Status');
const LIST = call('MemberList');
const ADD = call('MemberAdd', { peerUrls: [OWN.peerUrl], asLearner: true });
const PROMOTE = call('MemberPromote');
const SOUND = [LIST, STATUS, LIST, ADD, LIST, PROMOTE, STATUS];
const manifest = (...flags: string[]): FileSeen => ({
  path: '/etc/kubernetes/manifests/etcd.yaml',
  mode: 0o600,
  digest: 'd',
  held: { kind: 'settings', settings: { spec: { containers: [{ command: ['etcd', ...flags] }] } } },
});
const MEMBERS = `--initial-cluster=${OWN.name}=${OWN.peerUrl},a=https://192.0.2.11:2380`;
const EXISTING = '--initial-cluster-state=existing';

const joined = (calls: readonly EtcdCall[], more: Partial<Machine> = {}): Machine => ({
  ...untouchedMachine,
  done: [{ what: 'ran', after: 5, path: 'restart kubelet' }],
  etcd: { calls, others: OTHERS, own: OWN },
  ...more,
});
const resultOf = (check: Check<readonly Machine[]>, calls: readonly EtcdCall[], more: Partial<Machine> = {}): unknown =>
  check.judge([joined(calls, more)], undefined).map(({ result }) => result)[0];

describe('the etcd of a cluster', () => {
  it('is asked how it is before the kubelet starts and a member is added, and in the end', () => {
    assert.equal(resultOf(checks.etcdLookedAt, SOUND), 'met');
    assert.equal(resultOf(checks.etcdLookedAt, [STATUS, LIST, PROMOTE]), 'met');
    assert.equal(resultOf(checks.etcdLookedAt, [LIST, ADD, STATUS]), 'unmet');
    assert.equal(resultOf(checks.etcdLookedAt, [call('Status', { after: 6 }), ADD]), 'unmet');
    assert.equal(resultOf(checks.etcdLookedAt, [call('Status', { isDone: false }), ADD]), 'unmet');
    assert.equal(resultOf(checks.etcdWaitedFor, SOUND), 'met');
    assert.equal(resultOf(checks.etcdWaitedFor, [STATUS, LIST]), 'met');
    assert.equal(resultOf(checks.etcdWaitedFor, [STATUS, ADD, PROMOTE]), 'unmet');
  });

  it('is left alone where it may only be looked at', () => {
    assert.equal(resultOf(checks.etcdLeftAlone, [LIST, STATUS]), 'met');
    assert.equal(resultOf(checks.etcdLeftAlone, [ADD]), 'unmet');
    assert.equal(resultOf(checks.etcdLeftAlone, [], { left: [manifest(MEMBERS)] }), 'unmet');
    assert.equal(resultOf(checks.etcdNotAddedAgain, [LIST, PROMOTE]), 'met');
    assert.equal(resultOf(checks.etcdNotAddedAgain, [call('MemberAdd', { isDone: false })]), 'unmet');
    assert.equal(resultOf(checks.etcdNotAddedAgain, [call('MemberRemove')]), 'unmet');
  });
});

describe('a member of etcd that joins', () => {
  it('is a learner of its own peer URL, and gets its vote', () => {
    assert.equal(resultOf(checks.etcdJoinedAsLearner, SOUND), 'met');
    assert.equal(resultOf(checks.etcdJoinedAsLearner, [{ ...ADD, asLearner: false }]), 'unmet');
    assert.equal(resultOf(checks.etcdJoinedAsLearner, [{ ...ADD, peerUrls: ['https://192.0.2.1:2380'] }]), 'unmet');
    assert.equal(resultOf(checks.etcdJoinedAsLearner, [LIST]), 'unmet');
    const starved = { isStarved: true } as const;
    assert.equal(resultOf(checks.etcdJoinedAsLearner, [{ ...ADD, asLearner: false }], starved), 'unmet');
    assert.equal(resultOf(checks.etcdJoinedAsLearner, [LIST], starved), 'unclear');
    assert.equal(resultOf(checks.etcdPromoted, SOUND), 'met');
    assert.equal(resultOf(checks.etcdPromoted, [ADD, call('MemberPromote', { isDone: false })]), 'unmet');
    assert.equal(resultOf(checks.etcdPromoted, [ADD]), 'unmet');
  });

  it('is told every member of a cluster that is there, in any order', () => {
    const told = (...flags: string[]): unknown => resultOf(checks.etcdTold, [], { left: [manifest(...flags)] });
    assert.equal(told(MEMBERS, EXISTING), 'met');
    assert.equal(told(MEMBERS), 'unmet');
    assert.equal(told(`--initial-cluster=${OWN.name}=${OWN.peerUrl}`, EXISTING), 'unmet');
    assert.equal(told(MEMBERS, '--initial-cluster-state=new'), 'unmet');
    assert.equal(resultOf(checks.etcdTold, []), 'unmet');
  });

  it('is not judged where there is none, or of clients with ways of their own', () => {
    const { etcd: _, ...without } = joined(SOUND);
    for (const check of Object.values(checks)) {
      assert.deepEqual(check.judge([without], undefined), [], check.id);
      assert.deepEqual(check.judge([joined([], { ownWays: true })], undefined), [], check.id);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ControlPlaneJoin } from './control-plane.js';
import { joiningDecisions } from './decisions/index.js';
import { becomeMember, checkEtcd } from './etcd.js';
import { JoinFailed } from './failures.js';
import type { Etcd, EtcdMember } from './ports.js';

const PEER = 'https://192.0.2.20:2380';
const other: EtcdMember = { id: 1, name: 'a', peerUrl: 'https://192.0.2.11:2380', isLearner: false };
const own = (name: string, isLearner = true): EtcdMember => ({ id: 9, name, peerUrl: PEER, isLearner });

/** An etcd that shows these members one after the other, and is well after so many looks. */
function world(shown: readonly (readonly EtcdMember[])[] = [], { wellAfter = 0, promotedAfter = 0 } = {}) {
  const calls: string[] = [];
  const lists = [...shown];
  let [slept, looks, tries] = [0, 0, 0];
  const etcd: Etcd = {
    status: () => {
      calls.push('status');
      looks += 1;
      if (looks <= wellAfter) throw new Error('no leader');
    },
    members: () => {
      calls.push('members');
      return (lists.length > 1 ? lists.shift() : lists[0]) ?? [];
    },
    add: () => assert.fail('it is added already'),
    promote: (id) => {
      calls.push(`promote ${id}`);
      tries += 1;
      if (tries <= promotedAfter) throw new Error('not in sync');
    },
  };
  const machine = {
    etcd: () => etcd,
    clock: {
      now: () => slept,
      sleep: async (milliseconds: number) => {
        slept += milliseconds;
      },
    },
    tell: () => {},
  };
  const joining = {
    machine,
    decisions: joiningDecisions,
    configuration: { controlPlane: {} },
  } as unknown as ControlPlaneJoin;
  return { calls, etcd, joining, slept: () => slept };
}

describe('a member of etcd', () => {
  it('gets its vote when it has started, and not before', async () => {
    const { calls, etcd, joining, slept } = world([[other], [other, own('')], [other, own('b')]], { promotedAfter: 1 });
    await becomeMember(joining, etcd, PEER);
    assert.deepEqual(calls, ['members', 'members', 'members', 'promote 9', 'promote 9', 'status']);
    assert.equal(slept(), 1500);
  });

  it('keeps the vote that it has, and is waited for until etcd is well', async () => {
    const { calls, etcd, joining } = world([[own('b', false)]], { wellAfter: 2 });
    await becomeMember(joining, etcd, PEER);
    assert.deepEqual(calls, ['members', 'status', 'status', 'status']);
  });

  it('ends the join where it never starts', async () => {
    const { etcd, joining, calls, slept } = world([[other, own('')]]);
    await assert.rejects(
      becomeMember(joining, etcd, PEER),
      (error) => error instanceof JoinFailed && error.message === 'the etcd member is not started',
    );
    assert.deepEqual([calls.length, slept()], [240, 119_500]);
  });
});

describe('etcd, before a machine is changed', () => {
  it('is asked until it is well', async () => {
    const { calls, joining } = world([], { wellAfter: 3 });
    await checkEtcd(joining);
    assert.equal(calls.length, 4);
  });

  it('ends the join where it is never well', async () => {
    const { joining } = world([], { wellAfter: 1000 });
    await assert.rejects(
      checkEtcd(joining),
      (error) => error instanceof JoinFailed && /^etcd cluster is not healthy: no leader$/.test(error.message),
    );
  });

  it('is not asked by workers, or where nobody can be', async () => {
    const { calls, joining } = world();
    await checkEtcd({ ...joining, configuration: {} } as unknown as ControlPlaneJoin);
    await checkEtcd({ ...joining, machine: { ...joining.machine, etcd: undefined } } as unknown as ControlPlaneJoin);
    assert.deepEqual(calls, []);
  });
});

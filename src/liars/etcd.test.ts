import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { record } from '../kubernetes/json.js';
import { type EtcdLie, type EtcdReply, etcdPods, etcdTruth, PlayedEtcd } from './etcd.js';

const played = (etcd?: EtcdLie): PlayedEtcd =>
  new PlayedEtcd({ name: 'x', server: 'y', right: 'joins', ...(etcd === undefined ? {} : { etcd }) }, () => 3);
const PEER = 'https://192.0.2.20:2380';
const code = (reply: EtcdReply): number | undefined => ('problem' in reply ? reply.problem.code : undefined);
/** "9 worker-9 learner" */
const members = (etcd: PlayedEtcd): readonly string[] => {
  const reply = etcd.answer({ call: 'MemberList' });
  const all = 'problem' in reply ? [] : (reply.members ?? []);
  return all.map(({ id, name, isLearner }) => `${id} ${name}${isLearner ? ' learner' : ''}`);
};
const OTHERS = ['1 control-plane-1', '2 control-plane-2'];

describe('an etcd that is played', () => {
  it('adds a member, tells its name at the second look, and promotes it once', () => {
    const etcd = played();
    assert.deepEqual(members(etcd), OTHERS);
    const added = etcd.answer({ call: 'MemberAdd', peerUrls: [PEER], asLearner: true });
    const own = { id: 9, name: '', peerUrl: PEER, clientUrl: 'https://192.0.2.20:2379', isLearner: true };
    assert.ok(!('problem' in added));
    assert.deepEqual(added.added, own);
    assert.deepEqual(added.members?.at(-1), own);
    assert.deepEqual(members(etcd), [...OTHERS, '9  learner']);
    assert.deepEqual(members(etcd), [...OTHERS, '9 worker-9 learner']);
    assert.equal(code(etcd.answer({ call: 'MemberPromote', id: 1 })), 5);
    assert.equal(code(etcd.answer({ call: 'MemberPromote', id: 9 })), undefined);
    assert.deepEqual(members(etcd), [...OTHERS, '9 worker-9']);
    assert.equal(code(etcd.answer({ call: 'MemberPromote', id: 9 })), 9);
  });

  it('adds whom it is told: no learner where none is asked for, at the address that is said', () => {
    const etcd = played();
    const added = etcd.answer({ call: 'MemberAdd', peerUrls: ['https://192.0.2.21:2380'] });
    assert.ok(!('problem' in added));
    assert.deepEqual([added.added?.peerUrl, added.added?.isLearner], ['https://192.0.2.21:2380', false]);
  });

  it('refuses whoever is there, and promotes nobody who is not', () => {
    assert.equal(code(played({ isThere: true }).answer({ call: 'MemberAdd', peerUrls: [PEER] })), 9);
    const twice = played();
    twice.answer({ call: 'MemberAdd', peerUrls: [PEER] });
    assert.equal(code(twice.answer({ call: 'MemberAdd', peerUrls: [PEER] })), 9);
    assert.equal(code(played().answer({ call: 'MemberPromote', id: 9 })), 5);
    assert.deepEqual(members(played({ isThere: true })), [...OTHERS, '9  learner']);
  });

  it('promotes a learner at the fourth try where it is slow', () => {
    const etcd = played({ isSlow: true, isThere: true });
    const tries = [1, 2, 3, 4].map(() => code(etcd.answer({ call: 'MemberPromote', id: 9 })));
    assert.deepEqual(tries, [9, 9, 9, undefined]);
  });

  it('says how it is, and knows nothing else', () => {
    const asked = (etcd: PlayedEtcd, call: string): number | undefined => code(etcd.answer({ call }));
    assert.deepEqual(
      [asked(played(), 'Status'), asked(played({ isSick: true }), 'Status'), asked(played(), 'Snapshot')],
      [undefined, 14, 12],
    );
  });

  it('writes down what it is asked, and whether that was done', () => {
    const etcd = played({ isThere: true });
    etcd.answer({ call: 'MemberAdd', peerUrls: [PEER], asLearner: false });
    etcd.answer({ call: 'MemberList' });
    assert.deepEqual(etcd.calls, [
      { call: 'MemberAdd', after: 3, peerUrls: [PEER], asLearner: false, isDone: false },
      { call: 'MemberList', after: 3, isDone: true },
    ]);
  });

  it('is told as it is: members by name and address, and where their Pods say to ask', () => {
    assert.deepEqual(etcdTruth(), {
      others: [
        { name: 'control-plane-1', peerUrl: 'https://192.0.2.11:2380' },
        { name: 'control-plane-2', peerUrl: 'https://192.0.2.12:2380' },
      ],
      own: { name: 'worker-9', peerUrl: PEER },
    });
    assert.equal(etcdTruth('blue').own.name, 'blue');
    assert.deepEqual(etcdTruth('blue', undefined, { hasLearner: true }).others.at(-1), {
      name: 'ab3',
      peerUrl: 'https://192.0.2.13:2380',
    });
    const { items } = etcdPods() as { readonly items: readonly { readonly metadata: object }[] };
    const urls = items.map(({ metadata }) => Object.values(record(record(metadata).annotations))[0]);
    assert.deepEqual(urls, ['https://127.0.0.1:2379', 'https://localhost:2379']);
  });
});

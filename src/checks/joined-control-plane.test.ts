import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { administratorHeld, nodeMarked } from './joined-control-plane.js';
import type { FileSeen, Machine } from './joined-files-reader.js';
import { untouchedMachine } from './joined-machine.testing.js';
import type { Attempt, Marks } from './joining-client-reader.js';

const kubeconfig = (name: string, groups?: readonly string[]): FileSeen => ({
  path: `/etc/kubernetes/${name}`,
  mode: 0o600,
  digest: 'd',
  held: {
    kind: 'kubeconfig',
    cluster: 'kubernetes',
    server: 'https://a:6443',
    user: 'u',
    context: 'u@kubernetes',
    isOneCluster: true,
    besides: [],
    isTrueCa: true,
    shows: 'a certificate',
    certificate: { inline: { certificate: 'sha256:0', key: '' } },
    key: { inline: { certificate: '', key: 'sha256:0' } },
    ...(groups === undefined ? {} : { groups }),
  },
});
const machine = (left: readonly FileSeen[]): Machine => ({ ...untouchedMachine, left, isWorker: false });

describe('the administrator of a control plane that joins', () => {
  const judged = (...left: FileSeen[]): readonly string[] =>
    administratorHeld.judge([machine(left)], undefined).map(({ result }) => result);

  it('is in the one group that RBAC holds', () => {
    assert.deepEqual(judged(kubeconfig('admin.conf', ['kubeadm:cluster-admins'])), ['met']);
    assert.deepEqual(judged(kubeconfig('admin.conf', ['system:masters'])), ['unmet']);
    assert.deepEqual(judged(kubeconfig('admin.conf', ['kubeadm:cluster-admins', 'system:masters'])), ['unmet']);
    assert.deepEqual(judged(kubeconfig('admin.conf', [])), ['unmet']);
  });

  it('is the only one', () => {
    const reserve = kubeconfig('super-admin.conf', ['system:masters']);
    assert.deepEqual(judged(kubeconfig('admin.conf', ['kubeadm:cluster-admins']), reserve), ['unmet']);
    assert.deepEqual(judged(reserve), ['unmet']);
  });

  it('is not judged where none is made', () => assert.deepEqual(judged(kubeconfig('kubelet.conf', ['a'])), []));
});

const ROLE = 'node-role.kubernetes.io/control-plane';
const LABELS = [ROLE, 'node.kubernetes.io/exclude-from-external-load-balancers'];
const TAINTS = [`${ROLE}:NoSchedule`, 'node.cloudprovider.kubernetes.io/uninitialized:NoSchedule'];

describe('the Node of a control plane that joins', () => {
  const judged = (always: boolean, ...marks: Marks[]): readonly string[] => {
    const seen = marks.map((one) => ({
      first: 0,
      last: 0,
      times: 1,
      connection: 1,
      certificate: 'good',
      what: 'PATCH /api/v1/nodes/a',
      as: 'somebody else',
      answered: 200,
      marks: one,
    }));
    const attempt: Attempt = {
      subject: 'x (y)',
      exit: 0,
      words: '',
      said: [],
      speaksKubeadm: true,
      milliseconds: 0,
      timeout: null,
      seen,
      left: [],
    };
    return nodeMarked.judge([attempt], { always }).map(({ result }) => result);
  };

  it('is marked, at once or one after the other', () => {
    assert.deepEqual(judged(true, { labels: LABELS, taints: TAINTS }), ['met']);
    assert.deepEqual(judged(true, { labels: [], taints: TAINTS }, { labels: LABELS, taints: [] }), ['met']);
  });

  it('is not marked by half', () => {
    assert.deepEqual(judged(true, { labels: LABELS, taints: [] }), ['unmet']);
    assert.deepEqual(judged(true, { labels: LABELS, taints: TAINTS.slice(0, 1) }), ['unmet']);
    assert.deepEqual(judged(true, { labels: LABELS.slice(1), taints: TAINTS }), ['unmet']);
  });

  it('has to be marked by who makes control planes', () => {
    assert.deepEqual(judged(true), ['unmet']);
    assert.deepEqual(judged(false), []);
  });
});

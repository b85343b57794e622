import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Machines } from './joined-files.js';
import type { Done, FileSeen, Machine } from './joined-files-reader.js';
import { untouchedMachine } from './joined-machine.testing.js';
import * as checks from './joined-untouched.js';

const file = (path: string, settings = {}, digest = 'd'): FileSeen => ({
  path,
  mode: 0o600,
  digest,
  held: { kind: 'settings', settings },
});
const wrote = (path: string): Done => ({ what: 'wrote', after: 0, file: file(path) });
const removed = (path: string): Done => ({ what: 'removed', after: 0, path });
const ran: Done = { what: 'ran', after: 0, path: 'stop kubelet' };
const machine = (more: Partial<Machine>): Machine => ({ ...untouchedMachine, shared: { 'ca.crt': 'd' }, ...more });

type Judge = (machines: Machines) => readonly { readonly result: string }[];
const untouched: Judge = (machines) => checks.machineUntouched.judge(machines, undefined);
const dryRun: Judge = (machines) => checks.dryRunChangesNothing.judge(machines, undefined);
const stays: Judge = (machines) => checks.sharedStay.judge(machines, { files: ['ca.crt'] });
const patched: Judge = (machines) => checks.patchesApplied.judge(machines, undefined);

const CA = '/etc/kubernetes/pki/ca.crt';
const DRY = '/etc/kubernetes/tmp/kubeadm-join-dryrun1/a';
const CONFIG = '/var/lib/kubelet/config.yaml';
const POD = '/etc/kubernetes/manifests/kube-scheduler.yaml';
const OTHER_POD = '/etc/kubernetes/manifests/etcd.yaml';
const patches = [
  { path: CONFIG, settings: { maxPods: 42 } },
  { path: POD, settings: { metadata: { labels: { a: 'b' } } } },
];

const CASES: readonly (readonly [name: string, judge: Judge, more: Partial<Machine>, result: string])[] = [
  ['nothing is done', untouched, {}, 'met'],
  ['nobody watched', untouched, { done: undefined }, 'unclear'],
  ['a file is removed', untouched, { done: [removed(CA)] }, 'unmet'],
  ['a file is written', untouched, { done: [wrote(CA)] }, 'unmet'],
  ['the kubelet is stopped', untouched, { done: [ran] }, 'unmet'],
  ['a dry run writes where it may', dryRun, { done: [wrote(DRY), removed(DRY)] }, 'met'],
  ['a dry run writes elsewhere', dryRun, { done: [wrote(DRY), wrote(CA)] }, 'unmet'],
  ['a dry run removes something', dryRun, { done: [removed(CA)] }, 'unmet'],
  ['a dry run stops the kubelet', dryRun, { done: [ran] }, 'unmet'],
  ['shared files stay', stays, { exit: 1 }, 'met'],
  ['shared files are written as they were', stays, { left: [file(CA)] }, 'met'],
  ['shared files are written otherwise', stays, { left: [file(CA, {}, 'e')] }, 'unmet'],
  ['shared files are removed', stays, { exit: 1, done: [removed(CA)] }, 'unmet'],
  ['shared files stay with one that had to be ended', stays, { exit: null }, 'unmet'],
  ['no patches', patched, {}, 'met'],
  ['patches of a worker', patched, { patches, left: [file(CONFIG, { maxPods: 42, x: 1 })] }, 'met'],
  ['another value', patched, { patches, left: [file(CONFIG, { maxPods: 110 })] }, 'unmet'],
  ['no file', patched, { patches }, 'unmet'],
  [
    'patches of a control plane',
    patched,
    { patches, left: [file(CONFIG, { maxPods: 42 }), file(POD, { metadata: { labels: { a: 'b', c: 'd' } } })] },
    'met',
  ],
  [
    'a manifest that is not there',
    patched,
    { patches, left: [file(CONFIG, { maxPods: 42 }), file(OTHER_POD)] },
    'unmet',
  ],
  ['a manifest as it is', patched, { patches, left: [file(CONFIG, { maxPods: 42 }), file(POD)] }, 'unmet'],
];

describe('what a join leaves as it was', () => {
  for (const [name, judge, more, result] of CASES)
    it(`is judged: ${name}`, () => {
      assert.deepEqual(
        judge([machine(more)]).map((finding) => finding.result),
        [result],
      );
    });

  it('is not asked of clients in their own ways', () => {
    assert.deepEqual(untouched([machine({ ownWays: true, done: [ran] })]), []);
  });
});

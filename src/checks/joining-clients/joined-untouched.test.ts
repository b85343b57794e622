import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Finding, sentenceOf } from '../../model/finding.js';
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

type Judge = (machines: Machines) => readonly Finding[];
const untouched: Judge = (machines) => checks.machineUntouched.judge(machines, undefined);
const dryRun: Judge = (machines) => checks.dryRunChangesNothing.judge(machines, undefined);
const stays: Judge = (machines) => checks.sharedStay.judge(machines, { files: ['ca.crt'] });
const keeps: Judge = (machines) => checks.fileStays.judge(machines, { path: CA });
const renews: Judge = (machines) => checks.leftReplaced.judge(machines, undefined);
const patched: Judge = (machines) => checks.patchesApplied.judge(machines, undefined);

const CA = '/etc/kubernetes/pki/ca.crt';
const DRY = '/etc/kubernetes/tmp/kubeadm-join-dryrun1/a';
const CONFIG = '/var/lib/kubelet/config.yaml';
const POD = '/etc/kubernetes/manifests/kube-scheduler.yaml';
const OTHER_POD = '/etc/kubernetes/manifests/etcd.yaml';
const labelled = { path: POD, settings: { metadata: { labels: { a: 'b' } } } };
const patches = [{ path: CONFIG, settings: { maxPods: 42 } }, labelled];
const two = [{ path: CONFIG, settings: { podPidsLimit: 9, maxPods: 42 } }];
const listed = [{ path: CONFIG, settings: { clusterDNS: ['10.96.0.10'] } }];
const away = [{ path: CONFIG, settings: { maxPods: null } }];

const CASES: readonly (readonly [name: string, judge: Judge, more: Partial<Machine>, result: string])[] = [
  ['nothing is done', untouched, {}, 'met'],
  ['a file of somebody else stays', keeps, { left: [file('/etc/b')], exit: 1 }, 'met'],
  ['a file of somebody else is written anew', keeps, { left: [file(CA)], ownWays: true }, 'unmet'],
  ['a file is written as it was', keeps, { left: [file(CA)], present: { [CA]: 'd' } }, 'met'],
  ['a file is written otherwise', keeps, { left: [file(CA)], present: { [CA]: 'e' } }, 'unmet'],
  ['a file of an earlier join is written anew', renews, { left: [file(CA)], present: { [CA]: 'e' } }, 'met'],
  ['a file of an earlier join is as it was', renews, { left: [file(CA)], present: { [CA]: 'd' } }, 'unmet'],
  ['a file of an earlier join is not written', renews, { present: { [CA]: 'd' } }, 'unmet'],
  ['a file of somebody else is gone', keeps, { done: [removed(CA)] }, 'unmet'],
  ['nobody watched', untouched, { done: undefined }, 'unclear'],
  ['a file is removed', untouched, { done: [removed(CA)] }, 'unmet'],
  ['a file is written', untouched, { done: [wrote(CA)] }, 'unmet'],
  ['the kubelet is stopped', untouched, { done: [ran] }, 'unmet'],
  ['a dry run writes where it may', dryRun, { done: [wrote(DRY), removed(DRY)] }, 'met'],
  ['a dry run writes elsewhere', dryRun, { done: [wrote(DRY), wrote(CA)] }, 'unmet'],
  ['a dry run removes something', dryRun, { done: [removed(CA)] }, 'unmet'],
  ['a dry run stops the kubelet', dryRun, { done: [ran] }, 'unmet'],
  [
    'a dry run makes folders where it may',
    dryRun,
    { done: [], folders: [{ path: '/etc/kubernetes/tmp', mode: 0o700 }] },
    'met',
  ],
  [
    'a dry run makes one elsewhere',
    dryRun,
    {
      done: [],
      folders: [
        { path: '/etc/kubernetes/tmp', mode: 0o700 },
        { path: '/var/lib/etcd', mode: 0o700 },
      ],
    },
    'unmet',
  ],
  [
    'a folder of a dry run that was not watched',
    dryRun,
    { done: undefined, folders: [{ path: '/var/lib/etcd', mode: 0o700 }] },
    'unclear',
  ],
  ['shared files stay', stays, { exit: 1 }, 'met'],
  ['shared files are written as they were', stays, { left: [file(CA)] }, 'met'],
  ['shared files are written otherwise', stays, { left: [file(CA, {}, 'e')] }, 'unmet'],
  ['shared files are removed', stays, { exit: 1, done: [removed(CA)] }, 'unmet'],
  ['shared files stay with one that had to be ended', stays, { exit: null }, 'unmet'],
  ['shared files stay with one that had no time to end', stays, { exit: null, isStarved: true }, 'unclear'],
  ['they are written by one without time', stays, { exit: null, isStarved: true, left: [file(CA, {}, 'e')] }, 'unmet'],
  ['another file is removed', stays, { done: [removed(`${CA}.old`), wrote(CA)] }, 'met'],
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
  ['one of two fields', patched, { patches: two, left: [file(CONFIG, { maxPods: 42 })] }, 'unmet'],
  ['a list', patched, { patches: listed, left: [file(CONFIG, { clusterDNS: ['10.96.0.10'] })] }, 'met'],
  ['another list', patched, { patches: listed, left: [file(CONFIG, { clusterDNS: ['10.96.0.11'] })] }, 'unmet'],
  ['what is taken away', patched, { patches: away, left: [file(CONFIG)] }, 'met'],
  ['what stays though it is to go', patched, { patches: away, left: [file(CONFIG, { maxPods: 42 })] }, 'unmet'],
  ['a text where fields are due', patched, { patches: [labelled], left: [file(POD, { metadata: 'a' })] }, 'unmet'],
  ['a file that cannot be read', patched, { patches, left: [{ ...file(CONFIG), held: { kind: 'other' } }] }, 'unmet'],
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
    for (const judge of [untouched, dryRun, patched, renews])
      assert.deepEqual(judge([machine({ ownWays: true, done: [ran] })]), []);
  });

  it('is told in words, up to five changes and each once', () => {
    const many = [1, 2, 3, 4, 5, 6].map((n) => wrote(`/${n}`));
    const plane = 'the 2 files of the other control planes stay as they are';
    const staysBoth: Judge = (machines) => checks.sharedStay.judge(machines, { files: ['ca.crt', 'ca.key'] });
    const below = 'nothing on the machine is changed but below /etc/kubernetes/tmp/';
    const patch = 'what the machine was told by patches is in its files';
    for (const [judge, more, said] of [
      [untouched, {}, 'nothing on the machine is changed; seen: so it is'],
      [untouched, { done: undefined }, 'nothing on the machine is changed; seen: nobody watched what was written'],
      [
        untouched,
        { done: [ran, wrote('/a'), removed('/b'), ran] },
        'nothing on the machine is changed; seen: it runs "systemctl stop kubelet", writes /a, removes /b',
      ],
      [
        untouched,
        { done: many },
        'nothing on the machine is changed; seen: it writes /1, writes /2, writes /3, writes /4, writes /5',
      ],
      [
        dryRun,
        { done: [wrote(DRY), ran, removed('/b')] },
        `${below}; seen: it runs "systemctl stop kubelet", removes /b`,
      ],
      [staysBoth, {}, `${plane}; seen: it ends with 0; they do`],
      [
        staysBoth,
        { exit: null, done: [removed(CA), removed('/etc/kubernetes/pki/ca.key')] },
        `${plane}; seen: it had to be ended; ca.crt, ca.key are changed or gone`,
      ],
      [patched, {}, `${patch}; seen: it is`],
      [patched, { patches, left: [file(OTHER_POD)] }, `${patch}; seen: it is not in ${CONFIG}, ${POD}`],
    ] as const)
      assert.deepEqual(judge([machine(more)]).map(sentenceOf), [`x (y): ${said}`]);
  });

  it('is what has become of a file', () => {
    assert.equal(checks.lossOf(machine({}), CA), undefined);
    assert.equal(checks.lossOf(machine({ done: [wrote(CA), removed('/a')] }), CA), undefined);
    assert.equal(checks.lossOf(machine({ done: [removed(CA)] }), CA), 'it is gone');
    assert.equal(checks.lossOf(machine({ done: undefined }), CA), undefined);
    assert.equal(checks.lossOf(machine({ left: [file(CA)], done: [removed(CA)] }), CA), 'it is written anew');
  });
});

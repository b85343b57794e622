import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { judged } from '../common/judged.testing.js';
import {
  certificatesLive,
  componentsTold,
  foldersSeen,
  imagesAre,
  imagesFrom,
  keysOfAlgorithm,
  serverNamed,
  variablesSet,
} from './joined-configured.js';
import type { FileSeen, Held, Machine } from './joined-files-reader.js';
import { untouchedMachine } from './joined-machine.testing.js';

const MANIFEST = '/etc/kubernetes/manifests/kube-apiserver.yaml';
const CERTIFICATE = '/etc/kubernetes/pki/apiserver.crt';
const [component, repository] = ['kube-apiserver', 'registry.example/blue'];
const file = (path: string, held: Held): FileSeen => ({ path, mode: 0o600, digest: 'd', held });
const manifest = (spec: object): FileSeen => file(MANIFEST, { kind: 'settings', settings: { spec } });
const certificate = (...names: string[]): FileSeen =>
  file(CERTIFICATE, { kind: 'certificates', isTrueCa: false, certificate: '', key: '', names });
const machine = (left: readonly FileSeen[], ownWays = false): Machine => ({
  ...untouchedMachine,
  left,
  ...(ownWays ? { ownWays } : {}),
});

const told = (left: readonly FileSeen[], value = '7'): readonly string[] =>
  judged(componentsTold, [machine(left)], { rows: [{ component, flag: 'a', value }] }).map(sentenceOf);
const images = (...of: readonly unknown[]): readonly string[] =>
  judged(imagesFrom, [machine([manifest({ containers: of.map((image) => ({ image })) })])], {
    rows: [{ component, repository }],
  }).map(({ result, seen }) => `${result}: ${seen}`);
const folders = (spec: object): readonly string[] =>
  judged(foldersSeen, [machine([manifest(spec)])], { rows: [{ component, folder: '/var/log/audit' }] }).map(
    ({ result, seen }) => `${result}: ${seen}`,
  );
const named = (...left: readonly FileSeen[]): readonly string[] =>
  judged(serverNamed, [machine(left)], { path: CERTIFICATE, names: ['a', '192.0.2.1'] }).map(
    ({ result, seen }) => `${result}: ${seen}`,
  );

describe('what a control plane takes from the configuration of its cluster', () => {
  it('is an argument, the last of its name', () => {
    const command = (...flags: string[]): FileSeen[] => [
      manifest({ containers: [{ command: [component, ...flags] }] }),
    ];
    const subject = `${MANIFEST} of x (y): says --a=7; seen: `;
    assert.deepEqual(told(command('--a=6', '--a=7')), [`${subject}7`]);
    assert.deepEqual(told(command('--a=8')), [`${subject}8`]);
    assert.deepEqual(told(command('--b=7')), [`${subject}it does not say it`]);
    const results = [command('--a=7'), command('--a=8'), command()].map((left) =>
      judged(componentsTold, [machine(left)], { rows: [{ component, flag: 'a', value: '7' }] }).map(
        ({ result }) => result,
      ),
    );
    assert.deepEqual(results.flat(), ['met', 'unmet', 'unmet']);
  });

  it('is where images come from', () => {
    assert.deepEqual(images(`${repository}/a:1`), [`met: ${repository}/a:1`]);
    assert.deepEqual(images(`${repository}/a:1`, 'b'), [`unmet: ${repository}/a:1, b`]);
    assert.deepEqual(images(`${repository}2/a:1`), [`unmet: ${repository}2/a:1`]);
    assert.deepEqual(images(), ['unmet: it has none']);
  });

  it('is an image, by its whole name', () => {
    const seen = (...of: readonly unknown[]): readonly string[] =>
      judged(imagesAre, [machine([manifest({ containers: of.map((image) => ({ image })) })])], {
        rows: [{ component, image: 'a/b:1' }],
      }).map(({ result, seen: found }) => `${result}: ${found}`);
    assert.deepEqual(seen('a/b:1'), ['met: a/b:1']);
    assert.deepEqual(seen('a/b:1', 'a/b:12'), ['unmet: a/b:1, a/b:12']);
    assert.deepEqual(seen(), ['unmet: it has none']);
  });

  it('is a variable of each container, the last of its name', () => {
    const seen = (...of: readonly (readonly object[])[]): readonly string[] =>
      judged(variablesSet, [machine([manifest({ containers: of.map((env) => ({ env })) })])], {
        rows: [{ component, name: 'A', value: '1' }],
      }).map(({ result, seen: found }) => `${result}: ${found}`);
    const [one, two, other] = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
      { name: 'B', value: '1' },
    ];
    assert.deepEqual(seen([one, other]), ['met: 1']);
    assert.deepEqual(seen([two, one]), ['met: 1']);
    assert.deepEqual(seen([one, two]), ['unmet: 2']);
    assert.deepEqual(seen([other]), ['unmet: it has none of that name']);
    assert.deepEqual(seen([one], []), ['unmet: 1, it has none of that name']);
    assert.deepEqual(seen(), ['unmet: it has no container']);
  });

  it('is a folder, as a volume that is mounted where it is', () => {
    const volumes = [
      { name: 'a', hostPath: { path: '/a' } },
      { name: 'b', hostPath: { path: '/var/log/audit' } },
    ];
    const mounting = (name: string, mountPath: string) => ({
      volumes,
      containers: [{ volumeMounts: [{ name, mountPath }] }],
    });
    assert.deepEqual(folders(mounting('b', '/var/log/audit')), ['met: it has']);
    assert.deepEqual(folders(mounting('a', '/var/log/audit')), ['unmet: it is not mounted there']);
    assert.deepEqual(folders(mounting('b', '/a')), ['unmet: it is not mounted there']);
    assert.deepEqual(folders({ volumes: volumes.slice(0, 1) }), ['unmet: it is no volume']);
    const { containers: mounts } = mounting('b', '/var/log/audit');
    const beside = [{ volumeMounts: [{ name: 'a', mountPath: '/a' }, ...(mounts[0]?.volumeMounts ?? [])] }];
    assert.deepEqual(folders({ volumes, containers: [{ volumeMounts: [] }, ...beside] }), ['met: it has']);
    assert.deepEqual(
      judged(foldersSeen, [machine([file(MANIFEST, { kind: 'other' })])], { rows: [{ component, folder: '/a' }] }).map(
        ({ seen }) => seen,
      ),
      ['it is no volume'],
    );
  });

  it('is what its API server is called', () => {
    const api = manifest({});
    assert.deepEqual(named(api, certificate('b', '192.0.2.1', 'a')), ['met: it is']);
    assert.deepEqual(named(api, certificate('a')), ['unmet: not for 192.0.2.1']);
    assert.deepEqual(named(api), ['unmet: there is none']);
    assert.deepEqual(named(api, file(CERTIFICATE, { kind: 'other' })), ['unmet: there is none']);
  });

  it('is nothing of who starts no control plane', () => {
    assert.deepEqual(told([]), []);
    assert.deepEqual(named(certificate('a')), []);
  });
});

const held = (more: { readonly days?: number; readonly algorithm?: string }) =>
  file(CERTIFICATE, { kind: 'certificates', isTrueCa: false, certificate: '', key: '', ...more });

describe('the life of certificates', () => {
  it('is that of the cluster', () => {
    const lives = (days?: number) =>
      judged(certificatesLive, [machine([held(days === undefined ? {} : { days })])], {
        paths: [CERTIFICATE, '/a'],
        days: 30,
      }).map(({ result, seen }) => `${result}: ${seen}`);
    assert.deepEqual([30, 31].flatMap(lives), ['met: for 30', 'met: for 31']);
    assert.deepEqual([29, 32, 366].flatMap(lives), ['unmet: for 29', 'unmet: for 32', 'unmet: for 366']);
    assert.deepEqual(lives(), ['unmet: nobody can read how long it lives']);
    assert.deepEqual(
      judged(certificatesLive, [machine([held({ days: 30 })])], { paths: [CERTIFICATE], days: 30 }).map(sentenceOf),
      [`${CERTIFICATE} of x (y): lives for 30 days; seen: for 30`],
    );
  });
});

describe('the keys of a control plane', () => {
  it('are of the kind that the cluster says', () => {
    const kinds = (algorithm?: string) =>
      judged(
        keysOfAlgorithm,
        [machine([held(algorithm === undefined ? {} : { algorithm }), file('/b', { kind: 'other' })])],
        { paths: [CERTIFICATE, '/a', '/b'], algorithm: 'ECDSA-P384' },
      ).map(({ result, seen }) => `${result}: ${seen}`);
    assert.deepEqual(kinds('ECDSA-P384'), ['met: ECDSA-P384']);
    assert.deepEqual(kinds('ECDSA-P256'), ['unmet: ECDSA-P256']);
    assert.deepEqual(kinds(), ['unmet: of another kind']);
    const config = { kind: 'kubeconfig', algorithm: 'RSA-2048' } as Held;
    assert.deepEqual(
      judged(keysOfAlgorithm, [machine([file('/c', config)])], { paths: ['/c'], algorithm: 'RSA-2048' }).map(
        sentenceOf,
      ),
      ['/c of x (y): its key is one of RSA-2048; seen: RSA-2048'],
    );
  });
});

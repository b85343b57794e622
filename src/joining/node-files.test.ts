import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRelease } from '../kubeadm/release.js';
import { joiningDecisions as decisions } from './decisions/index.js';
import { JoinFailed } from './failures.js';
import { KubeletDisk, rotates, writeCa } from './node-files.js';
import type { Machine } from './ports.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const CURRENT = '/var/lib/kubelet/pki/kubelet-client-current.pem';
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
const KEY = '-----BEGIN EC PRIVATE KEY-----\nAA==\n-----END EC PRIVATE KEY-----\n';

/** A machine and what is on its disk; "why" is why nothing can be written. */
function machineWith(why?: string) {
  const disk = new Map<string, string>();
  const links = new Map<string, string>();
  const files = {
    exists: (path: string) => disk.has(path),
    read: (path: string) => disk.get(links.get(path) ?? path),
    write: (path: string, text: string, mode: number) => {
      if (why !== undefined) throw new Error(why);
      disk.set(path, text).set(`mode of ${path}`, mode.toString(8));
    },
    link: (path: string, target: string) => links.set(path, path.replace(/[^/]+$/, target)),
    remove: (path: string) => disk.delete(path),
  };
  const machine = { files, clock: { now: () => NOW } } as unknown as Machine;
  const writing = { machine, decisions, release: parseRelease('1.36') };
  return { disk, writing, kubelet: (caPem = 'ca') => new KubeletDisk(writing, caPem) };
}

describe('the disk of a kubelet', () => {
  it('has nothing at first', () => {
    const kubelet = machineWith().kubelet();
    assert.deepEqual([kubelet.kubeconfig, kubelet.current, kubelet.waitingKey], [undefined, undefined, undefined]);
  });

  it('gives its kubeconfig as it was written, until it is removed', () => {
    const { disk, kubelet } = machineWith();
    const its = kubelet();
    its.kubeconfig = { server: 'https://192.0.2.1:6443' };
    assert.deepEqual(its.kubeconfig, { server: 'https://192.0.2.1:6443' });
    const text = disk.get('/etc/kubernetes/kubelet.conf') ?? '';
    assert.match(text, /^ {4}certificate-authority-data: Y2E=$/m);
    assert.match(text, /^ {4}client-key: \/var\/lib\/kubelet\/pki\/kubelet-client-current\.pem$/m);
    assert.equal(disk.get('mode of /etc/kubernetes/kubelet.conf'), '600');
    its.kubeconfig = undefined;
    assert.equal(its.kubeconfig, undefined);
  });

  it('names no CA where none was found', () => {
    const { disk, kubelet } = machineWith();
    kubelet('').kubeconfig = { server: 'https://192.0.2.1:6443' };
    assert.doesNotMatch(disk.get('/etc/kubernetes/kubelet.conf') ?? '', /certificate-authority/);
  });

  it('keeps certificate and key in one file with the time in its name, and a link to the newest', () => {
    const { disk, kubelet } = machineWith();
    const its = kubelet();
    its.current = { certificate: CERTIFICATE, key: KEY };
    assert.deepEqual(its.current, { certificate: CERTIFICATE, key: KEY });
    const file = '/var/lib/kubelet/pki/kubelet-client-2026-01-02-03-04-05.pem';
    assert.equal(disk.get(file), CERTIFICATE + KEY);
    assert.equal(disk.get(`mode of ${file}`), '600');
  });

  it('has no pair where a file holds no key', () => {
    const { disk, kubelet } = machineWith();
    disk.set(CURRENT, CERTIFICATE);
    assert.equal(kubelet().current, undefined);
    disk.set(CURRENT, KEY);
    assert.deepEqual(kubelet().current, { certificate: '', key: KEY });
  });

  it('keeps a key that waits, until it is removed', () => {
    const { disk, kubelet } = machineWith();
    const its = kubelet();
    its.waitingKey = KEY;
    assert.equal(its.waitingKey, KEY);
    assert.equal(disk.get('mode of /var/lib/kubelet/pki/kubelet-client.key.tmp'), '600');
    its.waitingKey = undefined;
    assert.equal(its.waitingKey, undefined);
  });

  it('ends the join where it takes nothing, and says why', () => {
    const { writing, kubelet } = machineWith('no space left');
    const its = kubelet();
    const tries: readonly (() => void)[] = [
      () => writeCa(writing, '/ca.crt', 'ca'),
      () => {
        its.kubeconfig = { server: 'https://192.0.2.1' };
      },
      () => {
        its.current = { certificate: CERTIFICATE, key: KEY };
      },
      () => {
        its.waitingKey = KEY;
      },
    ];
    for (const act of tries)
      assert.throws(act, (error) => error instanceof JoinFailed && /disk: no space left$/.test(error.message));
  });
});

it('a CA that is there stays', () => {
  const { disk, writing } = machineWith();
  writeCa(writing, '/ca.crt', 'first');
  writeCa(writing, '/ca.crt', 'second');
  assert.deepEqual([disk.get('/ca.crt'), disk.get('mode of /ca.crt')], ['first', '644']);
});

it('a kubelet renews its certificate where its configuration says so, and nowhere else', () => {
  const said = ['rotateCertificates: true', 'rotateCertificates: false', 'rotateCertificates: "true"', 'a: 1', ''];
  assert.deepEqual(said.map(rotates), [true, false, false, false, false]);
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { demandNamespaces } from '../client-under-test/cell.js';
import { endMarked } from '../marked-processes.js';
import { kubeadmPreflight } from './kubeadm-preflight.js';

const why = await demandNamespaces().then(
  () => false as const,
  (error: Error) => error.message,
);

const LATE = '\t[ERROR CRI]: container runtime is not running: rpc error: code = DeadlineExceeded desc = too late';

describe('a kubeadm before machines', { skip: why }, () => {
  const home = mkdtempSync(path.join(tmpdir(), 'joinproof-looks-'));
  after(() => {
    endMarked(`${home}/`);
    rmSync(home, { recursive: true, force: true });
  });
  /** What is made of a kubeadm that is this script. */
  const looked = async (name: string, machine: string, script: string) => {
    const folder = path.join(home, name);
    mkdirSync(folder);
    const kubeadm = path.join(folder, 'kubeadm');
    writeFileSync(kubeadm, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { signal } = new AbortController();
    const preflight = kubeadmPreflight({ folder: path.join(folder, 'looks'), kubeadm, version: 'v1.36.0', signal });
    try {
      return await preflight.look(machine, 'join');
    } finally {
      preflight.close();
    }
  };

  it('is believed that finds the runtime', async () => {
    const run = await looked('fine', 'as it should be', 'test -S /run/containerd/containerd.sock && echo found');
    assert.deepEqual([run?.exit, run?.said[0], run?.overtaken], [0, 'found', undefined]);
  });

  it('is asked again, and not believed in the end, where the runtime that stands in is too late', async () => {
    const run = await looked('late', 'as it should be', `echo '${LATE}' >&2; exit 1`);
    assert.match(run?.overtaken ?? '', /3 times over/);
  });

  it('is believed that finds no runtime in time where there is none', async () => {
    const run = await looked('none', 'without a container runtime', `echo '${LATE}' >&2; exit 1`);
    assert.deepEqual([run?.exit, run?.overtaken], [1, undefined]);
  });

  it('tells which files were not there, and which are others now or gone', async () => {
    const script =
      'cd /etc/kubernetes && /usr/bin/rm admin.conf && echo x > scheduler.conf && echo y > new.conf && ' +
      '/usr/bin/mkdir -p /var/lib/kubelet/pki && echo z > /var/lib/kubelet/pki/new.key';
    const run = await looked('files', 'where an init has left admin.+scheduler.+kubelet.', script);
    assert.deepEqual(run?.written, ['/etc/kubernetes/new.conf', '/var/lib/kubelet/pki/new.key']);
    assert.deepEqual(run.changed, ['/etc/kubernetes/admin.conf', '/etc/kubernetes/scheduler.conf']);
    assert.deepEqual(
      run.left?.map(({ path: file }) => file),
      [
        '/etc/kubernetes/kubelet.conf',
        '/etc/kubernetes/new.conf',
        '/etc/kubernetes/scheduler.conf',
        '/var/lib/kubelet/pki/new.key',
      ],
    );
  });

  it('knows no other machines', async () => {
    assert.equal(await looked('unknown', 'made of cheese', 'exit 0'), undefined);
  });
});

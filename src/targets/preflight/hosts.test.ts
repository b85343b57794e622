import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDisk } from '../node/open.js';
import { askRuntime } from './container-runtime.js';
import { askEtcd } from './etcd-version.js';
import { folderHost } from './folder-host.js';
import { startRuntime } from './stand-in-runtime.js';
import { thisHost } from './this-host.js';

let folder = '';
before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'jp-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));
const put = (file: string, text = ''): void => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text, { mode: 0o755 });
};

describe('a container runtime', () => {
  it('that is ready says so', async () => {
    const socket = path.join(folder, 'a.sock');
    const end = await startRuntime(socket, { configures: true });
    try {
      assert.deepEqual(await askRuntime(`unix://${socket}`), { configures: true });
    } finally {
      end();
    }
  });
  it('that is not says why', async () => {
    const socket = path.join(folder, 'b.sock');
    const notReady = { reason: 'Starting', message: 'soon' };
    const end = await startRuntime(socket, { configures: false, notReady });
    try {
      assert.deepEqual(await askRuntime(`unix://${socket}`), { notReady, configures: false });
    } finally {
      end();
    }
  });
  it('that is not there is told as Go tells it', async () => {
    const { failure } = (await askRuntime(`unix://${folder}/none.sock`)) as { failure: string };
    assert.match(failure, /^rpc error: code = Unavailable .*: dial unix .*: connect: no such file or directory"$/);
  });
  it('that speaks something else is a failure', async () => {
    const socket = path.join(folder, 'c.sock');
    const server = createServer((connection) => {
      connection.on('error', () => {});
      connection.end('hello\n');
    }).listen(socket);
    try {
      assert.ok('failure' in (await askRuntime(`unix://${socket}`)));
    } finally {
      server.close();
    }
  });
});

describe('an etcd', () => {
  it('tells its version, or why not', async () => {
    let body = '{"etcdserver":"3.6.4","etcdcluster":"3.6.0"}';
    const server = createHttpServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const question = { endpoint, caFile: '', certFile: '', keyFile: '' };
    try {
      assert.deepEqual(await askEtcd(question), { version: '3.6.4' });
      body = 'nonsense';
      assert.ok('failure' in (await askEtcd(question)));
      const { failure } = (await askEtcd({ ...question, caFile: '/no/such' })) as { failure: string };
      assert.match(failure, /server certificate \/no\/such/);
    } finally {
      server.close();
    }
  });
});

describe('a folder', () => {
  it('tells what lies on the disk, and no more', async () => {
    put('etc/hosts', '127.0.0.1 localhost\n10.0.0.1 cp-1 # here\n');
    put('usr/bin/mount');
    put('usr/bin/systemctl');
    put('etc/systemd/system/kubelet.service');
    put('etc/systemd/system/multi-user.target.wants/kubelet.service');
    put('var/lib/etcd/member/wal');
    const host = folderHost(await openDisk(folder));
    assert.deepEqual(await host.hasCommand('mount'), { is: true });
    assert.deepEqual(await host.hasCommand('cp'), { is: false });
    assert.deepEqual(await host.list('/var/lib/etcd'), { is: ['member'] });
    assert.deepEqual(await host.list('/nowhere'), { is: undefined });
    assert.deepEqual(await host.exists('/etc/hosts'), { is: true });
    assert.deepEqual(await host.resolve('cp-1'), { is: undefined });
    assert.deepEqual(await host.service('kubelet'), { is: { exists: true, enabled: true, active: true } });
    assert.deepEqual(await host.service('firewalld'), { is: { exists: false, enabled: false, active: false } });
    for (const asked of [
      host.resolve('other'),
      host.read('/proc/swaps'),
      host.exists('/sys/fs/cgroup/memory'),
      host.isPortFree(6443),
      host.kernelRelease(),
      host.kubeletVersion(),
      host.runtime('unix:///x'),
      host.isPrivileged(),
      host.processors(),
      host.memory(),
    ])
      assert.ok('unknown' in (await asked));
    assert.ok('unknown' in host.environment());
  });

  it('does not know what lies in a file or a folder that it cannot read', async () => {
    const host = folderHost({
      now: Date.now,
      read: async ([file = '']) => [{ path: file, kind: 'folder', unreadable: 'permission denied' }],
    });
    const unknown = { unknown: '/var/lib/etcd cannot be read: permission denied' };
    assert.deepEqual(await host.list('/var/lib/etcd'), unknown);
    assert.deepEqual(await host.read('/var/lib/etcd'), unknown);
    assert.deepEqual(await host.exists('/var/lib/etcd'), { is: true });
  });
});

describe('this host', () => {
  it('answers every question of the checks', async () => {
    const host = thisHost();
    assert.deepEqual(await host.exists('/'), { is: true });
    assert.deepEqual(await host.exists('/no/such/file'), { is: false });
    assert.deepEqual(await host.read('/no/such/file'), { is: undefined });
    assert.deepEqual(await host.list('/no/such/folder'), { is: undefined });
    assert.deepEqual(await host.list(folder).then((found) => 'is' in found), true);
    assert.deepEqual(await host.hasCommand('no-such-program-at-all'), { is: false });
    assert.deepEqual(await host.hasCommand('sh'), { is: true });
    assert.deepEqual(await host.resolve('localhost'), { is: undefined });
    const server = createServer().listen(0);
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    assert.deepEqual(await host.isPortFree(port), { is: false });
    server.close();
    const [processors, memory, kernel] = [await host.processors(), await host.memory(), await host.kernelRelease()];
    assert.ok('is' in processors && processors.is > 0);
    assert.ok('is' in memory && memory.is > 0);
    assert.ok('is' in kernel && kernel.is !== '');
    assert.ok('is' in host.environment());
  });
});

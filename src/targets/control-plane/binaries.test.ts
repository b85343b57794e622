import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openControlPlane } from '../control-plane.js';
import { ConfigurationError, NotAllowed, TargetUnreachable } from '../errors.js';
import { findBinaries } from './binaries.js';

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'jp-binaries-'));
});
after(() => rm(root, { recursive: true }));

let folders = 0;
async function folder(programs: Readonly<Record<string, string | Buffer>>, mode = 0o755): Promise<string> {
  const path = join(root, String(folders++));
  await mkdir(path);
  for (const [name, content] of Object.entries(programs)) {
    await writeFile(join(path, name), content);
    await chmod(join(path, name), mode);
  }
  return path;
}
const script = (says: string): string => `#!/bin/sh\necho '${says}'\n`;
const etcd = script('etcd Version: 3.6.5');
const apiServer = script('Kubernetes v1.36.0');

async function refuses(path: string, words: RegExp): Promise<void> {
  await assert.rejects(findBinaries(path), (error) => {
    assert.ok(error instanceof ConfigurationError, String(error));
    assert.match(error.message, words);
    return true;
  });
}

test('programs are found with their versions; two of them are optional', async () => {
  const all = await findBinaries(
    await folder({
      etcd,
      'kube-apiserver': apiServer,
      'kube-controller-manager': apiServer,
      kubeadm: script('v1.35.2'),
    }),
  );
  assert.deepEqual([all.version, all.minor, all.kubeadmMinor], ['1.36.0', 36, 35]);
  const few = await findBinaries(await folder({ etcd, 'kube-apiserver': apiServer }));
  assert.deepEqual([few.controllerManager, few.kubeadm], [undefined, undefined]);
});

test('folders and programs that cannot be used are refused in sentences', async () => {
  await refuses(join(root, 'missing'), /missing does not exist; give a folder/);
  await refuses(join(await folder({ file: '' }), 'file'), /is no folder/);
  await refuses(await folder({}), /lacks etcd and kube-apiserver/);
  await refuses(await folder({ etcd }), /lacks kube-apiserver;/);
  await refuses(
    await folder({ etcd, 'kube-apiserver': apiServer }, 0o644),
    /may not be executed; give it execute permission/,
  );
  await refuses(await folder({ etcd, 'kube-apiserver': 'hello' }), /no program for/);
  await refuses(await folder({ etcd, 'kube-apiserver': script('no version here') }), /shows no version/);
  await refuses(await folder({ etcd, 'kube-apiserver': '#!/bin/sh\nexit 2\n' }), /failed \(2\)/);
  await refuses(await folder({ etcd, 'kube-apiserver': '#!/no/such/shell\n' }), /failed \(ENOENT\)/);
  await refuses(await folder({ etcd, 'kube-apiserver': '#!/bin/sh\nkill -KILL $$\n' }), /failed \(SIGKILL\)/);
  await refuses(await folder({ etcd: '#!/bin/sh\nexit 3\n', 'kube-apiserver': apiServer }), /etcd .*failed \(3\)/);
  await assert.rejects(openControlPlane({ env: {} }), /KUBEBUILDER_ASSETS/);
});

test('a program for another machine is told by its header', { skip: process.platform !== 'linux' }, async () => {
  const head = Buffer.alloc(64);
  head.write('\x7fELF', 'latin1');
  head[4] = 2;
  head[5] = 1;
  head.writeUInt16LE(process.arch === 'arm64' ? 62 : 183, 18);
  await refuses(
    await folder({ etcd, 'kube-apiserver': head }),
    /is built for (arm64|x64); give the kube-apiserver that is built for linux/,
  );
});

const broken = {
  etcd: '#!/bin/sh\n[ "$1" = --version ] && echo "etcd Version: 3.6.5" && exit\nexec sleep 30\n',
  'kube-apiserver':
    '#!/bin/sh\n[ "$1" = --version ] && echo "Kubernetes v1.36.0" && exit\n' +
    'echo "Error: unknown flag: --bind-address" >&2\nexit 1\n',
};
test('a control plane whose server ends at once says why, and leaves nothing', async () => {
  await assert.rejects(openControlPlane({ folder: await folder(broken) }), (error) => {
    assert.ok(error instanceof ConfigurationError, String(error));
    assert.match(
      error.message,
      /kube-apiserver ended with exit code 1 before it was ready: Error: unknown flag: --bind-address/,
    );
    return true;
  });
});

test('it is judged without programs that cannot join, but not where joinproof fails to try them', async () => {
  const programs = await folder({ ...broken, kubeadm: script('v1.36.0') });
  const opened = async (thrown: Error): Promise<string> => {
    const joining = (): Promise<never> => Promise.reject(thrown);
    return openControlPlane({ folder: programs, joining }).then(
      () => 'opened',
      (error: Error) => error.message,
    );
  };
  for (const thrown of [new ConfigurationError('it is no kubeadm'), new TargetUnreachable('no network', 'network')])
    assert.notEqual(await opened(thrown), thrown.message);
  for (const thrown of [new TypeError('it is undefined'), new NotAllowed('it would write')])
    assert.equal(await opened(thrown), thrown.message);
});

test('a start that is broken off ends what it began', async () => {
  const slow = await folder({
    etcd: '#!/bin/sh\n[ "$1" = --version ] && echo "etcd Version: 3.6.5" && exit\nexec sleep 30\n',
    'kube-apiserver': '#!/bin/sh\n[ "$1" = --version ] && echo "Kubernetes v1.36.0" && exit\nexec sleep 30\n',
  });
  const run = new AbortController();
  const reason = new Error('SIGINT');
  const opening = openControlPlane({ folder: slow, signal: run.signal });
  setTimeout(() => run.abort(reason), 400);
  await assert.rejects(opening, reason);
});

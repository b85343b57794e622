/** What is taken from the programs of a host, by what they say. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import dns from 'node:dns/promises';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, Server } from 'node:net';
import { availableParallelism, release, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { after, afterEach, describe, it, mock } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { openDisk } from '../node/open.js';
import { folderHost } from './folder-host.js';
import { thisHost } from './this-host.js';

const home = mkdtempSync(path.join(tmpdir(), 'joinproof-host-'));
after(() => rmSync(home, { recursive: true, force: true }));
const MODULE = new URL('./this-host.js', import.meta.url).href;
const ASKED = `
const host = (await import(${JSON.stringify(MODULE)})).thisHost();
const all = [host.initSystem(), host.service('kubelet'), host.kubeletVersion(), host.docker()];
console.log(JSON.stringify((await Promise.all(all)).map(({ is }) => is ?? null)));`;

let count = 0;
/** Scripts of a shell by the names of the programs, as the only ones in its path. */
async function seen(programs: Readonly<Record<string, string>>, mode = 0o755): Promise<readonly unknown[]> {
  count += 1;
  const folder = path.join(home, String(count));
  mkdirSync(folder);
  for (const [name, script] of Object.entries(programs))
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode });
  const environment = { PATH: folder };
  const args = ['--input-type=module', '--eval', ASKED];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment });
  return JSON.parse(stdout) as readonly unknown[];
}
const systemctl = (status: string, enabled: number, active: string): string =>
  `case "$1 $2" in
  "status kubelet") echo '${status}'; exit 3;;
  "is-enabled kubelet") exit ${enabled};;
  "is-active kubelet") echo '${active}';;
esac`;
const NONE = { failure: 'executable file not found in $PATH' };
const NO_DOCKER = { failure: 'output: , error: executable file not found in $PATH' };
const service = (exists: boolean, enabled: boolean, active: boolean): object => ({ exists, enabled, active });

describe('this host', () => {
  it('has no init system without its program', async () => {
    assert.deepEqual(await seen({}), [null, service(true, false, true), NONE, NO_DOCKER]);
    assert.deepEqual((await seen({ systemctl: '' }, 0o644))[0], null);
  });

  it('has services as systemd tells', async () => {
    for (const [script, expected] of [
      [systemctl('Loaded: loaded', 0, 'active'), service(true, true, true)],
      [systemctl('Loaded: loaded', 0, 'activating'), service(true, true, true)],
      [systemctl('Loaded: loaded', 1, 'inactive'), service(true, false, false)],
      [systemctl('Loaded: loaded', 0, 'deactivating'), service(true, true, false)],
      [systemctl('Loaded: not-found', 1, 'inactive'), service(false, false, false)],
      [systemctl('Unit kubelet.service could not be found.', 4, ''), service(false, false, false)],
    ] as const)
      assert.deepEqual((await seen({ systemctl: script, openrc: '' })).slice(0, 2), ['systemd', expected]);
  });

  it('has services as OpenRC tells', async () => {
    const rc = (status: string, listed: string): Readonly<Record<string, string>> => ({
      openrc: '',
      'rc-service': `[ "$1 $2" = 'kubelet status' ] && echo '${status}'`,
      'rc-update': `[ "$1 $2" = 'show default' ] && echo '${listed}'`,
    });
    for (const [programs, expected] of [
      [rc(' * status: started', 'kubelet | default'), service(true, true, true)],
      [rc(' * status: stopped', 'sshd | default'), service(true, false, false)],
      [rc(' * rc-service: service `kubelet` does not exist', ''), service(false, false, false)],
    ] as const)
      assert.deepEqual((await seen(programs)).slice(0, 2), ['openrc', expected]);
  });

  it('has a kubelet and Docker as they tell', async () => {
    const told = async (kubelet: string, docker: string): Promise<readonly unknown[]> =>
      (await seen({ kubelet, docker })).slice(2);
    assert.deepEqual(
      await told(
        '[ "$*" = --version ] && echo "Kubernetes v1.36.1"',
        `[ "$*" = 'info --format {{json .}}' ] && echo '{"ServerVersion":"20.10.7"}'`,
      ),
      [{ output: 'Kubernetes v1.36.1\n' }, { version: '20.10.7' }],
    );
    assert.deepEqual(await told('exit 7', 'echo no; exit 1'), [
      { failure: 'exit status 7' },
      { failure: 'output: no\\n, error: exit status 1' },
    ]);
    assert.deepEqual((await told('', 'echo no'))[1], { failure: 'it does not answer in JSON' });
  });
});

describe('a folder', () => {
  it('has the init system and the services that lie there', async () => {
    const of = async (...files: readonly string[]) => {
      count += 1;
      const folder = path.join(home, String(count));
      mkdirSync(folder);
      for (const file of files) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), '127.0.0.1 localhost\n192.0.2.1\tcp-1 cp-1.example # cp-2\n');
      }
      return folderHost(await openDisk(folder));
    };
    const none = await of();
    assert.deepEqual(await none.initSystem(), { is: undefined });
    assert.deepEqual(await none.service('kubelet'), { is: service(false, false, false) });
    assert.ok('unknown' in (await none.resolve('cp-1')));
    for (const folder of ['usr/local/sbin', 'usr/local/bin', 'usr/sbin', 'usr/bin', 'sbin', 'bin']) {
      assert.deepEqual(await (await of(`${folder}/systemctl`, `${folder}/openrc`)).initSystem(), { is: 'systemd' });
      assert.ok('unknown' in (await (await of(`${folder}/openrc`)).initSystem()));
    }
    for (const folder of ['etc/systemd/system', 'usr/lib/systemd/system', 'lib/systemd/system'])
      assert.deepEqual(await (await of(`${folder}/kubelet.service`)).service('kubelet'), {
        is: service(true, false, false),
      });
    const wanted = await of('etc/systemd/system/multi-user.target.wants/kubelet.service', 'etc/hosts');
    assert.deepEqual(await wanted.service('kubelet'), { is: service(false, true, true) });
    for (const name of ['cp-1', 'cp-1.example', 'localhost'])
      assert.deepEqual(await wanted.resolve(name), { is: undefined });
    for (const name of ['cp-2', 'cp', '192.0.2.1', '#']) assert.ok('unknown' in (await wanted.resolve(name)), name);
  });
});

describe('what this host shows of itself', () => {
  const failing = (code: string) => async () => {
    throw Object.assign(new Error(code), { code });
  };
  /** Until the test ends. */
  function instead(module: typeof fs | typeof dns, name: string, implementation: (...given: never[]) => unknown): void {
    mock.method(module as unknown as Record<string, () => unknown>, name, implementation as () => unknown);
    syncBuiltinESMExports();
  }
  afterEach(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  const unknown = (found: object): boolean => 'unknown' in found;

  it('is its files, as far as they may be looked at', async () => {
    const host = thisHost();
    const folder = path.join(home, 'files');
    mkdirSync(folder);
    const file = path.join(folder, 'file');
    writeFileSync(file, 'text');
    for (const [place, exists, text, names] of [
      [file, true, 'text', undefined],
      [folder, true, undefined, ['file']],
      [`${file}/below`, false, undefined, undefined],
      [path.join(folder, 'none'), false, undefined, undefined],
    ] as const)
      assert.deepEqual(
        [await host.exists(place), await host.read(place), await host.list(place)],
        [...[{ is: exists }, { is: text }, { is: names }]],
      );
    for (const [code, is] of [
      ['EACCES', unknown],
      ['EIO', (found: object) => !unknown(found)],
    ] as const) {
      for (const name of ['stat', 'readFile', 'readdir']) instead(fs, name, failing(code));
      for (const found of [await host.exists(file), await host.read(file), await host.list(folder)])
        assert.ok(is(found), code);
      mock.restoreAll();
    }
  });

  it('is the configuration of its kernel, in the first file that has one', async () => {
    const all = [
      ...['/proc/config.gz', '/boot/config-6.1', '/usr/src/linux-6.1/.config', '/usr/src/linux/.config'],
      ...['/usr/lib/modules/6.1/config', '/usr/lib/ostree-boot/config-6.1', '/usr/lib/kernel/config-6.1'],
      ...['/usr/src/linux-headers-6.1/.config', '/lib/modules/6.1/build/.config'],
    ];
    let asked: string[] = [];
    const from = async (there: readonly string[]) => {
      asked = [];
      instead(fs, 'readFile', async (file: string) => {
        asked.push(file);
        if (!there.includes(file)) throw new Error('none');
        return file.endsWith('.gz') ? gzipSync(file) : Buffer.from(file);
      });
      return thisHost().kernelConfiguration('6.1');
    };
    for (const [at, file] of all.entries()) assert.deepEqual(await from(all.slice(at)), { is: { text: file } });
    assert.ok(unknown(await from([])));
    assert.deepEqual(asked, all);
  });

  it('is whether its control groups freeze', async () => {
    const folder = path.join(home, 'groups');
    mkdirSync(folder);
    const { freezes } = thisHost();
    assert.ok(unknown(await freezes(path.join(home, 'no-groups'))));
    writeFileSync(path.join(folder, 'cgroup.procs'), '');
    assert.ok(unknown(await freezes(folder)));
    for (const name of ['a', 'b']) mkdirSync(path.join(folder, name));
    assert.deepEqual(await freezes(folder), { is: false });
    writeFileSync(path.join(folder, 'b', 'cgroup.freeze'), '');
    assert.deepEqual(await freezes(folder), { is: true });
  });

  it('is which ports are free', async () => {
    const { isPortFree } = thisHost();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    assert.deepEqual(await isPortFree(port), { is: false });
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(await isPortFree(port), { is: true });
    assert.deepEqual(await isPortFree(port), { is: true }, 'it was listened at for a moment');
    mock.method(Server.prototype, 'listen', function listen(this: Server) {
      this.emit('error', Object.assign(new Error('not allowed'), { code: 'EACCES' }));
      return this;
    });
    assert.deepEqual(await isPortFree(80), { unknown: 'only root may listen at port 80' });
  });

  it('is which names have an address, in the words of Go', async () => {
    const { resolve } = thisHost();
    instead(dns, 'lookup', async () => ({ address: '192.0.2.1', family: 4 }));
    assert.deepEqual(await resolve('cp-1'), { is: undefined });
    for (const [code, words] of [
      ['ENOTFOUND', 'no such host'],
      ['EAI_AGAIN', 'Temporary failure in name resolution'],
      ['EOTHER', 'EOTHER'],
    ] as const) {
      instead(dns, 'lookup', failing(code));
      assert.deepEqual(await resolve('cp-1'), { is: `lookup cp-1: ${words}` });
    }
  });

  it('is what it is made of, and who looks', async () => {
    const host = thisHost();
    assert.equal(host.os, 'linux');
    assert.deepEqual(await host.processors(), { is: availableParallelism() });
    assert.deepEqual(await host.memory(), { is: Math.floor(totalmem() / 1024 / 1024) });
    assert.deepEqual(await host.kernelRelease(), { is: release() });
    assert.deepEqual(host.environment(), { is: process.env });
    const { getuid } = process;
    try {
      for (const [id, is] of [
        [0, true],
        [1000, false],
      ] as const) {
        process.getuid = () => id;
        assert.deepEqual(await host.isPrivileged(), { is });
      }
    } finally {
      if (getuid !== undefined) process.getuid = getuid;
    }
  });
});

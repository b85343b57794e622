/** What is taken from the programs of a host, by what they say. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openDisk } from '../node/open.js';
import { folderHost } from './folder-host.js';

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

/** What a service manager that stands in answers, and what is told of it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { makeSystemctl, Services } from './services.js';

const home = mkdtempSync(path.join(tmpdir(), 'joinproof-services-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;
/** A machine on which somebody looks at once: its first commands are seen already. */
function machine(how: Parameters<typeof Services.environment>[1] = undefined, service?: string) {
  count += 1;
  const [folder, bin] = [path.join(home, `${count}`), path.join(home, `${count}-bin`)];
  makeSystemctl(bin, service);
  const services = new Services(folder);
  for (let at = 1; at <= 9; at += 1) writeFileSync(path.join(folder, `seen.${at}`), '');
  const ask = (...given: readonly string[]) => {
    const env = { PATH: `${bin}:${process.env.PATH ?? ''}`, ...Services.environment(folder, how), OWN: 'own value' };
    const { status, stdout, stderr } = spawnSync(path.join(bin, 'systemctl'), given, { env, encoding: 'utf8' });
    return [status, stdout.trim(), stderr.trim()];
  };
  return { folder, bin, services, ask };
}
const WELL = [0, '', ''];

describe('a service manager that stands in', () => {
  it('starts nothing, and notes what it is told, in order', () => {
    const { ask, services, folder, bin } = machine();
    assert.deepEqual(services.fresh, []);
    for (const command of ['start', 'stop', 'restart', 'reload-or-restart', 'enable'])
      assert.deepEqual(ask(command, 'kubelet.service'), WELL, command);
    assert.deepEqual(ask('daemon-reload'), WELL);
    for (const command of ['status', 'is-active', 'show']) assert.deepEqual(ask(command, 'kubelet'), WELL, command);
    const all = ['start', 'stop', 'restart', 'reload-or-restart', 'enable'].map((command) => `${command} kubelet`);
    assert.deepEqual(services.fresh, [...all, 'daemon-reload']);
    services.seen(all.slice(0, 2));
    assert.deepEqual(services.fresh, [...all.slice(2), 'daemon-reload']);
    services.seen(services.fresh);
    assert.deepEqual(services.fresh, []);
    assert.deepEqual(
      [statSync(folder).mode & 0o777, statSync(path.join(bin, 'systemctl')).mode & 0o777],
      [0o700, 0o755],
    );
  });

  it('notes what whoever it starts is given', () => {
    const { ask, services } = machine('no kubelet');
    assert.deepEqual(ask('set-environment', 'A=b c'), WELL);
    assert.deepEqual(services.fresh, ['set-environment A=b c']);
  });

  it('tells what its callers had as environment, each once', () => {
    const { ask, services } = machine();
    assert.equal(services.takeEnvironment(), '');
    ask('status', 'kubelet');
    assert.equal(services.takeEnvironment(), '');
    ask('start', 'kubelet');
    assert.match(services.takeEnvironment(), /OWN='own value'/);
    assert.equal(services.takeEnvironment(), '');
    ask('stop', 'kubelet');
    assert.match(services.takeEnvironment(), /OWN='own value'/);
  });

  it('knows no kubelet where there is none, in the words of systemctl', () => {
    const { ask, services } = machine('no kubelet');
    assert.deepEqual(ask('status', 'kubelet'), [4, 'Unit kubelet.service could not be found.', '']);
    for (const command of ['start', 'restart', 'stop', 'enable'])
      assert.deepEqual(ask(command, 'kubelet'), [5, '', 'Unit kubelet.service not found.'], command);
    assert.deepEqual(ask('daemon-reload'), WELL);
    assert.equal(services.fresh.length, 5);
  });

  it('waits until somebody has looked', () => {
    const { ask, services, folder, bin } = machine();
    for (let at = 1; at <= 9; at += 1) rmSync(path.join(folder, `seen.${at}`));
    const slept = path.join(folder, 'slept');
    writeFileSync(path.join(bin, 'sleep'), `#!/bin/sh\nprintf '%s ' "$1" >> ${slept}\n`, { mode: 0o755 });
    assert.deepEqual(ask('start', 'kubelet'), WELL);
    assert.equal(readFileSync(slept, 'utf8'), '0.01 '.repeat(200), 'nobody looks, and it waits two seconds for that');
    services.seen(services.fresh);
    assert.ok(existsSync(path.join(folder, 'seen.1')) && !existsSync(path.join(folder, 'seen.2')));
  });

  it('starts what it is made for, where it is told to start it', async () => {
    const started = path.join(home, 'started');
    const { ask } = machine(undefined, `sh -c 'echo x >> ${started}'`);
    for (const command of ['stop', 'enable', 'status']) ask(command, 'kubelet');
    assert.ok(!existsSync(started));
    for (const [at, command] of ['start', 'restart'].entries()) {
      ask(command, 'kubelet');
      const all = 'x\n'.repeat(at + 1);
      for (let looks = 0; looks < 5000 && !(existsSync(started) && readFileSync(started, 'utf8') === all); looks += 1)
        await new Promise((resolve) => setTimeout(resolve, 1));
      assert.equal(readFileSync(started, 'utf8'), all);
    }
  });
});

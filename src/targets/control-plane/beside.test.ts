/** API servers beside a control plane, with programs that are only written down. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConfigurationError } from '../errors.js';
import type { HttpTarget } from '../http-target.js';
import type { Switches } from '../types.js';
import { startBeside } from './beside.js';
import { configurationOf } from './configuration.js';
import type { Running } from './processes.js';
import type { Site } from './start.js';

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'jp-beside-'));
});
after(() => rm(root, { recursive: true, force: true }));

interface Started {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly killed: (string | undefined)[];
  readonly end: (how: string) => void;
}

/** Where all is written down. `ends`: at once, with these words. */
async function siteFor(ends?: string, signal = new AbortController().signal) {
  const folder = await mkdtemp(join(root, 'folder-'));
  const started: Started[] = [];
  const processes = {
    folder,
    start: async (name: string, file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Running> => {
      let end: Started['end'] = () => {};
      const ended = new Promise<string>((resolve) => {
        end = resolve;
      });
      const killed: Started['killed'] = [];
      started.push({ name, file, args, env, killed, end });
      if (ends !== undefined) end(ends);
      const child = { kill: (by?: string) => killed.push(by) };
      return { program: name, log: join(folder, 'none.log'), ended, child } as unknown as Running;
    },
  };
  const site = {
    binaries: { apiServer: '/b/kube-apiserver' },
    processes,
    configuration: configurationOf(folder, 16_443, '1.36.1', {}),
    ports: { etcd: 12_379, etcdPeer: 12_380, controllerManager: 20_257 },
    env: { A: 'b' },
    signal,
  } as unknown as Site;
  return { folder, site, started };
}

/** A target that is ready, and has its namespace after so many questions. */
function targetFor(missing = 0) {
  const done: string[] = [];
  let left = missing;
  const admin = {
    ask: async ({ path }: { path: string }) => {
      done.push(path);
      return { status: 200 };
    },
    get: async ({ resource }: { resource: string }, name: string) => {
      done.push(`${resource}/${name}`);
      left -= 1;
      return left >= 0 ? undefined : {};
    },
  };
  const target = { admin, close: async () => void done.push('close') } as unknown as HttpTarget;
  return { done, target };
}

const flagIn = (args: readonly string[], flag: string): readonly string[] =>
  args.filter((one) => one.startsWith(`--${flag}=`)).map((one) => one.slice(flag.length + 3));

describe('an API server beside a control plane', () => {
  it('has a port and a prefix of its own, and else the flags of the other', async () => {
    const { folder, site, started } = await siteFor();
    const { done, target } = targetFor(2);
    const ports: number[] = [];
    const opened = await startBeside(site, { anonymousAuth: false }, async (port) => {
      ports.push(port);
      return target;
    });
    assert.equal(opened, target);
    const [{ name = '', file, args = [], env } = {}] = started;
    assert.match(name, /^kube-apiserver-\d+$/);
    assert.deepEqual([file, env], ['/b/kube-apiserver', { A: 'b' }]);
    assert.deepEqual(flagIn(args, 'secure-port'), ports.map(String));
    assert.ok(ports[0] !== 16_443 && Number(ports[0]) > 0);
    assert.deepEqual(flagIn(args, 'etcd-prefix'), [`/${name}`]);
    assert.deepEqual(flagIn(args, 'etcd-servers'), ['https://127.0.0.1:12379']);
    assert.deepEqual(flagIn(args, 'bind-address'), ['127.0.0.1']);
    assert.deepEqual(flagIn(args, 'anonymous-auth'), ['false']);
    assert.deepEqual(flagIn(args, 'client-ca-file'), [join(folder, 'pki/ca.crt')]);
    assert.deepEqual(done, ['/readyz', 'namespaces/default', 'namespaces/default', 'namespaces/default']);
    const own = join(folder, name);
    assert.equal(statSync(own).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(own), []);
  });

  it('reads files of its own, of its authenticators, that nobody else reads', async () => {
    const { folder, site, started } = await siteFor();
    const switches: Switches = { authentication: { tokenAuthFile: 'token,user,1\n', clientCa: 'PEM\n' } };
    await startBeside(site, switches, async () => targetFor().target);
    const [{ name = '', args = [] } = {}] = started;
    const own = join(folder, name);
    const texts = readdirSync(own).map((file) => {
      assert.equal(statSync(join(own, file)).mode & 0o777, 0o600);
      return readFileSync(join(own, file), 'utf8');
    });
    assert.deepEqual(texts.sort(), ['PEM\n', 'token,user,1\n']);
    const [file = ''] = flagIn(args, 'token-auth-file');
    assert.equal(readFileSync(file, 'utf8'), 'token,user,1\n');
    assert.deepEqual(
      flagIn(args, 'client-ca-file').map((one) => readFileSync(one, 'utf8')),
      ['PEM\n'],
    );
  });

  it('is killed at its end, which is when it has ended', async () => {
    const { site, started } = await siteFor();
    let end = (): Promise<void> => Promise.resolve();
    await startBeside(site, {}, async (_, given) => {
      end = given;
      return targetFor().target;
    });
    let over = false;
    const ending = end().then(() => {
      over = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([started[0]?.killed, over], [['SIGKILL'], false]);
    started[0]?.end('was ended by SIGKILL');
    await ending;
  });

  it('says why it has ended, and its target is closed', async () => {
    const { site } = await siteFor('ended with exit code 1');
    const { done, target } = targetFor();
    const asking = { ...target, admin: { ...target.admin, ask: () => new Promise(() => {}) } } as unknown as HttpTarget;
    await assert.rejects(
      startBeside(site, {}, async () => asking),
      (error: Error) => {
        assert.ok(error instanceof ConfigurationError);
        assert.match(error.message, /^kube-apiserver-\d+ ended with exit code 1 before it was ready: it wrote no log$/);
        return true;
      },
    );
    assert.deepEqual(done, ['close']);
  });

  it('is not started where the run was broken off, and closed where it is then', async () => {
    const reason = new Error('SIGINT');
    const stopped = await siteFor(undefined, AbortSignal.abort(reason));
    await assert.rejects(
      startBeside(stopped.site, {}, async () => assert.fail('it connects')),
      reason,
    );
    assert.deepEqual([stopped.started, readdirSync(stopped.folder)], [[], []]);
    const run = new AbortController();
    const { site } = await siteFor(undefined, run.signal);
    const { done, target } = targetFor(1000);
    const starting = startBeside(site, {}, async () => target);
    while (!done.includes('namespaces/default')) await new Promise((resolve) => setImmediate(resolve));
    run.abort(reason);
    await assert.rejects(starting, reason);
    assert.equal(done.at(-1), 'close');
  });

  it('is one of two that start at a time, and none is named as another', async () => {
    const { site, started } = await siteFor();
    const connected: (() => void)[] = [];
    const all = [1, 2, 3, 4].map(() =>
      startBeside(site, {}, () => new Promise((resolve) => connected.push(() => resolve(targetFor().target)))),
    );
    const until = async (count: number): Promise<void> => {
      while (connected.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    await until(2);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(started.length, 2);
    connected[0]?.();
    await until(3);
    connected[1]?.();
    await until(4);
    for (const go of connected) go();
    await Promise.all(all);
    assert.equal(new Set(started.map(({ name }) => name)).size, 4);
  });
});

/** In which order a control plane is started and set up, with programs that are only written down. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, mock } from 'node:test';
import { ConfigurationError, TargetUnreachable } from '../errors.js';
import type { HttpTarget } from '../http-target.js';
import type { Switches } from '../types.js';
import type { Binaries } from './binaries.js';
import type { Processes, Running } from './processes.js';
import { type InitPhases, kubeconfigOf, ready, start } from './start.js';

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'jp-start-'));
});
after(() => rm(root, { recursive: true, force: true }));

const ALL: Binaries = {
  ...{ folder: '/b', etcd: '/b/etcd', apiServer: '/b/kube-apiserver', controllerManager: '/b/kcm' },
  ...{ version: '1.36.1', minor: 36 },
};
const { controllerManager: _, ...BARE } = ALL;
const forever = new Promise<string>(() => {});
const SIGNED = { data: { 'jws-kubeconfig-abcdef': 'x' } };

interface Play {
  readonly binaries?: Binaries;
  readonly switches?: Switches;
  readonly signal?: AbortSignal;
  readonly initPhases?: InitPhases | 'none';
  /** Status of /readyz, one after the other, or what is thrown; then 200. */
  readonly readyz?: (number | Error)[];
  /** Whether the account is there, one after the other; then yes. */
  readonly accounts?: boolean[];
  /** cluster-info, one after the other; then a signed one. */
  readonly infos?: (object | undefined)[];
  /** Of a program by its name. */
  readonly ends?: Readonly<Record<string, Promise<string>>>;
  readonly log?: string;
  readonly asked?: (what: string) => void;
}

interface Played {
  readonly folder: string;
  /** What was done, in order. */
  readonly done: string[];
  readonly started: Map<string, { readonly file: string; readonly args: readonly string[]; readonly env: object }>;
  readonly outcome: Promise<Awaited<ReturnType<typeof start>>>;
}

async function play(given: Play = {}): Promise<Played> {
  const folder = await mkdtemp(join(root, 'folder-'));
  const done: string[] = [];
  const started: Played['started'] = new Map();
  const note = (what: string): void => {
    done.push(what);
    given.asked?.(what);
  };
  const processes = {
    folder,
    watch: (pid: number) => note(`watch ${typeof pid}`),
    start: async (program: string, file: string, args: readonly string[], env: object): Promise<Running> => {
      note(`start ${program}`);
      started.set(program, { file, args, env });
      const log = join(folder, `${program}.log`);
      if (given.log !== undefined) await writeFile(log, given.log);
      return { program, log, ended: given.ends?.[program] ?? forever } as unknown as Running;
    },
  } as unknown as Processes;
  const connect = async (name: string): Promise<HttpTarget> => {
    note(`connect ${name}`);
    const admin = {
      ask: async ({ path, timeoutMs }: { path: string; timeoutMs: number }) => {
        note(`ask ${path} ${timeoutMs}`);
        const next = given.readyz?.shift() ?? 200;
        if (next instanceof Error) throw next;
        return { status: next };
      },
      create: async ({ resource }: { resource: string }, { metadata }: { metadata: { name: string } }) =>
        note(`create ${resource} ${metadata.name}`),
      delete: async ({ resource }: { resource: string }, one: string) => note(`delete ${resource} ${one}`),
      get: async ({ resource }: { resource: string }, one: string, namespace: string) => {
        note(`get ${resource} ${namespace}/${one}`);
        if (resource === 'serviceaccounts') return (given.accounts?.shift() ?? true) ? {} : undefined;
        return given.infos === undefined || given.infos.length === 0 ? SIGNED : given.infos.shift();
      },
    };
    return { name, admin, close: async () => note(`close ${name}`) } as unknown as HttpTarget;
  };
  const initPhases: InitPhases = async (target, at) => {
    note(`init phases as ${target.name}: ${JSON.stringify(at).replaceAll(folder, 'F')}`);
    if (typeof given.initPhases === 'function') await given.initPhases(target, at);
  };
  const outcome = start({
    binaries: given.binaries ?? ALL,
    processes,
    switches: given.switches ?? {},
    signal: given.signal ?? new AbortController().signal,
    connect,
    ...(given.initPhases === 'none' ? {} : { initPhases }),
  });
  outcome.catch(() => undefined);
  return { folder, done, started, outcome };
}

const STARTED = ['start etcd', 'start kube-apiserver', 'connect super-admin'];
const READY = 'ask /readyz 5000';
const BOUND = 'create clusterrolebindings kubeadm:cluster-admins';
const PHASES = 'init phases as super-admin: {"folder":"F","version":"1.36.1","switches":{}}';
const ACCOUNT = 'get serviceaccounts kube-system/default';
const INFO = 'get configmaps kube-public/cluster-info';
const OPENED = ['close super-admin', 'connect admin'];

describe('a start', () => {
  const doneBy = async (given: Play = {}): Promise<readonly string[]> => {
    const { done, outcome } = await play(given);
    assert.equal((await outcome).target.name, 'admin');
    return done;
  };

  it('starts what is there, waits until it is ready, sets it up and waits for its controllers', async () => {
    const { done, started, outcome, folder } = await play();
    const { site } = await outcome;
    assert.deepEqual(done, [
      ...STARTED,
      ...[READY, 'start kube-controller-manager', BOUND, PHASES, ACCOUNT, INFO],
      ...OPENED,
    ]);
    assert.deepEqual(
      [...started].map(([name, { file }]) => [name, file]),
      [
        ['etcd', '/b/etcd'],
        ['kube-apiserver', '/b/kube-apiserver'],
        ['kube-controller-manager', '/b/kcm'],
      ],
    );
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: folder, TMPDIR: folder };
    for (const one of started.values()) assert.deepEqual(one.env, env);
    const { configuration, ports } = site;
    const all = [configuration.bindPort, ports.etcd, ports.etcdPeer, ports.controllerManager];
    assert.ok(all.every((port) => port > 0) && new Set(all).size === 4);
    assert.deepEqual(Object.keys(site).sort(), ['binaries', 'configuration', 'env', 'ports', 'processes', 'signal']);
    assert.deepEqual([site.binaries, site.env], [ALL, env]);
    for (const [program, flags] of [
      [
        'etcd',
        [
          `--listen-client-urls=https://127.0.0.1:${ports.etcd}`,
          `--listen-peer-urls=https://127.0.0.1:${ports.etcdPeer}`,
          `--data-dir=${folder}/etcd`,
        ],
      ],
      ['kube-apiserver', [`--secure-port=${configuration.bindPort}`, `--etcd-servers=https://127.0.0.1:${ports.etcd}`]],
      [
        'kube-controller-manager',
        [`--secure-port=${ports.controllerManager}`, `--kubeconfig=${folder}/controller-manager.conf`],
      ],
    ] as const)
      for (const flag of flags) assert.ok(started.get(program)?.args.includes(flag), `${program} ${flag}`);
  });

  it('makes its own files where there is no kubeadm, which lead to loopback and are for their owner only', async () => {
    const { folder, outcome } = await play();
    const { configuration } = (await outcome).site;
    for (const name of ['admin', 'super-admin', 'controller-manager']) {
      const file = kubeconfigOf(folder, name);
      assert.equal(file, join(folder, `${name}.conf`));
      assert.match(
        readFileSync(file, 'utf8'),
        new RegExp(`server: https://127\\.0\\.0\\.1:${configuration.bindPort}\\b`),
      );
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    for (const file of ['ca.key', 'etcd/ca.key', 'sa.key', 'apiserver.key'])
      assert.equal(statSync(join(folder, 'pki', file)).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, 'pki')).mode & 0o777, 0o700);
  });

  it('lets nobody sign whose CA is elsewhere', async () => {
    for (const [switches, file] of [
      [{ externalCa: true }, () => ''],
      [{}, (folder: string) => join(folder, 'pki/ca.key')],
    ] as const) {
      const { folder, started, outcome } = await play({ switches });
      await outcome;
      const args = started.get('kube-controller-manager')?.args ?? [];
      assert.ok(args.includes(`--cluster-signing-key-file=${file(folder)}`));
    }
  });

  it('has kubeadm make files and objects where there is one, of its own minor', async () => {
    const log = join(root, 'kubeadm.log');
    const kubeadm = join(root, 'kubeadm');
    const script =
      `#!/bin/sh\necho "$*" >> '${log}'\n` +
      '[ "$3" != kubeconfig ] || echo "server: https://192.0.2.10:1" > "$8/$4.conf"\n';
    await writeFile(kubeadm, script, { mode: 0o755 });
    for (const [kubeadmMinor, version] of [
      [30, 'v1beta3'],
      [31, 'v1beta4'],
      [undefined, 'v1beta4'],
    ] as const) {
      await rm(log, { force: true });
      const { folder, done, outcome } = await play({
        binaries: { ...BARE, kubeadm, ...(kubeadmMinor === undefined ? {} : { kubeadmMinor }) },
      });
      await outcome;
      assert.match(readFileSync(join(folder, 'kubeadm.yaml'), 'utf8'), new RegExp(`kubeadm.k8s.io/${version}"`));
      const phases = readFileSync(log, 'utf8')
        .split('\n')
        .map((line) => line.split(' ')[2]);
      assert.deepEqual(phases.slice(0, 5), ['certs', 'kubeconfig', 'kubeconfig', 'kubeconfig', 'upload-config']);
      assert.deepEqual(phases.slice(5, 8).sort(), ['addon', 'bootstrap-token', 'upload-certs']);
      assert.ok(!existsSync(join(folder, 'pki')) && !done.some((one) => one.startsWith('init phases')));
      assert.ok(done.indexOf('watch number') < done.indexOf('start etcd'));
    }
  });

  it('waits for no controllers where there are none', async () => {
    assert.deepEqual(await doneBy({ binaries: BARE }), [...STARTED, READY, BOUND, PHASES, ...OPENED]);
  });

  it('runs no phase of init where it is to be bare, or nobody has any', async () => {
    const bare = [...STARTED, READY, 'start kube-controller-manager', BOUND, ACCOUNT, INFO, ...OPENED];
    assert.deepEqual(await doneBy({ switches: { bare: true } }), bare);
    assert.deepEqual(await doneBy({ initPhases: 'none' }), bare);
    assert.ok((await doneBy({ switches: { bare: false } })).some((one) => one.startsWith('init phases')));
  });

  it('tells the phases of init which switches there are', async () => {
    const switches: Switches = { tokens: [{ token: 'abcdef.0123456789abcdef' }] };
    const [phases] = (await doneBy({ switches })).filter((one) => one.startsWith('init phases'));
    assert.equal(phases, PHASES.replace('{}}', `${JSON.stringify(switches)}}`));
  });

  it('asks again until the server is ready and its controllers have begun', async () => {
    const done = await doneBy({
      readyz: [new TargetUnreachable('refused', 'other'), 500, 403],
      accounts: [false, true, true],
      infos: [{}, { data: { kubeconfig: 'jws-kubeconfig-' } }],
    });
    const asks = done.filter((one) => one === READY || one === ACCOUNT || one === INFO);
    assert.deepEqual(asks, [READY, READY, READY, READY, ACCOUNT, ACCOUNT, INFO, ACCOUNT, INFO, ACCOUNT, INFO]);
  });

  it('does not wait for a signature that nobody makes, or of nothing', async () => {
    assert.ok(!(await doneBy({ switches: { bootstrapSigner: false } })).includes(INFO));
    assert.ok((await doneBy({ switches: { bootstrapSigner: true } })).includes(INFO));
    assert.equal((await doneBy({ infos: [undefined] })).filter((one) => one === INFO).length, 1);
  });

  it('goes on without controllers that have not begun after 15 s', async () => {
    let now = Date.now();
    const clock = mock.method(Date, 'now', () => now);
    try {
      let times = 0;
      const asked = (what: string): void => {
        if (what !== ACCOUNT) return;
        times += 1;
        now += times === 1 ? 14_999 : 1;
      };
      const done = await doneBy({ accounts: Array.from({ length: 100 }, () => false), asked });
      assert.equal(done.filter((one) => one === ACCOUNT).length, 2);
    } finally {
      clock.mock.restore();
    }
  });
});

describe('a start that fails', () => {
  const failed = async (given: Play, expected: RegExp | Error): Promise<readonly string[]> => {
    const { done, outcome } = await play(given);
    await assert.rejects(outcome, expected);
    assert.ok(!done.includes('connect admin'));
    return done;
  };
  const later = (what: string): { readonly promise: Promise<string>; readonly end: () => void } => {
    let end = (): void => {};
    const promise = new Promise<string>((resolve) => {
      end = () => resolve(what);
    });
    return { promise, end };
  };

  it('says which program has ended, and its last words', async () => {
    for (const program of ['etcd', 'kube-apiserver']) {
      const ends = { [program]: Promise.resolve('ended with exit code 1') };
      const done = await failed(
        { ends, log: 'one\ntwo\n', readyz: Array.from({ length: 1000 }, () => 500) },
        new ConfigurationError(`${program} ended with exit code 1 before it was ready: one | two`),
      );
      assert.equal(done.at(-1), 'close super-admin');
      assert.ok(!done.includes(BOUND));
    }
  });

  it('says so of one that ends while it is set up, or waited for', async () => {
    const etcd = later('was ended by SIGKILL');
    const why = /^ConfigurationError: etcd was ended by SIGKILL before it was ready: it wrote no log$/;
    const phases: InitPhases = () => {
      etcd.end();
      return new Promise(() => {});
    };
    assert.equal((await failed({ ends: { etcd: etcd.promise }, initPhases: phases }, why)).at(-1), 'close super-admin');
    const manager = later('ended with exit code 2');
    const asked = (what: string): void => {
      if (what === ACCOUNT) manager.end();
    };
    const accounts = Array.from({ length: 1000 }, () => false);
    const done = await failed(
      { ends: { 'kube-controller-manager': manager.promise }, accounts, asked },
      /kube-controller-manager ended with exit code 2 before/,
    );
    const asks = done.filter((one) => one === ACCOUNT).length;
    await new Promise((resolve) => setTimeout(resolve, 120));
    assert.ok(done.filter((one) => one === ACCOUNT).length <= asks + 1, 'it goes on asking');
  });

  it('closes what it has set up with, where a phase fails', async () => {
    const reason = new Error('no phase');
    const done = await failed({ initPhases: () => Promise.reject(reason) }, reason);
    assert.deepEqual(done.slice(-2), [PHASES, 'close super-admin']);
  });

  it('starts nothing where it is broken off before', async () => {
    const reason = new Error('SIGINT');
    assert.deepEqual(await failed({ signal: AbortSignal.abort(reason) }, reason), []);
  });

  it('ends as it was broken off, whichever program ends then', async () => {
    const reason = new Error('SIGINT');
    const run = new AbortController();
    const etcd = later('was ended by SIGKILL');
    const asked = (what: string): void => {
      if (what !== READY) return;
      run.abort(reason);
      etcd.end();
    };
    await failed({ signal: run.signal, ends: { etcd: etcd.promise }, readyz: [500, 500], asked }, reason);
  });
});

describe('a server', () => {
  const running: readonly Running[] = [
    { program: 'etcd', log: '/no/such', ended: forever },
    { program: 'kube-apiserver', log: '', ended: forever },
  ] as unknown as readonly Running[];
  const never = new AbortController().signal;
  const until = async (answer: () => number, log = ''): Promise<number> => {
    let asked = 0;
    const ask = async (): Promise<{ readonly status: number }> => {
      asked += 1;
      return { status: answer() };
    };
    const [etcd, server] = running as [Running, Running];
    await ready({ admin: { ask } } as unknown as HttpTarget, [etcd, { ...server, log }], never);
    return asked;
  };

  it('is given up that is not ready after 60 s, with the last that it said', async () => {
    const log = join(root, 'server.log');
    await writeFile(log, 'E0102 it cannot\nhello\n');
    let now = Date.now();
    const clock = mock.method(Date, 'now', () => now);
    try {
      let left = [60_000, 1];
      const answer = (): number => {
        now += left.shift() ?? 0;
        return 500;
      };
      const [said, silent] = ['E0102 it cannot', 'it wrote no log'];
      for (const [file, words] of [
        [log, said],
        [join(root, 'none.log'), silent],
      ] as const) {
        left = [60_000, 1];
        await assert.rejects(
          until(answer, file),
          new ConfigurationError(`kube-apiserver was not ready after 60 s (GET /readyz answered 500): ${words}`),
        );
        assert.deepEqual(left, []);
      }
      const refused = async (): Promise<never> => {
        now += 60_001;
        throw new TargetUnreachable('it refuses', 'other');
      };
      await assert.rejects(
        ready({ admin: { ask: refused } } as unknown as HttpTarget, running, never),
        /not ready after 60 s \(it refuses\)/,
      );
    } finally {
      clock.mock.restore();
    }
  });

  it('is ready that says so, whatever it said before', async () => {
    const answers = [503, 200];
    assert.equal(await until(() => answers.shift() ?? 0), 2);
  });

  it('is not asked again where asking fails otherwise', async () => {
    const broken = new TypeError('a bug');
    const ask = (): Promise<never> => Promise.reject(broken);
    await assert.rejects(ready({ admin: { ask } } as unknown as HttpTarget, running, never), broken);
  });
});

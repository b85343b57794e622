/** What of a machine kubeadm is shown, and what it is told there: in the place of a cell is who looks at that. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, it, mock } from 'node:test';
import { laterRelease } from '../../kubeadm/release.js';
import type { LookKind, PreflightRun } from '../../kubernetes/preflight-run.js';
import { Cell } from '../client-under-test/cell.js';
import type { Ended, Program } from '../client-under-test/program.js';
import { askRuntime } from './container-runtime.js';
import { kubeadmPreflight } from './kubeadm-preflight.js';
import { documentsFor, machineNamed } from './machines.js';

const folder = mkdtempSync(path.join(tmpdir(), 'jp-m-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();
const release = laterRelease('v1.36.0');

/** What is there while kubeadm runs. */
interface Shown {
  readonly program: Program;
  readonly root: string;
  readonly home: string;
  readonly listening: readonly string[];
  readonly servers: readonly Server[];
}

const listening: string[] = [];
const servers: Server[] = [];
let runs: ((shown: Shown) => Promise<Partial<Ended>> | Partial<Ended>)[] = [];
let count = 0;

beforeEach(() => {
  for (const list of [listening, servers]) list.length = 0;
  runs = [];
  mock.method(Cell.prototype, 'run', async (program: Program): Promise<Ended> => {
    const root = program.command.find((one) => one.endsWith('/root')) ?? '';
    const act = runs.shift();
    const shown = { program, root, home: path.dirname(root), listening: [...listening], servers: [...servers] };
    return { exit: 0, said: [], message: '', milliseconds: 1, ...(await act?.(shown)) };
  });
  mock.method(Cell.prototype, 'listen', async (host: string, port: number) => {
    listening.push(`${host}:${port}`);
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  });
});
afterEach(() => mock.restoreAll());

/** What became of a look, and what it was shown. */
async function looked(
  name: string,
  look: LookKind,
  act?: (shown: Shown) => Promise<Partial<Ended>> | Partial<Ended>,
): Promise<{ readonly run: PreflightRun | undefined; readonly shown: Shown }> {
  count += 1;
  for (const list of [listening, servers]) list.length = 0;
  const own = path.join(folder, String(count));
  let seen: Shown | undefined;
  runs = [
    async (shown) => {
      seen = shown;
      return (await act?.(shown)) ?? {};
    },
  ];
  const preflight = kubeadmPreflight({ folder: own, kubeadm: '/k/kubeadm', version: 'v1.36.0', signal });
  try {
    const run = await preflight.look(name, look);
    assert.ok(seen !== undefined);
    assert.deepEqual(readdirSync(own), []);
    assert.ok(servers.every((server) => !server.listening));
    return { run, shown: seen };
  } finally {
    preflight.close();
  }
}
/** The command in the root. */
const commandOf = ({ program: { command } }: Shown): string => command.slice(command.indexOf('--') + 1).join(' ');
const SOUND = 'as it should be';
const LATER =
  'wait-control-plane,upload-config,upload-certs,mark-control-plane,bootstrap-token,addon,show-join-command';

describe('kubeadm on a machine', () => {
  const ENVIRONMENT = '/work /usr/bin/env -i PATH=/joinproof/bin HOME=/root';
  const CONFIG = '--config /work/kubeadm.yaml';
  const OWN = 'SystemVerification,NumCPU,Mem';

  it('is told what is to be run, and what it may find wrong', async () => {
    for (const [name, look, words] of [
      [SOUND, 'init', `init phase preflight ${CONFIG} --ignore-preflight-errors=${OWN}`],
      [SOUND, 'join', `join phase preflight ${CONFIG} --ignore-preflight-errors=${OWN}`],
      [SOUND, 'a whole init', `init --skip-phases=${LATER} ${CONFIG} --ignore-preflight-errors=${OWN}`],
      [SOUND, 'a dry run', `init --skip-phases=${LATER} --dry-run ${CONFIG} --ignore-preflight-errors=${OWN}`],
      [SOUND, 'the phase certs/apiserver', `init phase certs apiserver ${CONFIG}`],
      ['ignoring Swap+Mem', 'init', `init phase preflight ${CONFIG} --ignore-preflight-errors=${OWN},Swap,Mem`],
      ['ignoring ALL', 'init', `init phase preflight ${CONFIG} --ignore-preflight-errors=ALL`],
      ['ignoring Swap+all', 'init', `init phase preflight ${CONFIG} --ignore-preflight-errors=Swap,all`],
      ['configured to ignore all', 'init', `init phase preflight ${CONFIG} --ignore-preflight-errors=`],
      ['configured to ignore allow', 'init', `init phase preflight ${CONFIG} --ignore-preflight-errors=${OWN}`],
      ['with the flag --v=5', 'init', `init phase preflight ${CONFIG} --ignore-preflight-errors=${OWN} --v=5`],
      [
        'told that InitConfiguration has skipPhases=["certs"]',
        'a whole init',
        `init ${CONFIG} --ignore-preflight-errors=${OWN}`,
      ],
      [
        'told that InitConfiguration has skipPhases=["certs"]',
        'init',
        `init phase preflight ${CONFIG} --ignore-preflight-errors=${OWN}`,
      ],
    ] as const)
      assert.equal(commandOf((await looked(name, look)).shown), `${ENVIRONMENT} /joinproof/kubeadm ${words}`, name);
  });

  it('is run with the rights and the environment of that machine, in a root of its own', async () => {
    const behind = commandOf((await looked('behind a proxy but for a+b', 'join')).shown);
    assert.ok(behind.startsWith(`${ENVIRONMENT} HTTPS_PROXY=http://192.0.2.3:3128 NO_PROXY=a,b /joinproof/kubeadm `));
    const other = commandOf((await looked('of another user than root', 'join')).shown);
    const rights = '/usr/bin/setpriv --reuid=1000 --regid=1000 --clear-groups';
    assert.ok(other.startsWith(`/work ${rights} ${ENVIRONMENT.replace('/work ', '')} /joinproof/kubeadm `));
    const { shown } = await looked(SOUND, 'join');
    const { command, ...others } = shown.program;
    const { home, root } = shown;
    assert.deepEqual(others, { environment: {}, folder: home, limit: 60_000, signal, mark: `${home}/` });
    assert.deepEqual(command.slice(command.indexOf(root) + 1, command.indexOf('--')), [
      ...[path.join(home, 'bin'), '/joinproof/bin', '/k/kubeadm', '/joinproof/kubeadm'],
      ...[path.join(home, 'net'), '/proc/sys/net', path.join(home, 'swaps'), '/proc/swaps'],
    ]);
  });

  it('is told in documents what the machine is told, and there all that it is to leave out', async () => {
    const told = async (name: string, look: LookKind): Promise<string> => {
      let text = '';
      await looked(name, look, ({ root }) => {
        text = readFileSync(path.join(root, 'work/kubeadm.yaml'), 'utf8');
        return {};
      });
      return text;
    };
    const expected = (name: string, look: LookKind): string => {
      const machine = machineNamed(name, release);
      assert.ok(machine !== undefined);
      return documentsFor(machine, look, release);
    };
    for (const look of ['init', 'join'] as const) assert.equal(await told('named a', look), expected('named a', look));
    const skipping = await told('told that InitConfiguration has skipPhases=["certs","a"]', 'a whole init');
    const [init] = skipping.split('\n---\n').map((text) => JSON.parse(text) as { skipPhases?: readonly string[] });
    assert.deepEqual(init?.skipPhases, [...LATER.split(','), 'certs', 'a']);
  });
});

describe('a machine that kubeadm looks at', () => {
  /** What the machine of this name has, while it is looked at. */
  const shows = async <T>(
    name: string,
    what: (shown: Shown) => T | Promise<T>,
    look: LookKind = 'join',
  ): Promise<T> => {
    const found: T[] = [];
    await looked(name, look, async (shown) => {
      found.push(await what(shown));
      return {};
    });
    return found[0] as T;
  };
  const textOf = (file: string) => (shown: Shown) => readFileSync(path.join(shown.home, file), 'utf8');

  it('has files, settings of the kernel and swap of its own', async () => {
    const all = await shows(SOUND, ({ home }) => (readdirSync(home, { recursive: true }) as string[]).sort());
    for (const one of [
      ...['bin', 'net/bridge/bridge-nf-call-iptables', 'net/ipv4/ip_forward', 'swaps', 'root/work/kubeadm.yaml'],
      ...['root/work', 'root/tmp', 'root/run/containerd', 'root/etc/kubernetes', 'root/var/lib/kubelet', 'root/root'],
    ])
      assert.ok(all.includes(one), one);
    assert.equal(await shows(SOUND, textOf('net/ipv4/ip_forward')), '1\n');
    assert.equal(await shows('where net.ipv4.ip_forward is 0', textOf('net/ipv4/ip_forward')), '0\n');
    assert.doesNotMatch(await shows(SOUND, textOf('swaps')), /swapfile/);
    assert.match(await shows('that swaps', textOf('swaps')), /swapfile/);
    assert.equal(
      await shows('with /etc/kubernetes/manifests/etcd.yaml', textOf('root/etc/kubernetes/manifests/etcd.yaml')),
      'something\n',
    );
    assert.equal(
      await shows(SOUND, textOf('root/etc/passwd')),
      'root:x:0:0:root:/root:/bin/sh\nother:x:1000:1000:other:/:/bin/sh\n',
    );
    assert.equal(await shows(SOUND, textOf('root/etc/resolv.conf')), '');
    const name = (await shows(SOUND, textOf('root/etc/hosts'))).match(/^127\.0\.0\.1 localhost (\S+)\n$/)?.[1];
    assert.match(name ?? '', /^[a-z0-9-]+$/);
    assert.equal(await shows('whose name nobody knows', textOf('root/etc/hosts')), '127.0.0.1 localhost\n');
  });

  it('has programs that do nothing, but for those that it lacks', async () => {
    const programs = (name: string): Promise<readonly string[]> =>
      shows(name, ({ home }) => readdirSync(path.join(home, 'bin')).sort());
    const all = await programs(SOUND);
    for (const name of [
      ...['modprobe', 'uname', 'umount', 'lsmod', 'crictl', 'losetup', 'cp', 'mount', 'ip', 'iptables', 'kubelet'],
      ...['systemctl', 'conntrack', 'nsenter', 'ethtool', 'tc', 'touch', 'socat'],
    ])
      assert.ok(all.includes(name), name);
    assert.deepEqual(
      await programs('without mount, without modprobe'),
      all.filter((name) => name !== 'mount' && name !== 'modprobe'),
    );
    const kubelet = await shows(
      'with a kubelet 2 minors older',
      ({ home }) => spawnSync(path.join(home, 'bin/kubelet'), ['--version'], { encoding: 'utf8' }).stdout,
    );
    assert.equal(kubelet, 'Kubernetes v1.34.0\n');
    const mount = await shows(SOUND, ({ home }) => spawnSync(path.join(home, 'bin/mount'), { encoding: 'utf8' }));
    assert.deepEqual([mount.status, mount.stdout], [0, '']);
  });

  it('has services as its service manager says', async () => {
    const asked = (name: string): Promise<readonly unknown[]> =>
      shows(name, ({ home }) =>
        ['status', 'is-enabled', 'is-active'].map((verb) => {
          const { status, stdout } = spawnSync(path.join(home, 'bin/systemctl'), [verb, 'kubelet'], {
            encoding: 'utf8',
          });
          return [status, stdout.trim()];
        }),
      );
    const loaded = [0, 'Loaded: loaded'];
    assert.deepEqual(await asked(SOUND), [loaded, [0, ''], [3, 'inactive']]);
    assert.deepEqual(await asked('whose service kubelet is active'), [loaded, [0, ''], [0, 'active']]);
    assert.deepEqual(await asked('whose service kubelet is disabled'), [loaded, [1, ''], [0, 'active']]);
    assert.deepEqual(await asked('without a service kubelet'), [
      [4, 'Unit kubelet.service could not be found.'],
      [3, 'inactive'],
      [3, 'inactive'],
    ]);
  });

  it('has ports in use, an etcd and a container runtime, as far as it has them', async () => {
    const listens = (name: string): Promise<readonly string[]> => shows(name, ({ listening: all }) => all, 'init');
    assert.deepEqual(await listens(SOUND), []);
    assert.deepEqual(await listens('with port 6443 in use, with port 10250 in use'), ['0.0.0.0:6443', '0.0.0.0:10250']);
    assert.deepEqual(await listens('with an etcd elsewhere of 3.4.9'), ['127.0.0.1:23790']);
    const version = await shows('with an etcd elsewhere of 3.4.9', ({ servers: [server] }) => {
      assert.ok(server !== undefined);
      const { port } = server.address() as AddressInfo;
      return new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port, path: '/version', agent: false }, (response) => {
          response.on('data', (chunk: Buffer) => resolve(chunk.toString()));
        }).on('error', reject);
      });
    });
    assert.equal(version, '{"etcdserver":"3.4.9","etcdcluster":"3.4.9"}');
    const runtime = (name: string) =>
      shows(name, ({ root }) => askRuntime(`unix://${root}/run/containerd/containerd.sock`));
    assert.deepEqual(await runtime(SOUND), { configures: true });
    assert.deepEqual(await runtime('whose container runtime is not ready'), {
      notReady: { reason: 'Starting', message: 'not yet' },
      configures: true,
    });
    assert.ok('failure' in (await runtime('without a container runtime')));
  });
});

describe('what kubeadm makes of a machine', () => {
  it('is how it ended, what it said, and what it has written where init writes', async () => {
    const { run } = await looked(SOUND, 'a whole init', ({ root }) => {
      const put = (file: string, mode: number): void => {
        mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
        writeFileSync(path.join(root, file), `of ${file}`, { mode });
      };
      put('var/lib/kubelet/config.yaml', 0o644);
      put('etc/kubernetes/pki/ca.key', 0o600);
      put('etc/other', 0o600);
      return { exit: 4, said: ['a', 'b'] };
    });
    assert.deepEqual(run, {
      machine: SOUND,
      look: 'a whole init',
      exit: 4,
      said: ['a', 'b'],
      written: ['/etc/kubernetes/pki/ca.key', '/var/lib/kubelet/config.yaml'],
      changed: [],
      left: [
        { path: '/etc/kubernetes/pki/ca.key', mode: 0o600, text: 'of etc/kubernetes/pki/ca.key' },
        { path: '/var/lib/kubelet/config.yaml', mode: 0o644, text: 'of var/lib/kubelet/config.yaml' },
      ],
    });
  });

  it('is asked for three times of a runtime that is too late, and believed once it is not', async () => {
    const own = path.join(folder, 'late');
    const late = () => ({ exit: 1, said: ['[ERROR CRI]: rpc error: code = DeadlineExceeded desc = late'] });
    const preflight = kubeadmPreflight({ folder: own, kubeadm: '/k/kubeadm', version: 'v1.36.0', signal });
    try {
      for (const [acts, exit, left, overtaken] of [
        [[late, late, () => ({ exit: 0 }), late], 0, 1, undefined],
        [
          [late, late, late, late],
          1,
          1,
          "the runtime that stands in for the machine's own answered kubeadm too late, 3 times over",
        ],
        [[() => ({ exit: 2 }), late], 2, 1, undefined],
      ] as const) {
        runs = [...acts];
        const run = await preflight.look(SOUND, 'join');
        assert.deepEqual([run?.exit, runs.length, run?.overtaken], [exit, left, overtaken]);
      }
      runs = [late, late];
      const none = await preflight.look('without a container runtime', 'join');
      assert.deepEqual([none?.exit, none?.overtaken, runs.length], [1, undefined, 1]);
      assert.equal(await preflight.look('made of cheese', 'join'), undefined);
    } finally {
      preflight.close();
    }
  });

  it('is asked for on four machines at a time, each in a cell that is used again, and all are closed', async () => {
    const own = path.join(folder, 'four');
    const closed = mock.method(Cell.prototype, 'close');
    const preflight = kubeadmPreflight({ folder: own, kubeadm: '/k/kubeadm', version: 'v1.36.0', signal });
    const gates: (() => void)[] = [];
    const wait = () => new Promise<Partial<Ended>>((resolve) => gates.push(() => resolve({})));
    runs = Array.from({ length: 9 }, () => wait);
    const all = Array.from({ length: 5 }, () => preflight.look(SOUND, 'join'));
    while (gates.length < 4) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(gates.length, 4);
    gates[0]?.();
    while (gates.length < 5) await new Promise((resolve) => setImmediate(resolve));
    for (const open of gates) open();
    assert.equal((await Promise.all(all)).length, 5);
    preflight.close();
    assert.equal(closed.mock.callCount(), 4);
    assert.deepEqual(existsSync(own) ? readdirSync(own) : [], []);
  });

  it('leaves nothing where the run is broken off', async () => {
    const reason = new Error('SIGINT');
    const own = path.join(folder, 'broken');
    const preflight = kubeadmPreflight({ folder: own, kubeadm: '/k/kubeadm', version: 'v1.36.0', signal });
    runs = [() => Promise.reject(reason)];
    await assert.rejects(preflight.look('with port 6443 in use', 'join'), reason);
    preflight.close();
    assert.deepEqual(readdirSync(own), []);
    assert.ok(servers.length === 1 && servers.every((server) => !server.listening));
  });
});

describe('a machine that kubeadm cannot be put on', () => {
  it('is another by what no namespace changes', () => {
    const { lacks, close } = kubeadmPreflight({ folder, kubeadm: '/k/kubeadm', version: 'v1.36.0', signal });
    const why = 'the kernel, its control groups, processors and memory are those of the machine that joinproof runs on';
    for (const name of [
      ...['with kernel 4.1.0', 'with control groups of version 1', 'without the control group cpu', 'of Windows'],
      ...['with 1 processor', 'with 100 MiB of memory'],
    ])
      assert.equal(lacks(name), why, name);
    for (const name of [SOUND, 'without mount', 'that swaps', 'made of cheese', 'with port 6443 in use'])
      assert.equal(lacks(name), undefined, name);
    assert.equal(
      lacks('that becomes a control plane'),
      'only with its cluster does kubeadm look at a further control plane',
    );
    const { getuid } = process;
    try {
      process.getuid = () => 1000;
      assert.equal(lacks('of another user than root'), 'joinproof does not run as root, and can be no other user');
      assert.equal(lacks(SOUND), undefined);
      process.getuid = () => 0;
      assert.equal(lacks('of another user than root'), undefined);
    } finally {
      if (getuid !== undefined) process.getuid = getuid;
    }
    close();
  });
});

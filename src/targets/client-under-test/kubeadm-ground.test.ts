import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import type { Lie } from '../../liars/lie.js';
import { lies } from '../../liars/lies/index.js';
import { TargetUnreachable } from '../errors.js';
import { endMarked } from '../marked-processes.js';
import { type Cell, demandNamespaces } from './cell.js';
import type { Place } from './ground.js';
import {
  kubeadmDescription,
  kubeadmGround,
  makeStandIns,
  placeIn,
  skippedBy,
  versionOfKubeadm,
} from './kubeadm-ground.js';
import type { Ended, Program } from './program.js';

const never = new AbortController().signal;

describe('the version of a kubeadm', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'joinproof-kubeadm-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  const program = (name: string, text: string): string => {
    const file = path.join(home, name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return file;
  };

  it('is what it says', async () => {
    const file = program('kubeadm', 'echo v1.36.2');
    assert.deepEqual(await versionOfKubeadm(file, never), { text: 'v1.36.2', minor: 36 });
  });

  const SAYS = 'answers "kubeadm version -o short" with no version';
  for (const [name, text, why] of [
    ['help', 'echo Usage: help', SAYS],
    ['yes', 'exit 0', SAYS],
    ['other', 'echo v2.0.0', SAYS],
    ['longer', 'echo xv1.36.0', SAYS],
    ['short', 'echo v1.36', SAYS],
    ['second', 'echo; echo v1.36.0', SAYS],
    ['fails', 'echo v1.36.0; exit 3', 'cannot be run ("kubeadm version -o short" ends with 3)'],
  ] as const)
    it(`is none of a program that is none: ${name}`, async () => {
      const file = program(name, text);
      const message = `--kubeadm ${file} ${why}. Give a kubeadm that is built for this machine.`;
      await assert.rejects(versionOfKubeadm(file, never), new TargetUnreachable(message, 'other'));
    });

  it('is asked for in so many words, with a path and no more, and nothing is left of that', async () => {
    const seen = path.join(home, 'seen');
    const file = program('asked', `echo "$*" > ${seen}; pwd >> ${seen}; export -p > ${seen}.environment; echo v1.9.0`);
    const temporary = process.env.TMPDIR;
    process.env.TMPDIR = home;
    try {
      assert.deepEqual(await versionOfKubeadm(file, never), { text: 'v1.9.0', minor: 9 });
      await assert.rejects(versionOfKubeadm(program('no', 'exit 1'), never), TargetUnreachable);
    } finally {
      if (temporary === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = temporary;
    }
    assert.equal(readFileSync(seen, 'utf8'), 'version -o short\n/\n');
    const names = [...readFileSync(`${seen}.environment`, 'utf8').matchAll(/^(?:export|declare -x) (\w+)/gm)];
    const others = names.map(([, name = '']) => name).filter((name) => !['OLDPWD', 'PWD', 'SHLVL', '_'].includes(name));
    assert.deepEqual(others.sort(), ['JOINPROOF_FOLDER', 'PATH']);
    assert.deepEqual(
      readdirSync(home).filter((name) => name.startsWith('joinproof-')),
      [],
    );
  });
});

describe('a program that is asked for its version', () => {
  it('leaves nothing that it has started', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'joinproof-kubeadm-'));
    const [file, left] = [path.join(home, 'kubeadm'), path.join(home, 'left')];
    writeFileSync(file, `#!/bin/sh\n(sleep 0.4; echo left > ${left}) >/dev/null 2>&1 &\necho v1.36.2\n`, {
      mode: 0o755,
    });
    assert.equal((await versionOfKubeadm(file, never)).minor, 36);
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(existsSync(left), false);
    rmSync(home, { recursive: true, force: true });
  });
});

describe('a program that never says its version', () => {
  it('is ended with the run', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'joinproof-kubeadm-'));
    const file = path.join(home, 'kubeadm');
    writeFileSync(file, '#!/bin/sh\nsleep 30\n', { mode: 0o755 });
    const over = new AbortController();
    setTimeout(() => over.abort(new Error('interrupted')), 200);
    const begun = performance.now();
    await assert.rejects(versionOfKubeadm(file, over.signal), /interrupted/);
    // long before the program would have ended by itself
    assert.ok(performance.now() - begun < 20_000);
    rmSync(home, { recursive: true, force: true });
  });
});

describe('what is said of kubeadm', () => {
  const IGNORES =
    '--ignore-preflight-errors=CRI,ContainerRuntimeVersion,SystemVerification,KubeletVersion,ImagePull,Hostname,Swap,' +
    'NumCPU,Mem,FileContent--proc-sys-net-ipv4-ip_forward,FileContent--proc-sys-net-ipv6-conf-default-forwarding,' +
    'FileContent--proc-sys-net-bridge-bridge-nf-call-iptables,Service-Kubelet,' +
    'Port-2379,Port-2380,Port-6443,Port-7443,Port-10250,Port-10257,Port-10259';

  it('is how it is told whom to join, and where its files lie', () => {
    const program = '/joinproof/kubeadm';
    const named = ['--node-name', '{node-name}', '--cri-socket', 'unix:///run/containerd/containerd.sock', IGNORES];
    const pins = ['--discovery-token-ca-cert-hash', '{ca-hash}'];
    assert.deepEqual(kubeadmDescription('kubeadm v1.36.2', 36), {
      name: 'kubeadm v1.36.2',
      minor: 36,
      speaks: 'kubeadm',
      timeLimit: 60_000,
      ways: {
        configuration: [program, 'join', '--config', '{configuration}', IGNORES.replace('ImagePull,', '')],
        token: [
          ...[program, 'join', ['{endpoint}'], ['--token', '{token}'], ['--tls-bootstrap-token', '{other-tls-token}']],
          ...[pins, ...named],
        ],
        'token-unsafe': [
          ...[program, 'join', ['{endpoint}'], ['--token', '{token}'], pins],
          ...['--discovery-token-unsafe-skip-ca-verification', ...named],
        ],
        none: [program, 'join', ['--token', '{token}'], pins, ...named],
      },
      environment: {},
      files: {
        'bootstrap-kubeconfig': 'etc/kubernetes/bootstrap-kubelet.conf',
        kubeconfig: 'etc/kubernetes/kubelet.conf',
        ca: 'etc/kubernetes/pki/ca.crt',
        'kubelet-configuration': 'var/lib/kubelet/config.yaml',
        pki: 'etc/kubernetes/pki',
      },
    });
  });

  it('is what a control plane leaves out, by its minor and by its server', () => {
    const certificates = ['certs', 'kubeconfig', 'control-plane'].map((name) => `control-plane-prepare/${name}`);
    const node = { hasNode: true } as const;
    const dry = { ...node, told: { dryRun: true } } as const;
    for (const [minor, lie, expected] of [
      [31, {}, ['check-etcd', 'control-plane-join', 'preflight']],
      [32, {}, ['check-etcd', 'control-plane-join', 'etcd-join', 'wait-control-plane', 'preflight']],
      [35, {}, ['check-etcd', 'control-plane-join', 'etcd-join', 'wait-control-plane', 'preflight']],
      [36, {}, ['check-etcd', 'control-plane-join', 'etcd-join', 'wait-control-plane']],
      [31, node, ['check-etcd', 'control-plane-join/etcd', 'preflight']],
      [36, node, ['check-etcd', 'etcd-join']],
      [31, dry, ['check-etcd', 'control-plane-join', 'preflight']],
      [32, dry, ['check-etcd', 'etcd-join', 'preflight']],
      [36, { components: {} }, ['check-etcd', 'control-plane-join', 'etcd-join']],
      [31, { etcd: {} }, ['control-plane-join', 'preflight']],
      [36, { etcd: {} }, ['control-plane-join', 'wait-control-plane']],
      [36, { ...node, etcd: {} }, []],
      [36, { ...node, externalCa: true }, ['check-etcd', 'etcd-join', ...certificates]],
      [36, { ...node, externalCa: false }, ['check-etcd', 'etcd-join']],
    ] as const)
      assert.deepEqual(skippedBy(minor, lie as unknown as Lie), expected, `${minor} ${JSON.stringify(lie)}`);
  });
});

describe('what stands beside a kubeadm', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'joinproof-stand-ins-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  const made = (name: string, minor: number, hasKubelet: boolean): string => {
    makeStandIns(path.join(home, name), { text: `v1.${minor}.2`, minor }, hasKubelet);
    return path.join(home, name);
  };
  const ran = (file: string, ...given: readonly string[]) => spawnSync(file, given, { encoding: 'utf8' });

  it('does nothing, or is what the host has', () => {
    const folder = made('all', 36, false);
    for (const name of [
      ...['crictl', 'modprobe', 'ip', 'iptables', 'conntrack', 'mount', 'umount', 'nsenter', 'ethtool', 'tc', 'touch'],
      ...['socat', 'losetup', 'uname', 'cp', 'lsmod', 'swapoff'],
    ]) {
      const { status, stdout, stderr } = ran(path.join(folder, name), '--no-such-flag');
      assert.deepEqual([status, stdout, stderr], [0, '', ''], name);
    }
    assert.equal(ran(path.join(folder, 'sh'), '-c', 'echo "$1"', 'sh', 'a  b').stdout, 'a  b\n');
    for (const name of ['sleep', 'cat', 'setsid'])
      assert.equal(readFileSync(path.join(folder, name), 'utf8'), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`);
    assert.equal(ran(path.join(folder, 'kubelet'), '--version').stdout, 'Kubernetes v1.36.2\n');
  });

  it('starts a kubelet where one was given, as the drop-in of kubeadm does', () => {
    const systemctl = (folder: string): string => readFileSync(path.join(folder, 'systemd/systemctl'), 'utf8');
    assert.match(systemctl(made('given', 36, true)), /setsid \/joinproof\/bin\/kubelet-service >\/dev\/null 2>&1 /);
    assert.doesNotMatch(systemctl(made('none', 36, false)), /kubelet-service/);
    const text = (minor: number): string =>
      readFileSync(path.join(made(`of-${minor}`, minor, true), 'kubelet-service'), 'utf8');
    for (const minor of [30, 31]) {
      const all = text(minor);
      assert.equal(all.includes('--fail-cgroupv1=false $KUBELET_KUBEADM_ARGS'), minor === 31);
      for (const words of [
        '. /var/lib/kubelet/kubeadm-flags.env',
        '/joinproof/kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf ' +
          '--kubeconfig=/etc/kubernetes/kubelet.conf',
        '--config=/var/lib/kubelet/config.yaml --rotate-certificates=false --fail-swap-on=false',
        '--cgroups-per-qos=false --enforce-node-allocatable=',
        'while [ $i -lt 30 ]',
      ])
        assert.ok(all.includes(words), words);
    }
  });
});

const HONEST = lies.find(({ name }) => name === 'ok-pin') as Lie;
const ENDED: Ended = { exit: 0, said: [], message: '', milliseconds: 1 };

/** A cell that writes down what it is told; its servers listen on this machine. */
function cellOf() {
  const told: string[] = [];
  const ran: Program[] = [];
  const servers: Server[] = [];
  const listen = async (host: string, port = 0): Promise<Server> => {
    told.push(`listen ${host}:${port}`);
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  };
  const startKubelet = (root: string, name: string) => {
    told.push(`kubelet ${path.basename(path.dirname(root))} ${name}`);
    return () => void told.push('stop kubelet');
  };
  const cell = {
    listen,
    startKubelet,
    kubeletIsWell: async (at: number | undefined) => void told.push(`well at ${at}`),
    run: async (program: Program): Promise<Ended> => {
      ran.push(program);
      return ENDED;
    },
  };
  return { cell: cell as unknown as Cell, told, ran, servers };
}

describe('a machine for kubeadm', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-places-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  interface Placed extends ReturnType<typeof cellOf> {
    readonly place: Place;
    readonly home: string;
    readonly done: () => number;
  }
  async function within(
    lie: Partial<Lie>,
    act: (placed: Placed) => Promise<void> | void,
    { kubelet, minor = 36 }: { readonly kubelet?: string; readonly minor?: number } = {},
  ): Promise<Placed> {
    count += 1;
    const home = path.join(folder, `home-${count}`);
    const all = cellOf();
    let ends = 0;
    const place = await placeIn(all.cell, {
      ...{ home, minor, standIns: '/stand/ins', kept: path.join(folder, `kept-${count}`) },
      programs: { kubeadm: '/k/kubeadm', kubelet },
      lie: { ...HONEST, ...lie },
      done: () => {
        ends += 1;
      },
    });
    const placed = { ...all, place, home, done: () => ends };
    try {
      await act(placed);
      assert.equal(ends, 0);
    } finally {
      await place.close();
    }
    assert.deepEqual([existsSync(home), ends, all.servers.some(({ listening }) => listening)], [false, 1, false]);
    return placed;
  }
  const program = { command: ['/joinproof/kubeadm', 'join'], environment: { PATH: '/p' }, limit: 7, signal: never };
  const tail = ({ ran: [first] }: Placed): readonly string[] => {
    const { command = [] } = first ?? {};
    return command.slice(command.indexOf('--') + 1);
  };

  it('has what a machine has, and its kubelet is well', async () => {
    const { told } = await within({}, ({ place, home }) => {
      const { root } = place;
      assert.equal(root, path.join(home, 'root'));
      assert.deepEqual([place.work, place.services], [path.join(root, 'work'), path.join(root, 'services')]);
      for (const one of ['work', 'services', 'tmp', 'run', 'etc/kubernetes', 'var/lib/kubelet', 'root'])
        assert.ok(statSync(path.join(root, one)).isDirectory(), one);
      const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
      assert.equal(read('etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
      assert.equal(read('etc/hosts'), '127.0.0.1 localhost worker-9\n');
      assert.equal(read('etc/resolv.conf'), '');
      assert.deepEqual(
        [place.isMachine, place.standIns, place.path, place.inside(root), place.inside(`${root}/work/a`)],
        [true, '/joinproof/bin/systemd', '/joinproof/bin', '/', '/work/a'],
      );
    });
    assert.deepEqual(told, ['well at 10248', 'listen 127.0.0.1:0']);
  });

  it('has a kubelet that is as the server wants it, and beside it what a control plane needs', async () => {
    for (const [lie, expected] of [
      [{ told: { kubelet: 'unhealthy' } }, ['well at undefined', 'listen 127.0.0.1:0']],
      [{ told: { kubelet: 'silent' } }, ['well at undefined', 'listen 127.0.0.1:0']],
      [{ told: { kubelet: 'elsewhere' } }, ['well at 10348', 'listen 127.0.0.1:0']],
      [{ told: { kubelet: 'no pair' } }, ['well at 10248', 'listen 127.0.0.1:0']],
      [{ told: { certificateKey: 'right' } }, ['well at 10248', 'listen 127.0.0.1:0', 'listen 192.0.2.20:6443']],
      [
        { told: { certificateKey: 'right', bindPort: 7443 } },
        ['well at 10248', 'listen 127.0.0.1:0', 'listen 192.0.2.20:7443'],
      ],
      [{ etcd: {} }, ['well at 10248', 'listen 127.0.0.1:0', 'listen 127.0.0.1:2379', 'listen 192.0.2.20:2379']],
      [{ components: {} }, ['well at 10248', 'listen 127.0.0.1:0', 'listen 127.0.0.1:10257', 'listen 127.0.0.1:10259']],
    ] as const)
      assert.deepEqual((await within(lie as unknown as Partial<Lie>, () => {})).told, expected);
  });

  it('serves who joins at its own address, too, and tells before he gets anything', async () => {
    await within({ told: { certificateKey: 'right' } }, async ({ place, servers }) => {
      for (const server of servers) {
        const heard = new Promise<void>((resolve) => place.before(resolve));
        const { port } = server.address() as AddressInfo;
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        await heard;
        socket.destroy();
      }
      assert.equal(servers.length, 2);
    });
  });

  it('says what a control plane is told of it', async () => {
    const configured = async (lie: Partial<Lie>, minor?: number): Promise<Place['configuration']> => {
      let configuration: Place['configuration'] = {};
      const see = ({ place }: Placed): void => {
        configuration = place.configuration;
      };
      await within(lie, see, minor === undefined ? {} : { minor });
      return configuration;
    };
    const names = (one: Place['configuration']): readonly string[] =>
      (one.registration as { ignorePreflightErrors: readonly string[] }).ignorePreflightErrors;
    const usual = await configured({});
    assert.deepEqual([usual.timeouts, usual.tlsBootstrap, usual.skipPhases], [{}, 12, skippedBy(36, HONEST)]);
    assert.deepEqual((await configured({}, 31)).skipPhases, skippedBy(31, HONEST));
    assert.equal((usual.registration as { criSocket: string }).criSocket, 'unix:///run/containerd/containerd.sock');
    assert.equal(names(usual).length, 20);
    assert.deepEqual(
      names(await configured({ told: { images: 'none' } })),
      names(usual).filter((name) => name !== 'ImagePull'),
    );
    const etcd = { isSick: true } as unknown as NonNullable<Lie['etcd']>;
    assert.deepEqual((await configured({ etcd })).timeouts, { etcdAPICall: '3s' });
  });

  it('runs a program in its root, with what was given', async () => {
    for (const kubelet of [undefined, '/k/kubelet']) {
      const placed = await within(
        {},
        async ({ place, ran, home }) => {
          assert.equal(await place.run(program), ENDED);
          const [{ command, ...others } = { command: [] as readonly string[] }] = ran;
          const { environment, limit, signal } = program;
          assert.deepEqual(others, { environment, limit, signal, folder: home, mark: `${home}/` });
          const at = command.indexOf(place.root);
          const seen = ['/stand/ins', '/joinproof/bin', '/k/kubeadm', '/joinproof/kubeadm'];
          assert.deepEqual(command.slice(at + 1, command.indexOf('--')), [
            ...seen,
            ...(kubelet === undefined ? [] : [kubelet, '/joinproof/kubelet']),
          ]);
        },
        kubelet === undefined ? {} : { kubelet },
      );
      assert.deepEqual(tail(placed), ['/work', '/usr/bin/env', 'PATH=/p', '/joinproof/kubeadm', 'join']);
      assert.ok(!placed.told.some((one) => one.startsWith('kubelet')));
    }
  });

  it('has a kubelet from the beginning where no service manager starts it', async () => {
    const kubelets = ({ told }: Placed): readonly string[] => told.filter((one) => one.includes('kubelet'));
    const services = { told: { services: 'none' } } as const;
    const run = async ({ place }: Placed): Promise<void> => void (await place.run(program));
    const own = await within(services, run);
    assert.deepEqual(kubelets(own), [`kubelet ${path.basename(own.home)} worker-9`, 'stop kubelet']);
    assert.deepEqual(tail(own), ['/work', '/usr/bin/env', 'PATH=/p', '/joinproof/kubeadm', 'join']);
    const given = await within(services, run, { kubelet: '/k/kubelet' });
    assert.deepEqual(kubelets(given), []);
    assert.deepEqual(tail(given).slice(3), [
      ...['/bin/sh', '-c', '/joinproof/bin/kubelet-service >/dev/null 2>&1 </dev/null & exec "$@"', 'sh'],
      ...['/joinproof/kubeadm', 'join'],
    ]);
  });

  it('has a kubelet once its service manager is told to start it', async () => {
    const commands = ['start kubelet', 'stop kubelet', 'xstart kubelet', 'start kubelet.x', 'restart kubelet'];
    const kubelets = async (lie: Partial<Lie>, kubelet?: string): Promise<readonly string[]> => {
      const run = ({ place }: Placed): void => {
        for (const command of commands) place.ran?.(command);
      };
      const { told, home } = await within(lie, run, kubelet === undefined ? {} : { kubelet });
      return told.filter((one) => one.includes('kubelet')).map((one) => one.replace(path.basename(home), 'H'));
    };
    const once = ['kubelet H worker-9', 'stop kubelet'];
    assert.deepEqual(await kubelets({}), [...once, ...once]);
    assert.deepEqual(await kubelets({ told: { services: 'failing' } }), []);
    assert.deepEqual(await kubelets({}, '/k/kubelet'), []);
  });

  it('has a kubeconfig without its pair where the kubelet is to leave that', async () => {
    const at = 'etc/kubernetes/kubelet.conf';
    for (const kubelet of ['no pair', undefined] as const)
      await within({ told: kubelet === undefined ? {} : { kubelet } }, ({ place }) => {
        const file = path.join(place.root, at);
        place.ran?.('daemon-reload');
        assert.equal(existsSync(file), kubelet !== undefined);
        if (kubelet === undefined) return;
        assert.equal(statSync(file).mode & 0o777, 0o600);
        assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [{ name: 'default-cluster', cluster: { server: 'https://127.0.0.1:1' } }],
          users: [
            { name: 'default-auth', user: { 'client-certificate': '/nowhere.pem', 'client-key': '/nowhere.pem' } },
          ],
          contexts: [{ name: 'default-context', context: { cluster: 'default-cluster', user: 'default-auth' } }],
          'current-context': 'default-context',
        });
      });
  });

  it('keeps the disk of one control plane, with the manifest of its etcd', async () => {
    for (const name of ['cp-download-certs', 'ok-pin']) {
      const isKept = name === 'cp-download-certs';
      const { ran } = await within({ name }, async ({ place, home }) => {
        const manifest = path.join(place.root, 'etc/kubernetes/manifests/etcd.yaml');
        mkdirSync(path.dirname(manifest), { recursive: true });
        writeFileSync(manifest, 'kind: Pod\n', { mode: 0o600 });
        const kept = { '/etc/kubernetes/manifests/etcd.yaml': { mode: 0o600, text: 'kind: Pod\n' } };
        assert.deepEqual(await place.keep?.(never), isKept ? kept : {});
        const folder = path.join(path.dirname(home), path.basename(home).replace('home', 'kept'));
        assert.equal(existsSync(path.join(folder, 'etc/kubernetes/manifests/etcd.yaml')), isKept);
        assert.equal(existsSync(path.join(place.work, 'etcd.yaml')), isKept);
      });
      assert.equal(ran.length, isKept ? 1 : 0);
      const [{ command, environment, limit, signal } = {} as Partial<Program>] = ran;
      if (!isKept) continue;
      assert.deepEqual([environment, limit, signal], [{ PATH: '/joinproof/bin' }, 60_000, never]);
      assert.deepEqual(command?.slice(-6), ['init', 'phase', 'etcd', 'local', '--config', 'etcd.yaml']);
    }
  });

  it('ends what works below it', { skip: process.platform !== 'linux' }, async () => {
    await within({}, async ({ place, home }) => {
      const child = spawn('sleep', ['60'], { cwd: home, stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
      await new Promise((resolve) => child.once('spawn', resolve));
      place.end();
      assert.equal(await ended, 'SIGKILL');
    });
  });
});

const lacking = await demandNamespaces().then(
  () => false as const,
  (error: Error) => error.message,
);

describe('the ground of a kubeadm', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-ground-'));
  after(() => {
    endMarked(`${folder}/`);
    rmSync(folder, { recursive: true, force: true });
  });
  const kubeadm = path.join(folder, 'kubeadm');
  writeFileSync(kubeadm, '#!/bin/sh\npwd\necho "$PATH $*"\nkubelet --version\n/bin/ls /joinproof\nexit 3\n', {
    mode: 0o755,
  });
  const version = { text: 'v1.36.2', minor: 36 };

  it('is none where a host allows no namespaces', async () => {
    const { PATH } = process.env;
    process.env.PATH = folder;
    try {
      await assert.rejects(
        kubeadmGround(folder, { kubeadm }, version),
        /^TargetUnreachable: This host does not let joinproof run kubeadm in namespaces of its own \(unshare, mount and ip/,
      );
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('has a cell for each that joins at a time, and ends them', { skip: lacking }, async () => {
    const ground = await kubeadmGround(folder, { kubeadm }, version);
    const cells = (): number => endMarked(`${folder}/cells/`, true).length;
    try {
      assert.equal(ground.kept, path.join(folder, 'kept'));
      const [first, second] = [await ground.open('1', HONEST), await ground.open('2', HONEST)];
      assert.equal(first.root, path.join(folder, '1/root'));
      const { exit, said } = await first.run({
        command: ['/joinproof/kubeadm', 'join'],
        environment: { PATH: '/joinproof/bin' },
        limit: 60_000,
        signal: never,
      });
      assert.deepEqual(
        [exit, said.filter((line) => line !== '')],
        [3, ['/work', '/joinproof/bin join', 'Kubernetes v1.36.2', 'bin', 'kubeadm']],
      );
      assert.equal(cells(), 2);
      await first.close();
      const third = await ground.open('3', HONEST);
      assert.equal(cells(), 2);
      for (const place of [second, third]) await place.close();
    } finally {
      ground.close?.();
    }
    while (cells() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

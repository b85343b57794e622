/** What kubeadm is told in each circumstance, and what lies on its machine: in the place of a cell is who looks at that. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Cell, demandNamespaces } from '../client-under-test/cell.js';
import type { Ended, Program } from '../client-under-test/program.js';
import { endMarked } from '../marked-processes.js';
import type { UploadsUnderTest } from '../types.js';
import { TOLD } from './circumstances.js';
import { kubeadmUploads } from './kubeadm-uploads.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-uploads-'));
after(() => {
  endMarked(`${folder}/`);
  rmSync(folder, { recursive: true, force: true });
});

/** What was run, and what there was then. */
interface Seen {
  readonly program: Program;
  readonly arguments: readonly string[];
  readonly root: string;
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  /** Of files below its "/": "mode name", folders with a slash. */
  readonly entries: readonly string[];
  readonly admin: string;
}

const entriesIn = (root: string): readonly string[] =>
  (readdirSync(root, { recursive: true }) as string[])
    .map((name) => {
      const stat = statSync(path.join(root, name));
      return stat.isDirectory() ? `${name}/` : `${(stat.mode & 0o777).toString(8)} ${name}`;
    })
    .sort();

const seen: Seen[] = [];
const listened: string[] = [];
const servers: Server[] = [];
let ended: Ended | Error = { exit: 0, said: [], message: '', milliseconds: 1 };
let count = 0;

function look(program: Program): Seen {
  const { command } = program;
  const at = command.indexOf('--');
  const root = command.find((one) => one.endsWith('/root')) ?? '';
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
  return {
    program,
    arguments: command.slice(at + 1),
    root,
    documents: read('work/kubeadm.yaml')
      .split('\n---\n')
      .map((text) => JSON.parse(text)),
    entries: entriesIn(root),
    admin: read('etc/kubernetes/admin.conf'),
  };
}

describe('kubeadm that hands on', () => {
  beforeEach(() => {
    ended = { exit: 0, said: ['well'], message: '', milliseconds: 1 };
    for (const list of [seen, listened, servers]) list.length = 0;
    mock.method(Cell.prototype, 'run', async (program: Program) => {
      seen.push(look(program));
      if (ended instanceof Error) throw ended;
      return ended;
    });
    mock.method(Cell.prototype, 'listen', async (host: string, port: number) => {
      listened.push(`${host}:${port}`);
      const server = createServer();
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    });
  });
  afterEach(() => {
    mock.restoreAll();
    for (const server of servers) server.close();
  });

  const { signal } = new AbortController();
  async function within(
    minor: number,
    act: (uploads: UploadsUnderTest, home: string) => Promise<void>,
  ): Promise<{ readonly closed: number }> {
    count += 1;
    const home = path.join(folder, String(count));
    const closed = mock.method(Cell.prototype, 'close');
    const uploads = kubeadmUploads({ folder: home, kubeadm: '/k/kubeadm', minor, signal });
    try {
      await act(uploads, home);
    } finally {
      await uploads.close();
    }
    assert.ok(servers.every(({ listening }) => !listening));
    return { closed: closed.mock.callCount() };
  }
  /** The one that ran in these circumstances. */
  const ranOf = async (uploads: UploadsUnderTest, circumstance: string): Promise<Seen> => {
    seen.length = 0;
    await uploads.upload(circumstance);
    assert.equal(seen.length, 1);
    return seen[0] as Seen;
  };

  it('is told by flags to upload, and whether to say its key; of a whole init what it leaves out', async () => {
    const [phase, told] = ['init phase upload-certs', '--config /work/kubeadm.yaml'];
    const whole =
      'init --skip-phases=preflight,certs,kubeconfig,etcd,control-plane,kubelet-start,wait-control-plane,kubelet-finalize';
    await within(36, async (uploads) => {
      for (const [circumstance, words] of [
        ['no key told', `${phase} ${told} --upload-certs`],
        ['a key told', `${phase} ${told} --upload-certs`],
        ['a key told, and not to say it', `${phase} ${told} --upload-certs --skip-certificate-key-print`],
        ['not told to', `${phase} ${told}`],
        ['a whole init', `${whole} ${told} --upload-certs`],
      ] as const) {
        const { arguments: given } = await ranOf(uploads, circumstance);
        assert.deepEqual(given, ['/work', '/usr/bin/env', '/joinproof/kubeadm', ...words.split(' ')]);
      }
    });
  });

  it('is run on a machine of its own, once for each key, and nothing of that is left', async () => {
    const { closed } = await within(36, async (uploads, home) => {
      const run = await uploads.upload('twice, with two keys');
      assert.deepEqual(
        run?.times.map(({ exit, said }) => [exit, said]),
        [
          [0, ['well']],
          [0, ['well']],
        ],
      );
      assert.deepEqual(
        seen.map(({ documents: [init] }) => init?.certificateKey),
        run?.times.map(({ told }) => told),
      );
      assert.equal(new Set(run?.times.map(({ told }) => told)).size, 2);
      assert.deepEqual(
        seen.map(({ root }) => root),
        [1, 2].map((one) => path.join(home, `upload-${one}/root`)),
      );
      for (const { program, root } of seen) {
        const { command, ...others } = program;
        const own = path.dirname(root);
        const environment = { PATH: '/usr/bin:/bin', HOME: '/root' };
        assert.deepEqual(others, { environment, folder: own, limit: 60_000, signal, mark: `${own}/` });
        const at = command.indexOf(root);
        assert.deepEqual(command.slice(at + 1, command.indexOf('--')), ['/k/kubeadm', '/joinproof/kubeadm']);
        assert.equal(existsSync(own), false);
      }
      assert.deepEqual(listened, ['192.0.2.20:6443']);
    });
    assert.equal(closed, 1);
  });

  it('says what it ends with', async () => {
    await within(36, async (uploads, home) => {
      ended = { exit: 7, said: ['a', 'b'], message: 'b', milliseconds: 1 };
      const [time] = (await uploads.upload('no key told'))?.times ?? [];
      assert.deepEqual([time?.exit, time?.said], [7, ['a', 'b']]);
      ended = new Error('SIGINT');
      await assert.rejects(uploads.upload('no key told'), ended);
      assert.deepEqual(readdirSync(home), []);
      assert.equal(await uploads.upload('at noon'), undefined);
    });
  });

  const PKI = [
    ...['ca.crt', 'ca.key', 'etcd/ca.crt', 'etcd/ca.key'],
    ...['front-proxy-ca.crt', 'front-proxy-ca.key', 'sa.key', 'sa.pub'],
  ];
  const files = (names: readonly string[]): readonly string[] => names.map((name) => `600 etc/kubernetes/pki/${name}`);

  it('finds what a control plane has on its disk, as far as the circumstances let it', async () => {
    await within(36, async (uploads) => {
      const { entries, admin } = await ranOf(uploads, 'no key told');
      assert.deepEqual(
        entries,
        [
          ...[
            'etc/',
            'etc/kubernetes/',
            'etc/kubernetes/pki/',
            'etc/kubernetes/pki/etcd/',
            'root/',
            'run/',
            'tmp/',
            'work/',
          ],
          ...['etc/hosts', 'etc/passwd', 'etc/resolv.conf', 'etc/kubernetes/admin.conf'].map((name) => `600 ${name}`),
          ...['600 work/kubeadm.yaml', ...files(PKI)],
        ].sort(),
      );
      assert.match(admin, /server: "?https:\/\/192\.0\.2\.20:6443"?$/m);
      const pki = async (circumstance: string): Promise<readonly string[]> =>
        (await ranOf(uploads, circumstance)).entries.filter((one) => one.includes('/pki/') && !one.endsWith('pki/'));
      const etcd = 'etc/kubernetes/pki/etcd/';
      const without = (...left: readonly string[]): readonly string[] =>
        files(PKI.filter((one) => !left.includes(one)));
      assert.deepEqual(await pki('without sa.pub'), [...without('sa.pub'), etcd].sort());
      assert.deepEqual(await pki('the key of the CA lies elsewhere'), [...without('ca.key'), etcd].sort());
      assert.deepEqual(
        await pki('etcd/ca.key is a folder'),
        [...without('etcd/ca.key'), etcd, `${etcd}ca.key/`].sort(),
      );
      const others = ['external-etcd-ca.crt', 'external-etcd.crt', 'external-etcd.key'];
      assert.deepEqual(
        await pki('an etcd of somebody else'),
        [...without('etcd/ca.crt', 'etcd/ca.key'), ...files(others)].sort(),
      );
    });
  });

  it('is told the same in the version that it reads', async () => {
    for (const minor of [30, 31, 36])
      await within(minor, async (uploads) => {
        const apiVersion = `kubeadm.k8s.io/${minor >= 31 ? 'v1beta4' : 'v1beta3'}`;
        const init = {
          apiVersion,
          kind: 'InitConfiguration',
          bootstrapTokens: [{ token: 'abcdef.0123456789abcdef' }],
          localAPIEndpoint: { advertiseAddress: '192.0.2.20', bindPort: 6443 },
          nodeRegistration: { name: 'cp-1', criSocket: 'unix:///run/containerd/containerd.sock' },
        };
        const cluster = {
          apiVersion,
          kind: 'ClusterConfiguration',
          kubernetesVersion: `v1.${minor}.0`,
          certificatesDir: '/etc/kubernetes/pki',
          controlPlaneEndpoint: '192.0.2.20:6443',
        };
        assert.deepEqual((await ranOf(uploads, 'no key told')).documents, [init, cluster]);
        const pki = '/etc/kubernetes/pki';
        assert.deepEqual((await ranOf(uploads, 'an etcd of somebody else')).documents[1], {
          ...cluster,
          etcd: {
            external: {
              endpoints: ['https://192.0.2.30:2379'],
              caFile: `${pki}/external-etcd-ca.crt`,
              certFile: `${pki}/external-etcd.crt`,
              keyFile: `${pki}/external-etcd.key`,
            },
          },
        });
        const [{ certificateKey } = {}] = (await ranOf(uploads, 'a key of 16 bytes')).documents;
        assert.match(String(certificateKey), /^[0-9a-f]{32}$/);
        const flag = (name: string, value: string) => ({
          extraArgs: minor >= 31 ? [{ name, value }] : { [name]: value },
        });
        const { description, groups } = TOLD.token;
        const { ttlSeconds: _, ...other } = TOLD.other;
        assert.deepEqual((await ranOf(uploads, 'a whole init that is told more')).documents, [
          {
            ...init,
            bootstrapTokens: [
              { token: 'abcdef.0123456789abcdef', description, groups, ttl: '7200s' },
              { ...other, ttl: '0s' },
            ],
            nodeRegistration: { ...init.nodeRegistration, taints: TOLD.taints },
          },
          {
            ...cluster,
            networking: TOLD.networking,
            clusterName: 'blue',
            imageRepository: 'registry.example/mirror',
            featureGates: { RootlessControlPlane: true },
            apiServer: { ...flag('audit-log-maxage', '7'), certSANs: TOLD.certSANs, extraVolumes: [TOLD.volume] },
            controllerManager: flag('node-monitor-period', '6s'),
            scheduler: flag('kube-api-qps', '51'),
            etcd: {
              local: {
                ...flag('quota-backend-bytes', '8589934592'),
                serverCertSANs: ['etcd.blue.example'],
                peerCertSANs: ['peer.blue.example'],
              },
            },
            ...(minor >= 31 ? { encryptionAlgorithm: 'ECDSA-P256', certificateValidityPeriod: '240h' } : {}),
          },
        ]);
      });
  });

  it('is not run where its cluster cannot be reached', async () => {
    const reason = new Error('its cell has ended');
    mock.method(Cell.prototype, 'listen', () => Promise.reject(reason));
    await within(36, async (uploads) => {
      for (const _time of [1, 2]) await assert.rejects(uploads.upload('no key told'), reason);
    });
    assert.deepEqual(seen, []);
  });

  it('speaks to the cluster at its own address', async () => {
    await within(36, async (uploads) => {
      await uploads.upload('no key told');
      const [server] = servers;
      assert.ok(server !== undefined);
      const { port } = server.address() as AddressInfo;
      const answered = await new Promise((resolve, reject) => {
        const request = get(
          { host: '127.0.0.1', port, path: '/version', agent: false, rejectUnauthorized: false },
          (response) => {
            let text = '';
            response.on('data', (chunk) => {
              text += chunk;
            });
            response.on('end', () => resolve((JSON.parse(text) as { minor: string }).minor));
          },
        );
        request.on('error', reject).end();
      });
      assert.equal(answered, '36');
    });
  });

  it('needs no cell before it is asked', async () => {
    assert.equal((await within(36, async () => {})).closed, 0);
  });
});

const lacking = await demandNamespaces().then(
  () => false as const,
  (error: Error) => error.message,
);

describe('kubeadm that hands on in its cell', { skip: lacking }, () => {
  it('is run there, and not once the run was broken off', async () => {
    const kubeadm = path.join(folder, 'kubeadm');
    writeFileSync(kubeadm, '#!/bin/sh\npwd\nhead -c 10 /work/kubeadm.yaml\necho\necho "$HOME $3"\nexit 3\n', {
      mode: 0o755,
    });
    const run = new AbortController();
    const home = path.join(folder, 'real');
    const uploads = kubeadmUploads({ folder: home, kubeadm, minor: 36, signal: run.signal });
    try {
      const [time] = (await uploads.upload('no key told'))?.times ?? [];
      assert.deepEqual(
        [time?.exit, time?.said.filter((line) => line !== '')],
        [3, ['/work', '{"apiVersi', '/root upload-certs']],
      );
      const reason = new Error('SIGINT');
      run.abort(reason);
      await assert.rejects(uploads.upload('no key told'), reason);
      assert.deepEqual(readdirSync(home), []);
    } finally {
      await uploads.close();
    }
  });
});

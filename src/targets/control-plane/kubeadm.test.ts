/** What the real kubeadm is told, by a script in its place that writes down what it was given. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConfigurationError } from '../errors.js';
import type { HttpTarget } from '../http-target.js';
import type { Switches } from '../types.js';
import { configurationOf } from './configuration.js';
import { Kubeadm } from './kubeadm.js';

let root: string;
let count = 0;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'jp-kubeadm-'));
});
after(() => rm(root, { recursive: true, force: true }));

const PORT = 16_443;
/** Writes down its arguments, its folder and the names of its environment; `then` is what it does besides. */
const script = (log: string, then: string): string => `#!/bin/sh
echo "$*" >> '${log}'
pwd > '${log}.folder'
export -p > '${log}.environment'
if [ "$3" = kubeconfig ]; then echo "server: https://192.0.2.10:${PORT}" > "$8/$4.conf"; fi
${then}
`;

interface Set {
  readonly kubeadm: Kubeadm;
  readonly folder: string;
  readonly told: () => readonly string[];
  readonly log: string;
  readonly watched: number[];
}

async function setUp(
  then = '',
  {
    minor = 36,
    signal = new AbortController().signal,
    file,
  }: { minor?: number; signal?: AbortSignal; file?: string } = {},
): Promise<Set> {
  count += 1;
  const folder = await mkdtemp(join(root, 'folder-'));
  const [log, own] = [join(root, `log-${count}`), join(root, `kubeadm-${count}`)];
  await writeFile(own, script(log, then), { mode: 0o755 });
  const watched: number[] = [];
  const kubeadm = new Kubeadm({ file: file ?? own, minor, folder, signal, watch: (pid) => watched.push(pid) });
  const told = (): readonly string[] => {
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
    return lines.map((line) => line.replaceAll(folder, 'F'));
  };
  return { kubeadm, folder, told, log, watched };
}
const mode = (file: string): number => statSync(file).mode & 0o777;
const filesOf = ({ kubeadm, folder }: Set, switches: Switches = {}, version = '1.36.1'): Promise<void> =>
  kubeadm.files(configurationOf(folder, PORT, version, {}), version, switches);
const documents = ({ folder }: Set): readonly unknown[] =>
  readFileSync(join(folder, 'kubeadm.yaml'), 'utf8')
    .split('\n---\n')
    .map((text): unknown => JSON.parse(text.replaceAll(folder, 'F')));

describe('files that kubeadm makes', () => {
  it('are those of its phases, all told the same configuration, below one folder', async () => {
    const set = await setUp();
    await filesOf(set);
    const [first, ...others] = set.told();
    assert.equal(first, 'init phase certs all --config F/kubeadm.yaml');
    assert.deepEqual(
      [...others].sort(),
      ['admin', 'controller-manager', 'super-admin'].map(
        (name) => `init phase kubeconfig ${name} --config F/kubeadm.yaml --kubeconfig-dir F`,
      ),
    );
    assert.equal(set.watched.length, 4);
    assert.equal(mode(join(set.folder, 'kubeadm.yaml')), 0o600);
    assert.equal(readFileSync(`${set.log}.folder`, 'utf8').trim(), set.folder);
    const environment = [...readFileSync(`${set.log}.environment`, 'utf8').matchAll(/^(?:export|declare -x) (\w+)=/gm)];
    const names = new Set(environment.map(([, name]) => name));
    for (const name of ['OLDPWD', 'PWD', 'SHLVL', '_']) names.delete(name);
    assert.deepEqual([...names].sort(), ['HOME', 'PATH', 'TMPDIR']);
    const home = join(set.folder, 'home');
    assert.ok(statSync(home).isDirectory());
    for (const name of ['HOME', 'TMPDIR'])
      assert.match(readFileSync(`${set.log}.environment`, 'utf8'), new RegExp(`${name}=["']?${home}["']?$`, 'm'));
  });

  it('lead to loopback where a program of this machine uses them', async () => {
    const set = await setUp();
    await filesOf(set);
    const server = (name: string): string => readFileSync(join(set.folder, `${name}.conf`), 'utf8').trim();
    assert.equal(server('controller-manager'), `server: https://127.0.0.1:${PORT}`);
    assert.equal(mode(join(set.folder, 'controller-manager.conf')) & 0o600, 0o600);
    for (const name of ['admin', 'super-admin']) assert.equal(server(name), `server: https://192.0.2.10:${PORT}`);
  });

  it('are made of a configuration in the version that this kubeadm reads', async () => {
    for (const [minor, version] of [
      [29, 'v1beta3'],
      [30, 'v1beta3'],
      [31, 'v1beta4'],
      [36, 'v1beta4'],
    ] as const) {
      const set = await setUp('', { minor });
      await filesOf(set, {}, '1.33.2');
      assert.deepEqual(documents(set), [
        {
          apiVersion: `kubeadm.k8s.io/${version}`,
          kind: 'InitConfiguration',
          localAPIEndpoint: { advertiseAddress: '192.0.2.10', bindPort: PORT },
          nodeRegistration: {
            name: 'joinproof-control-plane',
            criSocket: 'unix:///run/containerd/containerd.sock',
            ignorePreflightErrors: ['all'],
          },
        },
        {
          apiVersion: `kubeadm.k8s.io/${version}`,
          kind: 'ClusterConfiguration',
          kubernetesVersion: 'v1.33.2',
          certificatesDir: 'F/pki',
          controlPlaneEndpoint: `127.0.0.1:${PORT}`,
          apiServer: { certSANs: ['127.0.0.1', 'localhost'] },
        },
      ]);
    }
  });

  it('have the tokens that the switches say', async () => {
    const tokens = [{ token: 'abcdef.0123456789abcdef', ttlSeconds: 60 }, { ttlSeconds: 0 }, {}];
    const told = [{ token: 'abcdef.0123456789abcdef', ttl: '60s' }, { ttl: '0s' }, {}];
    for (const [given, expected] of [
      [tokens, told],
      [[], []],
      [undefined, undefined],
    ] as const) {
      const set = await setUp();
      await filesOf(set, given === undefined ? {} : ({ tokens: given } as Switches));
      assert.deepEqual((documents(set)[0] as { bootstrapTokens?: unknown }).bootstrapTokens, expected);
    }
  });

  it('are not made after a phase that fails', async () => {
    const set = await setUp('exit 3');
    await assert.rejects(filesOf(set), /init phase certs all failed \(3\)/);
    assert.equal(set.told().length, 1);
  });
});

/** An administrator who writes down what he is asked to do in the log of the script, in the same order. */
const adminOf = ({ log }: Set): HttpTarget => {
  const note = (line: string) => writeFile(log, `${line}\n`, { flag: 'a' });
  const admin = {
    create: ({ resource }: { resource: string }, object: unknown) =>
      note(`create ${resource} ${JSON.stringify(object)}`),
    delete: ({ resource }: { resource: string }, name: string) => note(`delete ${resource} ${name}`),
  };
  return { admin } as unknown as HttpTarget;
};
const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'cp', labels: { 'kubernetes.io/hostname': 'cp' } },
};
const PHASE = '--config F/kubeadm.yaml';
const ADMIN = '--kubeconfig F/admin.conf';
const CONFIGURED = `init phase upload-config all ${PHASE} ${ADMIN}`;
const OTHERS = [
  `init phase addon all ${PHASE} ${ADMIN}`,
  `init phase bootstrap-token ${PHASE} ${ADMIN}`,
  `init phase upload-certs ${PHASE} --upload-certs ${ADMIN}`,
];

describe('objects that kubeadm makes', () => {
  const made = async (set: Set): Promise<readonly string[]> => {
    await set.kubeadm.objects(adminOf(set), 'cp');
    return set.told();
  };

  it('are made as the administrator, the configuration first', async () => {
    const [first, ...others] = await made(await setUp());
    assert.equal(first, CONFIGURED);
    assert.deepEqual([...others].sort(), OTHERS);
  });

  it('are annotated on a Node that is there for that long, up to 1.35', async () => {
    for (const minor of [30, 35]) {
      const lines = await made(await setUp('', { minor }));
      const around = [`create nodes ${JSON.stringify(NODE)}`, CONFIGURED, 'delete nodes cp'];
      assert.deepEqual(lines.slice(0, 3), around);
      assert.deepEqual([...lines.slice(3)].sort(), OTHERS);
    }
  });

  it('leave no Node where the phase fails', async () => {
    const set = await setUp('exit 1', { minor: 35 });
    await assert.rejects(made(set), /init phase upload-config all failed \(1\)/);
    assert.deepEqual(set.told().slice(1), [CONFIGURED, 'delete nodes cp']);
  });

  it('are incomplete where any phase fails', async () => {
    for (const phase of ['upload-certs', 'bootstrap-token', 'addon'])
      await assert.rejects(
        made(await setUp(`[ "$3" != ${phase} ]`)),
        new RegExp(`phase ${phase}(?: all)? failed \\(1\\)`),
      );
  });

  it('of the tokens are made once more alone', async () => {
    const set = await setUp();
    await set.kubeadm.repeatBootstrapToken();
    assert.deepEqual(set.told(), [`init phase bootstrap-token ${PHASE} ${ADMIN}`]);
  });
});

describe('a phase that fails', () => {
  const failure = async (then: string, file?: string): Promise<string> => {
    const { kubeadm } = await setUp(then, file === undefined ? {} : { file });
    const error = await kubeadm.repeatBootstrapToken().then(
      () => assert.fail('it ends well'),
      (thrown: Error) => thrown,
    );
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message.replace(/^kubeadm init phase bootstrap-token /, '');
  };

  it('is told by how it ended', async () => {
    assert.equal(await failure('exit 7'), 'failed (7): it said nothing');
    assert.equal(await failure('kill -TERM $$'), 'failed (SIGTERM): it said nothing');
    assert.equal(await failure('', join(root, 'none')), 'failed (ENOENT): it said nothing');
    assert.match(await failure(`head -c 5000000 /dev/zero | tr '\\0' '\\n'; exec sleep 60`), /^said too much: /);
  });

  it('is told by what it complained of, without its advice', async () => {
    const say = (...lines: readonly string[]): string =>
      `${lines.map((line) => `echo '${line}' >&2`).join('\n')}\nexit 1`;
    for (const [lines, words] of [
      [['[init] hello', '  error: no way  ', 'see --help'], 'error: no way'],
      [['Error execution phase', 'advice'], 'Error execution phase'],
      [['\t[ERROR Port]: in use', 'advice'], '[ERROR Port]: in use'],
      [['it failed to ask', 'advice'], 'it failed to ask'],
      [['E0102 03:04:05 a.go:1] lost', 'E01 no', 'advice'], 'E0102 03:04:05 a.go:1] lost'],
      [['no error here', 'nor there', ''], 'no error here | nor there'],
      [['a', '', 'b', 'c', 'd', ''], 'b | c | d'],
      [['error: a', 'error: b', 'x', 'error: c', 'error: d'], 'error: b | error: c | error: d'],
      [['b'.repeat(700)], 'b'.repeat(600)],
    ] as const)
      assert.equal(await failure(say(...lines)), `failed (1): ${words}`);
    assert.equal(await failure('echo out; echo err >&2; exit 1'), 'failed (1): out | err');
  });

  it('that was broken off is told by the reason for that', async () => {
    const reason = new Error('SIGINT');
    const run = new AbortController();
    const set = await setUp('exec sleep 60', { signal: run.signal });
    const phase = set.kubeadm.repeatBootstrapToken();
    run.abort(reason);
    await assert.rejects(phase, reason);
    await assert.rejects(set.kubeadm.repeatBootstrapToken(), reason);
  });
});

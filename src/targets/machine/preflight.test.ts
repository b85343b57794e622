import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigurationError } from '../errors.js';
import { type PreflightReport, preflightMachine } from './preflight.js';

const home = mkdtempSync(path.join(tmpdir(), 'joinproof-preflight-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;
/** A folder with these files that stands for a machine's "/". */
function machine(files: Readonly<Record<string, string>> = {}): string {
  count += 1;
  const root = path.join(home, String(count));
  mkdirSync(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}
const PROGRAMS = [
  'losetup',
  'mount',
  'cp',
  'conntrack',
  'ip',
  'iptables',
  'nsenter',
  'ethtool',
  'tc',
  'touch',
  'crictl',
];
const programs = Object.fromEntries(PROGRAMS.map((name) => [`usr/bin/${name}`, '']));
const documents = (...all: readonly object[]): string => {
  count += 1;
  const file = path.join(home, `${count}.yaml`);
  writeFileSync(
    file,
    all.map((one) => JSON.stringify({ apiVersion: 'kubeadm.k8s.io/v1beta4', ...one })).join('\n---\n'),
  );
  return file;
};
type Task = Partial<Parameters<typeof preflightMachine>[0]>;
const looked = (task: Task): Promise<PreflightReport> =>
  preflightMachine({ phase: 'init', ignoredChecks: [], warn: () => {}, ...task });
const of = ({ findings }: PreflightReport, check: string) => findings.find((one) => one.check === check);
const levels = ({ findings }: PreflightReport, level: string): readonly string[] =>
  findings.filter((one) => one.level === level).map(({ check }) => check);
const MANIFEST = 'FileAvailable--etc-kubernetes-manifests-etcd.yaml';

describe('a machine that is a folder', () => {
  it('is told of by what was found, with what helps, and does not pass with an error', async () => {
    const root = machine({ ...programs, 'etc/kubernetes/manifests/etcd.yaml': '' });
    const report = await looked({ root });
    assert.deepEqual([report.phase, report.host, report.kubeadm, report.passed], ['init', root, '1.36', false]);
    const message = '/etc/kubernetes/manifests/etcd.yaml already exists';
    assert.deepEqual(of(report, MANIFEST), {
      check: MANIFEST,
      level: 'error',
      message,
      repair: 'Run kubeadm reset where an older cluster has left it, or move it away.',
      line: `[ERROR ${MANIFEST}]: ${message}`,
    });
    const unknown = 'a folder does not tell how many processors the machine has';
    assert.deepEqual(of(report, 'NumCPU'), {
      check: 'NumCPU',
      level: 'unknown',
      message: unknown,
      line: `[UNKNOWN NumCPU]: ${unknown}`,
    });
    assert.deepEqual(levels(report, 'error'), [MANIFEST]);
  });

  it('passes where nothing is wrong, or what is wrong is ignored', async () => {
    assert.equal((await looked({ root: machine(programs) })).passed, true);
    const files = { ...programs, 'etc/kubernetes/manifests/etcd.yaml': '' };
    const ignored = await looked({ root: machine(files), ignoredChecks: [MANIFEST] });
    assert.deepEqual([ignored.passed, of(ignored, MANIFEST)?.level], [true, 'warning']);
    const configurationFile = documents({
      kind: 'InitConfiguration',
      nodeRegistration: { ignorePreflightErrors: [MANIFEST] },
    });
    const configured = await looked({ root: machine(files), configurationFile });
    assert.deepEqual([configured.passed, of(configured, MANIFEST)?.level], [true, 'warning']);
  });

  it('is named as its file of that says, in lower case, or else as any node', async () => {
    const name = async (files: Readonly<Record<string, string>>): Promise<string | undefined> =>
      / knows (\S+), which/.exec(of(await looked({ root: machine(files) }), 'Hostname')?.message ?? '')?.[1];
    assert.equal(await name({ 'etc/hostname': ' CP-1.example\n' }), 'cp-1.example');
    for (const files of [{}, { 'etc/hostname': ' \n' }, { 'etc/hostname/folder': '' }])
      assert.equal(await name(files), 'node');
    assert.equal(await name({ 'etc/hostname': 'cp-1\n', 'etc/hosts': '192.0.2.1 cp-1\n' }), undefined);
  });

  it('is looked at by a kubeadm of the release that is told', async () => {
    const root = machine(programs);
    assert.equal((await looked({ root, kubernetesVersion: '1.34' })).kubeadm, '1.34');
    const configurationFile = documents({ kind: 'ClusterConfiguration', kubernetesVersion: 'v1.35.0' });
    assert.equal((await looked({ root, configurationFile })).kubeadm, '1.35');
    await assert.rejects(looked({ root, kubernetesVersion: 'x' }), /^ConfigurationError: --kubernetes-version: /);
  });

  it('may be about to join', async () => {
    const report = await looked({ phase: 'join', root: machine(programs), endpoint: '192.0.2.1:6443' });
    assert.deepEqual([report.phase, report.passed], ['join', true]);
    assert.equal(of(report, 'Port-6443'), undefined);
    assert.notEqual(of(report, 'Port-10250'), undefined);
  });
});

describe('what kubeadm would refuse', () => {
  const WHY = 'kubeadm would refuse what it is told before it looks at the machine: ';
  it('is said in its words', async () => {
    const root = machine(programs);
    const join = documents({ kind: 'JoinConfiguration', discovery: {} });
    const old = documents({ kind: 'ClusterConfiguration', kubernetesVersion: 'v1.33.0' });
    const named = documents({ kind: 'InitConfiguration', nodeRegistration: { name: 'Bad_Name' } });
    for (const [task, words] of [
      [{ phase: 'join', configurationFile: join }, /bootstrapToken or file must be set/],
      [{ configurationFile: old, kubernetesVersion: '1.36' }, /control plane version >= 1\.35\.0/],
      [{ configurationFile: named }, /bad_name|Bad_Name/],
    ] as const)
      await assert.rejects(looked({ root, ...task }), (error: Error) => {
        assert.ok(error instanceof ConfigurationError);
        assert.ok(error.message.startsWith(WHY), error.message);
        assert.match(error.message, words);
        return true;
      });
  });

  it('is not what cannot be read, or is no folder', async () => {
    const configurationFile = path.join(home, 'none.yaml');
    await assert.rejects(
      looked({ root: machine(), configurationFile }),
      new ConfigurationError(`--config ${configurationFile} cannot be read (ENOENT). Give a YAML file.`),
    );
    for (const root of [path.join(home, 'none'), path.join(machine({ file: '' }), 'file')])
      await assert.rejects(
        looked({ root }),
        new ConfigurationError(`--root ${root} is no folder. Give a folder that is there, which stands for "/".`),
      );
  });
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./joinproof.js', import.meta.url));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly said: string;
}

const run = (...args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, 'preflight', ...args], (error, out, said) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, said }),
    );
  });

let root = '';
const put = (file: string, text = ''): string => {
  const place = path.join(root, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text, { mode: 0o755 });
  return place;
};
before(() => {
  root = mkdtempSync(path.join(tmpdir(), 'joinproof-preflight-'));
  for (const name of ['mount', 'losetup', 'cp', 'systemctl']) put(`usr/bin/${name}`);
  put('etc/hostname', 'cp-1\n');
});
after(() => rmSync(root, { recursive: true, force: true }));

describe('joinproof preflight of a folder', () => {
  it('ends with 3 where nothing is wrong: much could not be found out', async () => {
    const { code, out, said } = await run('init', '--root', root, '--out', 'json=-');
    assert.equal(said, '');
    assert.equal(code, 3);
    const { passed, host, findings } = JSON.parse(out);
    assert.deepEqual([passed, host], [true, root]);
    assert.ok(
      findings.some(
        ({ check, level }: { check: string; level: string }) => check === 'Port-6443' && level === 'unknown',
      ),
    );
  });

  it('calls a machine by its name in lower case, as kubeadm does: names of Nodes have no capitals', async () => {
    const hostname = put('etc/hostname', ' CP-1\n');
    try {
      const { code, said } = await run('init', '--root', root, '--out', 'json=-');
      assert.deepEqual([code, said], [3, '']);
    } finally {
      writeFileSync(hostname, 'cp-1\n');
    }
  });

  it('ends with 1 where kubeadm would stop, and says what to do', async () => {
    const manifest = put('etc/kubernetes/manifests/etcd.yaml', 'x');
    try {
      const { code, out } = await run('--root', root);
      assert.equal(code, 1);
      assert.match(
        out,
        /\[ERROR FileAvailable--etc-kubernetes-manifests-etcd\.yaml\]: .* already exists\n +Run kubeadm reset/,
      );
      assert.match(out, /1 error, .*: kubeadm init would stop\.\n$/);
      const ignored = await run('--root', root, '--ignore-preflight-errors', 'all');
      assert.equal(ignored.code, 3);
    } finally {
      rmSync(manifest);
    }
  });

  it('writes no secret, and no text without end', async () => {
    const signed = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzIn0.c2lnbmF0dXJlc2lnbmF0dXJl';
    const hostOf = async (folder: string): Promise<string> => {
      const place = path.join(root, folder);
      mkdirSync(place, { recursive: true });
      return JSON.parse((await run('init', '--root', place, '--out', 'json=-')).out).host;
    };
    assert.match(await hostOf(signed), /\[redacted\]$/);
    assert.match(
      await hostOf(path.join(...Array.from({ length: 11 }, () => 'x'.repeat(200)))),
      /… \(cut, \d+ characters\)$/,
    );
  });

  it('warns of what kubeadm does not know in a configuration, beside its report', async () => {
    const kind = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n';
    const { code, said } = await run('init', '--root', root, '--config', put('odd.yaml', `${kind}toys: many\n`));
    assert.equal(code, 3);
    assert.match(said, /^joinproof: warning: .* unknown field "toys"\n$/);
  });

  it('takes what kubeadm join takes, and writes a report', async () => {
    const config = put(
      'join.yaml',
      'apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery:\n  bootstrapToken:\n' +
        '    apiServerEndpoint: 10.0.0.1:6443\n    token: abcdef.0123456789abcdef\n    unsafeSkipCAVerification: true\n' +
        'nodeRegistration:\n  ignorePreflightErrors: [FileAvailable--etc-kubernetes-kubelet.conf]\n',
    );
    put('etc/kubernetes/kubelet.conf', 'x');
    const file = path.join(root, 'preflight.json');
    const { code } = await run('join', '--root', root, '--config', config, '--out', `json=${file}`);
    assert.equal(code, 3);
    const { findings, kubeadm } = JSON.parse(readFileSync(file, 'utf8'));
    assert.match(kubeadm, /^1\.\d+$/);
    assert.deepEqual(
      findings.find(({ level }: { level: string }) => level === 'warning'),
      {
        check: 'FileAvailable--etc-kubernetes-kubelet.conf',
        level: 'warning',
        message: '/etc/kubernetes/kubelet.conf already exists',
        repair: 'Run kubeadm reset where the machine has joined a cluster before, or move the file away.',
        line: '[WARNING FileAvailable--etc-kubernetes-kubelet.conf]: /etc/kubernetes/kubelet.conf already exists',
      },
    );
  });
});

describe('joinproof preflight refuses', () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a phase that there is not', ['upgrade'], /Allowed choices are init, join/],
    ['an endpoint of init', ['init', '10.0.0.1:6443'], /Give it with join, and without --config/],
    ['an endpoint that is none', ['join', '10.0.0.1'], /is no host:port/],
    ['a release that is not known', ['--kubernetes-version', '1.99'], /--kubernetes-version: "1\.99"/],
    ['another format', ['--out', 'junit=x.xml'], /--out json=/],
    ['another format beside json', ['--out', 'json=x.json', '--out', 'junit=x.xml'], /not written as junit/],
    ['names beside all', ['--root', '.', '--ignore-preflight-errors', 'all,Swap'], /don't specify individual checks/],
    ['a folder that is not there', ['--root', '/no/such'], /is no folder/],
    ['a configuration that is not there', ['--config', '/no/such'], /cannot be read/],
  ];
  for (const [what, args, expected] of cases)
    it(what, async () => {
      const { code, said } = await run(...args);
      assert.equal(code, 2);
      assert.match(said, expected);
    });

  for (const [what, text] of [
    ['rubbish', '{ : ['],
    ['another kind', 'apiVersion: v1\nkind: Pod\n'],
    [
      'a name that is none',
      'apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\nnodeRegistration:\n  name: Bad_Name\n',
    ],
  ] as const)
    it(`a configuration: ${what}`, async () => {
      const { code, said } = await run('--config', put('rubbish.yaml', text), '--root', root);
      assert.equal(code, 2);
      assert.match(said, /joinproof: kubeadm would refuse what it is told before it looks at the machine: ./);
    });
});

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Reference, startReference } from '../reference/index.js';
import { joinMachine } from '../targets/machine/join.js';

const TOKEN = 'abcdef.0123456789abcdef';
const BINDINGS = { group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' };
const CLI = new URL('./joinproof.js', import.meta.url).pathname;

describe('joinproof join', () => {
  let reference: Reference;
  let folder: string;
  let root: string;
  const told: string[] = [];
  before(async () => {
    reference = await startReference({ tokens: [{ token: TOKEN }] });
    folder = mkdtempSync(join(tmpdir(), 'joinproof-join-'));
  });
  after(async () => {
    await reference.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    root = mkdtempSync(join(folder, 'root-'));
    told.length = 0;
  });
  const play = (flags: object, more: object = {}): Promise<string | undefined> =>
    joinMachine({
      root,
      flags: {
        endpoint: reference.url.replace('https://', ''),
        token: TOKEN,
        caCertHashes: [reference.caCertHash],
        nodeName: 'worker-9',
        ...flags,
      },
      ignoredChecks: [],
      userAgent: 'joinproof/test',
      signal: AbortSignal.timeout(60_000),
      tell: (line) => told.push(line),
      ...more,
    });
  const files = (): readonly string[] =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
      .sort();
  const text = (path: string): string => readFileSync(join(root, path), 'utf8');

  it('joins over real TLS, and leaves no token behind', async () => {
    assert.equal(await play({}), undefined);
    assert.deepEqual(
      files().map((name) => name.replace(/\d{4}(-\d\d){5}/, 'DATE')),
      [
        '/etc/kubernetes/kubelet.conf',
        '/etc/kubernetes/pki/ca.crt',
        '/var/lib/kubelet/config.yaml',
        '/var/lib/kubelet/instance-config.yaml',
        '/var/lib/kubelet/kubeadm-flags.env',
        '/var/lib/kubelet/pki/kubelet-client-DATE.pem',
      ],
    );
    for (const name of files()) assert.ok(!text(name).includes(TOKEN), name);
    assert.equal(statSync(join(root, 'etc/kubernetes/kubelet.conf')).mode & 0o777, 0o600);
    assert.match(text('/var/lib/kubelet/pki/kubelet-client-current.pem'), /BEGIN CERTIFICATE[\s\S]*PRIVATE KEY/);
  });
  it('joins as a file says, under the name that is told beside it', async () => {
    const discovery = {
      bootstrapToken: {
        token: TOKEN,
        apiServerEndpoint: reference.url.replace('https://', ''),
        caCertHashes: [reference.caCertHash],
      },
    };
    const document = { apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'JoinConfiguration', discovery };
    const configurationFile = join(folder, 'join.json');
    const nodeRegistration = { name: 'in-the-file', criSocket: 'unix:///run/a.sock' };
    writeFileSync(configurationFile, JSON.stringify({ ...document, nodeRegistration }));
    for (const [flags, name] of [
      [{}, 'in-the-file'],
      [{ nodeName: 'beside-it' }, 'beside-it'],
    ] as const) {
      root = mkdtempSync(join(folder, 'root-'));
      assert.equal(await play({}, { configurationFile, flags }), undefined);
      const pair = new X509Certificate(text('/var/lib/kubelet/pki/kubelet-client-current.pem'));
      assert.match(pair.subject, new RegExp(`CN=system:node:${name}$`));
      assert.match(text('/var/lib/kubelet/instance-config.yaml'), /unix:\/\/\/run\/a\.sock/);
    }
  });
  it('downloads what control planes share', async () => {
    const certificateKey = reference.certificateKey ?? '';
    const why = await play({ controlPlane: true, certificateKey, advertiseAddress: '192.0.2.20', nodeName: 'cp-2' });
    assert.equal(why, undefined);
    assert.equal(text('/etc/kubernetes/pki/ca.crt'), reference.caPem);
    assert.equal(statSync(join(root, 'etc/kubernetes/pki/etcd/ca.key')).mode & 0o777, 0o600);
    assert.match(text('/etc/kubernetes/kubelet.conf'), /server: https:\/\/192\.0\.2\.20:6443/);
  });
  it('says in a sentence why not, and writes nothing', async () => {
    assert.match((await play({ caCertHashes: [`sha256:${'a'.repeat(64)}`] })) ?? '', /none of the public keys/);
    assert.match((await play({ token: 'abcdef.fedcba9876543210' })) ?? '', /failed to verify JWS signature/);
    const wrongKey = { controlPlane: true, certificateKey: 'ab'.repeat(32), advertiseAddress: '192.0.2.20' };
    assert.match((await play(wrongKey)) ?? '', /message authentication failed/);
    assert.deepEqual(files(), []);
  });
  it('says why it asks again, once for each reason, and the token in none of them', async (t) => {
    /** Until that many lines have told why. */
    const until = async (count: number, flags: object): Promise<readonly string[]> => {
      const stop = new AbortController();
      const why: string[] = [];
      const tell = (line: string): void => {
        if (!line.includes('Will ask again')) return;
        why.push(line);
        if (why.length === count) stop.abort(new Error('seen'));
      };
      root = mkdtempSync(join(folder, 'root-'));
      await assert.rejects(play(flags, { signal: stop.signal, tell }), /seen/);
      return why;
    };
    const [unsigned = ''] = await until(1, { token: 'zzzzzz.0123456789abcdef' });
    assert.match(unsigned, /^\[discovery\] Will ask again: could not find a JWS signature .* for token ID "zzzzzz"$/);
    const [absent = ''] = await until(1, { endpoint: '127.0.0.1:1' });
    assert.match(absent, /^\[discovery\] Will ask again: failed to request .*: connect: connection refused$/);
    const lax = await startReference({ tokens: [{ token: TOKEN }], keyAlgorithm: 'ECDSA-P256' });
    t.after(() => lax.close());
    const there = { endpoint: lax.url.replace('https://', ''), caCertHashes: [lax.caCertHash] };
    const admin = lax.as({ username: 'kubernetes-admin', groups: ['system:masters'] });
    admin.delete(BINDINGS, undefined, 'kubeadm:node-autoapprove-bootstrap');
    const [alone = ''] = await until(1, { ...there, nodeName: 'worker-8' });
    assert.match(alone, /^\[kubelet-start\] Will ask again: the request csr-\w{5} waits for its approval$/);
    admin.delete(BINDINGS, undefined, 'kubeadm:kubelet-bootstrap');
    const [refused = ''] = await until(1, { ...there, nodeName: 'worker-7' });
    assert.match(
      refused,
      /^\[kubelet-start\] Will ask again: cannot create .*: certificatesigningrequests\S* is forbidden/,
    );
  });
  it('follows no link out of its folder', async () => {
    const outside = mkdtempSync(join(folder, 'outside-'));
    symlinkSync(outside, join(root, 'etc'));
    await assert.rejects(play({}), /is no folder, or a link to one, which is not followed/);
    rmSync(join(root, 'etc'));
    mkdirSync(join(root, 'etc/kubernetes/pki'), { recursive: true });
    writeFileSync(join(outside, 'victim'), 'as it was');
    symlinkSync(join(outside, 'victim'), join(root, 'etc/kubernetes/bootstrap-kubelet.conf'));
    await play({}, { ignoredChecks: ['all'] });
    assert.equal(readFileSync(join(outside, 'victim'), 'utf8'), 'as it was');
    assert.deepEqual(readdirSync(outside), ['victim']);
  });
  it('asks nobody where files are in the way', async () => {
    mkdirSync(join(root, 'etc/kubernetes'), { recursive: true });
    writeFileSync(join(root, 'etc/kubernetes/kubelet.conf'), '');
    assert.match((await play({})) ?? '', /ERROR FileAvailable--etc-kubernetes-kubelet\.conf/);
    assert.deepEqual(told, []);
  });

  it('ends at a signal, and leaves nothing', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { readonly port: number };
    const pin = `sha256:${'a'.repeat(64)}`;
    const args = [CLI, 'join', `127.0.0.1:${port}`, '--root', root, '--token', TOKEN];
    const child = spawn(process.execPath, [...args, '--discovery-token-ca-cert-hash', pin]);
    silent.once('connection', (socket) => {
      socket.on('error', () => {}).resume();
      child.kill('SIGINT');
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    await new Promise((resolve) => silent.close(resolve));
    assert.equal(code, 3);
    assert.deepEqual(files(), []);
  });

  it('ends with codes: 1 not joined, 2 wrong usage, 3 the time was over', () => {
    const ended = (...args: readonly string[]): readonly [number | null, string] => {
      const { status, stderr } = spawnSync(process.execPath, [CLI, 'join', '--root', root, ...args], {
        encoding: 'utf8',
      });
      assert.ok(!stderr.includes(TOKEN), stderr);
      return [status, stderr.split('\n')[0] ?? ''];
    };
    const token = ['--token', TOKEN, '--discovery-token-ca-cert-hash', reference.caCertHash];
    assert.equal(ended()[0], 1);
    assert.equal(ended('--config', join(folder, 'none.yaml'))[0], 2);
    assert.equal(ended('--config', 'x.yaml', '127.0.0.1:1')[0], 2);
    assert.equal(ended('127.0.0.1:1', ...token, '--timeout', '1')[0], 3);
    assert.deepEqual(files(), []);
  });
});

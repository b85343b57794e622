/** Whatever a server sends, a run does not fill the memory. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { resourceOfKind } from '../kubernetes/resources.js';
import { serve } from '../targets/local-server.testing.js';

const cli = fileURLToPath(new URL('./joinproof.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-memory-'));
after(() => rmSync(folder, { recursive: true }));

/** MB of a process; and for how long it is attacked. */
const MOST = 400;
const SECONDS = 5;
const MB = 1_000_000;
const JSON_TYPE = { 'content-type': 'application/json' };

type Attack = (response: ServerResponse, kind: string, n: number) => void;

const whole =
  (body: () => string | Buffer, code = 200, headers: Record<string, string> = {}): Attack =>
  (response) =>
    void response.writeHead(code, { ...JSON_TYPE, ...headers }).end(body());

/** Never ends: as much as the other side takes. */
const endless =
  (begin: (kind: string) => string, more: (n: number) => string): Attack =>
  (response, kind) => {
    response.writeHead(200, JSON_TYPE).write(begin(kind));
    let n = 0;
    const write = (): void => {
      while (!response.destroyed && response.write(more(n))) n += 1;
      n += 1;
      response.once('drain', write);
    };
    write();
  };

/** An object of some kilobytes or a megabyte, of whatever kind: a token, a request, a ConfigMap. */
function object(n: number, size: number): object {
  const id = String(n % MB).padStart(6, '0');
  const long = 'x'.repeat(size);
  const data = { 'token-id': Buffer.from(id).toString('base64'), 'token-secret': `${id}AAAAAAAA`, long };
  const spec = { request: long, signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['client auth'] };
  const metadata = { name: `bootstrap-token-${id}`, namespace: 'kube-system', uid: String(n) };
  return { metadata, type: 'bootstrap.kubernetes.io/token', data, spec };
}

const beginning = (kind: string): string => `{"kind":"${kind}List","apiVersion":"v1","metadata":{},"items":[`;
const keys = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":""`).join()}}`;

const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  'lists without end': [
    (response, kind, n) => {
      const items = Array.from({ length: 500 }, (_, item) => object(n * 500 + item, 2_000));
      const page = { kind: `${kind}List`, apiVersion: 'v1', metadata: { continue: `c${n}` }, items };
      response.writeHead(200, JSON_TYPE).end(JSON.stringify(page));
    },
    endless(beginning, (n) => `${JSON.stringify(object(n, 3_000))},`),
    endless(beginning, (n) => `${JSON.stringify(object(n, MB))},`),
    endless(
      (kind) => `${beginning(kind)}{"metadata":{"name":"`,
      () => 'x'.repeat(65_536),
    ),
    endless(beginning, (n) => `{"metadata":{"name":"${n}"},"many":[${'{},'.repeat(4 * MB)}{}]},`),
  ],
  'bodies that hold more than they should': [
    whole(() => gzipSync(Buffer.alloc(100 * MB)), 200, { 'content-encoding': 'gzip' }),
    whole(() => `${'{"a":'.repeat(1.3 * MB)}1${'}'.repeat(1.3 * MB)}`),
    whole(() => `{"kind":"ConfigMap","metadata":{"name":"cluster-info"},"data":${keys(400_000)}}`),
    whole(() => `{"kind":"ConfigMap","metadata":{"name":"a"},"many":[${'{},'.repeat(450_000)}{}]}`),
    endless(
      () => '',
      () => '{"a":['.repeat(10_000),
    ),
    whole(() => '\u00e4'.repeat(4 * MB), 200, { 'content-type': 'text/plain' }),
  ],
  'sayings without end': [
    whole(
      () => JSON.stringify({ kind: 'Status', status: 'Failure', code: 403, message: 'User "a" '.repeat(110_000) }),
      403,
    ),
    whole(() => JSON.stringify({ kind: 'Status', status: 'Failure', code: 200, message: '\u001b]0;'.repeat(200_000) })),
    endless(
      () => '',
      () => JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Pod', metadata: { name: 'x'.repeat(60_000) } } }),
    ),
    (response) => {
      const { socket } = response;
      socket?.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n');
      const write = (): void => {
        while (socket?.destroyed === false && socket.write(`x-a: ${'x'.repeat(60_000)}\r\n`));
        socket?.once('drain', write);
      };
      write();
    },
  ],
};

/** What a run asks before it judges, answered as a sound cluster does. */
function sound({ pathname, search }: URL): readonly [number, object] | undefined {
  if (pathname === '/version') return [200, { major: '1', minor: '36', gitVersion: 'v1.36.0' }];
  if (pathname.endsWith('/selfsubjectaccessreviews'))
    return [200, { kind: 'SelfSubjectAccessReview', status: { allowed: true } }];
  if (search === '?limit=1') return [403, { kind: 'Status', message: 'User "system:anonymous" cannot list' }];
  if (pathname.includes('/leases/')) return [200, { kind: 'Lease', spec: { renewTime: new Date().toISOString() } }];
  if (!pathname.endsWith('/kubeadm-config')) return undefined;
  return [200, { kind: 'ConfigMap', metadata: { name: 'kubeadm-config' } }];
}

const kindAt = ({ pathname }: URL): string => {
  const resource = pathname.split('/').at(-1) ?? '';
  const kinds = ['Secret', 'ConfigMap', 'CertificateSigningRequest', 'Node', 'Event', 'Pod', 'ClusterRole', 'Role'];
  return kinds.find((kind) => resourceOfKind(kind)?.resource === resource) ?? 'ConfigMap';
};

for (const [name, attacks] of Object.entries(ATTACKS))
  test(`${name} do not fill the memory`, async () => {
    let met = 0;
    let attacked = (): void => undefined;
    const underAttack = new Promise<void>((resolve) => {
      attacked = resolve;
    });
    const server = await serve((request: IncomingMessage, response: ServerResponse) => {
      request.resume();
      response.on('error', () => undefined);
      request.socket.on('error', () => undefined);
      const url = new URL(request.url ?? '/', 'https://x');
      const [code, body] = sound(url) ?? [];
      if (code !== undefined) response.writeHead(code, JSON_TYPE).end(JSON.stringify(body));
      else {
        met += 1;
        attacked();
        attacks[met % attacks.length]?.(response, kindAt(url), met);
      }
    });
    const kubeconfig = path.join(folder, 'kubeconfig');
    const authority = Buffer.from(server.ca.certificate.pem).toString('base64');
    const cluster = { server: server.url, 'certificate-authority-data': authority };
    const contexts = [{ name: 'a', context: { cluster: 'a', user: 'a' } }];
    const users = [{ name: 'a', user: { token: 't' } }];
    const config = { clusters: [{ name: 'a', cluster }], contexts, users, 'current-context': 'a' };
    writeFileSync(kubeconfig, JSON.stringify(config));
    const tells = "process.on('exit', () => process.stderr.write('\\n' + process.resourceUsage().maxRSS + ' kB'))";
    const only = `import { isMainThread } from 'node:worker_threads'; if (isMainThread) ${tells}`;
    const preload = ['--import', `data:text/javascript,${encodeURIComponent(only)}`];
    const args = [cli, 'run', '--kubeconfig', kubeconfig, '--out', 'json=report.json'];
    const child = spawn(process.execPath, [...preload, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    // however long it takes to begin, it is under attack for some seconds
    await Promise.race([underAttack, ended]);
    const timer = setTimeout(() => child.kill('SIGTERM'), SECONDS * 1000);
    const code = await ended;
    clearTimeout(timer);
    await server.close();
    assert.ok(code === 3 || code === 1, `${code}: ${said}`);
    assert.ok(met > 0, `${met} attacks`);
    const megabytes = Number(/\n(\d+) kB$/.exec(said)?.[1]) / 1024;
    assert.ok(megabytes < MOST, `${megabytes} MB`);
  });

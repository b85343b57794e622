/** Whatever a server sends, a run does not fill the memory. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { resourceOfKind } from '../kubernetes/resources.js';
import { serve } from '../targets/local-server.testing.js';

const cli = fileURLToPath(new URL('./joinproof.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-memory-'));
after(() => rmSync(folder, { recursive: true }));

/** MB of a process. */
const MOST = 400;
const MB = 1_000_000;
/** Bytes that one attack sends at most: far more than fits beside the rest, were they all held. */
const SENT = 320 * MB;
/** Times that each is met at least. */
const TIMES = 4;
const JSON_TYPE = { 'content-type': 'application/json' };

/** What one answer consists of; it is sent as far as the other side takes it. */
interface Attack {
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The headers have no end. */
  readonly isHead?: true;
  parts(kind: string, n: number): Iterable<string | Buffer>;
}

const whole = (body: () => string | Buffer, more: Partial<Attack> = {}): Attack => ({ ...more, parts: () => [body()] });
const endless = (begin: (kind: string) => string, more: (n: number) => string): Attack => ({
  *parts(kind) {
    yield begin(kind);
    for (let n = 0; ; n += 1) yield more(n);
  },
});

/** An object of some kilobytes or a megabyte, which is of whatever kind: a token, a request, a binding, a Node. */
function object(n: number, size: number): object {
  const id = String(n % MB).padStart(6, '0');
  const long = 'x'.repeat(size);
  return {
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system', uid: String(n), annotations: { long } },
    type: 'bootstrap.kubernetes.io/token',
    data: { 'token-id': Buffer.from(id).toString('base64'), 'token-secret': `${id}AAAAAAAA`, long },
    spec: { request: long, signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['client auth'] },
    status: { certificate: long, addresses: [{ type: 'Hostname', address: long }] },
    rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', long] }],
    roleRef: { kind: 'ClusterRole', name: `bootstrap-token-${id}` },
    subjects: [
      { kind: 'Group', name: 'system:bootstrappers' },
      { kind: 'User', name: long },
    ],
  };
}

const beginning = (kind: string): string => `{"kind":"${kind}List","apiVersion":"v1","metadata":{},"items":[`;
const keys = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":""`).join()}}`;

const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  'lists without end': [
    {
      parts(kind, n) {
        const items = Array.from({ length: 500 }, (_, item) => object(n * 500 + item, 2_000));
        return [JSON.stringify({ kind: `${kind}List`, apiVersion: 'v1', metadata: { continue: `c${n}` }, items })];
      },
    },
    endless(beginning, (n) => `${JSON.stringify(object(n, 20))},`),
    endless(beginning, (n) => `${JSON.stringify(object(n, MB / 9))},`),
    endless(
      (kind) => `${beginning(kind)}{"metadata":{"name":"`,
      () => 'x'.repeat(65_536),
    ),
    endless(beginning, (n) => `{"metadata":{"name":"${n}"},"many":[${'{},'.repeat(4 * MB)}{}]},`),
  ],
  'bodies that hold more than they should': [
    whole(() => gzipSync(Buffer.alloc(100 * MB)), { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }),
    whole(() => `${'{"a":'.repeat(1.3 * MB)}1${'}'.repeat(1.3 * MB)}`),
    whole(() => `{"kind":"ConfigMap","metadata":{"name":"cluster-info"},"data":${keys(400_000)}}`),
    whole(() => `{"kind":"ConfigMap","metadata":{"name":"a"},"many":[${'{},'.repeat(2.7 * MB)}{}]}`),
    endless(
      () => '',
      () => '{"a":['.repeat(10_000),
    ),
    whole(() => '\u00e4'.repeat(4 * MB), { headers: { 'content-type': 'text/plain' } }),
  ],
  'sayings without end': [
    whole(
      () => JSON.stringify({ kind: 'Status', status: 'Failure', code: 403, message: 'User "a" '.repeat(110_000) }),
      { code: 403 },
    ),
    whole(() => JSON.stringify({ kind: 'Status', status: 'Failure', code: 200, message: '\u001b]0;'.repeat(200_000) })),
    endless(
      () => '',
      () => JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Pod', metadata: { name: 'x'.repeat(60_000) } } }),
    ),
    {
      isHead: true,
      *parts() {
        yield 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
        for (;;) yield `x-a: ${'x'.repeat(60_000)}\r\n`;
      },
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

/** How often an attack was met, and how many bytes it has sent. */
interface Met {
  times: number;
  bytes: number;
}

/** Resolves when more can be written, or nothing any more. */
const drained = (out: Writable, socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      out.off('drain', go);
      socket.off('close', go);
      resolve();
    };
    out.on('drain', go);
    socket.on('close', go);
  });

/** Sends what the other side takes of an attack. */
async function pour(attack: Attack, response: ServerResponse, met: Met, parts: Iterable<string | Buffer>) {
  const { socket } = response;
  if (socket === null) return;
  const out = attack.isHead === true ? socket : response.writeHead(attack.code ?? 200, attack.headers ?? JSON_TYPE);
  for (const part of parts) {
    if (socket.destroyed || met.bytes > SENT) break;
    met.bytes += part.length;
    if (!out.write(part)) await drained(out, socket);
  }
  met.times += 1;
  if (met.bytes > SENT) socket.destroy();
  else response.end();
}

for (const [name, attacks] of Object.entries(ATTACKS))
  test(`${name} do not fill the memory`, async () => {
    const met: readonly Met[] = attacks.map(() => ({ times: 0, bytes: 0 }));
    const isOver = (): boolean => met.every(({ times, bytes }) => times >= TIMES || bytes > SENT);
    let turn = 0;
    const server = await serve((request: IncomingMessage, response: ServerResponse) => {
      request.resume();
      response.on('error', () => undefined);
      request.socket.on('error', () => undefined);
      const url = new URL(request.url ?? '/', 'https://x');
      const [code, body] = sound(url) ?? [];
      if (code !== undefined) return response.writeHead(code, JSON_TYPE).end(JSON.stringify(body));
      turn += 1;
      // those that have sent all that they may have had their turn
      const open = attacks.flatMap((attack, index) => {
        const one = met[index];
        return one === undefined || one.bytes > SENT ? [] : [{ attack, one }];
      });
      const chosen = open[turn % open.length];
      if (chosen === undefined) return response.destroy();
      const { attack, one } = chosen;
      void pour(attack, response, one, attack.parts(kindAt(url), turn)).then(() => isOver() && child.kill('SIGTERM'));
    });
    const kubeconfig = path.join(folder, 'kubeconfig');
    const authority = Buffer.from(server.ca.certificate.pem).toString('base64');
    const cluster = { server: server.url, 'certificate-authority-data': authority };
    const contexts = [{ name: 'a', context: { cluster: 'a', user: 'a' } }];
    const users = [{ name: 'a', user: { token: 't' } }];
    const config = { clusters: [{ name: 'a', cluster }], contexts, users, 'current-context': 'a' };
    writeFileSync(kubeconfig, JSON.stringify(config));
    // of this process alone: what getrusage(2) tells is that of its parent where that is larger. Source: proc(5), VmHWM.
    const tells =
      "process.on('exit', () => process.stderr.write('\\n' + /VmHWM:.*/.exec(readFileSync('/proc/self/status', 'utf8'))))";
    const only =
      `import { isMainThread } from 'node:worker_threads'; import { readFileSync } from 'node:fs'; ` +
      `if (isMainThread) ${tells}`;
    const preload = ['--import', `data:text/javascript,${encodeURIComponent(only)}`];
    const args = [cli, 'run', '--kubeconfig', kubeconfig, '--out', 'json=report.json'];
    const child = spawn(process.execPath, [...preload, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    await server.close();
    assert.ok(code === 3 || code === 1, `${code}: ${said}`);
    assert.ok(
      met.every(({ times }) => times > 0),
      JSON.stringify(met),
    );
    const megabytes = Number(/\nVmHWM:\s*(\d+) kB$/.exec(said)?.[1]) / 1024;
    assert.ok(megabytes < MOST, `${megabytes} MB`);
  });

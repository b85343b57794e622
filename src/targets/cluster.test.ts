import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueCredential } from '../pki/authority.js';
import { newRun, openConnection } from './cluster.js';
import type { Carried } from './connection.js';
import { TargetUnreachable } from './errors.js';
import { fakeApi } from './fake-api.testing.js';
import { connectionTo, serve } from './local-server.testing.js';

type Case = readonly [number, Record<string, string>, string, RegExp];

test('what is no API server is told by what it answers, and leaves no connection open', async () => {
  const cases: readonly Case[] = [
    [
      200,
      { 'content-type': 'text/html' },
      '<!DOCTYPE html><html></html>',
      /no Kubernetes API server: GET \/version answers 200 with an HTML page/,
    ],
    [
      302,
      { location: 'https://login.example/' },
      '',
      /answers 302, a redirect to https:\/\/login\.example\/; joinproof follows no redirect/,
    ],
    [401, { 'content-type': 'application/json' }, '{}', /does not accept the credential: GET \/version answers 401/],
    [500, {}, 'oops', /answers 500/],
    ...[204, 400, 404, 418, 503].map(
      (status): Case => [
        status,
        { 'content-type': 'application/json' },
        status === 204 ? '' : '{"gitVersion":"v1.36.0"}',
        new RegExp(`answers ${status}`),
      ],
    ),
    [200, {}, '\n <?xml version="1.0"?><html/>', /answers 200 with an HTML page/],
    [403, {}, '<html>no</html>', /answers 403 with an HTML page/],
    [401, {}, 'no <html>', /does not accept the credential/],
    [200, {}, 'hello <html>', /200 without a JSON object/],
    [200, {}, 'ok', /200 without a JSON object/],
    [200, { 'content-type': 'application/json' }, '{"hello":"world"}', /an object that shows no version/],
  ];
  const refused = async ([status, headers, body, words]: Case): Promise<void> => {
    const server = await serve((_request, response) => response.writeHead(status, headers).end(body));
    try {
      const opened = openConnection(connectionTo(server));
      const said = await opened.then(
        (target) => target.close(),
        (error: unknown) => error,
      );
      assert.ok(said instanceof TargetUnreachable, `${status} ${body}: ${said}`);
      assert.match(said.message, words);
    } finally {
      await server.close();
    }
  };
  await Promise.all(cases.map(refused));
});

test('where a redirect leads is said without the secret that it carries', async () => {
  const token = 'a-secret-of-somebody';
  const server = await serve((_request, response) =>
    response.writeHead(302, { location: `https://login.example/?back=${token}` }).end(),
  );
  try {
    const carried: Carried = { authorization: `Bearer ${token}`, secrets: [token] };
    await assert.rejects(openConnection(connectionTo(server, carried)), ({ message }: Error) => {
      assert.match(message, /a redirect to https:\/\/login\.example\/\?back=\[redacted\];/);
      return true;
    });
  } finally {
    await server.close();
  }
});

test('a look that is broken off leaves no connection open', async () => {
  const run = new AbortController();
  const reason = new Error('SIGINT');
  const sockets = new Map<object, boolean>();
  const server = await serve((request, response) => {
    const { socket } = request;
    if (!sockets.has(socket)) socket.once('close', () => sockets.set(socket, true));
    sockets.set(socket, false);
    response.setHeader('content-type', 'application/json');
    if (request.url === '/version') response.end('{"gitVersion":"v1.36.0","major":"1","minor":"36"}');
    else run.abort(reason);
  });
  try {
    await assert.rejects(openConnection(connectionTo(server), { signal: run.signal }), reason);
    const isClosed = (): boolean => [...sockets.values()].every(Boolean);
    for (let at = 0; at < 10_000 && !isClosed(); at += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(sockets.size > 0 && isClosed());
  } finally {
    await server.close();
  }
});

const hidden = '/api/v1/namespaces/kube-system/secrets?limit=1';

test('capabilities are what can be seen, the others have a reason', async () => {
  const api = await fakeApi();
  const lease = {
    metadata: { name: 'kube-controller-manager', namespace: 'kube-system' },
    spec: { renewTime: new Date().toISOString() },
  };
  const leasePath = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
  let user = 'system:anonymous';
  let allowed = true;
  api.before = (request, response) => {
    const say = (body: unknown, status = 201): true => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return true;
    };
    const refuse = (who: string): true => {
      if (who === '') return say({ kind: 'SecretList', items: [] }, 200);
      return say({ kind: 'Status', code: 403, message: `secrets is forbidden: User "${who}" cannot list` }, 403);
    };
    if (request.url === hidden) return refuse(user);
    if (request.url?.endsWith('/subjectaccessreviews') === true) return say({ status: { allowed: false } });
    if (request.url?.endsWith('selfsubjectaccessreviews') === true) return say({ status: { allowed } });
    return false;
  };
  api.put(leasePath, lease);
  api.put('/api/v1/namespaces/kube-system/configmaps/kubeadm-config', {
    metadata: { name: 'kubeadm-config', namespace: 'kube-system' },
  });
  const readOnly = await openConnection(connectionTo(api));
  assert.deepEqual([...readOnly.facts.holds].sort(), ['anonymous', 'controllers', 'kubeadm']);
  assert.deepEqual(Object.keys(readOnly.abilities).sort(), ['objects', 'requests', 'reviews', 'tls']);
  assert.match(readOnly.why('writes'), /read only.*--allow-writes/);
  assert.match(readOnly.why('clock'), /cannot be moved/);
  await readOnly.close();

  api.objects.clear();
  api.put(leasePath, { ...lease, spec: { renewTime: new Date(Date.now() - 600_000).toISOString() } });
  user = 'gateway';
  allowed = false;
  const poor = await openConnection(connectionTo(api), { allowWrites: true });
  assert.deepEqual([...poor.facts.holds], []);
  assert.deepEqual(Object.keys(poor.abilities).sort(), ['objects', 'requests', 'tls', 'writes']);
  assert.match(poor.why('anonymous'), /taken for gateway/);
  assert.match(poor.why('controllers'), /last renewed \d+ s ago/);
  assert.match(poor.why('kubeadm'), /no ConfigMap kubeadm-config/);
  assert.match(poor.why('reviews'), /neither/);
  await poor.close();

  user = '';
  const gateway = await openConnection(connectionTo(api));
  assert.match(gateway.why('anonymous'), /reads Secrets, which system:anonymous may not/);
  await gateway.close();

  user = 'system:anonymous';
  api.objects.clear();
  const unknown = await openConnection(connectionTo(api));
  assert.match(unknown.why('controllers'), /cannot be seen/);
  await unknown.close();
  api.put('/api/v1/namespaces/kube-system/pods/kcm', {
    metadata: { name: 'kcm', namespace: 'kube-system', labels: { component: 'kube-controller-manager' } },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  const byPod = await openConnection(connectionTo(api));
  assert.ok(byPod.facts.holds.has('controllers'));
  await byPod.close();
  await api.close();
});

test('controllers run where an old Lease is taken while it lasts, or where nobody is elected', async () => {
  const api = await fakeApi();
  const name = 'kube-controller-manager';
  const leasePath = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${name}`;
  const lease = (renewTime: string, leaseDurationSeconds: number) => ({
    metadata: { name, namespace: 'kube-system' },
    spec: { renewTime, leaseDurationSeconds },
  });
  const old = new Date(Date.now() - 600_000).toISOString();
  const controllers = async (): Promise<string> => {
    const target = await openConnection(connectionTo(api));
    await target.close();
    return target.facts.holds.has('controllers') ? 'run' : target.why('controllers');
  };
  let reads = 0;
  api.before = (request) => {
    if (request.url === leasePath && ++reads === 2) api.put(leasePath, lease(new Date().toISOString(), 30));
    return false;
  };
  api.put(leasePath, lease(old, 30));
  assert.equal(await controllers(), 'run');

  api.before = () => false;
  api.put(leasePath, lease(old, 1));
  assert.match(await controllers(), /last renewed \d+ s ago/);
  const pod = (flag: string) => ({
    metadata: { name, namespace: 'kube-system', labels: { component: name } },
    spec: { containers: [{ command: [name, flag] }] },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  const podPath = `/api/v1/namespaces/kube-system/pods/${name}`;
  api.put(podPath, pod('--leader-elect=true'));
  assert.match(await controllers(), /last renewed \d+ s ago/);
  api.put(podPath, pod('--leader-elect=false'));
  assert.equal(await controllers(), 'run');
  await api.close();
});

test('run ids fit into labels and differ', () => {
  const runs = new Set(Array.from({ length: 100 }, newRun));
  assert.equal(runs.size, 100);
  for (const run of runs) assert.match(run, /^[a-z0-9]{10}$/);
});

for (const mayWrite of [true, false])
  test(`a Date header that something on the way has written is seen through, ${mayWrite ? 'writing' : 'reading'}`, async () => {
    const wrong = Date.now() - 400 * 86_400_000;
    const now = new Date().toISOString();
    const server = await serve((request, response) => {
      response.sendDate = false;
      response.writeHead(200, { 'content-type': 'application/json', date: new Date(wrong).toUTCString() });
      const named = /\/([^/?]+)(?:\?|$)/.exec(request.url ?? '')?.[1];
      const metadata = { name: request.method === 'GET' ? named : 'jp-dry', creationTimestamp: now };
      const version = { gitVersion: 'v1.36.0', major: '1', minor: '36' };
      const spec = { renewTime: now };
      const list = { kind: 'ConfigMapList', metadata: {}, items: [] };
      const isList = request.method === 'GET' && /\/(?:configmaps|secrets|pods)(?:\?|$)/.test(request.url ?? '');
      const kind = /\/leases\/.*/.test(request.url ?? '')
        ? 'Lease'
        : /namespaces\/[^/]+$/.test(request.url ?? '')
          ? 'Namespace'
          : 'ConfigMap';
      response.end(JSON.stringify(request.url === '/version' ? version : isList ? list : { kind, metadata, spec }));
    });
    const target = await openConnection(connectionTo(server), { allowWrites: mayWrite });
    assert.ok(Math.abs(target.facts.now() - Date.now()) < 60_000);
    await target.close();
    await server.close();
  });

test('whose token the credential is, is told where it is that of a service account and asks in no other name', async () => {
  const api = await fakeApi();
  const token = (claims: object): string =>
    ['{"alg":"RS256"}', JSON.stringify(claims), 'sig'].map((part) => Buffer.from(part).toString('base64url')).join('.');
  const account = 'system:serviceaccount:joinproof:joinproof';
  const accountOf = async (carried: Carried): Promise<string | undefined> => {
    const target = await openConnection(connectionTo(api, carried));
    await target.close();
    return target.facts.account;
  };
  try {
    for (const [carried, expected] of [
      [{ authorization: `Bearer ${token({ sub: account })}` }, account],
      [{ authorization: `Bearer ${token({ sub: account })}`, headers: [['Impersonate-User', 'a']] }, undefined],
      [{ authorization: `Bearer ${token({ sub: 'system:node:a' })}` }, undefined],
      [{ authorization: `Bearer ${token({ sub: `x${account}` })}` }, undefined],
      [{ authorization: `Bearer ${token({ sub: 7 })}` }, undefined],
      [{ authorization: `Basic ${token({ sub: account })}` }, undefined],
      [{ authorization: 'Bearer abcdef.0123456789abcdef' }, undefined],
      [{}, undefined],
    ] as const)
      assert.equal(await accountOf(carried), expected, JSON.stringify(carried));
  } finally {
    await api.close();
  }
});

test('what is wrong with a certificate that is not accepted is said', async () => {
  const server = await serve((_request, response) => response.writeHead(401).end('{}'));
  const day = 86_400_000;
  const issued = (now: number, validity: number): Carried => {
    const made = issueCredential(server.ca, {
      subject: { commonName: 'a' },
      extendedKeyUsage: ['clientAuth'],
      key: 'ECDSA-P256',
      now,
      validity,
    });
    return { certificate: { certificate: made.certificatePem, key: made.keyPem } };
  };
  try {
    for (const [carried, why] of [
      [issued(Date.now() - 9 * day, day), /its client certificate ended on .*\.$/],
      [issued(Date.now() + 9 * day, day), /its client certificate begins on .* only\.$/],
      [issued(Date.now(), day), /does not accept the credential: GET \/version answers 401\.$/],
      [{ authorization: 'Bearer x' }, /does not accept the credential: GET \/version answers 401\.$/],
    ] as const)
      await assert.rejects(openConnection(connectionTo(server, carried)), (error: Error) => {
        assert.ok(error instanceof TargetUnreachable);
        assert.match(error.message, why);
        return true;
      });
  } finally {
    await server.close();
  }
});

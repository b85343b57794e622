import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Carried } from './connection.js';
import { ConfigurationError } from './errors.js';
import { loadInCluster } from './in-cluster.js';
import { type KubeconfigOptions, loadKubeconfig } from './kubeconfig.js';
import { authority, clientCertificate } from './local-server.testing.js';

const never = new AbortController().signal;
const ca = authority();
const caPem = ca.certificate.pem;
const client = clientCertificate(ca, 'admin');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jp-kubeconfig-'));
});
after(() => rm(folder, { recursive: true }));

type Mapping = Record<string, unknown>;
const config = (cluster: Mapping = {}, user: Mapping = {}, more: Mapping = {}): Mapping => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'c',
  clusters: [{ name: 'k', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
  ...more,
});
let files = 0;
async function written(content: unknown, name = `config-${files++}`): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}
const load = async (content: unknown, options: KubeconfigOptions = {}): ReturnType<typeof loadKubeconfig> =>
  loadKubeconfig({ kubeconfig: await written(content), env: { PATH: process.env.PATH }, terminal: false, ...options });
const carriedBy = async (user: Mapping): Promise<Carried> => (await load(config({}, user))).credential.current(never);
async function refuses(content: unknown, words: RegExp, options: KubeconfigOptions = {}): Promise<void> {
  await assert.rejects(load(content, options), (error) => {
    assert.ok(error instanceof ConfigurationError, String(error));
    assert.match(error.message, words);
    assert.ok(!/\n/.test(error.message), 'one line');
    return true;
  });
}

test('data fields, files relative to the kubeconfig, tls-server-name and the name of the context', async () => {
  await writeFile(join(folder, 'ca.crt'), caPem);
  await writeFile(join(folder, 'client.crt'), client.certificate);
  await writeFile(join(folder, 'client.key'), client.key);
  const byFile = await load(
    config(
      { 'certificate-authority': 'ca.crt', 'tls-server-name': 'kubernetes' },
      { 'client-certificate': './client.crt', 'client-key': 'client.key' },
    ),
  );
  const byData = await load(
    config(
      { 'certificate-authority-data': base64(caPem), 'certificate-authority': 'missing.crt' },
      { 'client-certificate-data': base64(client.certificate), 'client-key-data': base64(client.key) },
    ),
  );
  for (const connection of [byFile, byData]) {
    assert.equal(connection.caPem, caPem);
    assert.equal(connection.name, 'https://10.0.0.1:6443 (context c)');
    assert.deepEqual((await connection.credential.current(never)).certificate, client);
  }
  assert.equal(byFile.serverName, 'kubernetes');
});

test('YAML, several files in KUBECONFIG: the first wins entry by entry, missing ones are passed over', async () => {
  const first = await written(
    'apiVersion: v1\nkind: Config\nusers:\n- name: u\n  user: {token: from-first}\n',
    'first',
  );
  await mkdir(join(folder, 'sub'), { recursive: true });
  await writeFile(join(folder, 'sub', 'token'), 'x');
  const second = await written(config({}, { token: 'from-second' }, { 'current-context': 'c' }), 'sub/second');
  const connection = await loadKubeconfig({
    env: { KUBECONFIG: [join(folder, 'missing'), first, second, ''].join(delimiter) },
  });
  assert.equal((await connection.credential.current(never)).authorization, 'Bearer from-first');
  const other = await loadKubeconfig({ env: { KUBECONFIG: second }, kubeconfig: second });
  assert.equal((await other.credential.current(never)).authorization, 'Bearer from-second');
  await assert.rejects(loadKubeconfig({ env: {}, home: folder }), /No kubeconfig was found .*\.kube/);
  await assert.rejects(loadKubeconfig({ kubeconfig: join(folder, 'missing'), env: {} }), /does not exist/);
  await assert.rejects(loadKubeconfig({ kubeconfig: folder, env: {} }), /is a folder/);
});

test('credentials: token, basic, tokenFile that changes, impersonation, nobody', async () => {
  assert.equal((await carriedBy({ token: 't' })).authorization, 'Bearer t');
  assert.equal((await carriedBy({ username: 'me', password: 'pa:ss' })).authorization, `Basic ${base64('me:pa:ss')}`);
  assert.deepEqual({ ...(await carriedBy({})), headers: [], secrets: [] }, { headers: [], secrets: [] });
  const impersonating = await carriedBy({
    token: 't',
    as: 'jane',
    'as-uid': '7',
    'as-groups': ['a', 'b'],
    'as-user-extra': { 'example.org/Scope': ['x', 'y'] },
  });
  assert.deepEqual(impersonating.headers, [
    ['impersonate-user', 'jane'],
    ['impersonate-uid', '7'],
    ['impersonate-group', 'a'],
    ['impersonate-group', 'b'],
    ['impersonate-extra-example.org%2Fscope', 'x'],
    ['impersonate-extra-example.org%2Fscope', 'y'],
  ]);
  let now = 0;
  await writeFile(join(folder, 'token'), 'one\n');
  const connection = await load(config({}, { tokenFile: 'token', token: 'ignored' }), { now: () => now });
  const seen = async (): Promise<string | undefined> => (await connection.credential.current(never)).authorization;
  assert.equal(await seen(), 'Bearer one');
  await writeFile(join(folder, 'token'), 'two\n');
  assert.equal(await seen(), 'Bearer one');
  now = 20_000;
  assert.equal(await seen(), 'Bearer two');
  await writeFile(join(folder, 'token'), 'three');
  assert.equal(connection.credential.refused(), true);
  assert.equal(await seen(), 'Bearer three');
  await rm(join(folder, 'token'));
  now = 40_000;
  assert.equal(await seen(), 'Bearer three');
});

test('proxies, plain hosts and http', async () => {
  assert.equal((await load(config({ 'proxy-url': 'http://user:word@p:3128' }))).proxyUrl, 'http://user:word@p:3128');
  assert.equal((await load(config(), { env: { HTTPS_PROXY: 'http://p:1' } })).proxyUrl, 'http://p:1');
  assert.equal(
    (await load(config({ server: '10.0.0.1:6443', 'insecure-skip-tls-verify': true }))).server,
    'https://10.0.0.1:6443',
  );
  assert.equal((await load(config({ server: '10.0.0.1:8080' }))).server, 'http://10.0.0.1:8080');
  assert.equal(
    (await load(config({ server: 'https://rancher.example/k8s/clusters/c-1/' }))).server,
    'https://rancher.example/k8s/clusters/c-1',
  );
});

test('every mistake is one sentence', async () => {
  const cases: readonly [unknown, RegExp, KubeconfigOptions?][] = [
    ['a: [', /neither YAML nor JSON \(line 1/],
    ['users: *nobody', /neither YAML nor JSON|aliases/],
    ['- a', /holds a list/],
    ['just words', /holds a string/],
    ['', /has no current-context; give --context with one of: none/],
    [{ kind: 'Pod' }, /is a Pod/],
    [{ ...config(), 'current-context': '' }, /no current-context; give --context with one of: c/],
    [config(), /no context "x"; it has: c/, { context: 'x' }],
    [config({}, {}, { clusters: [] }), /names the cluster "k", which is not there; there are: none/],
    [config({}, {}, { users: [] }), /names the user "u", which is not there/],
    [config({}, {}, { contexts: [{ name: 'c', context: { user: 'u' } }] }), /names no cluster/],
    [config({}, {}, { users: [{ name: 'u' }, { name: 'u' }] }), /two users of the name "u"/],
    [config({}, {}, { users: 'u' }), /users of .* is a string; it must be a list/],
    [config({ server: '' }), /server of .* is missing/],
    [config({ server: 'https://' }), /is not a URL/],
    [config({ server: 'ftp://x' }), /scheme ftp/],
    [config({ server: 'https://me:word@x' }), /user or password in it/],
    [config({ server: 6443 }), /server of .* is a number; it must be a text/],
    [config({ 'certificate-authority-data': '***' }), /certificate-authority-data of .* is not valid base64/],
    [config({ 'certificate-authority-data': base64('hello') }), /holds no PEM certificate/],
    [
      config({ 'certificate-authority-data': base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----') }),
      /certificate 1 of 1 cannot be read/,
    ],
    [config({ 'certificate-authority': '/no/such/ca.crt' }), /names \/no\/such\/ca\.crt, which does not exist/],
    [
      config({ 'certificate-authority-data': base64(caPem), 'insecure-skip-tls-verify': true }),
      /both a certificate authority and insecure/,
    ],
    [config({ 'insecure-skip-tls-verify': 'perhaps' }), /must be true or false/],
    [config({ 'proxy-url': 'socks5://p:1' }), /scheme socks5/],
    [config({}, { 'client-certificate-data': base64(client.certificate) }), /without a client-key/],
    [config({}, { 'client-key-data': base64(client.key) }), /without a client-certificate/],
    [
      config(
        {},
        {
          'client-certificate-data': base64(client.certificate),
          'client-key-data': base64(clientCertificate(ca, 'x').key),
        },
      ),
      /does not belong to the certificate/,
    ],
    [
      config({}, { 'client-certificate-data': base64(client.certificate), 'client-key-data': base64('no key') }),
      /holds no PEM private key/,
    ],
    [config({}, { token: 't', username: 'u', password: 'p' }), /both a token and a password/],
    [config({}, { tokenFile: '/no/such/token' }), /\/no\/such\/token, which does not exist/],
    [config({}, { 'auth-provider': { name: 'gcp' } }), /auth-provider gcp/],
    [config({}, { token: 't', 'as-groups': ['g'] }), /without a user/],
    [config({}, { 'as-groups': [1], as: 'x' }), /holds a number/],
  ];
  for (const [content, words, options] of cases) await refuses(content, words, options);
  for (const kind of ['Configs', 'config', 'KubeConfig', 'List']) await refuses({ kind }, new RegExp(`is a ${kind};`));
  for (const apiVersion of ['v2', 'v1beta1', 'V1', 'v11', 'client/v1'])
    await refuses({ apiVersion }, new RegExp(`has apiVersion ${apiVersion};`));
  const broken = await written('users:\n- user: {token: very-secret\n  x');
  await assert.rejects(
    loadKubeconfig({ kubeconfig: broken }),
    (error: Error) => !error.message.includes('very-secret'),
  );
});

async function plugin(script: string): Promise<string> {
  const file = join(folder, `plugin-${files++}`);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}
const execUser = (command: string, more: Mapping = {}): Mapping => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never', ...more },
});
const answer = (status: Mapping, apiVersion = 'client.authentication.k8s.io/v1'): string =>
  JSON.stringify({ apiVersion, kind: 'ExecCredential', status });

test('exec plugins: arguments, environment, cluster info, expiry, refusal', async () => {
  const count = join(folder, 'count');
  const command =
    await plugin(`echo x >> ${count}; n=$(wc -l < ${count} | tr -d ' '); echo "$KUBERNETES_EXEC_INFO" > ${folder}/info
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'$1-$FLAVOUR-$n'","expirationTimestamp":"2030-01-01T00:00:00Z"}}'`);
  let now = Date.parse('2029-12-31T00:00:00Z');
  const user = execUser(`./${command.split('/').at(-1)}`, {
    args: ['arg'],
    env: [{ name: 'FLAVOUR', value: 'sweet' }],
    provideClusterInfo: true,
  });
  const cluster = {
    'certificate-authority-data': base64(caPem),
    extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }],
  };
  const connection = await load(config(cluster, user), { now: () => now });
  const seen = async (): Promise<string | undefined> => (await connection.credential.current(never)).authorization;
  assert.deepEqual(await Promise.all([seen(), seen()]), ['Bearer arg-sweet-1', 'Bearer arg-sweet-1']);
  assert.equal(await seen(), 'Bearer arg-sweet-1');
  const info = JSON.parse(await (await import('node:fs/promises')).readFile(join(folder, 'info'), 'utf8'));
  assert.deepEqual(info, {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      cluster: {
        server: 'https://10.0.0.1:6443',
        'certificate-authority-data': base64(caPem),
        config: { audience: 'a' },
      },
    },
  });
  now = Date.parse('2030-01-01T00:00:01Z');
  assert.equal(await seen(), 'Bearer arg-sweet-2');
  now = 0;
  connection.credential.refused();
  assert.equal(await seen(), 'Bearer arg-sweet-3');
});

test('exec plugins may give certificates, in v1beta1 too', async () => {
  const file = join(folder, 'credential.json');
  await writeFile(
    file,
    answer(
      { clientCertificateData: client.certificate, clientKeyData: client.key },
      'client.authentication.k8s.io/v1beta1',
    ),
  );
  const carried = await carriedBy({
    exec: { apiVersion: 'client.authentication.k8s.io/v1beta1', command: await plugin(`cat ${file}`) },
  });
  assert.deepEqual(carried.certificate, client);
  assert.deepEqual(carried.secrets, [client.key]);
});

test('exec plugins that fail are named in a sentence', async () => {
  const entries: readonly [Mapping, RegExp][] = [
    [execUser(''), /command of .* is missing/],
    [execUser('x', { apiVersion: 'client.authentication.k8s.io/v1alpha1' }), /v1alpha1; joinproof speaks/],
    [execUser('x', { interactiveMode: undefined }), /interactiveMode of .* is missing/],
    [execUser('x', { env: [{ value: 'y' }] }), /env of .* not name and value/],
    [execUser('x', { args: [1] }), /args of .* holds a number/],
  ];
  for (const [user, words] of entries) await refuses(config({}, user), words);
  const runs: readonly [string, Mapping, RegExp][] = [
    [
      '/no/such/plugin',
      { installHint: 'Install it from example.org.' },
      /\/no\/such\/plugin of the kubeconfig was not found\. Install it from example\.org\.$/,
    ],
    [
      await plugin('echo "please log in" >&2; exit 3'),
      { installHint: 'hint' },
      /failed with exit code 3: please log in\. hint$/,
    ],
    [await plugin('kill -9 $$'), {}, /was ended by SIGKILL/],
    [await plugin('echo hello'), {}, /did not write a JSON ExecCredential/],
    [await plugin("echo '{}'"), {}, /did not write an ExecCredential/],
    [
      await plugin(`echo '${answer({ token: 't' }, 'client.authentication.k8s.io/v1beta1')}'`),
      {},
      /answered in client\.authentication\.k8s\.io\/v1beta1/,
    ],
    [await plugin(`echo '${answer({})}'`), {}, /neither a token nor a client certificate/],
    [await plugin(`echo '${answer({ clientKeyData: 'x' })}'`), {}, /a key without its certificate/],
    [await plugin(`echo '${answer({ token: 't', expirationTimestamp: 'soon' })}'`), {}, /no RFC 3339 time/],
    [await plugin('yes'), {}, /more than 1 MiB/],
    [await plugin('true'), { interactiveMode: 'Always' }, /wants a terminal/],
  ];
  for (const [command, more, words] of runs) {
    const connection = await load(config({}, execUser(command, more)));
    await assert.rejects(
      connection.credential.current(never),
      (error) => error instanceof ConfigurationError && words.test(error.message),
      String(words),
    );
  }
});

test('an exec plugin that hangs is ended with the run, and what it started does not hold the pipe', async () => {
  const connection = await load(config({}, execUser(await plugin('sleep 60 & sleep 60'))));
  const run = new AbortController();
  const reason = new Error('stopped');
  setTimeout(() => run.abort(reason), 30);
  await assert.rejects(connection.credential.current(run.signal), reason);
});

test('in a Pod: the service account, read again', async () => {
  const pod = await mkdtemp(join(folder, 'pod-'));
  await writeFile(join(pod, 'token'), 'sa-token');
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
  for (const none of [
    {},
    { ...env, KUBERNETES_SERVICE_HOST: '' },
    { ...env, KUBERNETES_SERVICE_PORT: '' },
    { KUBERNETES_SERVICE_HOST: 'fd00::1' },
    { KUBERNETES_SERVICE_PORT: '443' },
  ])
    await assert.rejects(loadInCluster({ env: none, folder: pod }), (error: Error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(error.message, /no Pod of a cluster/);
      return true;
    });
  await assert.rejects(loadInCluster({ env, folder: pod }), /ca\.crt, which cannot be read/);
  await writeFile(join(pod, 'ca.crt'), 'none');
  await assert.rejects(loadInCluster({ env, folder: pod }), (error: Error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.doesNotMatch(error.message, /which cannot be read/);
    return true;
  });
  await writeFile(join(pod, 'ca.crt'), caPem);
  const connection = await loadInCluster({ env, folder: pod, now: () => 0 });
  const { credential, ...reached } = connection;
  assert.deepEqual(reached, {
    server: 'https://[fd00::1]:443',
    name: 'https://[fd00::1]:443 (service account of this Pod)',
    caPem,
    insecure: false,
  });
  const named = await loadInCluster({ env: { ...env, KUBERNETES_SERVICE_HOST: '10.0.0.1' }, folder: pod });
  assert.equal(named.server, 'https://10.0.0.1:443');
  assert.deepEqual(await credential.current(never), { authorization: 'Bearer sa-token', secrets: ['sa-token'] });
  // the kubelet has written another one: it is taken where the server refuses the one that is kept
  await writeFile(join(pod, 'token'), 'later');
  assert.equal((await credential.current(never)).authorization, 'Bearer sa-token');
  assert.equal(credential.refused(), true);
  assert.equal((await credential.current(never)).authorization, 'Bearer later');
  await rm(join(pod, 'token'));
  await assert.rejects(loadInCluster({ env, folder: pod }), ConfigurationError);
});

test('a kubeconfig is read that is no larger than 8 MiB', async () => {
  const file = join(folder, 'large.conf');
  await writeFile(file, '');
  for (const [size, words] of [
    [8 * 1024 * 1024, /large\.conf holds a string; it must be a mapping/],
    [
      8 * 1024 * 1024 + 1,
      /large\.conf cannot be read \(it is larger than 8192 KiB\); give the path of a kubeconfig file\.$/,
    ],
  ] as const) {
    await truncate(file, size);
    await assert.rejects(loadKubeconfig({ kubeconfig: file, env: {}, terminal: false }), (error: Error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(error.message, words);
      return true;
    });
  }
});

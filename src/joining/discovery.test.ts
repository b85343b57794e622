/** Whom a machine joins. Source: cmd/kubeadm/app/discovery/{discovery,file/file,https/https,token/token}.go. */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { WireAnswer, WireQuestion } from '../kubernetes/wire.js';
import { createAuthority } from '../pki/authority.js';
import type { JoinConfiguration, TokenDiscovery } from './configuration.js';
import { joiningDecisions } from './decisions/index.js';
import type { Discovering } from './discovering.js';
import { discover } from './discovery.js';
import { accessOf, discoverByFile, serverUrl, trustOf } from './discovery-file.js';
import { JoinFailed } from './failures.js';
import { type ClusterEntry, type Kubeconfig, readKubeconfig } from './kubeconfig.js';

const START = Date.UTC(2026, 0, 1);
const [ca, other] = ['kubernetes', 'other'].map((commonName) =>
  createAuthority({ commonName, key: 'ECDSA-P256', now: START }),
) as [ReturnType<typeof createAuthority>, ReturnType<typeof createAuthority>];
const CA = ca.certificate.pem;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const PIN = `sha256:${createHash('sha256').update(ca.facts.spki).digest('hex')}`;
const TOKEN = 'abcdef.0123456789abcdef';
const SERVER = 'https://192.0.2.10:6443';

/** A kubeconfig; entries are written as they are given. */
const config = (cluster: object, user?: object, more: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: user === undefined ? '' : 'k', cluster }],
    ...(user === undefined
      ? {}
      : {
          users: [{ name: 'u', user }],
          contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
          'current-context': 'c',
        }),
    ...more,
  });
const WITH_CA = { server: SERVER, 'certificate-authority-data': base64(CA) };
const WITHOUT_CA = { server: SERVER };
const signed = (text: string, token = TOKEN): Readonly<Record<string, string>> => {
  const [id = '', secret = ''] = token.split('.');
  const url = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64url');
  const header = url(JSON.stringify({ alg: 'HS256', kid: id }));
  const mac = createHmac('sha256', secret)
    .update(`${header}.${url(text)}`)
    .digest();
  return { kubeconfig: text, [`jws-kubeconfig-${id}`]: `${header}..${url(mac)}` };
};

const only = ({ clusters }: Kubeconfig): ClusterEntry | undefined => [...clusters.values()][0];

const answer = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): WireAnswer =>
  ({ kind: 'answer', status, headers, body: Buffer.from(body) }) as WireAnswer;
const clusterInfo = (data: object): WireAnswer =>
  answer(200, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data }));
const status = (code: number): WireAnswer =>
  answer(code, JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message: `no ${code}` }));

/** A machine with these files, before servers that answer so, one answer after the other, the last one for ever. */
function world(answers: readonly WireAnswer[], files: Readonly<Record<string, string>> = {}, minor = 36) {
  const asked: WireQuestion[] = [];
  const told: string[] = [];
  const left = [...answers];
  let now = START;
  const machine = {
    wire: {
      exchange: async (question: WireQuestion): Promise<WireAnswer> => {
        asked.push(question);
        const next = left.length > 1 ? left.shift() : left[0];
        assert.ok(next, 'nobody is asked');
        return next;
      },
    },
    given: { read: (path: string) => files[path] },
    clock: {
      now: () => now,
      sleep: async (milliseconds: number) => {
        now += milliseconds;
      },
    },
    tell: (line: string) => told.push(line),
  };
  const context = {
    machine,
    decisions: joiningDecisions,
    release: { minor, patch: 0 },
    timeout: 12_000,
    chance: () => 0,
  } as unknown as Discovering;
  return { asked, told, context, passed: () => now - START };
}

describe('discovery by a file', () => {
  const byFile = async (text: string, answers = [status(403)], minor = 36, files = {}) => {
    const all = world(answers, { '/d.conf': text, ...files }, minor);
    return { ...all, found: await discoverByFile(all.context, '/d.conf') };
  };
  const fails = (text: string, message: RegExp | string, files: Readonly<Record<string, string>> = {}) =>
    assert.rejects(
      discoverByFile(world([status(403)], { '/d.conf': text, ...files }).context, '/d.conf'),
      (error: Error) => {
        assert.ok(error instanceof JoinFailed);
        assert.match(error.message, typeof message === 'string' ? new RegExp(`^${message}$`) : message);
        return true;
      },
    );

  it('needs a file with a cluster that is chosen', async () => {
    await assert.rejects(
      discoverByFile(world([]).context, '/none'),
      new JoinFailed('open /none: no such file or directory'),
    );
    const { context } = world([]);
    const read = () => {
      throw new Error('permission denied');
    };
    const closed = { ...context, machine: { ...context.machine, given: { read } } } as unknown as Discovering;
    await assert.rejects(discoverByFile(closed, '/d.conf'), new JoinFailed('open /d.conf: permission denied'));
    await fails('{}', 'the provided kubeconfig file must have at least one Cluster defined');
    await fails(
      config(WITH_CA, undefined, { clusters: [{ name: 'x', cluster: WITH_CA }] }),
      /^the provided kubeconfig file is malformed: /,
    );
    await fails(
      config({ ...WITH_CA, 'insecure-skip-tls-verify': true }),
      /specifying a root certificates file with the insecure flag is not allowed/,
    );
  });

  it('takes what the file names in its stead, and what it holds first', async () => {
    const files = { '/ca': CA, '/token': ' abc\n', '/cert': 'CERT', '/key': 'KEY' };
    const names = { tokenFile: '/token', 'client-certificate': '/cert', 'client-key': '/key' };
    const named = await byFile(config({ server: SERVER, 'certificate-authority': '/ca' }, names), undefined, 36, files);
    const { caPem, caFile } = only(named.found) ?? {};
    assert.deepEqual([caPem, caFile], [CA, '']);
    const { token, certificatePem, keyPem } = named.found.users.get('u') ?? {};
    assert.deepEqual([token, certificatePem, keyPem], ['abc', 'CERT', 'KEY']);
    const [first] = named.asked;
    assert.equal(first?.headers.authorization, 'Bearer abc');
    assert.deepEqual([first?.certificate, first?.trust], [{ certificate: 'CERT', key: 'KEY' }, { caPem: CA }]);
    const held = { ...names, token: 'own', 'client-certificate-data': base64('C'), 'client-key-data': base64('K') };
    const { found } = await byFile(config({ ...WITH_CA, 'certificate-authority': '/none' }, held));
    const user = found.users.get('u');
    assert.deepEqual([user?.token, user?.certificatePem, user?.keyPem, only(found)?.caPem], ['own', 'C', 'K', CA]);
    await fails(config({ server: SERVER, 'certificate-authority': '/none' }), 'open /none: no such file or directory');
  });

  it('asks for cluster-info as nobody, once it is forbidden no more, and says so', async () => {
    const { asked, told, found, passed } = await byFile(config(WITH_CA), [status(500), status(500), status(403)]);
    assert.deepEqual([asked.length, passed()], [3, 10_000]);
    assert.equal(asked[0]?.url, `${SERVER}/api/v1/namespaces/kube-public/configmaps/cluster-info?timeout=10s`);
    assert.deepEqual([asked[0]?.headers.authorization, asked[0]?.certificate], [undefined, undefined]);
    assert.equal(told.length, 2, 'a reason is told once');
    assert.match(told[0] ?? '', /^\[discovery\] Will ask again: .*no 500/);
    assert.equal(
      told[1],
      '[discovery] Could not access the cluster-info ConfigMap for refreshing the cluster-info information, but the ' +
        'TLS cert is valid so proceeding...',
    );
    assert.equal(only(found)?.caPem, CA);
    await fails(config(WITH_CA, {}, { 'current-context': 'none' }), /./);
    const { context, passed: over } = world([status(404)], { '/d.conf': config(WITH_CA) });
    await assert.rejects(discoverByFile(context, '/d.conf'), {
      message: /^Abort reading the cluster-info ConfigMap after timeout of 12s: .*no 404/,
    });
    assert.equal(over(), 12_000);
  });

  it('takes the CA of cluster-info where the file has none, up to 1.26 in any case', async () => {
    const theirs = config({ server: SERVER, 'certificate-authority-data': base64(other.certificate.pem) });
    const told = clusterInfo({ kubeconfig: theirs });
    for (const [own, info, minor, taken] of [
      [WITHOUT_CA, told, 36, other.certificate.pem],
      [WITH_CA, told, 36, CA],
      [WITH_CA, told, 27, CA],
      [WITH_CA, told, 26, other.certificate.pem],
      [WITHOUT_CA, clusterInfo({ kubeconfig: config(WITHOUT_CA) }), 36, ''],
      [WITH_CA, clusterInfo({ kubeconfig: config(WITHOUT_CA) }), 26, CA],
      [WITHOUT_CA, clusterInfo({}), 36, ''],
      [WITHOUT_CA, clusterInfo({ kubeconfig: '' }), 36, ''],
      [WITHOUT_CA, clusterInfo({ kubeconfig: '[' }), 36, ''],
    ] as const) {
      const { found, told: lines } = await byFile(config(own), [info], minor);
      assert.equal(only(found)?.caPem, taken, `1.${minor}`);
      assert.equal(only(found)?.server, SERVER);
      assert.deepEqual(lines, []);
    }
    const odd = config(WITHOUT_CA, undefined, { clusters: [{ name: 'x', cluster: WITH_CA }] });
    await assert.rejects(byFile(config(WITHOUT_CA), [clusterInfo({ kubeconfig: odd })]), {
      message: /^malformed kubeconfig in the cluster-info ConfigMap: /,
    });
  });

  it('believes whom the file says', () => {
    const of = (cluster: object) => {
      const entry = only(readKubeconfig(config(cluster)));
      assert.ok(entry);
      return trustOf({ decisions: joiningDecisions }, entry);
    };
    assert.deepEqual(of(WITH_CA), { caPem: CA });
    assert.equal(of(WITHOUT_CA), 'host');
    for (const cluster of [WITH_CA, WITHOUT_CA])
      assert.equal(of({ ...cluster, 'insecure-skip-tls-verify': true }), 'anybody');
  });

  it('shows a certificate only with its key, and a token only where there is one', () => {
    const of = (user?: object) => {
      const read = readKubeconfig(config(WITH_CA, user));
      const { server, trust, ...credentials } = accessOf(
        { decisions: joiningDecisions },
        read,
        only(read) as ClusterEntry,
      );
      assert.deepEqual([server, trust], [SERVER, { caPem: CA }]);
      return credentials;
    };
    const [certificate, key] = [{ 'client-certificate-data': base64('C') }, { 'client-key-data': base64('K') }];
    for (const none of [undefined, {}, { token: '' }, certificate, key]) assert.deepEqual(of(none), {});
    assert.deepEqual(of({ token: 't', ...certificate }), { token: 't' });
    assert.deepEqual(of({ ...certificate, ...key }), { certificate: { certificate: 'C', key: 'K' } });
  });

  it('asks a server without a scheme by https', () => {
    for (const [server, url] of [
      ['192.0.2.1:6443', 'https://192.0.2.1:6443'],
      ['https://a/b//', 'https://a/b'],
      ['http://a', 'http://a'],
      ['HTTPS://a/', 'HTTPS://a'],
      ['a/', 'https://a'],
    ] as const)
      assert.equal(serverUrl(server), url);
  });
});

describe('discovery by a file that is downloaded', () => {
  const INFO = status(403);
  const from = (answers: readonly WireAnswer[], url = 'https://files.example/d') => {
    const all = world(answers);
    return { ...all, found: discoverByFile(all.context, url) };
  };
  it('asks whom the host believes, without credentials, and reads what comes', async () => {
    for (const [url, code] of [
      ['https://files.example/d', 200],
      ['HTTPS://files.example/d', 404],
    ] as const) {
      const { asked, found } = from([answer(code, config(WITH_CA)), INFO], url);
      assert.equal(only(await found)?.caPem, CA);
      const [{ method, headers, trust, within, url: first } = {} as WireQuestion] = asked;
      assert.deepEqual([method, headers, trust, within, first], ['GET', {}, 'host', undefined, url]);
    }
  });
  it('follows redirects, ten requests in all', async () => {
    const to = (location: string, code = 302): WireAnswer => answer(code, '', { location });
    for (const code of [301, 302, 303, 307, 308]) {
      const { asked, found } = from([to('/e', code), answer(200, config(WITH_CA)), INFO]);
      await found;
      assert.equal(asked[1]?.url, 'https://files.example/e');
    }
    const nine = from([...Array(9).fill(to('/e')), answer(200, config(WITH_CA)), INFO]);
    await nine.found;
    await assert.rejects(from([to('/e')]).found, new JoinFailed('Get "/e": stopped after 10 redirects'));
    await assert.rejects(from([to('http://[')]).found, {
      message: 'Get "https://files.example/d": failed to parse Location header "http://["',
    });
    for (const code of [200, 300, 309, 400]) {
      const { asked, found } = from([answer(code, config(WITH_CA), { location: '/e' }), INFO]);
      await found;
      assert.equal(asked.length, 2, String(code));
    }
  });
  it('ends where no answer comes', async () => {
    await assert.rejects(from([{ kind: 'failure', failure: { cause: 'refused' } } as WireAnswer]).found, JoinFailed);
  });
});

describe('a discovered cluster', () => {
  const byToken = (more: Partial<TokenDiscovery> = {}): JoinConfiguration['discovery'] => ({
    bootstrapToken: {
      token: TOKEN,
      apiServerEndpoint: '192.0.2.1:6443',
      caCertHashes: [PIN],
      unsafeSkipCAVerification: false,
      ...more,
    },
    tlsBootstrapToken: TOKEN,
  });
  const found = async (
    discovery: JoinConfiguration['discovery'],
    answers: readonly WireAnswer[],
    files: Readonly<Record<string, string>> = {},
    minor = 36,
  ) => {
    const all = world(answers, files, minor);
    return { ...all, is: await discover(all.context, { discovery } as JoinConfiguration) };
  };
  const failure = async (...given: Parameters<typeof found>): Promise<string> => {
    const error = await found(...given).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof JoinFailed);
    return error.message;
  };
  const NOT_VALID = "couldn't validate the identity of the API Server: ";

  it('by token: is asked twice, first believing anybody, and joined with the token', async () => {
    const info = clusterInfo(signed(config(WITH_CA)));
    const { asked, is } = await found(byToken(), [info]);
    assert.deepEqual(is, {
      server: SERVER,
      caPem: CA,
      access: { server: SERVER, trust: { caPem: CA }, token: TOKEN },
      names: { cluster: 'kubernetes', user: 'tls-bootstrap-token-user' },
    });
    assert.deepEqual(
      asked.map(({ trust }) => trust),
      ['anybody', { caPem: CA }],
    );
    for (const { url, headers } of asked) {
      assert.match(url, /^https:\/\/192\.0\.2\.1:6443\//);
      assert.equal(headers.authorization, undefined);
    }
    const without = await found(byToken({ caCertHashes: [], unsafeSkipCAVerification: true }), [info]);
    assert.equal(without.asked.length, 1);
    assert.deepEqual(without.is, is);
  });

  it('by token: is refused where one of the copies is not right', async () => {
    const text = config(WITH_CA);
    const good = signed(text);
    for (const [answers, more, why] of [
      [[clusterInfo(good)], { token: 'x' }, 'the bootstrap token is invalid'],
      [[clusterInfo(good)], { caCertHashes: ['md5:00'] }, /^invalid discovery token CA certificate hash: /],
      [
        [clusterInfo(good)],
        { caCertHashes: [`sha256:${'0'.repeat(64)}`] },
        /none of the public keys "sha256:[0-9a-f]{64}" are pinned$/,
      ],
      [[clusterInfo({ ...good, kubeconfig: '' })], {}, /^there is no kubeconfig key in the cluster-info ConfigMap/],
      [[clusterInfo({ ...good, kubeconfig: `${text} ` })], {}, /^failed to verify JWS signature/],
      [[clusterInfo({ ...good, 'jws-kubeconfig-abcdef': '' })], {}, /^token id "abcdef" is invalid for this cluster/],
      [[clusterInfo(signed('['))], {}, /^couldn't parse the kubeconfig file in the cluster-info ConfigMap: yaml/],
      [[clusterInfo(signed(config(WITHOUT_CA)))], {}, /^failed to parse cluster CA from the cluster-info ConfigMap: /],
      [
        [clusterInfo(good), clusterInfo(signed(`${text} `))],
        {},
        /^the second kubeconfig from the cluster-info ConfigMap/,
      ],
      [[clusterInfo({ kubeconfig: text })], {}, /^could not find a JWS signature .* for token ID "abcdef"$/],
      [[status(403)], {}, /^failed to request the cluster-info ConfigMap: .*no 403/],
    ] as const) {
      const message = await failure(byToken(more), answers);
      assert.ok(message.startsWith(NOT_VALID), message);
      assert.match(message.slice(NOT_VALID.length), typeof why === 'string' ? new RegExp(`^${why}$`) : why);
    }
  });

  it('by token: is waited for until it is signed', async () => {
    const text = config(WITH_CA);
    const { told, passed } = await found(byToken(), [
      status(503),
      clusterInfo({ kubeconfig: text }),
      clusterInfo(signed(text)),
    ]);
    assert.equal(passed(), 10_000);
    assert.equal(told.length, 2);
  });

  it('has a CA, since 1.36 also where nobody compares it', async () => {
    const info = clusterInfo(signed(config(WITHOUT_CA)));
    const discovery = byToken({ caCertHashes: [], unsafeSkipCAVerification: true });
    assert.match(
      await failure(discovery, [info]),
      /^could not get CA certificate from discovery kubeconfig: data does not/,
    );
    const { is } = await found(discovery, [info], {}, 35);
    assert.deepEqual([is.caPem, is.access.trust], ['', 'host']);
    const broken = clusterInfo(signed(config({ ...WITHOUT_CA, 'certificate-authority-data': base64('x') })));
    assert.match(await failure(discovery, [broken], {}, 35), /^could not get CA certificate/);
  });

  it('by file: is joined with the credentials of the file, or with a token beside it', async () => {
    const file = { kubeConfigPath: '/d.conf' };
    const of = (user: object | undefined, tlsBootstrapToken: string) =>
      [{ file, tlsBootstrapToken }, [status(403)], { '/d.conf': config(WITH_CA, user) }] as const;
    const own = (await found(...of({ token: 't' }, ''))).is;
    assert.deepEqual(own, {
      server: SERVER,
      caPem: CA,
      access: { server: SERVER, trust: { caPem: CA }, token: 't' },
      names: { cluster: 'k', user: 'u' },
    });
    const beside = (await found(...of(undefined, TOKEN))).is;
    assert.deepEqual([beside.access.token, beside.names.user], [TOKEN, 'tls-bootstrap-token-user']);
    assert.match(
      await failure(...of(undefined, '')),
      /^could not find authentication credentials for the TLS bootstrap process\. Please use Token discovery/,
    );
  });

  it('is found in some way', async () => {
    assert.equal(
      await failure({ tlsBootstrapToken: '' }, []),
      `${NOT_VALID}couldn't find a valid discovery configuration`,
    );
  });
});

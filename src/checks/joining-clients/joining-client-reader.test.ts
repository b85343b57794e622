import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import type { ClientRun, ComponentCall, Entry, Transcript, Truth } from '../../kubernetes/transcript.js';
import { createRequest } from '../../pki/request.js';
import { pinOf } from '../certificates/signature.js';
import { digestOf, REQUESTS, readAttempt, subjectOf, tellsSecrets } from './joining-client-reader.js';
import { keyIn } from './joining-request-reader.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const PIN = pinOf(publicKey.export({ type: 'spki', format: 'der' }));
const SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
const name = { commonName: 'system:node:a', organizations: ['system:nodes', 'b'] };
const { pem, base64 } = createRequest({ key: privateKey, subject: name });

type Request = Extract<Entry, { kind: 'request' }>;
const request = (more: Partial<Request> = {}): Request => ({
  kind: 'request',
  at: 0,
  connection: 1,
  certificate: 'good',
  method: 'GET',
  target: '/version',
  headers: {},
  authorization: undefined,
  body: '',
  answered: 200,
  ...more,
});
const runOf = (transcript: Partial<Transcript> = {}, truth: Partial<Truth> = {}): ClientRun => ({
  lie: 'x',
  server: 'y',
  truth: {
    discoveryTimeout: undefined,
    discoveryToken: 'aaaaaa.bbbbbbbbbbbbbbbb',
    bootstrapToken: 'cccccc.dddddddddddddddd',
    caPem: '',
    server: '',
    kubelet: '',
    shared: {},
    ...truth,
  },
  speaksKubeadm: true,
  transcript: { entries: [], said: [], exit: 0, message: '', files: {}, milliseconds: 1, ...transcript },
});
const seen = (...entries: readonly Entry[]) => readAttempt(runOf({ entries })).seen;

describe('a client that has not ended well', () => {
  const starved = (more: Partial<Transcript>): unknown => readAttempt(runOf({ exit: 1, ...more })).isStarved;

  it('may have lacked the time where the machine had none for half of it, at once or in all', () => {
    assert.equal(starved({ milliseconds: 7_000, lag: 2_000 }), true);
    assert.equal(starved({ milliseconds: 7_000, lag: 200, late: 4_000 }), true);
    assert.equal(starved({ milliseconds: 40_000, lag: 9_000, exit: undefined }), true);
  });

  it('has lacked none where it was short, ended at once, or well', () => {
    assert.equal(starved({ milliseconds: 7_000, lag: 1_000, late: 2_000 }), undefined);
    assert.equal(starved({ milliseconds: 2_000, lag: 2_000 }), undefined);
    assert.equal(starved({ milliseconds: 7_000, lag: 5_000, exit: 0 }), undefined);
    assert.equal(starved({ milliseconds: 7_000 }), undefined);
  });
});

describe('a request for a certificate', () => {
  const asked = (body: string, target = '/apis/certificates.k8s.io/v1/certificatesigningrequests?a=b') =>
    seen(request({ method: 'POST', target, body }))[0];
  const json = (spec: unknown): string => JSON.stringify({ spec });
  const subject = 'O=system:nodes, O=b, CN=system:node:a';

  it('is read from JSON', () => {
    const usages = ['client auth', 'own usage'];
    const one = asked(json({ request: base64, signerName: SIGNER, usages }));
    assert.equal(one?.what, REQUESTS);
    assert.equal(one?.key, PIN);
    assert.deepEqual(one?.request, { subject, signer: SIGNER, usages });
    assert.deepEqual(asked(json({ request: base64 }))?.request, { subject, signer: '', usages: [] });
    assert.equal(keyIn(json({ request: base64 })), PIN);
  });
  it('says for how long, and what the API server would say', () => {
    const plain = { subject, signer: '', usages: [] };
    const told = (more: object) => asked(json({ request: base64, ...more }))?.request;
    assert.deepEqual(told({ expirationSeconds: 600, uid: null }), { ...plain, seconds: 600 });
    assert.deepEqual(told({ expirationSeconds: '600', extra: {}, username: 'a' }), {
      ...plain,
      besides: ['username', 'extra'],
    });
  });
  it('says that its key has not signed it', () => {
    const broken = Buffer.from(base64, 'base64').toString('utf8');
    const [, body = ''] = /REQUEST-----\n([^-]+)-----/.exec(broken) ?? [];
    const bytes = Buffer.from(body, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const other = broken.replace(body, `${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n`);
    const told = asked(json({ request: Buffer.from(other).toString('base64') }))?.request;
    assert.deepEqual(told, { subject, signer: '', usages: [], unsigned: true });
  });
  it('says that its key has signed it with SHA-1', () => {
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { pem: asks } = createRequest({ key, subject: { commonName: 'a' }, signature: 'ECDSA-SHA1' });
    const told = asked(json({ request: Buffer.from(asks).toString('base64') }))?.request;
    assert.deepEqual(told, { subject: 'CN=a', signer: '', usages: [], unsigned: true });
  });
  it('says how many bits a key of RSA has', () => {
    const { privateKey: small } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const { pem: asks } = createRequest({ key: small, subject: { commonName: 'a' } });
    const told = asked(json({ request: Buffer.from(asks).toString('base64') }))?.request;
    assert.deepEqual(told, { subject: 'CN=a', signer: '', usages: [], rsaBits: 1024 });
  });
  it('is read from protobuf', () => {
    const all = ['digital signature', 'key encipherment', 'client auth', 'server auth', 'cert sign', 'any'];
    const told = (rest: string) => asked(`k8s\0\n\v${pem}\x1a\x2b${rest}`)?.request;
    assert.deepEqual(told(`${SIGNER}*${all.join('*')}`), { subject, signer: SIGNER, usages: all });
    for (const usage of all) assert.deepEqual(told(`*${usage}*`), { subject, signer: '', usages: [usage] });
    assert.deepEqual(told(''), { subject, signer: '', usages: [] });
    assert.equal(keyIn(`k8s\0${pem}`), PIN);
  });
  it('is none elsewhere, and where nothing is asked for', () => {
    assert.deepEqual(asked(json({ request: base64 }), '/api/v1/nodes')?.request, undefined);
    assert.equal(
      seen(request({ target: '/apis/certificates.k8s.io/v1/certificatesigningrequests' }))[0]?.key,
      undefined,
    );
    const odd = ['', '[]', '1', '{}', '{ [', json({ request: 'x' }), `x${pem}`, `${pem}k8s\0`, 'k8s\0'];
    for (const body of [...odd, json({ request: Buffer.from('x').toString('base64') })]) {
      const one = asked(body);
      assert.ok(one !== undefined && !('key' in one) && !('request' in one), body);
      assert.equal(keyIn(body), undefined);
    }
  });
});

describe('what a server saw', () => {
  it('is put together where it repeats itself at once, and in nothing differs', () => {
    const key = '-----BEGIN PRIVATE KEY-----';
    for (const more of [
      { connection: 2 },
      { certificate: 'bad' },
      { target: '/healthz' },
      { authorization: 'Bearer x' },
      { answered: 403 },
      { body: key },
    ] as const)
      assert.equal(seen(request(), request(more), request()).length, 3, JSON.stringify(more));
    const spec = { method: 'POST', target: REQUESTS.slice('POST '.length) };
    const own = request({ ...spec, body: JSON.stringify({ spec: { request: base64 } }) });
    assert.equal(seen(own, own, request(spec)).length, 2);
    const other = request({ ...spec, body: JSON.stringify({ spec: { request: base64, signerName: SIGNER } }) });
    assert.equal(seen(own, other, own).length, 3);
    assert.deepEqual(seen(request({ at: 1 }), request({ at: 3, body: 'x' })), [
      {
        ...{ first: 1, last: 3, times: 2, connection: 1, certificate: 'good' },
        ...{ what: 'GET /version', as: 'nobody', answered: 200 },
      },
    ]);
  });
  it('is told of connections too', () => {
    const closed = { kind: 'connection', at: 5, connection: 2, event: 'closed by client' } as const;
    const plain = { first: 5, last: 5, times: 1, connection: 2, certificate: '' };
    const told = { ...plain, what: 'closed by client', as: 'nobody', answered: null };
    assert.deepEqual(seen(closed), [told]);
    assert.deepEqual(seen({ ...closed, firstByte: 0x16, certificate: 'bad' }), [{ ...told, certificate: 'bad' }]);
    assert.deepEqual(seen({ ...closed, firstByte: 71 }), [
      { ...told, what: 'closed by client, to a client without TLS' },
    ]);
  });
  it('shows its token in its header, or somewhere else', () => {
    const strays = (more: Partial<Request>): boolean | undefined =>
      readAttempt(runOf({ entries: [request(more)] })).seen[0]?.strays;
    const token = 'cccccc.dddddddddddddddd';
    const authorization = `Bearer ${token}`;
    assert.equal(strays({ authorization, headers: { authorization } }), undefined);
    for (const more of [{ target: `/?t=${token}` }, { body: `"${token.slice(7)}"` }, { headers: { cookie: token } }])
      assert.equal(strays({ authorization, ...more }), true, JSON.stringify(more));
    const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
    assert.equal(strays({ authorization: basic(token.replace('.', ':')) }), true);
    assert.equal(strays({ authorization: basic('cccccc:other') }), undefined);
  });
  it('is asked with no token where only the id of one stands', () => {
    const as = (more: Partial<Request>, truth: Partial<Truth> = {}) =>
      readAttempt(runOf({ entries: [request(more)] }, truth)).seen[0]?.as;
    assert.equal(as({ target: '/?aaaaaa', body: 'cccccc' }), 'nobody');
    const other = 'nobody known, but with its token in some other place';
    assert.equal(as({ target: '/bbbbbbbbbbbbbbbb' }), other);
    assert.equal(as({ headers: { 'x-a': 'y', 'x-b': 'dddddddddddddddd' } }), other);
    // what is cut in two is none
    assert.equal(as({ target: '/dddddddd', body: 'dddddddd' }), 'nobody');
    const none = { discoveryToken: '', bootstrapToken: '' };
    assert.equal(as({}, none), 'nobody');
    assert.equal(as({ authorization: 'Bearer ' }, none), 'somebody else');
  });
  it('is kept up to two hundred', () => {
    const many = Array.from({ length: 201 }, (_, connection) => request({ connection }));
    assert.deepEqual(
      seen(...many).map(({ connection }) => connection),
      [...many.keys()].slice(0, 200),
    );
  });
});

describe('a client before a server', () => {
  it('is told by what it said, without tokens and keys', () => {
    const words = 'aaaaaa.bbbbbbbbbbbbbbbb, cccccc.dddddddddddddddd, 0a0a0a twice: 0a0a0a, aaaaaa and abcd';
    const said = Array.from({ length: 70 }, (_, at) => `${at}${at < 5 ? ': cccccc.dddddddddddddddd' : ''}`);
    const read = readAttempt(runOf({ message: words, said }, { certificateKey: '0a0a0a' }));
    const key = '(its certificate key)';
    assert.equal(read.words, `(its token), (its token), ${key} twice: ${key}, aaaaaa and abcd`);
    assert.deepEqual(
      read.said,
      [...said.slice(0, 5), ...said.slice(10)].map((line) => line.replace(/c+\.d+/, '(its token)')),
    );
    // a program's tabs are shown by then
    for (const tab of ['\t', '\\t']) {
      const found = `${tab}[ERROR FileAvailable--a]: /a already exists`;
      assert.deepEqual(readAttempt(runOf({ said: [found, ...said.slice(5)] })).said, [found, ...said.slice(10)]);
    }
    const encoded = [...['cccccc.dddddddddddddddd', 'd'.repeat(16)].map((one) => Buffer.from(one).toString('base64'))];
    for (const form of ['d'.repeat(16), ...encoded])
      assert.match(readAttempt(runOf({ message: form })).words, /^\(its token\)=*$/);
    const none = { discoveryToken: '', bootstrapToken: 'abcd' };
    assert.equal(readAttempt(runOf({ message: words }, none)).words, words);
    assert.equal(readAttempt(runOf({ message: 'ö'.repeat(3000) })).words, 'ö'.repeat(2000));
  });
  it('is told by its times and its files', () => {
    const mode = { mode: 0o600, text: '' };
    const plain = { subject: 'x (y)', exit: 0, words: '', said: [], speaksKubeadm: true, milliseconds: 1, seen: [] };
    const files = { '/b': mode, '/a': mode };
    assert.deepEqual(readAttempt(runOf({ files })), { ...plain, timeout: null, left: ['/a', '/b'] });
    assert.deepEqual(
      readAttempt(runOf({ exit: undefined, startsWithin: 7.6 }, { discoveryTimeout: 5, bootstrapTimeout: 6 })),
      { ...plain, exit: null, timeout: 5, waits: 6, starts: 8, left: [] },
    );
    assert.equal(subjectOf(runOf()), 'x (y)');
  });
  it('has files that are compared without being shown', () => {
    assert.equal(digestOf('a'), 'ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs');
    assert.equal(digestOf('\n a\n'), digestOf('a'));
    assert.notEqual(digestOf('a'), digestOf('b'));
  });
});

describe('what else is read of a client', () => {
  it('is what a patch of its Node says, in JSON', () => {
    const marks = (body: string, more: Partial<Request> = {}) =>
      seen(request({ method: 'PATCH', target: '/api/v1/nodes/worker-9', body, ...more }))[0]?.marks;
    const whole = {
      metadata: { labels: { b: '', a: 'c' } },
      spec: { taints: [{ key: 'k', effect: 'NoSchedule' }, { key: 'l' }] },
    };
    assert.deepEqual(marks(JSON.stringify(whole)), { labels: ['b', 'a=c'], taints: ['k:NoSchedule', 'l:'] });
    assert.deepEqual(marks('{"metadata":{"labels":{"a":null,"b":""}}}'), { labels: ['b'], taints: [], lost: ['a'] });
    for (const said of ['{"spec":{"taints":[]}}', '{"spec":{"taints":null}}'])
      assert.deepEqual(marks(said), { labels: [], taints: [], untaints: true }, said);
    for (const none of ['{}', '[]', '7', 'null']) assert.deepEqual(marks(none), { labels: [], taints: [] }, none);
    for (const none of ['', '{', 'k8s\0']) assert.equal(marks(none), undefined, none);
    for (const more of [
      { method: 'GET' },
      { target: '/api/v1/nodes/worker-9/status' },
      { target: '/api/v1/nodes/' },
      { target: '/x/PATCH /api/v1/nodes/a' },
    ])
      assert.equal(marks(JSON.stringify(whole), more), undefined, JSON.stringify(more));
    // two that differ in nothing else are two
    const patch = (labels: object): Request =>
      request({ method: 'PATCH', target: '/api/v1/nodes/a', body: JSON.stringify({ metadata: { labels } }) });
    assert.equal(seen(patch({ a: '' }), patch({ b: '' })).length, 2);
  });

  it('is whether it shows its token elsewhere, by the name that it asks', () => {
    const truth = { server: 'https://api:6443', ownServer: 'https://b:6443' };
    const elsewhere = (host: string | undefined, more: Partial<Request> = {}) =>
      readAttempt(runOf({ entries: [request({ headers: host === undefined ? {} : { host }, ...more })] }, truth))
        .seen[0]?.elsewhere;
    const authorization = 'Bearer cccccc.dddddddddddddddd';
    assert.equal(elsewhere('api:6443', { authorization }), undefined);
    assert.equal(elsewhere('API:6443', { authorization }), undefined);
    assert.equal(elsewhere('b:6443', { authorization }), undefined);
    assert.equal(elsewhere(undefined, { authorization }), undefined);
    assert.equal(elsewhere('192.0.2.1:6443', { authorization }), true);
    assert.equal(elsewhere('api:443', { authorization }), true);
    assert.equal(elsewhere('192.0.2.1:6443'), undefined);
  });

  it('is for which names it asks for a certificate', () => {
    const altNames = { dns: ['a.example'], ip: ['192.0.2.1'], uri: ['spiffe://a'], email: ['b@example'] };
    const asked = (more: object) => {
      const { base64: encoded } = createRequest({ key: privateKey, subject: name, ...more });
      return seen(
        request({ method: 'POST', target: REQUESTS.slice(5), body: JSON.stringify({ spec: { request: encoded } }) }),
      )[0]?.request?.names;
    };
    assert.deepEqual(asked({ altNames }), ['a.example', 'b@example', '192.0.2.1', 'spiffe://a']);
    assert.equal(asked({}), undefined);
  });

  it('is a token that strays, whatever else is the same', () => {
    const token = 'cccccc.dddddddddddddddd';
    const authorization = `Bearer ${token}`;
    const two = seen(request({ authorization }), request({ authorization, target: `/version?${token}` }));
    assert.deepEqual(
      two.map(({ what, strays }) => [what, strays]),
      [
        ['GET /version', undefined],
        ['GET /version', true],
      ],
    );
    // across what is joined there is none
    const cut = request({ target: `/${token.slice(0, 12)}`, body: token.slice(12) });
    assert.equal(seen(cut)[0]?.strays, undefined);
  });

  it('is how long it waits, how late it was and whether it is believed', () => {
    const told = readAttempt({ ...runOf({ lag: 7.6 }, { healthTimeout: 9 }), isBelievable: true });
    assert.deepEqual([told.health, told.lag, told.isBelievable], [9, 8, true]);
    const { health, lag, isBelievable } = readAttempt(runOf());
    assert.deepEqual([health, lag, isBelievable], [undefined, undefined, undefined]);
  });

  it('is what of its lines tells a token, once, before its last ones', () => {
    const token = 'cccccc.dddddddddddddddd';
    const lines = [
      ...Array.from({ length: 70 }, (_, at) => `${at} ${token}`),
      ...Array.from({ length: 58 }, (_, at) => `${at}`),
      `0 ${token}`,
    ];
    const { said } = readAttempt(runOf({ said: lines }));
    assert.equal(said.length, 120);
    assert.deepEqual(said.slice(0, 2), ['1 (its token)', '2 (its token)']);
    assert.deepEqual(said.slice(-2), ['57', '0 (its token)']);
    // a form of a dozen signs is no secret, one of more is
    const short = { discoveryToken: '', bootstrapToken: `abcdef.${'x'.repeat(12)}` };
    assert.equal(readAttempt(runOf({ message: 'x'.repeat(12) }, short)).words, 'x'.repeat(12));
    const long = { discoveryToken: '', bootstrapToken: `abcdef.${'x'.repeat(13)}` };
    assert.equal(readAttempt(runOf({ message: 'x'.repeat(13) }, long)).words, '(its token)');
  });

  it('is how what its kubelet starts was asked, one by one, as it was at last', () => {
    const call = (component: ComponentCall['component'], at: number, isWell: boolean): ComponentCall => ({
      component,
      at,
      isWell,
    });
    const { components, running } = readAttempt(
      runOf(
        {
          components: [
            call('kube-scheduler', 100, false),
            call('kube-apiserver', 150, false),
            call('kube-scheduler', 600, true),
            call('kube-apiserver', 700, true),
            call('kube-apiserver', 900, false),
          ],
        },
        { componentTimeout: 240_000 },
      ),
    );
    assert.deepEqual(components, [
      { component: 'kube-scheduler', times: 2, first: 100, last: 600, isWell: true },
      { component: 'kube-apiserver', times: 3, first: 150, last: 900, isWell: false },
    ]);
    assert.equal(running, 240_000);
  });

  it('is nothing of components where none runs, and none where none was asked', () => {
    const none = readAttempt(runOf());
    assert.deepEqual(['components' in none, 'running' in none], [false, false]);
    assert.deepEqual(readAttempt(runOf({ components: [] })).components, []);
  });

  it('may have lacked exactly half of its time', () => {
    const starved = (more: Partial<Transcript>): unknown => readAttempt(runOf({ exit: 1, ...more })).isStarved;
    assert.equal(starved({ milliseconds: 8_000, late: 4_000 }), true);
    assert.equal(starved({ milliseconds: 8_001, late: 4_000 }), undefined);
    assert.equal(starved({ milliseconds: 3_000, late: 3_000 }), true);
    assert.equal(starved({ milliseconds: 2_999, late: 3_000 }), undefined);
  });
});

describe('what a request says of whoever asks', () => {
  const seenOf = (more: Partial<Request>) => readAttempt(runOf({ entries: [request(more)] })).seen[0];

  it('tells headers that speak for somebody else, and cookies', () => {
    const headers = {
      'impersonate-user': 'a',
      'impersonate-extra-x': 'a',
      'x-remote-group': 'a',
      cookie: 'a',
      'x-remote-addr': 'a',
      accept: 'a',
    };
    assert.deepEqual(seenOf({ headers })?.claims, [
      'impersonate-user',
      'impersonate-extra-x',
      'x-remote-group',
      'cookie',
    ]);
    assert.equal(seenOf({ headers: { accept: 'a', 'x-forwarded-proto': 'https' } })?.claims, undefined);
    for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-user', 'x-real-ip'])
      assert.deepEqual(seenOf({ headers: { [name]: 'a' } })?.claims, [name]);
  });
  it('tells the key that a certificate is asked for with', () => {
    const asked = { method: 'POST', target: REQUESTS.slice(5), body: JSON.stringify({ spec: { request: base64 } }) };
    assert.equal(seenOf({ ...asked, clientCertificate: 'CN=a', clientKey: 'sha256:1' })?.shown, 'sha256:1');
    assert.equal(seenOf({ ...asked, clientCertificate: 'CN=a' })?.shown, undefined);
    assert.equal(seenOf({ clientCertificate: 'CN=a', clientKey: 'sha256:1' })?.shown, undefined);
  });
  it('tells a private key in base64, whatever form it has', () => {
    for (const type of ['pkcs8', 'sec1'] as const) {
      const key = privateKey.export({ type, format: 'der' }).toString('base64');
      assert.equal(seenOf({ body: JSON.stringify({ metadata: { annotations: { key } } }) })?.leaks, true);
      assert.equal(seenOf({ headers: { 'x-key': Buffer.from(key, 'base64').toString('hex') } })?.leaks, true);
      assert.equal(seenOf({ target: `/version?k=${Buffer.from(key, 'base64').toString('base64url')}` })?.leaks, true);
    }
    const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    assert.equal(seenOf({ body: JSON.stringify({ spki }) })?.leaks, undefined);
  });
  it('tells what is not chosen by a field, and what nothing protects', () => {
    const unselected = (target: string) => seenOf({ target })?.isUnselected;
    assert.equal(unselected('/api/v1/namespaces/kube-system/secrets'), true);
    assert.equal(unselected('/api/v1/nodes?limit=500'), true);
    assert.equal(unselected('/api/v1/nodes?fieldSelector=metadata.name%3Da'), undefined);
    assert.equal(unselected('/api/v1/nodes/a'), undefined);
    assert.equal(unselected('/api/v1/services'), undefined);
    assert.equal(seenOf({ isUnprotected: true })?.isUnprotected, true);
    assert.equal(seenOf({})?.isUnprotected, undefined);
  });
  it('tells what is written on a request', () => {
    const frills = (text: string, metadata: object = {}) =>
      seenOf({
        method: 'POST',
        target: REQUESTS.slice(5),
        body: JSON.stringify({ metadata, spec: { request: Buffer.from(text).toString('base64') } }),
      })?.request?.frills;
    assert.equal(frills(pem), undefined);
    assert.equal(frills(pem, { labels: {}, annotations: null }), undefined);
    assert.deepEqual(frills(pem, { labels: { a: 'b' }, annotations: { c: 'd' } }), ['annotations', 'labels']);
    assert.deepEqual(frills(`worker\n${pem}`), ['text around its PEM']);
  });
  it('tells a look that names the machine, and a Lease of another', () => {
    const target = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
    assert.equal(seenOf({ target })?.isNamed, undefined);
    assert.equal(seenOf({ target, headers: { 'user-agent': 'of WORKER-9' } })?.isNamed, true);
    assert.equal(seenOf({ target: '/a', headers: { 'user-agent': 'of worker-9' } })?.isNamed, undefined);
    const lease = (name: string) =>
      seenOf({
        method: 'POST',
        target: '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
        body: JSON.stringify({ metadata: { name } }),
      })?.ofAnother;
    assert.deepEqual([lease('worker-9'), lease('b')], [undefined, true]);
  });
  it('tells a status that nobody sends', () => {
    const asked = (status: object) =>
      seenOf({
        method: 'POST',
        target: REQUESTS.slice(5),
        body: JSON.stringify({ spec: { request: base64 }, status }),
      });
    assert.deepEqual(asked({ conditions: [{}] })?.request?.besides, ['status']);
    assert.equal(asked({})?.request?.besides, undefined);
  });
  it('tells what is asked for beside a client', () => {
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const besides = (more: object, metadata: object = {}, organizationalUnits: readonly string[] = []) => {
      const { base64: request } = createRequest({ key, subject: { commonName: 'a', organizationalUnits }, ...more });
      const body = JSON.stringify({ metadata, spec: { request } });
      return seenOf({ method: 'POST', target: REQUESTS.slice(5), body })?.request?.besides;
    };
    const extension = (oid: string, value: string) => ({
      extensions: [{ oid, critical: false, value: Buffer.from(value, 'hex') }],
    });
    assert.equal(besides({}), undefined);
    assert.deepEqual(besides(extension('2.5.29.19', '30030101ff')), ['CA']);
    assert.equal(besides(extension('2.5.29.19', '3000')), undefined);
    assert.deepEqual(besides(extension('2.5.29.37', '300a06082b06010505070301')), ['serverAuth']);
    assert.equal(besides(extension('2.5.29.37', '300a06082b06010505070302')), undefined);
    assert.deepEqual(besides(extension('2.5.29.15', '03020204')), ['keyCertSign']);
    assert.equal(besides(extension('2.5.29.15', '03020780')), undefined);
    assert.deepEqual(besides({}, {}, ['b']), ['2.5.4.11 in its name']);
    assert.deepEqual(besides({}, { finalizers: ['a/b'], ownerReferences: [{}] }), ['finalizers', 'ownerReferences']);
    assert.equal(besides({}, { finalizers: [] }), undefined);
    const [commonName, organization] = [
      { oid: '2.5.4.3', value: 'a' },
      { oid: '2.5.4.10', value: 'b' },
    ] as const;
    assert.equal(besides({ subject: [[organization], [commonName]] }), undefined);
    for (const subject of [[[organization, commonName]], [[commonName], [commonName]]])
      assert.deepEqual(besides({ subject }), ['a name of another form']);
    const twice = Buffer.from(pem + pem).toString('base64');
    const body = JSON.stringify({ spec: { request: twice } });
    assert.deepEqual(seenOf({ method: 'POST', target: REQUESTS.slice(5), body })?.request?.besides, [
      '2 blocks of PEM',
    ]);
  });
  it('tells what a Node says that others say of it', () => {
    const made = (node: object) =>
      seenOf({ method: 'POST', target: '/api/v1/nodes', body: JSON.stringify(node) })?.marks?.besides;
    const metadata = { finalizers: ['a/b'], ownerReferences: [{}] };
    assert.deepEqual(made({ metadata, spec: { unschedulable: true, podCIDRs: ['a'], configSource: {} } }), [
      'unschedulable',
      'podCIDRs',
      'configSource',
      'finalizers',
      'ownerReferences',
    ]);
    const nothing = { unschedulable: false, podCIDR: '', podCIDRs: [], configSource: null };
    assert.equal(made({ metadata: { finalizers: [] }, spec: nothing }), undefined);
  });
  it('tells servers that are asked by a name which they are not told', () => {
    const unnamed = (host: string, serverName?: string) =>
      seenOf({ headers: { host }, ...(serverName === undefined ? {} : { serverName }) })?.unnamed;
    assert.equal(unnamed('a.example:6443', ''), true);
    assert.equal(unnamed('a.example:6443', 'b.example'), true);
    assert.equal(unnamed('A.example:6443', 'a.example'), undefined);
    assert.equal(unnamed('a.example', 'a.example'), undefined);
    for (const host of ['127.0.0.1:6443', '[::1]:6443', '']) assert.equal(unnamed(host, ''), undefined, host);
    assert.equal(unnamed('a.example:6443'), undefined);
    assert.equal(seenOf({ serverName: '' })?.unnamed, undefined);
  });
  it('tells a token in the name of a server, and within a request for a certificate', () => {
    const half = 'dddddddddddddddd';
    assert.equal(seenOf({ serverName: `${half}.example` })?.strays, true);
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(`x${half}`).toString('base64')}\n-----END`;
    const within = JSON.stringify({ spec: { request: Buffer.from(pem).toString('base64') } });
    assert.equal(seenOf({ body: within })?.strays, true);
    assert.equal(seenOf({ body: pem })?.strays, true);
    assert.equal(seenOf({ body: within.replace('"request"', '"other"') })?.strays, undefined);
  });
  it('keeps no line that holds a token in another form', () => {
    const half = 'k3xq9zt07wmb5c1d';
    const lines = [`a ${half.toUpperCase()} b`, 'none'];
    assert.deepEqual(readAttempt(runOf({ said: lines }, { bootstrapToken: `abcdef.${half}` })).said, [
      '(its token)',
      'none',
    ]);
  });
  it('marks private keys that are said', () => {
    const pem = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
    const { said } = readAttempt(runOf({ said: [`kept: ${pem}`, '-----BEGIN PRIVATE KEY-----', 'none'] }));
    assert.deepEqual(
      said.slice(-3).map((line) => [line.trim(), tellsSecrets(line)]),
      [
        ['kept: (a private key)', true],
        ['(a private key)', true],
        ['none', false],
      ],
    );
    const key = privateKey.export({ type: 'pkcs8', format: 'der' });
    for (const line of [`kept ${key.toString('base64')}`, key.toString('hex'), Buffer.from(pem).toString('base64')])
      assert.deepEqual(readAttempt(runOf({ said: [line] })).said, ['(a private key)']);
  });
  it('tells a certificate key wherever it stands', () => {
    const certificateKey = '01'.repeat(32);
    const straysOf = (more: Partial<Request>) =>
      readAttempt(runOf({ entries: [request(more)] }, { certificateKey })).seen[0]?.strays;
    assert.equal(straysOf({ target: `/version?key=${certificateKey}` }), true);
    assert.equal(straysOf({ target: '/version?key=1' }), undefined);
  });
});

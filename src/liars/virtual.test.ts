import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Trust, WireAnswer, WireQuestion } from '../kubernetes/wire.js';
import { issueCredential } from '../pki/authority.js';
import { castAt } from './cast.js';
import type { Lie, Reply } from './lie.js';
import { NeverEnds, VirtualWire, virtualClock } from './virtual.js';

const START = Date.UTC(2026, 0, 1);
const { authorities } = castAt(START);
const CA: Trust = { caPem: authorities.ca.certificate.pem };

function wireTo(lie: Partial<Lie> = {}) {
  const clock = virtualClock(START);
  const wire = new VirtualWire({ name: 'x', server: 'y', right: 'joins', ...lie }, '127.0.0.1:6443', clock);
  const { endpoint } = wire.liar.scene;
  const ask = (url = `https://${endpoint}/version`, more: Partial<WireQuestion> = {}): Promise<WireAnswer> =>
    wire.exchange({ method: 'GET', url, headers: {}, trust: CA, largest: 1000, ...more });
  const port = endpoint.split(':')[1] ?? '';
  return { wire, clock, ask, port, passed: () => clock.now() - START };
}
const said = (answer: WireAnswer): unknown =>
  answer.kind === 'answer' ? answer.status : { ...answer.failure, begun: undefined };
const failed = (cause: string, more: object = {}): unknown => ({ cause, ...more, begun: undefined });
const events = ({ liar }: VirtualWire): readonly string[] =>
  liar.journal.map((entry) => (entry.kind === 'connection' ? entry.event : entry.target));
const answering = (reply: Reply): Partial<Lie> => ({ answer: () => reply });
const plain = (body: string | Buffer, more: object = {}): Partial<Lie> => answering({ status: 200, body, ...more });

describe('a clock that moves when somebody waits', () => {
  it('never goes back', async () => {
    const clock = virtualClock(5);
    await clock.sleep(3);
    await clock.sleep(-2);
    assert.equal(clock.now(), 8);
  });
});

describe('whom a wire in memory reaches', () => {
  it('is the server, by its names and at its port, and nobody else', async () => {
    const { wire, ask, port } = wireTo();
    const tries: readonly (readonly [string, unknown])[] = [
      [`https://127.0.0.1:${port}/version`, 200],
      [`https://localhost:${port}/version`, 200],
      [`https://LOCALHOST:${port}/version`, 200],
      [`https://[::ffff:127.0.0.1]:${port}/version`, 200],
      ['https://127.0.0.1:1/version', failed('refused')],
      ['https://127.0.0.1/version', failed('refused')],
      [`https://192.0.2.9:${port}/version`, failed('unknown host')],
      ['https://192.0.2.20:6443/version', failed('unknown host')],
      ['https://127.0.0.1:65536/version', failed('bad address')],
      [`http://127.0.0.1:${port}/version`, failed('reset')],
      ['http://127.0.0.1/version', failed('refused')],
      [`ftp://127.0.0.1:${port}/`, failed('other', { why: 'this is no URL' })],
      [`x https://127.0.0.1:${port}/`, failed('other', { why: 'this is no URL' })],
    ];
    for (const [url, expected] of tries) assert.deepEqual(said(await ask(url)), expected, url);
    assert.deepEqual(wire.astray, [
      'https://127.0.0.1:1',
      'https://127.0.0.1:443',
      `https://192.0.2.9:${port}`,
      'https://192.0.2.20:6443',
      'https://127.0.0.1:65536',
      'http://127.0.0.1:80',
    ]);
    assert.equal(events(wire).at(-1), 'plain request');
  });

  it('is nobody where nobody listens', async () => {
    assert.deepEqual(said(await wireTo({ listens: false }).ask()), failed('refused'));
  });

  it('is the server at the usual port, where its URL names none', async () => {
    const { ask } = wireTo({ cluster: { server: () => 'https://localhost' } });
    assert.equal(said(await ask('https://localhost/version')), 200);
    assert.deepEqual(said(await wireTo().ask('https://localhost/version')), failed('refused'));
  });

  it('is the API server of the machine, where that is a control plane', async () => {
    const own = 'https://192.0.2.20:6443/version';
    const { ask } = wireTo({ told: { certificateKey: 'right' } });
    assert.equal(said(await ask(own)), 200);
    assert.deepEqual(said(await ask('https://192.0.2.20:6444/version')), failed('unknown host'));
    assert.deepEqual(said(await ask('https://192.0.2.21:6443/version')), failed('unknown host'));
  });

  it('is what runs beside the client, where that is started', async () => {
    const url = 'https://127.0.0.1:10257/healthz?verbose';
    const { ask } = wireTo({ components: {} });
    assert.deepEqual([said(await ask(url)), said(await ask(url))], [404, 200]);
    assert.deepEqual(said(await ask(url.replace('https', 'http'))), failed('refused'));
    assert.deepEqual(said(await ask(url.replace('127.0.0.1', 'localhost'))), failed('refused'));
    assert.deepEqual(said(await wireTo().ask(url)), failed('refused'));
  });

  it('is nobody for ever', async () => {
    const { ask } = wireTo();
    for (let times = 0; times < 5000; times += 1) await ask('https://127.0.0.1:1/');
    await assert.rejects(ask('https://127.0.0.1:1/'), NeverEnds);
  });
});

describe('a handshake in memory', () => {
  it('is made where the certificate is believed', async () => {
    const tries: readonly (readonly [Partial<Lie>, Trust, unknown])[] = [
      [{}, CA, undefined],
      [{}, 'anybody', undefined],
      [{}, { caPem: authorities['other ca'].certificate.pem }, 'authority'],
      [{}, { caPem: '' }, 'authority'],
      [{}, 'host', 'authority'],
      [{ told: { hostTrusts: 'ca' } }, 'host', undefined],
      [{ told: { hostTrusts: 'other ca' } }, 'host', 'authority'],
      [{ certificate: () => 'by other ca' }, CA, 'authority'],
      [{ certificate: () => 'by other ca' }, 'anybody', undefined],
      [{ certificate: () => 'expired' }, CA, 'dates'],
      [{ certificate: () => 'other name' }, CA, 'name'],
      [{ certificate: () => 'client eku' }, CA, 'usage'],
    ];
    for (const [lie, trust, problem] of tries) {
      const { ask, wire } = wireTo(lie);
      const answer = await ask(undefined, { trust });
      const found =
        answer.kind === 'failure' && answer.failure.cause === 'untrusted' ? answer.failure.problem.kind : undefined;
      assert.equal(found, problem);
      assert.deepEqual(events(wire), [problem === undefined ? '/version' : 'certificate refused']);
    }
  });

  it('may fail before', async () => {
    const tries = {
      closed: [failed('reset'), 'closed after accept'],
      'plain http': [failed('not tls'), 'answered without tls'],
      'no common cipher': [failed('handshake'), 'no common cipher'],
      silent: [failed('time', { during: 'connecting' }), 'silent'],
      'old tls': [failed('handshake'), 'no common cipher'],
    } as const;
    for (const [how, [expected, event]] of Object.entries(tries)) {
      const { ask, wire, passed } = wireTo({ accepts: () => how as keyof typeof tries });
      assert.deepEqual(said(await ask(undefined, { within: 9 })), expected, how);
      assert.deepEqual(events(wire), [event], how);
      assert.equal(passed(), how === 'silent' ? 9 : 0);
    }
  });

  it('is made with who offers what protects nothing', async () => {
    const { ask } = wireTo({ accepts: () => 'null cipher' });
    assert.equal(said(await ask(undefined, { offersWeak: true })), 200);
  });

  it('is made once for each trust, certificate and name', async () => {
    const { ask, wire, port } = wireTo();
    const certificate = issueCredential(authorities.ca, {
      subject: { commonName: 'a' },
      extendedKeyUsage: ['clientAuth'],
      key: 'ECDSA-P256',
      now: START,
    });
    const shown = { certificate: certificate.certificatePem, key: certificate.keyPem };
    const asked: readonly (readonly [string | undefined, Partial<WireQuestion>])[] = [
      [undefined, {}],
      [undefined, {}],
      [undefined, { trust: 'anybody' }],
      [undefined, { certificate: shown }],
      [undefined, { certificate: shown }],
      [`https://localhost:${port}/version`, {}],
      [undefined, {}],
    ];
    for (const [url, more] of asked) await ask(url, more);
    const requests = wire.liar.journal.flatMap((entry) => (entry.kind === 'request' ? [entry] : []));
    assert.deepEqual(
      requests.map(({ connection }) => connection),
      [1, 1, 2, 3, 3, 4, 1],
    );
    assert.deepEqual(
      requests.map(({ clientKey = '' }) => /^sha256:[0-9a-f]{64}$/.test(clientKey)),
      [false, false, false, true, true, false, false],
    );
    assert.deepEqual(
      requests.map(({ serverName }) => serverName),
      ['', '', '', '', '', 'localhost', ''],
    );
  });
});

describe('an answer in memory', () => {
  it('comes with its headers, and as it is carried', async () => {
    const answer = await wireTo(plain('ab', { headers: { a: 'b' }, form: 'chunked' })).ask();
    assert.deepEqual(answer, {
      kind: 'answer',
      status: 200,
      headers: { a: 'b' },
      body: Buffer.from('ab'),
      form: 'chunked',
    });
  });

  it('is told where it was asked for', async () => {
    const { ask, wire } = wireTo();
    await ask(`https://localhost:${wire.liar.scene.endpoint.split(':')[1]}/version`, {
      headers: { a: 'b' },
      body: 'c',
    });
    const [entry] = wire.liar.journal;
    assert.ok(entry?.kind === 'request');
    assert.deepEqual([entry.headers.host?.split(':')[0], entry.headers.a, entry.body], ['localhost', 'b', 'c']);
  });

  it('is not read beyond what the client reads, packed or not', async () => {
    const gzip = { headers: { 'content-encoding': 'gzip' } };
    const tries: readonly (readonly [Partial<Lie>, unknown])[] = [
      [plain('a'.repeat(1000)), 200],
      [plain('a'.repeat(1001)), failed('too large')],
      [plain(gzipSync('a'.repeat(1000)), gzip), 200],
      [plain(gzipSync('a'.repeat(1001)), gzip), failed('too large')],
    ];
    for (const [lie, expected] of tries) assert.deepEqual(said(await wireTo(lie).ask()), expected);
    const packed = await wireTo(plain(gzipSync('ab'), gzip)).ask();
    assert.ok(packed.kind === 'answer');
    assert.deepEqual([String(packed.body), packed.headers], ['ab', {}]);
  });

  it('may not come: hung, dripped, cut or reset', async () => {
    const tries = {
      hang: failed('time', { during: 'waiting' }),
      drip: failed('time', { during: 'reading' }),
      cut: failed('cut'),
      reset: failed('reset'),
    } as const;
    for (const [reply, expected] of Object.entries(tries)) {
      const { ask, wire, passed } = wireTo(answering(reply as keyof typeof tries));
      assert.deepEqual(said(await ask(undefined, { within: 9 })), expected, reply);
      assert.equal(passed(), reply === 'hang' || reply === 'drip' ? 9 : 0, reply);
      assert.equal(events(wire).includes('closed by client'), reply === 'drip', reply);
    }
    const half = await wireTo(plain('ab', { isHalf: true })).ask();
    assert.deepEqual(half, { kind: 'failure', failure: { cause: 'cut', begun: Buffer.from('ab') } });
  });

  it('is waited for: as long as it takes, or as long as the client has', async () => {
    const late = plain('', { after: 20 });
    for (const [within, expected, time] of [
      [undefined, 200, 20],
      [20, 200, 20],
      [30, 200, 20],
      [19, failed('time', { during: 'waiting' }), 19],
    ] as const) {
      const { ask, passed } = wireTo(late);
      assert.deepEqual(said(await ask(undefined, within === undefined ? {} : { within })), expected);
      assert.equal(passed(), time);
    }
    for (const lie of [answering('hang'), answering('drip'), { accepts: () => 'silent' as const }]) {
      const { ask, passed } = wireTo(lie);
      await assert.rejects(ask(), NeverEnds);
      assert.equal(passed(), 60_000);
    }
  });

  it('keeps its connection, but for one that ends with it', async () => {
    const connections = async (lie: Partial<Lie>): Promise<number> => {
      const { ask, wire } = wireTo(lie);
      await ask(undefined, { within: 9 });
      await ask(undefined, { within: 9 });
      return Math.max(...wire.liar.journal.map(({ connection }) => connection));
    };
    assert.equal(await connections(plain('')), 1);
    assert.equal(await connections(plain('', { form: 'chunked' })), 1);
    for (const lie of [
      plain('', { form: 'until closed' }),
      plain('', { headers: { connection: 'close' } }),
      plain('', { isHalf: true }),
      answering('cut'),
      answering('reset'),
      answering('hang'),
    ])
      assert.equal(await connections(lie), 2);
  });
});

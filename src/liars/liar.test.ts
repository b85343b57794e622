import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Entry } from '../kubernetes/transcript.js';
import { CLUSTER_INFO_PATH, clusterInfoMap, json } from './answers.js';
import { type Came, Liar } from './liar.js';
import type { Lie, Reply } from './lie.js';
import { authorityPem, clusterInfo, payload } from './scene.js';

const START = Date.UTC(2026, 0, 1);
const VERSION = '/version';
const MAP = '/api/v1/namespaces/kube-system/configmaps/kubelet-config';

function started(lie: Partial<Lie> = {}, release?: string) {
  let now = START;
  const place = { endpoint: '127.0.0.1:6443', now: () => now, ...(release === undefined ? {} : { release }) };
  const liar = new Liar({ name: 'x', server: 'y', right: 'joins', ...lie }, place);
  const answer = (target: string, more: Partial<Came> = {}): Reply =>
    liar.answer({ connection: 1, method: 'GET', target, headers: {}, body: '', ...more });
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { liar, answer, pass };
}
const status = (reply: Reply): number | string => (typeof reply === 'string' ? reply : reply.status);
const body = (reply: Reply): unknown => (typeof reply === 'string' ? reply : JSON.parse(String(reply.body)));
const BY_TOKEN = { headers: { authorization: 'Bearer a' } };

describe('a liar', () => {
  it('has cluster-info for everybody, honest or as it is told', () => {
    const { liar, answer } = started();
    assert.deepEqual(body(answer(CLUSTER_INFO_PATH)), clusterInfoMap(clusterInfo(payload(liar.scene))));
    const told = started({ data: (_, nth) => (nth === 2 ? { a: 'b' } : undefined) });
    assert.deepEqual(body(told.answer(CLUSTER_INFO_PATH)), clusterInfoMap(clusterInfo(payload(told.liar.scene))));
    assert.deepEqual(body(told.answer(CLUSTER_INFO_PATH)), clusterInfoMap({ a: 'b' }));
    assert.equal(status(answer(CLUSTER_INFO_PATH, { method: 'PUT' })), 403);
  });

  it('is of the release that it is told, or the newest', () => {
    assert.equal(started().liar.scene.release, '1.36.1');
    assert.equal(started({}, '1.31.0').liar.scene.release, '1.31.0');
  });

  it('may answer anything, where it does', () => {
    const { answer } = started({ answer: ({ nth }) => (nth === 1 ? 'hang' : undefined) });
    assert.deepEqual([status(answer(VERSION)), status(answer(VERSION))], ['hang', 200]);
  });

  it('sees of a request what it needs', () => {
    const seen: unknown[] = [];
    const { answer } = started({
      answer: (asked) => {
        seen.push(asked);
        return undefined;
      },
    });
    answer(`${VERSION}?a=b`, { ...BY_TOKEN, clientCertificate: 'c', connection: 4, body: 'd' });
    answer(VERSION);
    const common = { method: 'GET', path: VERSION, isAstray: false };
    assert.deepEqual(seen, [
      { ...common, query: 'a=b', nth: 1, connection: 4, authorization: 'Bearer a', certified: true, body: 'd' },
      { ...common, query: '', nth: 2, connection: 1, authorization: undefined, certified: false, body: '' },
    ]);
  });

  it('refuses forms before it looks', () => {
    const { answer } = started({ answer: () => 'hang' });
    assert.equal(status(answer(MAP, { headers: { accept: 'text/html' } })), 406);
    assert.equal(status(answer(MAP)), 'hang');
  });

  it('writes down who asked what, and what he was answered', () => {
    const { liar, answer, pass } = started();
    pass(5);
    answer(MAP, { ...BY_TOKEN, clientCertificate: 'c', clientKey: 'k', tls: 'TLSv1.3', serverName: '' });
    answer(VERSION);
    const common = { kind: 'request', at: 5, connection: 1, certificate: 'good', method: 'GET', body: '' };
    const entries: readonly unknown[] = [
      {
        ...common,
        target: MAP,
        headers: BY_TOKEN.headers,
        authorization: 'Bearer a',
        clientCertificate: 'c',
        clientKey: 'k',
        tls: 'TLSv1.3',
        serverName: '',
        answered: 200,
      },
      { ...common, target: VERSION, headers: {}, authorization: undefined, answered: 200 },
    ];
    assert.deepEqual(liar.journal, entries);
  });
});

describe('connections to a liar', () => {
  it('are numbered, and become what they are told', () => {
    const { liar } = started({
      accepts: (connection) => (connection === 2 ? 'closed' : 'tls'),
      certificate: (connection) => (connection === 1 ? 'expired' : 'good'),
    });
    const { serving } = liar.scene.cast;
    assert.deepEqual(
      [liar.accept(), liar.accept(), liar.accept()],
      [
        { connection: 1, how: 'tls', serving: serving.expired },
        { connection: 2, how: 'closed', serving: serving.good },
        { connection: 3, how: 'tls', serving: serving.good },
      ],
    );
  });

  it('are told of with their certificate, where one was shown', () => {
    const { liar, pass } = started();
    pass(7);
    liar.accept();
    const events = ['silent', 'closed after accept', 'answered without tls', 'certificate refused'] as const;
    for (const event of events) liar.note(1, event, event === 'answered without tls' ? { firstByte: 22 } : {});
    const common = { kind: 'connection', at: 7, connection: 1 } as const;
    const entries: readonly Entry[] = [
      { ...common, event: 'silent' },
      { ...common, event: 'closed after accept' },
      { ...common, event: 'answered without tls', firstByte: 22 },
      { ...common, event: 'certificate refused', certificate: 'good' },
    ];
    assert.deepEqual(liar.journal, entries);
  });

  it('that protect nothing are known by their requests', () => {
    const { liar, answer } = started({ accepts: (connection) => (connection === 1 ? 'old tls' : 'tls') });
    liar.accept();
    liar.accept();
    answer(VERSION);
    answer(VERSION, { connection: 2 });
    const marks = liar.journal.map((entry) => entry.kind === 'request' && entry.isUnprotected === true);
    assert.deepEqual(marks, [true, false]);
  });

  it('change once all is asked for that changes them, the next ones alone, and none is kept', () => {
    const { liar, answer } = started({ changes: { after: [/cluster-info$/, /version/], to: 'by other ca' } });
    const certificate = (): string => {
      const { connection } = liar.accept();
      liar.note(connection, 'certificate refused');
      const last = liar.journal.at(-1);
      return last?.kind === 'connection' ? (last.certificate ?? '') : '';
    };
    assert.equal(certificate(), 'good');
    const first = answer(CLUSTER_INFO_PATH);
    assert.ok(typeof first !== 'string' && first.headers?.connection === 'close');
    assert.equal(certificate(), 'good');
    answer(VERSION, { connection: 2 });
    answer(VERSION, { connection: 2 });
    assert.equal(certificate(), 'by other ca');
    // those of before stay as they were
    liar.note(2, 'certificate refused');
    const last = liar.journal.at(-1);
    assert.equal(last?.kind === 'connection' && last.certificate, 'good');
  });

  it('change for who shows a certificate alone, where that is told, and may become others', () => {
    const { liar, answer } = started({
      changes: { after: [/version/], to: 'good', how: 'silent', isCertified: true },
    });
    const how = (): string => liar.accept().how;
    how();
    answer(VERSION);
    assert.equal(how(), 'tls');
    answer(VERSION, { clientCertificate: 'c' });
    assert.equal(how(), 'silent');
  });

  it('find a CA of his own in cluster-info with who takes the place of the server of a node', () => {
    const { liar, answer } = started({ changes: { after: [/version/], to: 'by other ca', isCertified: true } });
    const own = clusterInfoMap(clusterInfo(payload(liar.scene)));
    const ofOther = clusterInfoMap(clusterInfo(payload(liar.scene, [{ ca: authorityPem(liar.scene, 'other ca') }])));
    const on = (connection: number): unknown => body(answer(CLUSTER_INFO_PATH, { connection }));
    liar.accept();
    answer(VERSION, { connection: 1, clientCertificate: 'a' });
    liar.accept();
    assert.deepEqual([on(1), on(2)], [own, ofOther]);
  });

  it('are kept where nothing changes', () => {
    const reply = started().answer(VERSION);
    assert.ok(typeof reply !== 'string' && reply.headers?.connection === undefined);
  });
});

describe('answers of a liar', () => {
  it('are carried as it is told, but for those that do not end', () => {
    const form = 'chunked';
    const of = (lie: Partial<Lie>): unknown => {
      const reply = started({ form, ...lie }).answer(VERSION);
      return typeof reply === 'string' ? reply : reply.form;
    };
    assert.equal(of({}), form);
    assert.equal(of({ answer: () => 'cut' }), 'cut');
    assert.equal(of({ answer: () => ({ status: 200, body: '', holds: true }) }), undefined);
  });

  describe('where it has a path of its own', () => {
    const cases: readonly (readonly [string, Partial<Lie>, Readonly<Record<string, number>>])[] = [
      [
        'its endpoint',
        { told: { endpoint: () => '127.0.0.1:6443/blue' } },
        { [CLUSTER_INFO_PATH]: 404, [`/blue${CLUSTER_INFO_PATH}`]: 200, [MAP]: 200, [`/blue${MAP}`]: 200 },
      ],
      [
        'its server',
        { cluster: { server: () => 'https://127.0.0.1:6443/blue' } },
        { [CLUSTER_INFO_PATH]: 200, [`/blue${CLUSTER_INFO_PATH}`]: 200, [MAP]: 404, [`/blue${MAP}`]: 200 },
      ],
      [
        'neither',
        {},
        { [CLUSTER_INFO_PATH]: 200, [`/blue${CLUSTER_INFO_PATH}`]: 404, [MAP]: 200, [`/blue${MAP}`]: 404 },
      ],
      [
        'another one that begins alike',
        { cluster: { server: () => 'https://127.0.0.1:6443/blue' } },
        { [`/blues${MAP}`]: 404, [`/red${MAP}`]: 404 },
      ],
    ];
    for (const [what, lie, expected] of cases)
      it(`are below it: ${what}`, () => {
        const { answer } = started(lie);
        const got = Object.keys(expected).map((path) => [path, status(answer(path, BY_TOKEN))]);
        assert.deepEqual(Object.fromEntries(got), expected);
      });
  });

  it('are those of the API server of the machine, at its own address and without a token', () => {
    const own = { headers: { host: '192.0.2.20:6443' } };
    const { answer, liar } = started({ components: {} });
    const asked = [
      answer('/livez', own),
      answer('/livez', own),
      answer('/livez', { headers: { host: '127.0.0.1:6443' } }),
      answer('/livez', { headers: { ...own.headers, ...BY_TOKEN.headers } }),
      answer('/version', own),
    ];
    assert.deepEqual(asked.map(status), [403, 200, 200, 200, 200]);
    assert.equal(liar.components.calls.length, 2);
    assert.equal(status(started().answer('/livez', own)), 200);
  });

  it('are refused beside all that is known', () => {
    assert.equal(status(started({ answer: () => json(201, {}) }).answer('/x')), 201);
    assert.equal(status(started().answer('/x', BY_TOKEN)), 404);
  });
});

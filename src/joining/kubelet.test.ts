import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import { createAuthority, issue } from '../pki/authority.js';
import { generateKey } from '../pki/keys.js';
import { parseRequestPem } from '../pki/request.js';
import { type Disk, Kubelet } from './kubelet.js';
import type { Answer, Asker, Identity, Question } from './ports.js';

const START = Date.UTC(2026, 0, 1);
const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: START });

/** An API for certificate requests whose approver and signer do what `answer` says, once per request. */
function cluster(
  answer: (request: CertificateSigningRequest) => Partial<NonNullable<CertificateSigningRequest['status']>> | 'deleted',
) {
  const stored = new Map<string, CertificateSigningRequest>();
  const asked: string[] = [];
  let now = START;
  let counter = 0;
  const reply = (status: number, body?: unknown): Answer => ({ status, headers: {}, text: '', body });
  const ask =
    (identity: Identity) =>
    async (question: Question): Promise<Answer> => {
      asked.push(`${identity.kind} ${question.method ?? 'GET'}`);
      if (question.method === 'POST' && question.path.endsWith('/nodes')) return reply(201, question.body);
      if (question.method === 'POST') {
        const sent = question.body as CertificateSigningRequest;
        counter += 1;
        const name = sent.metadata.name ?? `csr-${counter}`;
        if (stored.has(name)) return reply(409);
        const object = { ...sent, metadata: { name } };
        stored.set(name, object);
        return reply(201, object);
      }
      const name = decodeURIComponent(question.path.slice(question.path.lastIndexOf('/') + 1));
      const object = stored.get(name);
      const decided = object === undefined ? 'deleted' : answer(object);
      return decided === 'deleted' ? reply(404) : reply(200, { ...object, status: decided });
    };
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const as = (identity: Identity): Asker => ({ ask: ask(identity) });
  return { server: 'https://127.0.0.1:6443', clock, as, asked, stored };
}

const approved = { type: 'Approved', status: 'True' };
function sign(request: CertificateSigningRequest, life = 3_600_000, key?: ReturnType<typeof generateKey>): string {
  const facts = parseRequestPem(Buffer.from(request.spec.request, 'base64').toString());
  const leaf = issue(authority, {
    subject: { commonName: facts.commonName, organizations: facts.organizations },
    publicKey: key ?? facts.spki,
    notBefore: START,
    notAfter: START + life,
    extendedKeyUsage: ['clientAuth'],
  });
  return Buffer.from(leaf.pem).toString('base64');
}
const generous = cluster.bind(undefined, (request: CertificateSigningRequest) => ({
  conditions: [approved],
  certificate: sign(request),
}));
const waiting = cluster.bind(undefined, () => ({}));

const kubelet = (api: ReturnType<typeof cluster>, disk: Disk = {}, rotate = true): Kubelet =>
  new Kubelet({
    cluster: api,
    nodeName: 'Worker-1',
    token: 'abcdef.0123456789abcdef',
    disk,
    rotate,
    random: () => 0.5,
  });

describe('a kubelet that joins', () => {
  it('asks with its token for its lower-case name, keeps the pair, and is the node from then on', async () => {
    const api = generous();
    const machine = kubelet(api);
    const outcome = await machine.start(1_000);
    assert.equal(outcome.kind, 'issued');
    const [request] = api.stored.values();
    const facts = parseRequestPem(Buffer.from(request?.spec.request ?? '', 'base64').toString());
    assert.equal(facts.commonName, 'system:node:worker-1');
    assert.deepEqual(facts.organizations, ['system:nodes']);
    assert.deepEqual(request?.spec.usages, ['digital signature', 'client auth']);
    await machine.registerNode();
    assert.deepEqual(machine.steps, [
      'creates a request, with the token',
      'fetches its certificate, with the token',
      'registers its Node, as the node',
    ]);
    assert.equal(api.asked.at(-1), 'certificate POST');
  });

  it('asks nothing where its disk is good, and again once its certificate has ended', async () => {
    const api = generous();
    const disk: Disk = {};
    await kubelet(api, disk).start(1_000);
    assert.equal((await kubelet(api, disk).start(1_000)).kind, 'had');
    assert.equal(api.stored.size, 1);
    await api.clock.sleep(3_600_001);
    assert.equal((await kubelet(api, disk).start(1_000)).kind, 'issued');
    assert.equal(api.stored.size, 2);
  });

  it('needs a token where its disk is empty', async () => {
    const outcome = await new Kubelet({ cluster: generous(), nodeName: 'a' }).start(1_000);
    assert.equal(outcome.kind, 'unable');
  });

  it('waits, and goes on waiting for the same request', async () => {
    let open = false;
    const api = cluster((request) => (open ? { conditions: [approved], certificate: sign(request) } : {}));
    const machine = kubelet(api);
    assert.equal((await machine.start(1_000)).kind, 'waiting');
    open = true;
    assert.equal((await machine.goOn(1_000)).kind, 'issued');
    assert.equal(api.stored.size, 1);
  });

  it('does not take an approval without a certificate for success', async () => {
    assert.equal((await kubelet(cluster(() => ({ conditions: [approved] }))).start(1_000)).kind, 'waiting');
  });

  for (const [type, kind] of [
    ['Denied', 'denied'],
    ['Failed', 'failed'],
  ] as const) {
    it(`gives up where its request is ${kind}`, async () => {
      assert.equal(
        (await kubelet(cluster(() => ({ conditions: [{ type, status: 'True' }] }))).start(1_000)).kind,
        kind,
      );
    });
  }

  it('says that its request is gone', async () => {
    assert.equal((await kubelet(cluster(() => 'deleted')).start(1_000)).kind, 'deleted');
  });

  it('says each time that it looks what its request waits for', async () => {
    let looked = 0;
    const api = cluster((request) => {
      looked += 1;
      if (looked === 1) return {};
      return looked === 2 ? { conditions: [approved] } : { conditions: [approved], certificate: sign(request) };
    });
    const told: string[] = [];
    const token = 'abcdef.0123456789abcdef';
    const machine = new Kubelet({ cluster: api, nodeName: 'w', token, waits: (why) => told.push(why) });
    assert.equal((await machine.start(60_000)).kind, 'issued');
    assert.deepEqual(told, [
      'the request csr-1 waits for its approval',
      'the request csr-1 waits for its certificate, being approved',
    ]);
  });

  it('keeps no certificate of another key', async () => {
    const other = generateKey('ECDSA-P256');
    const machine = kubelet(
      cluster((request) => ({ conditions: [approved], certificate: sign(request, 3_600_000, other) })),
    );
    assert.equal((await machine.start(1_000)).kind, 'unable');
    assert.equal(machine.disk.current, undefined);
  });

  it('makes a new request with a new key after a restart half-way, with rotation', async () => {
    const api = waiting();
    const disk: Disk = {};
    await kubelet(api, disk).start(0);
    assert.deepEqual(disk.kubeconfig, { server: api.server });
    await kubelet(api, disk).start(0);
    const requests = [...api.stored.values()].map(({ spec }) => spec.request);
    assert.equal(new Set(requests).size, 2);
  });

  it('finds its old request by its old key after a restart half-way, without rotation', async () => {
    let open = false;
    const api = cluster((request) => (open ? { conditions: [approved], certificate: sign(request) } : {}));
    const disk: Disk = {};
    await kubelet(api, disk, false).start(0);
    assert.equal(disk.kubeconfig, undefined);
    open = true;
    assert.equal((await kubelet(api, disk, false).start(1_000)).kind, 'issued');
    assert.equal(api.stored.size, 1);
    assert.equal(disk.waitingKey, undefined);
    assert.match([...api.stored.keys()][0] ?? '', /^node-csr-[A-Za-z0-9_-]{43}$/);
  });

  it('renews between 70 and 90 percent of a life, with a new key, and keeps the old pair until then', async () => {
    const api = generous();
    const disk: Disk = {};
    const machine = kubelet(api, disk);
    await machine.start(1_000);
    const first = disk.current;
    assert.equal(machine.renewalDeadline(), START + 3_600_000 * 0.8);
    await machine.renew(1_000, { take: false });
    assert.equal(disk.current, first);
    await machine.renew(1_000);
    assert.notEqual(disk.current?.key, first?.key);
  });

  it('names its hosts and addresses in a serving request, sorted and once', async () => {
    const api = generous();
    const machine = kubelet(api);
    await machine.start(1_000);
    const outcome = await machine.askForServing({ dns: ['b', 'a', 'b'], ip: ['192.0.2.1'] }, 0);
    assert.equal(outcome.kind, 'issued');
    const request = [...api.stored.values()].at(-1);
    const { altNames } = parseRequestPem(Buffer.from(request?.spec.request ?? '', 'base64').toString());
    assert.deepEqual([altNames.dns, altNames.ip], [['a', 'b'], ['192.0.2.1']]);
    assert.deepEqual(request?.spec.usages, ['digital signature', 'server auth']);
  });
});

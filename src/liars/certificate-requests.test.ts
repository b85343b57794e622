import assert from 'node:assert/strict';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { base64, record, text } from '../kubernetes/json.js';
import { parseCertificate } from '../pki/certificate.js';
import { generateKey } from '../pki/keys.js';
import { certificatesOfPem } from '../pki/pem.js';
import { createRequest, parseRequestPem } from '../pki/request.js';
import { castAt } from './cast.js';
import { CertificateRequests } from './certificate-requests.js';
import type { Lie, Reply } from './lie.js';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const scene = { cast: castAt(NOW), endpoint: '127.0.0.1:6443', release: '1.36.1' };
const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const { pem } = createRequest({
  key: generateKey('ECDSA-P256'),
  subject: { commonName: 'system:node:worker-9', organizations: ['system:nodes'] },
});
const SPEC = {
  request: base64(pem),
  signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  usages: ['digital signature', 'client auth'],
};

interface Got {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly holds: boolean;
}
const read = (reply: Reply | undefined): Got => {
  assert.ok(typeof reply === 'object');
  const said = String(reply.body);
  return {
    status: reply.status,
    text: said,
    body: said.includes('\n') ? {} : record(JSON.parse(said)),
    holds: reply.holds === true,
  };
};

class World {
  now = NOW;
  readonly #requests: CertificateRequests;

  constructor(lie: Partial<Lie> = {}) {
    this.#requests = new CertificateRequests({ name: 'x', server: 'y', right: 'joins', ...lie }, scene, () => this.now);
  }

  ask(method: string, path: string, { query = '', body = '' } = {}): Reply | undefined {
    const of = { isAstray: false, nth: 1, connection: 1, authorization: undefined, certified: false };
    return this.#requests.answer({ method, path, query, body, ...of });
  }

  post(name = 'a', more: object = {}): Reply | undefined {
    return this.ask('POST', PATH, { body: JSON.stringify({ metadata: { name }, spec: SPEC, ...more }) });
  }

  get(name = 'a'): Got | undefined {
    const reply = this.ask('GET', `${PATH}/${name}`);
    return reply === undefined ? undefined : read(reply);
  }
}

/** "Approved certificate" */
const state = (body: Readonly<Record<string, unknown>> = {}): string => {
  const { conditions = [], certificate } = record(body.status);
  const types = (conditions as readonly { readonly type: string }[]).map(({ type }) => type);
  return [...types, ...(certificate === undefined ? [] : ['certificate'])].join(' ');
};
const certificates = (got: Got | undefined) =>
  certificatesOfPem(Buffer.from(text(record(got?.body.status).certificate), 'base64').toString()).map((der) =>
    parseCertificate(der),
  );

describe('requests for certificates at a liar', () => {
  it('are signed at once: for who asks, with his key, for a year', () => {
    const world = new World();
    const made = read(world.post());
    assert.deepEqual([made.status, state(made.body)], [201, 'Approved certificate']);
    assert.deepEqual(world.get()?.body, made.body);
    const [facts, ...more] = certificates(world.get());
    assert.deepEqual(more, []);
    assert.equal(facts?.commonName, 'system:node:worker-9');
    assert.deepEqual(facts?.organizations, ['system:nodes']);
    assert.deepEqual(facts?.extendedKeyUsage?.length, 1);
    assert.ok(facts?.spki.equals(parseRequestPem(pem).spki));
    assert.deepEqual([facts?.notBefore, facts?.notAfter], [NOW - HOUR / 12, NOW + 8760 * HOUR]);
  });

  it('live as long as they are told, and are issued by the CA that is told', () => {
    const world = new World({ certificateLife: HOUR, cluster: { ca: ['other ca', 'ca'] } });
    world.post();
    const [facts] = certificates(world.get());
    assert.equal(facts?.notAfter, NOW + HOUR);
    const issuer = createIssuerCheck('other ca');
    assert.ok(issuer(world.get()));
    const usual = new World();
    usual.post();
    assert.ok(!issuer(usual.get()));
  });

  for (const [signing, first, second] of [
    ['never', '', ''],
    ['denied', 'Denied certificate', 'Denied certificate'],
    ['failed', 'Approved Failed certificate', 'Approved Failed certificate'],
    ['unapproved', 'certificate', 'certificate'],
    ['no certificate', 'Approved', 'Approved'],
    ['other key', 'Approved certificate', 'Approved certificate'],
    ['other key at last', 'Approved certificate', 'Approved certificate'],
    ['by between', 'Approved certificate', 'Approved certificate'],
    [
      'among others',
      'example.com/Seen Approved example.com/Logged certificate',
      'example.com/Seen Approved example.com/Logged certificate',
    ],
    ['second denied', 'Approved certificate', 'Denied certificate'],
    ['second failed', 'Approved certificate', 'Approved Failed certificate'],
  ] as const)
    it(`may be treated otherwise: ${signing}`, () => {
      const world = new World({ signing });
      world.post('a');
      world.post('b');
      assert.deepEqual([state(world.get('a')?.body), state(world.get('b')?.body)], [first, second]);
      const isOwn = (name: string): boolean | undefined =>
        certificates(world.get(name))[0]?.spki.equals(parseRequestPem(pem).spki);
      if (first.includes('certificate'))
        assert.deepEqual(
          [isOwn('a'), isOwn('b')],
          [signing !== 'other key', signing !== 'other key' && signing !== 'other key at last'],
        );
      const count = certificates(world.get('a')).length;
      assert.equal(count, signing === 'by between' ? 2 : first.includes('certificate') ? 1 : 0);
    });

  for (const [signing, waiting] of [
    ['late', ''],
    ['approved first', 'Approved'],
  ] as const)
    it(`may need three looks: ${signing}`, () => {
      const world = new World({ signing });
      assert.equal(state(read(world.post()).body), '');
      const looks = [1, 2, 3, 4].map(() => state(world.get()?.body));
      assert.deepEqual(looks, [waiting, waiting, waiting, 'Approved certificate']);
    });

  it('may need a time, the first and those that follow', () => {
    const states = (lie: Partial<Lie>): readonly string[] => {
      const world = new World(lie);
      world.post('a');
      world.post('b');
      return [0, 999, 1000].flatMap((at) => {
        world.now = NOW + at;
        return `${at}: ${['a', 'b'].filter((name) => state(world.get(name)?.body) !== '').join()}`;
      });
    };
    assert.deepEqual(states({ signsIn: 1000 }), ['0: ', '999: ', '1000: a,b']);
    assert.deepEqual(states({ renewsIn: 1000 }), ['0: a', '999: a', '1000: a,b']);
    assert.deepEqual(states({ signsIn: 1000, renewsIn: 0 }), ['0: b', '999: b', '1000: a,b']);
  });

  it('may be gone as soon as they are made, and be made again', () => {
    const world = new World({ signing: 'gone' });
    const made = read(world.post());
    assert.deepEqual([made.status, state(made.body)], [201, '']);
    assert.equal(world.get(), undefined);
    const again = read(world.post());
    assert.deepEqual([again.status, state(again.body)], [201, 'Approved certificate']);
    assert.equal(state(world.get()?.body), 'Approved certificate');
  });

  it('may be taken without an answer, the first time', () => {
    const world = new World({ signing: 'cut' });
    assert.equal(world.post('a'), 'reset');
    assert.equal(state(world.get('a')?.body), 'Approved certificate');
    assert.equal(read(world.post('b')).status, 201);
  });

  it('get names where they have none, and are not made twice', () => {
    const world = new World();
    const named = (): unknown => record(read(world.post('')).body.metadata).name;
    assert.deepEqual([named(), named()], ['csr-xxxx1', 'csr-xxxx2']);
    assert.equal(read(world.post('a')).status, 201);
    assert.equal(read(world.post('a')).status, 409);
  });

  it('are read where they are protobuf, by the texts in it', () => {
    const world = new World();
    const name = `node-csr-${'A'.repeat(43)}`;
    const made = read(world.ask('POST', PATH, { body: `k8s\0…${name}…${pem}…` }));
    assert.deepEqual([made.status, record(made.body.metadata).name], [201, name]);
    assert.equal(certificates(world.get(name))[0]?.commonName, 'system:node:worker-9');
  });

  for (const [what, body, status] of [
    ['no JSON', '{', 400],
    ['no request', JSON.stringify({ spec: { ...SPEC, request: base64('a') } }), 422],
    ['another kind', JSON.stringify({ kind: 'Node', metadata: { name: 'a' }, spec: SPEC }), 400],
    ['another version', JSON.stringify({ apiVersion: 'certificates.k8s.io/v1beta1', spec: SPEC }), 400],
    ['no signer', JSON.stringify({ metadata: { name: 'a' }, spec: { ...SPEC, signerName: '' } }), 422],
    ['protobuf without a request', 'k8s\0', 400],
  ] as const)
    it(`are refused where they are ${what}`, () => {
      assert.equal(read(new World().ask('POST', PATH, { body })).status, status);
    });

  it("are nobody else's concern", () => {
    const world = new World();
    world.post();
    const asked = [
      ['DELETE', PATH],
      ['GET', `${PATH}/b`],
      ['GET', `${PATH}s`],
      ['POST', '/api/v1/nodes'],
    ] as const;
    assert.deepEqual(
      asked.map(([method, path]) => world.ask(method, path)),
      [undefined, undefined, undefined, undefined],
    );
  });
});

describe('lists and watches of requests', () => {
  const several = (world: World, query: string): Got => read(world.ask('GET', PATH, { query }));
  const listed = (world: World, query = ''): readonly unknown[] =>
    (several(world, query).body.items as readonly object[]).map((item) => record(record(item).metadata).name);
  const events = (world: World, query: string): readonly string[] =>
    several(world, `watch=true&${query}`)
      .text.trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { type, object } = record(JSON.parse(line));
        return `${text(type)} ${text(record(record(object).metadata).name)} ${state(record(object))}`.trim();
      });
  const both = (lie: Partial<Lie> = {}): World => {
    const world = new World(lie);
    world.post('a');
    world.post('b');
    return world;
  };

  it('have all, or the one that is named', () => {
    assert.deepEqual(listed(both()), ['a', 'b']);
    assert.deepEqual(listed(both(), 'fieldSelector=metadata.name=b'), ['b']);
    assert.deepEqual(listed(both(), 'fieldSelector=metadata.name=c'), []);
    assert.deepEqual(events(both(), 'fieldSelector=metadata.name=b'), ['ADDED b Approved certificate']);
  });

  it('tell who asks for it where what is there ends', () => {
    const told = events(both(), 'sendInitialEvents=true&fieldSelector=metadata.name=b');
    assert.deepEqual(told, ['ADDED b Approved certificate', 'BOOKMARK']);
    assert.match(several(both(), 'watch=true&sendInitialEvents=true').text, /"k8s\.io\/initial-events-end":"true"/);
    assert.deepEqual(events(both(), 'sendInitialEvents=false').length, 2);
  });

  it('show one that is gone, and tell that it is', () => {
    const gone = new World({ signing: 'gone' });
    gone.post();
    assert.deepEqual(events(gone, ''), ['ADDED a', 'DELETED a']);
  });

  it('stay open, but where somebody has to look again', () => {
    assert.equal(several(both(), 'watch=true').holds, true);
    assert.equal(several(both(), '').holds, false);
    for (const lie of [{ signing: 'late' }, { signing: 'approved first' }, { signsIn: 5 }, { renewsIn: 5 }] as const)
      assert.equal(several(both(lie), 'watch=true').holds, false, JSON.stringify(lie));
  });
});

/** Whether the first certificate that came is of this authority. */
function createIssuerCheck(name: 'other ca'): (got: Got | undefined) => boolean {
  const { key } = scene.cast.authorities[name];
  return (got) => {
    const first = Buffer.from(text(record(got?.body.status).certificate), 'base64').toString();
    return new X509Certificate(first).verify(createPublicKey(key));
  };
}

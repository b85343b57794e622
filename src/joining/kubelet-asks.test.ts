/** What a kubelet makes of what its API server answers, one thing at a time; and what it decides. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { record } from '../kubernetes/json.js';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import { generateKey, privateKeyPem } from '../pki/keys.js';
import { certificateDecisions } from './decisions/certificates.js';
import { requestDecisions } from './decisions/requests.js';
import { type Disk, Kubelet, type KubeletOptions } from './kubelet.js';
import type { Answer, Question } from './ports.js';
import { decide, isRequest } from './request.js';

const REQUEST = { kind: 'CertificateSigningRequest', metadata: { name: 'csr-1' }, spec: {} };
const answer = (status: number, body?: unknown): Answer => ({ status, headers: {}, text: '', body });

/** An API server that answers a POST so, and reads one after the other. */
function world(made: Answer, reads: readonly Answer[] = [], options: Partial<KubeletOptions> = {}) {
  const left = [...reads];
  const asked: Question[] = [];
  let now = 0;
  const slept: number[] = [];
  const ask = async (question: Question): Promise<Answer> => {
    asked.push(question);
    if (question.method === 'POST') return made;
    return (left.length > 1 ? left.shift() : left[0]) ?? answer(500);
  };
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
  const cluster = { server: 'https://192.0.2.1:6443', clock, as: (identity: unknown) => ({ identity, ask }) };
  const kubelet = new Kubelet({ cluster, nodeName: 'w', token: 'abcdef.0123456789abcdef', ...options });
  return { kubelet, asked, slept };
}
const WAITS = answer(200, REQUEST);

describe('a request that is made', () => {
  for (const [what, made, kind] of [
    ['a request', answer(201, REQUEST), 'waiting'],
    ['something else', answer(201, { kind: 'Status', metadata: { name: 'csr-1' } }), 'refused'],
    ['nothing', answer(201), 'refused'],
    ['another status', answer(200, REQUEST), 'refused'],
    ['that it is forbidden', answer(403), 'refused'],
    ['that there is one', answer(409, REQUEST), 'refused'],
  ] as const)
    it(`is ${kind} where the answer is ${what}`, async () => {
      assert.equal((await world(made, [WAITS]).kubelet.start(0)).kind, kind);
    });

  it('is found again where its name is fixed and there is one', async () => {
    const { kubelet, asked } = world(answer(409), [WAITS], { rotate: false });
    assert.equal((await kubelet.start(0)).kind, 'waiting');
    const { name } = record(record(asked[0]?.body).metadata);
    assert.ok(asked[1]?.path.endsWith(`/${name}`));
  });
});

describe('a request that is waited for', () => {
  const looks = async (reads: readonly Answer[], within: number) => {
    const { kubelet, asked, slept } = world(answer(201, REQUEST), reads);
    const { kind } = await kubelet.start(within);
    return { kind, looks: asked.length - 1, slept };
  };

  it('is looked at each quarter of a second, and at the end', async () => {
    assert.deepEqual(await looks([WAITS], 600), { kind: 'waiting', looks: 4, slept: [250, 250, 100] });
    assert.deepEqual(await looks([WAITS], 0), { kind: 'waiting', looks: 1, slept: [] });
  });

  it('is gone where it is not found, and looked at again where it cannot be read', async () => {
    assert.deepEqual(await looks([answer(404)], 600), { kind: 'deleted', looks: 1, slept: [] });
    assert.deepEqual(await looks([answer(503), answer(200, { kind: 'Status' }), WAITS], 500), {
      kind: 'waiting',
      looks: 3,
      slept: [250, 250],
    });
    assert.deepEqual(await looks([answer(503, REQUEST)], 250), { kind: 'refused', looks: 2, slept: [250] });
  });

  it('is nothing where nothing was asked', async () => {
    assert.equal((await world(answer(201)).kubelet.goOn(0)).kind, 'unable');
  });
});

describe('a kubelet that starts', () => {
  it('uses no key that cannot be read', async () => {
    const disk: Disk = { waitingKey: 'x' };
    const { kubelet, asked } = world(answer(201, REQUEST), [WAITS], { rotate: false, disk });
    assert.deepEqual([(await kubelet.start(0)).kind, asked.length], ['unable', 0]);
  });

  it('keeps its key and writes no kubeconfig before it has a certificate, without rotation', async () => {
    const disk: Disk = {};
    await world(answer(201, REQUEST), [WAITS], { rotate: false, disk }).kubelet.start(0);
    assert.match(disk.waitingKey ?? '', /PRIVATE KEY/);
    assert.equal(disk.kubeconfig, undefined);
    const rotating: Disk = {};
    await world(answer(201, REQUEST), [WAITS], { disk: rotating }).kubelet.start(0);
    assert.deepEqual(rotating, { kubeconfig: { server: 'https://192.0.2.1:6443' } });
  });

  it('is nobody before it has a certificate, and renews at once', () => {
    const { kubelet } = world(answer(201));
    assert.throws(() => kubelet.node, /the kubelet of w has no certificate yet/);
    assert.equal(kubelet.renewalDeadline(), 0);
    assert.equal(kubelet.hasValidKubeconfig(), false);
  });

  it('needs a token or a certificate', async () => {
    const key = privateKeyPem(generateKey('ECDSA-P256'));
    const { kubelet: nobody } = world(answer(201, REQUEST), [WAITS], { token: undefined } as never);
    assert.equal((await nobody.start(0)).kind, 'unable');
    const more = { token: undefined, certificate: { certificate: 'c', key } } as never;
    assert.equal((await world(answer(201, REQUEST), [WAITS], more).kubelet.start(0)).kind, 'waiting');
  });
});

describe('what a kubelet decides', () => {
  const request = (conditions: readonly (readonly [string, string])[], certificate?: string) =>
    ({
      ...REQUEST,
      status: { conditions: conditions.map(([type, status]) => ({ type, status })), certificate },
    }) as unknown as CertificateSigningRequest;

  it('is what a request came to: refusals first, and no certificate without an approval', () => {
    const { readRequest } = requestDecisions;
    for (const [conditions, certificate, expected] of [
      [[], undefined, 'waiting'],
      [[['Approved', 'True']], undefined, 'waiting'],
      [[['Approved', 'True']], '', 'waiting'],
      [[], 'x', 'waiting'],
      [[['Approved', 'False']], 'x', 'waiting'],
      [[['Approved', 'True']], 'x', 'issued'],
      [
        [
          ['Approved', 'True'],
          ['Denied', 'True'],
        ],
        'x',
        'denied',
      ],
      [
        [
          ['Approved', 'True'],
          ['Failed', 'True'],
        ],
        'x',
        'failed',
      ],
      [
        [
          ['Failed', 'True'],
          ['Denied', 'True'],
        ],
        'x',
        'denied',
      ],
      [
        [
          ['Approved', 'True'],
          ['Denied', 'False'],
        ],
        'x',
        'issued',
      ],
      [
        [
          ['Approved', 'True'],
          ['Other', 'True'],
        ],
        'x',
        'issued',
      ],
    ] as const)
      assert.equal(readRequest(request(conditions, certificate)), expected, JSON.stringify([conditions, certificate]));
    assert.equal(readRequest(REQUEST as unknown as CertificateSigningRequest), 'waiting');
  });

  it('is whom its requests name, and what for', () => {
    const { usages, altNames, isRegistered, adoptsRequest, nodeName } = requestDecisions;
    assert.deepEqual(usages(true, 'client auth'), ['digital signature', 'key encipherment', 'client auth']);
    assert.deepEqual(usages(false, 'server auth'), ['digital signature', 'server auth']);
    assert.deepEqual(altNames(['b', 'a', 'b']), ['a', 'b']);
    assert.deepEqual([200, 201, 403, 409].map(isRegistered), [false, true, false, true]);
    assert.deepEqual([true, false].map(adoptsRequest), [true, false]);
    assert.equal(nodeName('W-1'), 'w-1');
  });

  it('is a name that follows from key, subject and usages, each', () => {
    const by = { commonName: 'a', organizations: ['b'], usages: ['c'] };
    const { fixedName } = requestDecisions;
    const names = [
      fixedName(Buffer.from('k'), by),
      fixedName(Buffer.from('l'), by),
      fixedName(Buffer.from('k'), { ...by, commonName: 'd' }),
      fixedName(Buffer.from('k'), { ...by, organizations: ['d'] }),
      fixedName(Buffer.from('k'), { ...by, usages: ['d'] }),
    ];
    assert.equal(new Set(names).size, names.length);
    assert.equal(names[0], fixedName(Buffer.from('k'), by));
  });

  it('is when a certificate is of use, and when it is renewed', () => {
    const { isUsable, renewalDeadline, takesCertificate } = certificateDecisions;
    const valid = { notBefore: 100, notAfter: 200 };
    assert.deepEqual(
      [0, 150, 200, 201].map((now) => isUsable([valid], now)),
      [true, true, true, false],
    );
    assert.equal(isUsable([], 0), false);
    assert.equal(isUsable([valid, { ...valid, notAfter: 120 }], 150), false);
    const deadlines = [0, 0.5, 1].map((chance) => Math.round(renewalDeadline(valid, chance)));
    assert.deepEqual(deadlines, [170, 180, 190]);
    assert.deepEqual([true, false].map(takesCertificate), [true, false]);
  });
});

describe('who decides on a request', () => {
  it('adds to what was decided before, where that can be read', async () => {
    const sent = async (body: unknown): Promise<unknown> => {
      let last: Question | undefined;
      const ask = async (question: Question): Promise<Answer> => {
        last = question;
        return answer(200, body);
      };
      await decide({ ask }, 'csr-1', 'Approved');
      assert.ok(last?.path.endsWith('/csr-1/approval'));
      const { conditions } = record(record(last?.body).status);
      return (conditions as readonly { readonly type: string }[]).map(({ type }) => type);
    };
    const status = { conditions: [{ type: 'Other', status: 'True' }] };
    assert.deepEqual(await sent({ ...REQUEST, status }), ['Other', 'Approved']);
    assert.deepEqual(await sent(REQUEST), ['Approved']);
    assert.deepEqual(await sent({ kind: 'Status', status }), ['Approved']);
  });

  it('knows a request by its kind and parts', () => {
    const { kind, metadata, spec } = REQUEST;
    const bodies = [REQUEST, { ...REQUEST, kind: 'Status' }, { kind, metadata }, { kind, spec }, { metadata, spec }];
    assert.deepEqual([...bodies, null, undefined, 'x'].map(isRequest), [
      true,
      ...Array.from({ length: 7 }, () => false),
    ]);
  });
});

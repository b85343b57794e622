import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition, UserInfo } from '../../kubernetes/objects.js';
import { createAuthority } from '../../pki/authority.js';
import { type CertificateFacts, isSignedBy, parseCertificate } from '../../pki/certificate.js';
import { pemBlocks } from '../../pki/pem.js';
import type { RequestInput } from '../../pki/request.js';
import { type AskAccess, csrApprover } from './approver.js';
import { csrCleaner } from './cleaner.js';
import { csrSigners } from './signers.js';
import { APPROVED, type Bench, BOOTSTRAP, createBench, NODE, requestFor, START } from './testing.js';

const HOUR = 3_600_000;
const CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const SERVING = 'kubernetes.io/kubelet-serving';
const API_CLIENT = 'kubernetes.io/kube-apiserver-client';
const good = { request: requestFor(), signerName: CLIENT, usages: ['digital signature', 'client auth'] };
const self: UserInfo = { username: NODE.commonName, groups: ['system:nodes'] };

/** Which questions were asked, and what is answered. */
function asker(allowed: readonly string[]): { readonly asked: string[]; readonly ask: AskAccess } {
  const asked: string[] = [];
  const ask: AskAccess = (user, { verb, subresource, version }) => {
    asked.push(`${user.username} ${verb} ${subresource} ${version}`);
    return allowed.includes(subresource);
  };
  return { asked, ask };
}
const types = (bench: Bench, name: string): readonly string[] =>
  bench.conditions(name).map((condition) => condition.type);

// Source: pkg/controller/certificates/approver/sarapprove_test.go.
for (const [what, change, user, asks] of [
  ['a bootstrapper', {}, BOOTSTRAP, ['nodeclient']],
  ['a node for itself', {}, self, ['selfnodeclient', 'nodeclient']],
  [
    'three usages',
    { usages: ['key encipherment', 'digital signature', 'client auth'] },
    self,
    ['selfnodeclient', 'nodeclient'],
  ],
  ['server auth too', { usages: ['digital signature', 'client auth', 'server auth'] }, self, []],
  ['client auth alone', { usages: ['client auth'] }, self, []],
  ['another common name', { request: requestFor({ subject: { ...NODE, commonName: 'mike' } }) }, self, []],
  ['no organization', { request: requestFor({ subject: { commonName: NODE.commonName } }) }, self, []],
  ['system:master', { request: requestFor({ subject: { ...NODE, organizations: ['system:master'] } }) }, self, []],
  [
    'two organizations',
    { request: requestFor({ subject: { ...NODE, organizations: ['system:nodes', 'x'] } }) },
    self,
    [],
  ],
  ['a DNS name', { request: requestFor({ altNames: { dns: ['a'] } }) }, self, []],
  ['another signer', { signerName: 'example.com/not-correct' }, self, []],
  [
    'a serving request',
    {
      signerName: SERVING,
      usages: ['digital signature', 'server auth'],
      request: requestFor({ altNames: { dns: ['a'] } }),
    },
    self,
    [],
  ],
] as const)
  test(`the approver recognises: ${what}`, async () => {
    const bench = createBench();
    const { asked, ask } = asker([]);
    bench.create('r', { ...good, ...change }, user);
    await bench.run(csrApprover(bench.context, { minor: 36, ask }));
    assert.deepEqual(
      asked,
      asks.map((subresource) => `${user.username} create ${subresource} *`),
    );
    assert.deepEqual(types(bench, 'r'), []);
  });

test('what may be approved is approved, and says by which right', async () => {
  for (const [right, word] of [
    ['selfnodeclient', 'self '],
    ['nodeclient', ''],
  ] as const) {
    const bench = createBench();
    bench.create('r', good, self);
    await bench.run(csrApprover(bench.context, { minor: 36, ask: asker([right]).ask }));
    const [condition, ...more] = bench.conditions('r');
    assert.equal(more.length, 0);
    assert.equal(condition?.reason, 'AutoApproved');
    assert.equal(condition?.message, `Auto approving ${word}kubelet client certificate after SubjectAccessReview.`);
    assert.notEqual(condition?.lastUpdateTime, undefined);
  }
});

test('up to 1.27 the question names no version', async () => {
  const bench = createBench();
  const { asked, ask } = asker([]);
  bench.create('r', good);
  await bench.run(csrApprover(bench.context, { minor: 27, ask }));
  assert.deepEqual(asked, ['system:bootstrap:abcdef create nodeclient ']);
});

test('the question is a SubjectAccessReview of who asked, with what is known of them', async () => {
  const attributes = {
    group: 'certificates.k8s.io',
    resource: 'certificatesigningrequests',
    verb: 'create',
    subresource: 'nodeclient',
  };
  for (const [user, minor, spec] of [
    [BOOTSTRAP, 36, { user: BOOTSTRAP.username, groups: BOOTSTRAP.groups, extra: {} }],
    [{ ...BOOTSTRAP, uid: '' }, 36, { user: BOOTSTRAP.username, groups: BOOTSTRAP.groups, extra: {} }],
    [
      { ...BOOTSTRAP, uid: 'u', extra: { a: ['b'] } },
      27,
      { user: BOOTSTRAP.username, uid: 'u', groups: BOOTSTRAP.groups, extra: { a: ['b'] } },
    ],
  ] as const)
    for (const [status, approved] of [
      [{ allowed: true }, ['Approved']],
      [{ allowed: false }, []],
      [{ allowed: 'true' }, []],
      [{}, []],
      [null, []],
      ['allowed', []],
      [undefined, []],
    ] as const) {
      const bench = createBench();
      const asked: unknown[] = [];
      const as: Bench['context']['as'] = (name) => ({
        ...bench.context.as(name),
        create: (resource, review) => {
          asked.push([resource, review]);
          return { ...review, status } as unknown as typeof review;
        },
      });
      bench.create('r', good, user as UserInfo);
      await bench.run(csrApprover({ ...bench.context, as }, { minor }));
      assert.deepEqual(types(bench, 'r'), approved);
      assert.deepEqual(asked[0], [
        { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
        {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          metadata: {},
          spec: { ...spec, resourceAttributes: { ...attributes, ...(minor < 28 ? {} : { version: '*' }) } },
        },
      ]);
    }
});

test('what was not allowed is asked again after 200 ms, 400 ms, …: a later right is noticed', async () => {
  const bench = createBench();
  const allowed: string[] = [];
  const { asked, ask } = asker(allowed);
  bench.create('r', good);
  await bench.run(csrApprover(bench.context, { minor: 36, ask }));
  const counts = [asked.length];
  for (const wait of [199, 1, 399, 1]) {
    await bench.pass(wait);
    counts.push(asked.length);
  }
  assert.deepEqual(counts, [1, 1, 2, 2, 3]);
  allowed.push('nodeclient');
  await bench.pass(800);
  assert.deepEqual(types(bench, 'r'), ['Approved']);
});

test("a verdict ends the approver's interest, a failure does not", async () => {
  const bench = createBench();
  for (const [name, type] of [
    ['denied', 'Denied'],
    ['failed', 'Failed'],
  ] as const) {
    bench.create(name, good);
    bench.judge(name, { type, status: 'True' });
  }
  await bench.run(csrApprover(bench.context, { minor: 36, ask: asker(['nodeclient']).ask }));
  assert.deepEqual([types(bench, 'denied'), types(bench, 'failed')], [['Denied'], ['Failed', 'Approved']]);
});

async function signed(
  spec: Readonly<Record<string, unknown>>,
  bench = createBench(),
): Promise<{ readonly bench: Bench; readonly facts: CertificateFacts | undefined }> {
  bench.create('r', spec);
  bench.judge('r', APPROVED);
  await bench.run(csrSigners(bench.context, { authorityFor: () => bench.authority, minor: 36 }));
  const blocks = pemBlocks(bench.certificate('r'));
  assert.ok(blocks.length <= 1, 'the leaf alone');
  return { bench, facts: blocks[0] === undefined ? undefined : parseCertificate(blocks[0].bytes) };
}
const withRequest = (input: Partial<RequestInput>): typeof good => ({ ...good, request: requestFor(input) });

test("a signed certificate has the content of upstream's", async () => {
  const subject = [
    [{ oid: '2.5.4.3', value: 'first' }],
    [{ oid: '0.9.2342.19200300.100.1.1', value: 'dropped' }],
    [{ oid: '2.5.4.10', value: 'c' }],
    [{ oid: '2.5.4.10', value: 'a' }],
    [{ oid: '2.5.4.3', value: 'last' }],
    [{ oid: '2.5.4.6', value: 'CH' }],
  ] as const;
  const altNames = { dns: ['b', 'a'], email: ['x@y'], ip: ['::ffff:1.2.3.4'], uri: ['URN:x'] };
  const extensions = [{ oid: '2.5.29.19', critical: true, value: Buffer.from('30030101ff', 'hex') }];
  const { bench, facts } = await signed({
    ...withRequest({ subject, altNames, extensions }),
    signerName: API_CLIENT,
    usages: ['client auth', 'key encipherment'],
  });
  assert.ok(facts !== undefined && isSignedBy(facts, bench.authority.facts));
  assert.deepEqual(
    facts.subject.rdns.map((rdn) => rdn.map((attribute) => attribute.value)),
    [['CH'], ['a', 'c'], ['last']],
  );
  assert.deepEqual(facts.altNames, { dns: ['b', 'a'], email: ['x@y'], ip: ['1.2.3.4'], uri: ['urn:x'], other: [] });
  assert.deepEqual(
    facts.extensions.map(({ oid, critical }) => `${oid}${critical ? '!' : ''}`),
    ['2.5.29.15!', '2.5.29.37', '2.5.29.19!', '2.5.29.35', '2.5.29.17'],
  );
  assert.deepEqual(
    [facts.keyUsage, facts.extendedKeyUsage, facts.basicConstraints],
    [['keyEncipherment'], ['clientAuth'], { ca: false }],
  );
  assert.deepEqual(facts.authorityKeyId, bench.authority.facts.subjectKeyId);
  assert.deepEqual(types(bench, 'r'), ['Approved']);
});

// Source: test/integration/certificates/duration_test.go with a longest lifetime of a year, and what a real cluster was
// seen to do.
for (const [asked, whole] of [
  [undefined, 8760 * HOUR],
  [600, 900_000],
  [3600, HOUR + 300_000],
  [28_799, 28_799_000 + 300_000],
  [28_800, 28_800_000],
  [31_536_001, 8760 * HOUR],
] as const)
  test(`asked for ${asked} s, a certificate lives ${whole / 1000} s`, async () => {
    const { facts } = await signed({ ...good, ...(asked === undefined ? {} : { expirationSeconds: asked }) });
    assert.equal(facts?.notBefore, START - 300_000);
    assert.equal((facts?.notAfter ?? 0) - START + 300_000, whole);
  });

test('no certificate outlives its authority, and an authority that has ended signs nothing', async () => {
  const bench = createBench();
  const short = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: START, validity: HOUR });
  const signers = csrSigners(bench.context, { authorityFor: () => short, minor: 36 });
  bench.create('r', good);
  bench.judge('r', APPROVED);
  await bench.run(signers);
  assert.equal(parseCertificate(pemBlocks(bench.certificate('r'))[0]?.bytes ?? Buffer.alloc(0)).notAfter, START + HOUR);
  await bench.pass(HOUR);
  bench.create('late', good);
  bench.judge('late', APPROVED);
  await bench.pass(1);
  assert.equal(bench.certificate('late'), '');
  assert.deepEqual(types(bench, 'late'), ['Approved']);
});

// Source: pkg/controller/certificates/signer/signer_test.go.
for (const [what, spec, failure] of [
  ['client auth, too', { ...good, signerName: API_CLIENT }, undefined],
  [
    'server auth',
    { ...good, signerName: API_CLIENT, usages: ['client auth', 'server auth'] },
    'invalid usage for client certificate: server auth',
  ],
  [
    'no client auth',
    { ...good, signerName: API_CLIENT, usages: ['digital signature'] },
    'missing required usage for client certificate: client auth',
  ],
  [
    'kubelet client with any',
    { ...good, usages: ['any'] },
    'usages did not match [client auth digital signature key encipherment]',
  ],
  ['kubelet client with a DNS name', withRequest({ altNames: { dns: ['a'] } }), 'DNS subjectAltNames are not allowed'],
  [
    'serving',
    {
      ...withRequest({ altNames: { ip: ['::1'] } }),
      signerName: SERVING,
      usages: ['digital signature', 'server auth'],
    },
    undefined,
  ],
  [
    'serving without names',
    { ...good, signerName: SERVING, usages: ['digital signature', 'server auth'] },
    'DNS or IP subjectAltName is required',
  ],
] as const)
  test(`the signers judge: ${what}`, async () => {
    const { bench, facts } = await signed(spec);
    const failed = bench.conditions('r').find((condition) => condition.type === 'Failed');
    assert.equal(failed?.message, failure);
    assert.equal(facts === undefined, failure !== undefined);
    if (failed !== undefined) assert.deepEqual([failed.status, failed.reason], ['True', 'SignerValidationFailure']);
  });

test('only what is approved, and not denied or failed, is signed, by the signer that it names', async () => {
  const bench = createBench();
  bench.create('pending', good);
  bench.create('failed', good);
  bench.judge('failed', { type: 'Failed', status: 'True' }, APPROVED);
  bench.create('foreign', { ...good, signerName: 'kubernetes.io/unknown' });
  bench.judge('foreign', APPROVED);
  await bench.run(csrSigners(bench.context, { authorityFor: () => bench.authority, minor: 36 }));
  assert.deepEqual(
    ['pending', 'failed', 'foreign'].map((name) => bench.certificate(name)),
    ['', '', ''],
  );
});

test('a signer without a CA is not started', async () => {
  const bench = createBench();
  bench.create('r', good);
  bench.judge('r', APPROVED);
  await bench.run(csrSigners(bench.context, { authorityFor: () => undefined, minor: 36 }));
  assert.equal(bench.certificate('r'), '');
});

test('the cleaner sweeps every hour, first after one hour', async () => {
  const bench = createBench();
  bench.create('denied', good);
  bench.judge('denied', { type: 'Denied', status: 'True', lastUpdateTime: '2020-01-01T00:00:00Z' });
  bench.create('pending', good);
  await bench.run(csrCleaner(bench.context, { minor: 36 }));
  await bench.pass(HOUR - 1);
  assert.ok(bench.get('denied') !== undefined);
  await bench.pass(1);
  assert.equal(bench.get('denied'), undefined);
  await bench.pass(23 * HOUR, 23);
  assert.ok(bench.get('pending') !== undefined, 'a day to the second is not over a day');
  await bench.pass(HOUR);
  assert.equal(bench.get('pending'), undefined);
});

// Source: pkg/controller/certificates/cleaner/cleaner_test.go, and ages that a real cluster was seen to sweep.
const at = (hours: number): string => new Date(START - hours * HOUR).toISOString();
const conditionsOf = (type: string, hours: number): readonly Condition[] => [
  { type, status: 'True', lastUpdateTime: at(hours) },
];
for (const [what, conditions, certificate, minor, swept] of [
  ['approved and issued, 59 min', conditionsOf('Approved', 59 / 60), true, 36, false],
  ['approved and issued, an hour to the second', conditionsOf('Approved', 1), true, 36, false],
  ['approved and issued, 61 min', conditionsOf('Approved', 61 / 60), true, 36, true],
  ['denied, 61 min', conditionsOf('Denied', 61 / 60), false, 36, true],
  ['failed, 61 min', conditionsOf('Failed', 61 / 60), false, 36, true],
  ['approved, not issued, 23 h', conditionsOf('Approved', 23), false, 36, false],
  ['approved, not issued, 25 h', conditionsOf('Approved', 25), false, 36, true],
  ['approved, not issued, 25 h, in 1.34', conditionsOf('Approved', 25), false, 34, false],
  ['a custom condition, 50 h', conditionsOf('Custom', 50), false, 36, false],
] as const)
  test(`the cleaner's ages: ${what}`, () => {
    const { csrIsSwept } = createBench().context.decisions;
    const ages = conditions.map(({ type, lastUpdateTime }) => ({ type, lastUpdate: Date.parse(lastUpdateTime ?? '') }));
    assert.equal(
      csrIsSwept(
        { conditions: ages, created: START, hasCertificate: certificate, certificateNotAfter: undefined },
        START,
        minor,
      ),
      swept,
    );
  });

test('an expired certificate is swept where it was approved', async () => {
  const bench = createBench();
  bench.create('r', { ...good, expirationSeconds: 600 });
  bench.judge('r', { ...APPROVED, lastUpdateTime: new Date(START + HOUR).toISOString() });
  await bench.run(csrSigners(bench.context, { authorityFor: () => bench.authority, minor: 36 }));
  assert.notEqual(bench.certificate('r'), '');
  await bench.run(csrCleaner(bench.context, { minor: 36 }));
  await bench.pass(HOUR);
  assert.equal(bench.get('r'), undefined);
});

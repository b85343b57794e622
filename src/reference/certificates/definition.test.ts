import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { ApiError } from '../../apiserver/types.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { createAuthority } from '../../pki/authority.js';
import { encodePem, pemBlocks } from '../../pki/pem.js';
import { decide } from '../decisions.js';
import { certificateSigningRequests, conditionSummary } from './definition.js';
import { humanDuration } from './duration.js';
import { createBench, requestFor, START } from './testing.js';

const bench = createBench();
const good = { request: requestFor(), signerName: 'example.com/jp', usages: ['digital signature', 'client auth'] };
let count = 0;
const create = (spec: Readonly<Record<string, unknown>>): KubeObject => bench.create(`csr-${++count}`, spec);
const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
  return 'taken';
};
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and " +
  "end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

test('who asked is recorded over whatever the body says, and the status is emptied', () => {
  const user = { username: 'u', uid: '', groups: ['g'], extra: {} };
  const object = bench.create(
    'forged',
    { ...good, username: 'admin', uid: 'x', groups: ['system:masters'], extra: { a: ['b'] } },
    user,
  );
  assert.deepEqual(object.spec, { ...good, username: 'u', groups: ['g'] });
  assert.deepEqual(object.status, {});
});

for (const [what, change, message] of [
  [
    'no request',
    { request: undefined },
    'spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST',
  ],
  [
    'no PEM',
    { request: 'aGVsbG8=' },
    'spec.request: Invalid value: "aGVsbG8=": PEM block type must be CERTIFICATE REQUEST',
  ],
  ['no usages', { usages: [] }, 'spec.usages: Required value'],
  ['a usage twice', { usages: ['any', 'client auth', 'any'] }, 'spec.usages[2]: Duplicate value: "any"'],
  ['no signer', { signerName: '' }, 'spec.signerName: Required value'],
  [
    'the legacy signer',
    { signerName: 'kubernetes.io/legacy-unknown' },
    'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via ' +
      'this API version',
  ],
  [
    'no slash',
    { signerName: 'example.com' },
    'spec.signerName: Invalid value: "example.com": must be a fully qualified domain and path of the form ' +
      `'example.com/signer-name'`,
  ],
  [
    'one segment',
    { signerName: 'example/x' },
    'spec.signerName: Invalid value: "example": should be a domain with at least two segments separated by dots',
  ],
  [
    'capitals',
    { signerName: 'Example.com/x' },
    `spec.signerName: Invalid value: "Example.com": validating label "Example": ${label}`,
  ],
  [
    '599 seconds',
    { expirationSeconds: 599 },
    'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
  ],
  ['600 seconds', { expirationSeconds: 600 }, 'taken'],
  ['every usage', { usages: ['signing', 's/mime', 'netscape sgc', 'cert sign'] }, 'taken'],
] as const)
  test(`creation: ${what}`, () =>
    assert.equal(
      refusal(() => create({ ...good, ...change })),
      message,
    ));

test('an unknown usage names all 23 that are known', () => {
  const message = refusal(() => create({ ...good, usages: ['x'] }));
  assert.match(
    message,
    /^spec\.usages\[0\]: Unsupported value: "x": supported values: "any", "cert sign", .*, "signing", "timestamping"$/,
  );
  assert.equal(message.split('", "').length, 23);
});

test('a broken self-signature is refused', () => {
  const der = Buffer.from(pemBlocks(Buffer.from(requestFor(), 'base64').toString())[0]?.bytes ?? []);
  der[der.length - 1] = (der[der.length - 1] ?? 0) ^ 1;
  const request = Buffer.from(encodePem('CERTIFICATE REQUEST', der)).toString('base64');
  assert.match(
    refusal(() => create({ ...good, request })),
    /^spec\.request: Invalid value: ".*": x509: ECDSA verification failure$/,
  );
});

const definition = certificateSigningRequests(decide());
const client = bench.context.as('x');
const update = (object: KubeObject, subresource: string): KubeObject =>
  client.update({ group: 'certificates.k8s.io', resource: 'certificatesigningrequests' }, object, { subresource });
const condition = (type: string, status = 'True'): Readonly<Record<string, string>> => ({ type, status });
const withConditions = (
  object: KubeObject,
  ...conditions: readonly Readonly<Record<string, string>>[]
): KubeObject => ({
  ...object,
  status: { ...(object.status ?? {}), conditions },
});

test('a change of the object itself keeps spec and status', () => {
  const object = create(good);
  const changed = update(
    {
      ...object,
      metadata: { ...object.metadata, labels: { a: 'b' } },
      spec: { ...good, usages: ['any'] },
      status: { certificate: 'eA==' },
    },
    '',
  );
  assert.deepEqual([changed.spec, changed.status, changed.metadata.labels], [object.spec, {}, { a: 'b' }]);
});

test('/approval takes conditions, fills in times, keeps those that were sent', () => {
  const time = '2020-01-01T00:00:00Z';
  const object = update(
    withConditions(create(good), { ...condition('Approved'), lastUpdateTime: time }, condition('Custom', 'Unknown')),
    'approval',
  );
  const now = new Date(START).toISOString().replace('.000', '');
  assert.deepEqual(object.status, {
    conditions: [
      { type: 'Approved', status: 'True', lastUpdateTime: time, lastTransitionTime: now },
      { type: 'Custom', status: 'Unknown', lastUpdateTime: now, lastTransitionTime: now },
    ],
  });
});

for (const [what, first, second, path, message] of [
  [
    'both',
    [],
    [condition('Approved'), condition('Denied')],
    'approval',
    'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
  ],
  [
    'Approved is taken away',
    [condition('Approved')],
    [],
    'approval',
    'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
  ],
  [
    'Failed is taken away',
    [condition('Failed')],
    [],
    'status',
    'status.conditions: Forbidden: updates may not remove a condition of type "Failed"',
  ],
  ['a custom one is taken away', [condition('Custom')], [], 'status', 'taken'],
  [
    'Approved by way of /status',
    [],
    [condition('Approved')],
    'status',
    'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
  ],
  [
    'Approved changed by way of /status',
    [condition('Approved')],
    [{ ...condition('Approved'), reason: 'x' }],
    'status',
    'taken',
  ],
  ['twice', [], [condition('X'), condition('X')], 'approval', 'status.conditions[1].type: Duplicate value: "X"'],
  [
    'Denied as False',
    [],
    [condition('Denied', 'False')],
    'approval',
    'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
  ],
  [
    'a status that is none',
    [],
    [condition('X', 'true')],
    'approval',
    'status.conditions[0].status: Unsupported value: "true": supported values: "False", "True", "Unknown"',
  ],
  ['no status', [], [condition('X', '')], 'approval', 'status.conditions[0].status: Required value'],
  ['no type', [], [condition('')], 'approval', 'status.conditions[0].type: Required value'],
] as const)
  test(`conditions: ${what}`, () => {
    const object = create(good);
    const before = first.length === 0 ? object : update(withConditions(object, ...first), 'approval');
    assert.equal(
      refusal(() => update(withConditions(before, ...second), path)),
      message,
    );
  });

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const { pem } = createAuthority({ commonName: 'x', key: 'ECDSA-P256', now: START }).certificate;
for (const [what, certificate, message] of [
  ['one', pem, 'taken'],
  ['text around', `hello\n${pem}world`, 'taken'],
  [
    'none',
    'hello',
    'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
  ],
  [
    'a key behind it',
    `${pem}-----BEGIN EC PRIVATE KEY-----\nQUJD\n-----END EC PRIVATE KEY-----\n`,
    'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found ' +
      '"EC PRIVATE KEY"',
  ],
  [
    'headers',
    pem.replace('\n', '\na: b\n\n'),
    'status.certificate: Invalid value: "<certificate data>": no PEM block headers are permitted',
  ],
  [
    'junk inside',
    '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n',
    'status.certificate: Invalid value: "<certificate data>": x509: malformed certificate',
  ],
  [
    'nothing inside',
    '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
    'status.certificate: Invalid value: "<certificate data>": found CERTIFICATE PEM block containing 0 certificates',
  ],
] as const)
  test(`certificate: ${what}`, () =>
    assert.equal(
      refusal(() => update({ ...create(good), status: { certificate: base64(certificate) } }, 'status')),
      message,
    ));

test('a certificate is set once, without any approval', () => {
  const object = update({ ...create(good), status: { certificate: base64(pem) } }, 'status');
  const other = { ...object, status: { certificate: base64(`x\n${pem}`) } };
  assert.equal(
    refusal(() => update(other, 'status')),
    'status.certificate: Forbidden: updates may not modify existing certificate content',
  );
  assert.deepEqual(update(other, 'approval').status, object.status);
});

test('the table says what has become of a request', () => {
  // Source: pkg/printers/internalversion/printers.go, certificateSigningRequestColumnDefinitions.
  assert.deepEqual(
    definition.columns.map(({ name, type, format, priority }) => [name, type, format, priority]),
    [
      ['Name', 'string', 'name', 0],
      ['Age', 'string', '', 0],
      ['SignerName', 'string', '', 0],
      ['Requestor', 'string', '', 0],
      ['RequestedDuration', 'string', '', 0],
      ['Condition', 'string', '', 0],
    ],
  );
  const object = bench.create('shown', { ...good, expirationSeconds: 5400 });
  assert.deepEqual(definition.row(object, START + 200_000), [
    'shown',
    '3m20s',
    'example.com/jp',
    'system:bootstrap:abcdef',
    '90m',
    'Pending',
  ]);
  const failed = withConditions(
    { ...object, status: { certificate: 'eA==' } },
    condition('Failed'),
    condition('Approved'),
    condition('Denied'),
  );
  assert.equal(conditionSummary(failed), 'Denied,Failed,Issued');
});

test('durations are as kubectl shows them', () => {
  const shown = [
    -2000, -500, 0, 119, 120, 599, 600, 10_799, 10_800, 28_799, 28_800, 172_799, 172_800, 691_200, 63_071_999,
    63_072_000, 252_288_000,
  ].map((seconds, index) => humanDuration(index < 2 ? seconds : seconds * 1000));
  assert.deepEqual(shown, [
    '<invalid>',
    '0s',
    '0s',
    '119s',
    '2m',
    '9m59s',
    '10m',
    '179m',
    '3h',
    '7h59m',
    '8h',
    '47h',
    '2d',
    '8d',
    '729d',
    '2y',
    '8y',
  ]);
});

test('older minors word and place some errors otherwise', () => {
  const refusals = (minor: number): readonly string[] => {
    const { strategy, subresources } = certificateSigningRequests(decide(), minor);
    const context = bench.strategyContext({ username: 'u', groups: [] });
    const missing = strategy.validate?.({ metadata: { name: 'a' }, spec: { request: good.request } }, context) ?? [];
    const approval = subresources.find((part) => part.name === 'approval');
    const old = { metadata: { name: 'a' }, spec: good, status: {} };
    const both = { ...old, status: { conditions: [condition('Approved'), condition('Denied')] } };
    const errors = approval?.kind === 'part' ? (approval.strategy.validateUpdate?.(both, old, context) ?? []) : [];
    return [...missing, ...errors].map((error) => `${error.field}: ${error.body}`);
  };
  const exclusive = 'Invalid value: "Denied": Approved and Denied conditions are mutually exclusive';
  assert.deepEqual(refusals(36), [
    'spec.usages: Required value',
    'spec.signerName: Required value',
    `status.conditions: ${exclusive}`,
  ]);
  assert.deepEqual(refusals(33), [
    'spec.usages: Required value',
    'spec.signerName: Required value',
    `status.conditions[1].type: ${exclusive}`,
  ]);
  assert.deepEqual(refusals(25).slice(0, 2), [
    'spec.usages: Required value: usages must be provided',
    'spec.signerName: Required value: signerName must be provided',
  ]);
});

test('RSA keys under 1024 bits are taken up to 1.32', () => {
  const request = requestFor({ key: generateKeyPairSync('rsa', { modulusLength: 768 }).privateKey });
  const refusals = (minor: number): readonly string[] => {
    const { strategy } = certificateSigningRequests(decide(), minor);
    const csr = { metadata: { name: 'a' }, spec: { ...good, request } };
    return (strategy.validate?.(csr, bench.strategyContext({ username: 'u', groups: [] })) ?? []).map(
      (error) => error.body,
    );
  };
  assert.deepEqual(refusals(32), []);
  assert.match(
    refusals(33)[0] ?? '',
    /crypto\/rsa: 768-bit keys are insecure \(see https:\/\/go\.dev\/pkg\/crypto\/rsa#hdr-Minimum_key_size\)$/,
  );
});

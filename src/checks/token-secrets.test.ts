import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Secret } from '../kubernetes/objects.js';
import {
  defaultTokens,
  judgeDefaultGroups,
  judgeDefaultUsages,
  judgeLife,
  judgeSomeDefaultToken,
} from './default-token.js';
import { judgeLeaks } from './leaks.js';
import * as judges from './token-secrets.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const GOOD: Readonly<Record<string, string>> = {
  'token-id': 'c8ad9c',
  'token-secret': '2e4d610cf3e7426f',
  expiration: '2027-03-10T03:22:11Z',
  'usage-bootstrap-authentication': 'true',
  'usage-bootstrap-signing': 'true',
  'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
};

function secret(
  data: Readonly<Record<string, string | undefined>> = {},
  other: Partial<Secret['metadata']> & { type?: string; raw?: Record<string, string> } = {},
): Secret {
  const { type = 'bootstrap.kubernetes.io/token', raw = {}, ...metadata } = other;
  const plain = Object.entries({ ...GOOD, ...data }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, base64(value)] as const],
  );
  return {
    metadata: {
      name: 'bootstrap-token-c8ad9c',
      namespace: 'kube-system',
      creationTimestamp: '2027-03-09T03:22:11Z',
      ...metadata,
    },
    type,
    data: { ...Object.fromEntries(plain), ...raw },
  };
}

type Judge = (secrets: readonly Secret[]) => { readonly kind: string };
const CASES: readonly (readonly [string, Judge, readonly Secret[], readonly Secret[]])[] = [
  [
    'form',
    judges.judgeTokenForm,
    [secret()],
    [
      secret({ 'token-id': '07401B' }),
      secret({ 'token-secret': 'short' }),
      secret({ 'token-secret': '2e4d610cf3e7426f\n' }),
      secret({ 'token-id': '' }),
    ],
  ],
  ['id', judges.judgeTokenId, [secret()], [secret({ 'token-id': 'abc-ef' }), secret({ 'token-id': 'abcdefg' })]],
  ['half', judges.judgeTokenHalf, [secret()], [secret({ 'token-secret': '0123456789abcdef0123456789abcdef' })]],
  [
    'key',
    (them) => judges.judgeKeyPresent(them, 'token-id'),
    [secret()],
    [secret({ 'token-id': undefined }), secret({ 'token-id': '' })],
  ],
  ['type', judges.judgeTokenType, [secret()], [secret({}, { type: 'Opaque' })]],
  [
    'name',
    judges.judgeSecretName,
    [secret()],
    [secret({}, { name: 'bootstrap-token-c8ad9c-2' }), secret({}, { name: 'kubeadm-token-c8ad9c' })],
  ],
  [
    'name and id',
    judges.judgeNameAgainstId,
    [secret()],
    [secret({ 'token-id': 'ffffff' }), secret({ 'token-id': undefined })],
  ],
  ['namespace', judges.judgeNamespace, [secret()], [secret({}, { namespace: 'default' })]],
  [
    'expiration',
    judges.judgeExpirationForm,
    [secret(), secret({ expiration: '2022-04-03T11:13:09+08:00' }), secret({ expiration: '2026-11-20T9:30:00Z' })],
    [secret({ expiration: '1489116131' }), secret({ expiration: '2017-03-10' }), secret({ expiration: '24h' })],
  ],
  [
    'usages',
    judges.judgeUsageKeys,
    [secret(), secret({ 'example.com.ticket': '1', 'usage-notes': 'for the night shift' })],
    [secret({ 'usage-authentication': 'true' }), secret({ 'usage-bootstrap-admin': 'true' })],
  ],
  [
    'group list',
    judges.judgeGroupList,
    [secret()],
    [
      secret({ 'auth-extra-groups': 'a, b' }),
      secret({ 'auth-extra-groups': 'a,' }),
      secret({ 'auth-extra-groups': 'a;b' }),
    ],
  ],
  [
    'group prefix',
    judges.judgeGroupPrefix,
    ['foo', 'foo:bar:baz', 'foo-bar-42'].map((name) => secret({ 'auth-extra-groups': `system:bootstrappers:${name}` })),
    [
      'foo',
      'system:bootstrappers',
      'system:bootstrappers:',
      'system:bootstrappers:Foo',
      'system:bootstrappers:*',
      'system:bootstrappers:foo:',
      'system:bootstrappers:foo-',
      'system:masters',
      `system:bootstrappers:${'x'.repeat(300)}`,
    ].map((name) => secret({ 'auth-extra-groups': name })),
  ],
  [
    'encoding',
    judges.judgeEncoding,
    [secret(), secret({ description: '给新节点\n' })],
    [
      secret({}, { raw: { 'token-secret': '0123456789abcdef' } }),
      secret({}, { raw: { 'usage-bootstrap-signing': 'true' } }),
    ],
  ],
  ['samples', judges.judgeUnpublished, [secret()], [secret({ 'token-secret': '2e4d610cf3e7426e' })]],
  [
    'default groups',
    judgeDefaultGroups,
    [secret(), secret({ 'auth-extra-groups': `${GOOD['auth-extra-groups']},system:bootstrappers:worker` })],
    [secret({ 'auth-extra-groups': 'system:bootstrappers:default-node-token' })],
  ],
  [
    'default usages',
    judgeDefaultUsages,
    [secret()],
    [secret({ 'usage-bootstrap-signing': undefined }), secret({ 'usage-bootstrap-signing': 'True' })],
  ],
  [
    'default life',
    (them) => judgeLife(them, 86_400),
    [secret(), secret({ expiration: '2027-03-10T03:22:40Z' })],
    [secret({ expiration: undefined }), secret({ expiration: '2028-03-10T03:22:11Z' })],
  ],
];

describe('token Secrets at rest', () => {
  for (const [what, judge, good, bad] of CASES) {
    it(`${what}: sound ones pass`, () => {
      for (const one of good) assert.equal(judge([one]).kind, 'passed');
    });
    it(`${what}: each broken one fails among sound ones`, () => {
      for (const one of bad) assert.equal(judge([secret(), one]).kind, 'failed');
    });
    it(`${what}: nothing to look at is skipped`, () => assert.equal(judge([]).kind, 'skipped'));
  }

  it('shows no value that may be a secret', () => {
    const odd = secret({ 'token-secret': 'Hunter2-Hunter2-' });
    for (const judge of [judges.judgeTokenForm, judges.judgeTokenHalf, judges.judgeEncoding, judges.judgeUnpublished])
      assert.ok(!JSON.stringify(judge([odd])).includes('Hunter2'));
  });

  it('knows what must be signed for', () => {
    const now = Date.UTC(2027, 2, 9);
    assert.equal(judges.mustBeSignedFor(secret(), now), true);
    assert.equal(judges.mustBeSignedFor(secret({ expiration: undefined }), now), true);
    for (const not of [
      secret({ 'usage-bootstrap-signing': 'True' }),
      secret({ expiration: 'garbage' }),
      secret({ expiration: '2027-03-08T00:00:00Z' }),
      secret({ 'token-id': 'ffffff' }),
      secret({ 'token-secret': '' }),
      secret({}, { namespace: 'default' }),
      secret({}, { type: 'Opaque' }),
    ])
      assert.equal(judges.mustBeSignedFor(not, now), false);
  });

  it('tells the tokens of kubeadm from those of people', () => {
    const ours = secret();
    const described = secret({ description: "The default bootstrap token generated by 'kubeadm init'." });
    const people = secret({ description: 'for the night shift' });
    assert.deepEqual(defaultTokens([ours, described, people], true), [ours, described]);
    assert.deepEqual(defaultTokens([ours, described, people], false), [described]);
    assert.equal(judgeSomeDefaultToken([people]).kind, 'passed');
    assert.equal(judgeSomeDefaultToken([]).kind, 'failed');
  });
});

describe('judgeLeaks', () => {
  const half = GOOD['token-secret'] ?? '';
  const map = (text: string) => ({
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name: 'notes' },
    data: { text },
  });
  it('finds a secret half plainly and in base64 at every alignment', () => {
    for (const text of [
      half,
      `token: c8ad9c.${half}`,
      ...['', 'x', 'xx', 'xxx'].flatMap((before) =>
        ['', 'y', 'yy'].map((after) => base64(`${before}c8ad9c.${half}${after}`)),
      ),
    ])
      assert.equal(judgeLeaks([secret()], [map(text)]).kind, 'failed', text);
  });
  it('finds it in the annotations of the Secret itself', () =>
    assert.equal(
      judgeLeaks(
        [secret({}, { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': base64(half) } })],
        [],
      ).kind,
      'failed',
    ));
  it('does not mind the id, nor the data of the Secret', () =>
    assert.equal(judgeLeaks([secret()], [map('jws-kubeconfig-c8ad9c')]).kind, 'passed'));
});

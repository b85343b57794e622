import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Secret } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { twinsOf } from '../common/twins.testing.js';
import { base64, GOOD_HALF, tokenSecret as secret } from './token-secret.testing.js';
import { readTokenSecrets, type TokenSecret } from './token-secrets.js';
import * as checks from './tokens-at-rest.js';

interface Case {
  readonly check: Check<readonly TokenSecret[]>;
  readonly good: readonly Secret[];
  readonly bad: readonly Secret[];
}

const group = (name: string): Secret => secret({ 'auth-extra-groups': name });

const CASES: readonly Case[] = [
  {
    check: checks.tokenForm,
    good: [secret()],
    bad: [
      secret({ 'token-id': '07401B' }),
      secret({ 'token-secret': 'short' }),
      secret({ 'token-secret': '2e4d610cf3e7426f\n' }),
      secret({ 'token-id': '' }),
    ],
  },
  {
    check: checks.tokenIdForm,
    good: [secret()],
    bad: ['abc-ef', 'abcdefg', 'abcde', 'a', 'ABCDEF', ' abcdef', 'abcdef\n', 'äbcdef'].map((id) =>
      secret({ 'token-id': id }),
    ),
  },
  {
    check: checks.tokenHalfForm,
    good: [secret()],
    bad: [
      '0123456789abcdef0123456789abcdef',
      '0123456789abcdef0',
      '0123456789abcde',
      'a',
      '0123456789abcdeF',
      '0123456789abcde-',
      '0123456789abcdef\n',
    ].map((half) => secret({ 'token-secret': half })),
  },
  { check: checks.tokenType, good: [secret()], bad: [secret({}, { type: 'Opaque' })] },
  {
    check: checks.secretNamed,
    good: [secret()],
    bad: [
      secret({}, { name: 'bootstrap-token-c8ad9c-2' }),
      secret({}, { name: 'bootstrap-token-C8AD9C' }),
      secret({}, { name: 'kubeadm-token-c8ad9c' }),
      secret({}, { name: 'bootstrap_token_c8ad9c' }),
    ],
  },
  {
    check: checks.nameHasId,
    good: [secret(), secret({ 'token-id': 'abcdefg' }, { name: 'bootstrap-token-abcdefg' })],
    bad: [secret({ 'token-id': 'ffffff' }), secret({ 'token-id': undefined })],
  },
  { check: checks.inKubeSystem, good: [secret()], bad: [secret({}, { namespace: 'default' })] },
  {
    check: checks.expirationForm,
    good: [
      secret(),
      secret({ expiration: '2022-04-03T11:13:09+08:00' }),
      secret({ expiration: '2026-11-20T9:30:00Z' }),
    ],
    bad: [secret({ expiration: '1489116131' }), secret({ expiration: '2017-03-10' }), secret({ expiration: '24h' })],
  },
  {
    check: checks.usageKeys,
    good: [secret(), secret({ 'example.com.ticket': '1', 'usage-notes': 'for the night shift' })],
    bad: [
      'usage-authentication',
      'usage-bootstrap-admin',
      'Usage-Bootstrap-Signing',
      'Usage-Bootstrap-Admin',
      'usage_bootstrap_authentication',
      'usages-signing',
      'bootstrap-usage-signing',
      'usage-login',
      'Usage_Authentication',
    ].map((key) => secret({ [key]: 'true' })),
  },
  {
    check: checks.groupList,
    good: [secret()],
    bad: [group('a, b'), group('a,'), group(',a'), group('a,,b'), group(','), group('a;b')],
  },
  {
    check: checks.groupPrefix,
    good: ['foo', 'foo:bar:baz', 'foo-bar-42'].map((name) => group(`system:bootstrappers:${name}`)),
    bad: [
      'foo',
      'system:bootstrappers',
      'system:bootstrappers:',
      'system:bootstrappers:Foo',
      'system:bootstrappers:*',
      'system:bootstrappers:foo:',
      'system:bootstrappers:foo-',
      'system:masters',
      'system:bootstrappers:foo,system:masters',
      'system:bootstrappers:foo, system:bootstrappers:bar',
      'system:bootstrappersx:foo',
      'system:bootstrappers-foo',
      `system:bootstrappers:${'x'.repeat(300)}`,
    ].map(group),
  },
  {
    check: checks.valuesEncoded,
    good: [secret(), secret({ description: '给新节点\n' }), secret({ description: '\u200fלצמתים חדשים\r\n' })],
    bad: [
      secret({}, { raw: { 'token-secret': '0123456789abcdef' } }),
      secret({}, { raw: { 'usage-bootstrap-signing': 'true' } }),
      secret({ description: 'a\u0000b' }),
      secret({}, { raw: { expiration: '2027-03-10T03:22:11Z' } }),
      secret({ 'token-id': base64('c8ad9c') }),
      secret({ 'token-secret': base64(GOOD_HALF) }),
      secret({ expiration: base64('2027-03-10T03:22:11Z') }),
      secret({ 'usage-bootstrap-signing': base64('true') }),
      secret({ 'auth-extra-groups': base64('system:bootstrappers:worker') }),
      secret({ 'auth-extra-groups': base64('system:bootstrappers:worker,system:bootstrappers:ingress') }),
    ],
  },
];

describe('token Secrets at rest', () => {
  for (const { check, good, bad } of CASES) {
    it(`${check.id}: sound ones are met, each broken one among them is not, none is left untold`, () => {
      assert.deepEqual(
        resultsOf(check, readTokenSecrets(good), undefined),
        good.map(() => 'met'),
      );
      const all = [secret(), ...bad];
      const findings = judged(check, readTokenSecrets(all), undefined);
      assert.deepEqual(
        findings.map(({ result }) => result),
        ['met', ...bad.map(() => 'unmet')],
        JSON.stringify(findings, null, 1),
      );
      assert.ok(findings.every(({ role, refusal }) => role === 'demand' && refusal === undefined));
    });
    it(`${check.id}: without Secrets it says why nothing was judged`, () => {
      assert.deepEqual(check.judge([], undefined), []);
      assert.ok(check.nothing);
    });
  }

  it('demands keys, and points at a misspelt one', () => {
    const read = readTokenSecrets([
      secret(),
      secret({ 'token-id': undefined }),
      secret({ 'token-id': '' }),
      secret({ 'token-id': undefined, token_id: 'c8ad9c' }),
    ]);
    const findings = judged(checks.keyPresent, read, { key: 'token-id' });
    assert.deepEqual(
      findings.map(({ result, seen }) => `${result}: ${seen}`),
      [
        'met: it has',
        'unmet: the key is absent or empty',
        'unmet: the key is absent or empty',
        'unmet: it has "token_id" instead',
      ],
    );
  });

  it('are those of these names, in these letters', () => {
    for (const twin of twinsOf('token-id')) {
      const read = readTokenSecrets([secret({ 'token-id': undefined, [twin]: 'c8ad9c' })]);
      assert.deepEqual(resultsOf(checks.keyPresent, read, { key: 'token-id' }), ['unmet'], twin);
    }
    const [found] = judged(
      checks.keyPresent,
      readTokenSecrets([secret({ 'token-id': undefined, 'Token-Id': 'c8ad9c' })]),
      { key: 'token-id' },
    );
    assert.equal(found?.seen, 'it has "Token-Id" instead');
    for (const twin of twinsOf('bootstrap.kubernetes.io/token'))
      assert.deepEqual(
        resultsOf(checks.tokenType, readTokenSecrets([secret({}, { type: twin })]), undefined),
        ['unmet'],
        twin,
      );
    for (const twin of twinsOf('kube-system'))
      assert.deepEqual(
        resultsOf(checks.inKubeSystem, readTokenSecrets([secret({}, { namespace: twin })]), undefined),
        ['unmet'],
        twin,
      );
  });

  it('says nothing of what a token does not have', () => {
    const bare = readTokenSecrets([
      secret({ expiration: undefined, 'auth-extra-groups': undefined, 'token-id': '', 'token-secret': '' }),
    ]);
    for (const check of [
      checks.tokenIdForm,
      checks.tokenHalfForm,
      checks.expirationForm,
      checks.groupList,
      checks.groupPrefix,
    ])
      assert.deepEqual(check.judge(bare, undefined), [], check.id);
  });

  it('knows what was written plainly though it decodes to a text', () => {
    const read = readTokenSecrets([secret({}, { raw: { 'token-secret': 'aicwaicwaicwaicw' } })]);
    assert.match(judged(checks.valuesEncoded, read, undefined)[0]?.seen ?? '', /token-secret was written plainly/);
  });

  it('takes an odd but readable time with a note', () => {
    const read = readTokenSecrets([secret({ expiration: '2026-11-20T9:30:00+01:00' })]);
    assert.match(judged(checks.expirationForm, read, undefined)[0]?.note ?? '', /RFC 3339 itself.*UTC/);
  });
});

describe('a token Secret that has not the form of a Secret', () => {
  // as somebody may write it in YAML: without quotation marks
  const odd: unknown = { ...secret(), data: { 'token-id': 123456, 'usage-bootstrap-signing': true } };
  const none: unknown = { ...secret(), data: ['token-id'] };

  it('is told by the rule on its encoding, and lacks what cannot be read', () => {
    const read = readTokenSecrets([odd, none] as Secret[]);
    assert.deepEqual(resultsOf(checks.valuesEncoded, read, undefined), ['unmet', 'unmet']);
    const [first, second] = judged(checks.valuesEncoded, read, undefined);
    assert.equal(first?.seen, 'data.token-id is no string; data.usage-bootstrap-signing is no string');
    assert.equal(second?.seen, 'data is no object or null');
    assert.deepEqual(resultsOf(checks.tokenForm, read, undefined), ['unmet', 'unmet']);
    assert.deepEqual(resultsOf(checks.keyPresent, read, { key: 'token-id' }), ['unmet', 'unmet']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundedOpinion, Exchanges, isOpinion } from './exchanges.js';
import { Redactor } from './redaction.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (name: string, more: object = {}): object => ({
  kind: 'Secret',
  type: 'bootstrap.kubernetes.io/token',
  metadata: { name },
  data: { 'token-id': base64('abcdef'), password: base64('a long password of somebody') },
  ...more,
});
const { kind: _kind, ...listed } = secret('in-a-list') as { kind: string };

/** What is kept of a response. */
function kept(body: object | string): string {
  const exchange = { at: 0, as: 'admin', method: 'GET', path: '/', status: 200, milliseconds: 1 } as never;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Exchanges(new Redactor()).add({ ...(exchange as object), responseBody: text } as never).responseBody ?? '';
}

describe('what is kept of an answer', () => {
  const PASSWORD = base64('a long password of somebody');

  it('is the whole where no Secret is in it', () => {
    const map = { metadata: { name: 'a' }, data: { key: PASSWORD } };
    for (const body of [
      { kind: 'ConfigMap', ...map },
      { kind: 'ConfigMapList', items: [map] },
      { kind: 'Table', rows: [{ object: { kind: 'ConfigMap', ...map } }] },
      { type: 'ADDED', object: { kind: 'ConfigMap', ...map } },
    ])
      assert.equal(kept(body), JSON.stringify(body));
  });

  it('is no value of a Secret but those that are public, wherever it is', () => {
    for (const body of [
      secret('a'),
      { kind: 'SecretList', items: [listed] },
      { kind: 'List', items: [secret('a')] },
      { kind: 'Table', rows: [{ object: secret('a') }] },
      { type: 'ADDED', object: secret('a') },
      `${JSON.stringify({ type: 'ADDED', object: secret('a') })}\n${JSON.stringify({ type: 'DELETED', object: secret('b') })}\n`,
    ]) {
      const text = kept(body);
      assert.ok(!text.includes(PASSWORD), text);
      assert.ok(text.includes(base64('abcdef')), text);
    }
  });

  it('is no value of a Secret that is sent, either', () => {
    const exchange = { at: 0, as: 'admin', method: 'POST', path: '/', status: 201, milliseconds: 1 } as const;
    const sent = new Exchanges(new Redactor()).add({ ...exchange, requestBody: JSON.stringify(secret('a')) } as never);
    assert.ok(!sent.requestBody?.includes(PASSWORD), sent.requestBody);
    assert.ok(sent.requestBody?.includes(base64('abcdef')), sent.requestBody);
  });

  it('is its length where it cannot be read', () => {
    assert.match(kept(`{"kind":"Secret","data":{"a":"${PASSWORD}"`), /^\(\d+ characters with Secrets/);
  });
});

describe('what is shown of an exchange', () => {
  it('holds no secret in any of its texts, however it is read', () => {
    const redactor = new Redactor();
    const secret = 'a-long-secret-of-somebody';
    redactor.add(secret);
    const text = `has ${secret} in it`;
    const exchange = { at: 0, as: text, method: 'GET', path: `/${text}`, status: 200, milliseconds: 1 } as const;
    const told = { ...exchange, requestBody: text, responseBody: text, error: text };
    const shown = new Exchanges(redactor).add(told as never, undefined, () => [`X-A: ${text}`]);
    for (const one of [shown, { ...shown }, JSON.parse(JSON.stringify(shown)) as object])
      assert.deepEqual(one, {
        ...exchange,
        as: 'has [redacted] in it',
        path: '/has [redacted] in it',
        requestHeaders: ['X-A: has [redacted] in it'],
        requestBody: 'has [redacted] in it',
        responseBody: 'has [redacted] in it',
        error: 'has [redacted] in it',
      });
  });
});

it('what is said for people to read is a Status, or the answer to a review', () => {
  for (const kind of ['Status', 'SubjectAccessReview', 'TokenReview', 'AdmissionReview', 'Review'])
    assert.equal(isOpinion({ kind }), true, kind);
  for (const body of [
    { kind: 'Statuses' },
    { kind: 'ComponentStatus' },
    { kind: 'Reviewer' },
    { kind: 7 },
    {},
    'Status',
    undefined,
  ])
    assert.equal(isOpinion(body), false, JSON.stringify(body));
  const long = 'a'.repeat(1_000_000);
  const bounded = boundedOpinion({ kind: 'Status', message: long, more: ['short', long] }, new Redactor()) as {
    readonly message: string;
    readonly more: readonly string[];
  };
  assert.ok(bounded.message.length < long.length && bounded.message.startsWith('aaa'));
  assert.equal(bounded.more[0], 'short');
  assert.ok((bounded.more[1]?.length ?? 0) < long.length);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundedOpinion, Exchanges, isOpinion, registerOwnSecrets, registerSecrets } from './exchanges.js';
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
      // without its kind, as some serve the items of any list
      { kind: 'List', items: [listed], metadata: { selfLink: 'Secrets' } },
      { ...listed, metadata: { name: 'Secret' } },
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

describe('what is kept of a Secret', () => {
  const given = { password: base64('a long password of somebody'), 'usage-bootstrap-signing': base64('true') };
  const publics = Object.fromEntries(
    [
      'token-id',
      'expiration',
      'description',
      'auth-extra-groups',
      'usage-bootstrap-authentication',
      'usage-bootstrap-other',
    ].map((key) => [key, base64(key)]),
  );
  const read = (body: object): Record<string, unknown> => JSON.parse(kept(body)) as Record<string, unknown>;

  it('is of a token what is public of it, and of another one nothing', () => {
    const data = { ...given, ...publics, 'token-secret': base64('0123456789abcdef') };
    const hidden = { ...data, password: '[redacted]', 'token-secret': '[redacted]' };
    const token = secret('a', { data, stringData: data });
    assert.deepEqual(read(token), { ...token, data: hidden, stringData: hidden });
    const nothing = Object.fromEntries(Object.keys(data).map((key) => [key, '[redacted]']));
    const opaque = secret('a', { data, type: 'Opaque' });
    assert.deepEqual(read(opaque), { ...opaque, data: nothing });
  });

  it('is without what was last applied of it', () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'all of it', other: 'other' };
    const one = read(secret('a', { metadata: { name: 'a', annotations } }));
    assert.deepEqual(one.metadata, {
      name: 'a',
      annotations: { ...annotations, 'kubectl.kubernetes.io/last-applied-configuration': '[redacted]' },
    });
  });
});

describe('what a body shows of secrets', () => {
  const body = (half: string, namespace: string, more: object = {}): object =>
    secret('a', { metadata: { name: 'a', namespace }, data: { 'token-secret': base64(half) }, ...more });
  const half = '0a1b2c3d4e5f6a7b';
  const hides = (text: string, register: (redactor: Redactor) => void): boolean => {
    const redactor = new Redactor();
    register(redactor);
    return redactor.redact(text) !== text;
  };
  it('is learned, wherever in it it is, also where a tenant has made it', () => {
    for (const all of [
      body(half, 'kube-system'),
      body(half, 'default'),
      { items: [body('other-half-of-it', 'kube-system'), body(half, 'kube-system')] },
      { rows: [{ object: body(half, 'kube-system') }] },
      { type: 'ADDED', object: body(half, 'default') },
      body('', 'kube-system', { stringData: { 'token-secret': half } }),
    ])
      assert.ok(
        hides(`is ${half}!`, (redactor) => registerSecrets(all, redactor)),
        JSON.stringify(all),
      );
    for (const all of [
      undefined,
      'text',
      body(half, 'default', { type: 'Opaque' }),
      { data: { 'token-secret': half } },
    ])
      assert.ok(!hides(`is ${half}!`, (redactor) => registerSecrets(all, redactor)));
  });
  it('hides no word that everybody writes, nor what a tenant has named so', () => {
    for (const word of ['kube-system', 'conformant', 'ConfigMap', 'namespace'])
      assert.ok(!hides(word, (redactor) => registerSecrets(body(word, 'kube-system'), redactor)), word);
    const plain = 'not-made-by-chance';
    assert.ok(hides(plain, (redactor) => registerSecrets(body(plain, 'kube-system'), redactor)));
    assert.ok(!hides(plain, (redactor) => registerSecrets(body(plain, 'default'), redactor)));
    const taken = (redactor: Redactor): void =>
      registerSecrets({ items: [body(half, 'default'), { metadata: { name: half } }] }, redactor);
    assert.ok(!hides(half, taken));
    const owned = (redactor: Redactor): void =>
      registerSecrets({ items: [body(half, 'default'), { metadata: { name: 'a', namespace: half } }] }, redactor);
    assert.ok(!hides(half, owned));
  });
  it('is learned of what joinproof sends, whatever its namespace', () => {
    for (const namespace of ['kube-system', 'default'])
      for (const word of [half, 'conformant', 'not-made-by-chance'])
        assert.ok(hides(word, (redactor) => registerOwnSecrets(body(word, namespace), redactor)));
    assert.ok(!hides(half, (redactor) => registerOwnSecrets(body(half, 'default', { type: 'Opaque' }), redactor)));
  });
});

describe('what is kept of many exchanges', () => {
  it('is what was received by the newest, what was sent by more of them, and the line of all', () => {
    const all = new Exchanges(new Redactor());
    const line = { at: 'now', as: 'a', method: 'GET', status: 200, milliseconds: 1 };
    const count = 20_001;
    for (let at = 0; at < count; at += 1)
      all.add({ ...line, path: `/${at}`, requestBody: 'sent', responseBody: 'got' });
    const seen = all.list();
    assert.equal(seen.length, count);
    const kept = (at: number) => [seen[at]?.path, seen[at]?.requestBody, seen[at]?.responseBody];
    assert.deepEqual(kept(0), ['/0', undefined, undefined]);
    assert.deepEqual(kept(1), ['/1', 'sent', undefined]);
    assert.deepEqual(kept(count - 2001), [`/${count - 2001}`, 'sent', undefined]);
    assert.deepEqual(kept(count - 2000), [`/${count - 2000}`, 'sent', 'got']);
    assert.deepEqual(
      all.list(count - 2).map(({ path }) => path),
      [`/${count - 2}`, `/${count - 1}`],
    );
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

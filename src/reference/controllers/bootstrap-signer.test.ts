import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { upstream } from '../decisions.js';
import { bootstrapSigner } from './bootstrap-signer.js';
import { CONFIG_MAPS, SECRETS } from './controller.js';
import { clusterInfo, type Harness, harness, inSeconds, tokenSecret } from './testing/harness.js';

/** Vectors of cluster-bootstrap, token/jws/jws_test.go, and of pkg/controller/bootstrap/bootstrapsigner_test.go. */
const TEXT = 'Hello from the other side. I must have called a thousand times.';
const VECTORS = [
  [
    TEXT,
    'joshua',
    'my voice is my passcode',
    'eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8',
  ],
  [
    '',
    'joshua',
    'my voice is my passcode',
    'eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..7Ui1ALizW4jXphVUB7xUqC9vLYLL9RZeOFfVLoB7Tgk',
  ],
  [TEXT, 'joshua', '', 'eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..UfkqvDGiIFxrMnFseDj9LYJOLNrvjW8aHhF71mvvAs8'],
  [
    'payload',
    'abc123',
    'tokenSecret',
    'eyJhbGciOiJIUzI1NiIsImtpZCI6ImFiYzEyMyJ9..QSxpUG7Q542CirTI2ECPSZjvBOJURUW5a7XqFpNI958',
  ],
] as const;
const SIGNATURE = VECTORS[3][3];

const signs = { 'token-id': 'abc123', 'token-secret': 'tokenSecret', 'usage-bootstrap-signing': 'true' };
const dataOf = (h: Harness): unknown => h.store.get(CONFIG_MAPS, 'kube-public', 'cluster-info')?.data;

async function signed(
  data: Readonly<Record<string, string>>,
  ...secrets: Parameters<typeof tokenSecret>[]
): Promise<Harness> {
  const h = harness();
  for (const secret of secrets) h.store.create(SECRETS, tokenSecret(...secret));
  h.store.create(CONFIG_MAPS, clusterInfo(data));
  await h.run(bootstrapSigner(h.context));
  return h;
}

describe('a signature', () => {
  for (const [content, id, secret, expected] of VECTORS) {
    it(`of ${JSON.stringify(content.slice(0, 8))} by "${secret}" is upstream's`, () => {
      const header = upstream.signatureHeader(id);
      const payload = upstream.signaturePayload(content);
      const mac = upstream.signatureMac(upstream.signatureKey(id, Buffer.from(secret)), header, payload);
      assert.equal(upstream.detachedSignature(header, payload, mac), expected);
    });
  }
});

describe('which Secrets sign', () => {
  const name = 'bootstrap-token-abc123';
  const rows: readonly [string, string, Readonly<Record<string, string>>, boolean][] = [
    ['no expiration', name, signs, true],
    ['an empty expiration', name, { ...signs, expiration: '' }, true],
    ['an hour to live', name, { ...signs, expiration: inSeconds(3600) }, true],
    ['expired an hour ago', name, { ...signs, expiration: inSeconds(-3600) }, false],
    ['expired at this instant', name, { ...signs, expiration: inSeconds(0) }, false],
    ['an unreadable expiration', name, { ...signs, expiration: 'garbage' }, false],
    ['no usage', name, { 'token-id': 'abc123', 'token-secret': 'tokenSecret' }, false],
    ['usage "True"', name, { ...signs, 'usage-bootstrap-signing': 'True' }, false],
    ['an empty id', name, { ...signs, 'token-id': '' }, false],
    ['an empty secret', name, { ...signs, 'token-secret': '' }, false],
    ['a name without prefix', 'abc123', signs, false],
    ['a name of another id', 'bootstrap-token-abc124', signs, false],
    ['bad groups', name, { ...signs, 'auth-extra-groups': 'foo' }, true],
  ];
  for (const [what, secretName, data, expected] of rows) {
    it(`${what}: ${expected ? 'signs' : 'does not'}`, async () => {
      const h = await signed({ kubeconfig: 'payload' }, [secretName, data]);
      assert.deepEqual(
        dataOf(h),
        expected ? { kubeconfig: 'payload', 'jws-kubeconfig-abc123': SIGNATURE } : { kubeconfig: 'payload' },
      );
    });
  }
  it('another type or namespace: does not', async () => {
    const h = await signed(
      { kubeconfig: 'payload' },
      [name, signs, 'Opaque'],
      [name, signs, 'bootstrap.kubernetes.io/token', 'default'],
    );
    assert.deepEqual(h.writes, []);
  });
});

describe('the signer', () => {
  it('never makes cluster-info', async () => {
    const h = harness();
    h.store.create(SECRETS, tokenSecret('bootstrap-token-abc123', signs));
    await h.run(bootstrapSigner(h.context));
    assert.deepEqual(h.writes, []);
  });
  it('writes nothing where all is right', async () => {
    const h = await signed({ kubeconfig: 'payload', 'jws-kubeconfig-abc123': SIGNATURE }, [
      'bootstrap-token-abc123',
      signs,
    ]);
    assert.deepEqual(h.writes, []);
  });
  it('puts a wrong signature right and drops every stale one in one update, keeping other keys', async () => {
    const before = {
      kubeconfig: 'payload',
      'jws-kubeconfig-abc123': 'x..y',
      'jws-kubeconfig-': 'a',
      'jws-kubeconfig-ABC': 'b',
      'jws-kubeconfig': 'c',
      other: 'd',
    };
    const h = await signed(before, ['bootstrap-token-abc123', signs]);
    assert.deepEqual(dataOf(h), {
      kubeconfig: 'payload',
      'jws-kubeconfig-abc123': SIGNATURE,
      'jws-kubeconfig': 'c',
      other: 'd',
    });
    assert.deepEqual(h.writes, ['bootstrap-signer: update configmaps kube-public/cluster-info']);
  });
  it('leaves signatures alone while there is no kubeconfig, and signs an empty one', async () => {
    const h = await signed({ 'jws-kubeconfig-zzzzzz': 'x' }, ['bootstrap-token-abc123', signs]);
    assert.deepEqual(dataOf(h), { 'jws-kubeconfig-zzzzzz': 'x' });
    const empty = await signed({ kubeconfig: '' }, ['bootstrap-token-abc123', signs]);
    assert.deepEqual(Object.keys(dataOf(empty) as object).sort(), ['jws-kubeconfig-abc123', 'kubeconfig']);
  });
  it('hears of tokens that come, change and go', async () => {
    const h = await signed({ kubeconfig: 'payload' });
    const secret = h.store.create(SECRETS, tokenSecret('bootstrap-token-abc123', signs));
    await h.settle();
    assert.deepEqual(dataOf(h), { kubeconfig: 'payload', 'jws-kubeconfig-abc123': SIGNATURE });
    h.store.update(SECRETS, {
      ...secret,
      data: { ...(secret.data as object), 'token-secret': Buffer.from('other').toString('base64') },
    });
    await h.settle();
    assert.notDeepEqual(dataOf(h), { kubeconfig: 'payload', 'jws-kubeconfig-abc123': SIGNATURE });
    h.store.delete(SECRETS, 'kube-system', 'bootstrap-token-abc123');
    await h.settle();
    assert.deepEqual(dataOf(h), { kubeconfig: 'payload' });
  });
  it('does nothing when a token expires, until something happens', async () => {
    const h = await signed({ kubeconfig: 'payload' }, [
      'bootstrap-token-abc123',
      { ...signs, expiration: inSeconds(60) },
    ]);
    await h.advance(3_600_000);
    assert.deepEqual(Object.keys(dataOf(h) as object).length, 2);
    h.store.create(SECRETS, tokenSecret('bootstrap-token-zzzzzz', {}));
    await h.settle();
    assert.deepEqual(dataOf(h), { kubeconfig: 'payload' });
  });
  it('keeps the signature of a token that a finalizer holds', async () => {
    const held = tokenSecret('bootstrap-token-abc123', signs);
    const h = harness();
    h.store.create(SECRETS, {
      ...held,
      metadata: { ...held.metadata, deletionTimestamp: inSeconds(0), finalizers: ['a/b'] },
    });
    h.store.create(CONFIG_MAPS, clusterInfo({ kubeconfig: 'payload' }));
    await h.run(bootstrapSigner(h.context));
    assert.deepEqual(dataOf(h), { kubeconfig: 'payload', 'jws-kubeconfig-abc123': SIGNATURE });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Secret } from '../../kubernetes/objects.js';
import { accountTokens } from './account-tokens.js';
import { SECRETS, SERVICE_ACCOUNTS } from './controller.js';
import { harness } from './testing/harness.js';

const TYPE = 'kubernetes.io/service-account-token';
const account = (uid = 'u1') => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', namespace: 'default', uid },
});
const secret = (annotations: Readonly<Record<string, string>>, more: Partial<Secret> = {}): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: TYPE,
  metadata: {
    name: 's',
    namespace: 'default',
    uid: 'uid-of-s',
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [`kubernetes.io/service-account.${key}`, value]),
    ),
  },
  ...more,
});
const text = (value = ''): string => Buffer.from(value, 'base64').toString();

const started = async (...objects: readonly (readonly [typeof SECRETS, object])[]) => {
  const h = harness();
  for (const [resource, object] of objects) h.store.create(resource, object as Secret);
  const sign = (of: object): string => JSON.stringify(of);
  await h.run(accountTokens(h.context, { client: h.context.as('manager'), caPem: 'the CA', sign }));
  const stored = (): Secret | undefined => h.store.get(SECRETS, 'default', 's') as Secret | undefined;
  return { h, stored };
};

describe('the controller of tokens in Secrets', () => {
  it('fills a Secret that names an account, once', async () => {
    const { h, stored } = await started([SERVICE_ACCOUNTS, account()], [SECRETS, secret({ name: 'robot' })]);
    const data = stored()?.data ?? {};
    assert.deepEqual(JSON.parse(text(data.token)), {
      namespace: 'default',
      name: 'robot',
      uid: 'u1',
      secretName: 's',
    });
    assert.deepEqual([text(data['ca.crt']), text(data.namespace)], ['the CA', 'default']);
    assert.equal(stored()?.metadata.annotations?.['kubernetes.io/service-account.uid'], 'u1');
    assert.deepEqual(h.writes, ['manager: update secrets default/s']);
  });

  it('leaves a token that is there, and puts the CA right', async () => {
    const own = { token: 'b3du', namespace: 'b3Ro', 'ca.crt': 'b2xk' };
    const { stored } = await started(
      [SERVICE_ACCOUNTS, account()],
      [SECRETS, secret({ name: 'robot' }, { data: own })],
    );
    assert.deepEqual(stored()?.data, { ...own, 'ca.crt': Buffer.from('the CA').toString('base64') });
  });

  const DELETED = ['manager: delete uid=uid-of-s secrets default/s'];
  for (const [what, annotations] of [
    ['nobody', { name: 'nobody' }],
    ['an account of another UID', { name: 'robot', uid: 'u0' }],
    ['no account', {}],
  ] as const)
    it(`deletes one that names ${what}`, async () => {
      const { h } = await started(
        [SERVICE_ACCOUNTS, account()],
        [SECRETS, secret(annotations as Record<string, string>)],
      );
      assert.deepEqual(h.writes, DELETED);
    });

  it('deletes it when its account goes', async () => {
    const { h, stored } = await started([SERVICE_ACCOUNTS, account()], [SECRETS, secret({ name: 'robot' })]);
    h.store.delete(SERVICE_ACCOUNTS, 'default', 'robot');
    await h.settle();
    assert.equal(stored(), undefined);
    assert.deepEqual(h.writes.slice(1), DELETED);
  });

  it('looks at no Secret of another type', async () => {
    const { h } = await started([SECRETS, secret({ name: 'nobody' }, { type: 'Opaque' })]);
    assert.deepEqual(h.writes, []);
  });

  it('passes over a Secret that has gone, or is of another type, before its turn comes', async () => {
    const { h } = await started([SERVICE_ACCOUNTS, account()]);
    h.store.create(SECRETS, secret({ name: 'nobody' }));
    h.store.delete(SECRETS, 'default', 's');
    await h.settle();
    const made = h.store.create(SECRETS, secret({ name: 'nobody' }));
    h.store.update(SECRETS, { ...made, type: 'Opaque' });
    await h.settle();
    assert.deepEqual(h.writes, []);
  });

  it('fills what is missing, and keeps other keys and annotations', async () => {
    const given = secret({ name: 'robot', mine: 'a' }, { data: { token: '', more: 'eA==' } });
    const { h, stored } = await started([SERVICE_ACCOUNTS, account()], [SECRETS, given]);
    const { token, ...data } = stored()?.data ?? {};
    assert.match(text(token), /"name":"robot"/);
    const base64 = (plain: string): string => Buffer.from(plain).toString('base64');
    assert.deepEqual(data, { more: 'eA==', 'ca.crt': base64('the CA'), namespace: base64('default') });
    assert.deepEqual(stored()?.metadata.annotations, {
      'kubernetes.io/service-account.name': 'robot',
      'kubernetes.io/service-account.mine': 'a',
      'kubernetes.io/service-account.uid': 'u1',
    });
    assert.equal(h.writes.length, 1);
  });

  it('notes the UID of the account in a Secret that is full', async () => {
    const { h, stored } = await started([SERVICE_ACCOUNTS, account()], [SECRETS, secret({ name: 'robot' })]);
    const full = stored() as Secret;
    const { uid: _before, ...bare } = Object.fromEntries(
      Object.entries(full.metadata.annotations ?? {}).map(([key, value]) => [key.replace(/.*\./, ''), value]),
    );
    h.store.update(SECRETS, { ...secret(bare as Record<string, string>), data: full.data } as Secret);
    await h.settle();
    assert.deepEqual([stored()?.data, stored()?.metadata.annotations], [full.data, full.metadata.annotations]);
    assert.equal(h.writes.length, 2);
  });

  it('leaves the Secrets of other accounts and of other namespaces when an account goes', async () => {
    const other = { ...account('u2'), metadata: { name: 'other', namespace: 'default', uid: 'u2' } };
    const elsewhere = { ...account('u3'), metadata: { name: 'robot', namespace: 'elsewhere', uid: 'u3' } };
    const { h, stored } = await started(
      [SERVICE_ACCOUNTS, account()],
      [SERVICE_ACCOUNTS, other],
      [SERVICE_ACCOUNTS, elsewhere],
      [SECRETS, secret({ name: 'robot' })],
    );
    h.store.delete(SERVICE_ACCOUNTS, 'default', 'other');
    h.store.delete(SERVICE_ACCOUNTS, 'elsewhere', 'robot');
    h.store.update(SERVICE_ACCOUNTS, account());
    await h.settle();
    assert.ok(stored());
    assert.equal(h.writes.length, 1);
  });
});

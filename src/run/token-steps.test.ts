/** What steps share about tokens: how they are drawn, and what answers say of those who come with them. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Answer, Question, Target } from '../targets/types.js';
import { prepareSteps } from './execute.js';
import { setWorldParameters } from './world.js';
import { answered, endOf, run, Told, world } from './world.testing.js';

// cucumber loads what defines sentences; what is imported then is the same
await prepareSteps();
const { knownSoon, login } = await import('../../steps/common/login.js');
const { draftToken, joinsWithTokens, named } = await import('../../steps/common/tokens.js');

let told = new Told();
beforeEach(() => {
  told = new Told();
});
after(() => setWorldParameters(undefined));

/** Bytes that are drawn as these characters, then again from the beginning. */
const drawing = (text: string) => {
  let at = 0;
  return (bytes: number) =>
    Uint8Array.from({ length: bytes }, () =>
      'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(text[at++ % text.length] ?? ''),
    );
};

describe('a token of the run', () => {
  it('has an id that is another one in capitals', () => {
    run(told.target(), drawing('0123456789012345678a'));
    for (let time = 0; time < 20; time += 1) assert.match(draftToken(world(), '').made.id, /[a-z]/);
  });
  it('has an id of digits where that is asked for', () => {
    run(told.target(), drawing('0a1b2c3d4e5f6789'));
    assert.match(draftToken(world(), '', { id: 'of digits' }).made.id, /^[1-9]\d{5}$/);
  });
  it('is kept as it is told: each word of a table is seen in its Secret, and nothing else is', () => {
    run(told.target(), drawing('0a1b2c3d4e5f6789'));
    const plain = draftToken(world(), '').secret;
    const secretOf = (alterations: object) => {
      run(told.target(), drawing('0a1b2c3d4e5f6789'));
      return draftToken(world(), '', alterations as Record<string, string | undefined>).secret;
    };
    const { metadata, data = {} } = plain;
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    const id = Buffer.from(data['token-id'] ?? '', 'base64').toString();
    assert.equal(metadata.namespace, 'kube-system');
    assert.equal(metadata.name, `bootstrap-token-${id}`);
    for (const [alterations, otherwise] of [
      [{ name: 'jp-<id>' }, { metadata: { ...metadata, name: `jp-${id}` } }],
      [{ namespace: 'default' }, { metadata: { ...metadata, namespace: 'default' } }],
      [{ finalizer: 'a/b' }, { metadata: { ...metadata, finalizers: ['a/b'] } }],
      [{ type: 'Opaque' }, { type: 'Opaque' }],
      [{ immutable: 'true' }, { immutable: true }],
      [{ immutable: 'false' }, {}],
      [{ 'token-id': '<ID>' }, { data: { ...data, 'token-id': encoded(id.toUpperCase()) } }],
      [{ 'auth-extra-groups': 'a' }, { data: { ...data, 'auth-extra-groups': encoded('a') } }],
      [{ expiration: '' }, { data: { ...data, expiration: '' } }],
    ] as const)
      assert.deepEqual(secretOf(alterations), { ...plain, ...otherwise }, JSON.stringify(alterations));
    for (const key of ['token-id', 'token-secret', 'expiration', 'description', 'usage-bootstrap-authentication']) {
      const { [key]: left, ...others } = data;
      assert.notEqual(left, undefined, key);
      assert.deepEqual(Object.keys(secretOf({ [key]: undefined }).data ?? {}), Object.keys(others), key);
    }
  });
  it('is forbidden to ask where machines do not join with tokens, and only there', async () => {
    const end = (status: number, holds: readonly string[]) => {
      run(told.target({}, { holds: new Set(holds) }));
      return endOf(() => joinsWithTokens(world(), status));
    };
    assert.equal(await end(403, ['kubeadm']), 'it goes on');
    assert.match(await end(403, []), /^skipped, fact: kubeadm has not set this cluster up/);
    assert.equal(await end(401, []), 'it goes on');
    assert.equal(await end(201, []), 'it goes on');
  });
  it('is not shown by an object of another name', async () => {
    run(told.target());
    const found = { metadata: { name: 'a' } };
    assert.equal(named(world(), found, 'a'), found);
    for (const other of [{ metadata: { name: 'b' } }, { metadata: {} }, {}])
      assert.match(
        await endOf(() => named(world(), other as typeof found, 'a')),
        /^error, unclear: .* is another object/,
      );
  });
});

describe('who comes with a token', () => {
  const TOKEN = { kind: 'token', token: 'a1b2c3.0123456789abcdef' } as const;
  const WHO = { username: 'system:bootstrap:a1b2c3', groups: [] };
  const isSomebody = { status: { userInfo: WHO } };
  const REVIEWED = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', ...isSomebody };
  const forbidden = (user: string) => answered(403, { kind: 'Status', message: `User "${user}" cannot create` });

  /** Is told this by a SelfSubjectReview, or by a TokenReview that the administrator asks for. */
  const heard = async (own: Answer, reviewed: Answer = answered(403, { kind: 'Status', reason: 'Forbidden' })) => {
    const asked: string[] = [];
    const as = ({ kind }: { readonly kind: string }) => ({
      ask: async ({ path }: Question) => {
        asked.push(`${kind} ${path.split('/').at(-1)}`);
        return path.endsWith('/selfsubjectreviews') ? own : reviewed;
      },
    });
    const { abilities } = told.target();
    run(told.target({ abilities: { ...abilities, requests: { as, secret: () => {} } } }) as Target);
    const { status, body } = await login(world(), TOKEN);
    return { status, body, asked };
  };
  const review = (status: object) =>
    answered(201, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', status });

  it('is who the API server says', async () => {
    const { status, asked } = await heard(answered(201, REVIEWED));
    assert.deepEqual([status, asked], [201, ['token selfsubjectreviews']]);
  });
  it('is who a review says where he may not ask', async () => {
    for (const own of [answered(404, { kind: 'Status' }), forbidden('system:bootstrap:a1b2c3')]) {
      const { status, body } = await heard(own, review({ authenticated: true, user: WHO }));
      assert.deepEqual([status, body], [201, isSomebody]);
    }
  });
  it('is nobody where a review says so and the API server nothing', async () => {
    assert.equal((await heard(answered(404, { kind: 'Status' }), review({ authenticated: false }))).status, 401);
    assert.equal((await heard(forbidden('system:bootstrap:a1b2c3'), review({}))).status, 403);
  });
  it('is what he is told where nobody may ask for a review', async () => {
    for (const status of [404, 403]) {
      const own = status === 404 ? answered(404, { kind: 'Status' }) : forbidden('system:bootstrap:a1b2c3');
      assert.equal((await heard(own)).status, status);
      assert.equal(
        (await heard(own, answered(403, { kind: 'Status', status: { authenticated: true, user: WHO } }))).status,
        status,
      );
    }
  });
  it('is nobody who is forbidden something as a stranger', async () => {
    const { status, asked } = await heard(forbidden('system:anonymous'), review({ authenticated: true, user: WHO }));
    assert.deepEqual([status, asked], [403, ['token selfsubjectreviews']]);
  });
  it('is asked for again until he is known, or the time is over', async () => {
    run(told.target());
    let times = 0;
    const known = async () => ({ status: ++times < 3 ? 401 : 201, body: times < 3 ? {} : isSomebody });
    assert.equal((await knownSoon(world(), known)).status, 201);
    assert.equal(times, 3);
    const started = told.time;
    assert.equal((await knownSoon(world(), async () => ({ status: 401, body: {} }))).status, 401);
    assert.equal(told.time - started, 10_000);
  });
});

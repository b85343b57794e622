import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { record } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { castAt } from '../liars/cast.js';
import { issueCredential } from '../pki/authority.js';
import type { Abilities, Answer, Exchange, Identity, Question, Target } from '../targets/types.js';
import { HELD_BACK, type Hold, held } from './hold.js';

const TOKEN: Identity = { kind: 'token', token: 'a1b2c3.0123456789abcdef' };
const ADMIN: Identity = { kind: 'admin' };
const ANONYMOUS: Identity = { kind: 'anonymous' };
const header = (...authorization: readonly string[]): Identity =>
  ({ kind: 'header', authorization }) as unknown as Identity;
const certificateOf = (commonName: string, organizations: readonly string[]): Identity => {
  const { certificatePem, keyPem } = issueCredential(castAt(Date.now()).authorities.ca, {
    subject: { commonName, organizations },
    extendedKeyUsage: ['clientAuth'],
    key: 'ECDSA-P256',
    now: Date.now(),
  });
  return { kind: 'certificate', certificate: certificatePem, key: keyPem } as Identity;
};
const PODS = '/api/v1/namespaces/default/pods';
const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const real: Answer = { status: 200, headers: {}, text: '', body: { kind: 'Real' } };

/** `version`: with what the server answers whoever asks for its version. */
function world(hold: Hold, { version = 200 } = {}) {
  const told: string[] = [];
  const abilities = {
    requests: {
      as: (identity: Identity) => ({
        identity,
        ask: async ({ path }: Question) => (path === '/version' ? { ...real, status: version } : real),
      }),
    },
    objects: { get: async () => ({ kind: 'Real' }), list: async () => [{ kind: 'Real' }] },
    writes: { create: async () => 'made', patch: async () => 'patched', delete: async () => 'deleted' },
    reviews: { review: async () => ({ status: { allowed: true } }) },
    variants: { open: async () => target },
  } as unknown as Abilities;
  const target = {
    kind: 'reference',
    name: 'x',
    facts: {},
    abilities,
    why: (need: string) => need,
    close: async () => {},
  } as unknown as Target;
  const listener = ({ as, method, path, status }: Exchange): void => {
    told.push(`${as} ${method} ${path} ${status}`);
  };
  const under = held({ ...target, observed: () => target } as unknown as Target, hold).observed?.(listener);
  assert.ok(under !== undefined);
  const abilitiesOf = under.abilities as Abilities;
  const ask = async (identity: Identity, question: Question): Promise<Answer> =>
    abilitiesOf.requests.as(identity).ask(question);
  return { told, under, abilities: abilitiesOf, ask };
}
const status = async (answer: Promise<Answer>): Promise<number> => (await answer).status;

describe('a hold that forbids users', () => {
  it('knows them by their tokens and certificates', async () => {
    const tries: readonly (readonly [Identity, RegExp, number])[] = [
      [TOKEN, /^system:bootstrap:a1b2c3$/, 403],
      [TOKEN, /^system:anonymous$/, 200],
      [ANONYMOUS, /^system:anonymous$/, 403],
      [ADMIN, /^kubernetes-admin$/, 403],
      [ADMIN, /^(?!kubernetes-admin$)/, 200],
      [certificateOf('system:node:a', ['system:nodes']), /^system:node:a$/, 403],
      [certificateOf('system:node:a', ['system:nodes']), /^system:nobody$/, 200],
      [header('Bearer a1b2c3.x'), /^system:bootstrap:a1b2c3$/, 403],
      [header('bearer  a1b2c3.x'), /^system:bootstrap:a1b2c3$/, 403],
      [header('x Bearer a1b2c3.x'), /^system:anonymous$/, 403],
      [header('Bearer a1b2c3'), /^system:anonymous$/, 403],
      [header(), /^system:anonymous$/, 403],
    ];
    for (const [identity, forbidden, expected] of tries) {
      const { ask, told } = world({ forbidden });
      assert.equal(
        await status(ask(identity, { path: PODS })),
        expected,
        JSON.stringify([identity, String(forbidden)]),
      );
      assert.deepEqual(told, expected === 403 ? [`${HELD_BACK} GET ${PODS} 403`] : []);
    }
  });

  it('refuses who does not log in as the server does, and is silent about who one is', async () => {
    assert.equal(await status(world({ forbidden: /./ }, { version: 401 }).ask(TOKEN, { path: PODS })), 401);
    // Who has logged in is forbidden, whatever else he may not.
    for (const version of [403, 503])
      assert.equal(await status(world({ forbidden: /./ }, { version }).ask(TOKEN, { path: PODS })), 403);
    const { ask, told } = world({ forbidden: /./ });
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    assert.equal(await status(ask(TOKEN, { method: 'POST', path })), 403);
    assert.deepEqual(told, []);
    const { body } = await ask(TOKEN, { method: 'POST', path: PODS });
    assert.equal(record(body).reason, 'Forbidden');
    assert.deepEqual(told, [`${HELD_BACK} POST ${PODS} 403`]);
  });

  it('says of them that they may nothing, whoever asks', async () => {
    const review = (user: unknown) => ({ kind: 'SubjectAccessReview', spec: { user } });
    const { ask, abilities, told } = world({ forbidden: /^a$/ });
    const asked = async (user: unknown): Promise<unknown> =>
      record((await ask(ADMIN, { method: 'POST', path: REVIEWS, body: review(user) })).body).status;
    assert.deepEqual(await asked('a'), { allowed: false });
    assert.deepEqual([await asked('b'), await asked(5)], [undefined, undefined]);
    const own = (user: string) => abilities.reviews.review(review(user) as unknown as KubeObject);
    assert.deepEqual(record((await own('a')).body).status, { allowed: false });
    assert.deepEqual(record(await own('b')).status, { allowed: true });
    assert.deepEqual(told, [`${HELD_BACK} POST ${REVIEWS} 201`, `${HELD_BACK} POST ${REVIEWS} 201`]);
    assert.deepEqual(
      (await ask(ADMIN, { method: 'POST', path: PODS, body: review('a') })).body,
      real.body,
      'this is no review',
    );
  });
});

describe('a hold that leaves nothing there', () => {
  it('has empty lists, and no object', async () => {
    const { ask, told } = world({ empty: true });
    const tries: readonly (readonly [Question, number, string | undefined])[] = [
      [{ path: PODS }, 200, 'PodList'],
      [{ path: '/api/v1/nodes' }, 200, 'NodeList'],
      [{ path: '/apis/certificates.k8s.io/v1/certificatesigningrequests' }, 200, 'CertificateSigningRequestList'],
      [{ path: '/api/v1/namespaces' }, 200, 'NamespaceList'],
      [{ path: '/api/v1/namespaces/default' }, 404, 'Status'],
      [{ path: `${PODS}/a` }, 404, 'Status'],
      [{ path: '/api/v1/nodes/a/status' }, 404, 'Status'],
      [{ path: '/version' }, 200, 'Real'],
      [{ path: '/apis' }, 200, 'Real'],
      [{ method: 'POST', path: PODS }, 200, 'Real'],
    ];
    for (const [question, code, kind] of tries) {
      const answer = await ask(ADMIN, question);
      assert.deepEqual([answer.status, record(answer.body).kind], [code, kind], JSON.stringify(question));
    }
    assert.equal(told.length, 7);
    assert.deepEqual(record((await ask(ADMIN, { path: PODS })).body).items, []);
  });

  it('reads nothing by itself', async () => {
    const { abilities, told } = world({ empty: true });
    assert.equal(await abilities.objects.get(resources.pods, 'a'), undefined);
    assert.deepEqual(await abilities.objects.list(resources.pods), []);
    assert.deepEqual(
      told.map((line) => line.split(' ').at(-1)),
      ['404', '200'],
    );
    assert.notEqual(await world({}).abilities.objects.get(resources.pods, 'a'), undefined);
  });
});

describe('a hold that lets nobody write', () => {
  it('forbids all but reads and reviews', async () => {
    const { ask, told } = world({ readOnly: true });
    const codes = [
      await status(ask(ADMIN, { path: PODS })),
      await status(ask(ADMIN, { method: 'POST', path: PODS })),
      await status(ask(ADMIN, { method: 'DELETE', path: `${PODS}/a` })),
      await status(ask(ADMIN, { method: 'POST', path: REVIEWS })),
      await status(ask(ADMIN, { method: 'POST', path: `${REVIEWS}/a` })),
    ];
    assert.deepEqual(codes, [200, 403, 403, 200, 403]);
    assert.equal(told.length, 3);
  });

  it('writes nothing by itself', async () => {
    const { abilities, told } = world({ readOnly: true });
    const { writes } = abilities;
    const object = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a', namespace: 'default' } };
    await assert.rejects(
      async () => writes.create(resources.pods, object as unknown as KubeObject),
      /nobody may write/,
    );
    await assert.rejects(async () => writes.delete(resources.pods, 'a', 'default'), /nobody may write/);
    assert.deepEqual(told, [`${HELD_BACK} POST ${PODS} 403`, `${HELD_BACK} DELETE ${PODS} 403`]);
    assert.equal(await world({}).abilities.writes.delete(resources.pods, 'a', 'default'), 'deleted');
  });
});

describe('a target under a hold', () => {
  it('is the same otherwise, and so are its variants', async () => {
    const { under, abilities } = world({ readOnly: true });
    assert.deepEqual([under.kind, under.name, 'run' in under], ['reference', 'x', false]);
    assert.equal(under.why('writes' as never), 'writes');
    const variant = await abilities.variants.open({} as never);
    const requests = (variant.abilities as Abilities).requests.as(ADMIN);
    assert.equal((await requests.ask({ method: 'POST', path: PODS })).status, 403);
    assert.equal((await requests.ask({ path: PODS })).status, 200);
  });

  it('has no more abilities than it had', () => {
    const bare = { kind: 'cluster', name: 'y', run: 'r', facts: {}, abilities: {} } as unknown as Target;
    const under = held(bare, { readOnly: true, empty: true });
    assert.deepEqual([Object.keys(under.abilities), under.run], [[], 'r']);
  });
});

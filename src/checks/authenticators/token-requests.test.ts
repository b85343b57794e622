import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { loginTellsPod, type TokenAsked, tokenIsAsAsked } from './token-requests.js';

const MADE = Date.parse('2026-01-01T00:00:00Z') / 1000;
const POD = { kind: 'pod', name: 'p', uid: '1' } as const;

function token(seconds: number, more: object = {}, own: object = {}) {
  const claims = { iat: MADE, nbf: MADE, exp: MADE + seconds, aud: ['api'], 'kubernetes.io': own, ...more };
  return { claims, expires: new Date((MADE + seconds) * 1000).toISOString() };
}
type Given = Partial<ReturnType<typeof token>>;
/** What the answer says of it where that is right. */
const saidOf = ({ seconds = 3600, boundTo }: TokenAsked, { claims }: Given): object => ({
  audiences: [(claims as { aud?: string | string[] })?.aud ?? []].flat(),
  expirationSeconds: Math.min(seconds, Number(claims?.exp ?? Number.POSITIVE_INFINITY) - MADE),
  ...(boundTo === undefined ? {} : { boundObjectRef: { ...boundTo, kind: boundTo.kind.toUpperCase() } }),
});
const unmet = (asked: TokenAsked, given: Given, more: object = {}): readonly string[] => {
  const told = { ...saidOf(asked, given), ...more };
  const one = { subject: 'a token', asked, claims: null, expires: '', ...given, told };
  return saidBy(tokenIsAsAsked, [one], undefined).filter((said) => !said.startsWith('met'));
};

it('a token lives as long as was asked for, an hour where nothing was said', () => {
  assert.deepEqual(unmet({}, token(3600)), []);
  assert.deepEqual(unmet({ seconds: 600 }, token(600)), []);
  for (const seconds of [599, 601, 3600])
    assert.equal(unmet({ seconds: 600 }, token(seconds))[0], `unmet: it is for ${seconds}`);
  assert.equal(unmet({}, token(600))[0], 'unmet: it is for 600');
  // of a server that gives an hour at most
  assert.deepEqual(unmet({ seconds: 7200 }, token(3600)), []);
  assert.equal(unmet({ seconds: 7200 }, token(3599))[0], 'unmet: it is for 3599');
  const year = { ...token(31_536_000), expires: token(3607).expires };
  assert.deepEqual(unmet({ seconds: 3607, orSeconds: 31_536_000 }, year), []);
  assert.deepEqual(unmet({ seconds: 3607 }, year), ['unmet: it is for 31536000']);
});

it('it is good at once, and the answer says its end', () => {
  assert.deepEqual(unmet({}, token(3600, { nbf: undefined })), []);
  assert.deepEqual(unmet({}, token(3600, { nbf: MADE - 1 })), ['unmet: it is, -1 seconds later']);
  for (const seconds of [-3600, 2, 3600])
    assert.equal(unmet({}, { ...token(3600), expires: token(3600 + seconds).expires }).length, 1);
  assert.deepEqual(unmet({}, { ...token(3600), expires: token(3601).expires }), []);
});

it('it is for those whom it was asked for, and for nobody else', () => {
  assert.deepEqual(unmet({ audiences: ['b', 'a'] }, token(3600, { aud: ['a', 'b'] })), []);
  assert.deepEqual(unmet({ audiences: ['a'] }, token(3600, { aud: 'a' })), []);
  for (const aud of [['a'], ['a', 'b', 'api'], [], undefined])
    assert.equal(unmet({ audiences: ['a', 'b'] }, token(3600, { aud })).length, 1);
  assert.equal(unmet({}, token(3600, { aud: [] })).length, 1);
});

it('it goes with what it was bound to, whatever Node that is on', () => {
  const pod = { pod: { name: 'p', uid: '1' } };
  assert.deepEqual(unmet({ boundTo: POD }, token(3600, {}, pod)), []);
  assert.deepEqual(unmet({ boundTo: POD }, token(3600, {}, { ...pod, node: { name: 'n', uid: '2' } })), []);
  for (const own of [{}, { pod: { name: 'p', uid: '2' } }, { secret: pod.pod }, { ...pod, secret: pod.pod }])
    assert.equal(unmet({ boundTo: POD }, token(3600, {}, own)).length, 1);
  assert.equal(unmet({}, token(3600, {}, { node: { name: 'n', uid: '2' } })).length, 1);
});

it('the answer has what was asked for', () => {
  const asked = { seconds: 600, audiences: ['a'], boundTo: POD };
  const given = token(600, { aud: ['a'] }, { pod: { name: 'p', uid: '1' } });
  assert.deepEqual(unmet(asked, given), []);
  for (const more of [
    { audiences: [] },
    { audiences: ['a', 'b'] },
    { expirationSeconds: 3600 },
    { expirationSeconds: undefined },
    { boundObjectRef: undefined },
    { boundObjectRef: { kind: 'Pod', name: 'q' } },
    { boundObjectRef: { kind: 'Secret', name: 'p' } },
  ])
    assert.equal(unmet(asked, given, more).length, 1, JSON.stringify(more));
  assert.equal(unmet({}, token(3600), { audiences: [] }).length, 1);
});

it('what is no token is none of it', () => {
  assert.equal(unmet({}, {})[0], 'unmet: it is no JWT');
});

const EXTRA = 'authentication.kubernetes.io/';
const login = (extra: object, more: object = {}) => ({
  subject: 'a token',
  heard: { status: 201, body: { status: { userInfo: { username: 'a', extra } } } },
  pod: { name: 'p', uid: '1' },
  jti: 'x',
  ...more,
});
const results = (one: ReturnType<typeof login>) => resultsOf(loginTellsPod, [one], undefined).join(' ');

it('the bearer of a token of a Pod is told with it, its Node and the token', () => {
  const told = { [`${EXTRA}pod-name`]: ['p'], [`${EXTRA}pod-uid`]: ['1'], [`${EXTRA}credential-id`]: ['JTI=x'] };
  assert.equal(results(login(told)), 'met met met met met');
  assert.equal(results(login({})), 'unmet unmet met met unmet');
  assert.equal(results(login({ ...told, [`${EXTRA}node-name`]: ['n'] })), 'met met unmet met met');
  const node = { name: 'n', uid: '2' };
  assert.equal(results(login(told, { node })), 'met met unmet unmet met');
  const both = { ...told, [`${EXTRA}node-name`]: ['n'], [`${EXTRA}node-uid`]: ['2'] };
  assert.equal(results(login(both, { node })), 'met met met met met');
  assert.equal(results(login({ ...both, [`${EXTRA}pod-name`]: ['p', 'q'] }, { node })), 'unmet met met met met');
  const ofNode = { [`${EXTRA}node-name`]: ['n'], [`${EXTRA}node-uid`]: ['2'], [`${EXTRA}credential-id`]: ['JTI=x'] };
  assert.equal(results(login(ofNode, { pod: undefined, node })), 'met met met met met');
  assert.equal(results(login(both, { pod: undefined, node })), 'unmet unmet met met met');
  assert.equal(results(login(told, { jti: '' })), 'met met met met unmet');
  assert.equal(results(login({}, { heard: { status: 503, body: null } })), 'unclear unclear unclear unclear unclear');
});

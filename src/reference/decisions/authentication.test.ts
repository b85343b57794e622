/** Who is asked, what everybody gets and what headers say. Source: apiserver, pkg/authentication/request. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authenticationDecisions } from './authentication.js';

const { webSocketToken, proxiedUser, withCommonGroups, headersForHandlers } = authenticationDecisions;

describe('the token of a websocket', () => {
  // Source: websocket/protocol.go, and what its test leaves out.
  const carried = (bytes: string | Buffer): string =>
    `base64url.bearer.authorization.k8s.io.${Buffer.from(bytes).toString('base64url')}`;
  const encoding = { error: 'invalid base64.bearer.authorization token encoding' };
  const several = { error: 'multiple base64.bearer.authorization tokens specified' };
  const alone = { error: 'missing additional subprotocol' };
  for (const [what, values, found] of [
    ['no header', [], undefined],
    ['none of its prefix', ['v4.channel.k8s.io, base64url.bearer.authorization.k8s.io'], undefined],
    ['an empty one', [`${carried('')}, x`], undefined],
    ['one beside another protocol', [`${carried('tökén')}, x`], { token: 'tökén' }],
    ['one behind another protocol, in another header', ['x', carried('token')], { token: 'token' }],
    ['a byte order mark', [carried('\uFEFFt'), 'x'], { token: '\uFEFFt' }],
    ['line breaks within', [carried('token').replace(/.{3}$/, '\r\n$&'), 'x'], { token: 'token' }],
    ['one alone', [carried('token')], alone],
    ['two', [carried('a'), `x,${carried('b')}`], several],
    ['an empty one and another', [carried(''), carried('b')], several],
    ['padding', [`${carried('t')}==`, 'x'], encoding],
    ['the other alphabet', [`${carried('')}a+/a`, 'x'], encoding],
    ['a rest that is no byte', [`${carried('')}aaaaa`, 'x'], encoding],
    ['no UTF-8', [carried(Buffer.from([0xff])), 'x'], { error: 'invalid base64.bearer.authorization token' }],
  ] as const)
    it(`with ${what}`, () => assert.deepEqual(webSocketToken(values), found));
});

describe('a front proxy', () => {
  const named = {
    user: ['x-user', 'x-other'],
    uid: ['x-uid'],
    group: ['x-group', 'x-team'],
    extra: ['x-extra-', 'x-e-'],
  };
  it('speaks for whom the first header says that says anything', () => {
    for (const headers of [{}, { 'x-user': [''] }, { 'x-group': ['g'], 'x-uid': ['u'] }, { 'x-user': ['', 'a'] }])
      assert.equal(proxiedUser(headers, named), undefined);
    assert.deepEqual(proxiedUser({ 'x-user': ['a', 'b'], 'x-other': ['c'] }, named), { username: 'a', groups: [] });
    assert.deepEqual(proxiedUser({ 'x-user': [''], 'x-other': ['c'] }, named), { username: 'c', groups: [] });
  });
  it('says all groups and extra, whose keys are unescaped, as UTF-8', () => {
    const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
    const headers = {
      'x-user': [latin1('jäne')],
      'x-uid': [latin1('ü')],
      'x-group': [latin1('ä'), ''],
      'x-team': ['b'],
      'x-extra-a%2fb': [latin1('ö'), ''],
      'x-e-a%2Fb': ['2'],
      'x-e-%zz': ['3'],
    };
    assert.deepEqual(proxiedUser(headers, named), {
      username: 'jäne',
      uid: 'ü',
      groups: ['ä', 'b'],
      extra: { 'a/b': ['ö', '', '2'], '%zz': ['3'] },
    });
  });
  it('is heard by no handler', () => {
    const said = ['authorization', ...named.user, ...named.uid, ...named.group, 'x-extra-a', 'x-e-'];
    const headers = Object.fromEntries([...said, 'x-extra', 'accept'].map((name) => [name, ['x']]));
    assert.deepEqual(Object.keys(headersForHandlers(headers, named)), ['x-extra', 'accept']);
  });
  it('is one of the names, where there are any', () => {
    const { proxyIsAllowed } = authenticationDecisions;
    assert.deepEqual(
      [proxyIsAllowed('a', []), proxyIsAllowed('a', ['b', 'a']), proxyIsAllowed('a', ['b']), proxyIsAllowed('', [''])],
      [true, true, false, true],
    );
  });
});

it('everybody who has logged in is in one group more, and nobody in it twice', () => {
  const grouped = (username: string, ...groups: readonly string[]): readonly string[] =>
    withCommonGroups({ username, groups }).groups;
  assert.deepEqual(grouped('jane'), ['system:authenticated']);
  assert.deepEqual(grouped('jane', 'a'), ['a', 'system:authenticated']);
  for (const one of ['system:authenticated', 'system:unauthenticated']) assert.deepEqual(grouped('jane', one), [one]);
  assert.deepEqual(grouped('system:anonymous', 'a'), ['a']);
  assert.deepEqual(authenticationDecisions.anonymousUser(), {
    username: 'system:anonymous',
    groups: ['system:unauthenticated'],
  });
});

it('those who know credentials are asked in order, and a refused token says why', () => {
  // Source: config.go New.
  const { requestAuthenticators, tokenAuthenticators, refusedTokenErrors } = authenticationDecisions;
  assert.deepEqual(requestAuthenticators(), ['request-header', 'password', 'certificate', 'bearer', 'websocket']);
  assert.deepEqual(tokenAuthenticators(), ['token-file', 'service-account', 'bootstrap']);
  assert.deepEqual(refusedTokenErrors(undefined), ['invalid bearer token']);
  assert.deepEqual(refusedTokenErrors('x'), ['invalid bearer token', 'x']);
});

it('nobody without credentials is answered but where it is allowed', () => {
  const { anonymousIsAnswered, audiencesOfPlainTokens } = authenticationDecisions;
  assert.deepEqual(
    [true, false, ['/healthz'], []].map((allowed) => anonymousIsAnswered(allowed, '/healthz')),
    [true, false, true, false],
  );
  assert.deepEqual(audiencesOfPlainTokens(['a', 'b', 'c'], ['c', 'a']), ['a', 'c']);
});

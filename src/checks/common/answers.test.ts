import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isForbiddenElsewhere, isInternal, isLetThrough, saysNothing, seenIn } from './answers.js';

describe('what authorization has let through', () => {
  const through = (status: number, message = '') =>
    isLetThrough({ status, body: { kind: 'Status', reason: 'x', message } });

  it('is done, or found wanting for what it is', () => {
    for (const status of [200, 201, 202]) assert.equal(through(status), true, `${status}`);
    for (const [status, message] of [
      [400, 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number into Go value'],
      [400, 'the name of the object (a) does not match the name on the URL (b)'],
      [400, 'pod a does not have a host assigned'],
      [400, 'admission webhook "a.b" does not support dry run'],
      [400, 'dryRun is not supported'],
      [400, 'error decoding patch: invalid character'],
      [400, 'field label not supported: Type'],
      [404, 'pods "a" not found'],
      [409, 'pods "a" already exists'],
      [409, 'Operation cannot be fulfilled on pods "a": the object has been modified'],
      [415, 'the body of the request was in an unknown format - accepted media types include: application/json'],
      [422, 'Pod "a" is invalid: spec: Required value'],
      [422, "pods \"a\" is forbidden: ValidatingAdmissionPolicy 'b' with binding 'c' denied request: d"],
      [503, 'error trying to reach service: dial tcp: refused'],
    ] as const)
      assert.equal(through(status, message), true, `${status} ${message}`);
  });
  it('is not what is forbidden', () => assert.equal(through(403), false));
  it('is not known of answers that hide it, know no dry runs, come from elsewhere or from nobody', () => {
    assert.equal(through(404, 'the server could not find the requested resource'), undefined);
    for (const status of [400, 404, 409, 415, 422])
      for (const message of ['', 'Bad Request', 'no', 'blocked by policy'])
        assert.equal(through(status, message), undefined, `${status} ${message}`);
    assert.equal(through(400, 'dry run is not supported here'), undefined);
    assert.equal(through(422, 'dryRun is not supported'), undefined);
    assert.equal(through(400, 'the dryRun query is unknown'), undefined);
    assert.equal(through(422, 'dry-run is not supported'), undefined);
    for (const status of [0, 302, 401, 405, 406, 408, 410, 429, 451, 500, 503])
      assert.equal(through(status), undefined);
  });
});

describe('what is forbidden', () => {
  const forbidden = (message: string): boolean => isForbiddenElsewhere({ status: 403, body: { message } });
  it('is so in the words of an API server, its authorizers and its admission', () => {
    for (const message of [
      '',
      'secrets is forbidden: User "system:anonymous" cannot list resource "secrets" in API group "" at the cluster scope',
      'forbidden: User "system:anonymous" cannot get path "/x"',
      'nodes "b" is forbidden: node "a" is not allowed to modify node "b"',
      'admission webhook "w.example.com" denied the request: no',
    ])
      assert.equal(forbidden(message), false, message);
  });

  it('says nothing in other words', () => {
    for (const message of ['no', 'Access to this page is blocked', 'forbidden']) assert.ok(forbidden(message), message);
  });
});

describe('an answer, as a report shows it', () => {
  it('is its status, its message and the opinion of a review', () => {
    const review = { kind: 'SubjectAccessReview', status: { allowed: true } };
    for (const [body, shown] of [
      [null, null],
      ['words', null],
      [{ kind: 'Secret', data: { a: 'b' }, status: { c: 'd' } }, {}],
      [{ kind: 'SubjectAccessReview' }, {}],
      [
        { ...review, message: 'm' },
        { message: 'm', status: { allowed: true } },
      ],
    ] as const)
      assert.deepEqual(seenIn({ status: 201, body }), { status: 201, body: shown });
  });

  it('says nothing from a server that is busy or broken', () => {
    for (const [status, nothing] of [
      [0, true],
      [200, false],
      [204, true],
      [205, false],
      [429, true],
      [499, false],
      [500, true],
      [599, true],
    ] as const)
      assert.equal(saysNothing(status), nothing, `${status}`);
    assert.deepEqual([isInternal({ status: 500, body: 0 }), isInternal({ status: 501, body: 0 })], [true, false]);
    assert.equal(isLetThrough({ status: 300, body: {} }), undefined);
  });
});

it('an answer of an API server is known by each of its words', () => {
  const through = (status: number, message: string) => isLetThrough({ status, body: { kind: 'Status', message } });
  for (const message of [
    'it cannot be handled',
    'cannot bind to a',
    'unable to parse it',
    'unable to convert it',
    'a does not match b',
    "a doesn't match b",
    "can't understand it",
    'unrecognized type: x',
    'error decoding it',
    'the version is undetermined',
    'a is not a known attribute',
    'a is only valid for pods',
    'field label not supported: a',
    'pod a does not have a host assigned',
    ...['be', 'match', 'specify', 'not', 'have'].map((verb) => `it must ${verb} a`),
    'a is required',
    'a name on request',
    'found "a", which ends nothing',
    'strconv.ParseBool: "a"',
    'json: a',
    'yaml: a',
    'groups without impersonating a user',
    ...['selector', 'continue', 'resource', 'pod', 'node', 'service'].map((what) => `invalid ${what} a`),
    'admission webhook "a" did so',
  ])
    assert.equal(through(400, message), true, message);
  for (const message of ['already exists', 'cannot be fulfilled', 'Apply failed with 1 conflict'])
    assert.equal(through(409, message), true, message);
  for (const message of ['unsupported media type', 'an unknown format']) assert.equal(through(415, message), true);
  assert.equal(through(415, 'supported media types: a'), undefined);
  for (const message of ['a is invalid: b', 'a is forbidden: b', 'it was denied', 'it rejected our request'])
    assert.equal(through(422, message), true, message);
  for (const message of ['a is forbidden: b', 'a cannot do b', 'it is denied'])
    assert.equal(isForbiddenElsewhere({ status: 403, body: { message } }), false, message);
});

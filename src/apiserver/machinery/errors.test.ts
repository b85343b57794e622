import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes, AuthorizationAttributes } from '../access.js';
import type { ApiError } from '../types.js';
import * as errors from './errors.js';

const SECRETS = { group: '', resource: 'secrets' };
const ROLES = { group: 'rbac.authorization.k8s.io', resource: 'roles' };
const plain = (error: ApiError): unknown => {
  const { code, reason, message, details } = error;
  return details === undefined ? [code, reason, message] : [code, reason, message, details];
};

describe('a refusal', () => {
  it('names what it is about', () => {
    for (const [error, told] of [
      [errors.notFound(SECRETS, 'a'), [404, 'NotFound', 'secrets "a" not found', { name: 'a', kind: 'secrets' }]],
      [
        errors.notFound(ROLES, 'a"b'),
        [
          404,
          'NotFound',
          'roles.rbac.authorization.k8s.io "a\\"b" not found',
          { name: 'a"b', group: ROLES.group, kind: 'roles' },
        ],
      ],
      [
        errors.alreadyExists(SECRETS, 'a', 'object is being deleted: '),
        [409, 'AlreadyExists', 'object is being deleted: secrets "a" already exists', { name: 'a', kind: 'secrets' }],
      ],
      [
        errors.generateNameConflict(SECRETS, 'a'),
        [
          409,
          'AlreadyExists',
          'secrets "a" already exists, the server was not able to generate a unique name for the object',
          { name: 'a', kind: 'secrets', retryAfterSeconds: 1 },
        ],
      ],
      [
        errors.conflict(SECRETS, 'a', errors.MODIFIED),
        [
          409,
          'Conflict',
          'Operation cannot be fulfilled on secrets "a": the object has been modified; please apply your changes to the ' +
            'latest version and try again',
          { name: 'a', kind: 'secrets' },
        ],
      ],
      [
        errors.forbidden(SECRETS, 'a', 'b'),
        [403, 'Forbidden', 'secrets "a" is forbidden: b', { name: 'a', kind: 'secrets' }],
      ],
      [errors.forbidden(SECRETS, '', 'b'), [403, 'Forbidden', 'secrets is forbidden: b', { kind: 'secrets' }]],
      [errors.forbidden({ group: '', resource: '' }, '', 'b'), [403, 'Forbidden', 'forbidden: b', {}]],
      [errors.forbidden({ group: '', resource: '' }, 'a', 'b'), [403, 'Forbidden', 'forbidden: b', { name: 'a' }]],
      [
        errors.forbidden({ group: 'g', resource: '' }, 'a', 'b'),
        [403, 'Forbidden', '.g "a" is forbidden: b', { name: 'a', group: 'g' }],
      ],
      [errors.badRequest('a'), [400, 'BadRequest', 'a']],
      [errors.unauthorized(), [401, 'Unauthorized', 'Unauthorized']],
      [errors.plainError('a'), [500, '', 'a']],
      [errors.internalError('a'), [500, 'InternalError', 'Internal error occurred: a', { causes: [{ message: 'a' }] }]],
      [errors.notAcceptable('a'), [406, 'NotAcceptable', 'a']],
      [
        errors.unsupportedMediaType(['a/b', 'c/d']),
        [
          415,
          'UnsupportedMediaType',
          'the body of the request was in an unknown format - accepted media types include: a/b, c/d',
        ],
      ],
      [errors.tooLarge(7), [413, 'RequestEntityTooLarge', 'Request entity too large: limit is 7']],
      [errors.noSuchPath(), [404, 'NotFound', 'the server could not find the requested resource', {}]],
      [
        errors.noSuchMethod(),
        [405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}],
      ],
      [errors.routeMediaType(), [415, 'UnsupportedMediaType', '415: Unsupported Media Type', {}]],
      [errors.patchRejected(), [422, 'Invalid', 'the server rejected our request due to an error in our request', {}]],
    ] as const)
      assert.deepEqual(plain(error), told);
    assert.equal(
      errors.preconditionFailed('UID', 'a', 'b'),
      'Precondition failed: UID in precondition: a, UID in object meta: b',
    );
  });

  it('of an object that is invalid names each cause, and says each sentence once', () => {
    const kind = { group: '', kind: 'Secret' };
    const one = { type: 'Invalid', field: 'data', body: 'Invalid value: "a": no' } as const;
    const two = { type: 'Required', field: 'type', body: 'Required value' } as const;
    const cause = { reason: 'FieldValueInvalid', message: one.body, field: 'data' };
    assert.deepEqual(plain(errors.invalid(kind, 'a', [one])), [
      422,
      'Invalid',
      'Secret "a" is invalid: data: Invalid value: "a": no',
      { name: 'a', kind: 'Secret', causes: [cause] },
    ]);
    assert.deepEqual(plain(errors.invalid({ group: 'g', kind: 'K' }, '', [one, two, one])), [
      422,
      'Invalid',
      'K.g "" is invalid: [data: Invalid value: "a": no, type: Required value]',
      {
        group: 'g',
        kind: 'K',
        causes: [cause, { reason: 'FieldValueRequired', message: 'Required value', field: 'type' }, cause],
      },
    ]);
    for (const [type, reason] of [
      ['NotSupported', 'FieldValueNotSupported'],
      ['Duplicate', 'FieldValueDuplicate'],
      ['Forbidden', 'FieldValueForbidden'],
      ['TooLong', 'FieldValueTooLong'],
      ['NotFound', 'FieldValueNotFound'],
      ['InternalError', 'InternalError'],
      ['TypeInvalid', 'FieldValueTypeInvalid'],
    ] as const)
      assert.equal(errors.invalid(kind, 'a', [{ ...one, type }]).details?.causes?.[0]?.reason, reason);
  });

  it('is in the words of its minor', () => {
    const kind = { group: '', kind: 'Secret' };
    const older = { type: 'Invalid', field: 'a', body: 'new', older: { until: 32, body: 'old' } } as const;
    const same = { type: 'Invalid', field: 'b', body: 'same' } as const;
    const worded = (minor: number): unknown => errors.wordedBy(errors.invalid(kind, 'x', [older, same]), minor).message;
    assert.equal(worded(32), 'Secret "x" is invalid: [a: old, b: same]');
    assert.equal(worded(33), 'Secret "x" is invalid: [a: new, b: same]');

    const long = { type: 'TooLong', field: 'c', body: 'must be no more than 63 bytes' } as const;
    const said = (minor: number) => errors.wordedBy(errors.invalid(kind, 'x', [long]), minor);
    assert.equal(said(35).message, 'Secret "x" is invalid: c: must be no more than 63 bytes');
    assert.equal(said(34).message, 'Secret "x" is invalid: c: must be no more than 63 characters');
    assert.equal(said(34).details?.causes?.[0]?.message, 'must be no more than 63 characters');

    const field = 'metadata.ownerReferences.kind';
    const owner = { type: 'Invalid', field, body: 'Invalid value: "": must not be empty' } as const;
    const owned = (minor: number) => errors.wordedBy(errors.invalid(kind, 'x', [owner]), minor);
    assert.equal(owned(34).details?.causes?.[0]?.message, 'Invalid value: "": must not be empty');
    assert.equal(owned(33).details?.causes?.[0]?.message, 'Invalid value: "": kind must not be empty');
    assert.equal(owned(33).details?.causes?.[0]?.field, field);
    // others keep theirs
    assert.deepEqual(plain(errors.wordedBy(errors.notFound(SECRETS, 'a'), 22)), plain(errors.notFound(SECRETS, 'a')));
    assert.deepEqual(plain(errors.wordedBy(errors.internalError('a'), 22)), plain(errors.internalError('a')));
  });

  it('of somebody who may not says who, what and where', () => {
    const denied = (more: Partial<AuthorizationAttributes>, reason = ''): string =>
      errors.denied(
        {
          ...{ isResourceRequest: true, verb: 'get', group: '', resource: 'secrets', subresource: '', namespace: '' },
          ...{ name: '', path: '/p', user: { username: 'a<b', groups: [] } },
          ...more,
        } as unknown as AuthorizationAttributes,
        reason,
      ).message;
    const user = 'User "a&lt;b" cannot';
    assert.equal(
      denied({}),
      `secrets is forbidden: ${user} get resource "secrets" in API group "" at the cluster scope`,
    );
    assert.equal(
      denied({ namespace: 'n', name: 'x', subresource: 'status', group: 'g' }, 'no <reason>'),
      `secrets.g "x" is forbidden: ${user} get resource "secrets/status" in API group "g" in the namespace "n": no <reason>`,
    );
    assert.equal(
      denied({ isResourceRequest: false, resource: '', path: '/a&b' }),
      `forbidden: ${user} get path "/a&amp;b"`,
    );
  });

  it('of admission names the object, however it is named', () => {
    const told = (name: string, metadata?: object): string =>
      errors.notAdmitted(
        { ...SECRETS, name, ...(metadata && { object: { metadata } }) } as unknown as AdmissionAttributes,
        'w',
      ).message;
    assert.equal(told('a', { name: 'b' }), 'secrets "a" is forbidden: w');
    assert.equal(told('', { name: 'b', generateName: 'c' }), 'secrets "b" is forbidden: w');
    assert.equal(told('', { generateName: 'c' }), 'secrets "c" is forbidden: w');
    assert.equal(told('', {}), 'secrets "Unknown" is forbidden: w');
    assert.equal(told(''), 'secrets "Unknown" is forbidden: w');
  });

  it('is a Status, or plain text where upstream makes none of it', () => {
    const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
    assert.deepEqual(errors.statusOf(errors.badRequest('a')), {
      ...head,
      message: 'a',
      reason: 'BadRequest',
      code: 400,
    });
    assert.deepEqual(errors.statusOf(errors.plainError('a')), { ...head, message: 'a', code: 500 });
    assert.deepEqual(errors.statusOf(errors.noSuchPath()).details, {});
    assert.equal(
      new errors.PlainServerError('a <b>').saidOf('/x?a=1&b=2'),
      'Internal Server Error: "/x?a=1&amp;b=2": a &lt;b&gt;\n',
    );
  });
});

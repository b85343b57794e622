import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as errors from './errors.js';

describe('what ends the asking of a target', () => {
  it('is known by its name, and is an error like others', () => {
    const cause = new Error('why');
    for (const [name, error] of Object.entries({
      ConfigurationError: new errors.ConfigurationError('so', { cause }),
      TargetUnreachable: new errors.TargetUnreachable('so', 'dns', { cause }),
      UnexpectedAnswer: new errors.UnexpectedAnswer('GET', '/a', 500, undefined, ''),
      MayNotRead: new errors.MayNotRead('/a', 403, 'Forbidden', 'no'),
      UnreadableVersion: new errors.UnreadableVersion('so'),
      NotInDump: new errors.NotInDump('so'),
      NotAllowed: new errors.NotAllowed('so'),
      CannotTry: new errors.CannotTry('so'),
    })) {
      assert.equal(error.name, name);
      assert.ok(error instanceof Error && (error.message === 'so' || error instanceof errors.UnexpectedAnswer), name);
      assert.equal(error.cause, ['ConfigurationError', 'TargetUnreachable'].includes(name) ? cause : undefined);
    }
  });

  it('says of an answer what was asked, and as much as there is of why', () => {
    const said = (reason: string | undefined, text: string): string =>
      new errors.UnexpectedAnswer('PUT', '/a', 409, reason, text).message;
    assert.equal(said(undefined, ''), 'PUT /a answered 409');
    assert.equal(said('Conflict', ''), 'PUT /a answered 409 Conflict');
    assert.equal(said(undefined, 'no'), 'PUT /a answered 409: no');
    assert.equal(said('Conflict', 'no'), 'PUT /a answered 409 Conflict: no');
    assert.equal(new errors.MayNotRead('/a', 403, 'Forbidden', 'no').message, 'GET /a answered 403 Forbidden: no');
  });
});

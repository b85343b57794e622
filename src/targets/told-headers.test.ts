import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toldHeaders } from './told-headers.js';

const admin = { kind: 'admin' } as const;
const told = (name: string, value: string): string => toldHeaders(admin, [[name, value]]).join('\n');

describe('what is told of headers', () => {
  it('is what is asked for, and in whose name', () => {
    for (const [name, value] of [
      ['accept', 'application/jwk-set+json'],
      ['content-type', 'application/merge-patch+json'],
      ['Impersonate-User', 'system:node:a-worker'],
      ['impersonate-extra-scopes', 'abcdef.0123456789abcdef'],
      ['X-Remote-Group', 'system:masters'],
    ] as const)
      assert.equal(told(name, value), `${name}: ${value}`);
  });

  it('is of a credential its scheme and its form, and no part of it', () => {
    assert.equal(
      told('authorization', 'Bearer abcdef.0123456789abcdef'),
      'authorization: Bearer␣xxxxxx.xxxxxxxxxxxxxxxx',
    );
    assert.equal(
      told('authorization', 'bearer  ABCDEF.0123456789abcdef '),
      'authorization: bearer␣␣XXXXXX.xxxxxxxxxxxxxxxx␣',
    );
    assert.equal(told('authorization', 'abcdef.0123456789abcdef'), 'authorization: xxxxxx.xxxxxxxxxxxxxxxx');
    for (const [value, form] of [
      [' Bearer abcdef', '␣Xxxxxx␣xxxxxx'],
      ['.Secret abc', '.Xxxxxx␣xxx'],
      ['Key-Of abc', 'Xxx-Xx␣xxx'],
      ['ABCDEFGHIJKLM abc', 'XXXXXXXXXXXXX␣xxx'],
      ['ABCDEFGHIJKL abc', 'ABCDEFGHIJKL␣xxx'],
      ['Bearer', 'Xxxxxx'],
    ] as const)
      assert.equal(told('authorization', value), `authorization: ${form}`, value);
    assert.equal(told('Authorization', 'Basic c3lzdGVtOmJvb3RzdHJhcA=='), 'Authorization: Basic␣…');
    assert.equal(told('x-auth-token', 'ghijkl'), 'x-auth-token: xxxxxx');
    assert.equal(told('cookie', 'token=secret'), 'cookie: …');
  });

  it('is one line for each of several of one name', () => {
    const twice = [
      ['impersonate-group', 'one'],
      ['impersonate-group', 'two'],
    ] as const;
    assert.deepEqual(toldHeaders(admin, twice), ['impersonate-group: one', 'impersonate-group: two']);
  });

  it('says of raw credentials each, and nothing of what is usual', () => {
    const raw = { kind: 'header', authorization: ['Bearer abc.def', 'Token x'] } as const;
    const usual = [
      ['accept', 'application/json'],
      ['content-type', 'application/json'],
    ] as const;
    assert.deepEqual(toldHeaders(raw, usual), ['authorization: Bearer␣xxx.xxx', 'authorization: Token␣x']);
    assert.deepEqual(toldHeaders(admin, usual), []);
  });
});

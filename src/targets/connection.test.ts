import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearerCredential, fixedCredential } from './connection.js';

test('a bearer token is carried, is a secret, and stays what it is where it is refused', async () => {
  const carried = { authorization: 'Bearer abcdef.0123456789abcdef', secrets: ['abcdef.0123456789abcdef'] };
  const credential = bearerCredential('abcdef.0123456789abcdef');
  const signal = new AbortController().signal;
  assert.deepEqual(await credential.current(signal), carried);
  assert.equal(credential.refused(), false);
  assert.deepEqual(await credential.current(signal), carried);
  assert.equal(await fixedCredential(carried).current(signal), carried);
});

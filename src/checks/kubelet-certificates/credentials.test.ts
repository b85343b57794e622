import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { heardAs } from './credentials.js';

it('a request is whose the refusal names', () => {
  const look = (status: number, message = '') =>
    resultsOf(heardAs, [{ subject: 'list', heard: { status, body: { message } }, username: 'a' }], undefined).join();
  const forbidden = (user: string) => `secrets is forbidden: User "${user}" cannot list resource "secrets"`;
  assert.equal(look(403, forbidden('a')), 'met');
  assert.equal(look(403, forbidden('ab')), 'unmet');
  assert.equal(look(401, 'Unauthorized'), 'unmet');
  assert.equal(look(401, forbidden('a')), 'unmet');
  for (const status of [200, 0, 403, 404, 429, 503]) assert.equal(look(status), 'unclear');
});

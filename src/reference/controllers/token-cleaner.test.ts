import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SECRETS } from './controller.js';
import { harness, inSeconds, tokenSecret } from './testing/harness.js';
import { tokenCleaner } from './token-cleaner.js';

const NAME = 'bootstrap-token-abc123';
const DELETED = `token-cleaner: delete uid=uid-of-${NAME} secrets kube-system/${NAME}`;

describe('the token cleaner', () => {
  const rows: readonly [string, Parameters<typeof tokenSecret>, boolean][] = [
    ['no expiration', [NAME, { 'token-id': 'abc123' }], false],
    ['an empty expiration', [NAME, { expiration: '' }], false],
    ['an hour ago', [NAME, { expiration: inSeconds(-3600) }], true],
    ['this instant', [NAME, { expiration: inSeconds(0) }], true],
    ['unreadable', [NAME, { expiration: 'soon' }], true],
    ['in an hour', [NAME, { expiration: inSeconds(3600) }], false],
    ['another type', [NAME, { expiration: inSeconds(-1) }, 'Opaque'], false],
    ['another namespace', [NAME, { expiration: inSeconds(-1) }, 'bootstrap.kubernetes.io/token', 'default'], false],
  ];
  for (const [what, secret, deleted] of rows) {
    it(`${what}: ${deleted ? 'deleted, by UID' : 'kept'}`, async () => {
      const h = harness();
      h.store.create(SECRETS, tokenSecret(...secret));
      await h.run(tokenCleaner(h.context));
      assert.deepEqual(h.writes, deleted ? [DELETED] : []);
    });
  }
  it('looks at neither name, id nor usages', async () => {
    const h = harness();
    h.store.create(SECRETS, tokenSecret('whatever', { expiration: inSeconds(-1) }));
    await h.run(tokenCleaner(h.context));
    assert.deepEqual(h.writes, ['token-cleaner: delete uid=uid-of-whatever secrets kube-system/whatever']);
  });
  it('deletes when the time comes', async () => {
    const h = harness();
    await h.run(tokenCleaner(h.context));
    h.store.create(SECRETS, tokenSecret(NAME, { expiration: inSeconds(2) }));
    await h.settle();
    await h.advance(1_999);
    assert.deepEqual(h.writes, []);
    await h.advance(1);
    assert.deepEqual(h.writes, [DELETED]);
  });
  it('looks again when the time comes: an expiration that was moved counts', async () => {
    const h = harness();
    h.store.create(SECRETS, tokenSecret(NAME, { expiration: inSeconds(10) }));
    await h.run(tokenCleaner(h.context));
    h.store.update(SECRETS, tokenSecret(NAME, { expiration: inSeconds(60) }));
    await h.settle();
    await h.advance(59_999);
    assert.deepEqual(h.writes, []);
    await h.advance(1);
    assert.deepEqual(h.writes, [DELETED]);
  });
  it('tells the decision which timer led to it', async () => {
    const armed: (number | undefined)[] = [];
    const h = harness({
      cleanerDeletes: (_secret, _expiration, _now, armedFor) => {
        armed.push(armedFor);
        return false;
      },
    });
    h.store.create(SECRETS, tokenSecret(NAME, { expiration: inSeconds(10) }));
    await h.run(tokenCleaner(h.context));
    h.store.update(SECRETS, tokenSecret(NAME, { expiration: inSeconds(60) }));
    await h.settle();
    await h.advance(10_000);
    assert.deepEqual(armed, [undefined, undefined, Date.parse(inSeconds(10))]);
  });
});

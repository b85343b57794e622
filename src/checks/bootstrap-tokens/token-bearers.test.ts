import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Bearer, bearersOf, someOf } from './token-bearers.js';
import { GOOD_HALF, tokenSecret } from './token-secret.testing.js';

/** Of the expiration of the good one. */
const END = Date.UTC(2027, 2, 10, 3, 22, 11);
const NOW = END - 3_600_000;
type Made = Parameters<typeof tokenSecret>;
const groupsOf = (data: Made[0], other: Made[1] = {}, now = NOW) =>
  bearersOf([tokenSecret(data, other)], now).map(({ groups }) => groups);

describe('the bearer of a token, by its Secret', () => {
  it('logs in with the groups of the Secret', () => {
    assert.deepEqual(bearersOf([tokenSecret()], NOW), [
      {
        subject: 'Secret kube-system/bootstrap-token-c8ad9c',
        id: 'c8ad9c',
        token: `c8ad9c.${GOOD_HALF}`,
        groups: ['system:bootstrappers:kubeadm:default-node-token'],
      },
    ]);
    assert.deepEqual(groupsOf({ 'auth-extra-groups': undefined }), [[]]);
    assert.deepEqual(groupsOf({ expiration: undefined }), [['system:bootstrappers:kubeadm:default-node-token']]);
  });

  it('is refused for each thing that is wrong with it', () => {
    const wrong = [
      { 'usage-bootstrap-authentication': 'True' },
      { 'usage-bootstrap-authentication': undefined },
      { 'token-id': 'c8ad9d' },
      { 'auth-extra-groups': 'system:masters' },
      { 'auth-extra-groups': 'system:bootstrappers:a,' },
      { expiration: '2027-03-10' },
      { expiration: '2027-03-09T03:22:11Z' },
    ];
    for (const data of wrong) assert.deepEqual(groupsOf(data), [undefined], JSON.stringify(data));
    assert.deepEqual(groupsOf({}, { deletionTimestamp: '2027-03-10T00:00:00Z' }), [undefined]);
  });

  it('is not asked where there is no token to present, or its time is over about now', () => {
    assert.deepEqual(groupsOf({ 'token-secret': 'short' }), []);
    assert.deepEqual(groupsOf({}, { name: 'kubeadm-token-c8ad9c' }), []);
    assert.deepEqual(groupsOf({}, { name: 'bootstrap-token-c8ad9c-2' }), []);
    for (const away of [-14_999, 0, 14_999]) assert.deepEqual(groupsOf({}, {}, END + away), [], `${away}`);
    assert.deepEqual(groupsOf({}, {}, END + 15_000), [undefined]);
    assert.equal(groupsOf({}, {}, END - 15_000)[0]?.length, 1);
  });
});

describe('the bearers that are presented', () => {
  const bearers = (count: number, groups: (index: number) => readonly string[] | undefined): Bearer[] =>
    Array.from({ length: count }, (_, index) => ({
      subject: `Secret ${index}`,
      id: `${index}`,
      token: '',
      groups: groups(index),
    }));

  it('are all of few', () => {
    const few = bearers(256, () => []);
    assert.equal(someOf(few), few);
  });

  it('are of many those of rare kinds and some of the others, from the first to near the last', () => {
    const some = someOf(
      bearers(10_000, (index) => (index === 7_777 ? undefined : index % 2_000 === 1 ? ['a'] : ['b'])),
    );
    assert.equal(some.length, 256);
    assert.deepEqual(
      some.slice(0, 6).map(({ id, of }) => [id, of]),
      [7_777, 1, 2_001, 4_001, 6_001, 8_001].map((id) => [`${id}`, 10_000]),
    );
    const common = some.slice(6).map(({ id }) => Number(id));
    assert.deepEqual([common[0], new Set(common).size], [0, 250]);
    assert.ok((common.at(-1) ?? 0) > 9_900);
  });

  it('are as many as they may be where all are of different kinds', () => {
    assert.equal(someOf(bearers(1_000, (index) => [`${index}`])).length, 256);
    assert.equal(new Set(someOf(bearers(1_000, (index) => [`${index}`])).map(({ id }) => id)).size, 256);
  });
});

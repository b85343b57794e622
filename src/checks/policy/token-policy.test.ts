import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Finding } from '../../model/finding.js';
import {
  readPublicSignatures,
  signatureUnguessed,
  tokenAge,
  tokenCleaned,
  tokenDeleted,
  tokenEnds,
  tokenGroupsKnown,
  tokenLife,
  tokenSignsPublicly,
  tokenSpelt,
  tokenSwitched,
  tokenUsed,
} from './token-policy.js';
import { tokenIn } from './token-policy.testing.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const { at, token } = tokenIn(NOW);
const results = (findings: readonly Finding[]): readonly string[] => findings.map(({ result }) => result);
const seen = (findings: readonly Finding[]): string => findings.map((finding) => finding.seen).join('|');

describe('tokens as a policy wants them', () => {
  it('have an end, and what is no time is dead from birth', () => {
    assert.deepEqual(results(tokenEnds.judge([token(), token({ expiration: '' })], undefined)), ['met', 'unmet']);
    assert.deepEqual(tokenLife.judge([token({ expiration: 'soon' })], { hours: 24 }), []);
  });

  it('live and age no longer than hours, with some minutes for clocks that differ', () => {
    const lives = [23, 23.1, 23.2, 8760].map((hours) => token({ expiration: at(hours) }));
    assert.deepEqual(results(tokenLife.judge(lives, { hours: 24 })), ['met', 'met', 'unmet', 'unmet']);
    const ages = [-24, -24.1, -24.2].map((hours) => token({ created: at(hours) }));
    assert.deepEqual(results(tokenAge.judge(ages, { hours: 24, now: NOW })), ['met', 'met', 'unmet']);
    assert.match(
      seen(tokenAge.judge([token({ created: at(-720), expiration: '' })], { hours: 24, now: NOW })),
      /30 days/,
    );
    // one that is over is not told twice
    assert.deepEqual(tokenAge.judge([token({ created: at(-48), expiration: at(-1) })], { hours: 24, now: NOW }), []);
  });

  it('are gone some minutes after their end', () => {
    const ended = [0.1, -0.1, -0.2].map((hours) => token({ expiration: at(hours) }));
    const found = tokenCleaned.judge(ended, { minutes: 10, now: NOW });
    assert.deepEqual(results(found), ['met', 'met', 'unmet']);
    assert.match(seen(found), /it has not ended\|it ended 6 minutes ago\|it ended 12 minutes ago/);
  });

  it('carry known groups, and are for something', () => {
    const groups = ['', 'system:bootstrappers:a', 'system:bootstrappers:a,system:bootstrappers:b'];
    const found = tokenGroupsKnown.judge(
      groups.map((text) => token({ groups: text })),
      { groups: ['system:bootstrappers:a'] },
    );
    assert.deepEqual(results(found), ['met', 'met', 'unmet']);
    const uses = [token(), token({ usages: [] }), token({ usages: [], description: 'certificates' })];
    assert.deepEqual(results(tokenUsed.judge(uses, undefined)), ['met', 'unmet', 'met']);
    assert.deepEqual(results(tokenSignsPublicly.judge([token(), token({ usages: [] })], { open: false })), ['unmet']);
  });
});

describe('what somebody has meant by a token', () => {
  it('is read as it is written', () => {
    const unclear = ['usage-bootstrap-signing is "yes"'];
    const judged = tokenSwitched.judge([token(), token({ unclear })], undefined);
    assert.deepEqual([results(judged), judged[1]?.seen], [['met', 'unmet'], unclear[0]]);
  });

  it('stands under its key', () => {
    const written = (key: string) => token({ written: [{ key, bytes: 1, text: true, plain: false, twice: false }] });
    const sound = ['expiration', 'auth-extra-groups', 'description', 'owner', 'token-id', 'expire-hook'];
    assert.deepEqual(new Set(results(tokenSpelt.judge(sound.map(written), undefined))), new Set(['met']));
    const ends = 'expirations expire expires expires-at expiry expiration-time ttl valid-until validUntil';
    for (const key of [...ends.split(' '), 'Expiration', 'ex-pi-ra-tion']) {
      const [told] = tokenSpelt.judge([written(key)], undefined);
      assert.deepEqual([told?.result, told?.seen], ['unmet', `"${key}" is not "expiration"`]);
    }
    const groups = 'auth-groups groups auth_extra_groups authExtraGroup extra-groups authentication-extra-groups';
    for (const key of groups.split(' '))
      assert.equal(seen(tokenSpelt.judge([written(key)], undefined)), `"${key}" is not "auth-extra-groups"`);
  });

  it('is gone soon after it was deleted', () => {
    const judged = tokenDeleted.judge([token(), token({ deleted: at(-0.1) }), token({ deleted: at(-0.2) })], {
      minutes: 10,
      now: NOW,
    });
    assert.deepEqual(results(judged), ['met', 'met', 'unmet']);
    assert.equal(judged[2]?.seen, 'it was deleted 12 minutes ago');
  });
});

it('signatures that anybody could make are told without the secret half', () => {
  const data = { kubeconfig: 'apiVersion: v1\n' };
  const sign = (half: string): string => {
    const header = Buffer.from('{"alg":"HS256","kid":"abcdef"}').toString('base64url');
    const payload = Buffer.from(data.kubeconfig).toString('base64url');
    return `${header}..${createHmac('sha256', half).update(`${header}.${payload}`).digest('base64url')}`;
  };
  const read = readPublicSignatures({
    metadata: {},
    data: {
      ...data,
      'jws-kubeconfig-abcdef': sign('0123456789abcdef'),
      'jws-kubeconfig-b0b0b0': sign('k3j5h2g8f1d9s0a7'),
    },
  });
  assert.deepEqual(results(signatureUnguessed.judge(read, undefined)), ['unmet', 'met']);
  assert.ok(!JSON.stringify(read).includes('0123456789'));
});

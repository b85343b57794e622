import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HandedOn, handedOnWhole, handedOnWithout, type SentHeaders, sentIn } from './extension-requests.js';

const SOUND: SentHeaders = [
  ['accept', '*/*'],
  ['x-remote-user', 'alice'],
  ['x-remote-group', 'readers'],
  ['x-remote-group', 'system:authenticated'],
  ['x-remote-uid', '1000'],
  ['x-remote-extra-scopes', 'a'],
];
const ALICE: HandedOn = {
  subject: 'a token',
  status: 200,
  sent: SOUND,
  username: 'alice',
  uid: '1000',
  groups: ['system:authenticated', 'readers'],
  extra: { scopes: ['a'] },
  named: [],
  secrets: ['0123456789abcdef'],
};
const judged = (other: Partial<HandedOn>): (string | boolean)[] =>
  handedOnWithout.judge([{ ...ALICE, ...other }], undefined).map(({ result, refusal = false }) => result + refusal);
const without = (name: string): SentHeaders => SOUND.filter(([header]) => header !== name);
const [ASKED, KEPT] = ['metfalse', 'mettrue'];

test('who asks is told by name, groups and UID, none missing and none more, and in any order', () => {
  assert.deepEqual(judged({}), [ASKED, KEPT]);
  assert.deepEqual(judged({ sent: [...SOUND].reverse() }), [ASKED, KEPT]);
  // before 1.33 nobody is told a UID
  assert.deepEqual(judged({ sent: without('x-remote-uid') }), [ASKED, KEPT]);
  const wrong: readonly (readonly [string, SentHeaders])[] = [
    ['nobody', without('x-remote-user')],
    ['no groups', without('x-remote-group')],
    ['a second name', [...SOUND, ['x-remote-user', 'root']]],
    ['another name', [...without('x-remote-user'), ['x-remote-user', 'Alice']]],
    ['a group more', [...SOUND, ['x-remote-group', 'system:masters']]],
    ['another UID', [...without('x-remote-uid'), ['x-remote-uid', '100']]],
    ['a second UID', [...SOUND, ['x-remote-uid', '0']]],
  ];
  for (const [what, sent] of wrong) assert.deepEqual(judged({ sent }), ['unmetfalse', KEPT], what);
});

test('no credential is sent: by its header, by a header that the asker sent, or by its text', () => {
  const passed: readonly (readonly [string, string])[] = [
    ['authorization', ''],
    ['authorization', 'Bearer x'],
    ['impersonate-user', 'jane'],
    ['x-other-user', 'alice'],
    ['x-remote-extra-reason', 'joinproof'],
    ['x-forwarded-authorization', 'Bearer 0123456789abcdef.more'],
    ['cookie', 'a=0123456789abcdef'],
  ];
  const named = ['impersonate-user', 'x-other-user', 'x-remote-extra-reason', 'x-remote-user'];
  assert.deepEqual(judged({ named }), [ASKED, KEPT]);
  for (const pair of passed)
    assert.deepEqual(judged({ named, sent: [...SOUND, pair] }), [ASKED, 'unmettrue'], pair.join(': '));
  const [, seen] = handedOnWithout.judge(
    [{ ...ALICE, sent: [...SOUND, ['cookie', '0123456789abcdef'], ['authorization', 'Bearer 0123456789abcdef']] }],
    undefined,
  );
  assert.equal(seen?.seen, 'it is sent what the asker sent as authorization, cookie');
});

test('an answer that is not of the extension API server says nothing', () => {
  assert.deepEqual(judged({ sent: undefined, status: 503 }), ['unclearfalse', 'uncleartrue']);
  assert.deepEqual(sentIn({ status: 503, body: { sent: [] } }), { status: 503, sent: undefined });
  assert.deepEqual(sentIn({ status: 200, body: { kind: 'APIResourceList' } }), { status: 200, sent: undefined });
  assert.deepEqual(
    sentIn({
      status: 200,
      body: { sent: [['X-A', 'b'], ['c'], 'd', 'ef', [1, 2], [3, 'g'], null, { 0: 'h', 1: 'i' }] },
    }),
    {
      status: 200,
      sent: [['x-a', 'b']],
    },
  );
});

test('is told with what the extension API server is told, and without credentials', () => {
  const ALL = 'the extension API server is told that "alice" asks, in ["system:authenticated","readers"]';
  const told = (sent: SentHeaders | undefined, status = 200): readonly string[] =>
    handedOnWithout
      .judge([{ ...ALICE, secrets: ['0123456789abcdef', 'fedcba9876543210'], sent, status }], undefined)
      .map(({ demanded, seen }) => `${demanded}: ${seen}`);
  const SENT = 'the extension API server is sent no credential';
  const groups = '["readers","system:authenticated"]';
  for (const [sent, asks, is] of [
    [SOUND, `it is told ["alice"], in ${groups}, of the UID ["1000"]`, 'none is sent'],
    [without('x-remote-uid'), `it is told ["alice"], in ${groups}`, 'none is sent'],
    [without('x-remote-user'), 'it is told nobody', 'none is sent'],
    [
      [...SOUND, ['cookie', 'a=fedcba9876543210'] as const],
      `it is told ["alice"], in ${groups}, of the UID ["1000"]`,
      'it is sent what the asker sent as cookie',
    ],
  ] as const)
    assert.deepEqual(told(sent), [`${ALL}: ${asks}`, `${SENT}: ${is}`]);
  assert.deepEqual(told(undefined, 503), [`${ALL}: 503`, `${SENT}: 503`]);
});

test('what else is known of who asks is told: every key, every value, the UID, and nothing more', () => {
  const whole = (other: Partial<HandedOn>, uid = true): string[] =>
    handedOnWhole.judge([{ ...ALICE, ...other }], { uid }).map(({ result }) => result);
  assert.deepEqual(whole({}), ['met', 'met']);
  assert.deepEqual(whole({ sent: without('x-remote-uid') }), ['met', 'unmet']);
  assert.deepEqual(whole({ sent: without('x-remote-uid') }, false), ['met']);
  assert.deepEqual(whole({ sent: [...SOUND, ['x-remote-uid', '1000']] }), ['met', 'unmet']);
  assert.deepEqual(whole({ uid: '' }), ['met', 'unmet']);
  assert.deepEqual(whole({ uid: '', sent: without('x-remote-uid') }), ['met', 'met']);
  const extra = { 'example.org/Key': ['a', 'b'], scopes: ['a'] };
  assert.deepEqual(whole({ extra }), ['unmet', 'met']);
  const keys: SentHeaders = [
    ...SOUND,
    ['x-remote-extra-example.org%2fkey', 'b'],
    ['x-remote-extra-example.org%2fkey', 'a'],
  ];
  assert.deepEqual(whole({ extra, sent: keys }), ['met', 'met']);
  assert.deepEqual(whole({ sent: keys }), ['unmet', 'met']);
  assert.deepEqual(whole({ sent: [...without('x-remote-extra-scopes'), ['x-remote-extra-scopes', 'A']] }), [
    'unmet',
    'met',
  ]);
  assert.deepEqual(whole({ sent: [...SOUND, ['x-remote-extra-%zz', 'a']] }), ['unmet', 'met']);
  assert.deepEqual(whole({ sent: undefined, status: 503 }), ['unclear']);
});

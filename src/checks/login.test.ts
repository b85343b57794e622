import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandLines, judgeControllers, judgeTokenFlag } from './control-plane-flags.js';
import {
  type Heard,
  judgeExactGroups,
  judgeForbiddenByName,
  judgeInGroups,
  judgeLogin,
  judgeNotTaken,
  judgeRefusal,
  judgeSameRules,
  judgeUserName,
  rulesIn,
} from './login.js';

const user = (username: string, ...groups: string[]): Heard => ({
  status: 201,
  body: { kind: 'SelfSubjectReview', status: { userInfo: { username, groups } } },
});
const status = (code: number, reason: string, message = reason): Heard => ({
  status: code,
  body: { kind: 'Status', reason, message, code },
});
const PAGE: Heard = { status: 200, body: undefined };
const GOOD = user(
  'system:bootstrap:07401b',
  'system:bootstrappers',
  'system:bootstrappers:worker',
  'system:authenticated',
);
const REFUSED = status(401, 'Unauthorized');
const STRANGER = status(403, 'Forbidden', 'User "system:anonymous" cannot create resource "selfsubjectreviews"');

describe('an answer to a bearer', () => {
  it('is a login, a refusal or neither', () => {
    assert.deepEqual(
      [GOOD, REFUSED, STRANGER, PAGE, status(500, 'InternalError')].map((heard) => [
        judgeLogin('', heard).ok,
        judgeRefusal('', heard).ok,
        judgeNotTaken('', heard).ok,
      ]),
      [
        [true, false, false],
        [false, true, true],
        [false, false, true],
        [false, false, false],
        [false, false, false],
      ],
    );
    assert.equal(
      judgeRefusal('', { status: 401, body: '<html>' }).ok,
      false,
      'a 401 of something that is no API server',
    );
  });

  it('names the user', () => {
    assert.equal(judgeUserName('', GOOD, '07401b').ok, true);
    assert.equal(judgeUserName('', user('system:bootstrapper:07401b'), '07401b').ok, false);
    assert.equal(judgeUserName('', REFUSED, '07401b').ok, false);
  });

  it('lists the groups', () => {
    assert.equal(judgeInGroups('', GOOD, ['system:bootstrappers:worker']).ok, true);
    assert.equal(judgeInGroups('', GOOD, ['system:bootstrappers:ingress']).ok, false);
    assert.equal(judgeExactGroups('', GOOD, ['system:bootstrappers:worker']).ok, true);
    assert.equal(judgeExactGroups('', GOOD, []).ok, false);
    assert.equal(
      judgeExactGroups('', user('u', 'system:bootstrappers', 'system:authenticated', 'system:nodes'), []).ok,
      false,
    );
  });

  it('forbids by name', () => {
    assert.equal(
      judgeForbiddenByName('', status(403, 'Forbidden', 'User "system:bootstrap:07401b" cannot list'), '07401b').ok,
      true,
    );
    assert.equal(judgeForbiddenByName('', STRANGER, '07401b').ok, false);
    assert.equal(judgeForbiddenByName('', REFUSED, '07401b').ok, false);
  });
});

describe('rules of a review', () => {
  const review = (verbs: string[]): Heard => ({
    status: 201,
    body: {
      status: {
        resourceRules: [{ verbs, apiGroups: [''], resources: ['pods'] }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
      },
    },
  });
  it('are compared whatever their order', () => {
    const [mine, theirs] = [rulesIn(review(['get', 'list'])), rulesIn(review(['list', 'get']))];
    assert.ok(mine && theirs);
    assert.equal(judgeSameRules('', mine, theirs).ok, true);
  });
  it('differ by what one has more or less', () => {
    const [mine, theirs] = [rulesIn(review(['get', 'delete'])), rulesIn(review(['get', 'list']))];
    assert.ok(mine && theirs);
    assert.match(judgeSameRules('', mine, theirs).seen, /more: delete pods.*less: list pods/);
  });
  it('are unknown in anything else', () => assert.equal(rulesIn(PAGE), undefined));
});

describe('flags of the control plane', () => {
  const pod = (...command: string[]) => ({
    metadata: { namespace: 'kube-system', name: 'x' },
    spec: { containers: [{ command }] },
  });
  const token = (...flags: string[]) => judgeTokenFlag(commandLines([pod('kube-apiserver', ...flags)])).kind;
  it('say whether bootstrap tokens are on', () => {
    assert.equal(token('--enable-bootstrap-token-auth=true', '--x=1'), 'passed');
    assert.equal(token('--enable-bootstrap-token-auth'), 'passed');
    assert.equal(token('--enable-bootstrap-token-auth=false'), 'failed');
    assert.equal(token('--secure-port=6443'), 'failed');
    assert.equal(judgeTokenFlag(commandLines([pod('kube-apiserver')])).kind, 'skipped', 'a Pod that shows no flags');
  });
  it('say whether a controller is on, by either of its names', () => {
    const controllers = (value: string) =>
      judgeControllers(commandLines([pod('kube-controller-manager', `--controllers=${value}`)]), 'tokencleaner').kind;
    assert.equal(controllers('*,bootstrapsigner,tokencleaner'), 'passed');
    assert.equal(controllers('*,token-cleaner-controller'), 'passed');
    for (const value of ['*', 'tokencleaner', '*,bootstrapsigner', '*,-tokencleaner'])
      assert.equal(controllers(value), 'failed', value);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PolicyRule, Secret } from '../../kubernetes/objects.js';
import { twinsOf } from '../common/twins.testing.js';
import { bind, clusterRole, csr, group, policy, user } from '../policy/policy.testing.js';
import { looksLike, tokenBound, tokenGroups, tokensThatLogIn, tokensWithGroups } from './token-groups.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const token = (groups: string, authentication = 'true'): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'bootstrap.kubernetes.io/token',
  metadata: { name: 'bootstrap-token-abc123', namespace: 'kube-system' },
  data: { 'auth-extra-groups': base64(groups), 'usage-bootstrap-authentication': base64(authentication) },
});
const KUBEADM = 'system:bootstrappers:kubeadm:default-node-token';

describe('tokens that log in with groups of their own', () => {
  it('are taken with their groups', () => {
    const [taken] = tokensWithGroups([token(`system:bootstrappers:worker,${KUBEADM}`)]);
    assert.deepEqual(taken?.groups, ['system:bootstrappers:worker', KUBEADM]);
  });

  it('are not those that no login succeeds with', () => {
    for (const groups of [
      '',
      'system:masters',
      'system:bootstrappers',
      'system:bootstrappers:Worker',
      'system:bootstrappers:a, system:bootstrappers:b',
    ])
      assert.deepEqual(tokensWithGroups([token(groups)]), [], groups);
    assert.deepEqual(tokensWithGroups([token('system:bootstrappers:worker', 'True')]), []);
  });
});

describe('a group that looks like another', () => {
  for (const [one, other, alike] of [
    ['system:bootstrappers:default-node-token', KUBEADM, true],
    ['system:bootstrappers:kubeadmin:default-node-token', KUBEADM, true],
    ['system:bootstrappers:kubeadm:default-node-tokens', KUBEADM, true],
    ['system:bootstrappers:kubeadm:kubeadm:default-node-token', KUBEADM, true],
    [KUBEADM, KUBEADM, false],
    ['system:bootstrappers:worker', KUBEADM, false],
    ['system:bootstrappers:kubeadm:ingress', KUBEADM, false],
    ['system:bootstrappers:kubeadm', KUBEADM, false],
    ['system:bootstrappers:dashboards', 'system:bootstrappers:worker', false],
    ['system:bootstrappers:workers', 'system:bootstrappers:worker', true],
    ['system:bootstrappers:workrs', 'system:bootstrappers:workers', true],
    ['system:bootstrappers:wrokers', 'system:bootstrappers:workers', true],
    ['system:bootstrappers:wokres', 'system:bootstrappers:walkers', false],
  ] as const)
    it(`"${one}" ${alike ? 'does' : 'does not'} like "${other}"`, () => {
      assert.equal(looksLike(one, other), alike);
      assert.equal(looksLike(other, one), alike);
    });
});

describe('the groups of a token', () => {
  const nodes: PolicyRule = { verbs: ['get'], apiGroups: [''], resources: ['nodes'] };
  const given = policy(
    [clusterRole('join', csr), clusterRole('nodes', nodes), clusterRole('view', { ...nodes, resources: ['pods'] })],
    [
      bind('a', 'join', group(KUBEADM)),
      bind('b', 'nodes', group('system:bootstrappers:half')),
      bind('c', 'view', group('system:bootstrappers:viewers')),
      bind('d', 'view', group('system:authenticated')),
    ],
  );
  const judged = (...groups: readonly string[]) =>
    tokenGroups.judge(given, { tokens: [{ secret: 'Secret kube-system/x', groups }] })[0];

  it('let join', () => {
    assert.equal(judged(KUBEADM)?.result, 'met');
    assert.equal(judged('system:bootstrappers:default-node-token', KUBEADM)?.result, 'met');
  });

  it('are blamed where they look like one that does', () => {
    const found = judged('system:bootstrappers:default-node-token');
    assert.equal(found?.result, 'unmet');
    assert.match(found?.seen ?? '', /did its writer mean system:bootstrappers:kubeadm:default-node-token/);
  });

  it('are blamed where they hold half of what a join needs', () => {
    assert.match(judged('system:bootstrappers:half')?.seen ?? '', /may get nodes but not create certificate/);
    assert.equal(judged('system:bootstrappers:half')?.result, 'unmet');
  });

  it('are blamed where they read what a join reads, and may not ask', () => {
    for (const name of ['kubelet-config', 'kubeadm-config']) {
      const rule = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: [name] };
      const binding = { ...bind('e', 'r', group('system:bootstrappers:reader')) };
      const role = { metadata: { name: 'r', namespace: 'kube-system' }, rules: [rule] };
      const reading = policy([], [], {
        roles: [role],
        roleBindings: [
          {
            ...binding,
            metadata: { name: 'e', namespace: 'kube-system' },
            roleRef: { ...binding.roleRef, kind: 'Role' },
          },
        ],
      });
      const tokens = [{ secret: 'a', groups: ['system:bootstrappers:reader'] }];
      assert.equal(tokenGroups.judge(reading, { tokens })[0]?.result, 'unmet', name);
    }
  });

  it('are bound by their whole name, in its letters', () => {
    const bound = (name: string) => policy([], [bind('e', 'view', group(name))]);
    const tokens = [{ secret: 'a', groups: ['system:bootstrappers:proxy'] }];
    const note = (name: string) => tokenGroups.judge(bound(name), { tokens })[0]?.note;
    assert.equal(note('system:bootstrappers:proxy'), undefined);
    for (const name of ['system:bootstrappers:proxy-writers', 'my:system:bootstrappers:proxy', 'system:bootstrappers'])
      assert.match(note(name) ?? '', /another purpose/, name);
  });

  it('may serve another purpose', () => {
    assert.match(judged('system:bootstrappers:proxy')?.note ?? '', /another purpose/);
    assert.equal(judged('system:bootstrappers:proxy')?.result, 'met');
    assert.equal(judged('system:bootstrappers:viewers')?.result, 'met');
  });

  it('of all tokens are told, and of none nothing is', () => {
    const tokens = ['default-node-token', 'proxy', 'kubeadm:default-node-tokens'].map((name) => ({
      secret: name,
      groups: [`system:bootstrappers:${name}`],
    }));
    assert.deepEqual(
      tokenGroups.judge(given, { tokens }).map(({ result }) => result),
      ['unmet', 'met', 'unmet'],
    );
    assert.deepEqual(tokenGroups.judge(given, { tokens: [] }), []);
  });
});

describe('tokens that log in', () => {
  it('are taken without groups, too', () => {
    assert.deepEqual(
      [token(''), token('', 'false'), token('a')].map((secret) =>
        tokensThatLogIn([secret]).map(({ groups }) => groups),
      ),
      [[[]], [], []],
    );
  });

  it('are named by a binding: themselves, their groups, or the group of all', () => {
    const tokens = tokensThatLogIn([token(''), token('system:bootstrappers:a')]);
    const judged = (...subjects: Parameters<typeof bind>[2][]): readonly string[] =>
      tokenBound.judge(policy([], [bind('b', 'r', ...subjects)]), { tokens }).map(({ result }) => result);
    assert.deepEqual(judged(), ['unmet', 'unmet']);
    assert.deepEqual(judged(user('system:bootstrappers:a'), group('ops')), ['unmet', 'unmet']);
    assert.deepEqual(judged(group('system:bootstrappers:a')), ['unmet', 'met']);
    assert.deepEqual(judged(group('system:bootstrappers')), ['met', 'met']);
    assert.deepEqual(judged(user('system:bootstrap:abc123')), ['met', 'met']);
    assert.deepEqual(tokenBound.judge(policy([], []), { tokens: [] }), []);
  });
});

describe('names of groups and usages', () => {
  it('are read as they are written, of the token as of the binding', () => {
    for (const twin of twinsOf('true')) assert.deepEqual(tokensThatLogIn([token(KUBEADM, twin)]), [], twin);
    for (const twin of twinsOf('system:bootstrappers:a').filter(
      (one) => !/^system:bootstrappers:[a-z]+$/.test(one) && one !== '',
    ))
      assert.deepEqual(tokensThatLogIn([token(`${KUBEADM},${twin}`)]), [], twin);
    const tokens = tokensThatLogIn([token(KUBEADM)]);
    const bound = (name: string, kind: 'Group' | 'User' = 'Group'): string | undefined =>
      tokenBound.judge(policy([clusterRole('r', csr)], [bind('b', 'r', kind === 'Group' ? group(name) : user(name))]), {
        tokens,
      })[0]?.result;
    for (const name of [KUBEADM, 'system:bootstrappers']) assert.equal(bound(name), 'met', name);
    assert.equal(bound('system:bootstrap:abc123', 'User'), 'met');
    for (const name of [KUBEADM, 'system:bootstrappers', 'system:bootstrap:abc123'])
      for (const twin of twinsOf(name)) {
        assert.equal(bound(twin), 'unmet', twin);
        assert.equal(bound(twin, 'User'), 'unmet', twin);
      }
    assert.equal(bound(KUBEADM, 'User'), 'unmet');
    assert.equal(bound('system:bootstrap:abc123'), 'unmet');
  });
});

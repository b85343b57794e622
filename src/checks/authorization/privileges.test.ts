import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PolicyRule, Subject } from '../../kubernetes/objects.js';
import type { Finding } from '../../model/finding.js';
import { bind, clusterRole, csr, group, policy, secrets, user } from '../policy/policy.testing.js';
import { boundOnlyTo, boundToRole, heldBy, holdsExactly, type KnownExtra, may, mayNot } from './privileges.js';
import { expand, type Policy } from './rbac-policy.js';

const results = (findings: readonly Finding[]) => findings.map(({ result }) => result);
const [create] = expand([csr]);
assert.ok(create);
const everything: PolicyRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
const joining = {
  user: 'system:bootstrap:<id>',
  groups: ['system:bootstrappers', 'system:bootstrappers:a', 'system:authenticated'],
};
const given = (...subjects: readonly Subject[]): Policy =>
  policy([clusterRole('r', csr)], [bind('b', 'r', ...subjects)]);

describe('holders of a permission', () => {
  it('are named one by one', () => {
    const wanted = { permission: create, who: 'some', never: ['everybody'] } as const;
    const judged = heldBy.judge(given(group('a'), group('system:serviceaccounts'), user('system:anonymous')), wanted);
    assert.deepEqual(results(judged), ['met', 'unmet', 'unmet']);
    assert.match(judged[1]?.seen ?? '', /Group system:serviceaccounts/);
    assert.deepEqual(heldBy.judge(policy([], []), wanted), []);
  });

  it('are bootstrappers or may do everything anyhow', () => {
    const wanted = { permission: create, who: 'x', never: ['nodes'], only: ['bootstrappers'] } as const;
    const all = policy(
      [clusterRole('r', csr), clusterRole('all', everything)],
      [bind('b', 'r', group('system:bootstrappers:a'), group('jane')), bind('m', 'all', group('system:masters'))],
    );
    assert.deepEqual(results(heldBy.judge(all, wanted)), ['met', 'unmet', 'met']);
  });

  it('are known additions, as far as their entries say', () => {
    const wanted = { permission: create, who: 'x', never: ['nodes'], only: ['bootstrappers'] } as const;
    const known = { distribution: 'Some', source: 'a file', binding: 'ClusterRoleBinding b', rules: [csr] };
    const judged = heldBy.judge(given(user('kubelet'), group('system:nodes'), user('jane')), {
      ...wanted,
      extras: [{ ...known, subjects: ['User kubelet', 'Group system:nodes'] }],
    });
    assert.deepEqual(results(judged), ['met', 'met', 'unmet']);
    assert.match(judged[0]?.note ?? '', /known addition of Some/);
    const other = { ...known, binding: 'ClusterRoleBinding c', subjects: ['User kubelet'] };
    assert.deepEqual(results(heldBy.judge(given(user('kubelet')), { ...wanted, extras: [other] })), ['unmet']);
  });

  it('are not those who must not, whichever binding would give it', () => {
    const wanted = { holder: joining, permission: create, who: 'a token' };
    const [absent] = mayNot.judge(given(group('jane')), wanted);
    assert.deepEqual([absent?.result, absent?.refusal], ['met', true]);
    const twice = policy(
      [clusterRole('r', csr)],
      [bind('b', 'r', group('system:authenticated')), bind('c', 'r', group('system:bootstrappers'))],
    );
    assert.deepEqual(results(mayNot.judge(twice, wanted)), ['unmet', 'unmet']);
  });

  it('are those whom some binding gives it to', () => {
    const wanted = { holder: joining, permission: create, who: 'a token' };
    assert.deepEqual(
      may.judge(given(group('system:bootstrappers')), wanted).map(({ result, seen }) => `${result}: ${seen}`),
      ['met: ClusterRole r grants it'],
    );
    assert.deepEqual(
      may.judge(given(group('jane')), wanted).map(({ result, seen }) => `${result}: ${seen}`),
      ['unmet: no binding grants it'],
    );
  });

  it('of a role by any binding are of the sorts that may', () => {
    const wanted = { role: 'r', only: ['bootstrappers', 'users'], who: 'them' } as const;
    const judged = boundToRole.judge(
      given(group('system:bootstrappers:a'), user('jane'), user('system:anonymous'), group('b')),
      wanted,
    );
    assert.deepEqual(results(judged), ['met', 'met', 'unmet', 'unmet']);
    assert.deepEqual(boundToRole.judge(policy([], []), wanted), []);
  });
});

const extra: KnownExtra = {
  distribution: 'Some',
  source: 'its source',
  binding: 'ClusterRoleBinding x',
  subjects: ['Group system:authenticated'],
  rules: [secrets],
};

describe('the roles that a sort of subjects is bound to', () => {
  const wanted = { sort: 'everybody', roles: ['ClusterRole r'], extras: [extra] } as const;
  const more = (rule: PolicyRule): Policy =>
    policy(
      [clusterRole('r', csr), clusterRole('s', rule)],
      [bind('b', 'r', group('system:authenticated')), bind('x', 's', group('system:authenticated'))],
    );
  it('are documented, or a known addition that grants no more than its entry says', () => {
    const judged = boundOnlyTo.judge(more(secrets), wanted);
    assert.deepEqual(results(judged), ['met', 'met']);
    assert.match(judged[1]?.note ?? '', /Some/);
    assert.deepEqual(results(boundOnlyTo.judge(more({ ...secrets, verbs: ['*'] }), wanted)), ['met', 'unmet']);
    assert.deepEqual(boundOnlyTo.judge(policy([], []), wanted), []);
  });

  it('carried the release in their names once, and count in one namespace only', () => {
    const role = (namespace: string, name: string) => ({
      metadata: { name: 'b', namespace },
      subjects: [group('system:bootstrappers:a')],
      roleRef: { apiGroup: '', kind: 'Role', name },
    });
    const bootstrappers = {
      sort: 'bootstrappers',
      roles: ['Role kube-system/kubeadm:kubelet-config'],
      extras: [],
    } as const;
    const judged = (namespace: string, name: string, clusterWide?: true) =>
      results(
        boundOnlyTo.judge(policy([], [], { roleBindings: [role(namespace, name)] }), {
          ...bootstrappers,
          ...(clusterWide === undefined ? {} : { clusterWide }),
        }),
      );
    assert.deepEqual(judged('kube-system', 'kubeadm:kubelet-config-1.22'), ['met']);
    assert.deepEqual(judged('kube-public', 'kubeadm:kubelet-config'), ['unmet']);
    assert.deepEqual(judged('kube-public', 'kubeadm:kubelet-config', true), []);
  });
});

describe('least privilege as a whole', () => {
  const wanted = { holder: joining, documented: [{ permission: create, needed: true }], extras: [] };
  const base = [bind('b', 'r', group('system:bootstrappers:a'))];
  const withMore = (rule: PolicyRule, subject = group('system:authenticated')): Policy =>
    policy([clusterRole('r', csr), clusterRole('s', rule)], [...base, bind('x', 's', subject)]);

  it('is the documented set, and says what is missing', () => {
    assert.deepEqual(results(holdsExactly.judge(given(group('system:bootstrappers:a')), wanted)), ['met', 'met']);
    assert.deepEqual(results(holdsExactly.judge(policy([], []), wanted)), ['unmet', 'met']);
  });

  it('prints the difference as verbs and resources, with binding, role and subject', () => {
    const [, judged] = holdsExactly.judge(withMore(secrets), wanted);
    assert.match(
      judged?.seen ?? '',
      /get secrets; list secrets, from ClusterRoleBinding x \(ClusterRole s\) to Group system:authenticated/,
    );
    assert.deepEqual([judged?.result, judged?.refusal], ['unmet', true]);
  });

  it('names a known addition, and blames it once it grants more than its entry says', () => {
    const known = { ...wanted, extras: [extra] };
    const judged = holdsExactly.judge(withMore(secrets), known);
    assert.ok(judged.every(({ result }) => result === 'met'));
    assert.ok(judged.some(({ note }) => note?.includes('Some')));
    assert.ok(results(holdsExactly.judge(withMore({ ...secrets, verbs: ['*'] }), known)).includes('unmet'));
  });

  it('leaves out what everybody may read of APIs that are not of Kubernetes', () => {
    const charts: PolicyRule = { verbs: ['get', 'list'], apiGroups: ['helm.openshift.io'], resources: ['charts'] };
    const judged = (rule: PolicyRule, subject?: Subject) =>
      results(holdsExactly.judge(withMore(rule, subject), wanted)).includes('unmet');
    assert.equal(judged(charts), false);
    assert.equal(judged(charts, group('system:bootstrappers')), true);
    assert.equal(judged({ ...charts, verbs: ['get', 'update'] }), true);
    for (const apiGroup of ['', 'apps', '*', 'k8s.io', 'certificates.k8s.io', 'gateway.networking.k8s.io'])
      assert.equal(judged({ ...charts, apiGroups: [apiGroup] }), true, apiGroup);
  });

  it('takes what upgrades have left of kubelet-config for what it is', () => {
    const rule = (name: string, verb: string): PolicyRule => ({
      verbs: [verb],
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: [name],
    });
    const isDocumented = (name: string, verb = 'get'): boolean => {
      const role = { kind: 'Role', metadata: { name: 'left', namespace: 'kube-system' }, rules: [rule(name, verb)] };
      const binding = {
        kind: 'RoleBinding',
        metadata: { name: 'left', namespace: 'kube-system' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'left' },
        subjects: [group('system:bootstrappers')],
      };
      const given = policy([], [], { roles: [role], roleBindings: [binding] });
      const judged = ['kubelet-config', 'kubelet-config-1.23'].map((today) => {
        const [permission] = expand([rule(today, 'get')], 'kube-system');
        assert.ok(permission);
        const documented = [{ permission, needed: false }];
        return !results(holdsExactly.judge(given, { ...wanted, documented })).includes('unmet');
      });
      assert.equal(judged[0], judged[1], name);
      return judged[0] === true;
    };
    for (const name of ['kubelet-config', 'kubelet-config-1.22', 'kubelet-config-1.9'])
      assert.equal(isDocumented(name), true, name);
    for (const name of ['kubelet-config-1.x', 'my-kubelet-config-1.22', 'kubelet-config-1.22-old', 'kubeadm-config'])
      assert.equal(isDocumented(name), false, name);
    assert.equal(isDocumented('kubelet-config-1.22', 'update'), false);
  });

  it('takes an addition for known by its binding and its subject', () => {
    for (const other of [{ binding: 'ClusterRoleBinding y' }, { subjects: ['Group system:unauthenticated'] }]) {
      const judged = holdsExactly.judge(withMore(secrets), { ...wanted, extras: [{ ...extra, ...other }] });
      assert.ok(results(judged).includes('unmet'), JSON.stringify(other));
    }
  });

  it('holds for each of its sort that is named by itself', () => {
    const alike = [
      { kind: 'Group', prefix: 'system:bootstrappers:' },
      { kind: 'User', prefix: 'system:bootstrap:' },
    ] as const;
    for (const subject of [group('system:bootstrappers:worker'), user('system:bootstrap:abcdef')]) {
      assert.ok(!results(holdsExactly.judge(withMore(secrets, subject), wanted)).includes('unmet'));
      const judged = holdsExactly.judge(withMore(secrets, subject), { ...wanted, alike });
      assert.ok(judged.some(({ result, seen }) => result === 'unmet' && seen.includes(subject.name)));
    }
  });
});

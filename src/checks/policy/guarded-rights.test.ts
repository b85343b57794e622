import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PolicyRule, Role } from '../../kubernetes/objects.js';
import type { Permission } from '../authorization/rbac-policy.js';
import { twinsOf } from '../common/twins.testing.js';
import { accountNamed, administratorsKnown, administratorsOf, guardedRights } from './guarded-rights.js';
import { bind, clusterRole, group, policy, user } from './policy.testing.js';

type Right = Extract<Permission, { readonly kind: 'resource' }>;

const right = (verb: string, name = 'bootstrap-token-*', resource = 'secrets'): Right => ({
  kind: 'resource',
  verb,
  group: '',
  resource,
  namespace: 'kube-system',
  name,
});
const secrets = (verb: string, ...names: readonly string[]): PolicyRule => ({
  verbs: [verb],
  apiGroups: [''],
  resources: ['secrets'],
  ...(names.length === 0 ? {} : { resourceNames: names }),
});
const all: PolicyRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
const RBAC = 'rbac.authorization.k8s.io';

/** What a ClusterRole of this one rule, bound to somebody, is told for. */
const told = (rule: PolicyRule, rights: readonly Right[], ...who: Parameters<typeof bind>[2][]): readonly string[] =>
  guardedRights
    .judge(policy([clusterRole('r', rule)], [bind('b', 'r', ...who)]), {
      what: 'it is done',
      rights,
      known: ['User k*'],
    })
    .map(({ result, seen }) => `${result}: ${seen}`);
const NOBODY = ['met: by nobody else'];

const account = (name: string) => ({ kind: 'ServiceAccount', namespace: 'n', name }) as const;

describe('who is known', () => {
  it('is whoever is named, and nobody whose name begins or ends alike', () => {
    const strangers = (...known: readonly string[]): readonly (string | undefined)[] =>
      guardedRights
        .judge(
          policy([clusterRole('r', secrets('get'))], [bind('b', 'r', user('ops'), user('ops-2'), user('dev-ops'))]),
          {
            what: 'it is done',
            rights: [right('get')],
            known,
          },
        )
        .map(({ seen }) => /User (\S+)/.exec(seen)?.[1]);
    assert.deepEqual(strangers('User ops'), ['ops-2', 'dev-ops']);
    assert.deepEqual(strangers('User ops*'), ['dev-ops']);
    assert.deepEqual(strangers('User *ops'), ['ops-2']);
  });
});

describe('rights of people', () => {
  let ofWhom: 'users too' | 'groups alone' = 'users too';
  const ofPeople = (...who: Parameters<typeof bind>[2][]): number =>
    guardedRights
      .judge(policy([clusterRole('r', secrets('get'))], [bind('b', 'r', ...who)]), {
        what: 'it is done',
        rights: [right('get')],
        known: [],
        ofPeople: ofWhom,
      })
      .filter(({ result }) => result === 'unmet').length;

  it('are those of users, groups and default accounts', () => {
    const everybody = ['system:authenticated', 'system:serviceaccounts', 'system:serviceaccounts:n'];
    assert.equal(ofPeople(group('ops'), user('jane'), account('default'), ...everybody.map(group)), 6);
  });
  it('may be those of groups alone', () => {
    ofWhom = 'groups alone';
    assert.equal(ofPeople(group('ops'), user('jane'), account('default')), 2);
    ofWhom = 'users too';
  });
  it('are none of programs and platforms', () => {
    const platforms = ['system:gke-common-webhooks', 'eks:addon-manager'];
    assert.equal(ofPeople(account('operator'), group('system:sdn-admins'), ...platforms.map(user)), 0);
  });
});

describe('rights of every Pod', () => {
  const of = (rule: PolicyRule, known: readonly string[], ...who: Parameters<typeof bind>[2][]): readonly string[] =>
    guardedRights
      .judge(policy([clusterRole('r', rule)], [bind('b', 'r', ...who)]), {
        what: 'it is done',
        rights: [right('get')],
        known,
        ofEveryPod: true,
      })
      .filter(({ result }) => result === 'unmet')
      .map(({ seen }) => seen);
  const proxy = { kind: 'ServiceAccount', namespace: 'kube-system', name: 'kube-proxy' } as const;
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:n'];

  it('are those of default accounts, of groups of accounts, and of what runs on every machine', () => {
    assert.equal(of(secrets('get'), [], account('default'), proxy, ...groups.map(group)).length, 4);
    const others = [account('operator'), account('kube-proxy'), group('system:serviceaccountsx'), group('ops')];
    assert.deepEqual(
      of(secrets('get'), [], ...others, group('system:authenticated'), user('system:serviceaccounts')),
      [],
    );
  });
  it('are told of where they are all there are', () => {
    assert.deepEqual(of(all, [], account('default'), account('operator')), [
      'ServiceAccount n/default may do everything',
    ]);
  });
  it('are none of who is named, and none that a distribution is known to give', () => {
    assert.deepEqual(of(secrets('get'), ['ServiceAccount n/*'], account('default')), []);
    const desktop = (who: Parameters<typeof bind>[2], binding = 'docker-for-desktop-binding'): number =>
      guardedRights
        .judge(policy([clusterRole('r', all)], [bind(binding, 'r', who)]), {
          what: 'it is done',
          rights: [right('get')],
          known: [],
          ofEveryPod: true,
        })
        .filter(({ result }) => result === 'unmet').length;
    const system = 'system:serviceaccounts:kube-system';
    assert.equal(desktop(group(system)), 0);
    assert.equal(desktop({ ...account('default'), namespace: 'kube-system' }, 'minikube-rbac'), 0);
    for (const twin of twinsOf('docker-for-desktop-binding')) assert.equal(desktop(group(system), twin), 1, twin);
    assert.equal(desktop(group('system:serviceaccounts:default')), 1);
    assert.equal(desktop(account('default'), 'minikube-rbac'), 1);
  });
});

describe('rights that are guarded', () => {
  it('are told of whoever holds one, with what he may do', () => {
    assert.deepEqual(told(secrets('*'), [right('get'), right('list')], group('ops'), user('jane')), [
      'unmet: Group ops may get secrets named bootstrap-token-* in kube-system; ' +
        'list secrets named bootstrap-token-* in kube-system',
      'unmet: User jane may get secrets named bootstrap-token-* in kube-system; ' +
        'list secrets named bootstrap-token-* in kube-system',
    ]);
    assert.deepEqual(told(secrets('watch'), [right('get')], group('ops')), NOBODY);
  });

  it('are told of the name of one token, unless the name decides nothing', () => {
    assert.equal(told(secrets('get', 'bootstrap-token-abcdef'), [right('get')], group('ops')).length, 1);
    assert.match(told(secrets('get', 'bootstrap-token-abcdef'), [right('get')], group('ops'))[0] ?? '', /^unmet/);
    assert.deepEqual(told(secrets('get', 'registry'), [right('get')], group('ops')), NOBODY);
    assert.deepEqual(told(secrets('create', 'bootstrap-token-abcdef'), [right('create')], group('ops')), NOBODY);
    assert.deepEqual(
      told(secrets('deletecollection', 'bootstrap-token-abcdef'), [right('deletecollection')], group('ops')),
      NOBODY,
    );
  });

  it('are those of controllers by their own names alone', () => {
    const controller = { kind: 'ServiceAccount', namespace: 'kube-system', name: 'token-cleaner' } as const;
    const by = (name: string, role: string, who: Parameters<typeof bind>[2]): boolean =>
      guardedRights
        .judge(policy([clusterRole(role, secrets('get'))], [bind(name, role, who)]), {
          what: 'it is done',
          rights: [right('get')],
          known: [],
        })
        .some(({ result }) => result === 'unmet');
    const own = 'system:controller:token-cleaner';
    assert.equal(by(own, own, controller), false);
    assert.equal(by('system::leader-locking-token-cleaner', 'system::leader-locking-token-cleaner', controller), false);
    for (const twin of twinsOf(own)) {
      assert.equal(by(twin, own, controller), true, twin);
      assert.equal(by(own, twin, controller), true, twin);
    }
    for (const namespace of twinsOf('kube-system'))
      assert.equal(by(own, own, { ...controller, namespace }), true, namespace);
    for (const name of twinsOf('token-cleaner')) assert.equal(by(own, own, { ...controller, name }), true, name);
    const manager = 'system:kube-controller-manager';
    assert.equal(by('b', manager, user(manager)), false);
    for (const twin of twinsOf(manager)) assert.equal(by('b', manager, user(twin)), true, twin);
    for (const twin of twinsOf(manager)) assert.equal(by('b', twin, user(manager)), true, twin);
  });

  it('are those of one namespace and of every one', () => {
    const inside = (namespace: string) =>
      guardedRights
        .judge(
          policy([clusterRole('r', secrets('get'))], [], {
            roleBindings: [{ ...bind('b', 'r', group('ops')), metadata: { name: 'b', namespace } }],
          }),
          { what: 'it is done', rights: [right('get')], known: [] },
        )
        .some(({ result }) => result === 'unmet');
    assert.equal(inside('kube-system'), true);
    for (const other of [...twinsOf('kube-system'), 'default', 'kube-public', 'kube-node-lease'])
      assert.equal(inside(other), false, other);
  });

  it('are those of whoever signs for himself, but for the status of requests', () => {
    const status = { ...right('update', '*', 'certificatesigningrequests/status'), group: 'certificates.k8s.io' };
    const may = (verb: string, resource: string, name: string, asked: Right = status): boolean =>
      guardedRights
        .judge(
          policy(
            [
              clusterRole(
                'r',
                { verbs: ['update'], apiGroups: ['certificates.k8s.io'], resources: ['*/status', 'nodes/status'] },
                { verbs: [verb], apiGroups: ['certificates.k8s.io'], resources: [resource], resourceNames: [name] },
              ),
            ],
            [bind('b', 'r', group('ops'))],
          ),
          { what: 'it is done', rights: [asked], known: [] },
        )
        .some(({ result }) => result === 'unmet');
    assert.equal(may('sign', 'signers', 'example.com/a'), false);
    for (const verb of twinsOf('sign')) assert.equal(may(verb, 'signers', 'example.com/a'), true, verb);
    for (const resource of twinsOf('signers')) assert.equal(may('sign', resource, 'example.com/a'), true, resource);
    assert.equal(may('sign', 'signers', 'kubernetes.io/kubelet-serving'), true);
    assert.equal(may('sign', 'signers', '*'), true);
    const nodes = { ...status, resource: 'nodes/status' };
    assert.equal(may('sign', 'signers', 'example.com/a', nodes), true);
  });

  it('are those of people, by their names', () => {
    const told = (who: Parameters<typeof bind>[2]): boolean =>
      guardedRights
        .judge(policy([clusterRole('r', secrets('get'))], [bind('b', 'r', who)]), {
          what: 'it is done',
          rights: [right('get')],
          known: [],
          ofPeople: 'users too',
        })
        .some(({ result }) => result === 'unmet');
    assert.equal(told(account('default')), true);
    for (const twin of twinsOf('default')) assert.equal(told(account(twin)), false, twin);
    assert.equal(told(user('eks:a')), false);
    for (const name of ['EKS:a', ' eks:a', 'xeks:a', 'eks', 'System:x']) assert.equal(told(user(name)), true, name);
  });

  it('are those of verbs as they are written', () => {
    for (const twin of [...twinsOf('deletecollection'), ...twinsOf('create'), ...twinsOf('*')]) {
      const rule = secrets(twin, 'bootstrap-token-abcdef');
      assert.match(told(rule, [right(twin)], group('ops'))[0] ?? '', /^unmet/, twin);
      assert.deepEqual(told(rule, [right('get')], group('ops')), NOBODY, twin);
    }
    for (const twin of twinsOf('secrets'))
      assert.deepEqual(told({ ...secrets('get'), resources: [twin] }, [right('get')], group('ops')), NOBODY, twin);
    for (const twin of ['*', ...twinsOf('apps')])
      assert.equal(
        told({ ...secrets('get'), apiGroups: [twin] }, [right('get')], group('ops'))[0]?.startsWith('unmet'),
        twin === '*' || twin === '',
        twin,
      );
  });

  it('are told of the name of what a part is made of', () => {
    const given = (name: string): PolicyRule => ({
      verbs: ['create'],
      apiGroups: [''],
      resources: ['serviceaccounts/token'],
      resourceNames: [name],
    });
    const wanted = [right('create', 'controller', 'serviceaccounts/token')];
    assert.match(told(given('controller'), wanted, group('ops'))[0] ?? '', /^unmet/);
    assert.deepEqual(told(given('agent'), wanted, group('ops')), NOBODY);
  });

  it('are not told of who writes the status of requests to sign for signers of his own', () => {
    const status = 'certificatesigningrequests/status';
    const wanted: Right = { ...right('update', '*', status), group: 'certificates.k8s.io', namespace: '*' };
    const writes: PolicyRule = { verbs: ['update'], apiGroups: [wanted.group], resources: [status] };
    const judged = (...names: readonly string[]): string | undefined => {
      const signs = { verbs: ['sign'], apiGroups: [wanted.group], resources: ['signers'], resourceNames: names };
      const role = clusterRole('r', writes, ...(names.length === 0 ? [] : [signs]));
      const found = policy([role], [bind('b', 'r', group('ops'))]);
      return guardedRights.judge(found, { what: 'it is done', rights: [wanted], known: [] })[0]?.result;
    };
    assert.equal(judged('issuers.example.com/*'), 'met');
    assert.deepEqual([judged(), judged('kubernetes.io/*'), judged('*')], ['unmet', 'unmet', 'unmet']);
  });

  it('are told of such a one where he does not sign, or does something else as well', () => {
    const status = 'certificatesigningrequests/status';
    const wanted: Right = { ...right('update', '*', status), group: 'certificates.k8s.io', namespace: '*' };
    const writes: PolicyRule = { verbs: ['update'], apiGroups: [wanted.group], resources: [status] };
    const own = { apiGroups: [wanted.group], resources: ['signers'], resourceNames: ['issuers.example.com/a'] };
    const judged = (rule: PolicyRule, rights: readonly Right[] = [wanted]): readonly string[] =>
      guardedRights
        .judge(policy([clusterRole('r', writes, secrets('get'), rule)], [bind('b', 'r', group('ops'))]), {
          what: 'it is done',
          rights,
          known: [],
        })
        .map(({ seen }) => seen);
    const toldOf = ['Group ops may update certificatesigningrequests/status.certificates.k8s.io'];
    assert.deepEqual(judged({ ...own, verbs: ['sign'] }), ['by nobody else']);
    for (const rule of [
      { ...own, verbs: ['approve'] },
      { ...own, verbs: ['sign'], resources: ['certificatesigningrequests'] },
      { verbs: ['sign'], nonResourceURLs: ['/signers'] },
    ])
      assert.deepEqual(judged(rule), toldOf, JSON.stringify(rule));
    assert.deepEqual(judged({ ...own, verbs: ['sign'] }, [wanted, right('get', 'a')]), [
      'Group ops may get secrets named a in kube-system',
    ]);
  });

  it('are told of every resource that has a subresource', () => {
    const given: PolicyRule = { verbs: ['create'], apiGroups: [''], resources: ['*/token'] };
    assert.match(told(given, [right('create', '*', 'serviceaccounts/token')], group('ops'))[0] ?? '', /^unmet/);
    assert.deepEqual(told(given, [right('create', '*', 'secrets')], group('ops')), NOBODY);
    const other: PolicyRule = { verbs: ['get'], apiGroups: ['apps'], resources: ['secrets'] };
    assert.deepEqual(told(other, [right('get')], group('ops')), NOBODY);
  });

  it('are those of administrators, of whom somebody names, and of whom other rules judge', () => {
    assert.deepEqual(told(all, [right('get')], group('ops')), NOBODY);
    assert.deepEqual(told(secrets('get'), [right('get')], user('keeper')), NOBODY);
    for (const who of [group('system:bootstrappers:a'), group('system:nodes'), user('system:anonymous')])
      assert.deepEqual(told(secrets('get'), [right('get')], who), NOBODY);
    assert.match(told(secrets('get'), [right('get')], group('system:authenticated'))[0] ?? '', /^unmet/);
  });

  it('are those of a controller by the role and binding of its name alone', () => {
    const account = (name: string, namespace = 'kube-system') => ({ kind: 'ServiceAccount', name, namespace }) as const;
    const judged = (binding: string, role: string, subject: ReturnType<typeof account>): string | undefined =>
      guardedRights.judge(policy([clusterRole(role, secrets('get'))], [bind(binding, role, subject)]), {
        what: 'it is done',
        rights: [right('get')],
        known: [],
      })[0]?.result;
    const CLEANER = 'system:controller:token-cleaner';
    assert.equal(judged(CLEANER, CLEANER, account('token-cleaner')), 'met');
    assert.equal(judged(CLEANER, CLEANER, account('token-cleaner', 'default')), 'unmet');
    assert.equal(judged(CLEANER, CLEANER, account('helper')), 'unmet');
    assert.equal(judged('cleaner', CLEANER, account('token-cleaner')), 'unmet');
    assert.equal(judged(CLEANER, 'cleaner', account('token-cleaner')), 'unmet');
  });

  it('are those of the controller manager by its own user and the role of that name', () => {
    const USER = 'system:kube-controller-manager';
    const judged = (role: string, name: string): string | undefined =>
      guardedRights.judge(policy([clusterRole(role, secrets('get'))], [bind('b', role, user(name))]), {
        what: 'it is done',
        rights: [right('get')],
        known: [],
      })[0]?.result;
    assert.equal(judged(USER, USER), 'met');
    assert.equal(judged('reader', USER), 'unmet');
    assert.equal(judged('jane', 'jane'), 'unmet');
  });

  it('count in their namespace alone', () => {
    const role = (namespace: string): Role => ({ metadata: { name: 'r', namespace }, rules: [secrets('get')] });
    const judged = (namespace: string): string | undefined =>
      guardedRights.judge(
        policy([], [], {
          roles: [role(namespace)],
          roleBindings: [
            {
              metadata: { name: 'b', namespace },
              subjects: [group('ops')],
              roleRef: { apiGroup: RBAC, kind: 'Role', name: 'r' },
            },
          ],
        }),
        { what: 'it is done', rights: [right('get')], known: [] },
      )[0]?.result;
    assert.deepEqual([judged('kube-system'), judged('kube-public')], ['unmet', 'met']);
  });
});

describe('administrators', () => {
  const found = policy(
    [clusterRole('cluster-admin', all), clusterRole('r', secrets('get'))],
    [bind('a', 'cluster-admin', group('system:masters'), user('jane')), bind('b', 'r', user('bob'))],
  );

  it('are whom somebody names', () => {
    assert.deepEqual(
      administratorsKnown.judge(found, { known: ['Group system:*'] }).map(({ result, seen }) => `${result}: ${seen}`),
      ['met: of Group system:masters', 'unmet: of User jane'],
    );
  });

  it('are all who may do everything', () => {
    assert.deepEqual(administratorsOf(found), ['Group system:masters', 'User jane']);
  });
});

describe('who judges', () => {
  it('is an account, where it is one', () => {
    assert.equal(accountNamed('system:serviceaccount:audit:joinproof'), 'ServiceAccount audit/joinproof');
    for (const other of ['kubernetes-admin', 'system:serviceaccount:audit', 'system:serviceaccount:a:b:c', ''])
      assert.equal(accountNamed(other), undefined);
    assert.equal(accountNamed(undefined), undefined);
  });
});

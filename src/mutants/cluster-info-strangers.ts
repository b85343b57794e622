/** Defects of the chapter cluster-info: what strangers are given. */
import { record } from '../kubernetes/json.js';
import type { Binding, PolicyRule, Role } from '../kubernetes/objects.js';
import { upstream } from '../reference/decisions.js';
import { allow, bindCluster, decides, editClusterRole, finds, group, user } from './arrange.js';
import type { Mutant } from './types.js';

/** A mutant whose Role or RoleBinding for strangers is another. */
const opens = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  change: { role?: (rules: readonly PolicyRule[]) => readonly PolicyRule[]; binding?: (binding: Binding) => Binding },
): Mutant =>
  decides(name, defect, killedBy, {
    grants: (what, release) =>
      upstream.grants(what, release).map((object) => {
        if (what !== 'cluster-info') return object;
        if (object.kind === 'Role')
          return {
            ...object,
            rules: change.role?.((object as Role).rules ?? []) ?? (object as Role).rules ?? [],
          } as Role;
        return change.binding?.(object as Binding) ?? object;
      }),
  });

const STRANGERS: readonly Mutant[] = [
  {
    name: 'strangers-get-other-signatures',
    defect: 'who reads cluster-info without credentials is given signatures of another kubeconfig',
    killedBy: ['INFO-013'],
    gateway: {
      after: ({ user: who, path }, { status, body }) => {
        const data = Object.entries(record(record(body).data));
        if (who !== 'system:anonymous' || !path.endsWith('/configmaps/cluster-info')) return undefined;
        const other = data.map(([key, value]) => [key, key.startsWith('jws-') ? `${value}`.replace(/.$/, '_') : value]);
        return { status, body: { ...record(body), data: Object.fromEntries(other) } };
      },
    },
  },
  {
    name: 'no-strangers',
    defect: 'anonymous authentication is off',
    killedBy: ['INFO-013'],
    options: { anonymousAuth: false },
  },
  decides('no-binding-for-strangers', 'the RoleBinding is missing', ['INFO-013', 'INFO-015', 'INFO-016'], {
    grants: (what, release) =>
      upstream.grants(what, release).filter(({ kind }) => what !== 'cluster-info' || kind === 'Role'),
  }),
  opens(
    'all-of-kube-public',
    'the Role names no ConfigMap, so that all of kube-public is open',
    ['INFO-014', 'INFO-019'],
    {
      role: (rules) => rules.map(({ resourceNames: _names, ...rule }) => rule),
    },
  ),
  opens('strangers-do-anything', 'the Role allows every verb', ['INFO-014', 'INFO-018'], {
    role: (rules) => rules.map((rule) => ({ ...rule, verbs: ['*'] })),
  }),
  opens('strangers-list', 'the Role allows list and watch', ['INFO-014', 'INFO-018'], {
    role: (rules) => rules.map((rule) => ({ ...rule, verbs: ['get', 'list', 'watch'] })),
  }),
  opens('strangers-view', 'the RoleBinding refers to the ClusterRole view', ['INFO-015', 'INFO-018', 'INFO-019'], {
    binding: (binding) => ({ ...binding, roleRef: { ...binding.roleRef, kind: 'ClusterRole', name: 'view' } }),
  }),
  opens('bound-to-who-has-logged-in', 'the RoleBinding names system:authenticated only', ['INFO-016', 'INFO-013'], {
    binding: (binding) => ({ ...binding, subjects: [group('system:authenticated')] }),
  }),
  opens('bound-to-everybody', 'the RoleBinding names system:authenticated as well', ['INFO-016'], {
    binding: (binding) => ({ ...binding, subjects: [...(binding.subjects ?? []), group('system:authenticated')] }),
  }),
  finds(
    'strangers-view-everything',
    'a ClusterRoleBinding named anonymous-view',
    ['INFO-017', 'INFO-019'],
    (reference) => bindCluster(reference, 'anonymous-view', 'view', user('system:anonymous')),
  ),
  finds(
    'strangers-see-nodes',
    'a ClusterRole of its own shows Nodes to strangers',
    ['INFO-017', 'INFO-019'],
    (reference) =>
      allow(
        reference,
        'node-list',
        [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['nodes'] }],
        group('system:unauthenticated'),
      ),
  ),
];

const HARMLESS: readonly Mutant[] = [
  opens(
    'harmless-group-of-strangers',
    'the RoleBinding names the group system:unauthenticated, as document 002 says',
    [],
    {
      binding: (binding) => ({ ...binding, subjects: [group('system:unauthenticated')] }),
    },
  ),
];

const EVERYWHERE: readonly Mutant[] = [
  finds(
    'strangers-do-everything',
    'system:anonymous is bound to cluster-admin',
    ['INFO-017', 'INFO-018', 'INFO-019'],
    (reference) => bindCluster(reference, 'anonymous-admin', 'cluster-admin', user('system:anonymous')),
  ),
  finds(
    'strangers-read-one-secret',
    'strangers may read kubeadm-certs, and nothing else',
    ['INFO-017', 'INFO-019'],
    (reference) =>
      allow(
        reference,
        'certs',
        [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['kubeadm-certs'] }],
        group('system:unauthenticated'),
      ),
  ),
  finds(
    'public-role-shows-metrics',
    'the role of the public addresses shows the metrics, too',
    ['INFO-017'],
    (reference) =>
      editClusterRole(reference, 'system:public-info-viewer', (rules) => [
        ...rules,
        { verbs: ['get'], nonResourceURLs: ['/metrics'] },
      ]),
  ),
];

export const mutants: readonly Mutant[] = [...STRANGERS, ...EVERYWHERE, ...HARMLESS];

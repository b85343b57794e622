/** What upgrades of kubeadm have left in a cluster. */
import type { Binding, PolicyRule } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { edit, editClusterRole, group, rule, serviceAccount } from './arrange.js';
import type { Mutant } from './types.js';

const NAMESPACE = 'kube-system';
const RBAC = 'rbac.authorization.k8s.io';

const locked = (name: string): PolicyRule => ({ ...rule(['get', 'update'], '', 'endpoints'), resourceNames: [name] });

/** What the API server gave until 1.21, 1.26 or 1.28 by roles that it never takes a rule out of. */
const FORMER: Readonly<Record<string, readonly PolicyRule[]>> = {
  'system:aggregate-to-edit': [rule(['create', 'delete', 'deletecollection', 'patch', 'update'], '', 'endpoints')],
  'system:kubelet-api-admin': [rule(['*'], '', 'nodes/spec')],
  'system:kube-controller-manager': [rule(['create'], '', 'endpoints'), locked('kube-controller-manager')],
  'system:kube-scheduler': [rule(['create'], '', 'endpoints'), locked('kube-scheduler')],
  'system:controller:node-controller': [rule(['get', 'list', 'create', 'update'], 'networking.k8s.io', 'clustercidrs')],
};

export const mutants: readonly Mutant[] = [
  {
    name: 'harmless-upgraded',
    defect: 'none: a cluster whose kubelet-config had the release in its name once, and whose Roles still open that',
    killedBy: [],
    arrange: ({ api }) => {
      for (const name of ['kubelet-config-1.21', 'kubelet-config-1.22']) {
        const metadata = { name: `kubeadm:${name}`, namespace: NAMESPACE };
        api.create(resources.configMaps, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, namespace: NAMESPACE },
          data: { kubelet: 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n' },
        });
        api.create(resources.roles, {
          apiVersion: `${RBAC}/v1`,
          kind: 'Role',
          metadata,
          rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: [name] }],
        });
        api.create(resources.roleBindings, {
          apiVersion: `${RBAC}/v1`,
          kind: 'RoleBinding',
          metadata,
          roleRef: { apiGroup: RBAC, kind: 'Role', name: metadata.name },
          subjects: [group('system:nodes'), group('system:bootstrappers:kubeadm:default-node-token')],
        });
      }
    },
  },
  {
    name: 'harmless-upgraded-roles',
    defect:
      'none: a cluster whose API server has left what it gave by its roles in former releases, and is of a vendor',
    killedBy: [],
    arrange: (reference) => {
      for (const [name, former] of Object.entries(FORMER))
        editClusterRole(reference, name, (rules) => [...rules, ...former]);
      const name = 'system::leader-locking-kube-controller-manager';
      edit<Binding>(reference, { resource: resources.roleBindings, namespace: NAMESPACE, name }, (binding) => ({
        ...binding,
        subjects: [...(binding.subjects ?? []), serviceAccount('leader-election-controller')],
      }));
    },
  },
];

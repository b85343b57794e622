/** What upgrades of kubeadm have left in a cluster. */
import { resources } from '../kubernetes/resources.js';
import { group } from './arrange.js';
import type { Mutant } from './types.js';

const NAMESPACE = 'kube-system';
const RBAC = 'rbac.authorization.k8s.io';

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
];

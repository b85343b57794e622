/** Kinds that definitions have added to a cluster: other policies of the network, routes of the Gateway API. */
import { apiVersionOf, pathOf, type Resource, resources } from '../kubernetes/resources.js';
import type { Gateway, Mutant, Said } from './types.js';

const listOf = (resource: Resource, items: readonly object[]): Said => ({
  status: 200,
  body: { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata: {}, items },
});

const definitionOf = ({ group, version, resource, kind }: Resource): object => ({
  metadata: { name: `${resource}.${group}` },
  spec: {
    group,
    names: { plural: resource, kind },
    scope: 'Namespaced',
    versions: [{ name: version, served: true, storage: true }],
  },
});

/** The cluster has that kind as well, and these objects of it. */
const withKind = (kind: Resource, ...objects: readonly object[]): Gateway => ({
  before({ method, path }) {
    if (method !== 'GET') return undefined;
    if (path === pathOf(kind)) return listOf(kind, objects);
    const defined = resources.customResourceDefinitions;
    return path === pathOf(defined) ? listOf(defined, [definitionOf(kind)]) : undefined;
  },
});

const namespaced = (group: string, version: string, resource: string, kind: string): Resource => ({
  group,
  version,
  resource,
  kind,
  namespaced: true,
});

/** kube-system is shut by one kind of policy, and opened by another, of which nobody here knows what it lets in. */
export const openedByAnotherKind: Pick<Mutant, 'arrange' | 'gateway'> = {
  arrange: ({ api }) =>
    void api.create(resources.networkPolicies, {
      apiVersion: 'networking.k8s.io/v1',
      kind: resources.networkPolicies.kind,
      metadata: { name: 'shut', namespace: 'kube-system' },
      spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
    }),
  gateway: withKind(namespaced('cilium.io', 'v2', 'ciliumnetworkpolicies', 'CiliumNetworkPolicy'), {
    metadata: { name: 'dns', namespace: 'kube-system' },
    spec: { endpointSelector: {}, ingress: [{}], egress: [{}] },
  }),
};

export const mutants: readonly Mutant[] = [
  {
    name: 'route-before-the-api-server',
    defect: 'a route of the Gateway API reads along what machines send',
    killedBy: ['P-317'],
    gateway: withKind(namespaced('gateway.networking.k8s.io', 'v1', 'httproutes', 'HTTPRoute'), {
      metadata: { name: 'api', namespace: 'default' },
      spec: { rules: [{ backendRefs: [{ name: 'kubernetes', port: 443 }] }] },
    }),
  },
];

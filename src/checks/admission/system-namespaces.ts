/**
 * Which namespaces hold what runs the cluster, by what they are called. Nothing in a cluster says so, and what is
 * installed for everybody is called by custom: kube-system, istio-system, gpu-operator, cert-manager, kyverno.
 */
const CALLED_SO =
  /^(?:kube|openshift|cattle|calico|cilium|tigera|istio|knative|tekton|nvidia|vault|fleet|ack|gke|aks|eks|azure|amazon|aws|gcp)-/;
const ENDS = /-(?:system|operators?|controllers?|webhooks?|injector|manager|agents?|policy|security|infra|ceph)$/;
const NAMED =
  'kyverno opa gatekeeper kubewarden linkerd cilium metallb velero argocd flux rook longhorn openebs portworx vault ' +
  'datadog stackrox neuvector sysdig falco keda olm operators spire crossplane dapr hnc capsule karmada koordinator ' +
  'cert-manager external-secrets ingress-nginx traefik monitoring';

/** Does a namespace of this name hold what runs the cluster, rather than what teams run? */
export const isOfSystem = (namespace: string): boolean =>
  CALLED_SO.test(namespace) || ENDS.test(namespace) || NAMED.split(' ').includes(namespace);

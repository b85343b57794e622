/** Admission plugins and controllers by their names, of all minors since 1.22. */
import type { Span } from './versions.js';

/** Source: pkg/kubeapiserver/options/plugins.go of 1.22 to 1.36. */
export const ADMISSION_PLUGINS: ReadonlySet<string> = new Set(
  (
    'AlwaysAdmit AlwaysDeny AlwaysPullImages CertificateApproval CertificateSigning CertificateSubjectRestriction ' +
    'ClusterTrustBundleAttest DefaultIngressClass DefaultStorageClass DefaultTolerationSeconds ' +
    'DenyServiceExternalIPs EventRateLimit ExtendedResourceToleration ImagePolicyWebhook JobValidation ' +
    'LimitPodHardAntiAffinityTopology LimitRanger MutatingAdmissionPolicy MutatingAdmissionWebhook ' +
    'NamespaceAutoProvision NamespaceExists NamespaceLifecycle NodeDeclaredFeatureValidator NodeRestriction ' +
    'OwnerReferencesPermissionEnforcement PersistentVolumeClaimResize PersistentVolumeLabel PodGroupProtection ' +
    'PodGroupWorkloadExists PodNodeSelector PodResizeValidator PodSecurity PodSecurityPolicy ' +
    'PodTolerationRestriction PodTopologyLabels Priority ResourceQuota RuntimeClass SecurityContextDeny ' +
    'ServiceAccount StorageObjectInUseProtection TaintNodesByCondition ValidatingAdmissionPolicy ' +
    'ValidatingAdmissionWebhook'
  ).split(' '),
);

/** Minor in which a plugin was there no more. Source: CHANGELOG-1.25, CHANGELOG-1.30, CHANGELOG-1.31. */
export const PLUGIN_GONE: Readonly<Record<string, number>> = {
  PodSecurityPolicy: 25,
  SecurityContextDeny: 30,
  PersistentVolumeLabel: 31,
};

/** Names of controllers since 1.28. Source: cmd/kube-controller-manager/names/controller_names.go. */
const CANONICAL =
  'serviceaccount-token endpoints endpointslice endpointslice-mirroring replicationcontroller ' +
  'pod-garbage-collector resourcequota namespace serviceaccount garbage-collector daemonset job deployment ' +
  'replicaset horizontal-pod-autoscaler disruption statefulset cronjob certificatesigningrequest-signing ' +
  'certificatesigningrequest-approving certificatesigningrequest-cleaner podcertificaterequest-cleaner ttl ' +
  'bootstrap-signer token-cleaner node-ipam node-lifecycle taint-eviction device-taint-eviction ' +
  'persistentvolume-binder persistentvolume-attach-detach persistentvolume-expander clusterrole-aggregation ' +
  'persistentvolumeclaim-protection persistentvolume-protection podgroup-protection ttl-after-finished ' +
  'root-ca-certificate-publisher service-ca-certificate-publisher ' +
  'kube-apiserver-serving-clustertrustbundle-publisher ephemeral-volume storageversion-garbage-collector ' +
  'resourceclaim resourcepoolstatusrequest legacy-serviceaccount-token-cleaner ' +
  'validatingadmissionpolicy-status volumeattributesclass-protection service-cidr storage-version-migrator ' +
  'selinux-warning service-lb node-route cloud-node-lifecycle';

/** Names until then, which still go. Source: the same, KCMControllerAliases. */
const FORMER =
  'serviceaccount-token endpoint endpointslice endpointslicemirroring replicationcontroller podgc resourcequota ' +
  'namespace serviceaccount garbagecollector daemonset job deployment replicaset horizontalpodautoscaling ' +
  'disruption statefulset cronjob csrsigning csrapproving csrcleaner ttl bootstrapsigner tokencleaner nodeipam ' +
  'nodelifecycle service route cloud-node-lifecycle persistentvolume-binder attachdetach persistentvolume-expander ' +
  'clusterrole-aggregation pvc-protection pv-protection ttl-after-finished root-ca-cert-publisher ephemeral-volume ' +
  'storage-version-gc resource-claim-controller legacy-service-account-token-cleaner ' +
  'validatingadmissionpolicy-status service-cidr-controller storage-version-migrator-controller';

export const CONTROLLERS: ReadonlySet<string> = new Set([
  ...CANONICAL.split(' ').map((name) => `${name}-controller`),
  ...FORMER.split(' '),
]);

/** One name for each of those that a cluster is not itself without. */
export const FORMER_NAME: Readonly<Record<string, string>> = {
  'endpointslice-controller': 'endpointslice',
  'pod-garbage-collector-controller': 'podgc',
  'namespace-controller': 'namespace',
  'serviceaccount-controller': 'serviceaccount',
  'garbage-collector-controller': 'garbagecollector',
  'daemonset-controller': 'daemonset',
  'deployment-controller': 'deployment',
  'replicaset-controller': 'replicaset',
  'certificatesigningrequest-cleaner-controller': 'csrcleaner',
  'clusterrole-aggregation-controller': 'clusterrole-aggregation',
};

/**
 * Service accounts that the controller manager makes for its loops, and the minors that have those that came or went.
 * Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go.
 */
export const CONTROLLER_ACCOUNTS: Readonly<Record<string, Span>> = {
  'attachdetach-controller': {},
  'bootstrap-signer': {},
  'certificate-controller': {},
  'clusterrole-aggregation-controller': {},
  'cronjob-controller': {},
  'daemon-set-controller': {},
  'deployment-controller': {},
  'device-taint-eviction-controller': { since: 34 },
  'disruption-controller': {},
  'endpoint-controller': {},
  'endpointslice-controller': {},
  'endpointslicemirroring-controller': {},
  'ephemeral-volume-controller': {},
  'expand-controller': {},
  'generic-garbage-collector': {},
  'horizontal-pod-autoscaler': {},
  'job-controller': {},
  'legacy-service-account-token-cleaner': { since: 28 },
  'namespace-controller': {},
  'node-controller': {},
  'persistent-volume-binder': {},
  'pod-garbage-collector': {},
  'pv-protection-controller': {},
  'pvc-protection-controller': {},
  'replicaset-controller': {},
  'replication-controller': {},
  'resource-claim-controller': { since: 34 },
  'resourcequota-controller': {},
  'root-ca-cert-publisher': {},
  'service-account-controller': {},
  'service-cidrs-controller': { since: 33 },
  'statefulset-controller': {},
  'token-cleaner': {},
  'ttl-after-finished-controller': {},
  'ttl-controller': {},
  'validatingadmissionpolicy-status-controller': { since: 30 },
  'volumeattributesclass-protection-controller': { since: 34 },
};

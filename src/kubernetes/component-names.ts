/** Admission plugins and controllers by their names, of all minors since 1.22. */

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

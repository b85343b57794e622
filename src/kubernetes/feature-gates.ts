/**
 * Feature gates of Kubernetes 1.31 to 1.36, of any of its programs: who is told another one does not start.
 * Source: every featuregate.Feature of kubernetes/kubernetes 1.31, 1.33 and 1.36, and what "--help" lists.
 */
const GATES =
  'APIListChunking APIResponseCompression APIServerIdentity APIServerTracing APIServingWithRoutine ' +
  'AdmissionWebhookMatchConditions AggregatedDiscoveryEndpoint AggregatedDiscoveryRemoveBetaType AllAlpha AllBeta ' +
  'AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests AllowOverwriteTerminationGracePeriodSeconds ' +
  'AllowParsingUserUIDFromCertAuth AllowServiceExternalIPs AllowServiceLBStatusOnNonLB ' +
  'AllowUnsafeMalformedObjectDeletion AnonymousAuthConfigurableEndpoints AnyVolumeDataSource AppArmor ' +
  'AppArmorFields AtomicFIFO AuthorizeNodeWithSelectors AuthorizePodWebsocketUpgradeCreatePermission ' +
  'AuthorizeWithSelectors BtreeWatchCache CBORServingAndStorage CPUManager CPUManagerPolicyAlphaOptions ' +
  'CPUManagerPolicyBetaOptions CPUManagerPolicyOptions CRDObservedGenerationTracking CRDValidationRatcheting ' +
  'CRIListStreaming CSIMigrationPortworx CSIServiceAccountTokenSecrets CSIVolumeHealth ' +
  'ChangeContainerStatusOnKubeletRestart ClearingNominatedNodeNameAfterBinding ClientsAllowCARotation ' +
  'ClientsAllowCBOR ClientsAllowTLSCacheGC ClientsPreferCBOR CloudControllerManagerWatchBasedRoutesReconciliation ' +
  'CloudControllerManagerWebhook CloudDualStackNodeIPs ClusterTrustBundle ClusterTrustBundleProjection ' +
  'CompactHashCheck ComponentFlagz ComponentSLIs ComponentStatusz ConcurrentWatchObjectDecode ' +
  'ConsistentListFromCache ConstrainedImpersonation ContainerCheckpoint ContainerRestartRules ContainerStopSignals ' +
  'ContextualLogging ControllerManagerReleaseLeaderElectionLockOnExit CoordinatedLeaderElection ' +
  'CronJobsScheduledAnnotation CrossNamespaceVolumeDataSource CustomCPUCFSQuotaPeriod CustomResourceFieldSelectors ' +
  'DRAAdminAccess DRAConsumableCapacity DRAControlPlaneController DRADeviceBindingConditions DRADeviceTaintRules ' +
  'DRADeviceTaints DRAExtendedResource DRAListTypeAttributes DRANodeAllocatableResources DRAPartitionableDevices ' +
  'DRAPrioritizedList DRAResourceClaimDeviceStatus DRAResourceClaimGranularStatusAuthorization ' +
  'DRAResourcePoolStatus DRASchedulerFilterTimeout DRAWorkloadResourceClaims DeclarativeValidation ' +
  'DeclarativeValidationBeta DeclarativeValidationTakeover DeploymentReplicaSetTerminatingReplicas ' +
  'DetectCacheInconsistency DevicePluginCDIDevices DisableAllocatorDualWrite DisableCPUQuotaWithExclusiveCPUs ' +
  'DisableCloudProviders DisableKubeletCloudCredentialProviders DisableNodeKubeProxyVersion ' +
  'DynamicResourceAllocation EfficientWatchResumption ElasticIndexedJob EnvFiles EventedPLEG ExecProbeTimeout ' +
  'ExtendWebSocketsToKubelet ExternalServiceAccountTokenSigner GangScheduling GenericWorkload GitRepoVolumeDriver ' +
  'GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority HPAConfigurableTolerance HPAContainerMetrics ' +
  'HPAScaleToZero HonorPVReclaimPolicy HostnameOverride ImageMaximumGCAge ImageVolume ImageVolumeWithDigest ' +
  'InOrderInformers InOrderInformersBatchProcess InPlacePodLevelResourcesVerticalScaling InPlacePodVerticalScaling ' +
  'InPlacePodVerticalScalingAllocatedStatus InPlacePodVerticalScalingExclusiveCPUs ' +
  'InPlacePodVerticalScalingExclusiveMemory InPlacePodVerticalScalingInitContainers InTreePluginPortworxUnregister ' +
  'InformerResourceVersion InitialCorruptCheck JobBackoffLimitPerIndex JobManagedBy JobPodFailurePolicy ' +
  'JobPodReplacementPolicy JobSuccessPolicy KMSv1 KMSv2 KMSv2KDF KubeProxyDrainingTerminatingNodes ' +
  'KubeletCgroupDriverFromCRI KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages KubeletFineGrainedAuthz ' +
  'KubeletInUserNamespace KubeletPSI KubeletPodResourcesDynamicResources KubeletPodResourcesGet ' +
  'KubeletPodResourcesListUseActivePods KubeletRegistrationGetOnExistsOnly KubeletSeparateDiskGC ' +
  'KubeletServiceAccountTokenForCredentialProviders KubeletTracing LeaseCheckpoint LeaseCheckpointPersist ' +
  'LegacyServiceAccountTokenCleanUp LegacySidecarContainers ListFromCacheSnapshot LoadBalancerIPMode ' +
  'LocalStorageCapacityIsolationFSQuotaMonitoring LogarithmicScaleDown LoggingAlphaOptions LoggingBetaOptions ' +
  'LoggingStableOptions ManifestBasedAdmissionControlConfig MatchLabelKeysInPodAffinity ' +
  'MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge MaxUnavailableStatefulSet ' +
  'MemoryManager MemoryQoS MinDomainsInPodTopologySpread MinimumKubeletVersion MultiCIDRServiceAllocator ' +
  'MutableCSINodeAllocatableCount MutablePVNodeAffinity MutablePodResourcesForSuspendedJobs ' +
  'MutableSchedulingDirectivesForSuspendedJobs MutatingAdmissionPolicy NFTablesProxyMode NativeHistograms ' +
  'NewVolumeManagerReconstruction NodeDeclaredFeatures NodeInclusionPolicyInPodTopologySpread NodeLogQuery ' +
  'NodeOutOfServiceVolumeDetach NodeSwap NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching ' +
  'OrderedNamespaceDeletion PDBUnhealthyPodEvictionPolicy PLEGOnDemandRelist PersistentVolumeClaimUnusedSinceTime ' +
  'PersistentVolumeLastPhaseTransitionTime PodAndContainerStatsFromCRI PodCertificateRequest PodDeletionCost ' +
  'PodDisruptionConditions PodHostIPs PodIndexLabel PodLevelResourceManagers PodLevelResources ' +
  'PodLifecycleSleepAction PodLifecycleSleepActionAllowZero PodLogsQuerySplitStreams PodObservedGenerationTracking ' +
  'PodReadyToStartContainersCondition PodSchedulingReadiness PodTopologyLabelsAdmission PodsAPI ' +
  'PortForwardWebsockets PreferSameTrafficDistribution PreventStaticPodAPIReferences ProcMountType QOSReserved ' +
  'RecoverVolumeExpansionFailure RecursiveReadOnlyMounts ReduceDefaultCrashLoopBackOffDecay ' +
  'RelaxedDNSSearchValidation RelaxedEnvironmentVariableValidation RelaxedServiceNameValidation ' +
  'ReloadKubeletClientCAFile ReloadKubeletServerCertificateFile RemainingItemCount RemoteRequestHeaderUID ' +
  'ResilientWatchCacheInitialization ResourceHealthStatus ResourceHealthStatusMessage ' +
  'RestartAllContainersOnContainerExits RetryGenerateName RotateKubeletServerCertificate RouteExternalCertificate ' +
  'RuntimeClassInImageCriApi SELinuxChangePolicy SELinuxMount SELinuxMountReadWriteOncePod SchedulerAsyncAPICalls ' +
  'SchedulerAsyncPreemption SchedulerPopFromBackoffQ SchedulerQueueingHints SeparateCacheWatchRPC ' +
  'SeparateTaintEvictionController ServerSideApply ServerSideFieldValidation ServiceAccountNodeAudienceRestriction ' +
  'ServiceAccountTokenJTI ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation ' +
  'ServiceAccountTokenPodNodeInfo ServiceCIDRStatusFieldWiping ServiceTrafficDistribution SetMemberLocalAddr ' +
  'ShardedListAndWatch SidecarContainers SizeBasedListCostEstimate SizeMemoryBackedVolumes ' +
  'StableLoadBalancerNodeSet StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob ' +
  'StaleControllerConsistencyReplicaSet StaleControllerConsistencyStatefulSet StatefulSetAutoDeletePVC ' +
  'StatefulSetSemanticRevisionComparison StatefulSetStartOrdinal StopGRPCServiceOnDefrag StorageCapacityScoring ' +
  'StorageNamespaceIndex StoragePerformantSecurityPolicy StorageVersionAPI StorageVersionHash ' +
  'StorageVersionMigrator StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf ' +
  'StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks StrictIPCIDRValidation ' +
  'StructuredAuthenticationConfiguration StructuredAuthenticationConfigurationEgressSelector ' +
  'StructuredAuthenticationConfigurationJWKSMetrics StructuredAuthorizationConfiguration SupplementalGroupsPolicy ' +
  'SystemdWatchdog TaintTolerationComparisonOperators Test TestAlphaFeature TestBetaDefaultOffFeature ' +
  'TestBetaFeature TestGAFeature TokenRequestServiceAccountUIDValidation TopologyAwareHints ' +
  'TopologyAwareWorkloadScheduling TopologyManagerPolicyAlphaOptions TopologyManagerPolicyBetaOptions ' +
  'TopologyManagerPolicyOptions TranslateStreamCloseWebsocketRequests TxnModeWriteWithSharedBuffer ' +
  'UnauthenticatedHTTP2DOSMitigation UnknownVersionInteroperabilityProxy UnlockWhileProcessingFIFO ' +
  'UserNamespacesHostNetworkSupport UserNamespacesPodSecurityStandards UserNamespacesSupport ' +
  'ValidatingAdmissionPolicy VolumeAttributesClass VolumeCapacityPriority VolumeLimitScaling WatchBookmark ' +
  'WatchCacheInitializationPostStartHook WatchFromStorageWithoutResourceVersion WatchList WatchListClient WinDSR ' +
  'WinOverlay WindowsCPUAndMemoryAffinity WindowsGracefulNodeShutdown WindowsHostNetwork WorkloadAwarePreemption ' +
  'WorkloadWithJob ZeroLimitedNominalConcurrencyShares ';

export const FEATURE_GATES: ReadonlySet<string> = new Set(GATES.trim().split(' '));

const namesOf = (names: string): readonly string[] => names.split(' ');

/** By the first minor that has them no more, as far as 1.31, 1.33 and 1.36 show it. */
const GONE = new Map(
  (
    [
      [
        33,
        'APIListChunking AdmissionWebhookMatchConditions AggregatedDiscoveryEndpoint AppArmor AppArmorFields ' +
          'CPUManager CloudDualStackNodeIPs DRAControlPlaneController DisableCloudProviders ' +
          'DisableKubeletCloudCredentialProviders EfficientWatchResumption HPAContainerMetrics JobPodFailurePolicy ' +
          'KMSv2 KMSv2KDF KubeProxyDrainingTerminatingNodes LegacyServiceAccountTokenCleanUp ' +
          'MinDomainsInPodTopologySpread NewVolumeManagerReconstruction NodeOutOfServiceVolumeDetach ' +
          'PDBUnhealthyPodEvictionPolicy PersistentVolumeLastPhaseTransitionTime PodHostIPs RemainingItemCount ' +
          'ServerSideApply ServerSideFieldValidation StableLoadBalancerNodeSet ValidatingAdmissionPolicy ' +
          'VolumeCapacityPriority WatchBookmark ZeroLimitedNominalConcurrencyShares',
      ],
      [
        36,
        'AllowServiceLBStatusOnNonLB CSIMigrationPortworx CronJobsScheduledAnnotation DevicePluginCDIDevices ' +
          'ElasticIndexedJob HonorPVReclaimPolicy InPlacePodVerticalScalingAllocatedStatus ' +
          'InTreePluginPortworxUnregister LegacySidecarContainers LoadBalancerIPMode MemoryManager ' +
          'PodDisruptionConditions PodIndexLabel ServiceTrafficDistribution SizeMemoryBackedVolumes ' +
          'StatefulSetAutoDeletePVC StatefulSetStartOrdinal StrictCostEnforcementForVAP ' +
          'StrictCostEnforcementForWebhooks StructuredAuthorizationConfiguration TopologyAwareHints ' +
          'UserNamespacesPodSecurityStandards WatchFromStorageWithoutResourceVersion',
      ],
    ] as const
  ).flatMap(([minor, names]) => namesOf(names).map((name) => [name, minor] as const)),
);

/** What they are for good, by the minor from which on. Source: LockToDefault of the specifications of each. */
const LOCKED = new Map(
  (
    [
      [
        31,
        true,
        'APIListChunking AdmissionWebhookMatchConditions AggregatedDiscoveryEndpoint AppArmor AppArmorFields ' +
          'CPUManager CloudDualStackNodeIPs DevicePluginCDIDevices DisableCloudProviders ' +
          'DisableKubeletCloudCredentialProviders EfficientWatchResumption ElasticIndexedJob HPAContainerMetrics ' +
          'JobPodFailurePolicy KMSv2 KMSv2KDF KubeProxyDrainingTerminatingNodes LegacyServiceAccountTokenCleanUp ' +
          'LogarithmicScaleDown MinDomainsInPodTopologySpread NewVolumeManagerReconstruction ' +
          'NodeOutOfServiceVolumeDetach PDBUnhealthyPodEvictionPolicy PersistentVolumeLastPhaseTransitionTime ' +
          'PodDisruptionConditions PodHostIPs PodSchedulingReadiness RemainingItemCount ServerSideApply ' +
          'ServerSideFieldValidation StableLoadBalancerNodeSet StatefulSetStartOrdinal ValidatingAdmissionPolicy ' +
          'WatchBookmark ZeroLimitedNominalConcurrencyShares',
      ],
      [32, false, 'AllowServiceLBStatusOnNonLB'],
      [
        32,
        true,
        'CronJobsScheduledAnnotation LoadBalancerIPMode MemoryManager PodIndexLabel ServiceAccountTokenJTI ' +
          'ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo StatefulSetAutoDeletePVC ' +
          'StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks StructuredAuthorizationConfiguration ' +
          'TopologyManagerPolicyOptions',
      ],
      [33, false, 'WatchFromStorageWithoutResourceVersion'],
      [
        33,
        true,
        'AnyVolumeDataSource BtreeWatchCache CPUManagerPolicyOptions CSIMigrationPortworx HonorPVReclaimPolicy ' +
          'JobBackoffLimitPerIndex JobSuccessPolicy MatchLabelKeysInPodAffinity NFTablesProxyMode ' +
          'NodeInclusionPolicyInPodTopologySpread RecursiveReadOnlyMounts ServiceAccountTokenNodeBinding ' +
          'ServiceTrafficDistribution TopologyAwareHints',
      ],
      [
        34,
        true,
        'APIServerTracing AnonymousAuthConfigurableEndpoints AuthorizeNodeWithSelectors AuthorizeWithSelectors ' +
          'ConsistentListFromCache JobPodReplacementPolicy KubeletCgroupDriverFromCRI KubeletTracing ' +
          'MultiCIDRServiceAllocator NodeSwap OrderedNamespaceDeletion PodLifecycleSleepAction ' +
          'PodLifecycleSleepActionAllowZero RecoverVolumeExpansionFailure RelaxedDNSSearchValidation ' +
          'RelaxedEnvironmentVariableValidation ResilientWatchCacheInitialization SchedulerQueueingHints ' +
          'SeparateTaintEvictionController StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf ' +
          'StructuredAuthenticationConfiguration WinDSR WinOverlay',
      ],
      [35, false, 'AllowOverwriteTerminationGracePeriodSeconds'],
      [
        35,
        true,
        'AggregatedDiscoveryRemoveBetaType DisableAllocatorDualWrite DynamicResourceAllocation ExecProbeTimeout ' +
          'ImageMaximumGCAge InPlacePodVerticalScaling JobManagedBy PodObservedGenerationTracking ' +
          'PreferSameTrafficDistribution SupplementalGroupsPolicy SystemdWatchdog',
      ],
      [36, false, 'GitRepoVolumeDriver'],
      [
        36,
        true,
        'CSIServiceAccountTokenSecrets DRAAdminAccess DeclarativeValidation DisableNodeKubeProxyVersion ' +
          'ExternalServiceAccountTokenSigner ImageVolume InOrderInformers KubeletFineGrainedAuthz KubeletPSI ' +
          'KubeletPodResourcesDynamicResources KubeletPodResourcesGet MutableCSINodeAllocatableCount NodeLogQuery ' +
          'ProcMountType SELinuxChangePolicy SELinuxMountReadWriteOncePod UserNamespacesSupport ' +
          'VolumeAttributesClass',
      ],
    ] as const
  ).flatMap(([minor, isOn, names]) => namesOf(names).map((name) => [name, { minor, isOn }] as const)),
);

/**
 * Why a program of a minor does not start with a gate; undefined: it does. Without a minor only names are judged, and
 * what is no truth of Go is left to others. Source: component-base featuregate, SetFromMap.
 */
export function refusedGate(name: string, value: string, minor: number | null): string | undefined {
  if (!FEATURE_GATES.has(name)) return name;
  if (minor === null) return undefined;
  if ((GONE.get(name) ?? Number.POSITIVE_INFINITY) <= minor) return `${name}, which 1.${minor} has no more`;
  const locked = LOCKED.get(name);
  if (locked === undefined || locked.minor > minor) return undefined;
  const isOther = (locked.isOn ? /^(?:false|0|f|F|FALSE|False)$/ : /^(?:true|1|t|T|TRUE|True)$/).test(value);
  return isOther ? `${name}, which is ${locked.isOn ? 'on' : 'off'} for good` : undefined;
}

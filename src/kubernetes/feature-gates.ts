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

/**
 * What programs read of their flags' values: one that they cannot read ends them before they answer anybody.
 * Source: "--help" of kube-apiserver, kube-controller-manager and kubelet 1.31, 1.33 and 1.36; kube-scheduler,
 * cmd/kube-scheduler/app/options; etcd 3.5 to 3.7, server/embed/config.go.
 */
export type FlagKind = 'switch' | 'whole' | 'number' | 'duration';

const OF_KUBERNETES = {
  switch:
    'aggregator-reject-forwarding-redirect allocate-node-cidrs allow-privileged anonymous-auth ' +
    'audit-log-batch-throttle-enable audit-log-compress audit-log-truncate-enabled ' +
    'audit-webhook-batch-throttle-enable audit-webhook-truncate-enabled authentication-skip-lookup ' +
    'authentication-token-webhook authentication-tolerate-lookup-failure cgroups-per-qos ' +
    'configure-cloud-routes contention-profiling cpu-cfs-quota disable-attach-detach-reconcile-sync ' +
    'disable-force-detach-on-timeout disable-http2-serving emulation-forward-compatible ' +
    'enable-aggregator-routing enable-bootstrap-token-auth enable-controller-attach-detach ' +
    'enable-debugging-handlers enable-dynamic-provisioning enable-garbage-collector ' +
    'enable-hostpath-provisioner enable-leader-migration enable-load-reader enable-logs-handler ' +
    'enable-priority-and-fairness enable-server encryption-provider-config-automatic-reload ' +
    'exit-on-lock-contention experimental-allocatable-ignore-eviction fail-cgroupv1 fail-swap-on ' +
    'kernel-memcg-notification leader-elect local-storage-capacity-isolation log-cadvisor-usage ' +
    'log-json-split-stream log-text-split-stream make-iptables-util-chains permit-address-sharing ' +
    'permit-port-sharing profiling protect-kernel-defaults register-node register-schedulable ' +
    'rotate-certificates rotate-server-certificates runonce runtime-config-emulation-forward-compatible ' +
    'seccomp-default send-retry-after-while-not-ready-once serialize-image-pulls ' +
    'service-account-extend-token-expiration service-account-lookup shutdown-send-retry-after ' +
    'storage-driver-secure unsupported-kube-api-over-localhost use-service-account-credentials watch-cache',
  whole:
    'application-metrics-count-limit audit-log-batch-buffer-size audit-log-batch-max-size ' +
    'audit-log-batch-throttle-burst audit-log-maxage audit-log-maxbackup audit-log-maxsize ' +
    'audit-log-truncate-max-batch-size audit-log-truncate-max-event-size audit-webhook-batch-buffer-size ' +
    'audit-webhook-batch-max-size audit-webhook-batch-throttle-burst audit-webhook-truncate-max-batch-size ' +
    'audit-webhook-truncate-max-event-size concurrent-cron-job-syncs concurrent-daemonset-syncs ' +
    'concurrent-deployment-syncs concurrent-device-taint-eviction-syncs concurrent-endpoint-syncs ' +
    'concurrent-ephemeralvolume-syncs concurrent-gc-syncs concurrent-horizontal-pod-autoscaler-syncs ' +
    'concurrent-job-syncs concurrent-namespace-syncs concurrent-rc-syncs concurrent-replicaset-syncs ' +
    'concurrent-resource-quota-syncs concurrent-resourceclaim-syncs concurrent-service-endpoint-syncs ' +
    'concurrent-service-syncs concurrent-serviceaccount-token-syncs concurrent-statefulset-syncs ' +
    'concurrent-ttl-after-finished-syncs concurrent-validating-admission-policy-status-syncs ' +
    'container-log-max-files default-not-ready-toleration-seconds default-unreachable-toleration-seconds ' +
    'delete-collection-workers event-burst event-qps eviction-max-pod-grace-period healthz-port ' +
    'http2-max-streams-per-connection image-gc-high-threshold image-gc-low-threshold kube-api-burst ' +
    'kubernetes-service-node-port large-cluster-size-threshold lease-reuse-duration-seconds ' +
    'max-connection-bytes-per-sec max-endpoints-per-slice max-mutating-requests-inflight max-open-files ' +
    'max-pods max-requests-inflight maximum-dead-containers maximum-dead-containers-per-container ' +
    'min-request-timeout mirroring-concurrent-service-endpoint-syncs mirroring-max-endpoints-per-subset ' +
    'node-cidr-mask-size node-cidr-mask-size-ipv4 node-cidr-mask-size-ipv6 node-status-max-images ' +
    'oom-score-adj pod-max-pids pods-per-core port pv-recycler-increment-timeout-nfs ' +
    'pv-recycler-minimum-timeout-hostpath pv-recycler-minimum-timeout-nfs ' +
    'pv-recycler-timeout-increment-hostpath read-only-port registry-burst registry-qps secure-port ' +
    'terminated-pod-gc-threshold v',
  number:
    'audit-log-batch-throttle-qps audit-webhook-batch-throttle-qps goaway-chance ' +
    'horizontal-pod-autoscaler-tolerance kube-api-qps node-eviction-rate secondary-node-eviction-rate ' +
    'unhealthy-zone-threshold',
  duration:
    'attach-detach-reconcile-sync-period audit-log-batch-max-wait audit-webhook-batch-max-wait ' +
    'audit-webhook-initial-backoff authentication-token-webhook-cache-ttl ' +
    'authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl ' +
    'cluster-signing-duration controller-shutdown-timeout controller-start-interval ' +
    'coordinated-leadership-lease-duration coordinated-leadership-renew-deadline ' +
    'coordinated-leadership-retry-period cpu-cfs-quota-period cpu-manager-reconcile-period ' +
    'endpoint-updates-batch-period endpointslice-updates-batch-period etcd-compaction-interval ' +
    'etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout ' +
    'etcd-readycheck-timeout event-ttl eviction-pressure-transition-period file-check-frequency ' +
    'global-housekeeping-interval horizontal-pod-autoscaler-cpu-initialization-period ' +
    'horizontal-pod-autoscaler-downscale-stabilization horizontal-pod-autoscaler-initial-readiness-delay ' +
    'horizontal-pod-autoscaler-sync-period housekeeping-interval http-check-frequency kubelet-timeout ' +
    'leader-elect-lease-duration leader-elect-renew-deadline leader-elect-retry-period ' +
    'legacy-service-account-token-clean-up-period livez-grace-period log-flush-frequency ' +
    'max-housekeeping-interval min-resync-period minimum-container-ttl-duration minimum-image-ttl-duration ' +
    'mirroring-endpointslice-updates-batch-period namespace-sync-period node-monitor-grace-period ' +
    'node-monitor-period node-startup-grace-period node-status-update-frequency ' +
    'pod-max-in-unschedulable-pods-duration pvclaimbinder-sync-period request-timeout ' +
    'resource-quota-sync-period route-reconciliation-period runtime-request-timeout ' +
    'service-account-max-token-expiration shutdown-delay-duration shutdown-watch-termination-grace-period ' +
    'storage-driver-buffer-duration storage-initialization-timeout streaming-connection-idle-timeout ' +
    'sync-frequency volume-stats-agg-period',
} as const satisfies Readonly<Record<FlagKind, string>>;

const OF_ETCD = {
  switch:
    'auto-tls client-cert-auth enable-grpc-gateway enable-log-rotation enable-pprof force-new-cluster ' +
    'initial-corrupt-check initial-election-tick-advance memory-mlock peer-auto-tls peer-client-cert-auth ' +
    'peer-skip-client-san-verification pre-vote socket-reuse-address socket-reuse-port ' +
    'stop-grpc-service-on-defrag strict-reconfig-check unsafe-no-fsync',
  whole:
    'auth-token-ttl backend-batch-limit bcrypt-cost election-timeout heartbeat-interval ' +
    'max-concurrent-streams max-learners max-request-bytes max-snapshots max-txn-ops max-wals ' +
    'quota-backend-bytes self-signed-cert-validity snapshot-catchup-entries snapshot-count',
  duration:
    'backend-batch-interval compact-hash-check-time corrupt-check-time downgrade-check-time ' +
    'grpc-keepalive-interval grpc-keepalive-min-time grpc-keepalive-timeout raft-read-timeout ' +
    'raft-write-timeout warning-apply-duration warning-unary-request-duration watch-progress-notify-interval',
  number: '',
} as const satisfies Readonly<Record<FlagKind, string>>;

const byName = (kinds: Readonly<Record<string, string>>): ReadonlyMap<string, FlagKind> =>
  new Map(
    (['switch', 'whole', 'number', 'duration'] as const).flatMap((kind) =>
      (kinds[kind] ?? '').split(' ').map((name) => [name, kind] as const),
    ),
  );

/** By name without the dashes; a flag that is not listed takes any text. */
export const FLAG_KINDS = { kubernetes: byName(OF_KUBERNETES), etcd: byName(OF_ETCD) };

/** Values that flags choose from; lists choose several. */
const CHOICES = {
  'tls-min-version': 'VersionTLS10 VersionTLS11 VersionTLS12 VersionTLS13',
  'logging-format': 'text json',
  'audit-log-mode': 'batch blocking blocking-strict',
  'audit-webhook-mode': 'batch blocking blocking-strict',
  'audit-log-format': 'json legacy',
  'endpoint-reconciler-type': 'master-count lease none',
  'storage-backend': 'etcd3',
  'authorization-mode': 'AlwaysAllow AlwaysDeny ABAC Webhook RBAC Node',
  'kubelet-preferred-address-types': 'Hostname InternalDNS InternalIP ExternalDNS ExternalIP',
} as const;
const CHOICES_OF_ETCD = {
  'tls-min-version': 'TLS1.2 TLS1.3',
  'tls-max-version': 'TLS1.2 TLS1.3',
  'initial-cluster-state': 'new existing',
  'auto-compaction-mode': 'periodic revision',
  'log-level': 'debug info warn error panic fatal',
  'log-format': 'json console',
  logger: 'zap',
  'v2-deprecation': 'not-yet write-only write-only-drop-data gone',
} as const;
/** By name without the dashes. */
export const FLAG_CHOICES: Readonly<Record<'kubernetes' | 'etcd', Readonly<Record<string, string | undefined>>>> = {
  kubernetes: CHOICES,
  etcd: CHOICES_OF_ETCD,
};

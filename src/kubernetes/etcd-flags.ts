/**
 * Flags and feature gates that etcd knows, by its minor: it does not start with another one.
 * Source: server/etcdmain/config.go of etcd 3.5, with server/embed/config.go of 3.6 and 3.7; server/features/etcd_features.go.
 */

interface Names {
  readonly names: string;
  /** The first minor of etcd 3 that knows them, and the last one; without: of all that are listed. */
  readonly since?: number;
  readonly until?: number;
}

const FLAGS: readonly Names[] = [
  {
    names:
      'advertise-client-urls auth-token auth-token-ttl auto-compaction-mode auto-compaction-retention auto-tls ' +
      'backend-batch-interval backend-batch-limit backend-bbolt-freelist-type bcrypt-cost cert-file cipher-suites ' +
      'client-cert-allowed-hostname client-cert-auth client-cert-file client-crl-file client-key-file config-file ' +
      'cors data-dir discovery-fallback discovery-srv discovery-srv-name election-timeout enable-grpc-gateway ' +
      'enable-log-rotation enable-pprof force-new-cluster grpc-keepalive-interval grpc-keepalive-min-time ' +
      'grpc-keepalive-timeout heartbeat-interval help host-whitelist initial-advertise-peer-urls initial-cluster ' +
      'initial-cluster-state initial-cluster-token initial-election-tick-advance key-file listen-client-http-urls ' +
      'listen-client-urls listen-metrics-urls listen-peer-urls log-level log-outputs log-rotation-config-json ' +
      'logger max-concurrent-streams max-request-bytes max-snapshots max-txn-ops max-wals metrics name ' +
      'peer-auto-tls peer-cert-allowed-cn peer-cert-allowed-hostname peer-cert-file peer-client-cert-auth ' +
      'peer-client-cert-file peer-client-key-file peer-crl-file peer-key-file peer-trusted-ca-file pre-vote ' +
      'quota-backend-bytes raft-read-timeout raft-write-timeout self-signed-cert-validity snapshot-count ' +
      'socket-reuse-address socket-reuse-port strict-reconfig-check tls-max-version tls-min-version ' +
      'trusted-ca-file unsafe-no-fsync v2-deprecation version wal-dir',
  },
  {
    names:
      'discovery discovery-proxy experimental-bootstrap-defrag-threshold-megabytes ' +
      'experimental-compact-hash-check-enabled experimental-compact-hash-check-time ' +
      'experimental-compaction-batch-limit experimental-compaction-sleep-interval experimental-corrupt-check-time ' +
      'experimental-distributed-tracing-address experimental-distributed-tracing-instance-id ' +
      'experimental-distributed-tracing-sampling-rate experimental-distributed-tracing-service-name ' +
      'experimental-downgrade-check-time experimental-enable-distributed-tracing ' +
      'experimental-enable-lease-checkpoint experimental-enable-lease-checkpoint-persist ' +
      'experimental-initial-corrupt-check experimental-memory-mlock ' +
      'experimental-peer-skip-client-san-verification experimental-snapshot-catchup-entries ' +
      'experimental-stop-grpc-service-on-defrag experimental-txn-mode-write-with-shared-buffer ' +
      'experimental-warning-apply-duration experimental-watch-progress-notify-interval',
    until: 6,
  },
  {
    names:
      'enable-v2 experimental-enable-v2v3 proxy proxy-dial-timeout proxy-failure-wait proxy-read-timeout ' +
      'proxy-refresh-interval proxy-write-timeout',
    until: 5,
  },
  {
    names: 'experimental-warning-unary-request-duration',
    since: 6,
    until: 6,
  },
  {
    names:
      'bootstrap-defrag-threshold-megabytes compact-hash-check-time compaction-batch-limit ' +
      'compaction-sleep-interval corrupt-check-time discovery-cacert discovery-cert discovery-dial-timeout ' +
      'discovery-endpoints discovery-insecure-skip-tls-verify discovery-insecure-transport ' +
      'discovery-keepalive-time discovery-keepalive-timeout discovery-key discovery-password ' +
      'discovery-request-timeout discovery-token discovery-user distributed-tracing-address ' +
      'distributed-tracing-instance-id distributed-tracing-sampling-rate distributed-tracing-service-name ' +
      'downgrade-check-time enable-distributed-tracing feature-gates log-format max-learners memory-mlock ' +
      'peer-skip-client-san-verification snapshot-catchup-entries warning-apply-duration ' +
      'warning-unary-request-duration watch-progress-notify-interval',
    since: 6,
  },
];

/** Minors of etcd 3 whose flags are listed. */
const LISTED = { first: 5, last: 7 } as const;

/** The minor of etcd 3 that an image is of: "registry.k8s.io/etcd:3.6.8-0"; undefined where its tag says none. */
export function etcdMinorOf(image: string): number | undefined {
  const [, minor] = /:v?3\.(\d{1,3})(?:[.+-]|$)/.exec(image) ?? [];
  return minor === undefined ? undefined : Number(minor);
}

/** Names without the dashes; those of all minors where nobody knows which; undefined where none is listed for one. */
export function knownEtcdFlags(minor: number | undefined): ReadonlySet<string> | undefined {
  const own = FLAGS.filter(
    ({ since = LISTED.first, until = LISTED.last }) => minor === undefined || (since <= minor && minor <= until),
  );
  return own.length === 0 ? undefined : new Set(own.flatMap(({ names }) => names.split(' ')));
}

/** Until 3.5 names of what is tried out begin so, and patches add some. */
const TRIED_OUT = /^experimental-/;
/** Whether a name may be that of a flag which a patch of a minor has added. */
export const mayBeAdded = (name: string, minor: number | undefined): boolean =>
  TRIED_OUT.test(name) && (minor === undefined || minor <= 5);

/** Feature gates, with the flag that says the same until 3.6; '' where there is none. */
export const ETCD_GATES: Readonly<Record<string, string>> = {
  StopGRPCServiceOnDefrag: 'experimental-stop-grpc-service-on-defrag',
  InitialCorruptCheck: 'experimental-initial-corrupt-check',
  CompactHashCheck: 'experimental-compact-hash-check-enabled',
  TxnModeWriteWithSharedBuffer: 'experimental-txn-mode-write-with-shared-buffer',
  LeaseCheckpoint: 'experimental-enable-lease-checkpoint',
  LeaseCheckpointPersist: 'experimental-enable-lease-checkpoint-persist',
  SetMemberLocalAddr: '',
  FastLeaseKeepAlive: '',
  PriorityRequest: '',
  AllAlpha: '',
  AllBeta: '',
};

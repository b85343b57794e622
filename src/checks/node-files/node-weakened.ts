/** Flags and settings by which programs of a node give up what protects them. */
import { type Fields, record, text, texts } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { isInCommonFolder, secondsOf, writtenByAll } from '../written/flag-values.js';
import { isGateOn, itemsOf } from './component-values.js';
import type { Started } from './kubelet-started.js';
import { held, LEAP_YEAR, type Seen } from './node-files.js';
import { inFlags, isFalse } from './node-flags.js';
import { hostOf } from './node-names.js';
import { componentOf } from './node-pods.js';

/** Suites that Go calls insecure and that were broken in practice. Source: crypto/tls InsecureCipherSuites; RFC 7465. */
const WEAK_SUITE = /_(?:RC4|3DES|DES|NULL|EXPORT)_/;
/** Source: RFC 8996; component-base cli/flag/ciphersuites_flag.go, etcd tls-min-version. */
const OLD_TLS = /^(?:VersionTLS1[01]|TLS1\.[01])$/;

export const UNBROKEN = 'it takes no TLS before 1.2, and no broken cipher suite';
/** By the least version and the suites that flags or settings name. */
export function unbroken(version: string, suites: readonly string[]): { readonly seen: string; readonly ok: boolean } {
  const weak = [...(OLD_TLS.test(version) ? [version] : []), ...suites.filter((suite) => WEAK_SUITE.test(suite))];
  return { seen: weak.join(', ') || 'it does not', ok: weak.length === 0 };
}

/** Nobody takes part in TLS that is broken. */
export const tlsKept: Check<readonly Seen[]> = {
  id: 'node-weakened/tls',
  source: 'RFC 8996; RFC 7465; crypto/tls InsecureCipherSuites',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, UNBROKEN, (flags) => {
        const suites = (flags['tls-cipher-suites'] ?? flags['cipher-suites'] ?? '').split(',');
        return unbroken(flags['tls-min-version'] ?? '', suites);
      }),
    ),
};

/** The same of the kubelet, which asks for it in its configuration. */
export const kubeletTlsKept: Check<readonly Seen[]> = {
  id: 'node-weakened/kubelet-tls',
  source: 'RFC 8996; RFC 7465; kubelet.config.k8s.io/v1beta1',
  judge: (all) =>
    all.map((seen) =>
      held(seen, 'settings', UNBROKEN, ({ settings }) =>
        unbroken(String(settings.tlsMinVersion ?? ''), texts(settings.tlsCipherSuites)),
      ),
    ),
};

/** What a flag may not say, by the program; undefined: it is of no harm. */
interface Weakness {
  readonly flag: string;
  readonly isWeak: (value: string) => boolean;
  readonly why: string;
}

const isGiven = (value: string): boolean => value !== '';
/** Shorter, and a kubelet renews without an end. */
const SHORTEST = 3600;
/** Seconds: what is signed is for a year at most, and none of it can be taken back. */
const LONGEST = LEAP_YEAR / 1000;
/** Everything, all below a path that holds everything, or what shows the memory and the settings of a program. */
const opensAll = (value: string): boolean =>
  value.split(',').some((path) => /^\/?\*?$|^\/(?:debug|configz)(?:\/|$)/.test(path.trim()) && path !== '');

const opensOrigins = (value: string): boolean =>
  value.split(',').some((origin) => /^\^?(?:\/\/)?\.[*+]\$?$/.test(origin));
const isAddress = (value: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(value)
    ? value.split('.').every((part) => Number(part) <= 255)
    : /^(?=[^:]*:)[\da-fA-F:.]*$/.test(value);
/** A socket of the machine is a path, or named pipe. */
const isForeign = (value: string): boolean => value !== '' && !/^(?:unix:\/\/\/?|npipe:|\/)/.test(value);
export const isLoopback = (value: string): boolean => /^(?:127\.|::1$|localhost$)/.test(value);

/**
 * Groups of the API without which no machine joins, stays ready or runs what every machine runs, and no token of a Pod
 * is believed: without CSINodes a kubelet ends, without EndpointSlices kube-proxy knows no Service.
 * Source: pkg/kubelet; pkg/volume/csi/csi_plugin.go; cmd/kube-proxy.
 */
const CLOSES_JOINING =
  /(?:^|,)(?:api\/(?:all|v1|ga)|(?:apps|(?:certificates|authentication|authorization|rbac\.authorization|coordination|discovery|storage)\.k8s\.io)\/v1|v1)=false(?:,|$)/;
const ofNobody = (value: string): boolean => /(?:^|,)system:(?:unauthenticated|authenticated)(?:,|$)/.test(value);

const OPEN_GROUPS: Weakness = {
  flag: 'authorization-always-allow-groups',
  isWeak: ofNobody,
  why: 'everybody may do everything',
};
const INSECURE_MASTER: Weakness = {
  flag: 'master',
  isWeak: isGiven,
  why: 'it asks another server than its kubeconfig says',
};
const OPEN_PATHS: Weakness = {
  flag: 'authorization-always-allow-paths',
  isWeak: opensAll,
  why: 'everybody may ask for everything',
};
/** Whoever waits less gives up before the API server has answered; nothing at all: each has given up before. */
const SHORTEST_WAIT = 5;
const ALL_ALPHA: Weakness = {
  flag: 'feature-gates',
  isWeak: (value) => isGateOn({ 'feature-gates': value }, 'AllAlpha', 'AllAlpha'),
  why: 'what nobody has finished is on, another thing with each release',
};
/**
 * At it every answer that a program is given is written down, Secrets and tokens among them.
 * Source: client-go, rest/request.go logBody; kubernetes.io, kubectl quick reference, verbosity.
 */
const TELLS_BODIES = 8;
const TELLING: Weakness = {
  flag: 'v',
  isWeak: (value) => Number(value) >= TELLS_BODIES,
  why: 'Secrets and tokens that it reads stand in its log',
};
/** Below it machines wait for what their controllers do. */
const SELDOM = 1;
const ASKS_SELDOM: Weakness = {
  flag: 'kube-api-qps',
  isWeak: (value) => Number(value) > 0 && Number(value) <= SELDOM,
  why: 'it asks so seldom that machines wait for it',
};
/** Of several values of one gate the last counts. */
const isGate =
  (gate: string, wanted: RegExp) =>
  (value: string): boolean => {
    const told = itemsOf(value).filter((item) => item.startsWith(`${gate}=`));
    return wanted.test(told.at(-1)?.slice(gate.length + 1) ?? '');
  };
const [ON, OFF] = [/^(?:true|1|t)$/i, /^(?:false|0|f)$/i];
/**
 * Gates by which nodes, and who looks at Pods, may more than Kubernetes lets them.
 * Source: pkg/features/kube_features.go; plugin/pkg/admission/noderestriction; plugin/pkg/auth/authorizer/node.
 */
const OPENING_GATES: readonly Weakness[] = (
  [
    ['AllowInsecureKubeletCertificateSigningRequests', ON, 'a node asks for certificates in the name of another'],
    ['AuthorizeNodeWithSelectors', OFF, 'a node lists the Pods of all others'],
    ['ServiceAccountNodeAudienceRestriction', OFF, 'a node gets tokens of its Pods for whomever it names'],
    ['AuthorizePodWebsocketUpgradeCreatePermission', OFF, 'who may only read Pods runs commands in them'],
  ] as const
).map(([gate, wanted, why]) => ({ flag: 'feature-gates', isWeak: isGate(gate, wanted), why }));
/** At once. By default 400 that read and 200 that write. */
const FEWEST = 10;
const answersFew = (value: string): boolean => Number(value) > 0 && Number(value) < FEWEST;
const SIDE_OF_CERTIFICATES = /^\/var\/lib\/kubelet\/pki\/?$/;
/** Seconds: who is let go is let in for no longer. By default two and five minutes. */
const REMEMBERED = 3600;
const isLong = (value: string): boolean => (secondsOf(value) ?? 0) > REMEMBERED;
const OF_THE_KUBELET: readonly Weakness[] = [
  ALL_ALPHA,
  TELLING,
  {
    flag: 'authentication-token-webhook-cache-ttl',
    isWeak: isLong,
    why: 'tokens are believed for more than an hour after they have ended',
  },
  {
    flag: 'authorization-webhook-cache-authorized-ttl',
    isWeak: isLong,
    why: 'rights are believed for more than an hour after they were taken away',
  },
  { flag: 'register-node', isWeak: isFalse, why: 'its machine never becomes a node' },
  { flag: 'healthz-port', isWeak: (value) => value === '0', why: 'kubeadm waits for its health in vain' },
  {
    flag: 'cert-dir',
    isWeak: (value) => !SIDE_OF_CERTIFICATES.test(value),
    why: 'kubelet.conf does not name what it renews there',
  },
  { flag: 'address', isWeak: (value) => isLoopback(value) || !isAddress(value), why: 'no API server reaches it' },
  {
    flag: 'node-ip',
    isWeak: (value) => value.split(',').some((ip) => isLoopback(ip) || !isAddress(ip)),
    why: 'no other machine reaches it there',
  },
  { flag: 'cloud-provider', isWeak: (value) => !['', 'external'].includes(value), why: 'it does not start' },
  { flag: 'container-runtime-endpoint', isWeak: isForeign, why: 'whoever answers there runs its Pods' },
  { flag: 'image-service-endpoint', isWeak: isForeign, why: 'whoever answers there says what its images are' },
  {
    flag: 'hostname-override',
    isWeak: (value) => !/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/.test(value),
    why: 'no node may have such a name',
  },
];

/** Without TLS, and not on the machine alone. */
const isPlainBeyond = (value: string): boolean =>
  value.split(',').some((url) => url.trim().startsWith('http:') && !isLoopback(hostOf(url.trim())));

const WEAKNESSES: Readonly<Record<string, readonly Weakness[]>> = {
  'kube-apiserver': [
    ALL_ALPHA,
    TELLING,
    ...OPENING_GATES,
    ...['max-requests-inflight', 'max-mutating-requests-inflight'].map((flag) => ({
      flag,
      isWeak: answersFew,
      why: 'it answers so few at once that machines wait',
    })),
    {
      flag: 'request-timeout',
      isWeak: (value) => (secondsOf(value) ?? (value === '0' ? 0 : SHORTEST_WAIT)) < SHORTEST_WAIT,
      why: 'what takes longer is not answered',
    },
    { flag: 'service-account-lookup', isWeak: isFalse, why: 'tokens of deleted accounts are believed' },
    { flag: 'token-auth-file', isWeak: isGiven, why: 'its tokens never end' },
    { flag: 'basic-auth-file', isWeak: isGiven, why: 'its passwords never end' },
    { flag: 'oidc-issuer-url', isWeak: (value) => !value.startsWith('https://'), why: 'anybody on the way may answer' },
    ...['oidc-groups-prefix', 'oidc-username-prefix'].map((flag) => ({
      flag,
      isWeak: (value: string) => value.startsWith('system:'),
      why: 'an issuer of tokens says who is an administrator or a node',
    })),
    { flag: 'cors-allowed-origins', isWeak: opensOrigins, why: 'any page in a browser may ask' },
    {
      flag: 'bind-address',
      isWeak: (value) => isLoopback(value) || !isAddress(value),
      why: 'no other machine reaches it',
    },
    { flag: 'endpoint-reconciler-type', isWeak: (value) => value === 'none', why: 'Pods do not find it' },
    {
      flag: 'service-account-max-token-expiration',
      isWeak: (value) => (secondsOf(value) ?? 0) < SHORTEST && value !== '0' && value !== '0s',
      why: 'it does not start',
    },
    {
      flag: 'runtime-config',
      isWeak: (value) => CLOSES_JOINING.test(value.replaceAll(' ', '')),
      why: 'what machines join by is not served',
    },
    { flag: 'debug-socket-path', isWeak: isGiven, why: 'it answers there without asking who comes' },
    {
      flag: 'storage-media-type',
      isWeak: (value) => !/^application\/(?:json|yaml|cbor|vnd\.kubernetes\.protobuf)$/.test(value),
      why: 'it does not start',
    },
  ],
  'kube-controller-manager': [
    ALL_ALPHA,
    TELLING,
    ASKS_SELDOM,
    OPEN_PATHS,
    OPEN_GROUPS,
    INSECURE_MASTER,
    {
      flag: 'cluster-signing-duration',
      isWeak: (value) => (secondsOf(value) ?? 0) < SHORTEST,
      why: 'certificates end before they are used',
    },
    {
      flag: 'cluster-signing-duration',
      isWeak: (value) => (secondsOf(value) ?? 0) > LONGEST,
      why: 'whoever has the key of a node is that node for more than a year',
    },
  ],
  'kube-scheduler': [ALL_ALPHA, TELLING, ASKS_SELDOM, OPEN_PATHS, OPEN_GROUPS, INSECURE_MASTER],
  kubelet: OF_THE_KUBELET,
  etcd: [
    ...['auto-tls', 'peer-auto-tls'].map((flag) => ({
      flag,
      isWeak: (value: string) => !isFalse(value),
      why: 'certificates that nobody has signed are believed',
    })),
    ...['listen-client-urls', 'listen-peer-urls'].map((flag) => ({
      flag,
      isWeak: isPlainBeyond,
      why: 'it answers other machines without TLS',
    })),
    {
      flag: 'trusted-ca-file',
      isWeak: (value) => value.endsWith('/kubernetes/pki/ca.crt'),
      why: 'every node and user of the cluster reads and writes all there is',
    },
    { flag: 'force-new-cluster', isWeak: (value) => !isFalse(value), why: 'it forgets its members at each start' },
    { flag: 'peer-skip-client-san-verification', isWeak: (value) => !isFalse(value), why: 'any host may be a member' },
    { flag: 'strict-reconfig-check', isWeak: isFalse, why: 'a change of members may end it' },
    {
      flag: 'listen-client-http-urls',
      isWeak: (value) => value.split(',').some((url) => url.trim().startsWith('http:')),
      why: 'it answers there without TLS, whoever comes',
    },
    { flag: 'cors', isWeak: (value) => value.split(',').includes('*'), why: 'any page in a browser may ask' },
    { flag: 'discovery', isWeak: isGiven, why: 'another server says who is a member' },
    { flag: 'enable-pprof', isWeak: (value) => !isFalse(value), why: 'it shows what is in its memory' },
    { flag: 'unsafe-no-fsync', isWeak: (value) => !isFalse(value), why: 'data are lost when the power fails' },
  ],
};

/** What flags of a program give up: "--flag=value: why". */
export const weakFlags = (program: string, flags: Readonly<Record<string, string>>): readonly string[] =>
  (WEAKNESSES[program] ?? []).flatMap(({ flag, isWeak, why }) => {
    const value = flags[flag];
    return value !== undefined && isWeak(value) ? [`--${flag}=${value.slice(0, 80)}: ${why}`] : [];
  });

const weakIn = (flags: Readonly<Record<string, string>>, program: string): readonly string[] => [
  ...weakFlags(program, flags),
  ...writtenByAll(flags),
];

/** No flag takes away what the program is safe by. */
export const unweakened: Check<readonly Seen[]> = {
  id: 'node-weakened/flags',
  source: '002, design; 003; reference of kube-apiserver, kube-controller-manager and etcd',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, 'no flag takes away what it is safe by', (flags) => {
        const weak = weakIn(flags, componentOf(seen.path));
        return { seen: weak.join('; ') || 'none does', ok: weak.length === 0 };
      }),
    ),
};

/** What the loader of programs and Go obey before any flag. Source: ld.so(8); runtime, GODEBUG. */
const COMMANDING = /^(?:LD_(?:PRELOAD|AUDIT|LIBRARY_PATH)|GODEBUG)$/;

/** By its path in it, what the kubelet's configuration says as the flags would that it has the same settings by. */
const SETTINGS: Readonly<Record<string, string>> = {
  registerNode: 'register-node',
  healthzPort: 'healthz-port',
  address: 'address',
  containerRuntimeEndpoint: 'container-runtime-endpoint',
  imageServiceEndpoint: 'image-service-endpoint',
  tlsCertFile: 'tls-cert-file',
  tlsPrivateKeyFile: 'tls-private-key-file',
  volumePluginDir: 'volume-plugin-dir',
  resolvConf: 'resolv-conf',
  staticPodPath: 'pod-manifest-path',
  'logging.verbosity': 'v',
  'authentication.webhook.cacheTTL': 'authentication-token-webhook-cache-ttl',
  'authorization.webhook.cacheAuthorizedTTL': 'authorization-webhook-cache-authorized-ttl',
};

/** Flags, with their values, that say the same as these settings; of what is not set none. */
export const asFlags = (settings: Fields, names = Object.keys(SETTINGS)): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, flag]) => {
      if (!names.includes(name)) return [];
      const value = name.split('.').reduce<unknown>((within, field) => record(within)[field], settings);
      return value === undefined || value === null || value === '' ? [] : [[flag, String(value)] as const];
    }),
  );

/** The kubelet, by its configuration and the flags above it. */
export const kubeletUnweakened: Check<{ readonly config: Seen; readonly started: Started }> = {
  id: 'node-weakened/kubelet',
  source: '004, section 1; kubelet.config.k8s.io/v1beta1; cmd/kubelet/app/options',
  judge: ({ config, started }) => [
    held(config, 'settings', 'nothing takes away what the kubelet is safe by', ({ settings }) => {
      const flags = { ...asFlags(settings), ...started.flags };
      const halves = [flags['tls-cert-file'], flags['tls-private-key-file']].map((file) => text(file) !== '');
      const old = OLD_TLS.test(flags['tls-min-version'] ?? '') ? ['it takes old TLS'] : [];
      const weak = [
        ...weakIn(flags, 'kubelet'),
        ...old,
        ...Object.keys(started.variables).filter((name) => COMMANDING.test(name)),
        ...(isInCommonFolder(started.command ?? '') ? ['its program lies where everybody may write'] : []),
        ...(halves[0] === halves[1] ? [] : ['its serving certificate comes without its key, or its key without it']),
      ];
      return { seen: weak.slice(0, 5).join('; ') || 'nothing does', ok: weak.length === 0 };
    }),
  ],
};

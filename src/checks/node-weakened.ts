/** Flags and settings by which programs of a node give up what protects them. */
import { texts } from '../kubernetes/json.js';
import type { Check } from '../model/check.js';
import { held, type Seen } from './node-files.js';
import { inFlags } from './node-flags.js';
import { componentOf } from './node-pods.js';

/** Suites that Go calls insecure and that were broken in practice. Source: crypto/tls InsecureCipherSuites; RFC 7465. */
const WEAK_SUITE = /_(?:RC4|3DES|DES|NULL|EXPORT)_/;
/** Source: RFC 8996; component-base cli/flag/ciphersuites_flag.go, etcd tls-min-version. */
const OLD_TLS = /^(?:VersionTLS1[01]|TLS1\.[01])$/;

const UNBROKEN = 'it takes no TLS before 1.2, and no broken cipher suite';
function unbroken(version: string, suites: readonly string[]): { readonly seen: string; readonly ok: boolean } {
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

const isFalse = (value: string): boolean => /^(?:false|0|f|F|FALSE|False)$/.test(value);
const isGiven = (value: string): boolean => value !== '';
/** "1h30m" in seconds; undefined where it is no duration. Source: time.ParseDuration of Go. */
function secondsOf(duration: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|ns))+$/.test(duration)) return undefined;
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, us: 0, ns: 0 };
  return [...duration.matchAll(/(?<![\d.])([\d.]+)(h|ms|m|s|us|ns)/g)].reduce(
    (sum, [, count, unit = 's']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}
/** Shorter, and a kubelet renews without an end. */
const SHORTEST = 3600;
/** Everything, or all below a path that holds everything. */
const opensAll = (value: string): boolean =>
  value.split(',').some((path) => /^\/?\*?$/.test(path.trim()) && path !== '');

const opensOrigins = (value: string): boolean =>
  value.split(',').some((origin) => /^\^?(?:\/\/)?\.[*+]\$?$/.test(origin));
const isLoopback = (value: string): boolean => /^(?:127\.|::1$|localhost$)/.test(value);

const OPEN_PATHS: Weakness = {
  flag: 'authorization-always-allow-paths',
  isWeak: opensAll,
  why: 'everybody may ask for everything',
};
const WEAKNESSES: Readonly<Record<string, readonly Weakness[]>> = {
  'kube-apiserver': [
    { flag: 'service-account-lookup', isWeak: isFalse, why: 'tokens of deleted accounts are believed' },
    { flag: 'token-auth-file', isWeak: isGiven, why: 'its tokens never end' },
    { flag: 'basic-auth-file', isWeak: isGiven, why: 'its passwords never end' },
    { flag: 'oidc-issuer-url', isWeak: (value) => !value.startsWith('https://'), why: 'anybody on the way may answer' },
    { flag: 'cors-allowed-origins', isWeak: opensOrigins, why: 'any page in a browser may ask' },
    { flag: 'bind-address', isWeak: isLoopback, why: 'no other machine reaches it' },
    { flag: 'endpoint-reconciler-type', isWeak: (value) => value === 'none', why: 'Pods do not find it' },
    {
      flag: 'service-account-max-token-expiration',
      isWeak: (value) => (secondsOf(value) ?? 0) < SHORTEST && value !== '0' && value !== '0s',
      why: 'it does not start',
    },
    { flag: 'debug-socket-path', isWeak: isGiven, why: 'it answers there without asking who comes' },
    {
      flag: 'storage-media-type',
      isWeak: (value) => !/^application\/(?:json|yaml|cbor|vnd\.kubernetes\.protobuf)$/.test(value),
      why: 'it does not start',
    },
  ],
  'kube-controller-manager': [
    OPEN_PATHS,
    {
      flag: 'cluster-signing-duration',
      isWeak: (value) => (secondsOf(value) ?? 0) < SHORTEST,
      why: 'certificates end before they are used',
    },
  ],
  'kube-scheduler': [OPEN_PATHS],
  etcd: [
    { flag: 'peer-skip-client-san-verification', isWeak: (value) => !isFalse(value), why: 'any host may be a member' },
    { flag: 'unsafe-no-fsync', isWeak: (value) => !isFalse(value), why: 'data are lost when the power fails' },
  ],
};

/** No flag takes away what the program is safe by. */
export const unweakened: Check<readonly Seen[]> = {
  id: 'node-weakened/flags',
  source: '002, design; 003; reference of kube-apiserver, kube-controller-manager and etcd',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, 'no flag takes away what it is safe by', (flags) => {
        const weak = (WEAKNESSES[componentOf(seen.path)] ?? []).flatMap(({ flag, isWeak, why }) => {
          const value = flags[flag];
          return value !== undefined && isWeak(value) ? [`--${flag}=${value.slice(0, 80)}: ${why}`] : [];
        });
        return { seen: weak.join('; ') || 'none does', ok: weak.length === 0 };
      }),
    ),
};

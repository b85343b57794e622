/** Values of flags as Go reads them. Source: strconv ParseBool and ParseInt, time ParseDuration; component-base cli. */
import { FLAG_CHOICES, FLAG_KINDS, type FlagKind } from '../../kubernetes/flag-kinds.js';

const READ: Readonly<Record<FlagKind, RegExp>> = {
  switch: /^(?:true|1|t|T|TRUE|True|false|0|f|F|FALSE|False)$/,
  whole: /^[-+]?(?:0[xX][\da-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|\d+)$/,
  number: /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/,
  duration: /^(?:0|[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+)$/,
};
/** No longer than this is read: no value of a flag that counts is. */
const LONGEST = 64;
/** The longest duration that Go holds: 2^63 ns. */
const LONGEST_SECONDS = 9_223_372_036;
export const isDuration = (value: string): boolean =>
  value.length <= LONGEST && READ.duration.test(value) && (secondsOf(value) ?? 0) <= LONGEST_SECONDS;

/** What programs hold numbers to beyond their form: least, greatest. Source: Validate of the options of each. */
const LIMITS: Readonly<Record<string, readonly [number, number]>> = {
  'secure-port': [0, 65_535],
  'max-pods': [0, Number.MAX_SAFE_INTEGER],
  'goaway-chance': [0, 0.02],
  'audit-log-maxage': [0, Number.MAX_SAFE_INTEGER],
  'audit-log-maxbackup': [0, Number.MAX_SAFE_INTEGER],
  'audit-log-maxsize': [0, Number.MAX_SAFE_INTEGER],
  'max-requests-inflight': [0, Number.MAX_SAFE_INTEGER],
  'max-mutating-requests-inflight': [0, Number.MAX_SAFE_INTEGER],
  'max-request-bytes': [1, Number.MAX_SAFE_INTEGER],
  'snapshot-count': [0, Number.MAX_SAFE_INTEGER],
  'heartbeat-interval': [1, 50_000],
  'election-timeout': [1, 50_000],
  'max-wals': [0, Number.MAX_SAFE_INTEGER],
  'max-snapshots': [0, Number.MAX_SAFE_INTEGER],
  'distributed-tracing-sampling-rate': [0, 1_000_000],
  'kubelet-port': [0, 65_535],
  'concurrent-service-endpoint-syncs': [1, 50],
  'max-endpoints-per-slice': [1, 1000],
  'mirroring-concurrent-service-endpoint-syncs': [1, 50],
  'mirroring-max-endpoints-per-subset': [1, 1000],
};

/** Names with what each is. Source: component-base featuregate, Set. */
const areGates = (value: string): boolean =>
  value.split(',').every((item) => {
    const at = item.indexOf('=');
    return item === '' || (at > 0 && READ.switch.test(item.slice(at + 1).trim()));
  });

/** Whether a program reads a value of one of its flags; '' is what many leave as it is. */
function isRead(name: string, value: string, program: 'kubernetes' | 'etcd'): boolean {
  if (name === 'feature-gates') return areGates(value);
  const choices = FLAG_CHOICES[program][name]?.split(' ');
  if (choices !== undefined) return value === '' || value.split(',').every((item) => choices.includes(item.trim()));
  const kind = FLAG_KINDS[program].get(name);
  if (kind === 'duration' && !isDuration(value)) return false;
  if (kind !== undefined && (value.length > LONGEST || !READ[kind].test(value))) return false;
  const [least, greatest] = LIMITS[name] ?? [];
  return least === undefined || greatest === undefined || (Number(value) >= least && Number(value) <= greatest);
}

/** "--name=value" of those that a program cannot read. */
export const misread = (flags: Readonly<Record<string, string>>, program: 'kubernetes' | 'etcd'): readonly string[] =>
  Object.entries(flags).flatMap(([name, value]) =>
    isRead(name.replaceAll('_', '-'), value, program) ? [] : [`--${name}=${value.slice(0, 60)}`],
  );

const WITH_CURVES =
  'AES_(?:128|256)_CBC_SHA|AES_128_(?:CBC|GCM)_SHA256|AES_256_GCM_SHA384|CHACHA20_POLY1305(?:_SHA256)?|RC4_128_SHA';
const WITH_RSA = 'RC4_128_SHA|3DES_EDE_CBC_SHA|AES_(?:128|256)_CBC_SHA|AES_128_(?:CBC|GCM)_SHA256|AES_256_GCM_SHA384';
const SUITE = new RegExp(
  '^TLS_(?:AES_128_GCM_SHA256|AES_256_GCM_SHA384|CHACHA20_POLY1305_SHA256|ECDHE_RSA_WITH_3DES_EDE_CBC_SHA|' +
    `ECDHE_(?:ECDSA|RSA)_WITH_(?:${WITH_CURVES})|RSA_WITH_(?:${WITH_RSA}))$`,
);
/** Whether Go knows a cipher suite by this name. Source: crypto/tls CipherSuites, InsecureCipherSuites. */
export const isSuite = (name: string): boolean => SUITE.test(name);

/** Where everybody may put a file in the place of another. */
const COMMON_FOLDER = /^(?:unix:\/\/)?\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/;
export const isInCommonFolder = (path: string): boolean => COMMON_FOLDER.test(path);
/** Flags that name what lies where everybody may write. */
export const inCommonFolders = (flags: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(flags).flatMap(([name, value]) =>
    value.split(',').some((path) => COMMON_FOLDER.test(path)) ? [`--${name}=${value.slice(0, 60)}`] : [],
  );
/** The same, with what is wrong with it. */
export const writtenByAll = (flags: Readonly<Record<string, string>>): readonly string[] =>
  inCommonFolders(flags).map((flag) => `${flag}: everybody may write there`);

/** "1h30m" in seconds; undefined where it is no duration. Source: time.ParseDuration of Go. */
export function secondsOf(duration: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|ns))+$/.test(duration)) return undefined;
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, us: 0, ns: 0 };
  return [...duration.matchAll(/(?<![\d.])([\d.]+)(h|ms|m|s|us|ns)/g)].reduce(
    (sum, [, count, unit = 's']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}

/** Whether Go reads it as a URL, as far as scheme, host, port and escapes go. Source: net/url Parse. */
export function isGoUrl(value: string): boolean {
  const [scheme = ''] = /^[a-zA-Z][a-zA-Z\d+.-]*:/.exec(value) ?? [];
  const unasked = value.replace(/\?[^#]*/, '');
  const isWritten = !/\p{Cc}|%(?![\da-fA-F]{2})/u.test(unasked);
  if (scheme === '') return isWritten && !/^[^/?#]*:/.test(value);
  const [, authority] = /^\/\/([^/?#]*)/.exec(value.slice(scheme.length)) ?? [];
  const host = authority?.slice(authority.lastIndexOf('@') + 1) ?? '';
  return isWritten && /^(?:\[[^\]]*\]|[^[\]:\s"<>\\^`{|}]*)(?::\d*)?$/.test(host);
}

/** "/a" of "/a/" and of "/a//"; "/" stays. */
export function withoutEnd(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

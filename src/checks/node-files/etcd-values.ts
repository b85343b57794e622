/** Values of flags that etcd ends with, or serves nobody by. Source: etcd 3.5 to 3.7, server/embed/config.go Validate. */
import { ETCD_GATES } from '../../kubernetes/etcd-flags.js';
import { isSuite, secondsOf } from '../written/flag-values.js';
import { isGiven, itemsOf, named } from './component-values.js';
import { hostOf } from './node-names.js';
import { isLoopback } from './node-weakened.js';

type Flags = Readonly<Record<string, string>>;

const MIB = 1024 * 1024;
/** Where it is full nothing is written any more: a cluster of nothing but its own objects holds tens of MiB. Default: 2 GiB. */
const LEAST_QUOTA = 64 * MIB;
const number = (value: string | undefined, otherwise: number): number => {
  const read = Number(value ?? otherwise);
  return Number.isNaN(read) ? otherwise : read;
};

/** Least of what etcd needs. Source: etcd server/embed/config.go Validate; kubernetes, limits of requests. */
function oddLimits(flags: Flags): readonly string[] {
  const [beat, election] = [number(flags['heartbeat-interval'], 100), number(flags['election-timeout'], 1000)];
  const [quota, request] = [number(flags['quota-backend-bytes'], 0), number(flags['max-request-bytes'], 1.5 * MIB)];
  const { 'auto-compaction-retention': kept = '0' } = flags;
  return [
    ...(election >= 5 * beat ? [] : [`--election-timeout=${election} is less than five times ${beat}`]),
    ...(quota > 0 && quota < LEAST_QUOTA ? [`--quota-backend-bytes=${quota}: soon nothing can be written`] : []),
    ...(request < MIB ? [`--max-request-bytes=${request}: objects are larger`] : []),
    ...(/^\d+$/.test(kept) || secondsOf(kept) !== undefined ? [] : ['--auto-compaction-retention is no duration']),
  ];
}

/** etcd listens for members where it says that it does. */
function oddPeers(flags: Flags): readonly string[] {
  const told = itemsOf(flags['initial-advertise-peer-urls']).map(hostOf);
  const hosts = itemsOf(flags['listen-peer-urls']).map(hostOf);
  const isOwn = (host: string): boolean => /^(?:0\.0\.0\.0|::|127\.|localhost)/.test(host) || told.includes(host);
  const isName = told.some((host) => /[a-z]/i.test(host) && !host.includes(':'));
  const suites = itemsOf(flags['cipher-suites']).filter((suite) => !isSuite(suite));
  return [
    ...(isName || hosts.some(isOwn) || hosts.length === 0
      ? []
      : [`members are told ${told.join()}, not ${hosts.join()}`]),
    ...suites.map((suite) => `--cipher-suites=${suite.slice(0, 40)}`),
  ];
}

const isAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(':');
const isOpen = (host: string): boolean => /^(?:0\.0\.0\.0|::)$/.test(host);

/** Others are told an address at which it listens; behind a name anything may stand. */
function oddClients(flags: Flags): readonly string[] {
  const hosts = itemsOf(flags['listen-client-urls']).map(hostOf);
  const told = itemsOf(flags['advertise-client-urls']).map(hostOf).filter(isAddress);
  const isHeard = (host: string): boolean => hosts.some((one) => isOpen(one) || one === host);
  const isNamed = hosts.some((host) => !isAddress(host) && host !== 'localhost');
  const peers = itemsOf(flags['initial-advertise-peer-urls']).map(hostOf);
  // members learn from one another where clients are to ask
  const isHidden = told.length > 0 && told.every(isLoopback) && peers.some((host) => !isLoopback(host));
  return isNamed || hosts.length === 0
    ? []
    : [
        ...told.filter((host) => !isHeard(host)).map((host) => `clients are told ${host}, not ${hosts.join()}`),
        ...(isHidden ? [`clients are told ${told.join()}, and peers ${peers.join()}`] : []),
      ];
}

/** Where a member learns of the others: one says it. */
const BOOTSTRAPS = ['initial-cluster', 'discovery', 'discovery-endpoints', 'discovery-srv'];
function oddBootstrap(flags: Flags): readonly string[] {
  const given = BOOTSTRAPS.filter((name) => isGiven(flags, name));
  return given.length > 1 ? [`${given.map((name) => `--${name}`).join(' beside ')}`] : [];
}

/** It listens at addresses, and at none twice. */
function oddListening(flags: Flags): readonly string[] {
  const urls = ['listen-client-urls', 'listen-peer-urls', 'listen-metrics-urls', 'listen-client-http-urls'].flatMap(
    (name) => itemsOf(flags[name]).map((url) => [name, url] as const),
  );
  const ported = urls.map(([, url]) => url.slice(url.indexOf('//') + 2).replace(/\/$/, ''));
  return urls.flatMap(([name, url], at) => {
    const isNamed = /^https?:/.test(url) && !isAddress(hostOf(url)) && hostOf(url) !== 'localhost';
    const isTwice = ported.indexOf(ported[at] ?? '') !== at && urls[ported.indexOf(ported[at] ?? '')]?.[0] !== name;
    return isNamed || isTwice ? [named(name, url)] : [];
  });
}

function oddTls(flags: Flags): readonly string[] {
  const { 'tls-min-version': least = '', 'tls-max-version': most = '' } = flags;
  const isNewest = least === 'TLS1.3';
  return [
    ...(isNewest && most === 'TLS1.2' ? ['--tls-min-version above --tls-max-version'] : []),
    ...(isNewest && isGiven(flags, 'cipher-suites') ? ['--cipher-suites, though TLS 1.3 chooses its own'] : []),
  ];
}

/** What was tried out under another name is told once. */
function oddNames(flags: Flags): readonly string[] {
  const { 'feature-gates': gates = '' } = flags;
  const told = Object.entries(ETCD_GATES).filter(([gate, flag]) => gates.includes(gate) && flags[flag] !== undefined);
  const both = Object.keys(flags).filter((name) => flags[`experimental-${name}`] !== undefined);
  return [
    ...told.map(([gate, flag]) => `--${flag} beside the feature gate ${gate}`),
    ...both.map((name) => `--experimental-${name} beside --${name}`),
  ];
}

function oddLogs(flags: Flags): readonly string[] {
  const isRotated = /^(?:true|1|t)$/i.test(flags['enable-log-rotation'] ?? '');
  const files = itemsOf(flags['log-outputs']).filter((output) => !/^(?:default|stdout|stderr)$/.test(output));
  return isRotated && files.length !== 1 ? ['--enable-log-rotation without one file of --log-outputs'] : [];
}

/** Tokens that it signs need a way to sign. Source: server/auth/store.go NewTokenProvider, jwt.go. */
function oddTokens({ 'auth-token': told = 'simple' }: Flags): readonly string[] {
  const isJwt = /^jwt,/.test(told) && /[,]sign-method=/.test(told);
  return told === '' || told === 'simple' || isJwt ? [] : [named('auth-token', told)];
}

/** What ends it, or keeps others away, in words. */
export const endingEtcd = (flags: Flags): readonly string[] =>
  [oddLimits, oddPeers, oddClients, oddBootstrap, oddListening, oddTls, oddNames, oddLogs, oddTokens].flatMap((of) =>
    of(flags),
  );

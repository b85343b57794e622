/**
 * Which proxy a connection would take. Source: golang.org/x/net/http/httpproxy config.go; k8s.io/apimachinery
 * pkg/util/net/http.go NewProxierWithNoProxyCIDR.
 */
import { isIP } from 'node:net';
import { ipBytes, shortestIp } from '../../pki/ip.js';

type Environment = Readonly<Record<string, string | undefined>>;

const variable = (environment: Environment, name: string): string =>
  environment[name] || environment[name.toLowerCase()] || '';

/** The bits of an address; undefined where it is none. */
function bitsOf(address: string): string | undefined {
  const bytes = ipBytes(address);
  return bytes === undefined
    ? undefined
    : [...shortestIp(bytes)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
}

/** Whether an address lies in "10.0.0.0/8"; false for what is no subnet. */
function isWithin(address: string, subnet: string): boolean {
  const [network = '', length = ''] = subnet.split('/');
  const [own, other] = [bitsOf(address), bitsOf(network)];
  if (own === undefined || other === undefined || own.length !== other.length || !/^\d{1,3}$/.test(length))
    return false;
  return Number(length) <= own.length && own.slice(0, Number(length)) === other.slice(0, Number(length));
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

/** "[::1]:443" and "a.example:443" taken apart. */
function hostAndPort(item: string): readonly [host: string, port: string] {
  const [, bracketed, plain = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(item) ?? [];
  return isIP(item) === 6 ? [item, ''] : [bracketed ?? plain, port];
}

/** Whether one item of NO_PROXY is about this host. */
function excepts(item: string, host: string, port: string): boolean {
  if (item === '*') return true;
  if (item.includes('/')) return isWithin(host, item);
  const [named, itsPort] = hostAndPort(item);
  if (named === '' || (itsPort !== '' && itsPort !== port)) return false;
  if (isIP(named) !== 0) return bitsOf(named) === bitsOf(host);
  if (named.startsWith('*.')) return host.endsWith(named.slice(1));
  return named.startsWith('.') ? host.endsWith(named) : host === named || host.endsWith(`.${named}`);
}

/** Without what it is logged in with: a password of a proxy is shown nobody. */
const withoutUser = (proxy: string): string => proxy.replace(/^([a-z0-9]+:\/\/)[^/]*@/i, '$1');

/** The proxy of an https connection, as a URL without its user; undefined: it needs none. */
export function proxyFor(host: string, port: string, environment: Environment): string | undefined {
  const proxy = variable(environment, 'HTTPS_PROXY');
  const name = host.toLowerCase();
  if (proxy === '' || isLoopback(name)) return undefined;
  const exceptions = variable(environment, 'NO_PROXY').split(',');
  if (exceptions.some((item) => excepts(item.trim().toLowerCase(), name, port))) return undefined;
  return withoutUser(proxy.includes('://') ? proxy : `http://${proxy}`);
}

/** Which connections take no proxy. Source: golang.org/x/net/http/httpproxy config.go. */
import { BlockList, isIP } from 'node:net';

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/** undefined: it is no address. A zone belongs to none. */
const familyOf = (text: string): 'ipv4' | 'ipv6' | undefined =>
  text.includes('%') ? undefined : FAMILIES[isIP(text) as 4 | 6];

/** Whether `host` is an address among `bits` of `network`; without bits it is that address itself. */
export function isAmong(host: string, network: string, bits?: string): boolean {
  const [own, its] = [familyOf(host), familyOf(network)];
  if (own === undefined || its === undefined) return false;
  // Go compares as many bytes as both have
  if (own === 'ipv4' && its === 'ipv6') return false;
  const most = its === 'ipv4' ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits ?? most), its);
  return list.check(host, own);
}

const isLoopback = (host: string): boolean => isAmong(host, '127.0.0.0', '8') || host === '::1';

/** "[::1]:443" and "a.example:443" taken apart. */
function hostAndPort(item: string): readonly [host: string, port: string] {
  const [, bracketed, plain = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(item) ?? [];
  return isIP(item) === 6 ? [item, ''] : [bracketed ?? plain, port];
}

/** Whether one item of NO_PROXY is about this host. */
function excepts(item: string, host: string, port: string): boolean {
  if (item === '*') return true;
  const [network = '', bits] = item.split('/');
  if (bits !== undefined) return isAmong(host, network, bits);
  const [named, itsPort] = hostAndPort(item);
  if (named === '' || (itsPort !== '' && itsPort !== port)) return false;
  if (isIP(named) !== 0) return isAmong(host, named);
  if (named.startsWith('*.')) return host.endsWith(named.slice(1));
  return named.startsWith('.') ? host.endsWith(named) : host === named || host.endsWith(`.${named}`);
}

/** `host`: a name, or an address without brackets; `exceptions`: as NO_PROXY has them. Loopback never takes one. */
export function takesNoProxy(host: string, port: string, exceptions: string): boolean {
  const name = host.toLowerCase();
  if (name === 'localhost' || isLoopback(name)) return true;
  return exceptions.split(',').some((item) => excepts(item.trim().toLowerCase(), name, port));
}

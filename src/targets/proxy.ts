/**
 * Which proxy a connection takes, as kubectl decides it: the kubeconfig's proxy-url first, else HTTPS_PROXY and
 * NO_PROXY of the environment.
 */
import { BlockList, isIP } from 'node:net';
import { ConfigurationError } from './errors.js';

/** The proxy-url as it can be used. Throws ConfigurationError for schemes that joinproof does not speak. */
export function checkedProxy(text: string, origin: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigurationError(`The ${origin} is not a URL; give one like http://proxy.example:3128.`);
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return text;
  throw new ConfigurationError(
    `The ${origin} has the scheme ${url.protocol.slice(0, -1)}, which joinproof does not speak; give an http or https proxy, or reach the cluster through a tunnel.`,
  );
}

/** Source of the semantics: golang.org/x/net/http/httpproxy config.go. Loopback never goes through a proxy. */
export function proxyFromEnvironment(server: URL, env: NodeJS.ProcessEnv): string | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name] || env[name.toLowerCase()];
  if (proxy === undefined || proxy === '') return undefined;
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || isLoopback(host)) return undefined;
  const exceptions = (env.NO_PROXY || env.no_proxy || '').split(',').map((item) => item.trim().toLowerCase());
  if (exceptions.some((item) => item !== '' && excepts(item, host, server))) return undefined;
  return checkedProxy(proxy.includes('://') ? proxy : `http://${proxy}`, `environment variable ${name}`);
}

const isLoopback = (host: string): boolean => (isIP(host) === 4 ? host.startsWith('127.') : host === '::1');

function excepts(item: string, host: string, server: URL): boolean {
  if (item === '*') return true;
  const [network, bits] = item.split('/');
  if (bits !== undefined && network !== undefined && isIP(network) !== 0 && isIP(host) !== 0) {
    const list = new BlockList();
    const width = Number(bits);
    if (!Number.isInteger(width) || width < 0 || width > (isIP(network) === 4 ? 32 : 128)) return false;
    list.addSubnet(network, width, isIP(network) === 4 ? 'ipv4' : 'ipv6');
    return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
  }
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  const bare = item.endsWith(`:${port}`) && isIP(item) !== 6 ? item.slice(0, -port.length - 1) : item;
  if (isIP(bare.replace(/^\[|\]$/g, '')) !== 0) return bare.replace(/^\[|\]$/g, '') === host;
  if (bare.startsWith('*.')) return host.endsWith(bare.slice(1));
  return bare.startsWith('.') ? host.endsWith(bare) : host === bare || host.endsWith(`.${bare}`);
}

/**
 * Which proxy a connection takes, as kubectl decides it: the kubeconfig's proxy-url first, else HTTPS_PROXY and
 * NO_PROXY of the environment.
 */
import { takesNoProxy } from '../kubernetes/no-proxy.js';
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
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  if (takesNoProxy(host, port, env.NO_PROXY || env.no_proxy || '')) return undefined;
  return checkedProxy(proxy.includes('://') ? proxy : `http://${proxy}`, `environment variable ${name}`);
}

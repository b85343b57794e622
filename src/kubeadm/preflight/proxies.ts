/**
 * Which proxy a connection would take. Source: golang.org/x/net/http/httpproxy config.go; k8s.io/apimachinery
 * pkg/util/net/http.go NewProxierWithNoProxyCIDR.
 */
import { takesNoProxy } from '../../kubernetes/no-proxy.js';

type Environment = Readonly<Record<string, string | undefined>>;

const variable = (environment: Environment, name: string): string =>
  environment[name] || environment[name.toLowerCase()] || '';

/** Without what it is logged in with: a password of a proxy is shown nobody. */
const withoutUser = (proxy: string): string => proxy.replace(/^([a-z0-9]+:\/\/)[^/]*@/i, '$1');

/** The proxy of an https connection, as a URL without its user; undefined: it needs none. */
export function proxyFor(host: string, port: string, environment: Environment): string | undefined {
  const proxy = variable(environment, 'HTTPS_PROXY');
  if (proxy === '' || takesNoProxy(host, port, variable(environment, 'NO_PROXY'))) return undefined;
  return withoutUser(proxy.includes('://') ? proxy : `http://${proxy}`);
}

/**
 * Whom a proxy of an environment is asked for, as Go reads it: hosts of NO_PROXY are asked directly, and so is loopback.
 * Source: golang.org/x/net/http/httpproxy; net/http ProxyFromEnvironment.
 */
import { record, records, text } from '../../kubernetes/json.js';
import { takesNoProxy } from '../../kubernetes/no-proxy.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { toldAt } from './machine-files.js';
import type { Seen } from './node-files.js';
import { hostOf } from './node-names.js';
import { containerOf } from './node-pods.js';
import type { Disk } from './node-seen.js';

type Variables = Readonly<Record<string, string>>;

/** Of both ways to write it the one in capitals counts. */
const eitherOf = (variables: Variables, name: string): string =>
  variables[name.toUpperCase()] || variables[name.toLowerCase()] || '';
/** URLs that are asked by way of a proxy. */
function proxied(variables: Variables, urls: readonly string[]): readonly string[] {
  if (eitherOf(variables, 'https_proxy') === '') return [];
  const direct = eitherOf(variables, 'no_proxy');
  return urls.filter((url) => {
    const [, port = '443'] = /^https?:\/\/[^/]*:(\d+)(?:\/|$)/.exec(url) ?? [];
    return hostOf(url) !== '' && !takesNoProxy(hostOf(url), port, direct);
  });
}

/** Who asks whom, with which environment. */
export interface Asking {
  readonly subject: string;
  readonly variables: Variables;
  readonly urls: readonly string[];
}

/** Variables of the one container of a component. */
export const environmentOf = ({ file }: Seen): Variables =>
  file?.held.kind === 'manifest'
    ? Object.fromEntries(records(containerOf(file.held).env).map((one) => [text(record(one).name), text(one.value)]))
    : {};

/** Proxies of files of an environment, one after the other by their paths. */
export const proxiesAt = (disk: Disk, where: RegExp): Variables =>
  Object.assign(
    {},
    ...Object.keys(disk)
      .filter((path) => where.test(path))
      .sort()
      .map((path) => toldAt(disk, path)?.proxies),
  );

/** No proxy stands between the programs of a cluster: it knows neither its addresses nor its authority. */
export const askedDirectly: Check<readonly Asking[]> = {
  id: 'proxied/asked-directly',
  source: 'golang.org/x/net/http/httpproxy; kubeadm preflight, HTTPProxy and HTTPProxyCIDR',
  nothing: 'no server of the cluster is named by what can be read',
  judge: (all) =>
    all.flatMap(({ subject, variables, urls }) => {
      if (urls.length === 0) return [];
      const odd = proxied(variables, urls);
      const seen = odd.length === 0 ? 'it does' : `${odd.join(', ').slice(0, 120)} is asked by way of a proxy`;
      return [demand({ subject, demanded: 'it asks its cluster without a proxy', seen, ok: odd.length === 0 })];
    }),
};

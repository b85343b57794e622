/**
 * Does the Corefile of CoreDNS, as kubeadm deploys it, answer for the names of its cluster from its API server?
 * Source: coredns, plugin.cfg (the order of plugins), plugin/kubernetes/setup.go, plugin/{hosts,rewrite,template};
 * corefile-migration, migration/plugins.go, of what is removed.
 */
import { record, text } from '../../kubernetes/json.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { hostOf } from '../node-files/node-names.js';
import { type CorePlugin, type CoreServer, isInZone, readCorefile, serverFor } from './corefile.js';
import { documentOf } from './machine-configuration.js';

export interface ClusterDns {
  /** false: there is no CoreDNS of kubeadm. */
  readonly there: boolean;
  /** What keeps the names of the cluster from being answered, or answers otherwise. */
  readonly odd: readonly string[];
}

const zonesOf = ({ args }: CorePlugin, server: CoreServer): readonly string[] =>
  args.length === 0 ? server.zones : args.map((zone) => zone.toLowerCase().replace(/\.$/, ''));

/** What a line "name exact FROM TO" changes; what goes by a pattern is not worked out. */
function rewrites({ args }: CorePlugin, name: string): boolean {
  const [field, ...rest] = ['stop', 'continue'].includes(args[0] ?? '') ? args.slice(1) : args;
  if (field !== 'name') return false;
  const kinds = ['exact', 'prefix', 'suffix', 'substring', 'regex'];
  const [kind, from = ''] = kinds.includes(rest[0] ?? '') ? rest : ['exact', ...rest];
  const wanted = from.toLowerCase().replace(/\.$/, '');
  if (wanted === '') return false;
  if (kind === 'exact') return wanted === name;
  if (kind === 'suffix') return name.endsWith(wanted);
  if (kind === 'prefix') return name.startsWith(wanted);
  return kind === 'substring' && name.includes(wanted);
}

/** Plugins that answer before the one for Kubernetes does. */
function before(plugins: readonly CorePlugin[], name: string): readonly string[] {
  return plugins.flatMap((plugin) => {
    if (plugin.name === 'rewrite') return rewrites(plugin, name) ? [`rewrite ${plugin.args.join(' ')}`] : [];
    if (plugin.name === 'hosts') {
      const line = plugin.options.find(([, ...names]) =>
        names.some((one) => one.toLowerCase().replace(/\.$/, '') === name),
      );
      return line === undefined ? [] : [`hosts ${line[0] ?? ''} ${name}`];
    }
    if (plugin.name !== 'template' || plugin.options.some(([option]) => option === 'fallthrough')) return [];
    // template CLASS TYPE [ZONE...]
    const zones = plugin.args.slice(2).map((zone) => zone.toLowerCase().replace(/\.$/, ''));
    const isOwn = zones.some((zone) => zone !== '' && isInZone(name, zone));
    return isOwn && !plugin.options.some(([option]) => option === 'match') ? [`template ${zones.join(' ')}`] : [];
  });
}

/** Since 1.5 and 1.7. */
const GONE_PLUGINS = ['proxy', 'federation'];
/** Of the plugin kubernetes: since 1.7, and 1.8. Clusters of 1.22 on are given a newer one. */
const GONE_OPTIONS = ['upstream', 'resyncperiod', 'transfer'];

/** What CoreDNS had once, and ends with. */
const goneIn = (servers: readonly CoreServer[]): readonly string[] =>
  servers
    .flatMap(({ plugins }) => plugins)
    .flatMap(({ name, options }) => [
      ...(GONE_PLUGINS.includes(name) ? [`CoreDNS has the plugin ${name} no more, and does not start`] : []),
      ...(name === 'kubernetes' ? options : [])
        .filter(([option = '']) => GONE_OPTIONS.includes(option))
        .map(([option]) => `the plugin kubernetes takes ${option} no more, and CoreDNS does not start`),
    ]);

/** "dns://10.96.0.10:53" is 10.96.0.10; '' where another port is asked, or over another protocol. */
const askedAt = (place: string): string =>
  /^(?:dns:\/\/)?\[?([\d.]+|[\da-f:]+:[\da-f]*)\]?(?::53)?$/i.exec(place)?.[1] ?? '';

/** Whoever asks itself is asked for ever; the plugin loop ends it at its start. Source: coredns, plugin/loop/README.md. */
const asksItself = (plugins: readonly CorePlugin[], services: readonly string[]): readonly string[] =>
  plugins
    .filter(({ name }) => name === 'forward')
    .flatMap(({ args: [zone = '', ...places] }) =>
      places
        .filter((place) => services.includes(askedAt(place)))
        .map((place) => `forward ${zone} ${place}, which is itself`),
    );

interface Own {
  /** "cluster.local" */
  readonly domain: string;
  /** Addresses of its own Service. */
  readonly services: readonly string[];
  /** Hosts by which the API server is known. */
  readonly hosts: readonly string[];
}

function oddIn(corefile: string, { domain, services, hosts }: Own): readonly string[] {
  const name = `kubernetes.default.svc.${domain}`;
  const read = readCorefile(corefile);
  if (!read.whole) return ['a brace of it is not closed'];
  const server = serverFor(read, name);
  if (read.servers.length === 0) return [];
  const gone = goneIn(read.servers);
  if (gone.length > 0) return gone;
  if (server === undefined) return [`no server of it answers for ${domain}`];
  const found = server.plugins.find((plugin) => plugin.name === 'kubernetes');
  const where = server.zones.map((zone) => zone || '.').join(' ');
  if (found === undefined)
    return server.plugins.some((plugin) => plugin.name === 'import')
      ? []
      : [`the server ${where}, which is asked for ${domain}, has no plugin kubernetes`];
  const option = (wanted: string): readonly string[] | undefined =>
    found.options.find(([one]) => one === wanted)?.slice(1);
  const [endpoint = ''] = option('endpoint') ?? [];
  const host = hostOf(endpoint);
  const namespaces = option('namespaces');
  return [
    ...before(server.plugins, name),
    ...asksItself(server.plugins, services),
    ...(zonesOf(found, server).some((zone) => isInZone(name, zone))
      ? []
      : [`the plugin kubernetes is not for ${domain}`]),
    ...(host === '' || hosts.includes(host) || /^(?:127\.|localhost$|kubernetes\.default)/.test(host)
      ? []
      : [`the plugin kubernetes asks ${host}`]),
    ...(namespaces === undefined || namespaces.includes('default')
      ? []
      : ['the plugin kubernetes leaves the namespace default out']),
  ];
}

interface Maps {
  readonly dns: ConfigMap | undefined;
  /** kubeadm-config. */
  readonly cluster: ConfigMap | undefined;
}

/** Reader. `hosts`: by which the API server is known; `services`: addresses of the Service of the DNS itself. */
export function readClusterDns(
  { dns, cluster }: Maps,
  { hosts, services }: Pick<Own, 'hosts' | 'services'>,
): ClusterDns {
  if (dns === undefined) return { there: false, odd: [] };
  const corefile = dns.data?.Corefile;
  const { networking } = record(documentOf(cluster, 'ClusterConfiguration'));
  const domain = text(record(networking).dnsDomain) || 'cluster.local';
  return {
    there: true,
    odd: corefile === undefined ? ['there is no Corefile in it'] : oddIn(corefile, { domain, hosts, services }),
  };
}

/** Whoever asks for the API server by its name is led to it. */
export const dnsOfCluster: Check<ClusterDns> = {
  id: 'cluster-dns/own',
  source: 'coredns, plugin.cfg and plugin/kubernetes/setup.go; cmd/kubeadm/app/phases/addons/dns/manifests.go',
  nothing: 'kubeadm has deployed no DNS here',
  judge: ({ there, odd }) =>
    there
      ? [
          demand({
            subject: 'ConfigMap kube-system/coredns',
            demanded: 'answers for the names of the cluster from its API server',
            seen: odd.slice(0, 5).join('; ').slice(0, 240) || 'it does',
            ok: odd.length === 0,
          }),
        ]
      : [],
};

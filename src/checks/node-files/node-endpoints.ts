/** Whom the kubeconfigs of a node ask, by what its cluster says of itself. */
import type { Check } from '../../model/check.js';
import type { AltNames } from '../certificates/extensions.js';
import { held, type Seen } from './node-files.js';
import { hostOf, isFor } from './node-names.js';

/** Servers of the cluster, as objects and the disk name them. */
export interface Servers {
  /** "host:port": of cluster-info, of kubeadm-config, of the machine's own API server. */
  readonly endpoints: readonly string[];
  /** Addresses of Nodes of the control plane: whoever runs there is asked at any port. */
  readonly nodes: readonly string[];
  /** What the API server's certificate is for; null where it was not seen. */
  readonly names: AltNames | null;
  /** A worker may have a proxy of its own, which asks the API servers for it. */
  readonly isWorker: boolean;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** "host:port" of "https://host", whose port is that of https. Brackets as the URL has them. */
export function endpointOf(url: string): string {
  const [, host = '', port = '443'] = /^https?:\/\/(\[[^\]]+\]|[^/:]+)(?::(\d+))?/.exec(url) ?? [];
  return host === '' ? '' : `${host.toLowerCase()}:${port}`;
}

/** It asks a server that is known: at the port that is known of it, too. */
export const asksKnown: Check<readonly Seen[], Servers> = {
  id: 'node-endpoints/known',
  source: 'cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go validateKubeConfig; 001, cluster-info',
  nothing: 'the cluster names no server: it has neither cluster-info nor kubeadm-config',
  judge: (all, { endpoints, nodes, names, isWorker }) => {
    if (endpoints.length === 0) return [];
    const known = endpoints.map((endpoint) => ({ endpoint, host: hostOf(`https://${endpoint}`) }));
    return all.map((seen) =>
      held(seen, 'kubeconfig', 'it asks a server that the cluster names as its own', ({ server }) => {
        const [host, endpoint] = [hostOf(server.toLowerCase()), endpointOf(server)];
        const told = { seen: server === '' ? 'it asks nobody' : server };
        if (host === '') return { ...told, ok: false };
        const there = known.filter((one) => one.host === host);
        if (there.length > 0) return { ...told, ok: there.some((one) => one.endpoint === endpoint) };
        if (nodes.includes(host)) return { ...told, ok: true };
        // loopback is the machine itself: its own API server at the same port, or a proxy of a worker
        const ports = endpoints.map((one) => /(?<!\d)\d+$/.exec(one)?.[0]);
        if (LOOPBACK.test(host)) return { ...told, ok: isWorker || ports.includes(/(?<!\d)\d+$/.exec(endpoint)?.[0]) };
        return { ...told, ok: names !== null && isFor(names, host) };
      }),
    );
  },
};

/** What is known of the machine's own API server, and of how the cluster is asked. */
export interface Asked {
  /** Whom the run asks: a URL. */
  readonly server: string;
  /** "host:port" of the machine's own, and those at which the cluster says that it is asked. */
  readonly own: string;
  readonly endpoints: readonly string[];
  /** Nodes that are marked as control planes. */
  readonly controlPlanes: number;
  /** It shows other certificates by name. */
  readonly isNamed: boolean;
}

/** Why it need not be this machine's API server that answers; '' where it is. */
export function whyNotOwn({ server, own, endpoints, controlPlanes, isNamed }: Asked): string {
  if (isNamed) return 'its API server presents other certificates to who asks for other names (--tls-sni-cert-key)';
  const endpoint = endpointOf(server);
  if (endpoint === own || (controlPlanes <= 1 && endpoints.includes(endpoint))) return '';
  return `the cluster is asked at ${server}, where another of its control planes may answer`;
}

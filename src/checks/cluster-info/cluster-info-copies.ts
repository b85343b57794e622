/**
 * Other ConfigMaps that tell whom to believe in this cluster: those that are called cluster-info elsewhere, what lies
 * beside it for everybody, and kubeconfigs of the same server. Who takes one for cluster-info believes it unsigned.
 * Source: client-go, tools/clientcmd/api/v1/types.go Cluster; cmd/kubeadm/app/discovery.
 */
import { record, records, text } from '../../kubernetes/json.js';
import { CLUSTER_INFO, KUBE_PUBLIC } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import type { Check } from '../../model/check.js';
import { control, refusal } from '../../model/finding.js';
import { decodedPem } from '../certificates/pem.js';
import { certificatesIn, tryCertificate } from '../certificates/x509.js';

/** A cluster of a kubeconfig. */
interface ClusterTold {
  /** "data.kubeconfig" */
  readonly path: string;
  /** "192.0.2.1:6443"; '' where it names none. */
  readonly place: string;
  readonly pins: readonly string[];
  readonly skipsTls: boolean;
}

export interface CopyTold {
  /** "ConfigMap default/cluster-info" */
  readonly subject: string;
  /** It is called so, or lies beside it. */
  readonly isNamed: boolean;
  readonly clusters: readonly ClusterTold[];
}

/** Characters of a value that is read. */
const LONGEST = 65_536;
/** Of one ConfigMap. */
const MOST = 20;

const pinsIn = (pem: string): readonly string[] =>
  certificatesIn(pem).flatMap((der) => {
    const read = tryCertificate(der);
    return 'unreadable' in read ? [] : [read.pin];
  });

/** Host and port of a server; '' where it is no URL. */
function placeOf(server: string): string {
  try {
    const { protocol, hostname, port } = new URL(server);
    return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`;
  } catch {
    return '';
  }
}

function clustersIn(path: string, written: string): readonly ClusterTold[] {
  if (written.length > LONGEST || !/["']?clusters["']?\s{0,9}:/.test(written)) return [];
  let read: unknown;
  try {
    read = parseYaml(written, { uniqueKeys: false, maxAliasCount: 10 });
  } catch {
    return [];
  }
  return records(record(read).clusters)
    .slice(0, MOST)
    .map(({ cluster }) => {
      const told = record(cluster);
      const { server, 'certificate-authority-data': data, 'insecure-skip-tls-verify': skips } = told;
      return { path, place: placeOf(text(server)), pins: pinsIn(decodedPem(text(data))), skipsTls: skips === true };
    });
}

/** Reader; undefined where it tells of no cluster, and of cluster-info itself. */
export function readCopyTold(object: KubeObject): CopyTold | undefined {
  const { name = '', namespace = '' } = object.metadata;
  if (namespace === KUBE_PUBLIC && name === CLUSTER_INFO) return undefined;
  const clusters = Object.entries(record(record(object).data)).flatMap(([key, value]) =>
    clustersIn(`data.${key}`, text(value)),
  );
  if (clusters.length === 0) return undefined;
  const isNamed = name === CLUSTER_INFO || namespace === KUBE_PUBLIC;
  return { subject: `ConfigMap ${namespace}/${name}`, isNamed, clusters };
}

interface Published {
  /** The URL of cluster-info. */
  readonly server: string;
  /** PEM of its authorities. */
  readonly authorities: string;
}

/** `seen`: how many ConfigMaps there are. */
export const copiesAlike: Check<{ readonly told: readonly CopyTold[]; readonly seen: number }, Published> = {
  id: 'cluster-info-copies/alike',
  source: 'cmd/kubeadm/app/discovery/token/token.go; client-go, tools/clientcmd/api/v1/types.go',
  nothing: 'cluster-info tells of no server, or of no authority',
  judge: ({ told, seen }, { server, authorities }) => {
    const demanded = 'tells of this cluster what cluster-info does';
    const [place, known] = [placeOf(server), pinsIn(authorities)];
    const listed = control({ subject: 'ConfigMaps', demanded: 'can be listed', seen: `${seen}`, ok: seen > 0 });
    if (place === '' || known.length === 0) return seen > 0 ? [] : [listed];
    const found = told.flatMap(({ subject, isNamed, clusters }) => {
      const odd = clusters.flatMap((one): readonly string[] => {
        if (one.place !== place && !isNamed) return [];
        if (one.skipsTls) return [`${one.path}: whoever answers at ${one.place} is believed`];
        const isForeign = one.pins.length > 0 && !one.pins.some((pin) => known.includes(pin));
        if (isForeign) return [`${one.path}: for ${one.place} another authority`];
        const isElsewhere = isNamed && one.place !== place && !subject.startsWith(`ConfigMap ${KUBE_PUBLIC}/`);
        return isElsewhere ? [`${one.path}: another server, ${one.place || 'none'}`] : [];
      });
      const what = odd.slice(0, 5).join('; ').slice(0, 240);
      return odd.length === 0 ? [] : [refusal({ subject, demanded, seen: what, ok: false })];
    });
    return [
      listed,
      ...(found.length > 0
        ? found
        : [refusal({ subject: 'ConfigMaps', demanded, seen: `none of ${seen} differs`, ok: true })]),
    ];
  },
};

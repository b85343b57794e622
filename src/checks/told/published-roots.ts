/**
 * The ConfigMap kube-root-ca.crt, by which Pods of every namespace believe the API server: it is the same everywhere, and
 * that of the cluster.
 * Source: pkg/controller/certificates/rootcacertpublisher/publisher.go.
 */
import { record } from '../../kubernetes/json.js';
import { KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { certificatesIn } from '../certificates/x509.js';

export interface RootsPublished {
  /** "kube-system" */
  readonly namespace: string;
  /** Certificates of it, DER in base64. */
  readonly roots: readonly string[];
}

/** Whom PEM makes one believe. */
export const authoritiesOf = (pem: string): readonly string[] =>
  certificatesIn(pem).map((der) => der.toString('base64'));

/** Reader of such a ConfigMap. */
export function readRoots({ metadata, ...map }: KubeObject): RootsPublished {
  const { data } = map as Pick<ConfigMap, 'data'>;
  return { namespace: metadata.namespace ?? '', roots: authoritiesOf(data?.['ca.crt'] ?? '') };
}

interface Authorities {
  /** Of cluster-info; none: nobody says. */
  readonly known: readonly string[];
  /** Namespaces that have been there for long enough; undefined: nobody has looked for them. */
  readonly namespaces?: readonly string[];
}

/** The publisher follows within seconds. */
const FOLLOWS = 5 * 60_000;

/** Reader: the name of a namespace that has been there for longer, and stays. */
export function settledNamespace({ metadata, status }: KubeObject, now: number): string | undefined {
  const { name, creationTimestamp, deletionTimestamp } = metadata;
  const isGoing = deletionTimestamp !== undefined || record(status).phase === 'Terminating';
  return isGoing || !(now - Date.parse(creationTimestamp ?? '') > FOLLOWS) ? undefined : name;
}

/** The publisher writes all of them alike: what most have is its own, and a bundle may hold more than cluster-info does. */
function mostCommon(maps: readonly RootsPublished[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { roots } of maps) counts.set(roots.join(), (counts.get(roots.join()) ?? 0) + 1);
  const [most = ''] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return most.split(',');
}

/** Every cluster has them, and the publisher leaves none out. */
const SURE = ['default', KUBE_SYSTEM];

export const rootsAlike: Check<readonly RootsPublished[], Authorities> = {
  id: 'published-roots/alike',
  source: 'pkg/controller/certificates/rootcacertpublisher/publisher.go syncNamespace',
  nothing: 'nobody publishes kube-root-ca.crt',
  judge: (maps, { known, namespaces }) => {
    if (maps.length === 0 && namespaces === undefined) return [];
    const believed = new Set([...known, ...mostCommon(maps)]);
    const demanded = 'holds the authority of the cluster, and no other one';
    const odd = (namespace: string, seen: string) =>
      demand({ subject: `ConfigMap ${namespace}/kube-root-ca.crt`, demanded, seen, ok: false });
    const others = [
      ...maps.flatMap(({ namespace, roots }) => {
        if (roots.length === 0) return [odd(namespace, 'it holds no certificate')];
        return roots.some((one) => !believed.has(one)) ? [odd(namespace, 'it holds another authority')] : [];
      }),
      ...[...new Set([...SURE, ...(namespaces ?? [])])]
        .filter((name) => !maps.some(({ namespace }) => namespace === name))
        .map((name) => odd(name, 'it is not there')),
    ];
    return others.length > 0
      ? others
      : [demand({ subject: 'ConfigMaps kube-root-ca.crt', demanded, seen: `${maps.length} do`, ok: true })];
  },
};

/** What both ways of discovery share. */

import type { Release } from '../kubeadm/release.js';
import { textMap } from '../kubernetes/json.js';
import { CLUSTER_INFO, CLUSTER_INFO_KUBECONFIG, KUBE_PUBLIC } from '../kubernetes/names.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import { type Access, Calls, type Got, readObject } from './calls.js';
import type { ClusterInfo } from './decisions/discovery.js';
import type { JoiningDecisions } from './decisions/index.js';
import { JoinFailed } from './failures.js';
import type { Kubeconfig } from './kubeconfig.js';
import type { Machine } from './ports.js';

export const CLUSTER_INFO_KEY = CLUSTER_INFO_KUBECONFIG;

/** Who discovers, by which rules, for how long. */
export interface Discovering {
  readonly machine: Machine;
  readonly decisions: JoiningDecisions;
  readonly release: Release;
  /** Milliseconds. */
  readonly timeout: number;
  /** 0 ≤ x < 1 */
  chance(): number;
}

/** The cluster that a kubeconfig of cluster-info chooses. Throws JoinFailed where it chooses none. */
export function selectedIn({ decisions }: Discovering, config: Kubeconfig) {
  const selected = decisions.selectedCluster(config);
  if ('problem' in selected)
    throw new JoinFailed(`malformed kubeconfig in the cluster-info ConfigMap: ${selected.problem}`);
  return selected;
}

const PATH = pathOf(resources.configMaps, { namespace: KUBE_PUBLIC, name: CLUSTER_INFO });

/** One GET of cluster-info, with what is repeated inside of it. */
export async function askForClusterInfo(
  { machine, decisions }: Discovering,
  access: Access,
): Promise<Got<ClusterInfo>> {
  const result = await new Calls(machine, decisions).make(access, { path: PATH });
  return configMapData(readObject(result, 'ConfigMap', { resource: 'configmaps', name: CLUSTER_INFO }));
}

/** The data of a ConfigMap; values that are no texts make it unreadable. */
export function configMapData(got: Got<Readonly<Record<string, unknown>>>): Got<ClusterInfo> {
  if (got.kind === 'not') return got;
  const data = textMap(got.object.data);
  const strange = Object.values(data).find((value) => typeof value !== 'string');
  return strange === undefined
    ? { kind: 'got', object: data }
    : { kind: 'not', status: undefined, why: `json: cannot unmarshal ${typeof strange} into Go value of type string` };
}

/**
 * Leases by which machines say that they are alive: each is that of a Node, and its kubelet holds it under its own name.
 * Source: component-helpers, apimachinery/lease/controller.go; pkg/controller/nodelifecycle.
 */
import { record, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';

export interface LeaseSeen {
  readonly name: string;
  readonly holder: string;
  /** Milliseconds since the epoch; NaN where it is not said. */
  readonly renewed: number;
}

/** Reader. */
export function readLease({ metadata, spec }: KubeObject): LeaseSeen {
  const { holderIdentity, renewTime } = record(spec);
  return { name: metadata.name ?? '', holder: text(holderIdentity), renewed: Date.parse(text(renewTime)) };
}

/** What is renewed no more is taken away with its Node, or lies there for nobody. */
const LATELY = 10 * 60_000;

interface Around {
  /** Names of Nodes. */
  readonly nodes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const leasesOfNodes: Check<readonly LeaseSeen[], Around> = {
  id: 'node-leases/of-nodes',
  source: 'component-helpers, apimachinery/lease/controller.go; plugin/pkg/admission/noderestriction',
  nothing: 'no machine says by a Lease that it is alive',
  judge: (leases, { nodes, now }) => {
    const demanded = 'is that of a Node, and held by its kubelet';
    const known = new Set(nodes);
    const found = leases.flatMap(({ name, holder, renewed }) => {
      const isLate = now - renewed < LATELY;
      const odd = known.has(name)
        ? holder !== '' && holder !== name && `it is held by ${holder.slice(0, 100)}`
        : isLate && 'it is renewed, and there is no such Node';
      return odd === false
        ? []
        : [demand({ subject: `Lease kube-node-lease/${name}`, demanded, seen: odd, ok: false })];
    });
    if (found.length > 0 || leases.length === 0) return found;
    return [demand({ subject: 'Leases of kube-node-lease', demanded, seen: `each of ${leases.length}`, ok: true })];
  },
};

/**
 * Leases by which machines say that they are alive: each is that of a Node, and its kubelet holds it under its own name;
 * and who is taken for ready has one, and renews it.
 * Source: component-helpers, apimachinery/lease/controller.go; pkg/controller/nodelifecycle.
 */
import { record, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';

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

/** No clock of a machine is so wrong, and no kubelet so slow. */
const LONG = 24 * 3_600_000;

interface Ready {
  readonly name: string;
  /** Milliseconds since the epoch; null where it is not said. */
  readonly since: number | null;
}

interface Around {
  /** Names of Nodes. */
  readonly nodes: readonly string[];
  /** Of these the machines that are taken for ready. */
  readonly ready: readonly Ready[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Machines that are taken for ready and do not say that they are alive: some moment in which the others do is looked for
 * among their Leases, since what was written down long ago is judged as of then.
 */
function silentAmong(ready: readonly Ready[], leases: readonly LeaseSeen[], now: number): readonly Finding[] {
  const renewals = leases.map(({ renewed }) => renewed).filter((at) => at <= now);
  const then = renewals.sort((a, b) => a - b)[Math.floor(renewals.length / 2)];
  if (then === undefined) return [];
  const renewed = new Map(leases.map((lease) => [lease.name, lease.renewed]));
  return ready.flatMap(({ name, since }) => {
    if (since === null || then - since < LATELY) return [];
    const last = renewed.get(name);
    const isSilent = last === undefined || then - last > LONG;
    if (!isSilent) return [];
    const seen = last === undefined ? 'it has none' : 'it was renewed last more than a day before those of others';
    const demanded = 'has a Lease that its kubelet renews, where it is taken for ready';
    return [demand({ subject: `Node ${name}`, demanded, seen, ok: false })];
  });
}

export const leasesOfNodes: Check<readonly LeaseSeen[], Around> = {
  id: 'node-leases/of-nodes',
  source: 'component-helpers, apimachinery/lease/controller.go; plugin/pkg/admission/noderestriction',
  nothing: 'no machine says by a Lease that it is alive',
  judge: (leases, { nodes, ready, now }) => {
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
    const silent = silentAmong(
      ready,
      leases.filter(({ name }) => known.has(name)),
      now,
    );
    if (found.length > 0 || silent.length > 0 || leases.length === 0) return [...found, ...silent];
    return [demand({ subject: 'Leases of kube-node-lease', demanded, seen: `each of ${leases.length}`, ok: true })];
  },
};

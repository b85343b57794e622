/**
 * What a credential has to be allowed so that rules can be judged with it: found out by playing the rules that a cluster
 * can play on the bundled reference, and writing down what the run's own credential asks there. So it can be neither
 * more nor older than what the steps do.
 */
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import { CONFIGURATION, othersOf } from '../targets/kubeadm-signs.js';
import { openReference } from '../targets/reference.js';
import type { Abilities, Exchange, Fact, Question, Requester, Target } from '../targets/types.js';
import { type Impersonated, impersonatedBy } from './impersonation.js';
import { judge } from './judge.js';
import type { Held } from './profiles.js';
import { merged, PASSING, type Right, removalOf, rightsOf, type Single } from './rights.js';
import { seededBytes } from './seeded.js';
import type { Selection } from './select.js';

export interface Wanted {
  readonly selection: Selection;
  readonly held: Held;
  readonly allowWrites: boolean;
  readonly signal: AbortSignal;
}

/** What no cluster of somebody else has. */
const NEVER: readonly string[] = [
  'clock',
  'variants',
  'init',
  'client',
  'files',
  'preflight',
  'uploads',
  'ours',
  'fresh',
];
const HOLDS: readonly Fact[] = ['anonymous', 'controllers', 'kubeadm'];

/** Throws UsageError where nothing is chosen that such a cluster can play. */
export async function neededRights(wanted: Wanted): Promise<readonly Right[]> {
  const { selection, held, allowWrites, signal } = wanted;
  const exchanges: Exchange[] = [];
  const impersonated: Single[] = [];
  const reference = await openReference({ signal, reference: { random: seededBytes('reference') } });
  try {
    const target = asCluster(reference, allowWrites, {
      exchange: (exchange) => void exchanges.push(exchange),
      question: (question) => void impersonated.push(...impersonatedBy(question).map(impersonating)),
    });
    await judge({ target, selection, held, signal, sentences: 'not passed' });
  } finally {
    await reference.close();
  }
  const singles = exchanges.flatMap((exchange) => (exchange.as === 'admin' ? rightsOf(exchange) : removalOf(exchange)));
  return merged([...LOOKS, ...singles, ...singles.flatMap(ledTo), ...impersonated]);
}

/**
 * What one object leads to that the reference has none of: the Services that webhooks name, and who is behind them; the
 * ConfigMaps that hold parameters of policies. Parameters of other kinds are known to whoever may read them.
 */
const LEADS: Readonly<Record<string, readonly Single[]>> = {
  validatingwebhookconfigurations: [
    { verb: 'get', group: '', resource: 'services' },
    { verb: 'list', group: 'discovery.k8s.io', resource: 'endpointslices' },
  ],
  validatingadmissionpolicybindings: [
    { verb: 'get', group: '', resource: 'configmaps' },
    { verb: 'list', group: '', resource: 'configmaps' },
  ],
};
const ledTo = ({ resource }: Single): readonly Single[] => LEADS[resource] ?? [];

/** Whose name joinproof makes up is anybody. */
const impersonating = ({ name, ...one }: Impersonated): Single => ({
  verb: 'impersonate',
  ...one,
  ...(PASSING.test(name) ? {} : { name }),
});

/** Who is told what the run's own credential asks. */
interface Listener {
  readonly exchange: (exchange: Exchange) => void;
  readonly question: (question: Question) => void;
}

/** Tells the questions of the run's own credential. */
const overheard = (requests: Requester, { question: tell }: Listener): Requester => ({
  secret: (value) => requests.secret(value),
  as: (identity) => {
    const asker = requests.as(identity);
    if (identity.kind !== 'admin') return asker;
    return {
      identity,
      ask: (question) => {
        tell(question);
        return asker.ask(question);
      },
    };
  },
});

/** The reference, as a cluster of somebody else shows itself. */
export function asCluster(target: Target, allowWrites: boolean, listener: Listener): Target {
  const never = [...NEVER, ...(allowWrites ? [] : ['writes'])];
  const limited = (one: Target): Target => ({
    kind: 'cluster',
    name: one.name,
    ...(one.run === undefined ? {} : { run: one.run }),
    facts: { ...target.facts, holds: new Set(HOLDS) },
    abilities: {
      ...(Object.fromEntries(
        // time is moved where a real run would wait
        Object.entries(one.abilities).filter(([name]) => name === 'clock' || !never.includes(name)),
      ) as Partial<Abilities>),
      ...(one.abilities.requests === undefined ? {} : { requests: overheard(one.abilities.requests, listener) }),
    },
    why: (need) => one.why(need),
    close: async () => {},
  });
  const observed = (other: (exchange: Exchange) => void): Target => {
    const both = (exchange: Exchange): void => {
      listener.exchange(exchange);
      other(exchange);
    };
    return limited(target.observed?.(both) ?? target);
  };
  return { ...limited(target), observed };
}

const getting = (resource: string, name: string, namespace?: string, group = ''): Single => ({
  verb: 'get',
  group,
  resource,
  name,
  ...(namespace === undefined ? {} : { namespace }),
});

/** What opening a cluster asks: src/targets/look-around.ts, kubeadm-signs.ts and src/run/detect.ts. */
const LOOKS: readonly Single[] = [
  getting('leases', 'kube-controller-manager', KUBE_SYSTEM, 'coordination.k8s.io'),
  { verb: 'list', group: '', resource: 'pods', namespace: KUBE_SYSTEM },
  { verb: 'list', group: '', resource: 'nodes' },
  { verb: 'create', group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
  ...[CONFIGURATION, ...othersOf({ unreadable: '' })].map(({ resource, name, namespace }) =>
    getting(resource.resource, name, namespace, resource.group),
  ),
];

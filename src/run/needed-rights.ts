/**
 * What a credential has to be allowed so that rules can be judged with it: found out by playing the rules that a cluster
 * can play on the bundled reference, and writing down what the run's own credential asks there. So it can be neither
 * more nor older than what the steps do.
 */
import { record, text } from '../kubernetes/json.js';
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import { CONFIGURATION, othersOf } from '../targets/kubeadm-signs.js';
import { openReference } from '../targets/reference.js';
import type { Abilities, Exchange, Fact, Question, Requester, Target } from '../targets/types.js';
import { type Impersonated, impersonatedBy } from './impersonation.js';
import { judge } from './judge.js';
import type { Held } from './profiles.js';
import { seededBytes } from './seeded.js';
import type { Selection } from './select.js';

/** Verbs on one kind, in one namespace or everywhere. */
export interface Right {
  readonly verbs: readonly string[];
  /** '' is the core group. */
  readonly group: string;
  /** With its subresource. */
  readonly resource: string;
  /** undefined: in the whole cluster. */
  readonly namespace?: string;
  /** Of these objects only; undefined: of all. */
  readonly names?: readonly string[];
}

type Single = Omit<Right, 'verbs' | 'names'> & { readonly verb: string; readonly name?: string };

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

/** What others make for a run, machines that join it above all, its own credential removes. */
const removalOf = (exchange: Exchange): readonly Single[] =>
  exchange.method === 'POST' && exchange.status === 201 && !/[?&]dryRun=/.test(exchange.path)
    ? rightsOf(exchange).filter(({ verb }) => REMOVING.includes(verb))
    : [];

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

const PLACE =
  /^\/(?:api|apis\/([^/?]+))\/[^/?]+(?:\/namespaces\/([^/?]+))?\/([^/?]+)(?:\/([^/?]+))?(?:\/([^?]+))?(?:\?(.*))?$/;
/** Everybody who has logged in may ask these. */
const OPEN = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'selfsubjectreviews'];
/** Names that joinproof, kubelets or somebody's machines make up. */
const PASSING = /^(?:jp|joinproof|bootstrap-token|csr|node-csr)-/;
const UNNAMED = ['nodes', 'pods', 'certificatesigningrequests', 'events'];

/** The rights that one request takes, and that removing takes what it makes. */
function rightsOf({ method, path, requestBody }: Exchange): readonly Single[] {
  const parts = PLACE.exec(path);
  if (parts === null) return [];
  const [, group = '', namespace, plural = '', given, sub, query = ''] = parts;
  if (OPEN.includes(plural)) return [];
  // a Namespace is asked for by its own path
  if (plural === 'namespaces' && namespace !== undefined) return [];
  const resource = sub === undefined ? plural : `${plural}/${sub}`;
  const name = given === undefined ? undefined : decodeURIComponent(given);
  const at = { group, resource, ...(namespace === undefined ? {} : { namespace }) };
  const verb = verbOf(method, name, query);
  const lasts = name !== undefined && !PASSING.test(name) && !UNNAMED.includes(plural);
  const own: Single = { ...at, verb, ...(lasts && verb !== 'create' ? { name } : {}) };
  if (method === 'GET') return [own];
  const made =
    verb === 'create' && sub === undefined && !ASKED.includes(group)
      ? REMOVING.map((removing) => ({ ...at, verb: removing }))
      : [];
  return [own, ...made, ...beside(plural, sub, requestBody)];
}

/** Reviews are questions: nothing is made. */
const ASKED = ['authorization.k8s.io', 'authentication.k8s.io'];
const REMOVING = ['get', 'list', 'patch', 'delete', 'deletecollection'];

function verbOf(method: string, name: string | undefined, query: string): string {
  if (method === 'GET' || method === 'HEAD') {
    if (name !== undefined) return 'get';
    return /(?:^|&)watch=(?:true|1)/.test(query) ? 'watch' : 'list';
  }
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete';
  return method === 'POST' ? 'create' : method === 'PUT' ? 'update' : 'patch';
}

/** What admission and RBAC want beside the request itself. */
function beside(plural: string, sub: string | undefined, body: string | undefined): readonly Single[] {
  if (plural === 'certificatesigningrequests' && sub !== undefined)
    return [{ verb: sub === 'approval' ? 'approve' : 'sign', group: 'certificates.k8s.io', resource: 'signers' }];
  if (!/^(?:cluster)?rolebindings$/.test(plural)) return [];
  const { kind, name } = record(record(parsed(body)).roleRef);
  const resource = kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  return [{ verb: 'bind', group: 'rbac.authorization.k8s.io', resource, name: text(name) }];
}

function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

/** One entry for each kind, namespace and set of names, sorted. What is allowed everywhere is not said again. */
function merged(singles: readonly Single[]): readonly Right[] {
  const everywhere = new Set(
    singles.flatMap(({ verb, group, resource, namespace, name }) =>
      namespace === undefined && name === undefined ? [`${verb} ${group} ${resource}`] : [],
    ),
  );
  const here = new Set(
    singles.flatMap(({ verb, group, resource, namespace, name }) =>
      name === undefined ? [`${verb} ${group} ${resource} ${namespace ?? ''}`] : [],
    ),
  );
  const kept = singles.filter(({ verb, group, resource, namespace, name }) => {
    const wide = everywhere.has(`${verb} ${group} ${resource}`);
    if (namespace === undefined && name === undefined) return true;
    return !wide && (name === undefined || !here.has(`${verb} ${group} ${resource} ${namespace ?? ''}`));
  });
  const names = grouped(kept, ({ verb, group, resource, namespace = '', name }) =>
    JSON.stringify([group, resource, namespace, verb, name === undefined]),
  ).map(([first, ...others]) => ({
    ...first,
    names: [...new Set([first, ...others].flatMap(({ name }) => name ?? []))].sort(),
  }));
  return grouped(names, (one) => JSON.stringify([one.namespace ?? '', one.group, one.resource, one.names]))
    .map(([first, ...others]): Right => {
      const { group, resource, namespace, names: own } = first;
      const verbs = [...new Set([first, ...others].map(({ verb }) => verb))].sort();
      return {
        verbs,
        group,
        resource,
        ...(namespace === undefined ? {} : { namespace }),
        ...(own.length === 0 ? {} : { names: own }),
      };
    })
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

const orderOf = ({ namespace = '', group, resource, names = [] }: Right): string =>
  [namespace, group, resource, ...names].join(' ');

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const known = groups.get(keyOf(item));
    if (known === undefined) groups.set(keyOf(item), [item]);
    else known.push(item);
  }
  return [...groups.values()];
}

const API = 'rbac.authorization.k8s.io';

/** ClusterRole, Roles and bindings that give the rights to a ServiceAccount. `name`: of all of them. */
export function rolesOf(
  rights: readonly Right[],
  { name, account }: { readonly name: string; readonly account: { readonly namespace: string; readonly name: string } },
): readonly object[] {
  const subjects = [{ kind: 'ServiceAccount', ...account }];
  return grouped(rights, ({ namespace = '' }) => namespace).flatMap((own) => {
    const [{ namespace }] = own;
    const kind = namespace === undefined ? 'ClusterRole' : 'Role';
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
    const rules = grouped(own, ({ verbs, group, names = [] }) => JSON.stringify([group, names, verbs])).map((alike) => {
      const [{ verbs, group, names }] = alike;
      const resources = alike.map(({ resource }) => resource);
      return { apiGroups: [group], resources, ...(names === undefined ? {} : { resourceNames: names }), verbs };
    });
    return [
      { apiVersion: `${API}/v1`, kind, metadata, rules },
      { apiVersion: `${API}/v1`, kind: `${kind}Binding`, metadata, subjects, roleRef: { apiGroup: API, kind, name } },
    ];
  });
}

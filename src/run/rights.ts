/**
 * Rights as RBAC gives them: those that a request takes, with what removing takes what it makes; of many the fewest that
 * say the same; and the roles that give them. Pure.
 */
import { record, text } from '../kubernetes/json.js';
import type { Exchange } from '../targets/types.js';

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

/** One verb on one kind, of one object or of all. */
export type Single = Omit<Right, 'verbs' | 'names'> & { readonly verb: string; readonly name?: string };

const PLACE =
  /^\/(?:api|apis\/([^/?]+))\/[^/?]+(?:\/namespaces\/([^/?]+))?\/([^/?]+)(?:\/([^/?]+))?(?:\/([^?]+))?(?:\?(.*))?$/;
/** Everybody who has logged in may ask these. */
const OPEN = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'selfsubjectreviews'];
/** Names that joinproof, kubelets or somebody's machines make up. */
export const PASSING = /^(?:jp|joinproof|bootstrap-token|csr|node-csr)-/;
const UNNAMED = ['nodes', 'pods', 'certificatesigningrequests', 'events'];

/** The rights that one request takes, and that removing takes what it makes. */
export function rightsOf({ method, path, requestBody }: Exchange): readonly Single[] {
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

/** What others make for a run, machines that join it above all, its own credential removes. */
export const removalOf = (exchange: Exchange): readonly Single[] =>
  exchange.method === 'POST' && exchange.status === 201 && !/[?&]dryRun=/.test(exchange.path)
    ? rightsOf(exchange).filter(({ verb }) => REMOVING.includes(verb))
    : [];

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
export function merged(singles: readonly Single[]): readonly Right[] {
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

/** What operators may want of rights beyond the documents: who approves, who joins, who is let in by a static token. */
import { records, text, texts } from '../../kubernetes/json.js';
import {
  CLUSTER_INFO,
  GROUP_BOOTSTRAPPERS,
  GROUP_NODES,
  KUBE_PUBLIC,
  NODE_USER_PREFIX,
} from '../../kubernetes/names.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { likens } from '../../model/waiver.js';
import {
  administratorBindings,
  bindingName,
  bindingsOf,
  holdersOf,
  type Permission,
  type Policy,
  permissionText,
  subjectName,
} from '../authorization/rbac-policy.js';
import { isOf } from '../authorization/rbac-subjects.js';

interface Holders {
  readonly permission: Permission;
  /** As `subjectName` says it; * stands for any text. */
  readonly known: readonly string[];
}

/** Nobody holds a permission but who may do everything anyhow, and who is known. */
export const heldByKnown: Check<Policy, Holders> = {
  id: 'rights-policy/held-by-known',
  source: 'plugin/pkg/auth/authorizer/rbac/rbac.go VisitRulesFor',
  judge: (policy, { permission, known }) => {
    const demanded = `"${permissionText(permission)}" goes to nobody but administrators${known.length === 0 ? '' : ` and ${known.join(', ')}`}`;
    const administrators = administratorBindings(policy);
    const others = holdersOf(policy, permission)
      .filter(({ binding }) => !administrators.has(bindingName(binding)))
      .map(({ binding, subject }) => ({ binding: bindingName(binding), who: subjectName(subject) }))
      .filter(({ who }) => !known.some((pattern) => likens(pattern, who)));
    if (others.length === 0)
      return [refusal({ subject: 'roles and bindings', demanded, seen: 'it goes to nobody else', ok: true })];
    return others.map(({ binding, who }) =>
      refusal({ subject: binding, demanded, seen: `it goes to ${who}`, ok: false }),
    );
  },
};

/** The user of a token file, as tutorials call it. Source: 004, token authentication file. */
const STATIC_USERS = ['kubelet-bootstrap'];

export const noStaticToken: Check<Policy> = {
  id: 'rights-policy/no-static-token',
  source: '004, token authentication file: its tokens never end',
  judge: (policy) => {
    const demanded = `binds nobody of a token file (${STATIC_USERS.join(', ')})`;
    const bound = bindingsOf(policy).filter(({ subjects = [] }) =>
      subjects.some(({ kind, name }) => kind === 'User' && STATIC_USERS.includes(name)),
    );
    if (bound.length === 0)
      return [refusal({ subject: 'roles and bindings', demanded, seen: 'no binding does', ok: true })];
    return bound.map((binding) =>
      refusal({ subject: bindingName(binding), demanded, seen: 'it binds such a user', ok: false }),
    );
  },
};

/** An entry of aws-auth that makes nodes of somebody. */
export interface NodeRole {
  readonly role: string;
  readonly username: string;
}

const NODE_GROUPS = [GROUP_NODES, GROUP_BOOTSTRAPPERS];

/** Reader; undefined where the ConfigMap is not there. What is no YAML maps nobody. */
export function readNodeRoles(map: ConfigMap | undefined): NodeRole[] | undefined {
  if (map === undefined) return undefined;
  let roles: unknown;
  try {
    roles = parseYaml(map.data?.mapRoles ?? '', { maxAliasCount: 10, prettyErrors: false });
  } catch {
    return [];
  }
  return records(roles)
    .filter(({ groups }) => texts(groups).some((group) => NODE_GROUPS.includes(group)))
    .map(({ rolearn, username }) => ({ role: text(rolearn), username: text(username) }));
}

/** Each machine is itself: one name for all would make one node of them. */
export const nodeRolesNamed: Check<{ readonly roles: readonly NodeRole[] | null }> = {
  id: 'rights-policy/node-roles-named',
  source: 'AWS documentation, aws-auth: system:node:{{EC2PrivateDNSName}}',
  judge: ({ roles }) => {
    const demanded = `makes a node under a name of its own, ${NODE_USER_PREFIX}{{…}}`;
    if (roles === null || roles.length === 0)
      return [refusal({ subject: 'aws-auth', demanded, seen: 'it makes nobody a node', ok: true })];
    return roles.map(({ role, username }) =>
      demand({ subject: `aws-auth ${role}`, demanded, seen: username, ok: /^system:node:\{\{\w+\}\}$/.test(username) }),
    );
  },
};

const CLUSTER_INFO_READ: Permission = {
  kind: 'resource',
  verb: 'get',
  group: '',
  resource: 'configmaps',
  namespace: KUBE_PUBLIC,
  name: CLUSTER_INFO,
};

/** Reader: roles and bindings let strangers read cluster-info. */
export const isClusterInfoOpen = (policy: Policy): boolean =>
  holdersOf(policy, CLUSTER_INFO_READ).some(({ subject }) => isOf(subject, ['strangers', 'everybody']));

/**
 * Nobody hands out more than they hold. Source: pkg/registry/rbac/escalation_check.go;
 * pkg/registry/rbac/{role,clusterrole,rolebinding,clusterrolebinding}/policybased/storage.go;
 * pkg/registry/rbac/validation/rule.go ConfirmNoEscalation; pkg/registry/rbac/helpers.go IsOnlyMutatingGCFields.
 */
import { isDeepStrictEqual } from 'node:util';
import { goQuote } from '../../apiserver/go/text.js';
import { forbidden, notFound, plainError } from '../../apiserver/machinery/errors.js';
import type { StrategyContext } from '../../apiserver/resource-definition.js';
import type { GroupResource } from '../../apiserver/types.js';
import type { Binding, KubeObject, PolicyRule, Role } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import { aggregate, goQuoteList } from '../go-errors.js';
import { EVERYTHING } from './always-allow.js';
import type { ServerAuthorizer } from './authorizer.js';
import { compact, compactString, uncovered } from './rules.js';

const RBAC = 'rbac.authorization.k8s.io';
/** What is written, by where: in a namespace, or in none. */
const resourceIn = (namespace: string, resource: 'roles' | 'rolebindings'): GroupResource => ({
  group: RBAC,
  resource: namespace === '' ? `cluster${resource}` : resource,
});

/**
 * What the garbage collector may change (judged by the object as it was sent: one without its UID is another) without
 * anybody's rights being asked.
 */
function onlyForGarbageCollection(object: KubeObject, old: KubeObject | undefined): boolean {
  if (old === undefined) return false;
  const bare = ({ metadata, ...rest }: KubeObject): unknown => {
    const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return isDeepStrictEqual(bare(object), bare(old));
}

const aggregates = (role: KubeObject | undefined): boolean =>
  ((role as Role | undefined)?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;

/** The name that the client gave: upstream asks before it makes one from generateName, five letters longer. */
function givenName({ metadata: { name = '', generateName = '' } }: KubeObject): string {
  const generated =
    generateName !== '' &&
    name.startsWith(generateName.slice(0, 58)) &&
    name.length === Math.min(generateName.length, 58) + 5;
  return generated ? '' : name;
}

export interface EscalationHooks {
  confirmRoleWrite(role: KubeObject, old: KubeObject | undefined, context: StrategyContext): void;
  confirmBindingWrite(binding: KubeObject, old: KubeObject | undefined, context: StrategyContext): void;
}

/** `minor` of the version played. */
export function escalationHooks(authorizer: ServerAuthorizer, decisions: Decisions, minor: number): EscalationHooks {
  /** Whether the writer may use the verb on the role of that name. */
  const allowed = (
    { user, namespace }: StrategyContext,
    verb: string,
    { group, resource }: GroupResource,
    name: string,
  ): boolean =>
    authorizer.authorize({
      user,
      verb,
      isResourceRequest: true,
      path: '',
      group,
      version: '*',
      resource,
      subresource: '',
      namespace,
      name,
    }).decision === 'allow';

  /** Why these rules may not be granted; undefined: they may. */
  const problem = (rules: readonly PolicyRule[], { user, namespace }: StrategyContext): string | undefined => {
    const held = authorizer.rbac.rulesFor(user, namespace);
    const missing = uncovered(held.rules, rules, decisions.ruleCovers);
    if (missing.length === 0) return undefined;
    const lines = [...new Set(compact(missing).map(compactString))].sort();
    const unresolved = held.errors.length === 0 ? '' : `; resolution errors: [${aggregate(held.errors)}]`;
    const who = `user ${goQuote(user.username)} (groups=${goQuoteList(user.groups)})`;
    return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${unresolved}`;
  };

  return {
    confirmRoleWrite(role, old, context) {
      const resource = resourceIn(context.namespace, 'roles');
      const name = givenName(role);
      // A creation by POST names nothing in its path.
      const asked = old === undefined ? '' : name;
      const skip = decisions.maySkipEscalationCheck(context.user, 'escalate', (verb) =>
        allowed(context, verb, resource, asked),
      );
      if (skip || onlyForGarbageCollection(context.sent ?? role, old)) return;
      const why = problem((role as Role).rules ?? [], context);
      if (why !== undefined) throw forbidden(resource, name, why);
      if ((aggregates(role) || aggregates(old)) && problem(EVERYTHING, context) !== undefined) {
        throw forbidden(resource, name, 'must have cluster-admin privileges to use the aggregationRule');
      }
    },
    confirmBindingWrite(binding, old, context) {
      const resource = resourceIn(context.namespace, 'rolebindings');
      if (onlyForGarbageCollection(context.sent ?? binding, old)) return;
      const { roleRef } = binding as Binding;
      const skip = decisions.maySkipEscalationCheck(context.user, 'bind', (verb) => {
        const place = decisions.roleOf(roleRef, context.namespace);
        return (
          place !== undefined &&
          allowed(context, verb, { group: roleRef.apiGroup, resource: place.resource }, roleRef.name)
        );
      });
      if (skip) return;
      const found = authorizer.rbac.rulesOfRole(roleRef, context.namespace);
      if ('error' in found) {
        if (found.missing === undefined) throw plainError(found.error);
        // The error names the resource of the request or of the role, always with the name of the role.
        throw notFound(
          decisions.missingRoleNamesRequest(minor) ? resource : { group: RBAC, resource: found.missing.resource },
          found.missing.name,
        );
      }
      const why = problem(found.rules, context);
      if (why !== undefined) throw forbidden(resource, givenName(binding), why);
    },
  };
}

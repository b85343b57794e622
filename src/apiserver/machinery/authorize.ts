/**
 * Questions to the authorizer. Source: apiserver, pkg/endpoints/filters/authorization.go,
 * pkg/endpoints/handlers/create.go withAuthorization.
 */
import type { UserInfo } from '../../kubernetes/objects.js';
import type { AuthorizationAttributes, RequestInfo } from '../access.js';
import { denied } from './errors.js';
import { type FieldRequirement, parseFieldSelector } from './field-selector.js';
import type { Machinery, Scope, Target } from './machinery.js';

export function attributesFor(user: UserInfo, info: RequestInfo): AuthorizationAttributes {
  let fieldRequirements: readonly FieldRequirement[] | undefined;
  if (
    info.isResourceRequest &&
    info.fieldSelector !== undefined &&
    (info.verb === 'list' || info.verb === 'watch' || info.verb === 'deletecollection')
  ) {
    const parsed = parseFieldSelector(info.fieldSelector);
    if ('requirements' in parsed) fieldRequirements = parsed.requirements;
  }
  return {
    user,
    verb: info.verb,
    isResourceRequest: info.isResourceRequest,
    path: info.path,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    ...(fieldRequirements === undefined ? {} : { fieldRequirements }),
  };
}

/** @throws 403 unless the authorizer allows it */
export function authorize(machinery: Machinery, attributes: AuthorizationAttributes): void {
  const { decision, reason } = machinery.authorizer.authorize(attributes);
  if (!machinery.manners.isAllowed(decision)) throw denied(attributes, reason);
}

/** The question that an in-process client's call stands for. */
export function attributesOfTarget(user: UserInfo, target: Target, verb: string): AuthorizationAttributes {
  const { definition } = target;
  const isNamespace = definition.group === '' && definition.resource === 'namespaces';
  return {
    user,
    verb,
    isResourceRequest: true,
    path: '',
    group: definition.group,
    version: definition.version,
    resource: definition.resource,
    subresource: target.subresource?.name ?? '',
    namespace: isNamespace ? target.name : target.namespace,
    name: target.name,
  };
}

/** A PUT or an apply that turns out to create needs the right to create, too. */
export const authorizeCreate = ({ machinery, target, caller }: Scope): void =>
  authorize(machinery, attributesOfTarget(caller.user, target, 'create'));

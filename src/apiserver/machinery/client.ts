/** The API for inner parts: synchronous, without HTTP, through the same authorization, admission and validation. */
import type { KubeObject, UserInfo } from '../../kubernetes/objects.js';
import { type ApiClient, ApiError, type GroupResource } from '../types.js';
import { admitted, ending } from './act.js';
import { attributesOfTarget, authorize } from './authorize.js';
import { create } from './create.js';
import { toObject } from './decode.js';
import { remove } from './delete.js';
import { badRequest, noSuchPath } from './errors.js';
import { groupResource, type Machinery, type Scope, storedObject, strategyContext, type Target } from './machinery.js';
import { APPLY, patchObject } from './patch.js';
import type { Routes } from './routes.js';
import { replace } from './update.js';

const NOTHING = Buffer.alloc(0);

export function clientFor(machinery: Machinery, routes: Routes, user: UserInfo, manager: string): ApiClient {
  const targetOf = (
    resource: GroupResource,
    namespace: string | undefined,
    name: string,
    subresourceName?: string,
  ): Target => {
    const definition = routes.byGroupResource.get(`${resource.group}/${resource.resource}`);
    if (definition === undefined) throw noSuchPath();
    const subresource =
      subresourceName === undefined
        ? undefined
        : definition.subresources.find((candidate) => candidate.name === subresourceName);
    if (subresourceName !== undefined && subresource === undefined) throw noSuchPath();
    return { definition, namespace: definition.namespaced ? (namespace ?? '') : '', name, subresource };
  };
  const ask = (target: Target, verb: string): void => authorize(machinery, attributesOfTarget(user, target, verb));
  const decoded = (target: Target, object: KubeObject): KubeObject =>
    toObject({ value: object, duplicates: [] }, NOTHING, {
      expected: target.definition,
      definition: target.definition,
      kinds: routes,
      validation: 'Ignore',
      warnings: [],
    });
  const scopeOf = (target: Target): Scope => ({
    machinery,
    target,
    caller: { user, warnings: [], dryRun: false, manager },
  });

  return {
    user,
    get(resource, namespace, name) {
      const target = targetOf(resource, namespace, name);
      ask(target, 'get');
      return storedObject({ machinery, target });
    },
    list(resource, namespace) {
      const target = targetOf(resource, namespace, '');
      ask(target, 'list');
      return machinery.store.list(
        groupResource(target.definition),
        target.definition.namespaced && target.namespace !== '' ? target.namespace : undefined,
      );
    },
    create(resource, object, options = {}) {
      const target = targetOf(resource, object.metadata.namespace, options.parent ?? '', options.subresource);
      ask(target, 'create');
      if (target.subresource?.kind === 'action') {
        const scope = scopeOf(target);
        const answer = target.subresource.act({
          parent: storedObject(scope),
          name: target.name,
          body: admitted(scope, 'CREATE', object),
          context: strategyContext(scope),
          end: ending(scope),
        });
        if (answer.code >= 400) throw new ApiError(answer.code, '', 'the subresource refused');
        return answer.object as KubeObject;
      }
      if (target.subresource !== undefined) throw badRequest('only a subresource that acts can be created');
      return create(scopeOf(target), decoded(target, object)).object;
    },
    update(resource, object, options = {}) {
      const target = targetOf(resource, object.metadata.namespace, object.metadata.name ?? '', options.subresource);
      ask(target, 'update');
      return replace(scopeOf(target), decoded(target, object)).object;
    },
    apply(resource, fields, by) {
      const target = targetOf(resource, undefined, fields.metadata.name ?? '');
      ask(target, 'patch');
      const scope = scopeOf(target);
      return patchObject(
        { ...scope, caller: { ...scope.caller, manager: by } },
        APPLY,
        Buffer.from(JSON.stringify(fields)),
        {
          dryRun: false,
          fieldManager: by,
          fieldValidation: 'Strict',
          force: true,
        },
      ).object;
    },
    delete(resource, namespace, name, options = {}) {
      const target = targetOf(resource, namespace, name);
      ask(target, 'delete');
      const { uid, ...others } = options;
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      remove(scopeOf(target), { dryRun: false, ...preconditions, ...others });
    },
  };
}

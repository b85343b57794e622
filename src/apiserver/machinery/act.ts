/**
 * Subresources that answer by themselves: token, eviction, scale, proxies. Source: apiserver,
 * pkg/endpoints/handlers/{create,update,patch}.go with a NamedCreater or a Getter.
 */
import { isRecord, record } from '../../kubernetes/json.js';
import type { KubeObject, Status } from '../../kubernetes/objects.js';
import { jsonPatch, mergePatch, PatchFailed } from '../../kubernetes/patch-json.js';
import type { Asked, ResourceDefinition, Subresource } from '../resource-definition.js';
import { inNamespace } from './create.js';
import { BodyError, decodeBody, decodeObject, type Kinds, mediaTypeOf } from './decode.js';
import { evict } from './delete.js';
import { badRequest, patchRejected } from './errors.js';
import { admit, mutate, type Scope, storedObject, strategyContext } from './machinery.js';
import { trackUpdate } from './managed-fields.js';
import { deleteOptions, deleteOptionsFromBody, type FieldValidation } from './options.js';
import type { Action } from './routes.js';
import { checkName } from './update.js';

export type ActingSubresource = Extract<Subresource, { kind: 'action' }>;

export interface Acted {
  readonly code: number;
  readonly object: KubeObject | Status;
}

const objectOf = (value: unknown): KubeObject =>
  isRecord(value) ? { ...value, metadata: record(value.metadata) } : { metadata: {} };

function valuesOf(contentType: string | undefined, bytes: Buffer): unknown {
  return bytes.length === 0 ? {} : bodyRead(() => decodeBody(mediaTypeOf(contentType), bytes).value);
}

/** @throws ApiError: 400 for a body of another shape */
function bodyRead<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BodyError) throw badRequest(error.message);
    throw error;
  }
}

/**
 * The kind that the subresource is sent, as if it had a resource of its own; undefined where any body is taken, as by
 * proxies.
 */
function sentKind(
  definition: ResourceDefinition,
  { answersWith, body }: ActingSubresource,
): ResourceDefinition | undefined {
  if (body === undefined) return undefined;
  return { ...definition, ...answersWith, schema: body.schema, strategy: { default: body.inGoForm } };
}

/** What a patch of the subresource's own object makes of it. */
function patched(view: unknown, contentType: string, bytes: Buffer): unknown {
  const patch = valuesOf(contentType.includes('yaml') ? 'application/yaml' : 'application/json', bytes);
  if (!Array.isArray(patch)) return mergePatch(view, patch);
  try {
    return jsonPatch(view, patch);
  } catch (error) {
    if (error instanceof PatchFailed) throw patchRejected();
    throw error;
  }
}

/** How a subresource deletes what it is of. */
export const ending =
  (scope: Scope): Parameters<ActingSubresource['act']>[0]['end'] =>
  (object, given) =>
    evict(scope, object, deleteOptions(bodyRead(() => deleteOptionsFromBody(given))));

export interface SentBody {
  readonly contentType?: string;
  readonly bytes: Buffer;
  readonly kinds: Kinds;
  readonly validation: FieldValidation;
  readonly asked: Asked;
}

/** A request to such a subresource; admission sees what is written. @throws ApiError */
export function act(scope: Scope, subresource: ActingSubresource, action: Action, body: SentBody): Acted {
  const { target, caller } = scope;
  const { definition, name } = target;
  const parent = storedObject(scope);
  const context = strategyContext(scope);
  const run = (given: KubeObject): Acted =>
    subresource.act({ parent, name, body: given, context, end: ending(scope), asked: body.asked });
  if (action === 'get' || action === 'delete') return run({ metadata: {} });
  const sent = sentKind(definition, subresource);
  const decoded = (): KubeObject =>
    sent === undefined
      ? objectOf(valuesOf(body.contentType, body.bytes))
      : decodeObject(body.contentType, body.bytes, {
          expected: subresource.answersWith,
          definition: sent,
          kinds: body.kinds,
          validation: body.validation,
          warnings: caller.warnings,
        });
  if (action === 'create') {
    const object = decoded();
    if (sent !== undefined) inNamespace(object, target);
    const tracked =
      sent === undefined
        ? object
        : trackUpdate({ ...scope, target: { ...target, definition: sent } }, undefined, object);
    return run(admitted(scope, 'CREATE', tracked));
  }
  if (subresource.connects === true) return run(admitted(scope, 'UPDATE', decoded()));
  // What there is nothing of is not admitted.
  const changed = (object: KubeObject): Acted => run(parent === undefined ? object : admitted(scope, 'UPDATE', object));
  if (action === 'update') return changed(checkName(inNamespace(decoded(), target), target));
  const view = run({ metadata: {} }).object;
  return changed(checkName(objectOf(patched(view, body.contentType ?? '', body.bytes)), target));
}

/** A body after admission. */
export function admitted(scope: Scope, operation: 'CREATE' | 'UPDATE', given: KubeObject): KubeObject {
  const object = mutate(scope, operation, given);
  admit(scope, operation, { object });
  return object;
}

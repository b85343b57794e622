/** PATCH. */
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Kinds } from './decode.js';
import { toObject } from './decode.js';
import { badRequest, notFound, patchMediaType } from './errors.js';
import { JsonSyntaxError, parseJson } from './go-json.js';
import { type Caller, groupResource, type Machinery, type Target } from './machinery.js';
import { trackUpdate } from './managed-fields.js';
import type { WriteOptions } from './options.js';
import { change, checkName, type Updated } from './update.js';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7386. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const out: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = mergePatch(out[key], value);
  }
  return out;
}

export function patchObject(
  machinery: Machinery,
  kinds: Kinds,
  target: Target,
  mediaType: string,
  body: Buffer,
  options: WriteOptions,
  caller: Caller,
): Updated {
  if (mediaType !== 'application/merge-patch+json' && mediaType !== 'application/strategic-merge-patch+json') throw patchMediaType();
  const live = machinery.store.get(groupResource(target.definition), target.definition.namespaced ? target.namespace : undefined, target.name);
  if (live === undefined) throw notFound(groupResource(target.definition), target.name);
  let parsed: ReturnType<typeof parseJson>;
  try {
    parsed = parseJson(body.toString('utf8'));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
  const merged = mergePatch(live, parsed.value);
  const wanted: KubeObject = toObject(
    { value: merged, duplicates: parsed.duplicates },
    body,
    target.definition,
    target.definition,
    kinds,
    options.fieldValidation,
    caller.warnings,
  );
  return { object: change(machinery, target, live, trackUpdate(machinery, target, live, checkName(wanted, target), caller), caller), created: false };
}

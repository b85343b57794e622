/** Careful access to objects whose fields are not known to the compiler, and changed copies of them. */
import { type Fields, record } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';

export const spec = (object: KubeObject): Fields => record(object.spec);
export const status = (object: KubeObject): Fields => record(object.status);

/** A copy with some fields set; `undefined` removes a field. */
export function withFields<T extends Fields>(object: T, fields: Fields): T {
  const out: Record<string, unknown> = { ...object, ...fields };
  for (const [key, value] of Object.entries(fields)) if (value === undefined) delete out[key];
  return out as T;
}

/** A copy in which absent (or empty text) fields have the given values. */
export function withDefaults(object: Fields, defaults: Fields): Fields {
  const out: Record<string, unknown> = { ...object };
  for (const [key, value] of Object.entries(defaults))
    if (out[key] === undefined || out[key] === null || out[key] === '') out[key] = value;
  return out;
}

/** A copy with new metadata fields. */
export const withMetadata = (object: KubeObject, fields: Partial<KubeObject['metadata']>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ...fields },
});

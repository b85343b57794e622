/** Careful access to objects whose fields are not known to the compiler: what is not of the wanted type reads as empty. */
import type { KubeObject } from '../../kubernetes/objects.js';

export type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const record = (value: unknown): Fields => (isRecord(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const records = (value: unknown): readonly Fields[] => list(value).map(record);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const texts = (value: unknown): readonly string[] => list(value).map(text);
export const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
export const textMap = (value: unknown): Readonly<Record<string, string>> =>
  record(value) as Readonly<Record<string, string>>;

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

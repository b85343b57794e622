/** Shapes of objects as their readers know them: which fields they have, and of what type. */
import { isRecord } from '../../kubernetes/json.js';

export type Type = 'text' | 'number' | 'switch' | 'fields' | 'list' | 'texts' | 'number or text' | 'quotient';
export interface Shape {
  readonly [field: string]: Type | Shape | readonly [Shape];
}

export const kinds = <T extends Type>(type: T, names: string): Readonly<Record<string, T>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, type] as const));

const FITS: Readonly<Record<Type, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => Number.isInteger(value),
  switch: (value) => typeof value === 'boolean',
  fields: isRecord,
  list: Array.isArray,
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  quotient: (value) => typeof value === 'number',
  'number or text': (value) => typeof value === 'string' || Number.isInteger(value),
};
const isType = (shape: Shape[string]): shape is Type => typeof shape === 'string';
const isList = (shape: Shape[string]): shape is readonly [Shape] => Array.isArray(shape);

/** A member that is null is one that is not there. */
function problemsIn(value: unknown, shape: Shape[string] | undefined, path: string): readonly string[] {
  if (shape === undefined) return [`${path} is no field`];
  if (value === null || value === undefined) return [];
  if (isType(shape)) return FITS[shape](value) ? [] : [`${path} is of another type`];
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path} is of another type`];
    return value.flatMap((item, at) => problemsIn(item, shape[0], `${path}[${at}]`));
  }
  if (!isRecord(value)) return [`${path} is of another type`];
  return Object.entries(value).flatMap(([name, member]) =>
    problemsIn(member, Object.hasOwn(shape, name) ? shape[name] : undefined, path === '' ? name : `${path}.${name}`),
  );
}

/** What is no field of that shape, or of another type: sentences. */
export const oddFields = (value: unknown, shape: Shape): readonly string[] => problemsIn(value, shape, '');

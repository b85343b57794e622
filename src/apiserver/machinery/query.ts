/** Query parameters as the API server converts them. Source: apimachinery, pkg/runtime/conversion.go, pkg/conversion/queryparams. */

import { parseInt64 } from '../go/text.js';
import { badRequest } from './errors.js';

/** Go's conversion of a query value to bool: everything but "", "false" and "0" is true. Absent is false. */
export const truthy = (value: string | null): boolean =>
  value !== null && value.toLowerCase() !== 'false' && value !== '0';

/** An int64 of the query; undefined where it is absent. @throws 400 with strconv's words */
export function int64(query: URLSearchParams, key: string): number | undefined {
  const text = query.get(key);
  if (text === null) return undefined;
  const parsed = parseInt64(text);
  if ('error' in parsed) throw badRequest(parsed.error);
  return parsed.value;
}

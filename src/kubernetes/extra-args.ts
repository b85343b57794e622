/**
 * Flags as the documents of kubeadm give them.
 * Source: cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go Arg; v1beta3/conversion.go convertToArgs.
 */
import { isRecord, records, text, textMap } from './json.js';

/** A flag as a user gives it; a name may come more than once. */
export type Argument = readonly [name: string, value: string];

/** A list of name and value since v1beta4, a map before, which is sorted. */
export const argumentsIn = (given: unknown): readonly Argument[] =>
  isRecord(given)
    ? Object.entries(textMap(given)).sort(([a], [b]) => (a < b ? -1 : 1))
    : records(given).map((one): Argument => [text(one.name), text(one.value)]);

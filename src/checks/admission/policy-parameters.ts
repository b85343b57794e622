/**
 * Parameters of admission policies: the objects that a binding hands to the expressions of its policy. Where they are
 * not to be had the request is refused, whatever the conditions and the actions say; kube-apiserver 1.36 does so.
 * Source: apiserver, pkg/admission/plugin/policy/generic/policy_dispatcher.go CollectParams, policy_source.go.
 */
import { isRecord, record, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { UNKNOWN, type Value } from './cel.js';
import { type JoiningRequest, picks } from './joining-requests.js';

/** What there is of the kind that a policy names, as far as one of its bindings refers to it. */
export interface ParametersSeen {
  /** Does the API server serve the kind? */
  readonly served: boolean;
  readonly namespaced: boolean;
  /** undefined: they could not be read. */
  readonly objects?: readonly KubeObject[];
}

/** Of bindings, by their names. */
export type ParametersByBinding = Readonly<Record<string, ParametersSeen>>;

/** JSON as expressions see it. */
const seenAs = (given: unknown): Value => {
  if (given === null || ['string', 'number', 'boolean'].includes(typeof given)) return given as Value;
  if (Array.isArray(given)) return given.map(seenAs);
  return isRecord(given)
    ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, seenAs(value)]))
    : UNKNOWN;
};

interface Bound {
  readonly paramKind: unknown;
  readonly paramRef: unknown;
  readonly seen: ParametersSeen | undefined;
}

/** What the expressions are handed, once for each object; a text: why nothing is. */
export function parametersFor({ paramKind, paramRef, seen }: Bound, asked: JoiningRequest): readonly Value[] | string {
  if (!isRecord(paramKind)) return [null];
  if (seen?.served === false) return `the API server serves no ${text(paramKind.apiVersion)} ${text(paramKind.kind)}`;
  if (!isRecord(paramRef)) return [null];
  if (seen === undefined) return [UNKNOWN];
  const { name, namespace, selector, parameterNotFoundAction } = paramRef;
  const space = seen.namespaced ? text(namespace) || asked.namespace : '';
  if (seen.namespaced && space === '') return 'its parameters are looked for in the namespace of what has none';
  if (seen.objects === undefined) return [UNKNOWN];
  const found = seen.objects
    .filter(({ metadata }) => !seen.namespaced || metadata.namespace === space)
    .filter(({ metadata }) =>
      text(name) === '' ? picks(record(selector), metadata.labels ?? {}) : metadata.name === name,
    );
  if (found.length === 0 && parameterNotFoundAction === 'Deny')
    return `there is no ${[text(paramKind.kind), [space, text(name) || '*'].filter((part) => part !== '').join('/')].join(' ')}`;
  return found.map(seenAs);
}

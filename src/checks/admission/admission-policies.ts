/**
 * Admission policies as joining machines meet them: what a ValidatingAdmissionPolicy certainly refuses of what they do,
 * and what a MutatingAdmissionPolicy makes of what they ask for. Where an expression asks for what is not known, nothing
 * is said.
 * Source: apiserver, pkg/admission/plugin/policy/{generic,matching,validating,mutating}.
 */
import { record, records, text, texts } from '../../kubernetes/json.js';
import { LABEL_CONTROL_PLANE } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { refusal } from '../../model/finding.js';
import { opinionsOf, type Scope, UNKNOWN, type Value, type Variable } from './cel.js';
import {
  areFor,
  conditionsOf,
  isNamedBy,
  JOINING,
  type JoiningRequest,
  type Labels,
  type NamespaceLabels,
  requestText,
  scopeOf,
  variantsOf,
} from './joining-requests.js';
import { changeOf } from './policy-mutations.js';
import { type ParametersByBinding, type ParametersSeen, parametersFor } from './policy-parameters.js';

/** One policy with its bindings. */
export interface JudgedPolicy {
  /** "ValidatingAdmissionPolicy a" */
  readonly subject: string;
  /** What of joining it certainly refuses, and by what: "create nodes (expression 1: false)". */
  readonly refuses: readonly string[];
  /** What it certainly changes. */
  readonly changes: readonly string[];
}

/** Rules without a resource name anything; a name is known of no request, and names hold nothing off for sure. */
function isMatched(resources: unknown, asked: JoiningRequest, labels: NamespaceLabels): boolean {
  const match = record(resources);
  const rules = records(match.resourceRules);
  const named = rules.filter(({ resourceNames }) => texts(resourceNames).length === 0);
  return (
    areFor(match, asked, labels) &&
    !isNamedBy(match.excludeResourceRules, asked) &&
    (rules.length === 0 || isNamedBy(named, asked))
  );
}

interface Judged {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly variables: readonly Variable[];
  /** What is not worked out is refused. */
  readonly fails: boolean;
}

const variablesOf = (spec: Readonly<Record<string, unknown>>): readonly Variable[] =>
  records(spec.variables).map(({ name, expression }) => ({ name: text(name), expression: text(expression) }));

const scoped = (asked: JoiningRequest, labels: NamespaceLabels, params: Value): Scope => ({
  ...scopeOf(asked, labels),
  params,
});

/** By one object of parameters; '' where nothing is certainly refused. */
function refusedWith({ spec, variables, fails }: Judged, scope: Scope): string {
  const through = conditionsOf(spec, scope);
  if (through === 'error' && fails) return 'its conditions end in an error';
  if (through !== 'true') return '';
  const validations = records(spec.validations).map(({ expression }) => text(expression));
  const said = opinionsOf(validations, scope, variables);
  const refusing = said.findIndex((one) => one === 'false' || (one === 'error' && fails));
  return refusing === -1
    ? ''
    : `validation ${refusing + 1} ${said[refusing] === 'false' ? 'is false' : 'ends in an error'}`;
}

/** A binding of a policy that is for a request. */
interface Binding {
  readonly paramRef: unknown;
  readonly seen: ParametersSeen | undefined;
  /** Without it, what is refused is told and let through. */
  readonly denies: boolean;
}

/** '' where nothing is certainly refused. Expressions of mutating policies validate nothing. */
function refusedBy(policy: Judged, asked: JoiningRequest, labels: NamespaceLabels, bound: readonly Binding[]): string {
  const { paramKind } = policy.spec;
  for (const { paramRef, seen, denies } of bound) {
    const handed = parametersFor({ paramKind, paramRef, seen }, asked);
    if (typeof handed === 'string') {
      if (policy.fails) return handed;
      continue;
    }
    if (!denies) continue;
    const how = handed.map((params) => refusedWith(policy, scoped(asked, labels, params))).find((one) => one !== '');
    if (how !== undefined) return how;
  }
  return '';
}

interface Policies {
  readonly policies: readonly KubeObject[];
  readonly bindings: readonly KubeObject[];
  readonly parameters?: ParametersByBinding;
}

interface Asked {
  readonly one: JoiningRequest;
  /** The same as several machines may ask. */
  readonly variants: readonly JoiningRequest[];
  readonly bound: readonly Binding[];
}

/** What of the cluster policies may go by. */
export interface Surroundings {
  /** Of the namespaces that joining writes to. */
  readonly labels: NamespaceLabels;
  /** Of the Nodes that are no control planes. */
  readonly workers?: readonly Labels[];
}

/** Roles that are given by others, and none that a kubelet gives itself. */
const CONTROL_PLANES = [LABEL_CONTROL_PLANE, 'node-role.kubernetes.io/master'];

/** Those of Nodes that are no control planes. */
export const labelsOfWorkers = (nodes: readonly { readonly labels: Labels }[]): readonly Labels[] =>
  nodes.map(({ labels }) => labels).filter((labels) => !CONTROL_PLANES.some((key) => Object.hasOwn(labels, key)));

function policiesIn(
  { policies, bindings, parameters = {} }: Policies,
  { labels, workers = [] }: Surroundings,
): readonly (Judged & { readonly subject: string; readonly asked: readonly Asked[] })[] {
  const all = bindings.map(({ metadata: { name = '' }, spec: given }) => {
    const spec = record(given);
    const { paramRef, validationActions, policyName, matchResources } = spec;
    const denies = validationActions === undefined || texts(validationActions).includes('Deny');
    return { paramRef, seen: parameters[name], denies, policyName, matchResources };
  });
  return policies.map((policy) => {
    const spec = record(policy.spec);
    const own = all.filter(({ policyName }) => policyName === policy.metadata.name);
    return {
      subject: `${policy.kind ?? 'AdmissionPolicy'} ${policy.metadata.name ?? ''}`,
      spec,
      variables: variablesOf(spec),
      fails: text(spec.failurePolicy) !== 'Ignore',
      asked: JOINING.filter((one) => one.ofWebhooks !== true && isMatched(spec.matchConstraints, one, labels)).map(
        (one) => ({
          one,
          variants: variantsOf(one, workers),
          // a kind that nobody serves is an error of the policy, whatever its bindings are for
          bound: own.filter(
            ({ matchResources, seen }) => seen?.served === false || isMatched(matchResources, one, labels),
          ),
        }),
      ),
    };
  });
}

/** What is so of every machine, each once; how it is so of the first. */
function told(
  { asked }: { readonly asked: readonly Asked[] },
  by: (one: JoiningRequest, bound: readonly Binding[]) => string,
): readonly string[] {
  const all = asked.flatMap(({ one, variants, bound }) => {
    const how = variants.map((variant) => by(variant, bound));
    return how.includes('') ? [] : [`${requestText(one)} (${how[0] ?? ''})`];
  });
  return [...new Set(all)];
}

/** Reader. Kinds of the objects are said. */
export function readPolicies(validating: Policies, mutating: Policies, around: Surroundings): readonly JudgedPolicy[] {
  const { labels } = around;
  return [
    ...policiesIn(validating, around).map((policy) => ({
      subject: policy.subject,
      refuses: told(policy, (one, bound) => refusedBy(policy, one, labels, bound)),
      changes: [],
    })),
    ...policiesIn(mutating, around).map((policy) => {
      const unvalidated: Judged = { ...policy, spec: { ...policy.spec, validations: [] } };
      const isChanged = (one: JoiningRequest): boolean =>
        conditionsOf(policy.spec, scoped(one, labels, UNKNOWN)) === 'true';
      return {
        subject: policy.subject,
        refuses: told(policy, (one, bound) =>
          refusedBy(
            unvalidated,
            one,
            labels,
            bound.map((binding) => ({ ...binding, denies: false })),
          ),
        ),
        changes: told(policy, (one, bound) =>
          bound.length > 0 && isChanged(one) ? changeOf(records(policy.spec.mutations), one) : '',
        ),
      };
    }),
  ];
}

/** Without one of these requests no join comes to its end. */
export const policiesLetJoin: Check<readonly JudgedPolicy[]> = {
  id: 'admission-policies/let-join',
  source: 'apiserver, pkg/admission/plugin/policy/validating/dispatcher.go',
  nothing: 'there is no admission policy',
  judge: (policies) =>
    policies.map(({ subject, refuses, changes }) =>
      refusal({
        subject,
        demanded: 'neither refuses nor changes what machines ask for that join',
        seen:
          [
            ...(refuses.length === 0 ? [] : [`it refuses ${refuses.join(', ')}`]),
            ...(changes.length === 0 ? [] : [`it changes ${changes.join(', ')}`]),
          ].join('; ') || 'nothing shows that it does',
        ok: refuses.length === 0 && changes.length === 0,
      }),
    ),
};

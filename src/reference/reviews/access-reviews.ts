/**
 * Reviews: kinds that answer a question instead of being stored. Source:
 * pkg/registry/authorization/{subjectaccessreview,localsubjectaccessreview,
 * selfsubjectaccessreview,selfsubjectrulesreview}/rest.go; pkg/registry/authentication/{tokenreview,selfsubjectreview}.
 */

import type { Authenticator, AuthorizationAttributes } from '../../apiserver/access.js';
import { rfc3339 } from '../../apiserver/clock.js';
import { badRequest, invalid } from '../../apiserver/machinery/errors.js';
import { parseFieldSelector } from '../../apiserver/machinery/field-selector.js';
import { parseLabelSelector } from '../../apiserver/machinery/label-selector.js';
import type { Lifetime, ResourceDefinition } from '../../apiserver/resource-definition.js';
import { type Fields, isRecord, list, record, records, text, texts } from '../../kubernetes/json.js';
import type { KubeObject, UserInfo } from '../../kubernetes/objects.js';
import type { ServerAuthorizer } from '../authorization/authorizer.js';
import type { Decisions } from '../decisions.js';
import { aggregate } from '../go-errors.js';
import { type ReviewKind, reviewSchemas } from './review-schemas.js';
import { validateAccessReview } from './review-validation.js';

const AUTHORIZATION = 'authorization.k8s.io';
const AUTHENTICATION = 'authentication.k8s.io';

type Requirements = NonNullable<AuthorizationAttributes['fieldRequirements']>;
interface ReadSelector {
  readonly requirements: Requirements;
  /** Something of the selector was not understood. */
  readonly failed: boolean;
}

/** Source: pkg/registry/authorization/util/helpers.go ResourceAttributesFrom, fieldSelectorAsSelector. */
function readFieldSelector(selector: Fields): ReadSelector {
  const raw = text(selector.rawSelector);
  if (raw !== '') {
    const parsed = parseFieldSelector(raw);
    return 'error' in parsed
      ? { requirements: [], failed: true }
      : { requirements: parsed.requirements, failed: false };
  }
  let failed = false;
  const requirements = records(selector.requirements).flatMap((requirement): Requirements => {
    const [value, ...more] = texts(requirement.values);
    const operator = requirement.operator === 'In' ? '=' : requirement.operator === 'NotIn' ? '!=' : undefined;
    if (operator !== undefined && value !== undefined && more.length === 0)
      return [{ field: text(requirement.key), operator, value }];
    failed = true;
    return [];
  });
  return { requirements, failed };
}

/** How many requirements of a label selector are understood, and whether some are not. */
function readLabelSelector(selector: Fields): { readonly understood: number; readonly failed: boolean } {
  const raw = text(selector.rawSelector);
  if (raw !== '') {
    const parsed = parseLabelSelector(raw);
    return 'error' in parsed
      ? { understood: 0, failed: true }
      : { understood: parsed.requirements.length, failed: false };
  }
  const all = records(selector.requirements);
  const known = all.filter((requirement) =>
    ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(text(requirement.operator)),
  );
  return { understood: known.length, failed: known.length < all.length };
}

const ignored = (name: string, some: boolean): string =>
  `spec.resourceAttributes.${name} ${some ? 'partially ignored' : 'ignored'} due to parse error`;

/** The question that a review's spec asks, and what of it was not understood. */
function question(
  spec: Fields,
  user: UserInfo,
): { readonly attributes: AuthorizationAttributes; readonly errors: readonly string[] } {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const none = { user, path: '', group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };
  if (!isRecord(resourceAttributes)) {
    const { path, verb } = record(nonResourceAttributes);
    return { attributes: { ...none, isResourceRequest: false, path: text(path), verb: text(verb) }, errors: [] };
  }
  const errors: string[] = [];
  let fieldRequirements: Requirements | undefined;
  if (isRecord(resourceAttributes.fieldSelector)) {
    const read = readFieldSelector(resourceAttributes.fieldSelector);
    if (read.failed) errors.push(ignored('fieldSelector', read.requirements.length > 0));
    if (read.requirements.length > 0) fieldRequirements = read.requirements;
  }
  if (isRecord(resourceAttributes.labelSelector)) {
    const read = readLabelSelector(resourceAttributes.labelSelector);
    if (read.failed) errors.push(ignored('labelSelector', read.understood > 0));
  }
  const { verb, group, version, resource, subresource, namespace, name } = resourceAttributes;
  return {
    attributes: {
      user,
      path: '',
      isResourceRequest: true,
      verb: text(verb),
      group: text(group),
      version: text(version) === '' ? '*' : text(version),
      resource: text(resource),
      subresource: text(subresource),
      namespace: text(namespace),
      name: text(name),
      ...(fieldRequirements === undefined ? {} : { fieldRequirements }),
    },
    errors,
  };
}

/** The user that a review speaks of. */
function subjectOf(spec: Fields): UserInfo {
  const uid = text(spec.uid);
  const extra = Object.fromEntries(Object.entries(record(spec.extra)).map(([key, values]) => [key, texts(values)]));
  return {
    username: text(spec.user),
    groups: texts(spec.groups),
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** A user as a review prints it. */
const printUser = ({ username, uid = '', groups, extra = {} }: UserInfo): Fields => ({
  username,
  ...(uid === '' ? {} : { uid }),
  ...(groups.length === 0 ? {} : { groups }),
  ...(Object.keys(extra).length === 0 ? {} : { extra }),
});

const UNSAID = { apiVersion: '', kind: '', name: '', uid: '' };

/** Go prints the four texts of a reference, given or not. Source: apimachinery, meta/v1/types.go OwnerReference. */
function ownersInWhole(object: KubeObject): KubeObject {
  const { ownerReferences } = object.metadata;
  if (ownerReferences === undefined) return object;
  const whole = ownerReferences.map((owner) => ({ ...UNSAID, ...owner }));
  return { ...object, metadata: { ...object.metadata, ownerReferences: whole } };
}

const COMMON = {
  version: 'v1',
  shortNames: [],
  categories: [],
  verbs: ['create'],
  strategy: { default: ownersInWhole },
  subresources: [],
  fieldSelectors: {},
  columns: [],
  row: () => [],
} as const satisfies Partial<ResourceDefinition>;

type Answer = NonNullable<ResourceDefinition['answer']>;

/** Minors in which a kind came to v1. Source: k8s.io/api, zz_generated.prerelease-lifecycle.go. */
const LIFETIMES: Partial<Readonly<Record<ReviewKind, Lifetime>>> = { SelfSubjectReview: { since: 28 } };

function definition(kind: ReviewKind, group: string, answer: Answer): ResourceDefinition {
  return {
    ...COMMON,
    ...LIFETIMES[kind],
    group,
    kind,
    resource: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    namespaced: kind === 'LocalSubjectAccessReview',
    get schema() {
      return reviewSchemas[kind]();
    },
    answer,
  };
}

export interface ReviewOptions {
  readonly authorizer: ServerAuthorizer;
  readonly authenticator: Authenticator;
  readonly decisions: Decisions;
  /** Minor of the version played. */
  readonly minor: number;
}

/** The six kinds, to be served beside the stored ones. */
export function reviewDefinitions(options: ReviewOptions): readonly ResourceDefinition[] {
  const { authorizer, authenticator, decisions, minor } = options;
  const access =
    (kind: 'SubjectAccessReview' | 'LocalSubjectAccessReview' | 'SelfSubjectAccessReview'): Answer =>
    (given, context) => {
      const object = decisions.reviewsKnowSelectors(minor) ? given : withoutSelectors(given);
      // Upstream's objects have forgotten their kind at this point, so the message begins with the bare group.
      const errors = validateAccessReview(object, kind);
      if (errors.length > 0) throw invalid({ group: AUTHORIZATION, kind: '' }, '', errors);
      const spec = record(object.spec);
      const asked = question(spec, kind === 'SelfSubjectAccessReview' ? context.user : subjectOf(spec));
      const { decision, reason, error } = authorizer.authorize(asked.attributes);
      const evaluation = [...(error === undefined ? [] : [error]), ...asked.errors].join('; ');
      const status = {
        allowed: decision === 'allow',
        ...(decision === 'deny' ? { denied: true } : {}),
        ...(reason === '' ? {} : { reason }),
        ...(evaluation === '' ? {} : { evaluationError: evaluation }),
      };
      return { code: 201, object: answered(object, status) };
    };

  const rules: Answer = (object, context) => {
    const namespace = text(record(object.spec).namespace);
    if (namespace === '') throw badRequest('no namespace on request');
    const found = authorizer.listRules(context.user, namespace);
    const some = (name: string, values: readonly string[] | undefined): Fields =>
      values === undefined || values.length === 0 ? {} : { [name]: values };
    const status = {
      resourceRules: found.rules
        .filter((rule) => (rule.resources?.length ?? 0) > 0)
        .map((rule) => ({
          verbs: rule.verbs,
          ...some('apiGroups', rule.apiGroups),
          ...some('resources', rule.resources),
          ...some('resourceNames', rule.resourceNames),
        })),
      nonResourceRules: found.rules
        .filter((rule) => (rule.nonResourceURLs?.length ?? 0) > 0)
        .map((rule) => ({ verbs: rule.verbs, ...some('nonResourceURLs', rule.nonResourceURLs) })),
      incomplete: found.incomplete,
      ...(found.errors.length === 0 ? {} : { evaluationError: aggregate(found.errors) }),
    };
    return { code: 201, object: { ...typeOf(object), metadata: {}, spec: {}, status } };
  };

  const self: Answer = (object, context) => {
    const creationTimestamp = rfc3339(context.clock.now());
    return {
      code: 201,
      object: { ...typeOf(object), metadata: { creationTimestamp }, status: { userInfo: printUser(context.user) } },
    };
  };

  const token: Answer = (object) => {
    const spec = record(object.spec);
    if (text(spec.token) === '') throw badRequest('token is required for TokenReview in authentication');
    const { authenticated: _given, ...given } = record(object.status);
    const result = authenticator.review(text(spec.token), list(spec.audiences).map(text));
    const status = {
      ...(result.user === undefined ? {} : { authenticated: true }),
      ...given,
      user: result.user === undefined ? record(given.user) : printUser(result.user),
      ...(result.user === undefined || result.audiences === undefined ? {} : { audiences: result.audiences }),
      ...(result.error === undefined ? {} : { error: result.error }),
    };
    return { code: 201, object: answered(object, status) };
  };

  return [
    definition('SelfSubjectReview', AUTHENTICATION, self),
    definition('TokenReview', AUTHENTICATION, token),
    definition('LocalSubjectAccessReview', AUTHORIZATION, access('LocalSubjectAccessReview')),
    definition('SelfSubjectAccessReview', AUTHORIZATION, access('SelfSubjectAccessReview')),
    definition('SelfSubjectRulesReview', AUTHORIZATION, rules),
    definition('SubjectAccessReview', AUTHORIZATION, access('SubjectAccessReview')),
  ];
}

const answered = (object: KubeObject, status: Fields): KubeObject => ({
  ...typeOf(object),
  metadata: object.metadata,
  spec: object.spec ?? {},
  status,
});

/**
 * What an API server that knows no selectors in reviews makes of them. Source: gate AuthorizeWithSelectors, on from
 * 1.32.
 */
function withoutSelectors(object: KubeObject): KubeObject {
  const spec = record(object.spec);
  if (!isRecord(spec.resourceAttributes)) return object;
  const { fieldSelector: _field, labelSelector: _label, ...resourceAttributes } = spec.resourceAttributes;
  return { ...object, spec: { ...spec, resourceAttributes } };
}

const typeOf = (object: KubeObject): Pick<KubeObject, 'apiVersion' | 'kind'> => ({
  ...(object.apiVersion === undefined ? {} : { apiVersion: object.apiVersion }),
  ...(object.kind === undefined ? {} : { kind: object.kind }),
});

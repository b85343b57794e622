/**
 * Shapes of the kinds that are asked, not stored. Source: k8s.io/api, authorization/v1/types.go;
 * authentication/v1/types.go.
 */

import type { FieldSchema } from '../../apiserver/resource-definition.js';
import { structSchema } from '../../apiserver/resources/schema.js';

const STRING: FieldSchema = { type: 'string' };
const STRINGS: FieldSchema = { type: 'array', items: STRING, listType: 'atomic' };
const EXTRA: FieldSchema = {
  type: 'map',
  items: { type: 'array', items: STRING, goType: 'v1.ExtraValue' },
  goType: 'map[string]v1.ExtraValue',
};
const printed = (schema: FieldSchema): FieldSchema => ({ ...schema, presence: 'always' });
const struct = (
  name: string,
  properties: Readonly<Record<string, FieldSchema>>,
  required: readonly string[] = [],
): FieldSchema => ({
  type: 'object',
  goType: `v1.${name}`,
  properties,
  ...(required.length === 0 ? {} : { required }),
});

const requirement = (name: string): FieldSchema => ({
  type: 'array',
  listType: 'atomic',
  items: struct(
    name,
    {
      key: printed(STRING),
      operator: { ...printed(STRING), goType: `v1.${name.replace('Requirement', 'Operator')}` },
      values: STRINGS,
    },
    ['key', 'operator'],
  ),
});
const selector = (name: string, items: string): FieldSchema =>
  struct(name, { rawSelector: STRING, requirements: requirement(items) });

const RESOURCE_ATTRIBUTES = struct('ResourceAttributes', {
  namespace: STRING,
  verb: STRING,
  group: STRING,
  version: STRING,
  resource: STRING,
  subresource: STRING,
  name: STRING,
  fieldSelector: { ...selector('FieldSelectorAttributes', 'FieldSelectorRequirement'), presence: 'pointer' },
  labelSelector: { ...selector('LabelSelectorAttributes', 'LabelSelectorRequirement'), presence: 'pointer' },
});
const ATTRIBUTES = {
  resourceAttributes: { ...RESOURCE_ATTRIBUTES, presence: 'pointer' },
  nonResourceAttributes: { ...struct('NonResourceAttributes', { path: STRING, verb: STRING }), presence: 'pointer' },
} as const satisfies Record<string, FieldSchema>;
const ACCESS_STATUS = struct(
  'SubjectAccessReviewStatus',
  {
    allowed: { ...printed({ type: 'boolean' }) },
    denied: { type: 'boolean' },
    reason: STRING,
    evaluationError: STRING,
  },
  ['allowed'],
);
const RULES_STATUS = struct(
  'SubjectRulesReviewStatus',
  {
    resourceRules: printed({
      type: 'array',
      listType: 'atomic',
      items: struct(
        'ResourceRule',
        { verbs: printed(STRINGS), apiGroups: STRINGS, resources: STRINGS, resourceNames: STRINGS },
        ['verbs'],
      ),
    }),
    nonResourceRules: printed({
      type: 'array',
      listType: 'atomic',
      items: struct('NonResourceRule', { verbs: printed(STRINGS), nonResourceURLs: STRINGS }, ['verbs']),
    }),
    incomplete: printed({ type: 'boolean' }),
    evaluationError: STRING,
  },
  ['resourceRules', 'nonResourceRules', 'incomplete'],
);

const review = (kind: string, spec: FieldSchema, status: FieldSchema): FieldSchema =>
  struct(
    kind,
    {
      apiVersion: STRING,
      kind: STRING,
      metadata: structSchema('meta.v1.ObjectMeta'),
      spec: { ...spec, presence: 'value' },
      status: { ...status, presence: 'value' },
    },
    ['spec'],
  );

const SUBJECT_SPEC = struct('SubjectAccessReviewSpec', {
  ...ATTRIBUTES,
  user: STRING,
  groups: STRINGS,
  extra: EXTRA,
  uid: STRING,
});

/** Made when first asked for: the shapes of metadata are read from a file. */
export const reviewSchemas = {
  SubjectAccessReview: () => review('SubjectAccessReview', SUBJECT_SPEC, ACCESS_STATUS),
  LocalSubjectAccessReview: () => review('LocalSubjectAccessReview', SUBJECT_SPEC, ACCESS_STATUS),
  SelfSubjectAccessReview: () =>
    review('SelfSubjectAccessReview', struct('SelfSubjectAccessReviewSpec', ATTRIBUTES), ACCESS_STATUS),
  SelfSubjectRulesReview: () =>
    review('SelfSubjectRulesReview', struct('SelfSubjectRulesReviewSpec', { namespace: STRING }), RULES_STATUS),
  SelfSubjectReview: () => structSchema('authentication.v1.SelfSubjectReview'),
  TokenReview: () => structSchema('authentication.v1.TokenReview'),
} as const satisfies Record<string, () => FieldSchema>;
export type ReviewKind = keyof typeof reviewSchemas;

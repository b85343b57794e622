/** Shapes of the kinds that are asked. Source: k8s.io/api, authorization/v1/types.go; api/openapi-spec of 1.36. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldSchema } from '../../apiserver/resource-definition.js';
import { reviewSchemas } from './review-schemas.js';

/** "type field! …": of every struct that is ours its type in Go, its fields, "!": it has to be there. */
function structs(schema: FieldSchema, found = new Map<string, string>()): ReadonlyMap<string, string> {
  const { goType = '', properties, required = [], items } = schema;
  if (properties !== undefined && goType.startsWith('v1.'))
    found.set(
      goType,
      [...Object.keys(properties)].map((name) => (required.includes(name) ? `${name}!` : name)).join(' '),
    );
  for (const part of [...Object.values(properties ?? {}), ...(items === undefined ? [] : [items])])
    if (part.goType !== 'v1.ObjectMeta') structs(part, found);
  return found;
}
/** Fields that are printed where they are empty, by their paths. */
function printed(schema: FieldSchema, path = ''): readonly string[] {
  return [
    ...(schema.presence === 'always' ? [path] : []),
    ...Object.entries(schema.properties ?? {})
      .filter(([name]) => name !== 'metadata')
      .flatMap(([name, part]) => printed(part, path === '' ? name : `${path}.${name}`)),
    ...(schema.items === undefined ? [] : printed(schema.items, `${path}[]`)),
  ];
}

const KIND = 'apiVersion kind metadata spec! status';
const ASKED = {
  'v1.ResourceAttributes': 'namespace verb group version resource subresource name fieldSelector labelSelector',
  'v1.FieldSelectorAttributes': 'rawSelector requirements',
  'v1.FieldSelectorRequirement': 'key! operator! values',
  'v1.LabelSelectorAttributes': 'rawSelector requirements',
  'v1.LabelSelectorRequirement': 'key! operator! values',
  'v1.NonResourceAttributes': 'path verb',
};
const STATUS = { 'v1.SubjectAccessReviewStatus': 'allowed! denied reason evaluationError' };
const SUBJECT = 'resourceAttributes nonResourceAttributes user groups extra uid';

describe('the shape of a review', () => {
  for (const [kind, wanted] of [
    ['SubjectAccessReview', { ...ASKED, ...STATUS, 'v1.SubjectAccessReviewSpec': SUBJECT }],
    ['LocalSubjectAccessReview', { ...ASKED, ...STATUS, 'v1.SubjectAccessReviewSpec': SUBJECT }],
    [
      'SelfSubjectAccessReview',
      { ...ASKED, ...STATUS, 'v1.SelfSubjectAccessReviewSpec': 'resourceAttributes nonResourceAttributes' },
    ],
    [
      'SelfSubjectRulesReview',
      {
        'v1.SelfSubjectRulesReviewSpec': 'namespace',
        'v1.SubjectRulesReviewStatus': 'resourceRules! nonResourceRules! incomplete! evaluationError',
        'v1.ResourceRule': 'verbs! apiGroups resources resourceNames',
        'v1.NonResourceRule': 'verbs! nonResourceURLs',
      },
    ],
  ] as const)
    it(`has the fields of ${kind}, and demands those`, () => {
      const found = structs(reviewSchemas[kind]());
      const sorted = (entries: Iterable<readonly [string, string]>) => Object.fromEntries([...entries].sort());
      assert.deepEqual(sorted(found), sorted(Object.entries({ [`v1.${kind}`]: KIND, ...wanted })));
    });

  it('shows these fields also where they are empty', () => {
    const requirements = ['fieldSelector', 'labelSelector'].flatMap((selector) =>
      ['key', 'operator'].map((name) => `spec.resourceAttributes.${selector}.requirements[].${name}`),
    );
    for (const kind of ['SubjectAccessReview', 'LocalSubjectAccessReview', 'SelfSubjectAccessReview'] as const)
      assert.deepEqual(printed(reviewSchemas[kind]()), [...requirements, 'status.allowed']);
    assert.deepEqual(printed(reviewSchemas.SelfSubjectRulesReview()), [
      'status.resourceRules',
      'status.resourceRules[].verbs',
      'status.nonResourceRules',
      'status.nonResourceRules[].verbs',
      'status.incomplete',
    ]);
  });

  it('names types as Go does, and keeps lists whole', () => {
    const { spec, metadata } = reviewSchemas.SubjectAccessReview().properties ?? {};
    const { extra, groups, resourceAttributes } = spec?.properties ?? {};
    assert.deepEqual([extra?.goType, extra?.items?.goType], ['map[string]v1.ExtraValue', 'v1.ExtraValue']);
    assert.deepEqual([groups?.listType, groups?.items?.type], ['atomic', 'string']);
    const { fieldSelector, labelSelector } = resourceAttributes?.properties ?? {};
    for (const [selector, operator] of [
      [fieldSelector, 'v1.FieldSelectorOperator'],
      [labelSelector, 'v1.LabelSelectorOperator'],
    ] as const) {
      const { requirements } = selector?.properties ?? {};
      assert.equal(requirements?.listType, 'atomic');
      assert.equal(requirements.items?.properties?.operator?.goType, operator);
    }
    assert.ok(metadata?.properties?.managedFields);
  });
});

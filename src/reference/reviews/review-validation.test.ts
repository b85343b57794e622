/** What access reviews refuse. Source: pkg/apis/authorization/validation/validation.go. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateAccessReview } from './review-validation.js';

type Kind = Parameters<typeof validateAccessReview>[1];
const faults = (spec: object, kind: Kind = 'SelfSubjectAccessReview', metadata: object = {}): readonly string[] =>
  validateAccessReview({ metadata, spec }, kind).map(({ field, body }) => `${field}: ${body}`);
const URL = { path: '/a', verb: 'get' };
const PODS = { verb: 'get', resource: 'pods' };

describe('an access review', () => {
  it('is about a resource or a path, of somebody', () => {
    const one = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    assert.deepEqual(faults({}), [`spec.resourceAttributes: Invalid value: null: ${one}`]);
    assert.deepEqual([faults({ resourceAttributes: PODS }), faults({ nonResourceAttributes: URL })], [[], []]);
    assert.deepEqual(faults({ resourceAttributes: PODS, nonResourceAttributes: URL }), [
      'spec.nonResourceAttributes: Invalid value: {"Path":"/a","Verb":"get"}: cannot be specified in combination with ' +
        'resourceAttributes',
    ]);
    const nobody = ['spec.user: Invalid value: "": at least one of user or group must be specified'];
    for (const kind of ['SubjectAccessReview', 'LocalSubjectAccessReview'] as const) {
      assert.deepEqual(faults({ resourceAttributes: PODS }, kind), nobody);
      assert.deepEqual(faults({ resourceAttributes: PODS, groups: [] }, kind), nobody);
      for (const who of [{ user: 'u' }, { groups: ['g'] }])
        assert.deepEqual(faults({ resourceAttributes: PODS, ...who }, kind), []);
    }
  });

  it('has no metadata, but for the namespace of a local one, which it is about', () => {
    for (const metadata of [{ managedFields: [{}] }, { name: '' }, { labels: {} }, { labels: null }])
      assert.deepEqual(faults({ resourceAttributes: PODS }, 'SelfSubjectAccessReview', metadata), []);
    const named = faults({ resourceAttributes: PODS }, 'SelfSubjectAccessReview', { labels: { a: 'b' }, name: 'x' });
    assert.deepEqual(named, ['metadata: Invalid value: {"name":"x","labels":{"a":"b"}}: must be empty']);
    assert.deepEqual(faults({ resourceAttributes: PODS }, 'SelfSubjectAccessReview', { namespace: 'n' }), [
      'metadata: Invalid value: {"namespace":"n"}: must be empty',
    ]);
    const local = (spec: object, metadata: object = { namespace: 'n' }): readonly string[] =>
      faults({ user: 'u', ...spec }, 'LocalSubjectAccessReview', metadata);
    assert.deepEqual(local({ resourceAttributes: { ...PODS, namespace: 'n' } }), []);
    assert.deepEqual(local({ resourceAttributes: PODS }), [
      'spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
    ]);
    assert.deepEqual(local({ nonResourceAttributes: URL }), [
      'spec.nonResourceAttributes: Invalid value: {"Path":"/a","Verb":"get"}: disallowed on this kind of request',
    ]);
    assert.deepEqual(local({ resourceAttributes: { ...PODS, namespace: 'n' } }, { namespace: 'n', name: 'x' }), [
      'metadata: Invalid value: {"name":"x","namespace":"n"}: must be empty except for namespace',
    ]);
  });

  it('shows metadata in the order of its type', () => {
    const metadata = {
      managedFields: [{ manager: 'm' }],
      finalizers: ['a/b'],
      ownerReferences: [{ name: 'o' }],
      annotations: { a: 'b' },
      labels: { c: 'd' },
      deletionGracePeriodSeconds: 1,
      deletionTimestamp: '2026-01-02T00:00:00Z',
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation: 2,
      resourceVersion: '3',
      uid: 'u',
      namespace: 'n',
      generateName: 'x-',
      name: 'x',
    };
    const [fault = ''] = faults({ resourceAttributes: PODS }, 'SelfSubjectAccessReview', metadata);
    const ordered = Object.fromEntries(Object.entries(metadata).reverse());
    assert.equal(fault, `metadata: Invalid value: ${JSON.stringify(ordered)}: must be empty`);
    for (const [key, value] of Object.entries(metadata))
      assert.equal(
        faults({ resourceAttributes: PODS }, 'SelfSubjectAccessReview', { [key]: value }).length,
        key === 'managedFields' ? 0 : 1,
        key,
      );
  });

  it('selects by requirements or by a text, as operators want it', () => {
    for (const [selector, isLabels] of [
      ['fieldSelector', false],
      ['labelSelector', true],
    ] as const) {
      const path = `spec.resourceAttributes.${selector}`;
      const of = (value: unknown): readonly string[] => faults({ resourceAttributes: { ...PODS, [selector]: value } });
      const requiring = (...requirements: readonly object[]): readonly string[] => of({ requirements });
      assert.deepEqual([of(undefined), of({ rawSelector: 'a=b' })], [[], []]);
      const empty = `${path}.requirements: Required value: when ${path} is specified, requirements or rawSelector is required`;
      assert.deepEqual([of({}), of({ rawSelector: '', requirements: [] })], [[empty], [empty]]);
      const requirement = { key: 'a', operator: 'Exists' };
      assert.deepEqual(of({ rawSelector: 'a', requirements: [requirement] }), [
        `${path}.rawSelector: Invalid value: "a": may not specified at the same time as requirements`,
      ]);
      const values = `${path}.requirements[0].values: `;
      for (const operator of ['In', 'NotIn']) {
        assert.deepEqual(requiring({ key: 'a', operator, values: ['b'] }), []);
        assert.deepEqual(requiring({ key: 'a', operator }), [
          `${values}Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
        ]);
      }
      for (const operator of ['Exists', 'DoesNotExist']) {
        assert.deepEqual(requiring({ key: 'a', operator }), []);
        assert.deepEqual(requiring({ key: 'a', operator, values: ['b'] }), [
          `${values}Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
        ]);
      }
      assert.deepEqual(requiring({ key: 'a', operator: 'New' }, { key: 'a', operator: 'New', values: ['b'] }), []);
      const keyless = requiring(requirement, { key: '', operator: 'Exists' }).join('\n');
      assert.match(
        keyless,
        isLabels
          ? /requirements\[1\]\.key: Invalid value: ""/
          : /requirements\[1\]\.key: Required value: must be specified/,
      );
      const odd = requiring({ key: 'a b', operator: 'In', values: ['c', 'd e'] });
      assert.deepEqual(
        odd.map((one) => one.replace(/: Invalid value: .*/s, '')),
        isLabels ? [`${path}.requirements[0].key`, `${path}.requirements[0].values[1]`] : [],
      );
    }
  });
});

import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from './objects.js';
import { type Resource, resources } from './resources.js';
import { Misshapen, typedObject } from './typed-objects.js';

const role = (rule: unknown): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'one' },
  rules: [{ verbs: ['get'], apiGroups: [''] }, rule],
});
const typedRule = (rule: unknown): unknown =>
  (typedObject(role(rule), resources.clusterRoles).rules as readonly unknown[])[1];

describe('an object as its type has it', () => {
  it('is the same where nothing is to be changed, with whatever else it has', () => {
    for (const [object, resource] of [
      [role({ verbs: ['*'], resources: ['secrets'], odd: { deep: [null] } }), resources.clusterRoles],
      [{ metadata: { name: 'n', labels: { a: 'b' } }, spec: { taints: 5 } }, resources.nodes],
      [{ metadata: {}, type: 'Opaque', data: { __proto__: 'QQ==', constructor: 'QQ==' } }, resources.secrets],
    ] as const)
      equal(typedObject(object as KubeObject, resource), object);
  });

  it('lacks what is null', () => {
    deepEqual(
      typedObject(
        {
          metadata: { name: 'a', labels: null, creationTimestamp: null, annotations: { b: null, c: 'd' } },
          data: null,
        } as never,
        resources.configMaps,
      ),
      { metadata: { name: 'a', annotations: { b: '', c: 'd' } } },
    );
  });

  it('has, empty, what belongs to each', () => {
    deepEqual(typedRule({}), { verbs: [] });
    deepEqual(typedRule(null), { verbs: [] });
    deepEqual(typedRule({ verbs: ['get', null], resources: null }), { verbs: ['get', ''] });
    deepEqual(typedObject({ metadata: { name: 'a' }, subjects: [{}] }, resources.roleBindings), {
      metadata: { name: 'a' },
      subjects: [{ kind: '', name: '' }],
      roleRef: { apiGroup: '', kind: '', name: '' },
    });
    deepEqual(typedObject({} as never, resources.certificateSigningRequests), {
      metadata: {},
      spec: { request: '', signerName: '' },
    });
  });

  for (const [given, resource, why] of [
    [{ metadata: [] }, resources.nodes, 'metadata is not an object'],
    [{ metadata: { name: 5 } }, resources.nodes, 'metadata.name is not a text'],
    [{ metadata: { labels: ['a'] } }, resources.pods, 'metadata.labels is not texts by their names'],
    [{ metadata: { annotations: { a: true } } }, resources.pods, 'metadata.annotations[a] is not a text'],
    [{ metadata: { finalizers: 'a' } }, resources.pods, 'metadata.finalizers is not a list of texts'],
    [{ metadata: { generation: '1' } }, resources.pods, 'metadata.generation is not a number'],
    [
      { metadata: { ownerReferences: [{ controller: 'yes' }] } },
      resources.pods,
      'metadata.ownerReferences[0].controller is not true or false',
    ],
    [{ metadata: {}, data: { a: 80 } }, resources.configMaps, 'data[a] is not a text'],
    [{ metadata: {}, data: 'a' }, resources.secrets, 'data is not texts by their names'],
    [role({ verbs: 'get' }), resources.clusterRoles, 'rules[1].verbs is not a list of texts'],
    [role({ verbs: [5] }), resources.roles, 'rules[1].verbs[0] is not a text'],
    [role('get'), resources.roles, 'rules[1] is not an object'],
    [{ metadata: {}, subjects: {} }, resources.clusterRoleBindings, 'subjects is not a list'],
    [{ metadata: {}, roleRef: 'admin' }, resources.roleBindings, 'roleRef is not an object'],
    [
      { metadata: {}, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: {} } }] } },
      resources.clusterRoles,
      'aggregationRule.clusterRoleSelectors[0].matchLabels[a] is not a text',
    ],
    [
      { metadata: {}, spec: { extra: { a: 'b' } } },
      resources.certificateSigningRequests,
      'spec.extra[a] is not a list of texts',
    ],
    [
      { metadata: {}, spec: {}, status: { conditions: [{ type: 1 }] } },
      resources.certificateSigningRequests,
      'status.conditions[0].type is not a text',
    ],
  ] as const)
    it(`is none where its ${why}`, () => {
      throws(() => typedObject(given as never, resource), new Misshapen(`its ${why}`));
    });

  const { clusterRoles, roles, clusterRoleBindings, roleBindings, certificateSigningRequests: requests } = resources;
  const [TEXT, TEXTS, NAMED, LISTS] = [
    'a text',
    'a list of texts',
    'texts by their names',
    'lists of texts by their names',
  ];
  /** Members by what each of them is; "[]" of a path: of each item. */
  const MEMBERS: readonly (readonly [readonly Resource[], string, string, string])[] = [
    [[resources.pods, roles, requests], 'metadata', 'name generateName namespace uid resourceVersion', TEXT],
    [[resources.pods], 'metadata', 'creationTimestamp deletionTimestamp', TEXT],
    [[resources.nodes, clusterRoles], 'metadata', 'labels annotations', NAMED],
    [[resources.nodes], 'metadata', 'generation deletionGracePeriodSeconds', 'a number'],
    [[resources.nodes], 'metadata', 'finalizers', TEXTS],
    [[resources.nodes], 'metadata.ownerReferences[]', 'apiVersion kind name uid', TEXT],
    [[resources.nodes], 'metadata.ownerReferences[]', 'controller', 'true or false'],
    [[resources.secrets], '', 'type', TEXT],
    [[resources.secrets], '', 'data', NAMED],
    [[resources.secrets], '', 'immutable', 'true or false'],
    [[resources.configMaps], '', 'data binaryData', NAMED],
    [[clusterRoles, roles], 'rules[]', 'verbs apiGroups resources resourceNames nonResourceURLs', TEXTS],
    [[clusterRoles], 'aggregationRule.clusterRoleSelectors[]', 'matchLabels', NAMED],
    [[clusterRoles], 'aggregationRule.clusterRoleSelectors[].matchExpressions[]', 'key operator', TEXT],
    [[clusterRoles], 'aggregationRule.clusterRoleSelectors[].matchExpressions[]', 'values', TEXTS],
    [[clusterRoleBindings, roleBindings], 'roleRef', 'apiGroup kind name', TEXT],
    [[clusterRoleBindings, roleBindings], 'subjects[]', 'kind name apiGroup namespace', TEXT],
    [[requests], 'spec', 'request signerName username uid', TEXT],
    [[requests], 'spec', 'usages groups', TEXTS],
    [[requests], 'spec', 'expirationSeconds', 'a number'],
    [[requests], 'spec', 'extra', LISTS],
    [[requests], 'status', 'certificate', TEXT],
    [[requests], 'status.conditions[]', 'type status reason message lastUpdateTime lastTransitionTime', TEXT],
  ];
  const within = (path: string, value: unknown): unknown =>
    path
      .split('.')
      .filter((part) => part !== '')
      .reduceRight<unknown>(
        (inner, part) => (part.endsWith('[]') ? { [part.slice(0, -2)]: [inner] } : { [part]: inner }),
        value,
      );
  it('is none where any of its members is of another type', () => {
    for (const [of, path, names, wanted] of MEMBERS)
      for (const resource of of)
        for (const name of names.split(' ')) {
          const value = wanted === 'a number' ? '5' : 5;
          const given = { metadata: {}, ...(within(path, { [name]: value }) as object) };
          const at = [...(path === '' ? [] : [path.replaceAll('[]', '[0]')]), name].join('.');
          throws(() => typedObject(given as never, resource), new Misshapen(`its ${at} is not ${wanted}`), at);
          const good =
            { 'a number': 5, 'true or false': true }[wanted] ?? (wanted === TEXT ? 'a' : wanted === TEXTS ? ['a'] : {});
          const well = { metadata: {}, ...(within(path, { [name]: good }) as object) };
          typedObject(well as never, resource);
        }
  });

  it('has, empty, what Go writes of each item', () => {
    const typed = (given: object, resource: Resource): unknown =>
      typedObject({ metadata: {}, ...given } as never, resource);
    deepEqual(typed({ metadata: { ownerReferences: [{}] } }, resources.nodes), {
      metadata: { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
    });
    deepEqual(typed({ spec: {}, status: { conditions: [null] } }, requests), {
      metadata: {},
      spec: { request: '', signerName: '' },
      status: { conditions: [{ type: '', status: '' }] },
    });
    const clusterRoleSelectors = [{ matchExpressions: [{}] }];
    deepEqual(typed({ aggregationRule: { clusterRoleSelectors } }, clusterRoles), {
      metadata: {},
      aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: '', operator: '' }] }] },
    });
  });
});

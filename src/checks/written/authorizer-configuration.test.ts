import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import { askedBy, oddAuthorizers } from './authorizer-configuration.js';

const WEBHOOK: Fields = {
  timeout: '3s',
  authorizedTTL: '5m',
  unauthorizedTTL: '30s',
  subjectAccessReviewVersion: 'v1',
  matchConditionSubjectAccessReviewVersion: 'v1',
  failurePolicy: 'NoOpinion',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/etc/kubernetes/a.conf' },
  matchConditions: [{ expression: "request.user == 'a'" }],
};
const of = (more: Fields): Fields => ({
  authorizers: [
    { type: 'Node', name: 'node' },
    { type: 'RBAC', name: 'rbac' },
    { type: 'Webhook', name: 'a', webhook: { ...WEBHOOK, ...more } },
  ],
});
const odd = (more: Fields): string => oddAuthorizers(of(more)).join('; ');

describe('a webhook of an AuthorizationConfiguration', () => {
  it('is taken as an API server takes it', () => {
    assert.equal(odd({}), '');
    assert.equal(odd({ timeout: '30s', failurePolicy: 'Deny', subjectAccessReviewVersion: 'v1beta1' }), '');
    assert.equal(odd({ authorizedTTL: '0s', cacheAuthorizedRequests: false }), '');
    assert.equal(odd({ connectionInfo: { type: 'InClusterConfig' } }), '');
    assert.equal(odd({ matchConditions: [], matchConditionSubjectAccessReviewVersion: '' }), '');
  });

  it('is refused', () => {
    for (const [more, told] of [
      [{ timeout: '0s' }, 'a webhook without timeout'],
      [{ timeout: '31s' }, 'a webhook that is waited for longer than 30 s'],
      [{ unauthorizedTTL: '-1s' }, 'a webhook whose unauthorizedTTL is none'],
      [{ failurePolicy: 'Ignore' }, 'failurePolicy Ignore'],
      [{ subjectAccessReviewVersion: 'v2' }, 'subjectAccessReviewVersion v2'],
      [{ matchConditionSubjectAccessReviewVersion: '' }, 'conditions without matchConditionSubjectAccessReviewVersion'],
      [{ matchConditions: [{ expression: 'request.user ==' }] }, 'a condition that is no expression'],
      [
        { matchConditions: [{ expression: 'true' }, { expression: 'request.user ==' }] },
        'a condition that is no expression',
      ],
      [{ connectionInfo: { type: 'File' } }, 'connectionInfo of the type File'],
      [
        { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'a.conf' } },
        'a webhook whose kubeConfigFile is no absolute path',
      ],
      [
        { connectionInfo: { type: 'InClusterConfig', kubeConfigFile: '/a' } },
        'a webhook within the cluster, and a kubeConfigFile',
      ],
      [{ failPolicy: 'Deny' }, 'authorizers[2].webhook.failPolicy is no field'],
    ] as const)
      assert.equal(odd(more), told);
    const [node, rbac, webhook] = of({}).authorizers as readonly Fields[];
    const lone = { authorizers: [node, rbac, { ...webhook, webhook: null }] };
    assert.deepEqual(oddAuthorizers(lone), ['a Webhook without webhook']);
    const wrong = { authorizers: [node, { ...rbac, webhook: WEBHOOK }] };
    assert.deepEqual(oddAuthorizers(wrong), ['the authorizer RBAC with a webhook']);
  });

  it('is asked by a kubeconfig', () => {
    assert.deepEqual(askedBy(of({})), ['/etc/kubernetes/a.conf']);
    assert.deepEqual(askedBy(of({ connectionInfo: { type: 'InClusterConfig' } })), []);
    assert.deepEqual(askedBy({}), []);
  });
});

describe('authorizers', () => {
  const [node, rbac] = [
    { type: 'Node', name: 'node' },
    { type: 'RBAC', name: 'rbac' },
  ];
  const told = (...authorizers: readonly Fields[]): string => oddAuthorizers({ authorizers }).join('; ');

  it('are those of every cluster, and others that API servers have', () => {
    assert.equal(told(node, rbac), '');
    assert.match(told(rbac), /^no authorizer Node/);
    assert.match(told(node), /^no authorizer RBAC/);
    for (const type of ['ABAC', 'AlwaysDeny'])
      assert.doesNotMatch(told(node, rbac, { type, name: 'a' }), /the authorizer/, type);
    assert.match(told(node, rbac, { type: 'Webhooks', name: 'a' }), /the authorizer Webhooks/);
  });

  it('have a name each, and are there once', () => {
    assert.match(told(node, { ...rbac, name: 'node' }), /without names of their own/);
    assert.match(told(node, { ...rbac, name: '' }), /without names of their own/);
    assert.match(told(node, rbac, { type: 'RBAC', name: 'again' }), /an authorizer twice/);
    const webhooks = ['a', 'b'].map((name) => ({ type: 'Webhook', name, webhook: WEBHOOK }));
    assert.equal(told(node, rbac, ...webhooks), '');
  });

  it('are asked with all that a webhook needs', () => {
    for (const name of ['failurePolicy', 'subjectAccessReviewVersion', 'connectionInfo'])
      assert.match(odd({ [name]: undefined }), new RegExp(`a webhook without ${name}`), name);
    for (const name of ['authorizedTTL', 'unauthorizedTTL'])
      assert.equal(odd({ [name]: '-1s' }), `a webhook whose ${name} is none`);
  });
});

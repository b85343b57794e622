import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { UserInfo } from '../../kubernetes/objects.js';
import { createAuthenticator } from '../authentication/authenticator.js';
import { context, grant, nodeUser, putToken, testWorld } from '../world.test.js';
import { reviewDefinitions } from './access-reviews.js';

const jane: UserInfo = { username: 'jane', groups: ['system:authenticated'] };

/** Answers of the kinds, asked by jane (or another) as an object of spec and metadata. */
function setUp(minor = 36, user = jane) {
  const world = testWorld(minor);
  const authenticator = createAuthenticator({ ...world, clientCas: [], bootstrapTokenAuth: true, anonymousAuth: true });
  const kinds = reviewDefinitions({ ...world, authenticator });
  const ask = (kind: string, spec: object, more: object = {}) => {
    const answer = kinds
      .find((one) => one.kind === kind)
      ?.answer?.({ kind, metadata: {}, spec, ...more }, context(world, user, 'default'));
    assert.equal(answer?.code, 201);
    return answer.object;
  };
  return { world, ask };
}

test('access reviews: allowed with a reason, refused without, errors as upstream words them', () => {
  const { ask } = setUp();
  const resourceAttributes = { verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' };
  assert.deepEqual(ask('SelfSubjectAccessReview', { resourceAttributes }).status, {
    allowed: true,
    reason:
      'RBAC: allowed by ClusterRoleBinding "system:basic-user" of ClusterRole "system:basic-user" to Group ' +
      '"system:authenticated"',
  });
  assert.deepEqual(ask('SubjectAccessReview', { user: 'x', resourceAttributes }).status, { allowed: false });
  assert.deepEqual(
    ask('SubjectAccessReview', {
      groups: ['system:unauthenticated'],
      nonResourceAttributes: { path: '/version', verb: 'get' },
    }).status,
    {
      allowed: true,
      reason:
        'RBAC: allowed by ClusterRoleBinding "system:public-info-viewer" of ClusterRole ' +
        '"system:public-info-viewer" to Group "system:unauthenticated"',
    },
  );
  assert.throws(() => ask('SubjectAccessReview', { resourceAttributes }), {
    code: 422,
    message:
      '.authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must ' +
      'be specified',
  });
  assert.throws(
    () =>
      ask('LocalSubjectAccessReview', {
        user: 'x',
        resourceAttributes: { ...resourceAttributes, namespace: 'kube-system' },
      }),
    {
      message:
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "kube-system": ' +
        'must match metadata.namespace',
    },
  );
});

test('selectors of a review count from 1.32 on', () => {
  const fieldSelector = { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }] };
  const spec = {
    user: 'system:node:n1',
    groups: ['system:nodes'],
    resourceAttributes: { verb: 'list', resource: 'pods', fieldSelector },
  };
  assert.deepEqual(setUp(36).ask('SubjectAccessReview', spec).status, { allowed: true });
  const unknown = { ...spec, resourceAttributes: { ...spec.resourceAttributes, fieldSelector: { rawSelector: 'a' } } };
  const status = setUp(36).ask('SubjectAccessReview', unknown).status as { evaluationError: string };
  assert.equal(status.evaluationError, 'spec.resourceAttributes.fieldSelector ignored due to parse error');
  assert.deepEqual(setUp(31).ask('SubjectAccessReview', unknown).spec, {
    ...spec,
    resourceAttributes: { verb: 'list', resource: 'pods' },
  });
});

test('rules review: incomplete for nodes, refused without a namespace', () => {
  const { ask } = setUp(36, nodeUser('n1'));
  const status = ask('SelfSubjectRulesReview', { namespace: 'default' }).status as {
    incomplete: boolean;
    evaluationError: string;
    resourceRules: unknown[];
  };
  assert.equal(status.incomplete, true);
  assert.equal(status.evaluationError, 'node authorizer does not support user rule resolution');
  assert.equal(status.resourceRules.length, 2);
  assert.throws(() => ask('SelfSubjectRulesReview', {}), { code: 400, message: 'no namespace on request' });
});

test('rules review: what each rule opens, of resources and of paths', () => {
  const { world, ask } = setUp();
  const url = { verbs: ['get'], nonResourceURLs: ['/a', '/b/*'] };
  const named = { verbs: ['get', 'list'], apiGroups: ['', 'x'], resources: ['pods', 'y'], resourceNames: ['n'] };
  const bare = { verbs: ['watch'], apiGroups: ['x'], resources: ['z'], resourceNames: [] };
  grant(world, 'mine', [url, named, bare, { verbs: ['get'] }], [{ kind: 'User', name: 'jane' }]);
  const answer = ask('SelfSubjectRulesReview', { namespace: 'default' });
  const status = answer.status as Record<string, readonly unknown[]>;
  const { resourceNames: _none, ...left } = bare;
  const has = (rules: readonly unknown[] | undefined, ...wanted: readonly unknown[]): void =>
    assert.deepEqual(
      rules?.filter((rule) => wanted.some((one) => isDeepStrictEqual(rule, one))),
      wanted,
    );
  has(status.resourceRules, named, left);
  has(status.nonResourceRules, url);
  assert.ok(status.nonResourceRules?.every((rule) => Object.keys(rule as object).join() === 'verbs,nonResourceURLs'));
  assert.ok(
    status.resourceRules?.every((rule) =>
      /^verbs,apiGroups,resources(,resourceNames)?$/.test(Object.keys(rule as object).join()),
    ),
  );
  assert.deepEqual([answer.metadata, answer.spec, status.incomplete], [{}, {}, false]);
});

test('token review: what the caller sent comes back where the token is refused', () => {
  const { world, ask } = setUp();
  putToken(world, 'bootstrap-token-foobar', {
    'token-id': 'foobar',
    'token-secret': 'circumnavigation',
    'usage-bootstrap-authentication': 'true',
  });
  const sent = { status: { authenticated: true, user: { username: 'u' } } };
  assert.deepEqual(ask('TokenReview', { token: 'bad' }, sent).status, {
    user: { username: 'u' },
    error: 'invalid bearer token',
  });
  assert.deepEqual(ask('TokenReview', { token: 'foobar.circumnavigation' }, sent).status, {
    authenticated: true,
    user: { username: 'system:bootstrap:foobar', groups: ['system:bootstrappers', 'system:authenticated'] },
    audiences: ['https://kubernetes.default.svc.cluster.local'],
  });
  assert.throws(() => ask('TokenReview', { token: '' }), { code: 400 });
});

test('an access review tells a refusal from the absence of an opinion', () => {
  const world = testWorld();
  const authenticator = createAuthenticator({ ...world, clientCas: [], bootstrapTokenAuth: true, anonymousAuth: true });
  for (const [decision, status] of [
    ['deny', { allowed: false, denied: true, reason: 'because' }],
    ['no-opinion', { allowed: false, reason: 'because' }],
    ['allow', { allowed: true, reason: 'because' }],
  ] as const) {
    const authorizer = { ...world.authorizer, authorize: () => ({ decision, reason: 'because' }) };
    const answer = reviewDefinitions({ ...world, authorizer, authenticator })
      .find(({ kind }) => kind === 'SelfSubjectAccessReview')
      ?.answer?.(
        { metadata: {}, spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
        context(world, jane, 'default'),
      );
    assert.deepEqual(answer?.object.status, status);
  }
});

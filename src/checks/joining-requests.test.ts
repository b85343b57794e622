import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { opinionsOf } from './cel.js';
import { areFor, isNamedBy, JOINING, NAMESPACES_OF_JOINING, requestText, scopeOf } from './joining-requests.js';

const labels = { 'kube-system': { a: 'b' }, 'kube-node-lease': {}, 'kube-public': {} };
const [asks, approves] = JOINING;
assert.ok(asks && approves);

describe('what is asked for a machine that joins', () => {
  it('is written to namespaces of the system', () => {
    assert.deepEqual(NAMESPACES_OF_JOINING, ['kube-node-lease', 'kube-public', 'kube-system']);
    assert.deepEqual(JOINING.map(requestText), [
      'create certificatesigningrequests',
      'update certificatesigningrequests/approval',
      'update certificatesigningrequests/status',
      'create subjectaccessreviews',
      'create nodes',
      'update nodes/status',
      'create leases',
      'update leases',
      'create csinodes',
      'create serviceaccounts/token',
      'update configmaps',
    ]);
  });

  it('shows itself to expressions', () => {
    const of = (expression: string, one = asks): string | undefined =>
      opinionsOf([expression], scopeOf(one, labels))[0];
    assert.equal(of('request.kind.kind == "CertificateSigningRequest" && request.resource.version == "v1"'), 'true');
    assert.equal(of('request.subResource == "" && namespaceObject == null'), 'true');
    assert.equal(of('request.subResource == "approval" && oldObject == null', approves), 'unknown');
    assert.equal(of('"system:bootstrappers" in request.userInfo.groups'), 'true');
    assert.equal(
      of('request.userInfo.username == "system:serviceaccount:kube-system:certificate-controller"'),
      'false',
    );
    const token = JOINING.find(({ resource }) => resource === 'serviceaccounts/token');
    assert.equal(
      of('request.kind.group == "authentication.k8s.io" && namespaceObject.metadata.labels.a == "b"', token),
      'true',
    );
  });

  it('is named by rules and picked by selectors', () => {
    const rule = { apiGroups: ['*'], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps', 'leases'] };
    assert.deepEqual(JOINING.filter((one) => isNamedBy([rule], one)).map(requestText), [
      'create leases',
      'update leases',
      'update configmaps',
    ]);
    const objectSelector = { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] };
    assert.deepEqual(
      JOINING.filter((one) => isNamedBy([rule], one) && areFor({ objectSelector }, one, labels)).map(requestText),
      ['create leases', 'update leases'],
    );
    const namespaceSelector = { matchLabels: { a: 'b' } };
    assert.deepEqual(
      JOINING.filter((one) => one.namespace !== '' && areFor({ namespaceSelector }, one, labels)).map(requestText),
      ['create serviceaccounts/token'],
    );
  });
});

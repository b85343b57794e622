import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isOfSystem } from './system-namespaces.js';

it('namespaces of the system are told by what they are called', () => {
  for (const name of [
    ...['kube-system', 'istio-system', 'openshift-etcd', 'aks-command', 'knative-serving'],
    ...[
      'gpu-operator',
      'gpu-operators',
      'a-controller',
      'a-controllers',
      'a-webhook',
      'a-webhooks',
      'a-agent',
      'a-agents',
    ],
    ...['a-injector', 'a-manager', 'a-policy', 'a-security', 'a-infra', 'rook-ceph'],
    ...['cert-manager', 'kyverno', 'falco', 'monitoring', 'vault'],
  ])
    assert.equal(isOfSystem(name), true, name);
  for (const name of [
    ...['default', 'tenant', 'team-a', 'payments', 'systems', 'my-app', ''],
    // a part of a name is not the name
    ...['team-kube-a', 'kubes', 'a-system-b', 'a-systems', 'system', 'operator', 'falcon', 'my-vault', 'vaults'],
  ])
    assert.equal(isOfSystem(name), false, name);
});

it('namespaces of the system are told by every word that they are called by', () => {
  const begins = 'kube openshift cattle calico cilium tigera istio knative tekton nvidia vault fleet ack gke aks eks';
  for (const word of `${begins} azure amazon aws gcp`.split(' ')) assert.ok(isOfSystem(`${word}-a`), word);
  for (const word of ['system', 'operator', 'security', 'ceph']) assert.ok(isOfSystem(`a-${word}`), word);
  const names =
    'kyverno opa gatekeeper kubewarden linkerd cilium metallb velero argocd flux rook longhorn openebs portworx vault ' +
    'datadog stackrox neuvector sysdig falco keda olm operators spire crossplane dapr hnc capsule karmada koordinator ' +
    'cert-manager external-secrets ingress-nginx traefik monitoring';
  for (const name of names.split(' ')) assert.ok(isOfSystem(name), name);
});

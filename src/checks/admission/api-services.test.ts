import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { twinsOf } from '../common/twins.testing.js';
import { isWithoutDefinitions, othersServe, readApiServices, servedByItself } from './api-services.js';

const GROUPS = ['', 'authentication', 'authorization', 'certificates', 'coordination', 'rbac.authorization', 'storage'];
const OWN = GROUPS.map((group) => (group === '' ? 'v1.' : `v1.${group}.k8s.io`));
const own = (name: string): KubeObject => ({ metadata: { name }, spec: { service: null } });
const elsewhere = (name: string): KubeObject => ({
  metadata: { name },
  spec: { service: { namespace: 'default', name: 'other' } },
});
const said = (services: readonly KubeObject[]): readonly string[] =>
  servedByItself
    .judge(readApiServices(services), undefined)
    .map(({ result, subject, seen }) => `${result} ${subject}: ${seen}`);

describe('the API that machines join by', () => {
  it('is served by the API server', () => {
    const sound = ['met the API that machines join by: by nobody else'];
    assert.deepEqual(said([]), sound);
    assert.deepEqual(said(OWN.map(own)), sound);
    assert.deepEqual(said([...OWN.map(own), elsewhere('v1beta1.metrics.k8s.io')]), sound);
    // one that lists what others add alone
    assert.deepEqual(said([elsewhere('v1beta1.metrics.k8s.io')]), sound);
  });

  it('is told where another one has taken it, or nobody serves it', () => {
    assert.deepEqual(said([...OWN.slice(1).map(own), elsewhere('v1.')]), [
      'unmet APIService v1.: by Service default/other',
    ]);
    assert.deepEqual(said([...OWN.map(own), elsewhere('v1beta9.certificates.k8s.io'), elsewhere('v2.k8s.io')]), [
      'unmet APIService v1beta9.certificates.k8s.io: by Service default/other',
    ]);
    for (const name of OWN.slice(1)) {
      const others = OWN.filter((one) => one !== name).map(own);
      assert.deepEqual(said([...others, elsewhere(name)]), [`unmet APIService ${name}: by Service default/other`]);
      assert.deepEqual(said(others), [`unmet APIService ${name}: it is not registered`]);
      for (const twin of twinsOf(name))
        assert.deepEqual(said([...others, own(twin)]), [`unmet APIService ${name}: it is not registered`], twin);
    }
  });
});

it('definitions of further kinds show in the groups of the API', () => {
  const all = [...OWN, 'v1.apps', 'v2.autoscaling', 'v1beta1.flowcontrol.apiserver.k8s.io', 'v1.policy'].map(own);
  assert.equal(isWithoutDefinitions(all), true);
  assert.equal(isWithoutDefinitions([...all, elsewhere('v1beta1.metrics.k8s.io')]), true);
  for (const added of ['v1.crd.projectcalico.org', 'v2.cilium.io', 'v1alpha1.policy.networking.k8s.io', 'v1.app'])
    assert.equal(isWithoutDefinitions([...all, own(added)]), false, added);
  for (const some of [undefined, [], all.slice(1), [own('v1.apps')]]) assert.equal(isWithoutDefinitions(some), false);
});

describe('what others serve of the API', () => {
  const NOW = Date.parse('2026-01-01T01:00:00Z');
  const down = (minutes: number, status = 'False') => ({
    status: {
      conditions: [
        { type: 'Other', status: 'False', lastTransitionTime: '2020-01-01T00:00:00Z' },
        {
          type: 'Available',
          status,
          reason: 'MissingEndpoints',
          lastTransitionTime: new Date(NOW - minutes * 60_000).toISOString(),
        },
      ],
    },
  });
  const others = (services: readonly KubeObject[], there = ['default/other']): readonly string[] =>
    othersServe
      .judge(readApiServices(services), { services: there, now: NOW })
      .map(({ result, subject, demanded, seen }) => `${result} ${subject}: ${demanded}: ${seen}`);
  const metrics = elsewhere('v1beta1.metrics.k8s.io');

  it('is there', () => {
    const sound = ['met what others serve of the API: is served by somebody who is there: each of 1'];
    assert.deepEqual(others([metrics]), sound);
    assert.deepEqual(others([own('v1.'), { ...metrics, ...down(60, 'True') }]), sound);
    assert.deepEqual(others([{ ...metrics, ...down(10) }]), sound);
    assert.deepEqual(others([{ ...metrics, status: { conditions: [{ type: 'Available', status: 'False' }] } }]), sound);
    assert.deepEqual(others([own('v1.'), { ...own('v1.apps'), ...down(60) }]), []);
  });

  it('is told where it is gone, or down for long', () => {
    const demanded = 'unmet APIService v1beta1.metrics.k8s.io: is served by somebody who is there';
    assert.deepEqual(others([{ ...metrics, ...down(11) }, elsewhere('v1.example.com')]), [
      `${demanded}: Service default/other does not serve it (MissingEndpoints)`,
    ]);
    assert.deepEqual(others([metrics], []), [`${demanded}: there is no Service default/other`]);
  });
});

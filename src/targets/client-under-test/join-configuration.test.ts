import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Approach } from '../../liars/approach.js';
import { configuredWaits, joinConfiguration, waitsOf } from './join-configuration.js';

const approach: Approach = {
  discovery: { tlsBootstrapToken: 'abcdef.0123456789abcdef' },
  discoveryTimeout: 7000,
  byFlags: false,
  registration: {},
  patches: [],
  dryRun: false,
  files: {},
  present: {},
};
const least = {
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'JoinConfiguration',
  discovery: approach.discovery,
  nodeRegistration: { name: 'worker-9' },
  timeouts: {
    discovery: '7s',
    tlsBootstrap: '20s',
    kubeletHealthCheck: '8s',
    controlPlaneComponentHealthCheck: '6s',
    kubernetesAPICall: '4s',
  },
};
const controlPlane = { certificateKey: 'a', localAPIEndpoint: { advertiseAddress: '192.0.2.1', bindPort: 6443 } };

describe('a JoinConfiguration', () => {
  it('says what every machine is told', () => assert.deepEqual(joinConfiguration(approach), least));

  it('says each thing that a machine is told besides, and nothing else with it', () => {
    const { timeouts } = least;
    for (const [told, more, otherwise] of [
      [{ controlPlane }, {}, { controlPlane }],
      [{ controlPlane }, { skipPhases: ['preflight'] }, { controlPlane, skipPhases: ['preflight'] }],
      [{}, { skipPhases: ['preflight'] }, {}],
      [{}, { registration: { name: 'other', taints: [] } }, { nodeRegistration: { name: 'other', taints: [] } }],
      [
        { registration: { name: 'own' } },
        { registration: { name: 'other', taints: [] } },
        { nodeRegistration: { name: 'own', taints: [] } },
      ],
      [{ caCertPath: '/a/ca.crt' }, {}, { caCertPath: '/a/ca.crt' }],
      [{ patches: [{}] }, {}, { patches: { directory: 'patches' } }],
      [{ dryRun: true }, {}, { dryRun: true }],
      [{}, { tlsBootstrap: 3 }, { timeouts: { ...timeouts, tlsBootstrap: '3s' } }],
      [{}, { timeouts: { discovery: '1s', more: '2s' } }, { timeouts: { ...timeouts, discovery: '1s', more: '2s' } }],
    ] as const)
      assert.deepEqual(
        joinConfiguration({ ...approach, ...(told as Partial<Approach>) }, more),
        { ...least, ...otherwise },
        JSON.stringify([told, more]),
      );
  });

  it('of v1beta3 has no timeouts but that of discovery, and arguments by their names', () => {
    const { timeouts: _, ...others } = least;
    const old = {
      ...others,
      apiVersion: 'kubeadm.k8s.io/v1beta3',
      discovery: { ...approach.discovery, timeout: '7s' },
    };
    assert.deepEqual(joinConfiguration({ ...approach, isOld: true }), old);
    const kubeletExtraArgs = [
      { name: 'v', value: '5' },
      { name: 'node-ip', value: '192.0.2.7' },
    ];
    const registration = { name: 'own', kubeletExtraArgs };
    const told = { ...approach, isOld: true, controlPlane, registration } as unknown as Approach;
    assert.deepEqual(joinConfiguration(told, { timeouts: { discovery: '3s' } }), {
      ...old,
      controlPlane,
      discovery: { ...approach.discovery, timeout: '3s' },
      nodeRegistration: { name: 'own', kubeletExtraArgs: { v: '5', 'node-ip': '192.0.2.7' } },
    });
  });

  it('makes machines wait as long as it says', () => {
    const others = { healthTimeout: 8000, componentTimeout: 6000, callTimeout: 4000 };
    assert.deepEqual(configuredWaits(), { bootstrapTimeout: 20_000, ...others });
    assert.deepEqual(configuredWaits(3), { bootstrapTimeout: 3000, ...others });
  });

  it('of v1beta3 lets machines wait as kubeadm does, and flags say nothing of it', () => {
    const long = { healthTimeout: 240_000, componentTimeout: 240_000, callTimeout: 60_000 };
    assert.deepEqual(waitsOf({ byFlags: false, isOld: true }), { bootstrapTimeout: 300_000, ...long });
    assert.deepEqual(waitsOf({ byFlags: false }), configuredWaits());
    assert.deepEqual(waitsOf({ byFlags: false }, 3), configuredWaits(3));
    assert.deepEqual(waitsOf({ byFlags: true, isOld: true }), {});
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saidBy } from '../common/judged.testing.js';
import { heartbeatsInTime, heartbeatsWaitedFor } from './node-heartbeats.js';
import { pod } from './node-seen.testing.js';

describe('heartbeats of a machine', () => {
  const told = (settings: object, grace = ''): string =>
    saidBy(
      heartbeatsWaitedFor,
      {
        manager: pod('kube-controller-manager', grace === '' ? {} : { 'node-monitor-grace-period': grace }),
        settings: { ...settings },
      },
      undefined,
    ).join();
  it('come before they are given up', () => {
    assert.equal(told({}), 'met: it waits 50 s, and hears of it each 10 s');
    assert.equal(told({}, '11s'), 'met: it waits 11 s, and hears of it each 10 s');
    assert.equal(told({}, '10s'), 'unmet: it waits 10 s, and hears of it each 10 s');
    assert.equal(told({ nodeLeaseDurationSeconds: 600 }), 'unmet: it waits 50 s, and hears of it each 150 s');
    assert.equal(told({ nodeLeaseDurationSeconds: 600 }, '5m'), 'met: it waits 300 s, and hears of it each 150 s');
  });
  it('are what its controller manager waits for', () => {
    const manager = pod('kube-controller-manager', {});
    const [judged] = heartbeatsWaitedFor.judge({ manager, settings: {} }, undefined);
    assert.equal(judged?.demanded, 'it waits for as long as the kubelet of the machine takes');
  });
  it('are what status is sent by as well', () => {
    assert.equal(told({ nodeStatusUpdateFrequency: '4s' }, '8s'), 'met: it waits 8 s, and hears of it each 4 s');
    assert.equal(told({ nodeStatusUpdateFrequency: '10m' }), 'met: it waits 50 s, and hears of it each 10 s');
    const seldom = { nodeStatusUpdateFrequency: '4s', nodeStatusReportFrequency: '1m', nodeLeaseDurationSeconds: 400 };
    assert.equal(told(seldom), 'unmet: it waits 50 s, and hears of it each 60 s');
    // what is not said is 0 in the file of kubeadm
    assert.equal(
      told({ nodeStatusUpdateFrequency: '0s', nodeStatusReportFrequency: '0s' }),
      'met: it waits 50 s, and hears of it each 10 s',
    );
  });
});

describe('heartbeats of a worker', () => {
  const told = (settings: object): string =>
    saidBy(heartbeatsInTime, { path: '/var/lib/kubelet/config.yaml', settings: { ...settings } }, undefined).join();
  it('come before a controller manager that is told nothing gives them up', () => {
    assert.equal(told({}), 'met: it is heard of each 10 s');
    assert.equal(told({ nodeLeaseDurationSeconds: 196 }), 'met: it is heard of each 49 s');
    assert.equal(told({ nodeLeaseDurationSeconds: 200 }), 'unmet: it is heard of each 50 s');
    assert.equal(
      told({ nodeLeaseDurationSeconds: 600, nodeStatusUpdateFrequency: '4s' }),
      'met: it is heard of each 4 s',
    );
  });
});

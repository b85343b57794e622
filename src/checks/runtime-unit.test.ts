import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from './judged.testing.js';
import { serviceIn } from './kubelet-service.js';
import type { Disk } from './node-seen.js';
import { at } from './node-seen.testing.js';
import { runtimeStarts } from './runtime-unit.js';

const UNIT = '/usr/lib/systemd/system/containerd.service';
const WANTS = '/etc/systemd/system/multi-user.target.wants';
const PART = '/etc/systemd/system/containerd.service.d/a.conf';
const WHOLE = '[Unit]\nA=b\n[Service]\nExecStart=/usr/bin/containerd\n[Install]\nWantedBy=multi-user.target\n';
const disk = (files: Readonly<Record<string, string>>): Disk =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => {
      const isUnit = /\.service(?:\.d\/[^/]+)?$/.test(path) && content !== '';
      const { file } = at(path, isUnit ? { kind: 'service', service: serviceIn(content) } : { kind: 'other' });
      if (file === null) throw new Error('no file');
      return [path, file];
    }),
  );
const told = (part: string, more: Readonly<Record<string, string>> = {}, asked = ''): string =>
  resultsOf(runtimeStarts, { disk: disk({ [UNIT]: WHOLE, [PART]: part, ...more }), asked }, undefined).join();
const FINE = 'met,met,met,met,met';
const again = (command: string): string => `[Service]\nExecStart=\nExecStart=${command}`;

describe('the unit of a runtime', () => {
  it('is asked of where it lies there', () => {
    assert.deepEqual(resultsOf(runtimeStarts, { disk: disk({ [PART]: WHOLE }), asked: '' }, undefined), []);
    assert.equal(told('[Service]\nLimitNOFILE=1'), FINE);
  });
  it('starts one containerd as root, which lies there', () => {
    assert.equal(told('[Service]\nExecStart=/usr/bin/containerd'), 'unmet,met,met,met,met');
    assert.equal(told('[Service]\nExecStart='), 'unmet,met,met,met,met');
    assert.equal(told(again('/opt/evil')), 'unmet,met,met,met,met');
    assert.equal(told('', { '/usr/bin/kubelet': '' }), 'unmet,met,met,met,met');
    assert.equal(told('', { '/usr/bin/kubelet': '', '/usr/bin/containerd': '' }), FINE);
    assert.equal(told(again('/snap/a/containerd'), { '/usr/bin/kubelet': '' }), FINE);
    assert.equal(told('[Service]\nUser=anna'), 'met,unmet,met,met,met');
  });
  it('has it listen where the kubelet asks, with a file that is there', () => {
    const there = again('/usr/bin/containerd --config /etc/containerd/a.toml --address /run/a.sock');
    assert.equal(told(there), 'met,met,met,unmet,met');
    assert.equal(told(there, { '/etc/containerd/a.toml': '' }, 'unix:///var/run/a.sock'), FINE);
    assert.equal(told(there, { '/etc/containerd/a.toml': '' }, 'unix:///run/b.sock'), 'met,met,unmet,met,met');
  });
  it('is started', () => {
    assert.equal(told('', { [WANTS]: '' }), 'met,met,met,met,unmet');
    assert.equal(told('', { [WANTS]: '', [`${WANTS}/containerd.service`]: '' }), FINE);
    assert.equal(told('', { [WANTS]: '', '/usr/bin/dockerd': '', '/usr/bin/containerd': '' }), FINE);
  });
});

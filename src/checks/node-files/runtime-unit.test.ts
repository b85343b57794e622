import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { judged, resultsOf } from '../common/judged.testing.js';
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
  it('may be root by any of its names', () => {
    for (const user of ['', 'root', '0']) assert.equal(told(`[Service]\nUser=${user}`), FINE, user);
    for (const user of ['00', 'rooty', 'anna'])
      assert.equal(told(`[Service]\nUser=${user}`), 'met,unmet,met,met,met', user);
  });
  it('is missed only in folders of which something is known', () => {
    const missed = 'unmet,met,met,met,met';
    for (const [folder, other, result] of [
      ['/usr/local/bin', '/usr/local/bin/runc', missed],
      ['/opt/bin', '/opt/bin/kubelet', missed],
      ['/usr/sbin', '/usr/sbin/iptables', missed],
      ['/usr/bin', '/usr/bin/sub/x', FINE],
      ['/usr/bin', '/srv/usr/bin/x', FINE],
      ['/usr/bin', '/usr/local/bin/x', FINE],
      ['/srv/usr/bin', '/srv/usr/bin/x', FINE],
      ['/usr/bin/a', '/usr/bin/a/x', FINE],
    ] as const)
      assert.equal(told(again(`${folder}/containerd`), { [other]: '' }), result, `${folder} ${other}`);
  });
  it('may be told a file elsewhere, which nobody has looked for', () => {
    assert.equal(told(again('/usr/bin/containerd --config /srv/a.toml')), FINE);
    assert.equal(told(again('/usr/bin/containerd --config=')), FINE);
    assert.equal(told(again('/usr/bin/containerd --address /run/a.sock')), FINE);
    assert.equal(told('', {}, 'unix:///run/b.sock'), FINE);
  });
  it('is started by a link to itself, or by Docker, and by nothing that only looks so', () => {
    const off = 'met,met,met,met,unmet';
    const there = { [WANTS]: '', '/usr/bin/containerd': '' };
    for (const path of [
      `${WANTS}/containerd.service.bak`,
      `/srv${WANTS}/containerd.service`,
      '/usr/bin/dockerd-rootless',
      '/etc/dockerd',
    ])
      assert.equal(told('', { ...there, [path]: '' }), off, path);
    for (const path of ['/etc/systemd/system/kubelet.service.wants/containerd.service', '/usr/sbin/dockerd'])
      assert.equal(told('', { ...there, [path]: '' }), FINE, path);
  });
  it('is told with what it is', () => {
    const said = (part: string, more: Readonly<Record<string, string>> = {}, asked = ''): readonly string[] =>
      judged(runtimeStarts, { disk: disk({ [UNIT]: WHOLE, [PART]: part, ...more }), asked }, undefined).map(sentenceOf);
    const own = 'containerd.service:';
    assert.deepEqual(said(''), [
      `${own} it has one command, which is containerd; seen: it has`,
      `${own} it runs as root; seen: it does`,
      `${own} it listens where the kubelet asks; seen: nothing else is said`,
      `${own} it reads what lies there; seen: /etc/containerd/config.toml`,
      `${own} it starts with its machine; seen: it does`,
    ]);
    const wrong = `[Service]\nUser=anna\n${again('/opt/evil --config /etc/containerd/b --address /run/a.sock')}`;
    assert.deepEqual(said(wrong, { [WANTS]: '' }, 'unix:///run/b.sock'), [
      `${own} it has one command, which is containerd; seen: /opt/evil`,
      `${own} it runs as root; seen: anna`,
      `${own} it listens where the kubelet asks; seen: /run/a.sock`,
      `${own} it reads what lies there; seen: /etc/containerd/b`,
      `${own} it starts with its machine; seen: nothing starts it`,
    ]);
    const commandOf = (part: string, more: Readonly<Record<string, string>> = {}): string =>
      said(part, more)[0]?.replace(/.*; seen: /, '') ?? '';
    assert.equal(commandOf('[Service]\nExecStart='), 'there is none');
    assert.equal(commandOf('[Service]\nExecStart=/usr/bin/containerd'), '2');
    assert.equal(commandOf('', { '/usr/bin/kubelet': '' }), '/usr/bin/containerd, where none is');
    assert.equal(commandOf(again(`/${'a'.repeat(200)}`)), `/${'a'.repeat(119)}`);
  });
});

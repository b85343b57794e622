import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONTAINERD, RUNTIME_SOCKET, runtimeServes, runtimeSettingsIn, sameCgroupDriver } from './container-runtime.js';
import { resultsOf } from './judged.testing.js';
import { at } from './node-seen.testing.js';

const seen = (content: string, settings: object = {}, mode?: number, flags = {}) => ({
  config: at(CONTAINERD, content === '' ? null : { kind: 'runtime', settings: runtimeSettingsIn(content) }),
  socket: at(RUNTIME_SOCKET, mode === undefined ? null : { kind: 'other' }, mode),
  settings: { ...settings },
  flags,
});
const serves = (...of: Parameters<typeof seen>): string => resultsOf(runtimeServes, seen(...of), undefined).join();

describe('a container runtime', () => {
  it('is configured by lines and lists', () => {
    const content = [
      ...[
        '# a = 1',
        "root = '/a' # b",
        'off = ["x", # y',
        ' "z"',
        ']',
        '[grpc]',
        'uid = 0',
        '[ "a".b.\'c.d\' ]',
        'e = ["f"]',
      ],
      ...['g = "h # i"', 'text = """', 'x = {}'],
    ].join('\n');
    assert.deepEqual(runtimeSettingsIn(content), {
      root: '/a',
      off: 'x,z',
      'grpc.uid': '0',
      'a.b.c.d.e': 'f',
      'a.b.c.d.g': 'h # i',
      'a.b.c.d.text': '"',
      'a.b.c.d.x': '{}',
    });
  });
  it('serves the kubelet, and nobody else', () => {
    assert.equal(serves('version = 2\n'), 'met,met,met,met,met');
    assert.equal(serves('disabled_plugins = ["cri"]'), 'unmet,met,met,met,met');
    assert.equal(serves('disabled_plugins = ["io.containerd.cri.v1.images"]'), 'unmet,met,met,met,met');
    assert.equal(serves('disabled_plugins = ["cri-o"]'), 'met,met,met,met,met');
    assert.equal(serves('[grpc]\ntcp_address = ":1"'), 'met,unmet,met,met,met');
    assert.equal(serves('[grpc]\ntcp_address = ":1"\ntcp_tls_ca = "/a"'), 'met,met,met,met,met');
    assert.equal(serves('[grpc]\nuid = 7'), 'met,met,unmet,met,met');
    assert.equal(serves('[plugins\n'), 'unmet,met,met,met,met');
    const listens = (address: string): string => `[grpc]\naddress = "${address}"`;
    const containerd = { containerRuntimeEndpoint: 'unix:///var/run/containerd/containerd.sock' };
    assert.equal(serves(listens('/run/containerd/containerd.sock'), containerd), 'met,met,met,met,met');
    assert.equal(serves(listens('/run/other.sock'), containerd), 'unmet,met,met,met,met');
    assert.equal(serves(listens('/run/other.sock'), {}), 'met,met,met,met,met');
    const chosen = (name: string): string => `[a.containerd]\ndefault_runtime_name = "${name}"\n`;
    assert.equal(serves(chosen('kata')), 'unmet,met,met,met,met');
    assert.equal(serves(chosen('runc')), 'met,met,met,met,met');
    assert.equal(serves(`${chosen('kata')}[a.containerd.runtimes.kata]\ntype = "a"`), 'met,met,met,met,met');
    assert.equal(serves('imports = ["/etc/a.toml", "/tmp/*.toml"]'), 'met,met,met,unmet,met');
    assert.equal(serves('[grpc]\ngid = 998'), 'met,met,met,met,unmet');
    assert.equal(serves('[debug]\nuid = 1'), 'met,met,met,met,unmet');
    assert.equal(serves('', { containerRuntimeEndpoint: 'unix:///var/run/dockershim.sock' }), 'unmet');
    assert.equal(serves('', {}, 0o666), 'unmet');
    assert.equal(serves('', {}, 0o660), 'met');
    assert.equal(serves('', {}), '');
    const crio = { containerRuntimeEndpoint: 'unix:///run/crio/crio.sock' };
    assert.equal(serves('disabled_plugins = ["cri"]', crio), '');
    const flags = { 'container-runtime-endpoint': 'unix:///var/run/containerd/containerd.sock' };
    assert.equal(serves('disabled_plugins = ["cri"]', crio, undefined, flags), 'unmet,met,met,met,met');
  });
  it('works with the cgroup driver of the kubelet', () => {
    const told = (content: string, settings: object = { cgroupDriver: 'systemd' }, flags = {}): string =>
      resultsOf(sameCgroupDriver, seen(content, settings, undefined, flags), undefined).join();
    const says = (value: string, version = 2) => `version = ${version}\n[a.runc.options]\nSystemdCgroup = ${value}\n`;
    assert.equal(told(says('true')), 'met');
    assert.equal(told(says('false')), 'unmet');
    assert.equal(told(says('true'), {}), 'unmet');
    assert.equal(told(says('false'), {}, { 'cgroup-driver': 'systemd' }), 'unmet');
    assert.equal(told(says('false', 3)), '');
    for (const version of ['" 3"', '"3 "', '""', '30'])
      assert.equal(told(says('false').replace('version = 2', `version = ${version}`)), 'unmet', version);
    assert.equal(told('version = 2\n'), '');
    assert.equal(told(says('false'), { containerRuntimeEndpoint: 'unix:///run/crio/crio.sock' }), '');
  });
});

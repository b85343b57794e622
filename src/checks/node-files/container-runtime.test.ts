import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { resultsOf } from '../common/judged.testing.js';
import {
  CONTAINERD,
  isOfContainerd,
  RUNTIME_SOCKET,
  type RuntimeSeen,
  runtimeServes,
  runtimeSettingsIn,
  sameCgroupDriver,
  socketOf,
  withImports,
} from './container-runtime.js';
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
      ...['g = "h # i"', 'text = """', 'y = 1', '"""', 'x = {}'],
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
    assert.equal(serves('version = 2', crio), 'unmet');
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
    for (const version of [3, 4]) assert.equal(told(says('false', version)), '', `${version}`);
    assert.equal(told(says('false', 1)), 'unmet');
    for (const version of ['" 3"', '"3 "', '""', '30'])
      assert.equal(told(says('false').replace('version = 2', `version = ${version}`)), 'unmet', version);
    assert.equal(told('version = 2\n'), '');
    assert.equal(told(says('false'), { containerRuntimeEndpoint: 'unix:///run/crio/crio.sock' }), '');
  });
});

describe('a version', () => {
  it('has the names that its file uses', () => {
    const of = (version: string, name: string): string => serves(`${version}[plugins."${name}".containerd]\na = 1`);
    const [two, three] = ['io.containerd.grpc.v1.cri', 'io.containerd.cri.v1.runtime'];
    assert.match(of('version = 2\n', two), /^met/);
    assert.match(of('version = 3\n', three), /^met/);
    assert.match(of('version = 3\n', two), /^unmet/);
    assert.match(of('', two), /^unmet/);
    assert.match(of('', 'cri'), /^met/);
    assert.match(of('version = 9\n', three), /^unmet/);
    for (const version of ['1', '2', '3', '4']) assert.match(serves(`version = ${version}\n`), /^met/, version);
    for (const version of ['0', '5', '12', '21']) assert.match(serves(`version = ${version}\n`), /^unmet/, version);
    for (const part of ['containerd', 'cni', 'registry'])
      assert.match(serves(`version = 3\n[plugins."${two}".${part}]\na = 1`), /^unmet/, part);
    // what stays where it was
    assert.match(serves(`version = 3\n[plugins."${two}"]\ndisable_tcp_service = true`), /^met/);
    assert.match(serves(`version = 3\n[plugins."${two}".containerds]\na = 1`), /^met/);
    const why = (content: string): string => runtimeServes.judge(seen(content), undefined)[0]?.seen ?? '';
    assert.equal(why(`[plugins."${two}"]\na = 1`), 'names of version 2 in a file of version 1');
    assert.equal(why(`version = 4\n[plugins."${two}".cni]\na = 1`), 'names of version 2 in a file of version 4');
    assert.equal(why(`version = "${'9'.repeat(30)}"`), `version ${'9'.repeat(20)}`);
  });
});

describe('what is imported', () => {
  it('stands above what imports it, and lists are one', () => {
    const own = { imports: '/etc/containerd/conf.d/*.toml,/b.toml', disabled_plugins: 'a', x: '1', y: '1' };
    const others = {
      '/etc/containerd/conf.d/2.toml': { x: '3', disabled_plugins: 'c', version: '2' },
      '/etc/containerd/conf.d/1.toml': { x: '2', disabled_plugins: 'b' },
      '/etc/containerd/conf.d/z.bak': { x: '9' },
      '/c.toml': { y: '9' },
    };
    assert.deepEqual(withImports(own, others), { ...own, x: '3', disabled_plugins: 'a,b,c' });
    assert.deepEqual(withImports({ x: '1' }, others), { x: '1' });
    // one that is named whole, and lists that only one of them has
    const lists = { '/b.toml': { required_plugins: 'r', disabled_plugins: 'd', imports: '/c.toml', other: 'o' } };
    assert.deepEqual(withImports({ imports: '/b.toml', disabled_plugins: '', other: 'x' }, lists), {
      imports: '/b.toml',
      disabled_plugins: 'd',
      required_plugins: 'r',
      other: 'o',
    });
    assert.deepEqual(withImports({ imports: '/b.toml', required_plugins: 'q' }, lists).required_plugins, 'q,r');
    assert.deepEqual(withImports({ imports: '/b.tom' }, lists), { imports: '/b.tom' });
    // itself it does not import
    assert.deepEqual(withImports({ imports: '/etc/containerd/*.toml' }, { [CONTAINERD]: { x: '1' } }), {
      imports: '/etc/containerd/*.toml',
    });
  });

  it('lies beside it, in folders of its own', () => {
    for (const path of [CONTAINERD, '/etc/containerd/conf.d/10-a.toml', '/etc/containerd/c/b.toml'])
      assert.equal(isOfContainerd(path), true, path);
    for (const path of [
      '/etc/containerd/a.toml',
      '/etc/containerd/a/b/c.toml',
      '/etc/containerd/a/b.toml.bak',
      '/srv/etc/containerd/a/b.toml',
    ])
      assert.equal(isOfContainerd(path), false, path);
  });
});

describe('what is read of a runtime', () => {
  it('is TOML, line by line', () => {
    for (const [content, read] of [
      ['a = 1 # b', { a: '1' }],
      ['  a=1  ', { a: '1' }],
      ['"a" = "b" # "c"', { a: 'b' }],
      ["'a'   =   'b'", { a: 'b' }],
      ['a = "b # c" # d', { a: 'b # c' }],
      ["a = 'b # c'", { a: 'b # c' }],
      ['a = "b\'', { a: '"b\'' }],
      ['a = x"b"', { '': 'a = x"b"', a: 'x"b"' }],
      ['a = /b', { '': 'a = /b', a: '/b' }],
      ['a = 1\na = 2', { '': 'a = 2', a: '2' }],
      ['[[a]]\nb = 1\n[[a]]\nb = true', { 'a.0.b': '1', 'a.1.b': 'true' }],
      ['SystemdCgroup = "true"', { '': 'SystemdCgroup = "true"', SystemdCgroup: 'true' }],
      ["a = '''\nb = 1\n'''\nc = -1", { a: "'", c: '-1' }],
      ['a = "b"x', { a: '"b"x' }],
      ['# a = 1', {}],
      ['a b = 1', {}],
      ['[a]\nb = 1\n[ c ]\nb = 2', { 'a.b': '1', 'c.b': '2' }],
      ['[a] x\nb = 1', { b: '1' }],
      ['a = [ "x", "y" ]', { a: 'x,y' }],
      ['a = [\n"x", # z\n\n"y"\n]\nb = 1', { a: 'x,y', b: '1' }],
      ['a = []', { a: '' }],
      ['a = [\n"x"', {}],
      ['a = [ "x" , "y",\n ]', { a: 'x,y' }],
      // a sign within quotes that stands before a comment, and behind one
      ["a = 'x' # 'y' # z", { a: 'x' }],
      ['a = """x""" # b\nc = 1', { a: '""x""', c: '1' }],
      ["a = \"x ''' y\"\nc = 1", { a: "x ''' y", c: '1' }],
      ['a = """\nb = 1\nc = 2\n"""\nd = 1', { a: '"', d: '1' }],
      ['a = "b"\nc = 1 "', { a: 'b', c: '1 "' }],
      ['enable_a = "x"', { '': 'enable_a = "x"', enable_a: 'x' }],
      ["disable_ab = 'x'", { '': "disable_ab = 'x'", disable_ab: 'x' }],
      ['disable_a = true', { disable_a: 'true' }],
      ['disable_a_plugins = "x"', { disable_a_plugins: 'x' }],
      ['my_enable_a = "x"\nSystemdCgroups = "y"\nenable = "z"', { my_enable_a: 'x', SystemdCgroups: 'y', enable: 'z' }],
      ['[[a]] x\nb = 1', { b: '1' }],
      ['[[ ab ]]\nc = 1', { 'ab.0.c': '1' }],
      ['x [[a]]\nb = 1', { b: '1' }],
      [`a = ${'x'.repeat(60)}`, { '': `a = ${'x'.repeat(36)}`, a: 'x'.repeat(60) }],
      [`[${'x'.repeat(60)}`, { '': `[${'x'.repeat(39)}` }],
    ] as const)
      assert.deepEqual(runtimeSettingsIn(content), read, content);
    assert.deepEqual([CONTAINERD, RUNTIME_SOCKET], ['/etc/containerd/config.toml', '/run/containerd/containerd.sock']);
  });

  it('is told by what it holds', () => {
    const said = (...of: Parameters<typeof seen>): readonly string[] =>
      runtimeServes.judge(seen(...of), undefined).flatMap((one) => (one.result === 'met' ? [] : [one.seen]));
    const endpoint = (containerRuntimeEndpoint: string): object => ({ containerRuntimeEndpoint });
    const own = endpoint('unix:///run/containerd/containerd.sock');
    for (const [content, settings, told] of [
      [
        'disabled_plugins = ["cri", "io.containerd.grpc.v1.cri", "my.cri", "crib"]',
        {},
        ['cri, io.containerd.grpc.v1.cri'],
      ],
      [
        '[grpc]\naddress = "/run/a.sock"',
        own,
        ['it listens at /run/a.sock, and is asked at /run/containerd/containerd.sock'],
      ],
      ['[grpc]\naddress = "/var/run/containerd/containerd.sock"', own, []],
      [
        '[grpc]\naddress = "/a/var/run/x"',
        own,
        ['it listens at /a/var/run/x, and is asked at /run/containerd/containerd.sock'],
      ],
      ['[x.containerd]\ndefault_runtime_name = "a"', {}, ['the runtime a, which it does not know']],
      ['[x.containerd]\ndefault_runtime_name = ""', {}, []],
      ['[x.containerd]\ndefault_runtime_names = "a"', {}, []],
      ['[x.containerd]\ndefault_runtime_name = "a"\n[x.containerd.runtimes]\na = "b"', {}, []],
      [
        '[x.containerd]\ndefault_runtime_name = "a"\n[x.containerd.runtimes.A]\nb = ""',
        {},
        ['the runtime a, which it does not know'],
      ],
      ['[grpc\n', {}, ['it ends at the line [grpc']],
      ['[a]\nroot = "/tmp/x"\nbin_dir = "/var/tmp"', {}, ['root /tmp/x, bin_dir /var/tmp']],
      [`root = "/tmp/${'x'.repeat(90)}"`, {}, [`root /tmp/${'x'.repeat(55)}`]],
      ['rooted = "/tmp/x"\nmyroot = "/tmp/x"\nroots = "/tmp"', {}, []],
      ['[debug]\nuid = 1\ngid = 2\n[grpc]\ngid = 0', {}, ['debug.uid, debug.gid']],
      ['[grpc]\nuid = "00"', {}, ['user 00']],
      ['[grpc]\ntcp_address = "a:1"', {}, ['a:1']],
    ] as const)
      assert.deepEqual(said(content, settings), told, content);
    for (const gone of ['unix:///var/run/dockershim.sock', '/run/docker.sock'])
      assert.deepEqual(said('', endpoint(gone)), [gone]);
    for (const other of ['/run/docker.sock/a', '/run/mydocker.socket', '/run/adocker.sock'])
      assert.deepEqual(said('', endpoint(other)), [], other);
    const [first] = runtimeServes.judge(seen('', endpoint('/run/docker.sock')), undefined);
    assert.deepEqual([first?.subject, first?.demanded], ['the kubelet', 'it asks a runtime that speaks CRI']);
    const long = `disabled_plugins = [${'"cri",'.repeat(60)}]`;
    assert.equal(said(long)[0]?.length, 160);
    const driver = (key: string): number =>
      sameCgroupDriver.judge(seen(`[x.runc.options]\n${key} = false`), undefined).length;
    assert.deepEqual([driver('SystemdCgroup'), driver('SystemdCgroups'), driver('systemdCgroup')], [1, 0, 0]);
    const [found] = sameCgroupDriver.judge(seen('[x.runc.options]\nSystemdCgroup = false'), undefined);
    assert.deepEqual([found?.result, found?.demanded], ['met', 'it works with cgroupfs, as the kubelet does']);
  });
});

describe('the socket of a runtime', () => {
  const asked = (more: Partial<RuntimeSeen>, content = ''): readonly string[] =>
    runtimeServes.judge({ ...seen(content), ...more }, undefined).map((one) => `${one.result} ${sentenceOf(one)}`);

  it('is one, however it is written', () => {
    const demanded = 'the kubelet: its files and flags name one socket; seen:';
    const [one, other] = ['unix:///run/containerd/containerd.sock', '/var/run/containerd/containerd.sock'];
    assert.equal(socketOf(other), socketOf(one));
    assert.equal(socketOf('/a/unix://b'), '/a/unix://b');
    assert.deepEqual(asked({ told: [] }), []);
    assert.deepEqual(asked({ told: [one, other] }), [`met ${demanded} /run/containerd/containerd.sock`]);
    const two = `unmet ${demanded} /run/containerd/containerd.sock, /run/a.sock`;
    assert.deepEqual(asked({ told: [one, 'unix:///run/a.sock'] }), [two]);
    const crio = { settings: { containerRuntimeEndpoint: '/run/crio/crio.sock' } };
    assert.deepEqual(asked({ ...crio, told: [] }), []);
    assert.deepEqual(asked({ ...crio, told: [one, 'unix:///run/a.sock'] }), [two]);
    assert.deepEqual(asked({ ...crio, told: ['/run/crio/crio.sock'] }), [`met ${demanded} /run/crio/crio.sock`]);
  });

  it('is of a runtime that is there', () => {
    const lost = (endpoint: string, programs: readonly string[] | undefined, content = 'version = 2\n') =>
      asked(
        { settings: { containerRuntimeEndpoint: endpoint }, ...(programs === undefined ? {} : { programs }) },
        content,
      );
    const said = (endpoint: string): readonly string[] => [
      `unmet the kubelet: the runtime that it asks is there; seen: ${endpoint}, beside containerd alone`,
    ];
    for (const [endpoint, program] of [
      ['/run/crio/crio.sock', '/usr/bin/crio'],
      ['/run/cri-dockerd.sock', '/usr/bin/cri-dockerd'],
    ] as const) {
      assert.deepEqual(lost(endpoint, undefined), said(endpoint));
      assert.deepEqual(lost(endpoint, ['/usr/bin/other']), said(endpoint));
      assert.deepEqual(lost(endpoint, [program]), []);
      assert.deepEqual(lost(endpoint, [], 'disabled_plugins = ["cri"]'), []);
      assert.deepEqual(lost(endpoint, [], 'disabled_plugins = ["a", "cri"]'), []);
      assert.deepEqual(lost(endpoint, [], ''), []);
      assert.deepEqual(lost(`${endpoint}.old`, []), []);
    }
  });

  it('is started', () => {
    assert.deepEqual(asked({ isMasked: true }), ['unmet containerd: its service is not masked; seen: it is']);
    assert.deepEqual(asked({ isMasked: false }), []);
    // of another runtime that is none of ours
    assert.deepEqual(asked({ isMasked: true, settings: { containerRuntimeEndpoint: '/run/crio/crio.sock' } }), []);
  });

  it('may be the own one of somebody who has a containerd elsewhere', () => {
    const k3s = { settings: { containerRuntimeEndpoint: '/run/k3s/containerd/containerd.sock' } };
    assert.match(asked(k3s, '[grpc]\nuid = 0')[0] ?? '', /^met /);
    assert.equal(asked(k3s, '').length, 0);
    const own = { settings: { containerRuntimeEndpoint: '/run/containerd/other.sock' } };
    assert.match(asked(own, '[grpc]\nuid = 0')[0] ?? '', /^unmet .*it listens at \/run\/containerd\/containerd.sock/);
    const elsewhere = { settings: { containerRuntimeEndpoint: '/containerd/containerd.sock/a' } };
    assert.deepEqual(asked(elsewhere, '[grpc]\nuid = 0'), []);
  });
});

it('values of TOML are known by how they begin', () => {
  for (const value of ['"a"', "'a'", '["a"]', '{}', '1', '+1', '-1', 'inf', '+inf', 'nan', 'true', 'false'])
    assert.ok(!Object.hasOwn(runtimeSettingsIn(`a = ${value}`), ''), value);
  for (const value of ['a', 'yes', 'infinite', 'nano', 'truth', 'falsely', '+true'])
    assert.ok(Object.hasOwn(runtimeSettingsIn(`a = ${value}`), ''), value);
  for (const plugin of [
    'cri',
    'io.containerd.grpc.v1.cri',
    'io.containerd.cri.v1.runtime',
    'io.containerd.cri.v1.images',
  ])
    assert.equal(serves(`disabled_plugins = ["${plugin}"]`), 'unmet,met,met,met,met', plugin);
  for (const place of ['root', 'state', 'imports', 'bin_dir', 'conf_dir', 'conf_template', 'BinaryName']) {
    assert.match(serves(`${place} = "/tmp/a"`), /unmet/, place);
    assert.equal(serves(`${place} = "/srv/a"`), serves('version = 2\n'), place);
  }
});

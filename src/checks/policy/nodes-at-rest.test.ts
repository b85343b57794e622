import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import {
  controlPlanesMarked,
  controlPlanesTainted,
  kubeletsFit,
  type MachineNode,
  machinesApart,
  nodesReady,
  readMachineNode,
} from './nodes-at-rest.js';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const CONTROL = 'node-role.kubernetes.io/control-plane';

interface Parts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly status?: object;
  readonly created?: string;
}
const ownLabels = (name: string): Readonly<Record<string, string>> => ({
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
});
const node = (name: string, { labels, annotations, spec, status, created }: Parts = {}): readonly MachineNode[] =>
  [
    readMachineNode({
      metadata: {
        name,
        creationTimestamp: created ?? '2026-01-01T00:00:00Z',
        labels: labels ?? ownLabels(name),
        ...(annotations === undefined ? {} : { annotations }),
      },
      spec,
      status,
    } as KubeObject),
  ].flatMap((one) => one ?? []);
const told = (findings: readonly { readonly subject: string; readonly result: string; readonly seen: string }[]) =>
  findings.map(({ subject, result, seen }) => `${result}: ${subject}: ${seen}`);

describe('a Node', () => {
  const apart = (nodes: readonly MachineNode[]): readonly string[] =>
    told(machinesApart.judge(nodes, { now: NOW, services: ['10.96.0.1'] }));
  const at = (address: string) => ({ status: { addresses: [{ type: 'InternalIP', address }] } });

  it('is a machine of its own', () => {
    for (const [parts, what] of [
      [{ spec: { providerID: 'a' } }, 'its providerID a'],
      [{ labels: { 'kubernetes.io/hostname': 'h' } }, 'its label kubernetes.io/hostname h'],
      [at('192.0.2.1'), 'its address 192.0.2.1'],
      [{ spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] } }, 'its podCIDR 10.0.0.0/24'],
    ] as const)
      assert.deepEqual(apart([...node('a', parts), ...node('b', parts), ...node('c')]), [
        `unmet: Node a: ${what} is that of b too`,
        `unmet: Node b: ${what} is that of a too`,
      ]);
    assert.deepEqual(apart([...node('a', at('192.0.2.1')), ...node('b', at('192.0.2.2'))]), ['met: Nodes: each of 2']);
    assert.deepEqual(apart([]), []);
  });

  it('is a system and a board of its own', () => {
    const info = (nodeInfo: object, annotations = {}): Parts => ({ status: { nodeInfo }, annotations });
    const joined = { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/a.sock' };
    for (const [parts, what] of [
      [info({ machineID: 'm' }), 'its machineID m'],
      [info({ systemUUID: 'U' }, joined), 'its systemUUID u'],
    ] as const)
      assert.deepEqual(apart([...node('a', parts), ...node('b', parts)]), [
        `unmet: Node a: ${what} is that of b too`,
        `unmet: Node b: ${what} is that of a too`,
      ]);
    for (const parts of [info({ systemUUID: 'u' }), info({ machineID: '' }, joined)])
      assert.deepEqual(apart([...node('a', parts), ...node('b', parts)]), ['met: Nodes: each of 2']);
  });

  it('does not say that it is another', () => {
    const says = (type: string, address: string) => ({ status: { addresses: [{ type, address }] } });
    assert.deepEqual(apart([...node('a', at('192.0.2.1')), ...node('b', says('ExternalIP', '192.0.2.1'))]), [
      'unmet: Node b: it says that it is 192.0.2.1, which is a',
    ]);
    assert.deepEqual(apart([...node('a'), ...node('b', says('Hostname', 'a'))]), [
      'unmet: Node b: it says that it is a, which is a',
    ]);
    const nat = says('ExternalIP', '203.0.113.1');
    assert.deepEqual(apart([...node('a', nat), ...node('b', nat)]), ['met: Nodes: each of 2']);
    assert.deepEqual(apart(node('a', says('Hostname', 'a'))), ['met: Nodes: each of 1']);
  });

  it('gives Pods addresses that nobody else has', () => {
    const pods = (...podCIDRs: readonly string[]) => ({ spec: { podCIDRs } });
    assert.deepEqual(apart([...node('a', pods('10.244.0.0/16')), ...node('b', pods('10.244.3.0/24'))]), [
      'unmet: Node a: its podCIDR 10.244.0.0/16 holds 10.244.3.0/24 of b',
    ]);
    assert.deepEqual(apart(node('a', pods('10.96.0.0/24'))), [
      'unmet: Node a: its podCIDR 10.96.0.0/24 holds the Service 10.96.0.1',
    ]);
    const many = Array.from({ length: 250 }, (_, at) => node(`n${at}`, pods(`10.244.${at}.0/24`, `fd00:${at}::/64`)));
    assert.deepEqual(apart(many.flat()), ['met: Nodes: each of 250']);
    for (const odd of ['10.244.0.0/33', 'x', ''])
      assert.deepEqual(apart(node('a', pods(odd))), ['met: Nodes: each of 1']);
    // what is no network holds nothing
    for (const odd of ['10.96.0.0/24x', '10.96.0.0/240', 'x10.96.0.0/24', '1110.96.0.0/24', '10.96.0.0/99'])
      assert.deepEqual(apart(node('a', pods(odd))), ['met: Nodes: each of 1'], odd);
    // however it is written, to its last address
    assert.deepEqual(apart([...node('a', pods('10.244.0.7/24')), ...node('b', pods('10.244.0.255/32'))]), [
      'unmet: Node a: its podCIDR 10.244.0.7/24 holds 10.244.0.255/32 of b',
    ]);
    assert.deepEqual(apart([...node('a', pods('10.95.255.0/24', '10.96.0.0/31'))]), [
      'unmet: Node a: its podCIDR 10.96.0.0/31 holds the Service 10.96.0.1',
    ]);
    // one that holds others which stand behind a narrower one, and its own
    const wide = [
      ...node('a', pods('10.244.0.0/16', '10.244.1.0/24')),
      ...node('b', pods('10.244.0.0/24')),
      ...node('c', pods('10.244.9.0/24')),
    ];
    for (const order of [wide, wide.toReversed()])
      assert.deepEqual(apart(order), [
        'unmet: Node a: its podCIDR 10.244.0.0/16 holds 10.244.0.0/24 of b; its podCIDR 10.244.0.0/16 holds 10.244.9.0/24 of c',
      ]);
    assert.deepEqual(apart([...node('a', pods('10.244.0.0/24')), ...node('b', pods('10.244.1.0/24'))]), [
      'met: Nodes: each of 2',
    ]);
    // a Service is no network that holds another
    assert.deepEqual(apart(node('a', pods('10.96.0.1/32'))), ['met: Nodes: each of 1']);
  });

  it('is at an address of a machine', () => {
    for (const address of [
      '127.0.0.1',
      '127.255.0.1',
      '0.0.0.0',
      '0.1.2.3',
      '::',
      '::1',
      '10.96.0.1',
      '224.0.0.1',
      '239.1.1.1',
      'ff02::1',
    ])
      assert.deepEqual(apart(node('a', at(address))), [`unmet: Node a: its address ${address} is that of no machine`]);
    for (const address of [
      '10.0.0.1',
      'fe80::1',
      '2001:db8::1',
      '169.254.1.1',
      '::2',
      '128.0.0.1',
      '1.0.0.1',
      '240.0.0.1',
      'fe00::1',
      '',
    ])
      assert.deepEqual(apart(node('a', at(address))), ['met: Nodes: each of 1'], address);
  });

  it('is taken in by its cloud before long', () => {
    const spec = { taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' }] };
    assert.deepEqual(apart(node('a', { spec })), ['unmet: Node a: its cloud has not taken it in']);
    assert.deepEqual(apart(node('a', { spec, created: '2026-01-01T00:50:00Z' })), ['met: Nodes: each of 1']);
    assert.deepEqual(apart(node('a', { spec, created: 'never' })), ['met: Nodes: each of 1']);
  });

  it('is none where nothing but a program stands for it', () => {
    for (const parts of [
      { labels: { type: 'virtual-kubelet' } },
      { labels: { type: 'kwok' } },
      { annotations: { 'kwok.x-k8s.io/node': 'fake' } },
      { spec: { taints: [{ key: 'virtual-kubelet.io/provider' }] } },
      ...['v1.30.0-vk-1', 'kwok-v0.6.0', 'fake'].map((kubeletVersion) => ({
        status: { nodeInfo: { kubeletVersion } },
      })),
    ])
      assert.deepEqual(node('a', parts), []);
    for (const parts of [
      { labels: { type: 'fast' } },
      { annotations: { 'a.kwok.x-k8s.io/node': 'fake' } },
      { annotations: { 'kwok.x-k8s.iox/node': 'fake' } },
      { spec: { taints: [{ key: 'a/virtual-kubelet.io/provider' }] } },
    ])
      assert.equal(node('a', parts).length, 1, JSON.stringify(parts));
  });

  it('is read as it is', () => {
    const socket = 'unix:///run/a.sock';
    assert.deepEqual(
      node('a', {
        labels: {
          'kubernetes.io/hostname': 'h',
          'kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'arm',
          [CONTROL]: '',
        },
        annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': socket },
        spec: { providerID: 'p', podCIDR: '', podCIDRs: ['10.0.0.0/24', 'fd00::/64'], taints: [{ key: 'k' }, {}] },
        status: {
          addresses: [
            { type: 'InternalIP', address: '192.0.2.1' },
            { type: 'ExternalIP', address: '203.0.113.1' },
            { type: 'Hostname', address: 'h' },
            { type: 'InternalDNS', address: 'h.example' },
          ],
          nodeInfo: { kubeletVersion: 'v1.36.0', machineID: 'M', systemUUID: 'U', architecture: 'arm64' },
          daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
        },
      }),
      [
        {
          name: 'a',
          providerId: 'p',
          hostname: 'h',
          addresses: ['192.0.2.1'],
          otherPlaces: ['203.0.113.1', 'h'],
          platform: [{ label: 'kubernetes.io/arch', said: 'arm', own: 'arm64' }],
          unlabelled: [],
          machineId: 'M',
          systemId: 'u',
          podSubnets: ['10.0.0.0/24', 'fd00::/64'],
          version: 'v1.36.0',
          port: 10250,
          socket,
          marked: true,
          taints: ['k', ''],
          created: NOW - 3_600_000,
          ready: { status: '', reason: '', since: null, heard: null, isShut: false },
          isNowhere: false,
        },
      ],
    );
    assert.deepEqual(node('a', { labels: {}, created: '' }), [
      {
        name: 'a',
        ...{
          providerId: '',
          hostname: '',
          addresses: [],
          otherPlaces: [],
          platform: [],
          unlabelled: ['kubernetes.io/hostname', 'kubernetes.io/arch', 'kubernetes.io/os'],
          machineId: '',
          systemId: '',
          podSubnets: [],
        },
        ...{ version: '', port: 0, socket: '', marked: false, taints: [], created: Number.NaN },
        ready: { status: '', reason: '', since: null, heard: null, isShut: false },
        isNowhere: true,
      },
    ]);
  });

  it('gives its Pods a part of what all have', () => {
    const beyond = (podCIDRs: readonly string[], pods: readonly string[]): string | undefined =>
      machinesApart.judge(node('a', { spec: { podCIDRs } }), { now: NOW, services: [], pods })[0]?.seen;
    const whole = ['10.244.0.0/16', 'fd00::/48'];
    assert.equal(beyond(['10.244.7.0/24', 'fd00:0:0:7::/64'], whole), 'each of 1');
    assert.equal(beyond(['10.9.0.0/24'], []), 'each of 1');
    assert.equal(beyond(['fd01::/64', '10.244.1.0/24'], ['10.244.0.0/16']), 'each of 1');
    assert.equal(beyond(['10.244.0.0/16'], whole), 'each of 1');
    for (const [narrow, wide, pods] of [
      ['10.244.0.4/30', '10.244.0.8/29', '10.244.0.0/16'],
      ['fd00::/126', 'fd00::/125', 'fd00::/48'],
    ] as const) {
      assert.equal(beyond([narrow], [pods]), `its podCIDR ${narrow} has hardly an address for a Pod`);
      assert.equal(beyond([wide], [pods]), 'each of 1');
      // nobody says that Pods are given addresses of it
      assert.equal(beyond([narrow], []), 'each of 1');
    }
    const given = (parts: Parts, pods = whole): string | undefined =>
      machinesApart.judge(node('a', parts), { now: NOW, services: [], pods })[0]?.seen;
    const info = { status: { nodeInfo: { kubeletVersion: 'v1.36.0' } } };
    assert.equal(given(info), 'it was given no part of 10.244.0.0/16, fd00::/48 for its Pods');
    assert.equal(given(info, []), 'each of 1');
    assert.equal(given({}), 'each of 1');
    assert.equal(given({ ...info, created: new Date(NOW - 600_000).toISOString() }), 'each of 1');
    for (const other of ['10.9.0.0/24', '10.244.0.0/15', 'fd01::/64'])
      assert.equal(beyond([other], whole), `its podCIDR ${other} is beyond 10.244.0.0/16, fd00::/48`);
  });

  it('is at no such address for others either', () => {
    const beside = (type: string, address: string): Parts => ({
      status: {
        addresses: [
          { type: 'InternalIP', address: '192.0.2.1' },
          { type, address },
        ],
      },
    });
    for (const address of ['127.0.0.1', '::1', '10.96.0.1'])
      assert.deepEqual(apart(node('a', beside('ExternalIP', address))), [
        `unmet: Node a: its address ${address} is that of no machine`,
      ]);
    for (const [type, address] of [
      ['ExternalIP', '203.0.113.1'],
      ['ExternalIP', 'fe80::1'],
      ['Hostname', 'a.example'],
      ['ExternalDNS', 'ec2-203-0-113-1.example'],
    ] as const)
      assert.deepEqual(apart(node('a', beside(type, address))), ['met: Nodes: each of 1']);
  });

  it('is labelled as what its kubelet runs on', () => {
    const runs = { status: { nodeInfo: { architecture: 'arm64', operatingSystem: 'linux' } } };
    for (const labels of [
      { 'kubernetes.io/arch': 'arm64', 'kubernetes.io/os': 'linux' },
      { 'kubernetes.io/arch': 'arm64' },
      // customs of others say nothing of it
      { 'beta.kubernetes.io/arch': 'amd64', os: 'windows' },
    ])
      assert.deepEqual(apart(node('a', { labels, ...runs })), ['met: Nodes: each of 1']);
    assert.deepEqual(apart(node('a', { labels: { 'kubernetes.io/arch': 'amd64' } })), ['met: Nodes: each of 1']);
    for (const [labels, seen] of [
      [{ 'kubernetes.io/arch': 'amd64' }, 'its label kubernetes.io/arch is amd64, and its kubelet says arm64'],
      [{ 'kubernetes.io/os': 'windows' }, 'its label kubernetes.io/os is windows, and its kubelet says linux'],
    ] as const)
      assert.deepEqual(apart(node('a', { labels, ...runs })), [`unmet: Node a: ${seen}`]);
  });

  it('is told by a sentence, as far as a line goes', () => {
    const parts = at('127.0.0.1');
    const many = ['10.96.0.1', '0.0.0.0', '0.0.0.1', '0.0.0.2', '0.0.0.3', '0.0.0.4'];
    const several = { status: { addresses: many.map((address) => ({ type: 'InternalIP', address })) } };
    const judged = (given: Parts) => machinesApart.judge(node('a', given), { now: NOW, services: ['10.96.0.1'] });
    assert.deepEqual(
      judged(parts).map(({ demanded }) => demanded),
      ['stands for one machine, and for none but its own'],
    );
    assert.equal(
      judged(several)[0]?.seen,
      many
        .slice(0, 5)
        .map((one) => `its address ${one} is that of no machine`)
        .join('; '),
    );
    const long = { spec: { providerID: 'x'.repeat(400) } };
    const [first] = machinesApart.judge([...node('a', long), ...node('b', long)], { now: NOW, services: [] });
    assert.equal(first?.seen.length, 240);
  });
});

describe('a Node that has joined', () => {
  const HOUR = 3_600_000;
  const iso = (before: number): string => new Date(NOW - before).toISOString();
  interface Seen {
    readonly status?: string;
    readonly since?: number;
    readonly heard?: number;
    readonly created?: number;
    readonly spec?: object;
    readonly version?: string;
  }
  const judged = ({ status = 'True', since = HOUR, heard = 0, created = HOUR, spec, version = 'v1.36.0' }: Seen) =>
    nodesReady.judge(
      node('a', {
        created: iso(created),
        spec: spec ?? {},
        status: {
          nodeInfo: { kubeletVersion: version },
          conditions: [
            { type: 'MemoryPressure', status: 'False' },
            {
              type: 'Ready',
              status,
              reason: 'KubeletNotReady',
              lastTransitionTime: iso(since),
              lastHeartbeatTime: iso(heard),
            },
          ],
        },
      }),
      { now: NOW },
    );
  const ready = (seen: Seen): readonly string[] => told(judged(seen));
  const READY = ['met: Nodes: each of 1'];
  const NEVER = ['unmet: Node a: it is not ready since it joined (KubeletNotReady)'];
  const taint = (key: string) => ({ spec: { taints: [{ key, effect: 'NoSchedule' }] } });

  it('becomes ready', () => {
    assert.deepEqual(ready({}), READY);
    for (const status of ['False', 'Unknown']) assert.deepEqual(ready({ status }), NEVER);
    assert.deepEqual(ready({ status: 'False', since: HOUR - 120_000 }), NEVER);
    // it was ready before
    assert.deepEqual(ready({ status: 'False', since: HOUR - 121_000 }), READY);
    assert.deepEqual(ready({ status: 'False', created: 1_800_000, since: 1_800_000 }), READY);
    assert.deepEqual(ready({ status: 'False', created: 1_801_000, since: 1_801_000 }), NEVER);
    // as it was when its kubelet last spoke
    assert.deepEqual(ready({ status: 'False', heard: 1_800_000 }), READY);
    assert.deepEqual(ready({ status: 'False', heard: -HOUR, created: 1_800_000, since: 1_800_000 }), READY);
    // somebody keeps Pods from it
    assert.deepEqual(ready({ status: 'False', spec: { unschedulable: true } }), READY);
    // no kubelet has spoken for it, which is told elsewhere
    assert.deepEqual(ready({ status: 'False', version: '' }), READY);
    const info = { nodeInfo: { kubeletVersion: 'v1.36.0' } };
    const silent = nodesReady.judge(node('a', { created: iso(HOUR), status: info }), { now: NOW });
    assert.deepEqual(told(silent), ['unmet: Node a: it is not ready since it joined']);
    assert.deepEqual(nodesReady.judge([], { now: NOW }), []);
    assert.equal(judged({})[0]?.demanded, 'has become ready, and is taken for ready');
  });

  it('is taken for ready', () => {
    const [KEY, late] = ['node.kubernetes.io/not-ready', { since: 1_800_000 }];
    assert.deepEqual(ready(taint(KEY)), [`unmet: Node a: it is ready, and tainted ${KEY}`]);
    assert.deepEqual(ready({ ...taint(KEY), ...late }), READY);
    assert.deepEqual(ready(taint('example.com/not-ready')), READY);
  });
});

describe('the kubelet of a Node', () => {
  const fit = (parts: Parts, minor = 36): readonly string[] =>
    told(kubeletsFit.judge(node('a', parts), { minor, now: NOW }));
  const of = (kubeletVersion: string) => ({ status: { nodeInfo: { kubeletVersion } } });
  const FITS = ['met: Nodes: each of 1'];

  it('is neither newer than the API server nor too old', () => {
    assert.deepEqual(fit(of('')), ['unmet: Node a: no kubelet has ever spoken for it']);
    for (const version of ['v1.36.9', 'v1.33.0', 'v1.35.2+k3s1', 'unknown']) assert.deepEqual(fit(of(version)), FITS);
    assert.deepEqual(fit(of('v1.37.0')), ['unmet: Node a: v1.37.0 is newer than the API server, which is of 1.36']);
    assert.match(fit(of('v1.137.0')).join(), /^unmet: Node a: v1\.137\.0 is newer/);
    assert.match(fit(of('v1.9.0')).join(), /^unmet: Node a: v1\.9\.0 is too old/);
    assert.deepEqual(fit(of('v1.32.9')), ['unmet: Node a: v1.32.9 is too old for an API server of 1.36']);
    for (const odd of ['xv1.37.0', 'v1.9999.0', 'v2.37.0', '1.37.0']) assert.deepEqual(fit(of(odd)), FITS, odd);
    assert.equal(
      kubeletsFit.judge(node('a'), { minor: 36, now: NOW })[0]?.demanded,
      'has a kubelet that the API server goes with',
    );
    assert.deepEqual(fit(of('v1.25.0'), 28), FITS);
    assert.deepEqual(fit(of('v1.25.0'), 27), FITS);
    assert.deepEqual(fit(of('v1.24.0'), 27)[0]?.startsWith('unmet'), true);
  });

  it('has the labels that every kubelet gives itself', () => {
    for (const label of ['kubernetes.io/hostname', 'kubernetes.io/os', 'kubernetes.io/arch']) {
      const lost = { labels: { ...ownLabels('a'), [label]: '' }, ...of('v1.36.0') };
      assert.deepEqual(fit(lost), [`unmet: Node a: it has lost its label ${label}, by which Pods choose it`]);
      // no kubelet has given any
      assert.deepEqual(fit({ ...lost, ...of('') }), ['unmet: Node a: no kubelet has ever spoken for it']);
    }
  });

  it('has a clock that goes, and says where it is', () => {
    const heard = (ahead: number): Parts => ({
      status: {
        nodeInfo: { kubeletVersion: 'v1.36.0' },
        conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: new Date(NOW + ahead).toISOString() }],
        addresses: [{ type: 'Hostname', address: 'a' }],
      },
    });
    for (const ahead of [-86_400_000, 0, 300_000]) assert.deepEqual(fit(heard(ahead)), FITS);
    assert.deepEqual(fit(heard(7_200_000)), ['unmet: Node a: its clock is 120 minutes ahead']);
    const spoken = { nodeInfo: { kubeletVersion: 'v1.36.0' }, conditions: [{ type: 'Ready', status: 'True' }] };
    const nowhere = { status: spoken, created: new Date(NOW - 600_000).toISOString() };
    assert.deepEqual(fit(nowhere), FITS);
    assert.deepEqual(fit({ ...nowhere, created: new Date(NOW - 601_000).toISOString() }), [
      'unmet: Node a: it names no address',
    ]);
  });

  it('is asked at a port of its own, and asks its runtime on its machine', () => {
    const port = (Port: number) => ({
      status: { nodeInfo: { kubeletVersion: 'v1.36.0' }, daemonEndpoints: { kubeletEndpoint: { Port } } },
    });
    for (const one of [0, 10250, 10350, 1024]) assert.deepEqual(fit(port(one)), FITS);
    for (const one of [1, 22, 443, 1023, 2379, 2380, 6443, 10249, 10255, 10256, 10257, 10259])
      assert.deepEqual(fit(port(one)), [`unmet: Node a: port ${one} is not that of a kubelet`]);
    const socket = (value: string) => ({
      ...of('v1.36.0'),
      annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': value },
    });
    for (const one of ['unix:///run/a.sock', '/run/a.sock', 'npipe:////./pipe/a'])
      assert.deepEqual(fit(socket(one)), FITS);
    assert.ok(fit(socket('/var/run/dockershim.sock'))[0]?.endsWith('which went with 1.24'));
    assert.deepEqual(fit({ ...socket('/var/run/dockershim.sock'), ...of('v1.23.0') }, 24), FITS);
    assert.ok(fit({ ...socket('dockershim.sock'), ...of('v1.24.0') }, 24)[0]?.startsWith('unmet'));
    for (const one of ['/run/dockershim.sock.old', '/run/mydockershim.sock', 'unix:///run/tcp:/a', 'unixtcp://a'])
      assert.deepEqual(fit(socket(one)), FITS, one);
    for (const one of ['http://a', 'https://a']) assert.match(fit(socket(one)).join(), /asked over a network/, one);
    assert.deepEqual(fit(socket('tcp://a:1')), ['unmet: Node a: its runtime is asked over a network, at tcp://a:1']);
  });
});

describe('a control plane', () => {
  const labels = { [CONTROL]: '' };
  const status = { nodeInfo: { kubeletVersion: 'v1.36.0' } };
  it('is marked, and nothing else is', () => {
    const marked = (nodes: readonly MachineNode[], serving: readonly string[]) =>
      told(controlPlanesMarked.judge(nodes, { serving }));
    const [one, other] = [node('a', { labels, status }), node('b')];
    assert.deepEqual(marked([...one, ...other], ['a']), ['met: Nodes: each of 2']);
    const sentence = 'is marked as a control plane where it is one, and nowhere else';
    assert.equal(controlPlanesMarked.judge(one, { serving: ['a'] })[0]?.demanded, sentence);
    assert.deepEqual(marked([...one, ...other], ['b']), [
      'unmet: Node a: it is marked, and runs no API server',
      'unmet: Node b: it runs an API server, and is not marked',
    ]);
    assert.deepEqual(marked([...node('c', { labels }), ...other], ['b']).length, 1);
    for (const serving of [[], ['', 'c']]) assert.deepEqual(marked([...one, ...other], serving), []);
  });

  it('is kept free where there are workers', () => {
    const tainted = (...nodes: readonly MachineNode[]) => told(controlPlanesTainted.judge(nodes, undefined));
    const odd = ['unmet: Node a: it has no taint of control planes'];
    const [first] = controlPlanesTainted.judge([...node('a', { labels }), ...node('b')], undefined);
    assert.equal(first?.demanded, 'is kept free of Pods of teams');
    assert.deepEqual(tainted(...node('a', { labels, status }), ...node('b')), odd);
    assert.deepEqual(tainted(...node('a', { labels, status })), []);
    assert.deepEqual(tainted(...node('b')), []);
    assert.deepEqual(tainted(...node('a', { labels }), ...node('b')), ['met: Nodes: each of 1']);
    for (const key of [CONTROL, 'node-role.kubernetes.io/master'])
      assert.deepEqual(tainted(...node('a', { labels, status, spec: { taints: [{ key }] } }), ...node('b')), [
        'met: Nodes: each of 1',
      ]);
  });
});

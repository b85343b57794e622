import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { oddPodFields } from '../written/pod-fields.js';
import { authorizers, flagGiven, flagListsNone } from './node-flags.js';
import { annotated, oneFlagAWord, probed, wellFormed } from './node-manifests.js';
import { filesMounted, imageRelease, podField } from './node-pods.js';
import { unprivileged } from './node-privileges.js';
import { at, pod } from './node-seen.testing.js';
import { podAddresses, subnetsGiven } from './node-subnets.js';

const api = (flags: Readonly<Record<string, string>>) => [pod('kube-apiserver', flags)];
const withCommand = (...command: readonly unknown[]) => [
  pod('kube-apiserver', {}, { containers: [{ name: 'kube-apiserver', command }] }),
];

describe('manifests that the kubelet reads', () => {
  it('have the fields of a Pod, of their types', () => {
    const container = {
      name: 'a',
      command: ['a', '--b'],
      ports: [{ containerPort: 1 }],
      livenessProbe: { httpGet: { port: 'p' } },
    };
    const sound = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { creationTimestamp: null },
      spec: { containers: [container] },
    };
    assert.deepEqual(oddPodFields(sound), []);
    assert.deepEqual(
      oddPodFields({ spec: { hostnetwork: true, hostNetwork: 'true', containers: [{ ...container, command: 'a' }] } }),
      [
        'spec.hostnetwork is no field',
        'spec.hostNetwork is of another type',
        'spec.containers[0].command is of another type',
      ],
    );
    assert.deepEqual(oddPodFields({ spec: { containers: {} }, metadata: [] }), [
      'spec.containers is of another type',
      'metadata is of another type',
    ]);
  });
  it('are of their component', () => {
    const held = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'kube-apiserver' }, spec: {} };
    const path = '/etc/kubernetes/manifests/kube-apiserver.yaml';
    const seen = (pod: object) => at(path, { kind: 'manifest', flags: {}, pod: { ...held, ...pod } });
    const all = [
      seen({}),
      seen({ apiVersion: 'v2' }),
      seen({ metadata: {} }),
      seen({ spec: { restartPolicy: 'Never' } }),
      seen({ spec: { restartPolicy: 'OnFailure' } }),
      seen({ spec: { restartPolicy: 'always' } }),
      seen({ spec: { restartPolicy: 'Always' } }),
    ];
    assert.deepEqual(resultsOf(wellFormed, all, undefined).join(), 'met,unmet,unmet,unmet,unmet,unmet,met');
  });
  it('have one flag a word', () => {
    const told = (...command: readonly unknown[]) => resultsOf(oneFlagAWord, withCommand(...command), undefined);
    for (const sound of [
      ['kube-apiserver', '--a=b', '-v', '2', '--c=x: y', '--d=a - b'],
      ['/usr/bin/kube-apiserver', '--a', 'b', '--e=a very long text'],
    ])
      assert.deepEqual(told(...sound), ['met']);
    for (const odd of [
      ['sh', '--a'],
      ['kube-apiserver', '--a=b --c=d'],
      ['kube-apiserver', '--a= b'],
      ['kube-apiserver', '-a=b'],
      ['kube-apiserver', 'a=b'],
      // it is on, and does not take the other word
      ['kube-apiserver', '--profiling', 'false'],
      ['kube-apiserver', 5],
      [],
    ])
      assert.deepEqual(told(...odd), ['unmet']);
  });
  it('are probed where they answer', () => {
    const probe = (more: object = {}) => ({
      httpGet: { host: '192.0.2.1', path: '/livez', port: 6443, scheme: 'HTTPS', ...more },
    });
    const told = (one: object | undefined) => {
      const probes = { livenessProbe: one, readinessProbe: probe(), startupProbe: { exec: { command: ['a'] } } };
      const spec = { containers: [{ name: 'kube-apiserver', ...probes }] };
      return resultsOf(probed, [pod('kube-apiserver', { 'advertise-address': '192.0.2.1' }, spec)], undefined);
    };
    assert.deepEqual(told(probe()), ['met']);
    for (const odd of [
      undefined,
      {},
      ...[{ port: 1 }, { path: '/' }, { scheme: 'HTTP' }, { host: '192.0.2.2' }].map(probe),
    ])
      assert.deepEqual(told(odd), ['unmet']);
  });
  it('have no privileges', () => {
    const profile = { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } };
    const told = (spec: object) => resultsOf(unprivileged, [pod('etcd', {}, { ...profile, ...spec })], undefined);
    assert.deepEqual(told({}), ['met']);
    for (const odd of [
      { hostPID: true },
      { securityContext: {} },
      { volumes: [{ hostPath: { path: '/' } }] },
      { containers: [{ securityContext: { privileged: true } }] },
    ])
      assert.deepEqual(told(odd), ['unmet']);
  });
  it('are annotated with their host', () => {
    const key = 'a';
    const path = '/etc/kubernetes/manifests/etcd.yaml';
    const flags = { 'advertise-address': 'fd00::1' };
    const seen = (a?: string) => at(path, { kind: 'manifest', flags, pod: { metadata: { annotations: { a } } } });
    const all = [seen('[fd00::1]:6443'), seen('fd00::2'), seen()];
    assert.deepEqual(resultsOf(annotated, all, { key, flags: ['advertise-address'] }), ['met', 'unmet', 'unmet']);
  });
  it('have images that go together', () => {
    const told = (component: string, image: string, minor: number | null) =>
      resultsOf(imageRelease, [pod(component, {}, { containers: [{ image }] })], { minor });
    assert.deepEqual(told('kube-scheduler', 'a:5/b/kube-scheduler:v1.35.9', 36), ['met']);
    assert.deepEqual(told('kube-scheduler', 'a/kube-scheduler@sha256:1', 36), ['met']);
    assert.deepEqual(told('etcd', 'a/etcd:3.5.0-0', 36), ['met']);
    for (const odd of [
      'a:5/kube-scheduler',
      'kube-scheduler:latest',
      'a/kube-scheduler:v1.37.0',
      'a/kube-scheduler:v1.34.0',
      'a/b:v1.36.0',
    ])
      assert.deepEqual(told('kube-scheduler', odd, 36), ['unmet']);
    assert.deepEqual(told('etcd', 'a/etcd:3.4.3-0', 36), ['unmet']);
  });
  it('have a field where it is set, and files of the host', () => {
    const wanted = { field: 'spec.priority', wanted: '1', optional: true } as const;
    assert.deepEqual(resultsOf(podField, [pod('etcd', {}), pod('etcd', {}, { priority: 2 })], wanted), [
      'met',
      'unmet',
    ]);
    const file = '/etc/kubernetes/pki/ca.crt';
    const told = (hostPath: object) => {
      const volumes = [{ name: 'p', hostPath }];
      const containers = [{ name: 'etcd', volumeMounts: [{ name: 'p', mountPath: '/etc/kubernetes/pki' }] }];
      return resultsOf(filesMounted, [pod('etcd', { 'cert-file': file }, { containers, volumes })], undefined);
    };
    assert.deepEqual(told({ path: '/etc/kubernetes/pki/', type: 'Directory' }), ['met']);
    for (const odd of [{ path: '/srv' }, {}, { path: '/etc/kubernetes/pki', type: 'Socket' }])
      assert.deepEqual(told(odd), ['unmet']);
  });
});

describe('flags of the API server and the controller manager', () => {
  it('name authorizers, subnets and lists', () => {
    const modes = (mode: string) => resultsOf(authorizers, api({ 'authorization-mode': mode }), undefined);
    assert.deepEqual([modes('Node,RBAC,Webhook'), modes('RBAC'), modes('Node,RBAC,AlwaysAllow')].flat(), [
      'met',
      'unmet',
      'unmet',
    ]);
    assert.deepEqual(resultsOf(authorizers, api({ 'authorization-config': '/a' }), undefined), ['met']);
    const subnets = (value: string) => resultsOf(subnetsGiven, api({ s: value }), { flag: 's' });
    for (const sound of ['10.96.0.0/12', '10.96.0.0/12,fd00::/112', '::/108'])
      assert.deepEqual(subnets(sound), ['met']);
    for (const odd of ['10.96.0.0', 'ten', '10.0.0.0/33', '']) assert.deepEqual(subnets(odd), ['unmet']);
    assert.deepEqual(resultsOf(flagGiven, [...api({ a: 'b' }), ...api({ a: '' })], { flag: 'a' }), ['met', 'unmet']);
    const off = { flag: 'c', items: ['-csrsigning'] };
    const lists = api({ c: '*,-certificatesigningrequest-signing-controller' });
    assert.deepEqual(resultsOf(flagListsNone, [...lists, ...api({ c: '*' }), ...api({})], off), [
      'unmet',
      'met',
      'met',
    ]);
    const ranges = [{ 'cluster-cidr': '10.0.0.0/8' }, { 'cluster-cidr': '10.0.0.0/8', 'allocate-node-cidrs': 'false' }];
    assert.deepEqual(
      resultsOf(
        podAddresses,
        ranges.map((flags) => pod('kube-controller-manager', flags)),
        undefined,
      ),
      ['unmet', 'met'],
    );
  });
});

describe('manifests, held to each of their ends', () => {
  const withContainer = (component: string, flags: Readonly<Record<string, string>>, container: object) =>
    pod(component, flags, { containers: [{ name: component, ...container }] });
  it('probe a component by its own port, scheme and path', () => {
    const told = (
      component: string,
      httpGet: object,
      flags: Readonly<Record<string, string>> = {},
      more: object = {},
    ) => {
      const probe = { httpGet };
      return saidBy(
        probed,
        [
          withContainer(component, flags, {
            livenessProbe: probe,
            readinessProbe: probe,
            startupProbe: probe,
            ...more,
          }),
        ],
        undefined,
      )
        .join()
        .replace(/, (?:readiness|startup)Probe.*/, '');
    };
    const own = { host: '127.0.0.1', path: '/livez', port: 10257, scheme: 'HTTPS' };
    assert.equal(told('kube-controller-manager', own), 'met: they do');
    assert.equal(told('kube-scheduler', { ...own, port: 10259 }), 'met: they do');
    assert.equal(told('kube-scheduler', own), 'unmet: livenessProbe asks at port 10257, not at 10259');
    assert.equal(told('kube-scheduler', own, { 'secure-port': '10257' }), 'met: they do');
    assert.equal(told('kube-vip', own), 'unmet: livenessProbe asks at port 10257, not at any');
    for (const path of ['/livez', '/readyz', '/healthz', '/livez/etcd', '/livez?exclude=etcd', '/readyz/a?b'])
      assert.equal(told('kube-controller-manager', { ...own, path }), 'met: they do', path);
    for (const path of ['/x/livez', '/livezx', '/health', '/'])
      assert.equal(told('kube-controller-manager', { ...own, path }), `unmet: livenessProbe asks for ${path}`, path);
    for (const host of ['::1', 'localhost', '0.0.0.0', '::', '', '192.0.2.1'])
      assert.equal(
        told('kube-controller-manager', { ...own, host }, { 'bind-address': '192.0.2.1' }),
        'met: they do',
        host,
      );
    for (const host of ['x127.0.0.1', '127.0.0.1.example', '192.0.2.2'])
      assert.equal(
        told('kube-controller-manager', { ...own, host }, { 'bind-address': '192.0.2.1' }),
        `unmet: livenessProbe asks ${host}`,
        host,
      );
    assert.equal(told('kube-controller-manager', { ...own, scheme: undefined }), 'unmet: livenessProbe asks by HTTP');
    assert.equal(
      told('kube-controller-manager', { ...own, port: 'own' }, {}, { ports: [{ name: 'own', containerPort: 10257 }] }),
      'met: they do',
    );
  });
  it('probe etcd where it tells its metrics', () => {
    const told = (url: string | undefined, httpGet: object) => {
      const probe = { httpGet: { host: '127.0.0.1', path: '/livez', port: 2381, scheme: 'HTTP', ...httpGet } };
      const flags = url === undefined ? {} : { 'listen-metrics-urls': url };
      return resultsOf(
        probed,
        [withContainer('etcd', flags, { livenessProbe: probe, startupProbe: probe })],
        undefined,
      ).join();
    };
    assert.equal(told('http://127.0.0.1:2381', {}), 'met');
    assert.equal(told('http://127.0.0.1:2381', { path: '/health?serializable=true' }), 'met');
    assert.equal(told('https://127.0.0.1:2381', { scheme: 'HTTPS' }), 'met');
    assert.equal(told('http://192.0.2.1:2381', { host: '192.0.2.1' }), 'met');
    assert.equal(told('http://127.0.0.1:2381', { host: '192.0.2.1' }), 'unmet');
    assert.equal(told('https://127.0.0.1:2381', {}), 'unmet');
    assert.equal(told('http://127.0.0.1:2381', { scheme: 'HTTPS' }), 'unmet');
    assert.equal(told('http://127.0.0.1:2381', { port: 2379 }), 'unmet');
    for (const path of ['/healthz', '/x/health', '/healthx', '/readyzz'])
      assert.equal(told('http://127.0.0.1:2381', { path }), 'unmet', path);
    assert.equal(told('xhttp://127.0.0.1:2381', {}), 'unmet');
    assert.equal(told(undefined, {}), 'unmet');
  });
  it('are given the time to start, and to be busy', () => {
    const told = (more: object) => {
      const all = { livenessProbe: { exec: {} }, readinessProbe: { exec: {} }, startupProbe: { exec: {} }, ...more };
      return saidBy(probed, [withContainer('kube-apiserver', {}, all)], undefined).join();
    };
    const one = (periodSeconds: number, failureThreshold: number, initialDelaySeconds = 0) => ({
      exec: {},
      periodSeconds,
      failureThreshold,
      initialDelaySeconds,
    });
    for (const sound of [one(10, 24), one(1, 10), one(1, 1, 9), one(0, 0), { exec: {}, failureThreshold: 1 }])
      assert.equal(told({ startupProbe: sound }), 'met: they do', JSON.stringify(sound));
    assert.equal(told({ startupProbe: one(1, 1) }), 'unmet: startupProbe gives up after 1 s');
    assert.equal(told({ startupProbe: one(3, 3) }), 'unmet: startupProbe gives up after 9 s');
    assert.equal(told({ livenessProbe: one(1, 5) }), 'met: they do');
    assert.equal(told({ livenessProbe: one(1, 1, 60) }), 'unmet: livenessProbe gives up after 1 s');
    assert.equal(told({ readinessProbe: one(1, 1) }), 'met: they do');
  });
  it('may be probed otherwise, but not by nothing', () => {
    const told = (probe: object) => {
      const all = { livenessProbe: probe, readinessProbe: probe, startupProbe: probe };
      return saidBy(probed, [withContainer('kube-apiserver', {}, all)], undefined).join();
    };
    for (const kind of ['exec', 'tcpSocket', 'grpc']) assert.equal(told({ [kind]: {} }), 'met: they do', kind);
    assert.match(
      told({}),
      /^unmet: livenessProbe asks nothing, readinessProbe asks nothing, startupProbe asks nothing$/,
    );
    assert.match(
      saidBy(probed, [withContainer('kube-apiserver', {}, {})], undefined).join(),
      /^unmet: livenessProbe is missing, readinessProbe is missing, startupProbe is missing$/,
    );
    assert.match(
      saidBy(probed, [withContainer('kube-scheduler', {}, {})], undefined).join(),
      /^unmet: livenessProbe is missing, startupProbe is missing$/,
    );
  });
  it('have one flag a word, and say what is none', () => {
    const told = (component: string, ...command: readonly unknown[]) =>
      saidBy(oneFlagAWord, [withContainer(component, {}, { command })], undefined).join();
    const long = 'x'.repeat(100);
    assert.equal(told('etcd', '/usr/local/bin/etcd', '-a=b', '--c'), 'met: they are');
    assert.equal(told('kube-apiserver', 'kube-apiserver', '-h', '-v=2'), 'met: they are');
    assert.equal(told('kube-apiserver', 'kube-apiserver', '-a=b'), 'unmet: "-a=b" has one dash');
    assert.equal(told('kube-apiserver', 'kube-apiserver', `-${long}`), `unmet: "-${'x'.repeat(79)}" has one dash`);
    assert.equal(told('kube-apiserver', 'kube-apiserver', `${long}=b`), `unmet: "${'x'.repeat(80)}" is no flag`);
    assert.equal(told('kube-apiserver', 'kube-apiserver', '--a=b -c'), 'unmet: "--a=b -c" is more than one flag');
    assert.equal(told('kube-apiserver', 'kube-apiserver', '--a=b --c d'), 'unmet: "--a=b --c d" is more than one flag');
    assert.equal(
      told('kube-apiserver', 'kube-apiserver', `--a=b --c=${long}`),
      `unmet: "${`--a=b --c=${long}`.slice(0, 80)}" is more than one flag`,
    );
    assert.equal(
      told('kube-apiserver', 'kube-apiserver', `--a= ${long}`),
      `unmet: "${`--a= ${long}`.slice(0, 80)}" has a blank before its value`,
    );
    assert.equal(told('kube-apiserver', `/x/${long}`), `unmet: the program is "/x/${'x'.repeat(77)}"`);
    assert.equal(
      told('kube-apiserver', 'x/kube-apiserver', 'a', 'b', 'c'),
      'unmet: "a" is no flag, "b" is no flag, "c" is no flag',
    );
    assert.equal(
      told('kube-apiserver', 'x', 'a', 'b', 'c'),
      'unmet: the program is "x", "a" is no flag, "b" is no flag',
    );
    assert.equal(told('kube-apiserver', 'kube-apiserver', '--a', 'b'), 'met: they are');
    assert.equal(told('kube-apiserver', 'kube-apiserver', '--a=1', 'b'), 'unmet: "b" is no flag');
    assert.equal(told('kube-apiserver', 'kube-apiserver', '--a', 5), 'unmet: 5 is no text');
    assert.equal(told('kube-apiserver', 'kube-apiserver', 5, 'b'), 'unmet: 5 is no text, "b" is no flag');
  });
  it('are annotated with a host that a flag tells, and with no other', () => {
    const told = (value: string, flags: Readonly<Record<string, string>>) => {
      const metadata = { annotations: { k: value } };
      const file = '/etc/kubernetes/manifests/etcd.yaml';
      const seen = at(file, { kind: 'manifest', flags, pod: { metadata } });
      return resultsOf(annotated, [seen], { key: 'k', flags: ['a', 'b'] }).join();
    };
    for (const [value, flag] of [
      ['https://192.0.2.1:2379', '192.0.2.1'],
      ['http://192.0.2.1:2379', 'https://192.0.2.1:1'],
      ['192.0.2.1:6443', '192.0.2.1'],
      ['[fd00::1]:6443', 'fd00::1'],
      ['https://[fd00::1]:2379', 'fd00::1'],
      ['fd00::1', 'FD00::1'.toLowerCase()],
    ] as const)
      assert.equal(told(value, { b: flag }), 'met', value);
    for (const [value, flag] of [
      ['https://192.0.2.1:2379', '192.0.2.11'],
      [':6443', ''],
      ['/', ''],
      ['', ''],
      ['fd00::1', 'fd00::11'],
      ['x-https://192.0.2.1:1', '192.0.2.1'],
    ] as const)
      assert.equal(told(value, { b: flag }), 'unmet', value);
  });
});

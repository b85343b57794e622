import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quantity, refusedIn } from './pod-values.js';

const of = (spec: object, metadata: object = {}): readonly string[] => refusedIn({ metadata, spec });
const container = (more: object): readonly string[] => of({ containers: [{ name: 'a', ...more }] });

describe('quantities', () => {
  it('are read with their unit and exponent', () => {
    const read: Readonly<Record<string, number>> = {
      '0': 0,
      '12': 12,
      '+12': 12,
      '-1.5': -1.5,
      '5.': 5,
      '.25': 0.25,
      '1.25': 1.25,
      '3n': 3e-9,
      '3u': 3e-6,
      '3m': 3e-3,
      '3k': 3e3,
      '3M': 3e6,
      '3G': 3e9,
      '3T': 3e12,
      '3P': 3e15,
      '3E': 3e18,
      '3Ki': 3 * 2 ** 10,
      '3Mi': 3 * 2 ** 20,
      '3Gi': 3 * 2 ** 30,
      '3Ti': 3 * 2 ** 40,
      '3Pi': 3 * 2 ** 50,
      '3Ei': 3 * 2 ** 60,
      '2e3': 2000,
      '2E3': 2000,
      '2e+3': 2000,
      '2e-3': 0.002,
      '1e12': 1e12,
    };
    for (const [written, value] of Object.entries(read)) {
      const got = quantity(written) ?? Number.NaN;
      assert.ok(Math.abs(got - value) <= Math.abs(value) * 1e-12, `${written}: ${got}`);
    }
    assert.equal(quantity(7), 7);
    for (const odd of [
      '',
      'x',
      '.',
      '1x',
      'x1',
      '1 ',
      '1ki',
      '1i',
      '1Mim',
      '1e',
      'e3',
      '1e3k',
      '1e1234',
      '--1',
      '1,5',
      null,
    ])
      assert.equal(quantity(odd), undefined, String(odd));
  });
});

describe('a static Pod', () => {
  it('is taken as kubeadm writes it, and as operators amend it', () => {
    const ports = (hostPort: number, hostNetwork = true) =>
      of({ hostNetwork, containers: [{ ports: [{ containerPort: 1, hostPort }] }] });
    assert.deepEqual([ports(1), ports(0), ports(2, false)], [[], [], []]);
    assert.deepEqual(ports(2), ['the port 2 of the host for another one']);
    const several = { containerPort: 1, hostPort: 1 };
    assert.deepEqual(
      of({
        hostNetwork: true,
        containers: [
          { ports: [several, { containerPort: 1, hostPort: 3 }] },
          { ports: [several, { containerPort: 1, hostPort: 4 }] },
        ],
      }).filter((odd) => odd.startsWith('the port')),
      ['the port 3 of the host for another one', 'the port 4 of the host for another one'],
    );
    assert.deepEqual(refusedIn({}), []);
    const probe = {
      initialDelaySeconds: 10,
      timeoutSeconds: 15,
      periodSeconds: 10,
      failureThreshold: 8,
      successThreshold: 1,
    };
    const spec = {
      dnsPolicy: 'ClusterFirst',
      containers: [
        {
          name: 'kube-apiserver',
          image: 'registry.k8s.io/kube-apiserver:v1.36.0',
          imagePullPolicy: 'IfNotPresent',
          livenessProbe: probe,
          readinessProbe: { ...probe, successThreshold: 2 },
          startupProbe: { ...probe, initialDelaySeconds: 0 },
          resources: { requests: { cpu: '250m', memory: '0' }, limits: { cpu: '250m' } },
          securityContext: { runAsNonRoot: true, runAsUser: 1, privileged: true },
          volumeMounts: [{ mountPropagation: 'Bidirectional' }, { mountPropagation: 'HostToContainer' }],
          env: [
            { name: 'A', value: 'b' },
            { name: 'C', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          ],
        },
      ],
      volumes: [{ hostPath: { path: '/a', type: 'DirectoryOrCreate' } }, { emptyDir: {} }],
      activeDeadlineSeconds: null,
      nodeSelector: {},
      serviceAccountName: '',
      ephemeralContainers: [],
    };
    assert.deepEqual(of(spec, { deletionTimestamp: null, annotations: { 'kubernetes.io/config.hash': 'a' } }), []);
  });

  it('chooses among what there is', () => {
    for (const dnsPolicy of ['', 'ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'])
      assert.deepEqual(of({ dnsPolicy, dnsConfig: { nameservers: ['192.0.2.1'] } }), []);
    for (const dnsConfig of [undefined, null, {}, { nameservers: [] }])
      assert.deepEqual(of({ dnsPolicy: 'None', dnsConfig }), ['dnsPolicy None without a server']);
    assert.deepEqual(of({ dnsPolicy: 'Cluster' }), ['dnsPolicy Cluster']);
    assert.deepEqual(of({ dnsPolicy: 'x'.repeat(50) }), [`dnsPolicy ${'x'.repeat(40)}`]);
    for (const imagePullPolicy of ['', 'Always', 'IfNotPresent', 'Never'])
      assert.deepEqual(container({ imagePullPolicy }), []);
    assert.deepEqual(container({ imagePullPolicy: 'Sometimes' }), ['imagePullPolicy Sometimes']);
    for (const terminationMessagePolicy of ['', 'File', 'FallbackToLogsOnError'])
      assert.deepEqual(container({ terminationMessagePolicy }), []);
    assert.deepEqual(container({ terminationMessagePolicy: 'Log' }), ['terminationMessagePolicy Log']);
    const types = 'DirectoryOrCreate Directory FileOrCreate File Socket CharDevice BlockDevice'.split(' ');
    for (const type of ['', ...types]) assert.deepEqual(of({ volumes: [{ hostPath: { path: '/a', type } }] }), []);
    assert.deepEqual(of({ volumes: [{ hostPath: { type: 'Folder' } }] }), ['the type Folder of a hostPath']);
    assert.deepEqual(of({ volumes: [{ hostPath: { type: 'x'.repeat(50) } }] }), [
      `the type ${'x'.repeat(40)} of a hostPath`,
    ]);
  });

  it('is probed by numbers from 0 on, and lives once it has answered once', () => {
    const names = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];
    for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'])
      for (const name of names) {
        for (const value of [undefined, null, 0, 1]) assert.deepEqual(container({ [probe]: { [name]: value } }), []);
        assert.deepEqual(container({ [probe]: { [name]: -1 } }), [`${probe}.${name}`]);
      }
    const twice = { successThreshold: 2 };
    assert.deepEqual(container({ livenessProbe: twice }), ['livenessProbe.successThreshold']);
    assert.deepEqual(container({ startupProbe: twice }), ['startupProbe.successThreshold']);
    assert.deepEqual(container({ readinessProbe: twice }), []);
  });

  it('asks for no more than its limit, in quantities', () => {
    const told = (requests: object, limits: object = {}) => container({ resources: { requests, limits } });
    assert.deepEqual(told({ cpu: '1' }, { cpu: '1000m' }), []);
    assert.deepEqual(told({ cpu: '1' }, { memory: '1' }), []);
    assert.deepEqual(told({ cpu: '1.1' }, { cpu: '1' }), ['more cpu than its limit']);
    assert.deepEqual(told({ cpu: 'x' }), ['cpu of resources']);
    assert.deepEqual(told({ cpu: '-1' }), ['cpu of resources']);
    assert.deepEqual(told({}, { cpu: '-1' }), ['cpu of resources']);
    assert.deepEqual(told({ cpu: 0 }, { cpu: 0 }), []);
  });

  it('names an image', () => {
    const digest = `@sha256:${'0a'.repeat(32)}`;
    for (const image of [
      'etcd',
      'etcd:3.6.1-0',
      `etcd${digest}`,
      'library/my_etcd',
      'a.b-c/etcd',
      'localhost:5000/a/etcd:v1_x',
      '[fd00::1]:5000/etcd',
      '[FD00::1]/etcd',
      `Registry.example/a--b/c__d:1.2${digest}`,
      `etcd:${'x'.repeat(128)}`,
      '0/1',
    ])
      assert.deepEqual(container({ image }), [], image);
    for (const image of [
      'http://a/etcd',
      'Etcd',
      'etcd:',
      'etcd@sha256:12',
      `etcd${digest}0`,
      `etcd@sha512:${'0'.repeat(64)}`,
      `etcd@sha256:${'g'.repeat(64)}`,
      'etcd/',
      ' etcd',
      'etcd latest',
      'a:x/etcd',
      '[::1/etcd',
      '[x]/etcd',
      `etcd:${'x'.repeat(129)}`,
      'etcd:-1',
      'etcd-',
      'etcd!',
      'a..b/@',
    ])
      assert.deepEqual(container({ image }), [`the image ${image.slice(0, 80)}`], image);
  });

  it('is privileged where it mounts for others, and has a user where it may not be root', () => {
    const mounted = { volumeMounts: [{ mountPropagation: 'Bidirectional' }] };
    const told = (securityContext: object, more: object = {}) => container({ securityContext, ...more });
    assert.deepEqual(told({}, mounted), ['mountPropagation Bidirectional']);
    assert.deepEqual(told({ privileged: false }, mounted), ['mountPropagation Bidirectional']);
    assert.deepEqual(told({ privileged: true }, mounted), []);
    const root = ['runAsNonRoot of one who is root'];
    const etcd = { image: 'a.example/etcd:3.6' };
    for (const image of ['etcd', 'etcd@sha256', 'a.example/b/kube-apiserver:v1.36.0', 'kube-scheduler:v1.36.0'])
      assert.deepEqual(
        told({ runAsNonRoot: true }, { image }).filter((odd) => !odd.includes('image')),
        root,
        image,
      );
    for (const image of ['a.example/kube-vip:v1', 'bitnami/etcd:3.6', 'etcd-backup:1', 'a.example/etcd/b:1', ''])
      assert.deepEqual(told({ runAsNonRoot: true }, { image }), [], `${image}, whose user nobody knows`);
    assert.deepEqual(told({ runAsNonRoot: true, runAsUser: 0 }), root);
    assert.deepEqual(
      [told({ runAsNonRoot: false }, etcd), told({ runAsNonRoot: true, runAsUser: 1000 }, etcd)],
      [[], []],
    );
    const both = (all: object, own: object) =>
      of({ securityContext: all, containers: [{ ...etcd, securityContext: own }] });
    assert.deepEqual(both({ runAsNonRoot: true }, {}), root);
    assert.deepEqual(both({ runAsUser: 0 }, { runAsNonRoot: true }), root);
    for (const [all, own] of [
      [{ runAsNonRoot: true, runAsUser: 1000 }, {}],
      [{ runAsUser: 1000 }, { runAsNonRoot: true, runAsUser: null }],
      [{ runAsNonRoot: true }, { runAsNonRoot: false }],
      [{ runAsNonRoot: true, runAsUser: 0 }, { runAsUser: 1000 }],
    ] as const)
      assert.deepEqual(both(all, own), []);
  });

  it('works somewhere, on Linux, and waits for no scheduler', () => {
    for (const workingDir of ['', '/', '/srv', null]) assert.deepEqual(container({ workingDir }), []);
    assert.deepEqual(container({ workingDir: 'srv' }), ['a workingDir that begins nowhere']);
    for (const os of [undefined, null, {}, { name: 'linux' }]) assert.deepEqual(of({ os }), []);
    assert.deepEqual(of({ os: { name: 'windows' } }), ['the system windows']);
    assert.deepEqual(of({ os: { name: 'x'.repeat(50) } }), [`the system ${'x'.repeat(40)}`]);
    assert.deepEqual(of({ schedulingGates: [] }), []);
    assert.deepEqual(of({ schedulingGates: [{ name: 'a' }] }), ['schedulingGates, though it has its node']);
  });

  it('names nothing that the API would have to tell', () => {
    const told = (name: string): readonly string[] => [`${name}, which the API would have to tell`];
    for (const kind of ['secret', 'configMap', 'persistentVolumeClaim', 'projected', 'csi', 'ephemeral'])
      assert.deepEqual(of({ volumes: [{ name: 'a', [kind]: {} }] }), told(kind));
    for (const kind of ['configMapRef', 'secretRef'])
      assert.deepEqual(container({ envFrom: [{ [kind]: { name: 'a' } }] }), told(kind));
    for (const kind of ['configMapKeyRef', 'secretKeyRef'])
      assert.deepEqual(container({ env: [{ name: 'A', valueFrom: { [kind]: { name: 'a' } } }] }), told(kind));
    for (const name of ['serviceAccountName', 'serviceAccount', 'runtimeClassName']) {
      assert.deepEqual(of({ [name]: 'a' }), told(name));
      assert.deepEqual(of({ [name]: '' }), []);
    }
    for (const name of ['resourceClaims', 'ephemeralContainers']) {
      assert.deepEqual(of({ [name]: [{ name: 'a' }] }), told(name));
      assert.deepEqual(of({ [name]: [] }), []);
    }
  });

  it('is started, not ended, no mirror, and chooses no node', () => {
    assert.deepEqual(of({ activeDeadlineSeconds: 0 }), ['activeDeadlineSeconds']);
    assert.deepEqual(of({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), ['deletionTimestamp']);
    assert.deepEqual(of({}, { annotations: { 'kubernetes.io/config.mirror': '' } }), ['the mark of a mirror Pod']);
    assert.deepEqual(of({ nodeSelector: { a: 'b' } }), ['it chooses among nodes']);
    assert.deepEqual(of({ affinity: {} }), ['it chooses among nodes']);
  });
});

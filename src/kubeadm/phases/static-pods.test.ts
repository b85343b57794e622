/** Manifests of a control plane. Source: cmd/kubeadm/app/util/staticpod/utils.go, phases/controlplane, phases/etcd. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import { COMPONENTS, type ControlPlaneComponent } from '../components.js';
import { type Configuration, configure } from '../configuration.js';
import { parseRelease } from '../release.js';
import { mirrorPod, staticPod } from './static-pods.js';

const of = (more: Partial<Configuration> = {}, minor = 36): Configuration => ({
  ...configure({ release: parseRelease(`1.${minor}`), nodeName: 'cp', advertiseAddress: '192.0.2.1', caFolders: [] }),
  ...more,
});
interface Probe extends Fields {
  readonly httpGet: { readonly host?: string; readonly path: string; readonly port: unknown; readonly scheme: string };
}
interface Container extends Fields {
  readonly livenessProbe: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe: Probe & { readonly failureThreshold: number };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}
interface Spec {
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly hostPath: { readonly path: string; readonly type: string };
  }[];
}
const specOf = (component: ControlPlaneComponent, facts: Configuration): Spec =>
  staticPod(component, facts, {}).spec as Spec;
const containerOf = (component: ControlPlaneComponent, facts: Configuration): Container =>
  specOf(component, facts).containers[0];
const told = (component: ControlPlaneComponent, name: string, value: string): Partial<Configuration> => ({
  components: { [component]: { extraArgs: [[name, value]] } },
});

describe('the probes of a static Pod', () => {
  const hostOf = (component: ControlPlaneComponent, more: Partial<Configuration>): string | undefined =>
    containerOf(component, of(more)).livenessProbe.httpGet.host;
  it('go to the address that it is bound to, and to the host itself where that is any', () => {
    for (const [address, host] of [
      ['192.0.2.1', '192.0.2.1'],
      ['2001:db8::1', '2001:db8::1'],
      ['0.0.0.0', undefined],
      ['::', undefined],
    ] as const) {
      assert.equal(hostOf('kube-apiserver', { advertiseAddress: address }), host, address);
      for (const component of ['kube-controller-manager', 'kube-scheduler'] as const)
        assert.equal(hostOf(component, told(component, 'bind-address', address)), host, address);
    }
    for (const component of ['kube-controller-manager', 'kube-scheduler'] as const)
      assert.equal(hostOf(component, {}), '127.0.0.1');
  });
  it('of etcd go to the first address of its metrics', () => {
    for (const [urls, host, port, scheme] of [
      ['http://127.0.0.1:2381', '127.0.0.1', 2381, 'HTTP'],
      ['https://192.0.2.9:1234,http://127.0.0.1:2381', '192.0.2.9', 1234, 'HTTPS'],
      ['https://[2001:db8::9]:1', '2001:db8::9', 1, 'HTTPS'],
      ['http://etcd.example.com', 'etcd.example.com', 2381, 'HTTP'],
      ['https://:65535', '127.0.0.1', 65_535, 'HTTPS'],
      ['https://a:65536', 'a', 2381, 'HTTPS'],
      ['https://a:0', 'a', 2381, 'HTTPS'],
      ['nothing', '127.0.0.1', 2381, 'HTTP'],
      ['', '127.0.0.1', 2381, 'HTTP'],
    ] as const)
      assert.deepEqual(
        containerOf('etcd', of(told('etcd', 'listen-metrics-urls', urls), 33)).livenessProbe.httpGet,
        { host, path: '/livez', port, scheme },
        urls,
      );
    assert.equal(hostOf('etcd', { advertiseAddress: '2001:db8::1' }), '::1');
  });
  it('ask what the component of that release answers, by the name of the port since 1.34', () => {
    const asked = (component: ControlPlaneComponent, minor: number): readonly unknown[] => {
      const { livenessProbe, readinessProbe, startupProbe } = containerOf(component, of({}, minor));
      const ports = new Set(
        [livenessProbe, readinessProbe ?? livenessProbe, startupProbe].map((one) => one.httpGet.port),
      );
      return [livenessProbe.httpGet.path, readinessProbe?.httpGet.path, startupProbe.httpGet.path, ...ports];
    };
    for (const [component, minor, paths] of [
      ['kube-apiserver', 33, ['/livez', '/readyz', '/livez', 6443]],
      ['kube-apiserver', 34, ['/livez', '/readyz', '/livez', 'probe-port']],
      ['kube-controller-manager', 33, ['/healthz', undefined, '/healthz', 10_257]],
      ['kube-scheduler', 31, ['/healthz', undefined, '/healthz', 10_259]],
      ['kube-scheduler', 32, ['/livez', '/readyz', '/livez', 10_259]],
      ['etcd', 30, ['/health?exclude=NOSPACE&serializable=true', undefined, '/health?serializable=false', 2381]],
      ['etcd', 31, ['/livez', '/readyz', '/readyz', 2381]],
    ] as const)
      assert.deepEqual(asked(component, minor), paths, `${component} of 1.${minor}`);
  });
  it('wait as long for the start as was told, in steps of ten seconds', () => {
    for (const [startupSeconds, threshold] of [
      [240, 24],
      [241, 25],
      [9, 1],
    ] as const)
      for (const component of COMPONENTS)
        assert.equal(containerOf(component, of({ startupSeconds })).startupProbe.failureThreshold, threshold);
  });
});

describe('the volumes of a static Pod', () => {
  const shown = (component: ControlPlaneComponent, facts: Configuration): readonly string[] => {
    const { volumes, containers } = specOf(component, facts);
    const mounts = new Map(containers[0].volumeMounts.map((mount) => [mount.name, mount]));
    assert.equal(mounts.size, volumes.length);
    return volumes.map(({ name, hostPath: { path, type } }) => {
      const mount = mounts.get(name);
      return `${name} ${path}${mount?.mountPath === path ? '' : `→${mount?.mountPath}`} ${type}${mount?.readOnly === true ? '' : ' rw'}`;
    });
  };
  const CERTS = ['ca-certs /etc/ssl/certs DirectoryOrCreate', 'k8s-certs /etc/kubernetes/pki DirectoryOrCreate'];
  const conf = (name: string): string => `kubeconfig /etc/kubernetes/${name}.conf FileOrCreate`;
  const FLEX = 'flexvolume-dir /usr/libexec/kubernetes/kubelet-plugins/volume/exec DirectoryOrCreate rw';

  it('are those that kubeadm has for it', () => {
    assert.deepEqual(shown('kube-apiserver', of()), CERTS);
    assert.deepEqual(shown('kube-controller-manager', of()), [...CERTS, conf('controller-manager')]);
    assert.deepEqual(shown('kube-controller-manager', of({}, 35)), [
      ...[CERTS[0], FLEX, CERTS[1], conf('controller-manager')],
    ]);
    assert.deepEqual(shown('kube-scheduler', of()), [conf('scheduler')]);
    assert.deepEqual(shown('etcd', of()), [
      'etcd-certs /etc/kubernetes/pki/etcd DirectoryOrCreate rw',
      'etcd-data /var/lib/etcd DirectoryOrCreate rw',
    ]);
    const elsewhere = told('kube-controller-manager', 'flex-volume-plugin-dir', '/flex');
    assert.ok(
      shown('kube-controller-manager', of(elsewhere, 35)).includes('flexvolume-dir /flex DirectoryOrCreate rw'),
    );
    assert.deepEqual(shown('kube-apiserver', of({ caFolders: ['/etc/pki', '/usr/share/ca'] })), [
      CERTS[0],
      'etc-pki /etc/pki DirectoryOrCreate',
      CERTS[1],
      'usr-share-ca /usr/share/ca DirectoryOrCreate',
    ]);
  });
  it('are the folders of an external etcd that are mounted for nothing else', () => {
    const etcd = (caFile: string, certFile = '', keyFile = ''): readonly string[] =>
      shown('kube-apiserver', of({ externalEtcd: { endpoints: ['https://e'], caFile, certFile, keyFile } }))
        .filter((one) => one.startsWith('etcd-certs'))
        .map((one) => one.replace(' DirectoryOrCreate', ''));
    assert.deepEqual(etcd('/b/ca', '/a/crt', '/b/key'), ['etcd-certs-0 /a', 'etcd-certs-1 /b']);
    assert.deepEqual(etcd('/a/ca', '/a/b/crt', '/a/b/c/key'), ['etcd-certs-0 /a']);
    assert.deepEqual(etcd('/etc/kubernetes/pki/etcd/ca', '/etc/ssl/certs/crt', '/key'), []);
    assert.deepEqual(etcd('', ''), []);
  });
  it('are the user’s where they have the same name', () => {
    const extraVolumes = [
      { name: 'k8s-certs', hostPath: '/h', mountPath: '/m', readOnly: false, pathType: 'Directory' },
      { name: 'a', hostPath: '/a', mountPath: '/a', readOnly: true, pathType: '' },
    ];
    assert.deepEqual(shown('kube-apiserver', of({ components: { 'kube-apiserver': { extraVolumes } } })), [
      ...['a /a ', CERTS[0], 'k8s-certs /h→/m Directory rw'],
    ]);
  });
});

it('a manifest says where its component can be reached, in which image, and in the order of its variables', () => {
  const facts = of({ bindPort: 7443, imageRepository: 'example.com/k', etcdImage: { tag: '3.9.9' } }, 33);
  const pod = (component: ControlPlaneComponent, of = facts) =>
    staticPod(component, of, {}) as { metadata: { annotations?: object }; spec: { containers: readonly [Fields] } };
  assert.deepEqual(COMPONENTS.map((component) => [component, pod(component).metadata.annotations]).sort(), [
    ['etcd', { 'kubeadm.kubernetes.io/etcd.advertise-client-urls': 'https://192.0.2.1:2379' }],
    ['kube-apiserver', { 'kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint': '192.0.2.1:7443' }],
    ['kube-controller-manager', undefined],
    ['kube-scheduler', undefined],
  ]);
  const imageOf = (component: ControlPlaneComponent, of = facts): unknown =>
    pod(component, of).spec.containers[0].image;
  assert.equal(imageOf('kube-scheduler'), `example.com/k/kube-scheduler:${facts.release.text}`);
  assert.equal(imageOf('etcd'), 'example.com/k/etcd:3.9.9');
  assert.match(String(imageOf('etcd', { ...facts, etcdImage: { repository: 'x' } })), /^x\/etcd:3\.\d+\.\d+-\d+$/);
  const extraEnvs = [
    { name: 'B', value: '1' },
    { name: 'A', value: '2' },
    { name: 'B', value: '3' },
  ];
  assert.deepEqual(pod('etcd', { ...facts, components: { etcd: { extraEnvs } } }).spec.containers[0].env, [
    { name: 'A', value: '2' },
    { name: 'B', value: '3' },
  ]);
  assert.equal('env' in pod('etcd').spec.containers[0], false);
  for (const minor of [33, 34])
    assert.equal('creationTimestamp' in pod('etcd', of({}, minor)).metadata, minor === 33, `1.${minor}`);
});

it('a mirror Pod is what its kubelet shows of the file', () => {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'cp', uid: 'u', controller: true };
  const facts = of();
  for (const component of COMPONENTS) {
    const seen = '2026-11-20T10:30:00Z';
    const { metadata, spec, status } = mirrorPod(component, { facts, extraArgs: {}, owner, seen });
    const hash = metadata.annotations?.['kubernetes.io/config.hash'];
    assert.match(hash ?? '', /^[0-9a-f]{32}$/);
    assert.equal(metadata.annotations?.['kubernetes.io/config.mirror'], hash);
    assert.deepEqual(
      [
        metadata.name,
        metadata.namespace,
        metadata.ownerReferences,
        metadata.annotations?.['kubernetes.io/config.seen'],
      ],
      [`${component}-cp`, 'kube-system', [owner], seen],
    );
    const written = specOf(component, facts);
    assert.deepEqual((spec as unknown as Spec).containers, written.containers);
    assert.deepEqual((spec as unknown as Spec).volumes, written.volumes);
    assert.deepEqual([(spec as Fields).nodeName, status], ['cp', { phase: 'Running' }]);
  }
});

/**
 * What the liar's cluster holds for those who have found it: the configuration of kubeadm, shared certificates, and
 * requests for certificates. Only what a join asks for.
 */
import { record } from '../kubernetes/json.js';
import { KUBE_SYSTEM, TAINT_UNINITIALIZED } from '../kubernetes/names.js';
import { upstream } from '../reference/decisions.js';
import { healthzOf } from './addresses.js';
import { answer, configMap, json, notFound, refusal } from './answers.js';
import { CertificateRequests } from './certificate-requests.js';
import { HEALTH } from './components.js';
import { etcdPods } from './etcd.js';
import type { Asked, Lie, Reply } from './lie.js';
import type { Data, Scene } from './scene.js';
import { sharedEntries } from './shared-certificates.js';

const clusterOf = ({ endpoint, release }: Scene): string =>
  [
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'certificatesDir: /etc/kubernetes/pki',
    'clusterName: kubernetes',
    `controlPlaneEndpoint: ${endpoint}`,
    'kind: ClusterConfiguration',
    `kubernetesVersion: v${release}`,
    'networking:',
    '  dnsDomain: cluster.local',
    '  serviceSubnet: 10.96.0.0/12',
    '',
  ].join('\n');
/** What an administrator may have added, of each form that there is; zero is something else than nothing there. */
const MUCH = [
  'allowedUnsafeSysctls: ["kernel.msg*", net.core.somaxconn]',
  'containerLogMaxSize: 20Mi',
  'containerRuntimeEndpoint: unix:///run/of/another.sock',
  'eventRecordQPS: 0',
  'evictionHard: {nodefs.available: 10%, imagefs.available: "1073741824", memory.available: 200Mi}',
  'featureGates: {RotateKubeletServerCertificate: true}',
  'logging: {format: json, verbosity: 2}',
  'maxPods: 42',
  'seccompDefault: true',
  'shutdownGracePeriod: 1m30s',
  'tlsMinVersion: VersionTLS12',
];
const kubeletConfig = (healthz: number, rotates: boolean, serves: boolean, more: readonly string[]): string =>
  [
    'apiVersion: kubelet.config.k8s.io/v1beta1',
    'authentication:',
    '  anonymous: {enabled: false}',
    '  webhook: {cacheTTL: 0s, enabled: true}',
    '  x509: {clientCAFile: /etc/kubernetes/pki/ca.crt}',
    'authorization:',
    '  mode: Webhook',
    '  webhook: {cacheAuthorizedTTL: 0s, cacheUnauthorizedTTL: 0s}',
    'cgroupDriver: systemd',
    'clusterDNS:',
    '- 10.96.0.10',
    'clusterDomain: cluster.local',
    'healthzBindAddress: 127.0.0.1',
    `healthzPort: ${healthz}`,
    'kind: KubeletConfiguration',
    `rotateCertificates: ${rotates}`,
    ...(serves ? ['serverTLSBootstrap: true'] : []),
    'staticPodPath: /etc/kubernetes/manifests',
    ...more,
    '',
  ].join('\n');
/** kubelet-config as the cluster holds it. */
export const kubeletOf = ({ told, isUnrotated, serving, kubeletIsTold }: Lie): string =>
  kubeletConfig(
    healthzOf(told?.kubelet),
    isUnrotated !== true,
    serving !== undefined,
    kubeletIsTold === 'much' ? MUCH : [],
  );
const PROXY = ['apiVersion: kubeproxy.config.k8s.io/v1alpha1', 'kind: KubeProxyConfiguration', ''].join('\n');

/** As a kubelet has registered it. */
const nodeNamed = (name: string, { hasNode }: Lie, isEarly: boolean): unknown => ({
  kind: 'Node',
  apiVersion: 'v1',
  metadata: { name, ...(isEarly ? {} : { labels: { 'kubernetes.io/hostname': name, 'example.com/rack': 'r7' } }) },
  ...(hasNode === true ? { spec: { taints: [UNINITIALIZED] } } : {}),
  status: {},
});
/** Of whoever looks after machines. */
const UNINITIALIZED = { key: TAINT_UNINITIALIZED, value: 'true', effect: 'NoSchedule' };

/** What every machine here is called that is called nothing else. */
const NODE = 'worker-9';

/**
 * Why a node may not register this Node; in protobuf nobody looks. Source: plugin/pkg/admission/noderestriction.
 */
function registrationProblem(body: string, own: string): string | undefined {
  if (body.startsWith('k8s\0')) return undefined;
  try {
    const { name, labels } = record(record(JSON.parse(body)).metadata);
    if (name !== own) return `node "${own}" is not allowed to modify another node`;
    const label = Object.keys(record(labels)).find((one) => !upstream.nodeMayUseLabel(one));
    return label === undefined ? undefined : `is not allowed to modify labels: ${label}`;
  } catch {
    return undefined;
  }
}

/** So often a Node is not registered that is registered late. */
const LATE = 2;

/** An honest cluster behind a liar. */
export class ClusterState {
  readonly #lie: Lie;
  readonly #scene: Scene;
  readonly #requests: CertificateRequests;
  /** So often somebody has registered a Node. */
  #registered = 0;
  /** So often its Node was asked for, by method. */
  readonly #looks = new Map<string, number>();

  constructor(lie: Lie, scene: Scene, now: () => number) {
    this.#lie = lie;
    this.#scene = scene;
    this.#requests = new CertificateRequests(lie, scene, now);
  }

  /** What an honest API server answers. */
  answer(asked: Asked): Reply {
    const { path, authorization, certified } = asked;
    // everybody may ask that
    if (HEALTH.test(path)) return answer(200, 'ok', 'text/plain');
    if (path === '/version')
      return json(200, { major: '1', gitVersion: `v${this.#scene.release}`, platform: 'linux/amd64' });
    if (authorization === undefined && !certified)
      return refusal(403, 'Forbidden', `forbidden: User "system:anonymous"`);
    const map = new RegExp(`^/api/v1/namespaces/${KUBE_SYSTEM}/configmaps/([^/]+)$`).exec(path)?.[1];
    if (map !== undefined) return this.#configMap(map);
    if (path === '/api/v1/nodes' && asked.method === 'POST' && certified) return this.#register(asked.body);
    const node = /^\/api\/v1\/nodes\/([^/]+)$/.exec(path)?.[1];
    // A kubelet that finds its Node says there what has become of it.
    if (certified && path === `/api/v1/nodes/${this.#own}/status`)
      return json(200, nodeNamed(this.#own, this.#lie, false));
    if (node === this.#own && this.#lie.taken !== undefined) return this.#lie.taken(node);
    if (node !== undefined) return certified ? this.#node(node, asked.method) : notFound('nodes', node);
    if (path === `/api/v1/namespaces/${KUBE_SYSTEM}/secrets/kubeadm-certs`) return this.#sharedCertificates();
    if (this.#lie.etcd !== undefined && certified && path === `/api/v1/namespaces/${KUBE_SYSTEM}/pods`)
      return json(200, etcdPods());
    const told = this.#requests.answer(asked);
    return told ?? refusal(404, 'NotFound', 'the server could not find the requested resource');
  }

  /** The name of the machine. */
  get #own(): string {
    return (this.#lie.told?.registration?.name ?? NODE).toLowerCase();
  }

  /** For who may see it: as it is registered, and what becomes of its marks. */
  #node(name: string, method: string): Reply {
    const { marks } = this.#lie;
    const times = (this.#looks.get(method) ?? 0) + 1;
    this.#looks.set(method, times);
    const isMarked = method === 'PATCH';
    if (isMarked && marks === 'refused') return refusal(403, 'Forbidden', `nodes "${name}" is forbidden`);
    const isFirst = marks === 'late' && times === 1;
    if (isFirst)
      return isMarked
        ? refusal(409, 'Conflict', `nodes "${name}" has been modified`)
        : refusal(500, 'InternalError', 'Internal error occurred: boom');
    return json(200, nodeNamed(name, this.#lie, marks === 'late' && !isMarked && times === 2));
  }

  #register(body: string): Reply {
    this.#registered += 1;
    const problem = registrationProblem(body, this.#own);
    if (problem !== undefined) return refusal(403, 'Forbidden', `nodes is forbidden: ${problem}`);
    return this.#lie.registersLate === true && this.#registered <= LATE
      ? refusal(403, 'Forbidden', 'nodes is forbidden')
      : answer(201, body);
  }

  #configMap(name: string): Reply {
    const maps: Readonly<Record<string, Data>> = {
      'kubeadm-config': { ClusterConfiguration: clusterOf(this.#scene) },
      'kube-proxy': { 'config.conf': PROXY },
      'kubelet-config': { kubelet: kubeletOf(this.#lie) },
    };
    const data = maps[name];
    return data === undefined ? notFound('configmaps', name) : json(200, configMap(name, KUBE_SYSTEM, data));
  }

  #sharedCertificates(): Reply {
    const honest = sharedEntries(this.#scene.cast);
    const entries = Object.entries(this.#lie.sharedCertificates?.(honest) ?? honest);
    return json(200, {
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name: 'kubeadm-certs', namespace: KUBE_SYSTEM },
      data: Object.fromEntries(entries.map(([name, value]) => [name, value.toString('base64')])),
    });
  }
}

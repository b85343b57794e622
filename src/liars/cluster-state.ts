/**
 * What the liar's cluster holds for those who have found it: the configuration of kubeadm, shared certificates,
 * requests
 * for certificates, which it signs. Only what a join asks for.
 */
import { base64, isRecord, record, text } from '../kubernetes/json.js';
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import { issue } from '../pki/authority.js';
import { generateKey } from '../pki/keys.js';
import { parseRequestPem } from '../pki/request.js';
import { configMap, json, notFound, refusal } from './answers.js';
import type { Asked, Lie, Reply } from './lie.js';
import type { Data, Scene } from './scene.js';
import { sharedEntries } from './shared-certificates.js';

const HOUR = 3_600_000;

const CLUSTER = (endpoint: string): string =>
  [
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'certificatesDir: /etc/kubernetes/pki',
    'clusterName: kubernetes',
    `controlPlaneEndpoint: ${endpoint}`,
    'kind: ClusterConfiguration',
    'kubernetesVersion: v1.36.1',
    'networking:',
    '  dnsDomain: cluster.local',
    '  serviceSubnet: 10.96.0.0/12',
    '',
  ].join('\n');
/** kubelet-config as the cluster holds it. */
export const KUBELET = [
  'apiVersion: kubelet.config.k8s.io/v1beta1',
  'cgroupDriver: systemd',
  'clusterDNS:',
  '- 10.96.0.10',
  'clusterDomain: cluster.local',
  'kind: KubeletConfiguration',
  'rotateCertificates: true',
  'staticPodPath: /etc/kubernetes/manifests',
  '',
].join('\n');
const PROXY = ['apiVersion: kubeproxy.config.k8s.io/v1alpha1', 'kind: KubeProxyConfiguration', ''].join('\n');

/** So often a request is looked at before it is signed, where that takes time. */
const LOOKS = 3;

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** Of these ways to sign a certificate comes in the end. */
const WITH_CERTIFICATE: readonly Lie['signing'][] = [undefined, 'other key', 'late', 'approved first'];

/** An honest cluster behind a liar. */
export class ClusterState {
  readonly #lie: Lie;
  readonly #scene: Scene;
  readonly #now: () => number;
  readonly #looks = new Map<object, number>();
  readonly #requests = new Map<string, Readonly<Record<string, unknown>>>();

  constructor(lie: Lie, scene: Scene, now: () => number) {
    this.#lie = lie;
    this.#scene = scene;
    this.#now = now;
  }

  /** What an honest API server answers. */
  answer(asked: Asked): Reply {
    const { path, method, authorization } = asked;
    if (authorization === undefined) return refusal(403, 'Forbidden', `forbidden: User "system:anonymous"`);
    const map = new RegExp(`^/api/v1/namespaces/${KUBE_SYSTEM}/configmaps/([^/]+)$`).exec(path)?.[1];
    if (map !== undefined) return this.#configMap(map);
    const node = /^\/api\/v1\/nodes\/([^/]+)$/.exec(path)?.[1];
    if (node !== undefined) return notFound('nodes', node);
    if (path === `/api/v1/namespaces/${KUBE_SYSTEM}/secrets/kubeadm-certs`) return this.#sharedCertificates();
    if (path === REQUESTS && method === 'POST') return this.#create(asked.body);
    const request = path.startsWith(`${REQUESTS}/`) ? this.#requests.get(path.slice(REQUESTS.length + 1)) : undefined;
    if (request !== undefined) return json(200, this.#progress(request));
    return refusal(404, 'NotFound', 'the server could not find the requested resource');
  }

  #configMap(name: string): Reply {
    const maps: Readonly<Record<string, Data>> = {
      'kubeadm-config': { ClusterConfiguration: CLUSTER(this.#scene.endpoint) },
      'kube-proxy': { 'config.conf': PROXY },
      'kubelet-config': { kubelet: KUBELET },
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

  /** A request that is looked at: some take their time. */
  #progress(request: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { signing } = this.#lie;
    if (signing !== 'late' && signing !== 'approved first') return request;
    const looks = (this.#looks.get(request) ?? 0) + 1;
    this.#looks.set(request, looks);
    if (looks > LOOKS) return request;
    const conditions = signing === 'late' ? [] : record(request.status).conditions;
    return { ...request, status: { conditions } };
  }

  /** Takes a request, and signs it at once or does what the lie says. */
  #create(body: string): Reply {
    const given: unknown = JSON.parse(body);
    const object = isRecord(given) ? given : {};
    const name = text(record(object.metadata).name) || `csr-${String(this.#requests.size + 1).padStart(5, 'x')}`;
    const facts = parseRequestPem(Buffer.from(text(record(object.spec).request), 'base64').toString('utf8'));
    const now = this.#now();
    const { signing } = this.#lie;
    const { pem } = issue(this.#scene.cast.authorities[this.#lie.cluster?.ca ?? 'ca'], {
      subject: { commonName: facts.commonName, organizations: facts.organizations },
      publicKey: signing === 'other key' ? generateKey('ECDSA-P256') : facts.spki,
      notBefore: now - HOUR / 12,
      notAfter: now + 8760 * HOUR,
      extendedKeyUsage: ['clientAuth'],
    });
    const signed = {
      ...object,
      metadata: { ...record(object.metadata), name },
      status: {
        conditions:
          signing === 'never'
            ? []
            : [{ type: signing === 'denied' ? 'Denied' : 'Approved', status: 'True', reason: 'X' }],
        ...(WITH_CERTIFICATE.includes(signing) ? { certificate: base64(pem) } : {}),
      },
    };
    this.#requests.set(name, signed);
    const isSlow = signing === 'late' || signing === 'approved first';
    return json(201, isSlow ? { ...signed, status: {} } : signed);
  }
}

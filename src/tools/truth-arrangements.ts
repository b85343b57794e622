/** The states of a cluster in which joins of kubeadm were recorded, made on a reference. */
import { base64, record } from '../kubernetes/json.js';
import { CLUSTER_INFO_PATH, KUBE_PUBLIC, KUBE_SYSTEM } from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { createAuthority } from '../pki/authority.js';
import type { ReferenceOptions } from '../reference/options.js';
import type { Reference } from '../targets/reference.js';

type Token = NonNullable<ReferenceOptions['tokens']>[number];

export interface Arrangement {
  readonly options?: Omit<ReferenceOptions, 'clock'>;
  /** `pass`: lets milliseconds pass. */
  arrange?(reference: Reference, pass: (milliseconds: number) => void): void | Promise<void>;
  /** Files that the machine is told of. */
  given?(reference: Reference): Readonly<Record<string, string>>;
}

/** Runs that a server does not decide, and what does. */
export const HOST_DECIDES: Readonly<Record<string, string>> = {
  'kcm-signing-key-absent': 'the controller-manager ends at its start',
  'kcm-signing-key-of-another-CA': 'the controller-manager ends at its start',
  'expired-client-cert': 'a file of the kubelet',
  'expired-client-cert-no-rotation': 'a file of the kubelet',
  'node-labels': 'a flag of the kubelet',
  'cgroup-v1': 'the kernel',
  'cp-admin-conf-present': 'a file of the host',
  'cp-admin-conf-flag': 'a file of the host',
  'worker-files-present': 'files of the host',
};

/** In the file of a run. */
const FILE_TOKEN = 'klet03.0123456789abcdef';

/** The token that init is told of; undefined: none. */
export function tokenFor(failure: string, configuration: string, otherwise: string): Token | undefined {
  const token = /[a-z0-9]{6}\.[a-z0-9]{16}/.exec(configuration)?.[0] ?? otherwise;
  const id = token.slice(0, 6);
  switch (failure) {
    case 'anonymous-off-file-token':
      return { token: FILE_TOKEN };
    case 'absent-token':
    case 'quiet-wait':
      return undefined;
    case 'wrong-secret':
      return { token: `${id}.0123456789abcdef` };
    case 'no-group':
      return { token, groups: [] };
    case 'other-group':
      return { token, groups: ['system:bootstrappers:other'] };
    case 'sign-only':
      return { token, usages: ['signing'], groups: [] };
    case 'auth-only':
      return { token, usages: ['authentication'] };
    case 'expired-token':
    case 'expired-uncleaned':
      return { token, ttlSeconds: 60 };
    default:
      return { token };
  }
}

const CERTS = 'kubeadm-certs';
const CLUSTER_INFO = 'cluster-info';

const gone = (
  kind: 'roleBindings' | 'clusterRoleBindings' | 'configMaps' | 'secrets',
  namespace: string | undefined,
  name: string,
): Arrangement => ({
  arrange: ({ api }) => api.delete(resources[kind], namespace, name),
});
const inSystem = (kind: 'roleBindings' | 'configMaps' | 'secrets', name: string): Arrangement =>
  gone(kind, KUBE_SYSTEM, name);
const everywhere = (name: string): Arrangement => gone('clusterRoleBindings', undefined, name);

type Texts = Readonly<Record<string, string>>;

/** Changes the data of an object. */
function change(
  reference: Reference,
  kind: 'configMaps' | 'secrets',
  [namespace, name]: readonly [string, string],
  by: (data: Texts) => Texts,
): void {
  const object = reference.api.get(resources[kind], namespace, name);
  if (object === undefined) throw new Error(`there is no ${name}`);
  const data = record(record(object).data) as Texts;
  reference.api.update(resources[kind], { ...object, data: by(data) } as KubeObject);
}

const changed = (
  kind: 'configMaps' | 'secrets',
  at: readonly [string, string],
  by: (data: Texts) => Texts,
): Arrangement => ({
  arrange: (reference) => change(reference, kind, at, by),
});
const configuration = (by: (text: string) => string): Arrangement =>
  changed('configMaps', [KUBE_SYSTEM, 'kubeadm-config'], (data) => ({
    ...data,
    ClusterConfiguration: by(data.ClusterConfiguration ?? ''),
  }));
const certs = (by: (data: Texts) => Texts): Arrangement => changed('secrets', [KUBE_SYSTEM, CERTS], by);
const without = (entry: string): Arrangement =>
  certs((data) => Object.fromEntries(Object.entries(data).filter(([key]) => key !== entry)));

const node = (conditions: readonly object[], name: string): Arrangement => ({
  arrange: ({ api }) => {
    const made = api.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    api.update(resources.nodes, { ...made, status: { conditions } } as KubeObject, { subresource: 'status' });
  },
});
const ready = (status: string): object => ({ type: 'Ready', status });

const OTHER_CA = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: Date.now() });
export const OTHER_PIN = OTHER_CA.facts.pin;

/** Another CA in cluster-info, signed anew by the controller. */
const otherCa = changed('configMaps', [KUBE_PUBLIC, CLUSTER_INFO], (data) => {
  const encoded = base64(OTHER_CA.certificate.pem);
  return { ...data, kubeconfig: (data.kubeconfig ?? '').replace(/(authority-data: )\S+/, `$1${encoded}`) };
});

/** A discovery file with one cluster, and a user where a token is given. */
const discoveryFile =
  (name: string, token?: string) =>
  ({ caPem, url }: Reference): Texts => {
    const cluster = { server: url, 'certificate-authority-data': base64(caPem) };
    const user = {
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    const clusters = [{ name: token === undefined ? '' : 'c', cluster }];
    return { [name]: JSON.stringify({ clusters, ...(token === undefined ? {} : user) }) };
  };
const HEALTH = ['/livez', '/readyz', '/healthz'];
const sound: Arrangement = {};

export const ARRANGEMENTS: Readonly<Record<string, Arrangement>> = {
  'ok-worker': sound,
  'no-group': sound,
  'other-group': sound,
  'sign-only': sound,
  'auth-only': sound,
  'absent-token': sound,
  'quiet-wait': sound,
  'deleted-token': inSystem('secrets', 'bootstrap-token-delet1'),
  'expired-token': { arrange: (_, pass) => pass(61_000) },
  'expired-uncleaned': { options: { controllers: { tokencleaner: false } }, arrange: (_, pass) => pass(61_000) },
  'wrong-secret': sound,
  'wrong-pin': sound,
  'no-clusterinfo-binding': gone('roleBindings', KUBE_PUBLIC, 'kubeadm:bootstrap-signer-clusterinfo'),
  'no-kubeadm-config-binding': inSystem('roleBindings', 'kubeadm:nodes-kubeadm-config'),
  'no-kube-proxy-binding': inSystem('roleBindings', 'kube-proxy'),
  'no-kube-proxy-cm': inSystem('configMaps', 'kube-proxy'),
  'no-kubelet-config-binding': inSystem('roleBindings', 'kubeadm:kubelet-config'),
  'no-kubelet-config-cm': inSystem('configMaps', 'kubelet-config'),
  'no-kubeadm-config-cm': inSystem('configMaps', 'kubeadm-config'),
  'no-cluster-info': gone('configMaps', KUBE_PUBLIC, CLUSTER_INFO),
  'no-get-nodes': everywhere('kubeadm:get-nodes'),
  'node-taken-ready': node([ready('True')], 'taken-ready'),
  'node-taken-not': node([ready('False')], 'taken-not'),
  'node-taken-unknown': node([ready('Unknown')], 'taken-unknown'),
  'node-taken-none': node([], 'taken-none'),
  'node-upper': sound,
  'cp-right-key': sound,
  'cp-prepare-all': sound,
  'cp-download-certs': sound,
  'cp-no-key': sound,
  'cp-wrong-key': sound,
  'cp-short-key': sound,
  'cp-16-byte-key': sound,
  'cp-not-hex': sound,
  'cp-upper-key': sound,
  'cp-certs-forbidden': inSystem('roleBindings', 'kubeadm:kubeadm-certs'),
  'cp-missing-sa.key': without('sa.key'),
  'cp-missing-ca.key': without('ca.key'),
  'cp-missing-front-proxy-ca.crt': without('front-proxy-ca.crt'),
  'cp-missing-etcd-ca.crt': without('etcd-ca.crt'),
  'cp-missing-etcd-ca.key': without('etcd-ca.key'),
  'cp-empty-ca.key': certs((data) => ({ ...data, 'ca.key': '' })),
  'cp-short-data': certs((data) => ({ ...data, 'sa.key': base64('short') })),
  'cp-garbage-data': certs((data) => ({ ...data, 'sa.key': base64('x'.repeat(60)) })),
  'cp-no-endpoint': configuration((text) => text.replace(/^controlPlaneEndpoint: .*\n/m, '')),
  'cp-certs-expired': {
    arrange: ({ api }) => {
      const owner = api.get(resources.secrets, KUBE_SYSTEM, CERTS)?.metadata.ownerReferences?.[0]?.name ?? '';
      api.delete(resources.secrets, KUBE_SYSTEM, owner);
    },
  },
  'cp-flags-without-control-plane': sound,
  'cp-kubelet-start': sound,
  'worker-taints': sound,
  'version-skew-old': configuration((text) => text.replace(/^kubernetesVersion: .*$/m, 'kubernetesVersion: v1.33.0')),
  'version-skew-new': configuration((text) => text.replace(/^kubernetesVersion: .*$/m, 'kubernetesVersion: v1.37.0')),
  'config-v1beta2': configuration((text) => text.replace('kubeadm.k8s.io/v1beta4', 'kubeadm.k8s.io/v1beta2')),
  'config-unknown-field': configuration((text) => `${text}unknownField: true\n`),
  'config-garbage': configuration(() => '{{ this is no YAML'),
  'tls-ok': sound,
  'node-labels-node-role': sound,
  'no-autoapprove': everywhere('kubeadm:node-autoapprove-bootstrap'),
  'no-node-bootstrapper': everywhere('kubeadm:kubelet-bootstrap'),
  'no-kcm-csr': { options: { controllers: { csrapproving: false, csrsigning: false } } },
  'signer-key-absent': { options: { controllers: { csrapproving: false, csrsigning: false } } },
  'signer-key-other': { options: { controllers: { csrapproving: false, csrsigning: false } } },
  'signer-off': { options: { controllers: { csrsigning: false } } },
  'no-controller-manager': { options: { controllers: { bootstrapsigner: false, tokencleaner: false } } },
  'controllers-default': { options: { controllers: { bootstrapsigner: false, tokencleaner: false } } },
  'stale-signature': {
    options: { controllers: { bootstrapsigner: false } },
    ...changed('configMaps', [KUBE_PUBLIC, CLUSTER_INFO], (data) => ({ ...data, 'jws-kubeconfig-stale1': 'a..b' })),
  },
  'server-unreachable': changed('configMaps', [KUBE_PUBLIC, CLUSTER_INFO], (data) => ({
    ...data,
    kubeconfig: (data.kubeconfig ?? '').replace(/(server: )\S+/, '$1https://127.0.0.1:1'),
  })),
  'other-ca-right-pin': otherCa,
  'other-ca-its-pin': otherCa,
  'two-pins-second-right': sound,
  'anonymous-off': { options: { anonymousAuth: false } },
  'anonymous-off-file': { options: { anonymousAuth: false }, given: discoveryFile('disc.conf') },
  'anonymous-off-file-token': {
    options: { anonymousAuth: false },
    given: discoveryFile('d.conf', FILE_TOKEN),
  },
  'anonymous-health-only': { options: { anonymousAuth: HEALTH } },
  'anonymous-scoped': { options: { anonymousAuth: [...HEALTH, CLUSTER_INFO_PATH] } },
  'token-auth-off': { options: { bootstrapTokenAuth: false } },
};

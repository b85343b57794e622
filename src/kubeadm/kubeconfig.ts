/**
 * Kubeconfigs: who the machines of a control plane are in theirs, and the one writer of the format.
 * Source: cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go; client-go, tools/clientcmd/api/v1/types.go.
 */
import { base64 } from '../kubernetes/json.js';
import { GROUP_CLUSTER_ADMINS, GROUP_MASTERS, GROUP_NODES, NODE_USER_PREFIX } from '../kubernetes/names.js';
import { type Configuration, hostPort } from './configuration.js';
import { type ByRelease, inRelease, type Release, type ReleaseSpan } from './release.js';

export interface KubeconfigRow {
  readonly commonName: (configuration: Pick<Configuration, 'nodeName'>) => string;
  readonly organizations?: ByRelease<readonly string[]>;
  /** The releases in which it names the machine's own API server; else it names what all control planes share. */
  readonly own?: ReleaseSpan;
  /** The releases that write it; default all. */
  readonly span?: ReleaseSpan;
}

/**
 * By the file's name below the folder of Kubernetes, without ending.
 * Source: kubeconfig.go getKubeConfigSpecsBase; release notes of 1.29 (admin.conf, super-admin.conf).
 */
export const KUBECONFIGS = {
  admin: {
    commonName: () => 'kubernetes-admin',
    organizations: [
      [{ since: 29 }, [GROUP_CLUSTER_ADMINS]],
      [{}, [GROUP_MASTERS]],
    ],
  },
  'super-admin': {
    commonName: () => 'kubernetes-super-admin',
    organizations: [[{}, [GROUP_MASTERS]]],
    span: { since: 29 },
  },
  kubelet: {
    commonName: ({ nodeName }) => `${NODE_USER_PREFIX}${nodeName}`,
    organizations: [[{}, [GROUP_NODES]]],
    // Feature gate ControlPlaneKubeletLocalMode.
    own: { since: 33 },
  },
  'controller-manager': { commonName: () => 'system:kube-controller-manager', own: {} },
  scheduler: { commonName: () => 'system:kube-scheduler', own: {} },
} as const satisfies Readonly<Record<string, KubeconfigRow>>;
export type KubeconfigFile = keyof typeof KUBECONFIGS;

/** URL that a kubeconfig names. */
export const serverOf = ({ own }: Pick<KubeconfigRow, 'own'>, configuration: Configuration): string =>
  own !== undefined && inRelease(configuration.release, own)
    ? `https://${hostPort(configuration.advertiseAddress, configuration.bindPort)}`
    : configuration.server;

/** What a kubeconfig holds, as far as kubeadm fills it in. Texts are PEM, of which empty ones are left out; files are paths. */
export interface Kubeconfig {
  readonly cluster: {
    readonly name: string;
    readonly server: string;
    readonly caPem?: string;
    readonly caFile?: string;
  };
  /** undefined: nobody's, as in cluster-info. */
  readonly user?: {
    readonly name: string;
    readonly certificatePem?: string;
    readonly keyPem?: string;
    readonly certificateFile?: string;
    readonly keyFile?: string;
    readonly token?: string;
    readonly tokenFile?: string;
  };
  readonly context?: { readonly name: string; readonly namespace?: string };
}

/** "key: value" for each value that is given, in the order of the list, which is that of the keys. */
const fields = (entries: readonly (readonly [string, string | undefined])[]): readonly string[] =>
  entries.flatMap(([key, value]) => (value === undefined ? [] : [`    ${key}: ${value}`]));

/** The parts of the text, each with its key. */
function sections({ cluster, user, context }: Kubeconfig): Readonly<Record<string, readonly string[]>> {
  const named = (name: string): string => `  name: ${name === '' ? '""' : name}`;
  const pem = (text = ''): string | undefined => (text === '' ? undefined : base64(text));
  return {
    apiVersion: ['apiVersion: v1'],
    kind: ['kind: Config'],
    clusters: [
      'clusters:',
      '- cluster:',
      ...fields([
        ['certificate-authority', cluster.caFile],
        ['certificate-authority-data', pem(cluster.caPem)],
        ['server', cluster.server],
      ]),
      named(cluster.name),
    ],
    contexts:
      user === undefined || context === undefined
        ? ['contexts: null']
        : [
            'contexts:',
            '- context:',
            ...fields([
              ['cluster', cluster.name],
              ['namespace', context.namespace],
              ['user', user.name],
            ]),
            named(context.name),
          ],
    current: [`current-context: ${context?.name ?? '""'}`],
    preferences: ['preferences: {}'],
    users:
      user === undefined
        ? ['users: null']
        : [
            'users:',
            `- name: ${user.name}`,
            '  user:',
            ...fields([
              ['client-certificate', user.certificateFile],
              ['client-certificate-data', pem(user.certificatePem)],
              ['client-key', user.keyFile],
              ['client-key-data', pem(user.keyPem)],
              ['token', user.token],
              ['tokenFile', user.tokenFile],
            ]),
          ],
  };
}

/** Releases whose client-go writes the field, which was always empty. */
const PREFERENCES: ReleaseSpan = { until: 33 };

/** A kubeconfig as client-go writes it: YAML, keys sorted, lists that are empty as null. */
export function writeKubeconfig(config: Kubeconfig, release: Release): string {
  const { apiVersion, clusters, contexts, current, kind, preferences, users } = sections(config);
  const written = inRelease(release, PREFERENCES) ? preferences : [];
  return [apiVersion, clusters, contexts, current, kind, written, users, ['']].flatMap((part) => part ?? []).join('\n');
}

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * kube-proxy's kubeconfig: the shared endpoint, its service account's credentials. A text of kubeadm's own, so in
 * another order and without a final newline. Source: phases/addons/proxy/manifests.go.
 */
export function kubeProxyKubeconfig({ server }: Pick<Configuration, 'server'>): string {
  const { apiVersion, clusters, contexts, current, kind, users } = sections({
    cluster: { name: 'default', server, caFile: `${ACCOUNT}/ca.crt` },
    user: { name: 'default', tokenFile: `${ACCOUNT}/token` },
    context: { name: 'default', namespace: 'default' },
  });
  return [apiVersion, kind, clusters, contexts, current, users].flatMap((part) => part ?? []).join('\n');
}

/** One of the table's kubeconfigs, with a client certificate. Context and user are named as kubeadm names them. */
export function controlPlaneKubeconfig(
  row: KubeconfigRow,
  configuration: Configuration,
  credential: { readonly caPem: string; readonly certificatePem: string; readonly keyPem: string },
): string {
  const { caPem, certificatePem, keyPem } = credential;
  const { clusterName: cluster, release } = configuration;
  const user = row.commonName(configuration);
  return writeKubeconfig(
    {
      cluster: { name: cluster, server: serverOf(row, configuration), caPem },
      user: { name: user, certificatePem, keyPem },
      context: { name: `${user}@${cluster}` },
    },
    release,
  );
}

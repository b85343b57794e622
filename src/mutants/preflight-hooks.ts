/** What several defects of the checks before init and join do: not look, or make another thing of what is found. */
import type { AnotherClient } from '../joining/another.js';
import type { Level, Line } from '../kubeadm/preflight/outcome.js';
import type { ReferenceOptions } from '../reference/options.js';
import type { Mutant } from './types.js';

type Preflight = NonNullable<AnotherClient['preflight']>;

export const other = (name: string, defect: string, killedBy: readonly string[], preflight: Preflight): Mutant => ({
  name: `preflight-${name}`,
  defect,
  killedBy,
  client: { preflight },
});
export const decides = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  decisions: NonNullable<Preflight['decisions']>,
): Mutant => other(name, defect, killedBy, { decisions });

/** The same with kubeadm of an older minor. */
export const of = (minor: number, mutant: Mutant): Mutant => {
  const options: Partial<ReferenceOptions> = { kubernetesVersion: `v1.${minor}.0` };
  return { ...mutant, name: `${mutant.name}-1.${minor}`, options };
};

/** Lines of checks whose name begins so. */
export const are =
  (...names: readonly string[]) =>
  ({ check }: Line): boolean =>
    names.some((name) => check.startsWith(name));

const lost = (what: (line: Line) => boolean): Preflight => ({ found: (lines) => lines.filter((line) => !what(line)) });
const levelled = (level: Level, what: (line: Line) => boolean): Preflight => ({
  found: (lines) => lines.map((line) => (what(line) ? { ...line, level } : line)),
});

/** It is not looked for. */
export const blind = (name: string, killedBy: readonly string[], ...checks: readonly string[]): Mutant =>
  other(`without-${name}`, `nothing is said of ${checks.join(', ')}`, killedBy, lost(are(...checks)));
/** What should stop only warns. */
export const mild = (name: string, killedBy: readonly string[], ...checks: readonly string[]): Mutant =>
  other(`mild-${name}`, `${checks.join(', ')} only warns`, killedBy, levelled('warning', are(...checks)));
/** What should only warn stops. */
export const strict = (name: string, killedBy: readonly string[], ...checks: readonly string[]): Mutant =>
  other(`strict-${name}`, `${checks.join(', ')} stops`, killedBy, levelled('error', are(...checks)));

/** Every check of which features speak. */
const ALL = [
  ...[
    'mount',
    'losetup',
    'cp',
    'ip',
    'iptables',
    'nsenter',
    'conntrack',
    'ethtool',
    'tc',
    'touch',
    'socat',
    'ebtables',
    'crictl',
  ].map((name) => `FileExisting-${name}`),
  ...[6443, 10_250, 10_251, 10_252, 10_257, 10_259, 2379, 2380].map((port) => `Port-${port}`),
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'].map(
    (name) => `FileAvailable--etc-kubernetes-manifests-${name}.yaml`,
  ),
  ...['kubelet.conf', 'bootstrap-kubelet.conf', 'pki-ca.crt'].map((name) => `FileAvailable--etc-kubernetes-${name}`),
  ...['net-ipv4-ip_forward', 'net-ipv6-conf-default-forwarding'].map((name) => `FileContent--proc-sys-${name}`),
  ...['iptables', 'ip6tables'].map((name) => `FileContent--proc-sys-net-bridge-bridge-nf-call-${name}`),
  ...['IsPrivilegedUser', 'CRI', 'ContainerRuntimeVersion', 'Swap', 'SystemVerification', 'Hostname', 'KubeletVersion'],
  ...['Service-kubelet', 'Service-Kubelet', 'Service-Docker', 'Firewalld', 'HTTPProxy', 'HTTPProxyCIDR'],
  ...['ExtraArgs', 'FileExisting--etc-kubernetes-abac_policy.json', 'FileExisting--etc-kubernetes-webhook_authz.conf'],
  ...['KubernetesVersion', 'ExternalEtcdVersion', 'ExternalEtcdClientCertificates', 'DirAvailable--var-lib-etcd'],
];
export const complaints: readonly Line[] = ALL.map((check) => ({ check, level: 'warning', message: 'something' }));

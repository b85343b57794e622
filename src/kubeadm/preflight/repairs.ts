/** What to do about what a check finds, by its name. */
import type { Line } from './outcome.js';

const CGROUPS =
  'Boot with version 2 of control groups (systemd.unified_cgroup_hierarchy=1) and with the controllers that are named; ' +
  'a kernel option that is off needs another kernel.';

const KUBELET = 'Install a kubelet of the minor of the control plane, and see that it is in PATH.';

/** By the check and its message. The first pattern that fits counts. */
const REPAIRS: readonly (readonly [pattern: RegExp, repair: string])[] = [
  [/^IsPrivilegedUser /, 'Run kubeadm as root, for example with sudo.'],
  [/^NumCPU /, 'Give the machine two processors at least.'],
  [/^Mem /, 'Give the machine 1700 MiB of memory at least.'],
  [/^KubernetesVersion /, 'Take a kubeadm of the minor that is to be installed.'],
  [/^Firewalld /, 'Open the ports with firewall-cmd --permanent --add-port=PORT/tcp, then firewall-cmd --reload.'],
  [/^Port-(?:2379|2380) /, 'See who listens with ss -ltnp; an etcd of an older cluster goes with kubeadm reset.'],
  [/^Port-/, 'See who listens with ss -ltnp, and end it; what an older cluster has left goes with kubeadm reset.'],
  [/^FileAvailable-.*-manifests-/, 'Run kubeadm reset where an older cluster has left it, or move it away.'],
  [/^FileAvailable-/, 'Run kubeadm reset where the machine has joined a cluster before, or move the file away.'],
  [/^DirAvailable-/, 'Run kubeadm reset and empty the folder, or name another one as dataDir of etcd.'],
  [/^HTTPProxyCIDR /, 'Add the subnet to NO_PROXY of whoever runs kubeadm and of the container runtime.'],
  [/^HTTPProxy /, 'Add the address to NO_PROXY.'],
  [/^CRI /, 'Start the container runtime, and name its socket as criSocket where it lies elsewhere.'],
  [
    /^ContainerRuntimeVersion /,
    'Start the container runtime; update it where it knows no RuntimeConfig (containerd 2.0).',
  ],
  [/^ImagePull /, 'Start the container runtime, then run kubeadm config images pull.'],
  [/^Swap /, 'Run swapoff -a and take swap out of /etc/fstab, or configure the kubelet for swap.'],
  [/^FileExisting--/, 'Put the file there.'],
  [/^FileExisting-/, 'Install the package that has the program, and see that it is in PATH.'],
  [/^SystemVerification couldn't get kubelet version/, KUBELET],
  [/^SystemVerification (?:unsupported )?kernel release/, 'Boot a kernel of one of the supported series.'],
  [
    /^SystemVerification .*[Dd]ocker/,
    'Install a version of Docker that is on the list, or take another container runtime.',
  ],
  [/^SystemVerification /, CGROUPS],
  [/^Hostname /, 'Add the name of the node to DNS or to /etc/hosts.'],
  [/^KubeletVersion /, KUBELET],
  [/^Service-/, 'Install the unit of the service, and enable it with systemctl enable --now.'],
  [/^FileContent-.*bridge/, 'Run modprobe br_netfilter, and write the setting into a file of /etc/sysctl.d.'],
  [/^FileContent-/, 'Write the setting as 1 into a file of /etc/sysctl.d, then run sysctl --system.'],
  [
    /^ExternalEtcdVersion /,
    'Update that etcd, or see that it answers /version at this address with these certificates.',
  ],
  [/^ExternalEtcdClientCertificates /, 'Copy the certificates of that etcd to where the configuration names them.'],
];

/** A sentence; undefined where there is nothing to repair. */
export function repairOf({ check, level, message }: Line): string | undefined {
  if (level === 'unknown') return undefined;
  return REPAIRS.find(([pattern]) => pattern.test(`${check} ${message}`))?.[1];
}

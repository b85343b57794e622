import assert from 'node:assert/strict';
import { it } from 'node:test';
import { repairOf } from './repairs.js';

it('what a check finds has a repair that is about it, the nearest one where several could be', () => {
  for (const [check, message, repair] of [
    ['IsPrivilegedUser', 'user is not running as root', /as root/],
    ['NumCPU', 'the number of available CPUs 1', /two processors/],
    ['Mem', 'the system RAM (512 MB)', /1700 MiB/],
    ['KubernetesVersion', 'this version', /a kubeadm of the minor/],
    ['Firewalld', 'firewalld is active', /firewall-cmd --permanent/],
    ['Port-2379', 'is in use', /an etcd of an older cluster/],
    ['Port-2380', 'is in use', /an etcd of an older cluster/],
    ['Port-23790', 'is in use', /and end it/],
    ['Port-10250', 'is in use', /and end it/],
    ['FileAvailable--etc-kubernetes-manifests-etcd.yaml', 'exists', /older cluster has left it/],
    ['FileAvailable--etc-kubernetes-kubelet.conf', 'exists', /joined a cluster before/],
    ['DirAvailable--var-lib-etcd', 'is not empty', /dataDir of etcd/],
    ['HTTPProxyCIDR', 'connection', /the subnet to NO_PROXY/],
    ['HTTPProxy', 'connection', /the address to NO_PROXY/],
    ['CRI', 'container runtime is not running', /criSocket/],
    ['ContainerRuntimeVersion', 'You must update', /RuntimeConfig/],
    ['ImagePull', 'failed to pull', /config images pull/],
    ['Swap', 'swap is supported', /swapoff -a/],
    ['FileExisting--etc-x', 'doesn’t exist', /^Put the file there/],
    ['FileExisting-conntrack', 'not found', /Install the package/],
    ['SystemVerification', "couldn't get kubelet version: x", /Install a kubelet/],
    ['SystemVerification', 'unsupported kernel release: 3.9', /Boot a kernel/],
    ['SystemVerification', 'kernel release 3.9 is unsupported', /Boot a kernel/],
    ['SystemVerification', 'unsupported docker version: 1', /version of Docker/],
    ['SystemVerification', 'this Docker version is not on the list', /version of Docker/],
    ['SystemVerification', 'missing required cgroups: pids', /control groups/],
    ['Hostname', 'could not be reached', /\/etc\/hosts/],
    ['KubeletVersion', 'the kubelet version is higher', /Install a kubelet/],
    ['Service-Kubelet', 'is not enabled', /systemctl enable --now/],
    ['FileContent--proc-sys-net-bridge-bridge-nf-call-iptables', 'contents are not set', /modprobe br_netfilter/],
    ['FileContent--proc-sys-net-ipv4-ip_forward', 'contents are not set to 1', /sysctl --system/],
    ['ExternalEtcdVersion', 'cannot get', /Update that etcd/],
    ['ExternalEtcdClientCertificates', "doesn't exist", /certificates of that etcd to where/],
  ] as const) {
    assert.match(repairOf({ check, level: 'error', message }) ?? '', repair, `${check} ${message}`);
    assert.equal(repairOf({ check, level: 'unknown', message }), undefined);
    assert.equal(repairOf({ check: `x${check}`, level: 'error', message }), undefined);
  }
});

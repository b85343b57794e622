/** The command lines that kubeadm would write into static Pods, on loopback. Source: cmd/kubeadm/app/phases/controlplane/manifests.go, phases/etcd/local.go. */
import { join } from 'node:path';
import type { Switches } from '../types.js';

export interface Ports {
  readonly apiServer: number;
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly controllerManager: number;
}

/** An address for documentation (RFC 5737): kube-apiserver and kubeadm refuse to advertise loopback, and nobody dials this one. */
export const ADVERTISED = '192.0.2.10';
export const NODE_NAME = 'joinproof-control-plane';

export function etcdArgs(folder: string, ports: Ports): string[] {
  const pki = join(folder, 'pki', 'etcd');
  const client = `https://127.0.0.1:${ports.etcd}`;
  const peer = `https://127.0.0.1:${ports.etcdPeer}`;
  return [
    `--advertise-client-urls=${client}`,
    `--cert-file=${join(pki, 'server.crt')}`,
    '--client-cert-auth=true',
    `--data-dir=${join(folder, 'etcd')}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${NODE_NAME}=${peer}`,
    `--key-file=${join(pki, 'server.key')}`,
    `--listen-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--name=${NODE_NAME}`,
    `--peer-cert-file=${join(pki, 'peer.crt')}`,
    '--peer-client-cert-auth=true',
    `--peer-key-file=${join(pki, 'peer.key')}`,
    `--peer-trusted-ca-file=${join(pki, 'ca.crt')}`,
    '--snapshot-count=10000',
    `--trusted-ca-file=${join(pki, 'ca.crt')}`,
    // The data is thrown away at the end: no need to wait for the disk.
    '--unsafe-no-fsync=true',
  ];
}

export function apiServerArgs(folder: string, ports: Ports, switches: Switches): string[] {
  const pki = (file: string): string => join(folder, 'pki', file);
  return [
    `--advertise-address=${ADVERTISED}`,
    '--allow-privileged=true',
    '--authorization-mode=Node,RBAC',
    '--bind-address=127.0.0.1',
    `--client-ca-file=${pki('ca.crt')}`,
    '--enable-admission-plugins=NodeRestriction',
    ...(switches.bootstrapTokenAuth === false ? [] : ['--enable-bootstrap-token-auth=true']),
    ...(switches.anonymousAuth === false ? ['--anonymous-auth=false'] : []),
    `--etcd-cafile=${pki('etcd/ca.crt')}`,
    `--etcd-certfile=${pki('apiserver-etcd-client.crt')}`,
    `--etcd-keyfile=${pki('apiserver-etcd-client.key')}`,
    `--etcd-servers=https://127.0.0.1:${ports.etcd}`,
    `--kubelet-client-certificate=${pki('apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${pki('apiserver-kubelet-client.key')}`,
    '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
    `--proxy-client-cert-file=${pki('front-proxy-client.crt')}`,
    `--proxy-client-key-file=${pki('front-proxy-client.key')}`,
    '--requestheader-allowed-names=front-proxy-client',
    `--requestheader-client-ca-file=${pki('front-proxy-ca.crt')}`,
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
    `--secure-port=${ports.apiServer}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${pki('sa.pub')}`,
    `--service-account-signing-key-file=${pki('sa.key')}`,
    '--service-cluster-ip-range=10.96.0.0/12',
    `--tls-cert-file=${pki('apiserver.crt')}`,
    `--tls-private-key-file=${pki('apiserver.key')}`,
  ];
}

export function controllerManagerArgs(folder: string, ports: Ports, switches: Switches): string[] {
  const pki = (file: string): string => join(folder, 'pki', file);
  const kubeconfig = join(folder, 'controller-manager.conf');
  const controllers = [
    '*',
    ...(switches.bootstrapSigner === false ? [] : ['bootstrapsigner']),
    ...(switches.tokenCleaner === false ? [] : ['tokencleaner']),
    ...(switches.csrApprover === false ? ['-csrapproving'] : []),
    ...(switches.csrSigner === false ? ['-csrsigning'] : []),
  ];
  return [
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    `--client-ca-file=${pki('ca.crt')}`,
    '--cluster-name=kubernetes',
    `--cluster-signing-cert-file=${switches.externalCa === true ? '' : pki('ca.crt')}`,
    `--cluster-signing-key-file=${switches.externalCa === true ? '' : pki('ca.key')}`,
    `--controllers=${controllers.join(',')}`,
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=true',
    `--requestheader-client-ca-file=${pki('front-proxy-ca.crt')}`,
    `--root-ca-file=${pki('ca.crt')}`,
    `--secure-port=${ports.controllerManager}`,
    `--service-account-private-key-file=${pki('sa.key')}`,
    '--use-service-account-credentials=true',
  ];
}

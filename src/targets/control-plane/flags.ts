/** What a control plane on loopback is told beyond kubeadm's flags: its ports, and the switches. */
import { controllersFlag, type ExtraArgs } from '../../kubeadm/flags.js';
import type { Switches } from '../types.js';

/** Of everything but the API server, which the configuration names. */
export interface Ports {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly controllerManager: number;
}

const url = (port: number): string => `https://127.0.0.1:${port}`;

/** etcd may be of any version here, so what kubeadm writes for its own only is left out. */
const NOT_FOR_EVERY_ETCD = {
  'experimental-initial-corrupt-check': undefined,
  'experimental-watch-progress-notify-interval': undefined,
  'feature-gates': undefined,
  'listen-metrics-urls': undefined,
  'watch-progress-notify-interval': undefined,
};

export function extraArgsOf({ etcd, etcdPeer, controllerManager }: Ports, switches: Switches): ExtraArgs {
  const off = [
    ...(switches.bootstrapSigner === false ? ['bootstrapsigner'] : []),
    ...(switches.tokenCleaner === false ? ['tokencleaner'] : []),
    ...(switches.csrApprover === false ? ['csrapproving'] : []),
    ...(switches.csrSigner === false ? ['csrsigning'] : []),
  ];
  return {
    etcd: {
      ...NOT_FOR_EVERY_ETCD,
      'advertise-client-urls': url(etcd),
      'initial-advertise-peer-urls': url(etcdPeer),
      'initial-cluster': `joinproof=${url(etcdPeer)}`,
      'listen-client-urls': url(etcd),
      'listen-peer-urls': url(etcdPeer),
      name: 'joinproof',
      // The data is thrown away at the end: no need to wait for the disk.
      'unsafe-no-fsync': 'true',
    },
    'kube-apiserver': {
      'bind-address': '127.0.0.1',
      'etcd-servers': url(etcd),
      ...(switches.bootstrapTokenAuth === false ? { 'enable-bootstrap-token-auth': undefined } : {}),
      ...(switches.anonymousAuth === false ? { 'anonymous-auth': 'false' } : {}),
    },
    'kube-controller-manager': {
      controllers: controllersFlag(off),
      'secure-port': String(controllerManager),
      ...(switches.signingSeconds === undefined ? {} : { 'cluster-signing-duration': `${switches.signingSeconds}s` }),
    },
  };
}

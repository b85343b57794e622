/** What kubeadm is told of a control plane on loopback, all of whose files lie in one folder. */
import { join } from 'node:path';
import { type Configuration, configure } from '../../kubeadm/configuration.js';
import { releaseOf } from '../../kubeadm/release.js';
import type { Switches } from '../types.js';

/**
 * An address for documentation (RFC 5737): kube-apiserver and kubeadm refuse to advertise loopback, and nobody dials
 * this one.
 */
const ADVERTISED = '192.0.2.10';

/** `port`: of the API server. `version`: of its program. */
export const configurationOf = (
  folder: string,
  port: number,
  version: string,
  { externalCa = false }: Switches,
): Configuration =>
  configure({
    release: releaseOf(version),
    nodeName: 'joinproof-control-plane',
    advertiseAddress: ADVERTISED,
    bindPort: port,
    controlPlaneEndpoint: `127.0.0.1:${port}`,
    certSANs: ['127.0.0.1', 'localhost'],
    certificatesDir: join(folder, 'pki'),
    kubernetesDir: folder,
    etcdDataDir: join(folder, 'etcd'),
    externalCa,
  });

/**
 * Lets what runs on the machine dial loopback: kubeadm writes the advertised address into its kubeconfigs, which nobody
 * answers here.
 */
export const onLoopback = (kubeconfig: string, { advertiseAddress, bindPort }: Configuration): string =>
  kubeconfig.replaceAll(`${advertiseAddress}:${bindPort}`, `127.0.0.1:${bindPort}`);

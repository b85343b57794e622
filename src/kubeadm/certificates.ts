/**
 * The certificates of a control plane, one row each. Extensions and key usages are alike in all and stand where they
 * are made.
 * Source: cmd/kubeadm/app/phases/certs/certlist.go, util/pkiutil/pki_helpers.go.
 */
import { isIP } from 'node:net';
import { GROUP_CLUSTER_ADMINS, GROUP_MASTERS } from '../kubernetes/names.js';
import type { ExtendedKeyUsage } from '../pki/oids.js';
import { apiServiceAddress, type Configuration } from './configuration.js';
import type { ByRelease } from './release.js';

/**
 * The authorities: the file's name below the folder of certificates, without ending, and the name under which they are
 * held.
 */
export const AUTHORITIES = [
  { file: 'ca', part: 'ca', commonName: 'kubernetes' },
  { file: 'front-proxy-ca', part: 'frontProxyCa', commonName: 'front-proxy-ca' },
  { file: 'etcd/ca', part: 'etcdCa', commonName: 'etcd-ca' },
] as const;
export type AuthorityPart = (typeof AUTHORITIES)[number]['part'];

/** Names and addresses of a certificate. */
export interface AltNames {
  readonly dns: readonly string[];
  readonly ip: readonly string[];
}

export interface CertificateRow {
  readonly parent: AuthorityPart;
  /** undefined: the node's name. */
  readonly commonName?: string;
  readonly organizations?: ByRelease<readonly string[]>;
  readonly usages: readonly ExtendedKeyUsage[];
  readonly altNames?: (configuration: Configuration) => AltNames;
}

/**
 * Since when the API server's client certificate for kubelets names no group, and a binding stands for it.
 * Source: changelogs of the releases named.
 */
export const KUBELET_CLIENT_BOUND = { since: 36, patch: 1, backports: { 35: 5, 34: 8, 33: 12 } };

/**
 * Names and addresses told apart; names sorted, each once.
 * Source: pki_helpers.go appendSANsToAltNames, RemoveDuplicateAltNames.
 */
const altNames = (hosts: readonly string[]): AltNames => {
  const all = [...new Set(hosts)];
  return { dns: all.filter((host) => isIP(host) === 0).sort(), ip: all.filter((host) => isIP(host) !== 0) };
};

/** Host of "host:port". */
const hostOf = (endpoint: string): string => endpoint.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

/** Source: pki_helpers.go GetAPIServerAltNames. */
const apiServerNames = (configuration: Configuration): AltNames => {
  const { nodeName, dnsDomain, advertiseAddress, controlPlaneEndpoint, certSANs } = configuration;
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  return altNames([
    nodeName,
    ...service,
    `kubernetes.default.svc.${dnsDomain}`,
    apiServiceAddress(configuration),
    advertiseAddress,
    ...(controlPlaneEndpoint === undefined ? [] : [hostOf(controlPlaneEndpoint)]),
    ...certSANs,
  ]);
};

/** Source: pki_helpers.go GetEtcdAltNames, GetEtcdPeerAltNames. */
const etcdNames =
  (further: 'etcdServerSANs' | 'etcdPeerSANs') =>
  (configuration: Configuration): AltNames => {
    const { nodeName, advertiseAddress } = configuration;
    return altNames([nodeName, 'localhost', advertiseAddress, '127.0.0.1', '::1', ...configuration[further]]);
  };

/** The release notes of 1.29 name the group that took the place of system:masters. */
const KUBELET_CLIENT_GROUPS: ByRelease<readonly string[]> = [
  [KUBELET_CLIENT_BOUND, []],
  [{ since: 29 }, [GROUP_CLUSTER_ADMINS]],
  [{}, [GROUP_MASTERS]],
];

/** By the file's name below the folder of certificates, without ending. */
export const CERTIFICATES = {
  apiserver: { parent: 'ca', commonName: 'kube-apiserver', usages: ['serverAuth'], altNames: apiServerNames },
  'apiserver-kubelet-client': {
    parent: 'ca',
    commonName: 'kube-apiserver-kubelet-client',
    organizations: KUBELET_CLIENT_GROUPS,
    usages: ['clientAuth'],
  },
  'front-proxy-client': { parent: 'frontProxyCa', commonName: 'front-proxy-client', usages: ['clientAuth'] },
  'etcd/server': {
    parent: 'etcdCa',
    usages: ['serverAuth', 'clientAuth'],
    altNames: etcdNames('etcdServerSANs'),
  },
  'etcd/peer': { parent: 'etcdCa', usages: ['serverAuth', 'clientAuth'], altNames: etcdNames('etcdPeerSANs') },
  'etcd/healthcheck-client': { parent: 'etcdCa', commonName: 'kube-etcd-healthcheck-client', usages: ['clientAuth'] },
  'apiserver-etcd-client': { parent: 'etcdCa', commonName: 'kube-apiserver-etcd-client', usages: ['clientAuth'] },
} as const satisfies Readonly<Record<string, CertificateRow>>;
export type CertificateFile = keyof typeof CERTIFICATES;

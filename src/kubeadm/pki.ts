/** The keys and certificates of a control plane as kubeadm makes them. Source: cmd/kubeadm/app/phases/certs/certlist.go, util/pkiutil/pki_helpers.go. */
import { isIP } from 'node:net';
import {
  type Authority,
  authorityFromPem,
  type Credential,
  createAuthority,
  issueCredential,
} from '../pki/authority.js';
import {
  generateKeyAsync,
  type KeyAlgorithm,
  type KeyObject,
  parsePrivateKey,
  privateKeyPem,
  publicKeyPem,
} from '../pki/keys.js';
import { API_SERVICE_IP, CLUSTER_DOMAIN, type InitFacts } from './facts.js';

export interface ClusterPki {
  readonly ca: Authority;
  readonly frontProxyCa: Authority;
  readonly etcdCa: Authority;
  /** Signs tokens of service accounts. */
  readonly serviceAccountKey: KeyObject;
}

/** What kubeadm keeps below /etc/kubernetes/pki and shares with other control planes: file name → PEM. */
export type PkiFiles = Readonly<Record<string, string>>;

const AUTHORITIES = { ca: 'kubernetes', 'front-proxy-ca': 'front-proxy-ca', 'etcd/ca': 'etcd-ca' } as const;

/** @param now milliseconds since the epoch */
export async function createPki(algorithm: InitFacts['keyAlgorithm'], now: number): Promise<ClusterPki> {
  const [ca, frontProxyCa, etcdCa, serviceAccountKey] = await Promise.all(
    [0, 1, 2, 3].map(() => generateKeyAsync(algorithm)),
  );
  const authority = (commonName: string, key: KeyObject | undefined): Authority =>
    createAuthority({ commonName, key: key ?? algorithm, now });
  return {
    ca: authority(AUTHORITIES.ca, ca),
    frontProxyCa: authority(AUTHORITIES['front-proxy-ca'], frontProxyCa),
    etcdCa: authority(AUTHORITIES['etcd/ca'], etcdCa),
    serviceAccountKey: serviceAccountKey as KeyObject,
  };
}

const pair = (name: string, authority: Authority): PkiFiles => ({
  [`${name}.crt`]: authority.certificate.pem,
  [`${name}.key`]: privateKeyPem(authority.key),
});

export const pkiFiles = (pki: ClusterPki): PkiFiles => ({
  ...pair('ca', pki.ca),
  ...pair('etcd/ca', pki.etcdCa),
  ...pair('front-proxy-ca', pki.frontProxyCa),
  'sa.key': privateKeyPem(pki.serviceAccountKey),
  'sa.pub': publicKeyPem(pki.serviceAccountKey),
});

/** Reads what `pkiFiles` gave; undefined where something is missing or does not fit together. */
export function readPki(files: PkiFiles): ClusterPki | undefined {
  const authority = (name: string): Authority | undefined =>
    authorityFromPem(files[`${name}.crt`] ?? '', files[`${name}.key`] ?? '');
  const ca = authority('ca');
  const frontProxyCa = authority('front-proxy-ca');
  const etcdCa = authority('etcd/ca');
  const serviceAccountKey = parsePrivateKey(files['sa.key'] ?? '');
  if (ca === undefined || frontProxyCa === undefined || etcdCa === undefined || serviceAccountKey === undefined)
    return undefined;
  return { ca, frontProxyCa, etcdCa, serviceAccountKey };
}

/** The API server's serving certificate: kubeadm's names, and every host at which the reference may be asked. DNS names sorted, each once. */
export function issueServing(
  pki: ClusterPki,
  input: {
    readonly nodeName: string;
    readonly hosts: readonly string[];
    readonly key: KeyAlgorithm | KeyObject;
    readonly now: number;
  },
): Credential {
  const hosts = [...new Set([API_SERVICE_IP, ...input.hosts, '127.0.0.1', '::1'])];
  const service = [
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    `kubernetes.default.svc.${CLUSTER_DOMAIN}`,
  ];
  const names = [
    ...new Set([input.nodeName, ...service, 'localhost', ...hosts.filter((host) => isIP(host) === 0)]),
  ].sort();
  return issueCredential(pki.ca, {
    subject: { commonName: 'kube-apiserver' },
    key: input.key,
    now: input.now,
    extendedKeyUsage: ['serverAuth'],
    altNames: { dns: names, ip: hosts.filter((host) => isIP(host) !== 0) },
  });
}

/** The client certificate of a kubeconfig; begins when its CA begins. Source: phases/kubeconfig/kubeconfig.go newClientCertConfigFromKubeConfigSpec. */
export const issueClient = (
  pki: ClusterPki,
  input: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly key: KeyAlgorithm | KeyObject;
    readonly now: number;
  },
): Credential =>
  issueCredential(pki.ca, {
    subject: {
      commonName: input.commonName,
      ...(input.organizations.length === 0 ? {} : { organizations: input.organizations }),
    },
    key: input.key,
    now: input.now,
    notBefore: pki.ca.facts.notBefore,
    extendedKeyUsage: ['clientAuth'],
  });

/** The files of `kubeadm init phase certs` and `kubeconfig`, for folders without kubeadm. Source: cmd/kubeadm/app/phases/certs/certlist.go. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Authority, createAuthority, issueCredential } from '../../pki/authority.js';
import { generateKey, generateKeyAsync, privateKeyPem, publicKeyPem } from '../../pki/keys.js';
import type { ExtendedKeyUsage } from '../../pki/oids.js';
import { ADVERTISED, NODE_NAME } from './flags.js';

/** kubeadm's default, for what clients see: the cluster's authority and the serving certificate. The rest is P-256, which costs no time. */
const SEEN = 'RSA-2048';
const UNSEEN = 'ECDSA-P256';

interface Leaf {
  readonly file: string;
  readonly ca: 'ca' | 'front-proxy-ca' | 'etcd/ca';
  readonly commonName: string;
  readonly organization?: string;
  readonly usages: readonly ExtendedKeyUsage[];
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
}

const ETCD_NAMES = { dns: [NODE_NAME, 'localhost'].sort(), ip: [ADVERTISED, '127.0.0.1', '::1'] } as const;
const LEAVES: readonly Leaf[] = [
  {
    file: 'apiserver',
    ca: 'ca',
    commonName: 'kube-apiserver',
    usages: ['serverAuth'],
    dns: [
      NODE_NAME,
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
      'localhost',
    ].sort(),
    ip: ['10.96.0.1', ADVERTISED, '127.0.0.1'],
  },
  { file: 'apiserver-kubelet-client', ca: 'ca', commonName: 'kube-apiserver-kubelet-client', usages: ['clientAuth'] },
  { file: 'front-proxy-client', ca: 'front-proxy-ca', commonName: 'front-proxy-client', usages: ['clientAuth'] },
  { file: 'etcd/server', ca: 'etcd/ca', commonName: NODE_NAME, usages: ['serverAuth', 'clientAuth'], ...ETCD_NAMES },
  { file: 'etcd/peer', ca: 'etcd/ca', commonName: NODE_NAME, usages: ['serverAuth', 'clientAuth'], ...ETCD_NAMES },
  { file: 'apiserver-etcd-client', ca: 'etcd/ca', commonName: 'kube-apiserver-etcd-client', usages: ['clientAuth'] },
];
const USERS = [
  { file: 'admin', commonName: 'kubernetes-admin', organization: 'kubeadm:cluster-admins' },
  { file: 'super-admin', commonName: 'kubernetes-super-admin', organization: 'system:masters' },
  { file: 'controller-manager', commonName: 'system:kube-controller-manager' },
] as const;

/** Writes pki/ and the three kubeconfigs into the folder. Keys 0600. */
export async function writeCertificates(folder: string, server: string): Promise<void> {
  const now = Date.now();
  const pki = join(folder, 'pki');
  await mkdir(join(pki, 'etcd'), { recursive: true, mode: 0o700 });
  const [caKey, servingKey] = await Promise.all([generateKeyAsync(SEEN), generateKeyAsync(SEEN)]);
  const authorities = {
    ca: createAuthority({ commonName: 'kubernetes', key: caKey, now }),
    'front-proxy-ca': createAuthority({ commonName: 'front-proxy-ca', key: UNSEEN, now }),
    'etcd/ca': createAuthority({ commonName: 'etcd-ca', key: UNSEEN, now }),
  } satisfies Record<Leaf['ca'], Authority>;
  const files = new Map<string, string>();
  for (const [name, authority] of Object.entries(authorities)) {
    files.set(join(pki, `${name}.crt`), authority.certificate.pem);
    files.set(join(pki, `${name}.key`), privateKeyPem(authority.key));
  }
  for (const leaf of LEAVES) {
    const issued = issueCredential(authorities[leaf.ca], {
      subject: { commonName: leaf.commonName },
      extendedKeyUsage: leaf.usages,
      ...(leaf.dns === undefined ? {} : { altNames: { dns: [...leaf.dns], ip: [...(leaf.ip ?? [])] } }),
      key: leaf.file === 'apiserver' ? servingKey : UNSEEN,
      now,
    });
    files.set(join(pki, `${leaf.file}.crt`), issued.certificatePem);
    files.set(join(pki, `${leaf.file}.key`), issued.keyPem);
  }
  const serviceAccounts = generateKey(UNSEEN);
  files.set(join(pki, 'sa.key'), privateKeyPem(serviceAccounts));
  files.set(join(pki, 'sa.pub'), publicKeyPem(serviceAccounts));
  for (const user of USERS) {
    const issued = issueCredential(authorities.ca, {
      subject: {
        commonName: user.commonName,
        ...('organization' in user ? { organizations: [user.organization] } : {}),
      },
      extendedKeyUsage: ['clientAuth'],
      key: UNSEEN,
      now,
    });
    files.set(
      join(folder, `${user.file}.conf`),
      kubeconfig(user.commonName, server, authorities.ca.certificate.pem, issued.certificatePem, issued.keyPem),
    );
  }
  await Promise.all([...files].map(([file, text]) => writeFile(file, text, { mode: 0o600 })));
}

function kubeconfig(user: string, server: string, ca: string, certificate: string, key: string): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const context = `${user}@kubernetes`;
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'kubernetes', cluster: { 'certificate-authority-data': base64(ca), server } }],
    contexts: [{ name: context, context: { cluster: 'kubernetes', user } }],
    'current-context': context,
    users: [{ name: user, user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) } }],
  });
}

/**
 * What lies on a machine before init: the certificates and kubeconfigs of an earlier init, and what has been done to
 * them since. Nothing here is made by the phases that are looked at.
 */
import { GROUP_CLUSTER_ADMINS, GROUP_MASTERS, GROUP_NODES } from '../../kubernetes/names.js';
import { type Authority, CA_VALIDITY, createAuthority, issueCredential } from '../../pki/authority.js';
import { createCertificate, parseCertificate } from '../../pki/certificate.js';
import { privateKeyPem, publicKeyPem } from '../../pki/keys.js';
import type { ExtendedKeyUsage } from '../../pki/oids.js';

/** Texts by their paths. */
export type Texts = Readonly<Record<string, string>>;

export const EARLIER_NODE = 'cp-1';
export const EARLIER_ADDRESS = '192.0.2.10';
const SERVER = `https://${EARLIER_ADDRESS}:6443`;
const HOME = '/etc/kubernetes/';
const DAY = 86_400_000;

interface Leaf {
  readonly authority: string;
  readonly commonName: string;
  readonly organization?: string;
  readonly usages: readonly ExtendedKeyUsage[];
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
}

const AUTHORITIES: Readonly<Record<string, string>> = {
  'pki/ca': 'kubernetes',
  'pki/front-proxy-ca': 'front-proxy-ca',
  'pki/etcd/ca': 'etcd-ca',
};
const ETCD = { authority: 'pki/etcd/ca', commonName: EARLIER_NODE, usages: ['serverAuth', 'clientAuth'] } as const;
const ETCD_NAMES = { dns: [EARLIER_NODE, 'localhost'], ip: [EARLIER_ADDRESS, '127.0.0.1', '::1'] };
const LEAFS: Readonly<Record<string, Leaf>> = {
  'pki/apiserver': {
    authority: 'pki/ca',
    commonName: 'kube-apiserver',
    usages: ['serverAuth'],
    dns: [
      EARLIER_NODE,
      ...['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
    ],
    ip: ['10.96.0.1', EARLIER_ADDRESS],
  },
  'pki/apiserver-kubelet-client': {
    authority: 'pki/ca',
    commonName: 'kube-apiserver-kubelet-client',
    organization: GROUP_CLUSTER_ADMINS,
    usages: ['clientAuth'],
  },
  'pki/front-proxy-client': {
    authority: 'pki/front-proxy-ca',
    commonName: 'front-proxy-client',
    usages: ['clientAuth'],
  },
  'pki/etcd/server': { ...ETCD, ...ETCD_NAMES },
  'pki/etcd/peer': { ...ETCD, ...ETCD_NAMES },
  'pki/etcd/healthcheck-client': { ...ETCD, commonName: 'kube-etcd-healthcheck-client', usages: ['clientAuth'] },
  'pki/apiserver-etcd-client': { ...ETCD, commonName: 'kube-apiserver-etcd-client', usages: ['clientAuth'] },
};
const USERS: Readonly<Record<string, readonly [commonName: string, organization?: string]>> = {
  admin: ['kubernetes-admin', GROUP_CLUSTER_ADMINS],
  'super-admin': ['kubernetes-super-admin', GROUP_MASTERS],
  kubelet: [`system:node:${EARLIER_NODE}`, GROUP_NODES],
  'controller-manager': ['system:kube-controller-manager'],
  scheduler: ['system:kube-scheduler'],
};

/** A cluster that was set up once. */
interface Earlier {
  readonly now: number;
  readonly authorities: ReadonlyMap<string, Authority>;
  readonly texts: Texts;
}

const named = (commonName: string, organization?: string) => ({
  commonName,
  ...(organization === undefined ? {} : { organizations: [organization] }),
});

/** JSON is YAML. */
function kubeconfig(authority: Authority, name: string, now: number): string {
  const [commonName, organization] = USERS[name] ?? [name];
  const made = issueCredential(authority, {
    subject: named(commonName, organization),
    key: 'ECDSA-P256',
    now,
    extendedKeyUsage: ['clientAuth'],
  });
  const encoded = (pem: string): string => Buffer.from(pem).toString('base64');
  const cluster = { server: SERVER, 'certificate-authority-data': encoded(authority.certificate.pem) };
  const user = { 'client-certificate-data': encoded(made.certificatePem), 'client-key-data': encoded(made.keyPem) };
  const context = `${commonName}@kubernetes`;
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'kubernetes', cluster }],
    contexts: [{ name: context, context: { cluster: 'kubernetes', user: commonName } }],
    'current-context': context,
    users: [{ name: commonName, user }],
  });
}

/** A pair like one of those. */
const issueLeaf = (
  { commonName, organization, usages, dns, ip = [] }: Leaf,
  authority: Authority,
  dates: { readonly now: number; readonly notBefore?: number; readonly validity?: number },
) =>
  issueCredential(authority, {
    subject: named(commonName, organization),
    key: 'ECDSA-P256',
    ...dates,
    extendedKeyUsage: usages,
    ...(dns === undefined ? {} : { altNames: { dns, ip } }),
  });

function setUp(): Earlier {
  const now = Date.now();
  const authorities = new Map(
    Object.entries(AUTHORITIES).map(([path, commonName]) => [
      path,
      createAuthority({ commonName, key: 'ECDSA-P256', now }),
    ]),
  );
  const of = (path: string): Authority => authorities.get(path) as Authority;
  const pairs = Object.entries(LEAFS).flatMap(([path, leaf]) => {
    const made = issueLeaf(leaf, of(leaf.authority), { now });
    return [
      [`${path}.crt`, made.certificatePem],
      [`${path}.key`, made.keyPem],
    ];
  });
  const accounts = createAuthority({ commonName: 'accounts', key: 'ECDSA-P256', now }).key;
  return {
    now,
    authorities,
    texts: Object.fromEntries([
      ...[...authorities].flatMap(([path, { certificate, key }]) => [
        [`${path}.crt`, certificate.pem],
        [`${path}.key`, privateKeyPem(key)],
      ]),
      ...pairs,
      ['pki/sa.key', privateKeyPem(accounts)],
      ['pki/sa.pub', publicKeyPem(accounts)],
      ...Object.keys(USERS).map((name) => [`${name}.conf`, kubeconfig(of('pki/ca'), name, now)]),
    ]),
  };
}

/** Set up when it is first asked for. */
function remembered(): () => Earlier {
  let made: Earlier | undefined;
  return () => {
    made ??= setUp();
    return made;
  };
}
const earlier = remembered();
const another = remembered();

/** The files of an earlier init whose names below /etc/kubernetes begin so: "pki/ca." has both halves of a pair. */
export const leftBehind = (...beginnings: readonly string[]): Texts =>
  Object.fromEntries(
    Object.entries(earlier().texts)
      .filter(([path]) => beginnings.some((beginning) => path.startsWith(beginning)))
      .map(([path, text]) => [`${HOME}${path}`, text]),
  );

/** "pki/ca" of its certificate. */
const pairOf = (path: string): string => path.replace(/\.crt$/, '');

/** The certificate of a pair once more, of the same key, with other dates or none of an authority. */
function certificateAnew(pair: string, notBefore: number, notAfter: number, ca: boolean): string {
  const { authorities } = earlier();
  const authority = authorities.get(pair);
  if (authority !== undefined)
    return createCertificate({
      subject: { commonName: AUTHORITIES[pair] ?? '' },
      publicKey: authority.key,
      signingKey: authority.key,
      notBefore,
      notAfter,
      keyUsage: ['digitalSignature', 'keyEncipherment', 'keyCertSign'],
      basicConstraints: { ca },
    }).pem;
  const leaf = LEAFS[pair];
  const signer = authorities.get(leaf?.authority ?? '');
  if (leaf === undefined || signer === undefined) return '';
  return issueLeaf(leaf, signer, { now: notBefore, notBefore, validity: notAfter - notBefore }).certificatePem;
}

/** What may have been done to a file, or to the certificate of a pair: its new text; undefined: it is gone. */
const DEEDS: Readonly<Record<string, (path: string, text: string) => string | undefined>> = {
  'is gone': () => undefined,
  'is garbage': () => 'garbage\n',
  "is another cluster's": (path) => another().texts[path],
  'has expired': (path) => {
    const { now } = earlier();
    return certificateAnew(pairOf(path), now - 400 * DAY, now - 35 * DAY, true);
  },
  'is not valid yet': (path) => {
    const { now } = earlier();
    return certificateAnew(pairOf(path), now + DAY, now + CA_VALIDITY, true);
  },
  'is no authority': (path) => {
    const { now } = earlier();
    return certificateAnew(pairOf(path), now - DAY, now + CA_VALIDITY, false);
  },
  'is signed through another': (path) => {
    const { now, authorities } = earlier();
    const pair = pairOf(path);
    const leaf = LEAFS[pair];
    const signer = authorities.get(leaf?.authority ?? '');
    if (leaf === undefined || signer === undefined) return '';
    const between = issueCredential(signer, {
      subject: named('between'),
      key: 'ECDSA-P256',
      now,
      ca: true,
      keyUsage: ['digitalSignature', 'keyCertSign'],
    });
    const { certificate, key } = between;
    const authority = { certificate, key, facts: parseCertificate(certificate.der) };
    return issueLeaf(leaf, authority, { now }).certificatePem + between.certificatePem;
  },
  'has another behind it': (path, text) => text + (another().texts[path] ?? ''),
  'has its authority in a file': (_, text) =>
    text.replace(/"certificate-authority-data":"[^"]*"/, `"certificate-authority":"${HOME}pki/ca.crt"`),
  'asks another server': (_, text) => text.replaceAll(SERVER, 'https://192.0.2.77:6443'),
  'has no cluster': (_, text) => text.replace(/"cluster":"[^"]*"/, '"cluster":"none"'),
  'has no authority': (_, text) =>
    text.replace(/"certificate-authority-data":"[^"]*"/, '"insecure-skip-tls-verify":false'),
  'has no context': (_, text) => text.replace(/"current-context":"[^"]*"/, '"current-context":"none"'),
};

/** What is done to a file below /etc/kubernetes; undefined: nobody can do that. */
export function doneTo(texts: Texts, path: string, deed: string): Texts | undefined {
  const act = DEEDS[deed];
  const at = `${HOME}${path}`;
  if (act === undefined || texts[at] === undefined) return undefined;
  const text = act(path, texts[at]);
  const { [at]: _before, ...kept } = texts;
  return text === undefined ? kept : { ...kept, [at]: text };
}

/**
 * Makes the keys, certificates and kubeconfigs of a control plane by the tables.
 * Source: cmd/kubeadm/app/util/pkiutil/pki_helpers.go.
 */
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
import {
  type AltNames,
  AUTHORITIES,
  type AuthorityPart,
  CERTIFICATES,
  type CertificateFile,
  type CertificateRow,
} from './certificates.js';
import type { Configuration } from './configuration.js';
import { controlPlaneKubeconfig, KUBECONFIGS, type KubeconfigFile, type KubeconfigRow } from './kubeconfig.js';
import { atRelease, inRelease } from './release.js';

export interface ClusterPki extends Readonly<Record<AuthorityPart, Authority>> {
  /** Signs tokens of service accounts. */
  readonly serviceAccountKey: KeyObject;
}

/** Files below a folder: path within it → text. */
export type PkiFiles = Readonly<Record<string, string>>;

const HOUR = 3_600_000;

const validity = (hours: number | undefined): { readonly validity?: number } =>
  hours === undefined ? {} : { validity: hours * HOUR };

/** An authority of the table. `now` in milliseconds since the epoch. */
export function issueAuthority(part: AuthorityPart, key: KeyObject, now: number, hours?: number): Authority {
  const commonName = AUTHORITIES.find((row) => row.part === part)?.commonName ?? part;
  return createAuthority({ commonName, key, now, ...validity(hours) });
}

/** New authorities and a new key for service accounts. `now` in milliseconds since the epoch. */
export async function createPki(
  algorithmOf: (part: keyof ClusterPki) => KeyAlgorithm,
  now: number,
  caCertificateHours?: number,
): Promise<ClusterPki> {
  const made = async (row: (typeof AUTHORITIES)[number]): Promise<Authority> =>
    issueAuthority(row.part, await generateKeyAsync(algorithmOf(row.part)), now, caCertificateHours);
  const [ca, frontProxyCa, etcdCa] = AUTHORITIES;
  const [serviceAccountKey, ...authorities] = await Promise.all([
    generateKeyAsync(algorithmOf('serviceAccountKey')),
    made(ca),
    made(frontProxyCa),
    made(etcdCa),
  ]);
  return { ca: authorities[0], frontProxyCa: authorities[1], etcdCa: authorities[2], serviceAccountKey };
}

/** What kubeadm keeps below its folder of certificates and shares with other control planes. */
export const pkiFiles = (pki: ClusterPki): PkiFiles => ({
  ...Object.fromEntries(
    AUTHORITIES.flatMap(({ file, part }) => [
      [`${file}.crt`, pki[part].certificate.pem],
      [`${file}.key`, privateKeyPem(pki[part].key)],
    ]),
  ),
  'sa.key': privateKeyPem(pki.serviceAccountKey),
  'sa.pub': publicKeyPem(pki.serviceAccountKey),
});

/** Reads what `pkiFiles` gave; undefined where something is missing or does not fit together. */
export function readPki(files: PkiFiles): ClusterPki | undefined {
  const [ca, frontProxyCa, etcdCa] = AUTHORITIES.map(({ file }) =>
    authorityFromPem(files[`${file}.crt`] ?? '', files[`${file}.key`] ?? ''),
  );
  const serviceAccountKey = parsePrivateKey(files['sa.key'] ?? '');
  if (ca === undefined || frontProxyCa === undefined || etcdCa === undefined || serviceAccountKey === undefined)
    return undefined;
  return { ca, frontProxyCa, etcdCa, serviceAccountKey };
}

/** What a certificate is made with. `now` in milliseconds since the epoch. */
export interface Making {
  readonly configuration: Configuration;
  readonly key: KeyAlgorithm | KeyObject;
  readonly now: number;
  /** Which of the names and addresses of the table it is for. Default: all. */
  readonly isNamed?: (host: string) => boolean;
}

/** A certificate of the table, by its authority. */
export const issueCertificate = (pki: ClusterPki, file: CertificateFile, making: Making): Credential =>
  issueBy(pki[CERTIFICATES[file].parent], file, making);

const thoseNamed = ({ dns, ip }: AltNames, isNamed: (host: string) => boolean): AltNames => ({
  dns: dns.filter(isNamed),
  ip: ip.filter(isNamed),
});

/** The same, by an authority that stands alone. */
export function issueBy(authority: Authority, file: CertificateFile, making: Making): Credential {
  const { configuration, key, now, isNamed = () => true } = making;
  const row: CertificateRow = CERTIFICATES[file];
  const organizations = atRelease(configuration.release, row.organizations ?? []) ?? [];
  return issueCredential(authority, {
    subject: {
      commonName: row.commonName ?? configuration.nodeName,
      ...(organizations.length === 0 ? {} : { organizations }),
    },
    key,
    now,
    ...validity(configuration.certificateHours),
    extendedKeyUsage: row.usages,
    ...(row.altNames === undefined ? {} : { altNames: thoseNamed(row.altNames(configuration), isNamed) }),
  });
}

/**
 * A kubeconfig of the table, with a client certificate that begins when the authority's begins. `organizations`: others
 * than the table's.
 * Source: phases/kubeconfig/kubeconfig.go newClientCertConfigFromKubeConfigSpec.
 */
export function issueKubeconfig(
  pki: Pick<ClusterPki, 'ca'>,
  file: KubeconfigFile,
  { configuration, key, now, organizations: others }: Making & { readonly organizations?: readonly string[] },
): Credential & { readonly text: string } {
  const row: KubeconfigRow = KUBECONFIGS[file];
  const organizations = others ?? atRelease(configuration.release, row.organizations ?? []) ?? [];
  const made = issueCredential(pki.ca, {
    subject: {
      commonName: row.commonName(configuration),
      ...(organizations.length === 0 ? {} : { organizations }),
    },
    key,
    now,
    ...validity(configuration.certificateHours),
    notBefore: pki.ca.facts.notBefore,
    extendedKeyUsage: ['clientAuth'],
  });
  return { ...made, text: controlPlaneKubeconfig(row, configuration, { ...made, caPem: pki.ca.certificate.pem }) };
}

const namesOf = <K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] => Object.keys(table) as K[];

/** What has a key of its own, by its name in the tables. */
export type KeyOwner = AuthorityPart | 'serviceAccountKey' | CertificateFile | KubeconfigFile;

/**
 * Everything that the phases certs and kubeconfig write: certificates and keys below "pki/", kubeconfigs beside it.
 * `algorithmOf`: of each key; default, as kubeadm does it, the configuration's for all. `now` in milliseconds since the
 * epoch.
 */
export async function controlPlaneFiles(
  configuration: Configuration,
  now: number,
  algorithmOf: (owner: KeyOwner) => KeyAlgorithm = () => configuration.keyAlgorithm,
): Promise<PkiFiles> {
  const pki = createPki(algorithmOf, now, configuration.caCertificateHours);
  const certificates = namesOf(CERTIFICATES).map(async (file) => {
    const key = await generateKeyAsync(algorithmOf(file));
    const { certificatePem, keyPem } = issueCertificate(await pki, file, { configuration, key, now });
    return [
      [`pki/${file}.crt`, certificatePem],
      [`pki/${file}.key`, keyPem],
    ];
  });
  const kubeconfigs = namesOf(KUBECONFIGS).map(async (file) => {
    const { span = {} }: KubeconfigRow = KUBECONFIGS[file];
    if (!inRelease(configuration.release, span)) return [];
    const key = await generateKeyAsync(algorithmOf(file));
    return [[`${file}.conf`, issueKubeconfig(await pki, file, { configuration, key, now }).text]];
  });
  const shared = pki.then((made) => Object.entries(pkiFiles(made)).map(([name, text]) => [`pki/${name}`, text]));
  return Object.fromEntries((await Promise.all([shared, ...certificates, ...kubeconfigs])).flat());
}

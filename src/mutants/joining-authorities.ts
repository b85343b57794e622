/** Authorities that a joining client has on its disk, and what it issues by them. */
import type { Files } from '../joining/ports.js';
import { type Authority, createAuthority, issueCredential } from '../pki/authority.js';
import { parseCertificate } from '../pki/certificate.js';
import { generateKey, parsePrivateKey } from '../pki/keys.js';
import { certificatesOfPem } from '../pki/pem.js';
import { onWrite } from './joining-hooks.js';

const PKI = '/etc/kubernetes/pki';

/** One that no cluster shares. */
export const stranger = (): Authority =>
  createAuthority({ commonName: 'kubernetes', key: generateKey('ECDSA-P256'), now: Date.now() });

/** "ca", "etcd/ca"; undefined: it is not there with its key. */
export function authorityOn(files: Files, name: string): Authority | undefined {
  const [pem = '', keyPem = ''] = [files.read(`${PKI}/${name}.crt`), files.read(`${PKI}/${name}.key`)];
  const [der] = certificatesOfPem(pem);
  const key = parsePrivateKey(keyPem);
  return der === undefined || key === undefined
    ? undefined
    : { certificate: { der, pem }, facts: parseCertificate(der), key };
}

/** Of the machine, and of the Service of the API server. */
const ADDRESSES = ['192.0.2.20', '10.96.0.1', '127.0.0.1'];

export interface Issued {
  /** Below the folder of certificates, without its ending. */
  readonly file: string;
  readonly commonName: string;
  readonly groups?: readonly string[];
  readonly usages: readonly string[];
  /** Hosts that it is for; default: none. */
  readonly names?: readonly string[];
  /** Default: a year. */
  readonly days?: number;
  /** Default: one of P-256. */
  readonly key?: 'ECDSA-P256' | 'RSA-1024';
  readonly isAuthority?: true;
}

/** Writes another certificate with its key in the place of its own, by this authority. */
export const issuedBy =
  (
    authority: (files: Files) => Authority | undefined,
    { file, commonName, groups = [], usages, names, days, key = 'ECDSA-P256', isAuthority }: Issued,
  ) =>
  (disk: Files): Files => {
    let made: ReturnType<typeof issueCredential> | undefined;
    return onWrite((files, path, text, mode) => {
      const [isCertificate, isKey] = ['crt', 'key'].map((end) => path === `${PKI}/${file}.${end}`);
      const issuer = isCertificate || isKey ? authority(files) : undefined;
      if (issuer === undefined) return files.write(path, text, mode);
      made ??= issueCredential(issuer, {
        subject: { commonName, ...(groups.length === 0 ? {} : { organizations: groups }) },
        extendedKeyUsage: usages,
        key,
        ...(isAuthority === true ? { ca: true } : {}),
        now: Date.now(),
        ...(names === undefined ? {} : { altNames: { dns: names, ip: ADDRESSES } }),
        ...(days === undefined ? {} : { validity: days * 86_400_000 }),
      });
      files.write(path, isKey ? made.keyPem : made.certificatePem, mode);
    })(disk);
  };

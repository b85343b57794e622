/**
 * Certificates that control planes share, in Secret kubeadm-certs. Source: phases/copycerts/copycerts.go, util/crypto.
 */
import { createDecipheriv } from 'node:crypto';

/** A file that is shared: its name in the Secret follows from `name`. */
export interface SharedFile {
  /** "etcd/ca.crt" */
  readonly name: string;
  readonly path: string;
}

/** Files of an etcd that is not kubeadm's own. */
export interface EtcdFiles {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const NONCE = 12;
const TAG = 16;
const KEY = 32;
const OWN = ['ca.crt', 'ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key', 'sa.pub', 'sa.key'];

/** Why a value cannot be decrypted. */
export type Decrypted = { readonly plain: Buffer } | { readonly problem: string };

export const sharedCertificateDecisions = {
  /** What is shared, below the folder of certificates. Source: certsToTransfer. */
  sharedFiles: (folder: string, external: EtcdFiles | undefined): readonly SharedFile[] => [
    ...OWN.map((name) => ({ name, path: `${folder}/${name}` })),
    ...(external === undefined
      ? ['etcd/ca.crt', 'etcd/ca.key'].map((name) => ({ name, path: `${folder}/${name}` }))
      : [
          { name: 'external-etcd-ca.crt', path: external.caFile },
          { name: 'external-etcd.crt', path: external.certFile },
          { name: 'external-etcd.key', path: external.keyFile },
        ]),
  ],

  /** The key in the Secret. Source: certOrKeyNameToSecretName. */
  secretKey: (name: string): string => name.replaceAll('/', '-'),

  /** A value back: 12 bytes of nonce, the ciphertext, 16 bytes of tag. Source: util/crypto DecryptBytes. */
  decrypt: (value: Buffer, key: Buffer): Decrypted => {
    if (value.length < NONCE) return { problem: 'size of data is less than the nonce' };
    const failed = { problem: 'cipher: message authentication failed' };
    if (value.length < NONCE + TAG) return failed;
    if (key.length !== KEY) return { problem: `crypto/aes: invalid key size ${key.length}` };
    const cipher = createDecipheriv('aes-256-gcm', key, value.subarray(0, NONCE), { authTagLength: TAG });
    cipher.setAuthTag(value.subarray(-TAG));
    try {
      return { plain: Buffer.concat([cipher.update(value.subarray(NONCE, -TAG)), cipher.final()]) };
    } catch {
      return failed;
    }
  },

  /** Whether everything is decrypted before the first file is written. Source: getDataFromSecret. */
  decryptsFirst: (): boolean => true,

  /** Whether an entry without a value is passed over: nothing was there to be shared. */
  skipsEntry: (value: Buffer): boolean => value.length === 0,

  /** Whether an entry may be missing. */
  mayBeMissing: (_name: string): boolean => false,

  /** Whether an authority signs, by whether its key is that of its certificate. Source: crypto/x509 CreateCertificate. */
  signsBy: (fits: boolean): boolean => fits,

  /** A new certificate key, 64 hex digits. Source: CreateCertificateKey. */
  newCertificateKey: (random: (length: number) => Buffer): string => random(32).toString('hex'),

  /** The certificate key of an upload, by the one that it was told; '' is none. Source: runUploadCerts. */
  uploadKey: (told: string | undefined, fresh: () => string): string =>
    told === undefined || told === '' ? fresh() : told,

  /** Whether anything is uploaded, by whether that was asked for, and whether quietly. */
  uploads: (asked: boolean, _quiet: boolean): boolean => asked,

  /** Whether authorities whose keys lie elsewhere end an upload. Source: newInitData. */
  refusesExternalCa: (): boolean => true,

  /** Whether the certificate key is said. */
  saysCertificateKey: (quiet: boolean): boolean => !quiet,

  /** Whether a file that cannot be read ends an upload; else it counts as one that is not there. */
  demandsReadable: (): boolean => true,

  /** What init says that authorities are pinned by. Source: cmd/kubeadm/app/cmd/util/join.go getJoinCommand. */
  pinsToSay: (pins: readonly string[]): readonly string[] => pins,
};

/**
 * Certificates that a cluster shows, as facts: authorities of its objects, and what its API server presents. Read by
 * the readers of the disk, so that both can be compared.
 */

import { createPublicKey } from 'node:crypto';
import { record, records, text } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import { pinOf } from '../certificates/signature.js';
import { certificatesIn, isSignedBy, tryCertificate } from '../certificates/x509.js';
import { digestOf } from './node-reader.js';
import type { CertificateSeen } from './node-seen.js';

/** The certificates of one place of the cluster. */
export interface CertificatesSeen {
  /** "ConfigMap kube-public/cluster-info" */
  readonly subject: string;
  readonly certificates: readonly CertificateSeen[];
  /** Why they cannot be read; '' where they can. */
  readonly unreadable: string;
}

/** `signers`: DER of those who may have signed them. */
export function certificatesSeen(subject: string, pem: string, signers: readonly Buffer[] = []): CertificatesSeen {
  const certificates: CertificateSeen[] = [];
  for (const der of certificatesIn(pem)) {
    const facts = tryCertificate(der);
    if ('unreadable' in facts) return { subject, certificates: [], unreadable: facts.unreadable };
    const signedBy = signers.filter((signer) => isSignedBy(der, signer)).map(digestOf);
    certificates.push({ digest: digestOf(der), facts, signedBy });
  }
  return { subject, certificates, unreadable: certificates.length === 0 ? 'it holds no certificate' : '' };
}

/** Whether something before the API server presents them: none is signed by an authority of the cluster, which shows some. */
export const isBehind = ({ certificates }: CertificatesSeen, ofCluster: readonly string[]): boolean =>
  ofCluster.length > 0 && !certificates.some(({ signedBy }) => signedBy.some((digest) => ofCluster.includes(digest)));

/** What cluster-info says; '' for what it does not say. */
export interface Published {
  readonly server: string;
  /** PEM. */
  readonly authorities: string;
}

/** `kubeconfig`: what cluster-info publishes. */
export function publishedIn(kubeconfig: string): Published {
  let read: unknown;
  try {
    read = parseYaml(kubeconfig, { uniqueKeys: false, maxAliasCount: 100 });
  } catch {
    return { server: '', authorities: '' };
  }
  const [one] = records(record(read).clusters);
  const { server, 'certificate-authority-data': data } = record(one?.cluster);
  return { server: text(server), authorities: Buffer.from(text(data), 'base64').toString('latin1') };
}

/** How /openid/v1/jwks is asked: it answers in nothing else. */
export const JWKS = { accept: 'application/jwk-set+json, application/json' };

/** Pins of the keys that /openid/v1/jwks shows. Those that cannot be read are left out. */
export const pinsOfJwks = (body: unknown): readonly string[] =>
  records(record(body).keys).flatMap((jwk) => {
    try {
      return [pinOf(createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' }))];
    } catch {
      return [];
    }
  });

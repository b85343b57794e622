/**
 * Certificates and keys that are on the disk already, as kubeadm loads and judges them.
 * Source: cmd/kubeadm/app/util/pkiutil/pki_helpers.go, phases/certs/certs.go.
 */
import type { Authority } from '../../pki/authority.js';
import { type CertificateFacts, isSignedBy, parseCertificate } from '../../pki/certificate.js';
import { type KeyObject, parsePrivateKey, spkiOf } from '../../pki/keys.js';
import { certificatesOfPem, encodePem } from '../../pki/pem.js';
import { InitFailed, type InitRun } from './host.js';

/** A certificate, and those that stand behind it in its file. */
export interface Loaded {
  readonly facts: CertificateFacts;
  readonly others: readonly CertificateFacts[];
}

const pathOf = ({ configuration }: InitRun, name: string): string => `${configuration.certificatesDir}/${name}`;

/** Throws InitFailed where there is no file, or none of certificates. */
export function loadCertificate(run: InitRun, name: string): Loaded {
  const path = pathOf(run, `${name}.crt`);
  const failed = (why: string): InitFailed => new InitFailed(`couldn't load the certificate file ${path}: ${why}`);
  const pem = run.files.read(path);
  if (pem === undefined) throw failed(`open ${path}: no such file or directory`);
  try {
    const [facts, ...others] = certificatesOfPem(pem).map(parseCertificate);
    if (facts !== undefined) return { facts, others };
    throw failed(`error reading ${path}: data does not contain any valid RSA or ECDSA certificates`);
  } catch (error) {
    if (error instanceof InitFailed) throw error;
    throw failed(`error reading ${path}: ${error instanceof Error ? error.message : error}`);
  }
}

/** An authority that can sign. Throws InitFailed. Source: LoadCertificateAuthority, x509.CreateCertificate. */
export function loadAuthority(run: InitRun, name: string): Authority {
  const context = `failure loading ${name} certificate authority`;
  const loaded = inContext(context, () => loadCertificate(run, name));
  const key = inContext(context, () => loadKey(run, name));
  checkPeriod(run, name, loaded);
  const { facts } = loaded;
  if (facts.basicConstraints?.ca !== true) throw new InitFailed(`${name} certificate is not a certificate authority`);
  if (!spkiOf(key).equals(facts.spki))
    throw new InitFailed("x509: provided PrivateKey doesn't match parent's PublicKey");
  return { certificate: { der: facts.der, pem: encodePem('CERTIFICATE', facts.der) }, facts, key };
}

/** undefined where `loadCertificate` would throw. */
export function certificateIfSound(run: InitRun, name: string): Loaded | undefined {
  try {
    return loadCertificate(run, name);
  } catch (error) {
    if (error instanceof InitFailed) return undefined;
    throw error;
  }
}

/** Throws InitFailed. */
export function loadKey(run: InitRun, name: string): KeyObject {
  const path = pathOf(run, `${name}.key`);
  const failed = (why: string): InitFailed => new InitFailed(`couldn't load the private key file ${path}: ${why}`);
  const pem = run.files.read(path);
  if (pem === undefined)
    throw failed(`error reading private key file ${path}: open ${path}: no such file or directory`);
  const key = parsePrivateKey(pem);
  if (key === undefined)
    throw failed(`error reading private key file ${path}: data does not contain a valid RSA or ECDSA private key`);
  return key;
}

/** Runs what may throw InitFailed; its words get others before them. */
export function inContext<T>(context: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof InitFailed) throw new InitFailed(`${context}: ${error.message}`);
    throw error;
  }
}

const instant = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** As Go writes a time. */
const shown = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;

/** What Go says of dates that do not hold now; undefined where they do. */
function datesProblem({ notBefore, notAfter }: CertificateFacts, now: number): string | undefined {
  const said = 'x509: certificate has expired or is not yet valid: current time';
  if (now < notBefore) return `${said} ${instant(now)} is before ${instant(notBefore)}`;
  return now > notAfter ? `${said} ${instant(now)} is after ${instant(notAfter)}` : undefined;
}

/** Warns of a certificate that is not valid now. Source: CheckCertificatePeriodValidity. */
export function checkPeriod({ warn, now }: InitRun, name: string, { facts }: Loaded): void {
  const { notBefore, notAfter } = facts;
  if (now >= notBefore && now <= notAfter) return;
  const why = now < notBefore ? 'the certificate is not valid yet' : 'the certificate has expired';
  const dates = `NotBefore: ${shown(notBefore)}, NotAfter: ${shown(notAfter)}`;
  warn(`WARNING: could not validate bounds for certificate ${name}: ${why}: ${dates}`);
}

/** Why a certificate does not lead to an authority; undefined where it does. Source: VerifyCertChain. */
export function chainProblem({ now }: InitRun, leaf: Loaded, authority: Loaded): string | undefined {
  const outdated = datesProblem(leaf.facts, now);
  if (outdated !== undefined) return outdated;
  const seen = new Set<CertificateFacts>();
  const leads = (from: CertificateFacts): boolean => {
    if (isSignedBy(from, authority.facts)) return true;
    return leaf.others.some((one) => {
      if (seen.has(one) || !isSignedBy(from, one)) return false;
      seen.add(one);
      return leads(one);
    });
  };
  if (!leaf.facts.der.equals(authority.facts.der) && !leads(leaf.facts))
    return 'x509: certificate signed by unknown authority';
  return datesProblem(authority.facts, now);
}

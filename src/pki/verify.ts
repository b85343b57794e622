/**
 * Whether a serving certificate is to be believed, as Go judges it.
 * Source: Go crypto/x509, verify.go Certificate.Verify, VerifyHostname.
 */
import type { CertificateProblem } from '../kubernetes/wire.js';
import { type CertificateFacts, isSignedBy } from './certificate.js';
import { ipBytes, ipText } from './ip.js';

/** Whom a client believes, for which host, at which instant (milliseconds since the epoch). */
export interface Expected {
  readonly roots: readonly CertificateFacts[];
  /** Name or address, as the client asked for it. */
  readonly host: string;
  readonly now: number;
}

const outside = ({ notBefore, notAfter }: CertificateFacts, now: number): boolean => now < notBefore || now > notAfter;
const dates = ({ notBefore, notAfter }: CertificateFacts): CertificateProblem => ({
  kind: 'dates',
  notBefore,
  notAfter,
});

/** Whether a DNS name of a certificate stands for a host; its first label may be "*". */
function fits(pattern: string, host: string): boolean {
  const [first, ...rest] = pattern.toLowerCase().split('.');
  const [own, ...others] = host.toLowerCase().replace(/\.$/, '').split('.');
  return rest.join('.') === others.join('.') && (first === '*' || first === own);
}

function nameProblem({ altNames }: CertificateFacts, host: string): CertificateProblem | undefined {
  const { dns, ip } = altNames;
  const address = ipBytes(host.replace(/^\[(.*)\]$/, '$1'));
  const names = address === undefined ? dns : ip;
  const isNamed =
    address === undefined ? dns.some((name) => fits(name, host)) : ip.some((one) => one === ipText(address));
  return isNamed ? undefined : { kind: 'name', host, names };
}

/** Why the certificate is not believed; undefined where it is. It is signed by one of the roots, nothing in between. */
export function serverProblem(leaf: CertificateFacts, expected: Expected): CertificateProblem | undefined {
  const { roots, host, now } = expected;
  if (outside(leaf, now)) return dates(leaf);
  const named = nameProblem(leaf, host);
  if (named !== undefined) return named;
  const issuers = roots.filter((root) => root.subject.der.equals(leaf.issuer.der) && isSignedBy(leaf, root));
  const [ended] = issuers;
  if (ended === undefined) return { kind: 'authority' };
  if (issuers.every((issuer) => outside(issuer, now))) return dates(ended);
  const usages = leaf.extendedKeyUsage ?? [];
  return usages.length === 0 || usages.includes('serverAuth') || usages.includes('any') ? undefined : { kind: 'usage' };
}

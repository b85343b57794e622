/**
 * Client certificates: the chain to a CA as Go verifies it, at the time of the reference's clock, and the identity of
 * the leaf.
 * Source: Go, crypto/x509/verify.go; apiserver, pkg/authentication/request/x509/x509.go.
 */
import { createHash } from 'node:crypto';
import { createMemory } from '../../kubernetes/remembered.js';
import { type CertificateFacts, isSignedBy, parseCertificate } from '../../pki/certificate.js';
import { ATTRIBUTE } from '../../pki/oids.js';
import type { CertificateIdentity } from '../decisions/client-certificates.js';
import type { Decisions } from '../decisions.js';

/** A presented chain, read once: what does not depend on time. */
interface ReadChain {
  readonly leaf: CertificateFacts;
  readonly sha256: string;
  /** Every chain from the leaf to a root that the signatures allow, leaf first. */
  readonly paths: readonly (readonly CertificateFacts[])[];
}

/** A verified leaf, or why it was not verified (for the log only). */
type Verified =
  | { readonly identity: CertificateIdentity; readonly leaf: CertificateFacts }
  | { readonly error: string };

export interface CertificateVerifier {
  /** `certificates` as the client sent them (DER), leaf first, at least one. `now` in milliseconds. */
  verify(certificates: readonly Buffer[], now: number): Verified;
}

/** Chains that are remembered at once. */
const REMEMBERED = 500;

/** Signatures that are checked for one leaf, however many certificates come with it. Source: maxChainSignatureChecks. */
const MOST_CHECKS = 100;

interface Certificates {
  readonly intermediates: readonly CertificateFacts[];
  readonly roots: readonly CertificateFacts[];
}

function pathsToRoots(
  leaf: CertificateFacts,
  { intermediates, roots }: Certificates,
  decisions: Decisions,
): CertificateFacts[][] {
  if (roots.some((root) => root.der.equals(leaf.der))) return [[leaf]];
  const paths: CertificateFacts[][] = [];
  let checks = 0;
  const signs = (parent: CertificateFacts, child: CertificateFacts): boolean => {
    if (!child.issuer.der.equals(parent.subject.der)) return false;
    checks += 1;
    return checks <= MOST_CHECKS && isSignedBy(child, parent);
  };
  const climb = (path: CertificateFacts[]): void => {
    const top = path[path.length - 1];
    if (top === undefined || path.length >= decisions.longestChain()) return;
    for (const root of roots)
      if (decisions.mayIssue(root, path.length - 1, true) && signs(root, top)) paths.push([...path, root]);
    for (const parent of intermediates) {
      if (!path.includes(parent) && decisions.mayIssue(parent, path.length - 1, false) && signs(parent, top))
        climb([...path, parent]);
    }
  };
  climb([leaf]);
  return paths;
}

export function createCertificateVerifier(cas: readonly Buffer[], decisions: Decisions): CertificateVerifier {
  const roots = cas.map(parseCertificate);
  const read = createMemory<string, ReadChain | { readonly error: string }>(REMEMBERED);
  /** What the requests of one connection present is one and the same list. */
  const presented = new WeakMap<readonly Buffer[], ReadChain | { readonly error: string }>();

  const readChain = (certificates: readonly Buffer[]): ReadChain | { readonly error: string } => {
    let chain = presented.get(certificates);
    if (chain === undefined) {
      chain = readAnew(certificates);
      presented.set(certificates, chain);
    }
    return chain;
  };

  const readAnew = (certificates: readonly Buffer[]): ReadChain | { readonly error: string } => {
    const [first = Buffer.alloc(0), ...rest] = certificates;
    const sha256 = createHash('sha256').update(first).digest('hex');
    const key =
      rest.length === 0
        ? sha256
        : [sha256, ...rest.map((one) => createHash('sha256').update(one).digest('hex'))].join();
    const known = read.get(key);
    if (known !== undefined) return known;
    let chain: ReadChain | { readonly error: string };
    try {
      const leaf = parseCertificate(first);
      chain = {
        leaf,
        sha256,
        paths: pathsToRoots(leaf, { intermediates: rest.map(parseCertificate), roots }, decisions),
      };
    } catch (error) {
      chain = { error: error instanceof Error ? error.message : String(error) };
    }
    read.set(key, chain);
    return chain;
  };

  return {
    verify(certificates, now) {
      const chain = readChain(certificates);
      if ('error' in chain) return chain;
      const { leaf, sha256, paths } = chain;
      const failed = (why: string): Verified => ({
        error: `verifying certificate SN=${BigInt(`0x${leaf.serial}`)} failed: x509: ${why}`,
      });
      if (!decisions.chainIsTrusted(paths.length)) return failed('certificate signed by unknown authority');
      if (leaf.extensions.some(({ critical, oid }) => critical && !decisions.extensionIsHandled(oid)))
        return failed('unhandled critical extension');
      const current = (paths.length === 0 ? [[leaf]] : paths).filter((path) =>
        decisions.chainIsCurrent(path, (one) => decisions.certificateIsCurrent(one.notBefore, one.notAfter, now)),
      );
      if (current.length === 0) return failed('certificate has expired or is not yet valid');
      const mayLogIn = (one: CertificateFacts): boolean => decisions.certificateMayLogIn(one.extendedKeyUsage);
      if (!current.some((path) => decisions.chainMayLogIn(path, mayLogIn))) {
        return failed('certificate specifies an incompatible key usage');
      }
      const uids = leaf.subject.rdns
        .flat()
        .flatMap((attribute) => (attribute.oid === ATTRIBUTE.kubernetesUid ? [attribute.value] : []));
      return { leaf, identity: { commonName: leaf.commonName, organizations: leaf.organizations, uids, sha256 } };
    },
  };
}

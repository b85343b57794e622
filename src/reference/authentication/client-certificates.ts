/** Login by client certificate. Source: apiserver, pkg/authentication/request/x509/x509.go. */
import type { Decisions } from '../decisions.js';
import type { CertificateVerifier } from './certificate-verifier.js';
import { type AskRequest, NO_OPINION } from './opinion.js';

/** `minor` of the version played. */
export const byCertificate =
  (verifier: CertificateVerifier, decisions: Decisions, minor: number): AskRequest =>
  ({ credentials: { certificates }, now }) => {
    if (certificates.length === 0) return NO_OPINION;
    const verified = verifier.verify(certificates, now);
    if ('error' in verified) return { errors: [verified.error] };
    const user = decisions.certificateUser(verified.identity, minor);
    if (user === 'no-opinion') return NO_OPINION;
    return 'error' in user ? { errors: [user.error] } : { user, via: 'certificate' };
  };

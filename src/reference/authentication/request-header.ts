/** Login by a trusted proxy's headers. Source: apiserver, pkg/authentication/request/headerrequest/requestheader.go. */
import type { Decisions } from '../decisions.js';
import { createCertificateVerifier } from './certificate-verifier.js';
import { type AskRequest, NO_OPINION } from './opinion.js';

/** Whose clients may speak for others: CAs (DER) and common names. */
export interface TrustedProxies {
  readonly cas: readonly Buffer[];
  readonly allowedNames: readonly string[];
}

/** `proxies` undefined: no proxy is trusted. */
export function byRequestHeader(
  proxies: TrustedProxies | undefined,
  ownAudiences: readonly string[],
  decisions: Decisions,
): AskRequest {
  if (proxies === undefined) return () => NO_OPINION;
  const verifier = createCertificateVerifier(proxies.cas, decisions);
  return ({ credentials: { certificates, headers }, now }) => {
    if (certificates.length === 0) {
      const claimed = decisions.proxyNeedsCertificate() ? undefined : decisions.proxiedUser(headers);
      return claimed === undefined ? NO_OPINION : { user: claimed, via: 'request-header', audiences: ownAudiences };
    }
    const verified = verifier.verify(certificates, now);
    if ('error' in verified) return { errors: [verified.error] };
    const { commonName } = verified.identity;
    if (!decisions.proxyIsAllowed(commonName, proxies.allowedNames))
      return { errors: [`x509: subject with cn=${commonName} is not in the allowed list`] };
    const user = decisions.proxiedUser(headers);
    return user === undefined ? NO_OPINION : { user, via: 'request-header', audiences: ownAudiences };
  };
}

/**
 * Login by a trusted proxy's headers. Source: apiserver, pkg/authentication/request/headerrequest/requestheader.go,
 * pkg/server/options/authentication.go.
 */

import type { AuthenticationFlags, RequestHeaderFlags } from '../../kubernetes/authentication-flags.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import { certificatesOfPem } from '../../pki/pem.js';
import type { ProxyHeaders } from '../decisions/authentication.js';
import type { Decisions } from '../decisions.js';
import { CannotStart } from '../host-addresses.js';
import { createCertificateVerifier } from './certificate-verifier.js';
import { type AskRequest, NO_OPINION } from './opinion.js';

/** Whose clients may speak for others: CAs (DER) and common names; and in which headers. */
export interface TrustedProxies {
  readonly cas: readonly Buffer[];
  readonly allowedNames: readonly string[];
  readonly headers: ProxyHeaders;
}

/** Gate RemoteRequestHeaderUID. */
const UID_HEADERS: Span = { since: 33 };
/** As kubeadm writes them. Source: kubeadm, phases/controlplane/manifests.go. */
const DEFAULTS = {
  allowedNames: ['front-proxy-client'],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: [],
  groupHeaders: ['X-Remote-Group'],
  extraHeadersPrefix: ['X-Remote-Extra-'],
} as const satisfies RequestHeaderFlags;

/** DER of each certificate of a PEM bundle; undefined where the flag is not given. Throws CannotStart for none. */
export function certificatesIn(text: string | undefined, flag: string): readonly Buffer[] | undefined {
  if (text === undefined) return undefined;
  const found = certificatesOfPem(text);
  if (found.length > 0) return found;
  throw new CannotStart(`${flag} holds no certificate as PEM. Give a file with at least one CERTIFICATE block.`);
}

/** What the flags come to; undefined: no proxy is trusted. Throws CannotStart for flags that upstream refuses. */
export function trustedProxies(
  cas: { readonly client: string | undefined; readonly proxies: string | undefined },
  { requestHeader = {} }: AuthenticationFlags,
  minor: number,
): TrustedProxies | undefined {
  const bundle = certificatesIn(cas.proxies, '--requestheader-client-ca-file');
  if (requestHeader === false || bundle === undefined) return undefined;
  const { allowedNames, usernameHeaders, uidHeaders, groupHeaders, extraHeadersPrefix } = {
    ...DEFAULTS,
    ...requestHeader,
  };
  const named = { 'allowed-names': allowedNames, 'username-headers': usernameHeaders, 'uid-headers': uidHeaders };
  const more = { 'group-headers': groupHeaders, 'extra-headers-prefix': extraHeadersPrefix };
  for (const [flag, values] of Object.entries({ ...named, ...more }))
    if (values.some((value) => value.trim() === ''))
      throw new CannotStart(`--requestheader-${flag} has an empty value. Leave it out, or give a name.`);
  if (uidHeaders.length > 0 && !inSpan(minor, UID_HEADERS))
    throw new CannotStart(
      `--requestheader-uid-headers is read since 1.${UID_HEADERS.since}. Leave it out, or play a newer version.`,
    );
  if (uidHeaders.length > 0 && !uidHeaders.some((name) => name.toLowerCase() === 'x-remote-uid'))
    throw new CannotStart('--requestheader-uid-headers must have X-Remote-Uid among its names. Add it.');
  const clients = certificatesIn(cas.client, '--client-ca-file') ?? [];
  if (allowedNames.length === 0 && bundle.some((one) => clients.some((other) => other.equals(one))))
    throw new CannotStart(
      '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates, so every client could ' +
        'speak for everybody. Give --requestheader-allowed-names, or another CA.',
    );
  const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());
  return {
    cas: bundle,
    allowedNames,
    headers: {
      user: lower(usernameHeaders),
      uid: lower(uidHeaders),
      group: lower(groupHeaders),
      extra: lower(extraHeadersPrefix),
    },
  };
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
    const spokenFor = () => {
      const user = decisions.proxiedUser(headers, proxies.headers);
      return user === undefined ? NO_OPINION : { user, via: 'request-header' as const, audiences: ownAudiences };
    };
    if (certificates.length === 0) return decisions.proxyNeedsCertificate() ? NO_OPINION : spokenFor();
    const verified = verifier.verify(certificates, now);
    if ('error' in verified) return { errors: [verified.error] };
    const { commonName } = verified.identity;
    return decisions.proxyIsAllowed(commonName, proxies.allowedNames)
      ? spokenFor()
      : { errors: [`x509: subject with cn=${commonName} is not in the allowed list`] };
  };
}

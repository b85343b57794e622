/** Login by a trusted proxy's headers. Source: apiserver, pkg/authentication/request/headerrequest/requestheader.go; names as kubeadm configures them. */

import type { Credentials } from '../../apiserver/types.js';
import type { UserInfo } from '../../kubernetes/objects.js';
import type { CertificateVerifier } from './client-certificates.js';

const USER = 'x-remote-user';
const GROUP = 'x-remote-group';
const EXTRA = 'x-remote-extra-';

/** url.PathUnescape; text that does not decode is taken as it is. */
export function unescapeKey(key: string): string {
  if (!/^(?:[^%]|%[0-9a-fA-F]{2})*$/.test(key)) return key;
  return Buffer.from(
    key.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
}

/** Values of headers are bytes (latin1), as Node hands them over. */
export const utf8 = (value: string): string => Buffer.from(value, 'latin1').toString('utf8');

/** The user that the proxy speaks for; undefined: no opinion. */
export function authenticateByHeaders(
  { certificates, headers }: Credentials,
  verifier: CertificateVerifier,
  allowedNames: readonly string[],
  now: number,
): UserInfo | { readonly error: string } | undefined {
  if (certificates.length === 0) return undefined;
  const verified = verifier.verify(certificates, now);
  if ('error' in verified) return verified;
  const { commonName } = verified.identity;
  if (allowedNames.length > 0 && !allowedNames.includes(commonName))
    return { error: `x509: subject with cn=${commonName} is not in the allowed list` };
  const name = headers[USER]?.[0] ?? '';
  if (name === '') return undefined;
  const extra: Record<string, string[]> = {};
  for (const [header, values] of Object.entries(headers)) {
    if (header.startsWith(EXTRA)) extra[unescapeKey(header.slice(EXTRA.length))] = values.map(utf8);
  }
  return {
    username: utf8(name),
    groups: (headers[GROUP] ?? []).map(utf8),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/**
 * What an API server that stands behind this one is sent of who asks. Source: apiserver, pkg/endpoints/filters
 * authentication.go and impersonation.go; client-go, transport/round_trippers.go SetAuthProxyHeaders.
 */
import type { UserInfo } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import type { ProxyHeaders } from './authentication.js';

type Headers = Readonly<Record<string, readonly string[]>>;

/** Before, nobody had heard of a UID in a header, and it went on as any other. */
const UID_IS_KNOWN: Span = { since: 32 };
/** Gate RemoteRequestHeaderUID. */
const UID_IS_TOLD: Span = { since: 33 };
/** Bytes of a name of a header that stand for themselves; the others are escaped. */
const PLAIN = /^[A-Za-z0-9!#$&'*+\-.^_`|~]$/;

/** The UTF-8 of a text, byte by byte, as Node writes headers. */
const bytes = (text: string): string => Buffer.from(text).toString('latin1');

const escaped = (key: string): string =>
  [...bytes(key)]
    .map((byte) => (PLAIN.test(byte) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`))
    .join('');

export const aggregationDecisions = {
  /** Headers of front proxies that nobody is sent, whatever the flags say. Source: authentication.go. */
  standardProxyHeaders: (minor: number): ProxyHeaders => ({
    user: ['x-remote-user'],
    uid: inSpan(minor, UID_IS_KNOWN) ? ['x-remote-uid'] : [],
    group: ['x-remote-group'],
    extra: ['x-remote-extra-'],
  }),

  /** What is left of the headers of who acts as somebody else. Source: impersonation.go. */
  headersAfterImpersonation: (headers: Headers): Headers =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('impersonate-'))),

  /** Headers by which an extension API server is told who asks. Source: round_trippers.go SetAuthProxyHeaders. */
  headersOfUser: ({ username, uid = '', groups, extra = {} }: UserInfo, minor: number): Headers => ({
    'x-remote-user': [bytes(username)],
    ...(uid === '' || !inSpan(minor, UID_IS_TOLD) ? {} : { 'x-remote-uid': [bytes(uid)] }),
    ...(groups.length === 0 ? {} : { 'x-remote-group': groups.map(bytes) }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`x-remote-extra-${escaped(key)}`, values.map(bytes)]),
    ),
  }),
};

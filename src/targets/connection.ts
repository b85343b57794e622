/**
 * How a cluster is reached and with which credential: what a kubeconfig, a service account or a control plane of ours
 * comes down to.
 */

import type { Handle } from './in-process.js';

/** PEM; several certificates may follow one another. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** What one request of a credential carries. */
export interface Carried {
  /** Authorization header. */
  readonly authorization?: string;
  readonly certificate?: ClientCertificate;
  /** Impersonation headers. */
  readonly headers?: readonly (readonly [string, string])[];
  /** Values to be redacted everywhere. */
  readonly secrets?: readonly string[];
}

export interface Credential {
  /** Asked before every request; cheap where nothing has changed. Throws ConfigurationError. */
  current(signal: AbortSignal): Promise<Carried>;
  /** The server answered 401: forgets what is cached. True where another try may fare better. */
  refused(): boolean;
}

export interface Connection {
  /** Base URL without a slash at its end; may have a path of its own (proxies of management platforms do). */
  readonly server: string;
  /** For people, no secret in it: "https://10.0.0.1:6443 (context a@b)". */
  readonly name: string;
  readonly caPem?: string;
  /** tls-server-name */
  readonly serverName?: string;
  readonly insecure: boolean;
  /** http:// or https://, may hold a user and password. */
  readonly proxyUrl?: string;
  readonly credential: Credential;
  /** The server is in this process: what answers there. */
  readonly handle?: Handle;
}

/** A bearer token that never changes. */
export const bearerCredential = (token: string): Credential =>
  fixedCredential({ authorization: `Bearer ${token}`, secrets: [token] });

/** A credential that never changes. */
export const fixedCredential = (carried: Carried): Credential => ({
  current: async () => carried,
  refused: () => false,
});

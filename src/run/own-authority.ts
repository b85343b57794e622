/** Authorities of joinproof's own, whose certificates an API server of ours is told to believe. */
import { createAuthority, issue } from '../pki/authority.js';
import { generateKey, privateKeyPem } from '../pki/keys.js';
import type { Pair } from './making.js';

const MINUTES = 60_000;
/** When a certificate is good, by what is said of it; milliseconds from now. */
const TIMES = {
  current: [-5 * MINUTES, 60 * MINUTES],
  expired: [-120 * MINUTES, -5 * MINUTES],
  early: [10 * MINUTES, 60 * MINUTES],
} as const;

export interface LeafWanted {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly time?: keyof typeof TIMES;
  /** Default: clients. */
  readonly usage?: 'clientAuth' | 'serverAuth';
  /** Names of a server. */
  readonly dns?: readonly string[];
}

export interface OwnAuthority {
  readonly pem: string;
  /** A certificate and its key, which is a secret. */
  pair(wanted: LeafWanted): Pair;
}

export function ownAuthority(commonName: string): OwnAuthority {
  const authority = createAuthority({ commonName, key: 'ECDSA-P256', now: Date.now() - 180 * MINUTES });
  return {
    pem: authority.certificate.pem,
    pair({ time = 'current', usage = 'clientAuth', dns, ...subject }) {
      const key = generateKey('ECDSA-P256');
      const [from, to] = TIMES[time];
      const now = Date.now();
      const { pem } = issue(authority, {
        subject,
        publicKey: key,
        notBefore: now + from,
        notAfter: now + to,
        extendedKeyUsage: [usage],
        ...(dns === undefined ? {} : { altNames: { dns } }),
      });
      return { certificate: pem, key: privateKeyPem(key) };
    },
  };
}

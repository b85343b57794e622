/** Certificates that somebody makes who has no business to: of a good pair, what a thief or its own node makes of it. */
import { authorityFromPem, createAuthority, issue } from '../pki/authority.js';
import { createCertificate, randomSerial } from '../pki/certificate.js';
import { generateKey, type KeyObject, parsePrivateKey, privateKeyPem } from '../pki/keys.js';
import { certificatesOfPem, encodePem } from '../pki/pem.js';
import type { Pair } from './making.js';

/** A good certificate, its key, and the common name in it. */
export interface Good extends Pair {
  readonly commonName: string;
  /** The time of the cluster, milliseconds since the epoch. */
  readonly now: number;
}

const NODES = ['system:nodes'];
const MASTERS = { commonName: 'kubernetes-admin', organizations: ['system:masters'] };
const HOUR = 3_600_000;

const derOf = ({ certificate }: Pair): Buffer => Buffer.from(certificatesOfPem(certificate)[0] ?? '');
const keyOf = ({ key }: Pair): KeyObject => {
  const parsed = parsePrivateKey(key);
  if (parsed === undefined) throw new Error('the key of a good certificate cannot be read');
  return parsed;
};
/**
 * With itself as what comes along: to a lone one OpenSSL would look for issuers among the CAs that the client trusts,
 * and leave an error behind, of a signature that does not fit, by which another connection of this process ends.
 */
const changed = (der: Buffer): string => encodePem('CERTIFICATE', der).repeat(2);
const life = ({ now }: Good) => ({
  notBefore: now - HOUR,
  notAfter: now + HOUR,
  extendedKeyUsage: ['clientAuth'],
});

/** Under another CA of the name that kubeadm's has. */
function byStranger(good: Good): { readonly leaf: string; readonly authority: string } {
  const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: good.now });
  const subject = { commonName: good.commonName, organizations: NODES };
  const { pem: leaf } = issue(authority, { subject, publicKey: keyOf(good), ...life(good) });
  return { leaf, authority: authority.certificate.pem };
}

/** How certificates are forged, by the words of the features. The key of each is the first one's, or a new one. */
const FORGERIES: Readonly<Record<string, (good: Good) => Pair>> = {
  'whose signature was changed': (good) => {
    const der = derOf(good);
    der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
    return { certificate: changed(der), key: good.key };
  },
  'whose name was changed after it was signed': (good) => {
    const der = derOf(good);
    // the subject stands behind the issuer: the last place of the name is its own
    const end = der.lastIndexOf(good.commonName) + good.commonName.length - 1;
    der.write(der.toString('latin1', end, end + 1) === 'x' ? 'y' : 'x', end, 'latin1');
    return { certificate: changed(der), key: good.key };
  },
  'that is signed by itself': (good) => {
    const key = keyOf(good);
    const subject = { commonName: good.commonName, organizations: NODES };
    const { pem: certificate } = createCertificate({
      subject,
      publicKey: key,
      signingKey: key,
      serial: randomSerial(63),
      keyUsage: ['digitalSignature'],
      ...life(good),
    });
    return { certificate, key: good.key };
  },
  'of another CA that comes along with it': (good) => {
    const { leaf, authority } = byStranger(good);
    return { certificate: leaf + authority, key: good.key };
  },
  'of another CA, before a good one': (good) => ({
    certificate: byStranger(good).leaf + good.certificate,
    key: good.key,
  }),
  'that the node has issued to an administrator with its own': (good) => {
    const authority = authorityFromPem(good.certificate, good.key);
    if (authority === undefined) throw new Error('a good certificate and its key do not fit');
    const key = generateKey('ECDSA-P256');
    const { pem: leaf } = issue(authority, { subject: MASTERS, publicKey: key, ...life(good) });
    return { certificate: leaf + good.certificate, key: privateKeyPem(key) };
  },
};

/** A certificate that is forged as `how` says, with its key; undefined where nobody knows how. */
export const forgedPair = (how: string, good: Good): Pair | undefined => FORGERIES[how]?.(good);

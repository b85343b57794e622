/**
 * The usages of the certificates API and what they become in a certificate. Source:
 * pkg/controller/certificates/authority/policies.go.
 */
import { EXTENDED_KEY_USAGES, type ExtendedKeyUsage, type KeyUsage } from '../../pki/oids.js';

export const KEY_USAGE_OF: Readonly<Record<string, KeyUsage>> = {
  signing: 'digitalSignature',
  'digital signature': 'digitalSignature',
  'content commitment': 'contentCommitment',
  'key encipherment': 'keyEncipherment',
  'key agreement': 'keyAgreement',
  'data encipherment': 'dataEncipherment',
  'cert sign': 'keyCertSign',
  'crl sign': 'cRLSign',
  'encipher only': 'encipherOnly',
  'decipher only': 'decipherOnly',
};
export const EXTENDED_USAGE_OF: Readonly<Record<string, ExtendedKeyUsage>> = {
  any: 'any',
  'server auth': 'serverAuth',
  'client auth': 'clientAuth',
  'code signing': 'codeSigning',
  'email protection': 'emailProtection',
  's/mime': 'emailProtection',
  'ipsec end system': 'ipsecEndSystem',
  'ipsec tunnel': 'ipsecTunnel',
  'ipsec user': 'ipsecUser',
  timestamping: 'timeStamping',
  'ocsp signing': 'ocspSigning',
  'microsoft sgc': 'microsoftSgc',
  'netscape sgc': 'netscapeSgc',
};

/** Every usage that spec.usages may hold, sorted as the API prints them. */
export const API_USAGES: readonly string[] = [...Object.keys(KEY_USAGE_OF), ...Object.keys(EXTENDED_USAGE_OF)].sort();

const isExtendedKeyUsage = (name: string): name is ExtendedKeyUsage => name in EXTENDED_KEY_USAGES;

/** In the order in which Go writes them. */
export const extendedKeyUsages: readonly ExtendedKeyUsage[] =
  Object.keys(EXTENDED_KEY_USAGES).filter(isExtendedKeyUsage);

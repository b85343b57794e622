/** Whether a certificate names the key that has signed it. Source: Go crypto/x509 CreateCertificate; RFC 5280, 4.2.1.1. */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { besidesIn } from '../certificates/certificate-oddities.js';
import { blocksOf } from '../certificates/pem.js';

/** What a certificate names, and what its authorities are called by; hex. Plain JSON. */
export interface KeyNamed {
  readonly subject: string;
  /** null: it names none. */
  readonly names: string | null;
  readonly keys: readonly string[];
}

/** `signers`: certificates (DER) of the authorities that have signed the first of `pem`; none where they name no key of theirs. */
export function readKeyNamed(subject: string, pem: string, signers: readonly Buffer[]): readonly KeyNamed[] {
  const [leaf] = blocksOf(pem).filter(({ label }) => label === 'CERTIFICATE');
  const keys = signers.flatMap((signer) => besidesIn(signer).keyId ?? []);
  return leaf === undefined || keys.length === 0
    ? []
    : [{ subject, names: besidesIn(leaf.bytes).issuersKeyId ?? null, keys }];
}

export const issuedNamesKey: Check<readonly KeyNamed[]> = {
  id: 'issued-key-ids/names-key',
  source: 'pkg/controller/certificates/authority/authority.go Sign; Go crypto/x509 CreateCertificate',
  judge: (all) =>
    all.map(({ subject, names, keys }) =>
      demand({
        subject,
        demanded: 'names the key of its authority by its identifier',
        seen: names ?? 'it names none',
        ok: names !== null && keys.includes(names),
      }),
    ),
};

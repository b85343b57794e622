/**
 * Whether a certificate is what its request asked for, and no more. The API server compares nothing: whoever may sign
 * can put anything into a request's status.
 */
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import type { RequestFacts } from '../certificates/csr.js';
import { namesIn } from '../certificates/extensions.js';
import type { CertificateFacts } from '../certificates/x509.js';

/** A certificate beside its request. Plain JSON. */
export interface Answered {
  /** "CertificateSigningRequest csr-abcde" */
  readonly subject: string;
  readonly asked: RequestFacts | { readonly unreadable: string };
  /** spec.usages */
  readonly usages: readonly string[];
  readonly certificate: CertificateFacts | { readonly unreadable: string };
}

const SOURCE = '004, the certificate of a request; pkg/controller/certificates/authority/{authority,policies}.go';

/** What spec.usages calls bits of KeyUsage. Source: pkg/apis/certificates/v1 KeyUsage. */
const KEY_USAGES: Readonly<Record<string, string>> = {
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

/** What it calls extended usages; dotted identifiers where the reader knows no name. */
const PURPOSES: Readonly<Record<string, string>> = {
  any: 'any',
  'server auth': 'serverAuth',
  'client auth': 'clientAuth',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
const shown = (texts: readonly string[]): string => sorted(texts).join(', ') || 'none';
const called = (usages: readonly string[], names: Readonly<Record<string, string>>): string[] =>
  usages.flatMap((usage) => names[usage] ?? []);

interface Clause {
  readonly demanded: string;
  readonly seen: string;
  readonly ok: boolean;
}

const same = (what: string, asked: readonly string[], given: readonly string[]): Clause => ({
  demanded: `${what}: ${shown(asked)}, as asked for`,
  seen: shown(given),
  ok: sorted(asked).join('\n') === sorted(given).join('\n'),
});

/**
 * What a certificate without the extension is good for. Who asks for no usage of a kind is given none, and with it no
 * extension: that is what he asked for ("usages: [client auth]" alone, as documents ask for a person). Who asks for some
 * and gets no extension has got more (RFC 5280, 4.2.1.3 and 4.2.1.12).
 */
const unbounded = (asked: readonly string[]): readonly string[] =>
  asked.length === 0 ? [] : ['any, as there are none'];

function clauses(asked: RequestFacts, usages: readonly string[], given: CertificateFacts): readonly Clause[] {
  const keyUsage = called(usages, KEY_USAGES);
  const purposes = called(usages, PURPOSES);
  const more = (given.keyUsage ?? []).filter((usage) => !keyUsage.includes(usage));
  const sameKey = asked.pin === given.pin;
  return [
    { demanded: 'is for the key of its request', seen: sameKey ? 'it is' : 'it is for another key', ok: sameKey },
    same('common name', [asked.commonName], [given.commonName]),
    same('organizations', asked.organizations, given.organizations),
    same('extended usages', purposes, given.extendedKeyUsage ?? unbounded(purposes)),
    {
      demanded: `key usages: at most ${shown(keyUsage)}, as asked for`,
      seen: shown(given.keyUsage ?? unbounded(keyUsage)),
      ok: more.length === 0 && (given.keyUsage !== undefined || keyUsage.length === 0),
    },
    same('alternative names', namesIn(asked.altNames), namesIn(given.altNames)),
  ];
}

/** Six findings a certificate; one where either cannot be read. */
export const issuedAsAsked: Check<readonly Answered[]> = {
  id: 'issued-as-asked/belongs',
  source: SOURCE,
  nothing: 'the cluster holds no certificate that was issued for a request',
  judge: (all) =>
    all.flatMap(({ subject, asked, usages, certificate }): readonly Finding[] => {
      const demanded = 'carries a certificate that belongs to its request';
      if ('unreadable' in certificate)
        return [demand({ subject, demanded, seen: `it cannot be read: ${certificate.unreadable}`, ok: false })];
      if ('unreadable' in asked)
        return [demand({ subject, demanded, seen: `its request cannot be read: ${asked.unreadable}`, ok: false })];
      return clauses(asked, usages, certificate).map((clause) => demand({ subject, ...clause }));
    }),
};

/** The built-in signer gives just the key usages that were asked for: with fewer, some keys serve nobody. */
export const issuedUsages: Check<readonly Answered[]> = {
  id: 'issued-as-asked/usages',
  source: 'pkg/controller/certificates/authority/policies.go keyUsagesFromStrings',
  nothing: 'the cluster holds no certificate that was issued for a request',
  judge: (all) =>
    all.flatMap(({ subject, usages, certificate }) =>
      'unreadable' in certificate
        ? []
        : [
            demand({
              subject,
              ...same('key usages', called(usages, KEY_USAGES), certificate.keyUsage ?? []),
            }),
          ],
    ),
};

/**
 * Neither an authority nor fit to sign certificates and revocations. Without a key usage the basic constraints alone
 * decide: what is no authority signs no certificates, and an authority is told by its own demand.
 */
export const issuedToNoAuthority: Check<readonly Answered[]> = {
  id: 'issued-as-asked/no-authority',
  source: `${SOURCE}; RFC 5280, 4.2.1.3 and 4.2.1.9`,
  nothing: 'the cluster holds no certificate that was issued for a request',
  judge: (all) =>
    all.flatMap(({ subject, certificate }) => {
      if ('unreadable' in certificate) return [];
      const signs = (certificate.keyUsage ?? []).filter((usage) => usage === 'keyCertSign' || usage === 'cRLSign');
      return [
        demand({
          subject,
          demanded: 'is no authority (basicConstraints)',
          seen: certificate.ca ? 'CA:TRUE' : 'it is none',
          ok: !certificate.ca,
        }),
        demand({
          subject,
          demanded: 'may sign no certificates (keyUsage)',
          seen: shown(certificate.keyUsage ?? []),
          ok: signs.length === 0,
        }),
      ];
    }),
};

/** Of one authority every certificate has a number of its own. */
export const issuedWithOwnNumbers: Check<readonly Answered[]> = {
  id: 'issued-as-asked/own-numbers',
  source: 'RFC 5280, 4.1.2.2; pkg/controller/certificates/authority/authority.go',
  nothing: 'the cluster holds no certificate that was issued for a request',
  judge: (all) => {
    const owners = new Map<string, string>();
    return all.flatMap(({ subject, certificate }) => {
      if ('unreadable' in certificate) return [];
      const { serial, issuer, pin } = certificate;
      const number = JSON.stringify([serial, issuer.commonName, issuer.organizations]);
      const owner = owners.get(number);
      owners.set(number, owner ?? `${pin} ${subject}`);
      const other = owner === undefined || owner.startsWith(`${pin} `) ? undefined : owner.slice(pin.length + 1);
      return [
        demand({
          subject,
          demanded: 'has a serial number of its own, which is not 0',
          seen: other === undefined ? (serial === '0' ? '0' : 'it has') : `it has the number of ${other}`,
          ok: other === undefined && serial !== '0',
        }),
      ];
    });
  },
};

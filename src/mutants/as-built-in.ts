/** Defects of certificates that are for the right name and key all the same. */
import { der, sequence } from '../pki/der-write.js';
import { ATTRIBUTE, EXTENSION } from '../pki/oids.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const mutants: readonly Mutant[] = [
  decides('serials-of-two-bytes', 'serial numbers have sixteen bits', ['P-335'], {
    certificateSerial: (random) => Buffer.concat([Buffer.from([1]), random(1)]),
  }),
  decides('serials-of-four-bytes', 'serial numbers have thirty-two bits', ['P-335'], {
    certificateSerial: (random) => Buffer.concat([Buffer.from([1]), random(3)]),
  }),
  decides('certificates-begin-now', 'a certificate is not good before it was made', ['P-335'], {
    certificateValidity: (now, ...rest) => ({ ...upstream.certificateValidity(now, ...rest), notBefore: now }),
  }),
  decides('certificates-end-as-they-begin', 'a short certificate is cut by what it begins early', ['P-335'], {
    certificateValidity: (now, lifetime, caNotAfter) => ({
      notBefore: now - 5 * MINUTE,
      notAfter: Math.min(now - 5 * MINUTE + lifetime, caNotAfter),
    }),
  }),
  decides('certificates-end-late', 'a long certificate is not cut by what it begins early', ['P-335'], {
    certificateValidity: (now, lifetime, caNotAfter) => ({
      notBefore: now - 5 * MINUTE,
      notAfter: Math.min(now + lifetime - (lifetime < 8760 * HOUR ? 0 : 5 * MINUTE), caNotAfter),
    }),
  }),
  decides('certificates-as-long-as-asked', 'whoever asks for ten years is given ten years', ['P-335'], {
    grantedLifetime: (seconds, maximum) => Math.max((seconds ?? maximum / 1000) * 1000, 10 * MINUTE),
  }),
  decides('certificates-half-as-long-again', 'whoever asks for less than two years is given them', ['P-335'], {
    grantedLifetime: (seconds, maximum) =>
      seconds !== undefined && seconds * 1000 > 2 * maximum
        ? maximum
        : Math.max((seconds ?? maximum / 1000) * 1000, 10 * MINUTE),
  }),
  decides('certificates-without-units', 'units of a subject are left out', ['P-335'], {
    certificateSubject: (requested) =>
      upstream
        .certificateSubject(requested)
        .filter((part) => part.every(({ oid }) => oid !== ATTRIBUTE.organizationalUnit)),
  }),
  decides('certificates-with-every-attribute', 'a certificate is given an attribute that nobody asked for', ['P-335'], {
    certificateSubject: (requested) => [
      ...upstream.certificateSubject(requested),
      [{ oid: ATTRIBUTE.country, value: 'DE' }],
    ],
  }),
  decides('certificates-with-what-was-asked-for', 'extensions of a request are taken over', ['P-335'], {
    certificateExtensions: ({ extensions }) =>
      extensions.filter(({ oid }) => oid.startsWith('1.3.6.1.4.1') || oid === '2.5.29.31'),
  }),
  decides(
    'certificates-with-one-extension-more',
    'every certificate has an extension that nobody asked for',
    ['P-335'],
    {
      certificateExtensions: () => [{ oid: '1.3.6.1.4.1.57683.98', critical: false, value: Buffer.from([5, 0]) }],
    },
  ),
  decides('certificates-whose-constraints-are-advice', 'that it is no authority is not critical', ['P-335'], {
    certificateIsAuthority: () => 'unsaid',
    certificateExtensions: () => [{ oid: EXTENSION.basicConstraints, critical: false, value: der(sequence()) }],
  }),
  decides('certificates-without-constraints', 'no certificate says that it is no authority', ['P-335'], {
    certificateIsAuthority: () => 'unsaid',
  }),
  decides('certificates-name-no-authority', 'no certificate names the key that has signed it', ['P-335'], {
    certificateNamesAuthority: () => false,
  }),
  decides('eight-hours-are-short', 'a certificate of just eight hours counts as a short one', ['P-335'], {
    certificateValidity: (now, lifetime, caNotAfter) =>
      upstream.certificateValidity(now, lifetime + (lifetime === 8 * HOUR ? 5 * MINUTE : 0), caNotAfter),
  }),
  decides('lifetimes-of-an-hour-at-least', 'who asks for less than an hour is given one', ['P-52'], {
    grantedLifetime: (seconds, maximum) => Math.max(upstream.grantedLifetime(seconds, maximum), HOUR),
  }),
];

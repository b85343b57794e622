/**
 * What the built-in signer makes of a request beyond what is asked of any signer: a number that nobody guesses, a
 * beginning that clocks behind allow, a life to the second, all of the subject, no extension of the request's, and those
 * critical that Go marks so.
 * Source: pkg/controller/certificates/authority/{authority,policies}.go; Go crypto/x509/pkix Name.
 */
import type { Check } from '../../model/check.js';
import { demand, type Look } from '../../model/finding.js';
import type { Issued } from './issued.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** By so much a certificate begins early. */
const BACKDATE = 5 * MINUTE;
/** A shorter life is not cut by what it begins early. */
const SHORT = 8 * HOUR;
/** Attributes of a name that Go keeps: country, province, locality, street, postal code, unit, serial number. */
const KEPT = ['2.5.4.6', '2.5.4.8', '2.5.4.7', '2.5.4.9', '2.5.4.17', '2.5.4.11', '2.5.4.5'];
const CONSTRAINTS = '2.5.29.19';
/** Usages of the key, where there are, and that it is no authority: whoever knows them not refuses the certificate. */
const CRITICAL = ['2.5.29.15', CONSTRAINTS];
/** Usages, constraints, identifiers of keys and alternative names. */
const OWN_EXTENSIONS = ['2.5.29.15', '2.5.29.37', CONSTRAINTS, '2.5.29.35', '2.5.29.14', '2.5.29.17'];
/** A random number of 63 bits or more is as short as that once in two thousand million. */
const SHORTEST_DIGITS = 9;
/** The longest of several is longer. */
const LONGEST_DIGITS = 16;

type Leaf = Exclude<Issued['certificate'], { readonly unreadable: string }>;

const lifeOf = ({ notBefore, notAfter }: Leaf): number => notAfter - notBefore;
const seconds = (milliseconds: number): string => `${Math.round(milliseconds / SECOND)} s`;

/**
 * How long it lives that was asked for. `plain`: one of which no end was asked; where what was asked for would end no
 * earlier, it ends as that does, and as its authority does at the latest.
 */
function lifeLook(asked: number, certificate: Leaf, plain: Leaf): Omit<Look, 'subject'> {
  const wanted = asked < SHORT ? asked + BACKDATE : asked;
  const isCut = wanted >= lifeOf(plain);
  const life = lifeOf(certificate);
  const due = isCut ? lifeOf(plain) : wanted;
  return {
    demanded: `lives ${seconds(due)} from its beginning to its end`,
    seen: seconds(life),
    ok: Math.abs(life - due) <= SECOND || (isCut && Math.abs(certificate.notAfter - plain.notAfter) <= SECOND),
  };
}

const shown = (ids: readonly string[]): string => ids.join(', ') || 'none';

export const issuedAsBuiltIn: Check<readonly Issued[]> = {
  id: 'issued-as-built-in/as-made',
  source: 'pkg/controller/certificates/authority/{authority,policies}.go',
  nothing: 'no certificate was issued',
  judge: (all) => {
    const digits = Math.max(...all.map(({ certificate }) => ('serial' in certificate ? certificate.serial.length : 0)));
    const plain = all.find(({ seconds: asked, certificate }) => asked === null && !('unreadable' in certificate));
    return all.flatMap(({ subject, asked, seconds: wantedLife, created, certificate }) => {
      if ('unreadable' in certificate || 'unreadable' in asked) return [];
      const { serial, notBefore, others = [], ids, critical = [] } = certificate;
      const wanted = (asked.others ?? []).filter((id) => KEPT.includes(id));
      const foreign = ids.filter((id) => !OWN_EXTENSIONS.includes(id));
      const marked = CRITICAL.filter((id) => id === CONSTRAINTS || ids.includes(id));
      const early = Date.parse(created) - notBefore;
      const life =
        wantedLife === null || plain === undefined || 'unreadable' in plain.certificate
          ? []
          : [demand({ subject, ...lifeLook(wantedLife * SECOND, certificate, plain.certificate) })];
      const isLong = serial.length >= SHORTEST_DIGITS && digits >= LONGEST_DIGITS;
      return [
        demand({
          subject,
          demanded: 'has a serial number of more than 60 random bits',
          seen: `${serial.length * 4} bits, ${digits * 4} the longest`,
          ok: isLong,
        }),
        demand({
          subject,
          demanded: 'begins a minute at least before it was asked for',
          seen: `${Math.round(early / MINUTE)} minutes before`,
          ok: Number.isNaN(early) ? undefined : early >= MINUTE,
        }),
        demand({
          subject,
          demanded: `holds of its subject besides: ${shown(wanted)}`,
          seen: shown(others),
          ok: shown(others) === shown(wanted),
        }),
        demand({
          subject,
          demanded: 'has no extension of the request',
          seen: shown(foreign),
          ok: foreign.length === 0,
        }),
        demand({
          subject,
          demanded: `has critical: ${shown(marked)}`,
          seen: shown(critical),
          ok: [...critical].sort().join() === marked.join(),
        }),
        ...life,
      ];
    });
  },
};

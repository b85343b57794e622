/**
 * What the built-in signer makes of a request beyond what is asked of any signer: a number that nobody guesses, a
 * beginning that clocks behind allow, all of the subject, and no extension of the request's.
 * Source: pkg/controller/certificates/authority/{authority,policies}.go; Go crypto/x509/pkix Name.
 */
import type { Check } from '../model/check.js';
import { demand } from '../model/finding.js';
import type { Issued } from './issued.js';

const MINUTE = 60_000;
/** Attributes of a name that Go keeps: country, province, locality, street, postal code, unit, serial number. */
const KEPT = ['2.5.4.6', '2.5.4.8', '2.5.4.7', '2.5.4.9', '2.5.4.17', '2.5.4.11', '2.5.4.5'];
/** Usages, constraints, identifiers of keys and alternative names. */
const OWN_EXTENSIONS = ['2.5.29.15', '2.5.29.37', '2.5.29.19', '2.5.29.35', '2.5.29.14', '2.5.29.17'];
/** A random number of 63 bits or more is as short as that once in two thousand million. */
const SHORTEST_DIGITS = 9;
/** The longest of several is longer. */
const LONGEST_DIGITS = 16;

const shown = (ids: readonly string[]): string => ids.join(', ') || 'none';

export const issuedAsBuiltIn: Check<readonly Issued[]> = {
  id: 'issued-as-built-in/as-made',
  source: 'pkg/controller/certificates/authority/{authority,policies}.go',
  nothing: 'no certificate was issued',
  judge: (all) => {
    const digits = Math.max(...all.map(({ certificate }) => ('serial' in certificate ? certificate.serial.length : 0)));
    return all.flatMap(({ subject, asked, created, certificate }) => {
      if ('unreadable' in certificate || 'unreadable' in asked) return [];
      const { serial, notBefore, others = [], ids } = certificate;
      const wanted = (asked.others ?? []).filter((id) => KEPT.includes(id));
      const foreign = ids.filter((id) => !OWN_EXTENSIONS.includes(id));
      const early = Date.parse(created) - notBefore;
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
      ];
    });
  },
};

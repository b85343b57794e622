/** Defects of a joining client: what it takes for a pin. */
import { createHash } from 'node:crypto';
import type { JoinConfiguration } from '../joining/configuration.js';
import { another, type Decided, decidesJoining, upstream } from './joining-hooks.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

const hash = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** One more text is taken for a pin of the same certificate. */
function alsoPinned(other: (certificate: { readonly spki: Buffer; readonly der: Buffer }) => string): Decided {
  const others = new Map<string, string>();
  return {
    pinOf: (certificate) => {
      const own = upstream.pinOf(certificate);
      others.set(own, other(certificate));
      return own;
    },
    isPinned: (hashes, allowed) =>
      hashes.some((own) => allowed.includes(own) || allowed.includes(others.get(own) ?? '')),
  };
}

const pemOf = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;

const only =
  (choose: (pins: readonly string[]) => readonly string[]) =>
  (configuration: JoinConfiguration): JoinConfiguration => {
    const { bootstrapToken } = configuration.discovery;
    if (bootstrapToken === undefined) return configuration;
    const caCertHashes = choose(bootstrapToken.caCertHashes);
    return {
      ...configuration,
      discovery: { ...configuration.discovery, bootstrapToken: { ...bootstrapToken, caCertHashes } },
    };
  };
/** Digits without what may stand before them. */
const digitsOf = (pin: string): string => pin.slice(pin.lastIndexOf(':') + 1).toLowerCase();
const also256 =
  (read: (pin: string) => string | undefined): NonNullable<Decided['readPin']> =>
  (pin) => {
    const other = read(pin);
    return other === undefined ? upstream.readPin(pin) : { hash: other };
  };

/** A pin without digits pins nothing, and is not missed where no other is there. */
const passedOver: NonNullable<Decided['isPinned']> = (hashes, allowed) => {
  const read = allowed.filter((pin) => pin !== '');
  return read.length === 0 || hashes.some((own) => read.includes(own));
};
/** Pins of this form are not refused. */
const taken = (name: string, what: string, form: RegExp): Mutant =>
  decidesJoining(name, what, ['PIN-008'], {
    readPin: also256((pin) => (form.test(pin) ? digitsOf(pin) : undefined)),
    isPinned: passedOver,
  });

export const mutants: readonly Mutant[] = [
  decidesJoining(
    'join-pin-of-any-cluster',
    'the CA of any cluster of the payload is compared and believed',
    ['DISC-015'],
    {
      comparedCa: ({ clusters }) => [...clusters.values()].map(({ caPem }) => caPem).join(''),
    },
  ),
  decidesJoining('join-several-pins-unchecked', 'several pins are not compared', ['PIN-005'], {
    checksPins: (pins, skips) => pins.length < 2 && upstream.checksPins(pins, skips),
  }),
  decidesJoining('join-pin-cut', 'what follows the digits of a pin is not looked at', ['PIN-008'], {
    readPin: (pin) => upstream.readPin(pin.split(':').slice(0, 2).join(':')),
  }),
  decidesJoining(
    'join-pins-unread',
    'pins are read and never compared',
    ['DISC-015', 'DISC-019', 'DISC-020', 'DISC-021', 'PIN-002', 'PIN-004', 'PIN-005'],
    { checksPins: () => false },
  ),
  decidesJoining(
    'join-any-pin',
    'a pin that does not fit is only told',
    ['DISC-015', 'DISC-019', 'DISC-020', 'DISC-021', 'PIN-002', 'PIN-004', 'PIN-005'],
    { isPinned: () => true },
  ),
  decidesJoining('join-bare-hex', 'a pin needs no format', ['PIN-001', 'PIN-008'], {
    readPin: also256((pin) => (/^[0-9a-f]{64}$/i.test(pin) ? pin.toLowerCase() : undefined)),
  }),
  decidesJoining('join-any-format', 'the digits of a pin are taken, whatever its format says', ['PIN-001', 'PIN-008'], {
    readPin: (pin) => upstream.readPin(pin.replace(/^[a-z0-9]*:/, 'sha256:')),
  }),
  decidesJoining('join-base64-pins', 'base64 is taken for digits', ['PIN-001', 'PIN-003'], {
    readPin: also256((pin) => {
      const value = /^sha256:([A-Za-z0-9+/]{43}=)$/.exec(pin)?.[1];
      return value === undefined ? undefined : Buffer.from(value, 'base64').toString('hex');
    }),
  }),
  decidesJoining('join-pin-colons', 'colons between digits are taken away', ['PIN-001'], {
    readPin: also256((pin) => (pin.split(':').length === 33 ? pin.split(':').slice(1).join('') : undefined)),
  }),
  decidesJoining('join-pin-0x', '0x before digits is taken away', ['PIN-001'], {
    readPin: (pin) => upstream.readPin(pin.replace(':0x', ':')),
  }),
  decidesJoining('join-pin-sha-256', 'the format of a pin may be spelt sha-256', ['PIN-001'], {
    readPin: (pin) => upstream.readPin(pin.replace(/^sha-256:/, 'sha256:')),
  }),
  decidesJoining('join-pin-blanks', 'blanks around a pin are taken away', ['PIN-001'], {
    readPin: (pin) => upstream.readPin(pin.trim()),
  }),
  decidesJoining(
    'join-pins-by-prefix',
    'the format is not read, and what begins alike is the same',
    ['PIN-001', 'PIN-008'],
    {
      readPin: (pin) => ({ hash: digitsOf(pin).replace(/g$/, '') }),
      isPinned: (hashes, allowed) =>
        hashes.some((own) => allowed.some((one) => own.startsWith(one) || one.startsWith(own))),
    },
  ),
  decidesJoining(
    'join-bad-pins-passed-over',
    'a pin that cannot be read is passed over',
    ['PIN-001', 'PIN-003', 'PIN-008'],
    {
      readPin: (pin) => {
        const reading = upstream.readPin(pin);
        return 'problem' in reading ? { hash: '' } : reading;
      },
      isPinned: passedOver,
    },
  ),
  taken('join-pins-without-digits', 'a pin without digits is passed over', /^sha256:$/),
  taken('join-pins-of-any-length', 'digits of a pin are not counted', /^sha256:(?:[0-9a-f]{2})+$/),
  taken('join-pins-of-any-letters', 'digits of a pin are not looked at', /^sha256:.{64}$/),
  decidesJoining('join-small-digits-only', 'digits in capitals are none', ['PIN-001'], {
    readPin: (pin) => (/[A-F]/.test(pin) ? { problem: 'no digits' } : upstream.readPin(pin)),
  }),
  decidesJoining(
    'join-fingerprint-as-pin',
    'the fingerprint of the certificate is a pin, too',
    ['PIN-002'],
    alsoPinned(({ der }) => hash(der)),
  ),
  decidesJoining(
    'join-pem-as-pin',
    'the hash of the PEM text is a pin, too',
    ['PIN-002'],
    alsoPinned(({ der }) => hash(pemOf(der))),
  ),
  decidesJoining(
    'join-bare-key-as-pin',
    'the hash of the key without its algorithm is a pin, too',
    ['PIN-002'],
    alsoPinned(({ spki }) => hash(spki.subarray(-65))),
  ),
  decidesJoining('join-fingerprint-only', 'the fingerprint of the certificate is the pin', ['PIN-001', 'PIN-002'], {
    pinOf: ({ der }) => hash(der),
  }),
  decidesJoining('join-one-kind-of-key', 'the algorithm of the key is taken for that of P-256', ['PIN-003'], {
    pinOf: ({ spki }) => (spki.length === 91 ? hash(spki) : hash(spki.subarray(-97))),
  }),
  another('join-first-pin-only', 'of several pins the first is kept', ['PIN-006', 'PIN-007', 'PIN-008'], {
    configuration: only((all) => all.slice(0, 1)),
  }),
  another('join-last-pin-only', 'of several pins the last is kept', ['PIN-007', 'PIN-008'], {
    configuration: only((all) => all.slice(-1)),
  }),
  decidesJoining('join-all-pins-must-fit', 'every pin has to fit', ['PIN-006', 'PIN-007'], {
    isPinned: (hashes, allowed) => allowed.every((pin) => hashes.includes(pin)),
  }),
  decidesJoining('join-pin-by-its-beginning', 'the first digits of a pin are compared', ['PIN-005'], {
    isPinned: (hashes, allowed) => hashes.some((hash) => allowed.some((pin) => pin.slice(0, 32) === hash.slice(0, 32))),
  }),
  decidesJoining('join-pin-by-its-end', 'the last digits of a pin are compared', ['PIN-005'], {
    isPinned: (hashes, allowed) => hashes.some((hash) => allowed.some((pin) => pin.slice(32) === hash.slice(32))),
  }),
  decidesJoining('join-pin-trimmed', 'blanks around the digits of a pin are passed over', ['PIN-001'], {
    readPin: (pin) => upstream.readPin(pin.replace(/: */, ':').trimEnd()),
  }),
  decidesJoining('join-first-certificate-only', 'of several CAs only the first is compared', ['PIN-007'], {
    isPinned: ([own = ''], allowed) => allowed.includes(own),
  }),
  decidesJoining('join-last-certificate-only', 'of several CAs only the last is compared', ['PIN-007'], {
    isPinned: (hashes, allowed) => allowed.includes(hashes.at(-1) ?? ''),
  }),
  decidesJoining(
    'join-renounced-pins-unread',
    'pins beside the permission to skip them are not compared',
    ['PIN-005'],
    {
      checksPins: (given, skips) => given.length > 0 && !skips,
    },
  ),
  decidesJoining('join-pins-not-demanded', 'without pins it joins silently', ['PIN-009', 'P-309'], {
    demandsPins: () => false,
  }),
  decidesJoining('join-pins-always-demanded', 'pins cannot be renounced', ['PIN-009'], {
    demandsPins: (given) => given.length === 0,
  }),
  remembering(() => {
    const known = new Map<string, string>();
    return decidesJoining(
      'join-pin-is-of-a-certificate',
      'a CA that is issued again no longer fits its pin',
      ['LIFE-012', 'PIN-013'],
      {
        pinOf: (certificate) => {
          const own = upstream.pinOf(certificate);
          const fingerprint = hash(certificate.der);
          if (!known.has(own)) known.set(own, fingerprint);
          return known.get(own) === fingerprint ? own : fingerprint;
        },
      },
    );
  }),
];

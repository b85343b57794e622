/** Pins that are told with an honest server, and with one that lies besides. */
import { createHash } from 'node:crypto';
import { parseCertificate } from '../../pki/certificate.js';
import type { Lie, Right, Told } from '../lie.js';
import { clusterInfo, payload } from '../scene.js';

/** Pins of an honest server. */
const pinned = (name: string, server: string, right: Right, pins: Told['pins'] & object): Lie => ({
  name,
  server: `honest; ${server}`,
  right,
  told: { pins },
});
const form = (name: string, server: string, make: (pin: string) => string, right: Right = 'refuses'): Lie =>
  pinned(name, server, right, (of) => [make(of('ca'))]);
/** With another hexadecimal digit at this place. */
const other = (hex: string, at: number): string => hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);
const digits = (pin: string): string => pin.slice('sha256:'.length);
/** The right pin, and after it one that is malformed, and would be of another CA. */
const beside = (name: string, server: string, make: (pin: string) => string): readonly Lie[] => [
  pinned(`pin-right-then-${name}`, `the right pin and ${server}`, 'refuses', (of) => [of('ca'), make(of('other ca'))]),
];

export const pinLies: readonly Lie[] = [
  pinned('pin-none', 'no pin', 'asks nothing', () => []),
  pinned('pin-wrong', 'pin of another CA', 'refuses', (of) => [of('other ca')]),
  pinned('pin-leaf', 'pin of the serving certificate', 'refuses', (of) => [of('good')]),
  {
    ...pinned('pin-between', 'pin of an authority between the CA and the serving certificate', 'refuses', (of) => [
      of('between'),
    ]),
    certificate: () => 'by between',
  },
  pinned('pin-fingerprint', 'fingerprint of the CA certificate', 'refuses', (_, { cast }) => [
    `sha256:${createHash('sha256').update(cast.authorities.ca.certificate.der).digest('hex')}`,
  ]),
  pinned('pin-two-first', 'two pins, the first right', 'joins', (of) => [of('ca'), of('other ca')]),
  pinned('pin-two-second', 'two pins, the second right', 'joins', (of) => [of('other ca'), of('ca')]),
  pinned('pin-twice', 'the right pin twice', 'joins', (of) => [of('ca'), of('ca')]),
  pinned('pin-three-first', 'three pins, the first right', 'joins', (of) => [of('ca'), of('other ca'), of('p384 ca')]),
  pinned('pin-three-second', 'three pins, the second right', 'joins', (of) => [
    of('other ca'),
    of('ca'),
    of('p384 ca'),
  ]),
  pinned('pin-three-third', 'three pins, the third right', 'joins', (of) => [of('other ca'), of('p384 ca'), of('ca')]),
  pinned('pin-two-wrong', 'two pins, both of others', 'refuses', (of) => [of('other ca'), of('p384 ca')]),
  pinned('pin-one-bad-one-right', 'a malformed pin and the right one', 'refuses', (of) => ['sha256:xyz', of('ca')]),
  form('pin-upper-hex', 'digits in upper case', (pin) => `sha256:${digits(pin).toUpperCase()}`, 'joins'),
  { ...form('pin-upper-all', 'all in upper case', (pin) => pin.toUpperCase(), 'joins'), ofKubeadm: true },
  form('pin-no-prefix', 'digits alone', digits),
  form('pin-extra-part', 'the right pin, and one more part', (pin) => `${pin}:00`),
  form('pin-sha1', 'format sha1', (pin) => `sha1:${digits(pin).slice(0, 40)}`),
  form('pin-sha512', 'format sha512, before the digits of the right pin', (pin) => `sha512:${digits(pin)}`),
  form('pin-spki', 'format spki, before the digits of the right pin', (pin) => `spki:${digits(pin)}`),
  form('pin-no-format', 'an empty format, before the digits of the right pin', (pin) => `:${digits(pin)}`),
  form('pin-short', '62 digits', (pin) => pin.slice(0, -2)),
  form('pin-odd', '65 digits', (pin) => `${pin}0`),
  form('pin-not-hex', 'a digit that is none', (pin) => `${pin.slice(0, -1)}g`),
  form('pin-base64', 'base64 as in RFC 7469', (pin) => `sha256:${Buffer.from(digits(pin), 'hex').toString('base64')}`),
  form('pin-colons', 'digits in pairs', (pin) => `sha256:${(digits(pin).match(/../g) ?? []).join(':')}`),
  form('pin-0x', '0x before the digits', (pin) => `sha256:0x${digits(pin)}`),
  form('pin-sha-256', 'format sha-256', (pin) => `sha-256:${digits(pin)}`),
  form('pin-space', 'a blank before the pin', (pin) => ` ${pin}`),
  form('pin-space-inside', 'a blank before the digits', (pin) => `sha256: ${digits(pin)}`),
  form('pin-space-after', 'a blank after the pin', (pin) => `${pin} `),
  form('pin-first-digit', 'the first digit of the right pin is another', (pin) => `sha256:${other(digits(pin), 0)}`),
  form('pin-last-digit', 'the last digit of the right pin is another', (pin) => `sha256:${other(digits(pin), 63)}`),
  form(
    'pin-middle-digit',
    'a digit in the middle of the right pin is another',
    (pin) => `sha256:${other(digits(pin), 31)}`,
  ),
  ...['md5', 'sha1', 'sha384', 'sha512'].map((format) =>
    pinned(`pin-${format}-of-key`, `format ${format}, and that hash of the right key`, 'refuses', (_, { cast }) => [
      `${format}:${createHash(format).update(parseCertificate(cast.authorities.ca.certificate.der).spki).digest('hex')}`,
    ]),
  ),
  form('pin-no-digits', 'a format without digits', () => 'sha256:'),
  ...beside('not-hex', 'one with a digit that is none', (pin) => `${pin.slice(0, -1)}g`),
  ...beside('short', 'one of 62 digits', (pin) => pin.slice(0, -2)),
  ...beside('other-format', 'one of another format', (pin) => pin.replace('256', '512')),
  ...beside('bare', 'one without a format', digits),
  ...beside('no-digits', 'one without digits', () => 'sha256:'),
  pinned('pin-empty', 'the empty string as a pin', 'refuses', () => ['']),
  {
    name: 'pin-bad-no-jws',
    server: 'no signature; malformed pin',
    right: 'gives up',
    told: { pins: () => ['sha256:xyz'] },
    data: (scene) => ({ kubeconfig: payload(scene) }),
  },
  {
    name: 'pin-bad-jws-bad',
    server: 'wrong signature; malformed pin',
    right: 'refuses',
    told: { pins: () => ['sha256:xyz'] },
    data: (scene) => clusterInfo(payload(scene), 'a..b'),
  },
  {
    name: 'pin-wrong-jws-bad',
    server: 'wrong signature; wrong pin',
    right: 'refuses',
    told: { pins: (of) => [of('other ca')] },
    data: (scene) => clusterInfo(payload(scene), 'a..b'),
  },
];

/**
 * The string types of ASN.1 as Go decodes them.
 * Source: Go encoding/asn1 parsePrintableString and its neighbours, crypto/x509 parseASN1String.
 */
import { isUtf8 } from 'node:buffer';
import { TAG } from './der-read.js';

const latin1 = (bytes: Buffer): string => bytes.toString('latin1');

/** BMPString is UCS-2: no surrogates, no permanently reserved code points; one terminator is dropped. */
function bmp(bytes: Buffer): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const end = bytes.length >= 2 && bytes.readUInt16BE(bytes.length - 2) === 0 ? bytes.length - 2 : bytes.length;
  let text = '';
  for (let at = 0; at < end; at += 2) {
    const point = bytes.readUInt16BE(at);
    if (point >= 0xfffe || (point >= 0xfdd0 && point <= 0xfdef) || (point >= 0xd800 && point <= 0xdfff))
      return undefined;
    text += String.fromCharCode(point);
  }
  return text;
}

/** name: as Go calls the type in its texts. decode: undefined where the bytes are not of the type. */
export interface StringKind {
  readonly name: string;
  decode(bytes: Buffer): string | undefined;
}

/** By universal tag. T61String is read as Latin-1, as Go and BoringSSL do. */
export const STRING_KINDS: Readonly<Record<number, StringKind>> = {
  [TAG.printable]: {
    name: 'PrintableString',
    // '*' and '&' are not printable by X.680, but Go takes them.
    decode: (bytes) =>
      /^[a-zA-Z0-9'()+,\-./ :=?*&]*$/.test(latin1(bytes)) && !bytes.includes(0x0a) ? latin1(bytes) : undefined,
  },
  [TAG.utf8]: { name: 'UTF-8 string', decode: (bytes) => (isUtf8(bytes) ? bytes.toString('utf8') : undefined) },
  [TAG.ia5]: { name: 'IA5String', decode: (bytes) => (bytes.every((byte) => byte < 0x80) ? latin1(bytes) : undefined) },
  [TAG.numeric]: {
    name: 'NumericString',
    decode: (bytes) =>
      bytes.every((byte) => byte === 0x20 || (byte >= 0x30 && byte <= 0x39)) ? latin1(bytes) : undefined,
  },
  [TAG.t61]: { name: 'T61String', decode: latin1 },
  [TAG.bmp]: { name: 'BMPString', decode: bmp },
};

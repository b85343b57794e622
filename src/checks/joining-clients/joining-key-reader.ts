/** Private keys in texts of a joining client: as PEM, and in what others make of that. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { text } from '../../kubernetes/json.js';
import { rememberedText } from '../../kubernetes/remembered.js';
import { pinOfPrivateKey } from '../certificates/key-pair.js';
import { pinOf } from '../certificates/signature.js';

export const PRIVATE_KEY = /PRIVATE KEY-----/;
/** What is long enough for a key in DER, in base64 of either alphabet or in hex. */
const ENCODED = /[A-Za-z0-9+/_-]{60,}={0,2}/g;
const LABELS = ['PRIVATE KEY', 'EC PRIVATE KEY', 'RSA PRIVATE KEY'] as const;
/** Whether the first element of a sequence in DER is a number, as the version of a key is. Source: X.690, 8.1. */
const beginsWithNumber = (bytes: Buffer): boolean => {
  const length = bytes[1] ?? 0;
  return bytes[length < 0x80 ? 2 : 2 + (length & 0x7f)] === 0x02;
};
/** Of bytes that are a private key in DER, which is a sequence. Source: RFC 5958; RFC 5915; RFC 8017, A.1.2. */
const pinOfDer = (bytes: Buffer): string | undefined =>
  bytes[0] === 0x30 && beginsWithNumber(bytes)
    ? LABELS.map((label) => pinOfPrivateKey(label, bytes)).find((pin) => pin !== undefined)
    : undefined;

/** What stands in a text in base64 or hex. */
const decodedIn = (content: string): readonly Buffer[] =>
  (content.match(ENCODED) ?? []).flatMap((run) => [
    Buffer.from(run, 'base64'),
    ...(/^[0-9a-f]+$/i.test(run) ? [Buffer.from(run, 'hex')] : []),
  ]);

/** Whether a private key stands in a text, as PEM, or in base64 or hex as PEM or DER. */
export const holdsPrivateKey = (content: string): boolean =>
  PRIVATE_KEY.test(content) ||
  decodedIn(content).some((bytes) => PRIVATE_KEY.test(bytes.toString('latin1')) || pinOfDer(bytes) !== undefined);

/** All machines of a cluster hold the same few. In JSON the first one is read. */
const pinOfPem = rememberedText((content) => {
  try {
    const [, inJson] = /"(-----BEGIN [A-Z ]*PRIVATE KEY-----\\n[^"]*)"/.exec(content) ?? [];
    const pem = inJson === undefined ? content : text(JSON.parse(`"${inJson}"`));
    return pinOf(createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' }));
  } catch {
    return '';
  }
});

/** "sha256:<hex>" of the first private key of a text, however it stands there; '' where none does, or none is read. */
export function keyPinIn(content: string): string {
  if (PRIVATE_KEY.test(content)) return pinOfPem(content);
  return (
    decodedIn(content)
      .map((bytes) => pinOfDer(bytes) ?? pinOfPem(bytes.toString('latin1')))
      .find((pin) => pin !== '') ?? ''
  );
}

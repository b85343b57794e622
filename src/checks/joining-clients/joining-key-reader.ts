/** Private keys in texts of a joining client: as PEM, and in what others make of that. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { decodedIn, mayBeKey, mayHoldKey, PRIVATE_KEY } from '../../kubernetes/encoded-keys.js';
import { text } from '../../kubernetes/json.js';
import { rememberedText } from '../../kubernetes/remembered.js';
import { pinOfPrivateKey } from '../certificates/key-pair.js';
import { pinOf } from '../certificates/signature.js';

const LABELS = ['PRIVATE KEY', 'EC PRIVATE KEY', 'RSA PRIVATE KEY'] as const;
/** Of bytes that are a private key in DER, which is a sequence. Source: RFC 5958; RFC 5915; RFC 8017, A.1.2. */
const pinOfDer = (bytes: Buffer): string | undefined =>
  mayBeKey(bytes) ? LABELS.map((label) => pinOfPrivateKey(label, bytes)).find((pin) => pin !== undefined) : undefined;

/** Whether a private key stands in a text, as PEM, or in base64 or hex as PEM or DER. */
export const holdsPrivateKey = (content: string): boolean =>
  mayHoldKey(content, (bytes) => pinOfDer(bytes) !== undefined);

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
  for (const bytes of decodedIn(content)) {
    const written = bytes.toString('latin1');
    const pin = pinOfDer(bytes) ?? (PRIVATE_KEY.test(written) ? pinOfPem(written) : '');
    if (pin !== '') return pin;
  }
  return '';
}

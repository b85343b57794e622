/** Private keys in texts as whoever finds them reads them: PEM, and PEM or DER in base64 or hex. */

export const PRIVATE_KEY = /PRIVATE KEY-----/;
/** What is long enough for a key in DER, in base64 of either alphabet or in hex. */
const ENCODED = /[A-Za-z0-9+/_-]{60,}={0,2}/g;

/** Whether bytes are a sequence of DER whose first element is a number, as the version of a key is. Source: X.690, 8.1. */
export function mayBeKey(bytes: Buffer): boolean {
  const length = bytes[1] ?? 0;
  return bytes[0] === 0x30 && bytes[length < 0x80 ? 2 : 2 + (length & 0x7f)] === 0x02;
}

/** What stands in a text in base64 or hex. */
export const decodedIn = (content: string): readonly Buffer[] =>
  (content.match(ENCODED) ?? []).flatMap((run) => [
    Buffer.from(run, 'base64'),
    ...(/^[0-9a-f]+$/i.test(run) ? [Buffer.from(run, 'hex')] : []),
  ]);

const isPem = (bytes: Buffer): boolean => PRIVATE_KEY.test(bytes.toString('latin1'));

/** Whether a private key stands in a text; `isKey` looks at what may be one in DER, and takes it for one where left out. */
export const mayHoldKey = (content: string, isKey = mayBeKey): boolean =>
  PRIVATE_KEY.test(content) || decodedIn(content).some((bytes) => isPem(bytes) || isKey(bytes));

/**
 * PEM as Go reads it (encoding/pem Decode), because what the API server takes for a block decides what a client is
 * told.
 */

export interface PemBlock {
  /** "CERTIFICATE", "CERTIFICATE REQUEST", … */
  readonly label: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** One block, lines of 64 characters, with a final newline. */
export function encodePem(label: string, bytes: Uint8Array): string {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  let lines = '';
  for (let at = 0; at < body.length; at += 64) lines += `${body.slice(at, at + 64)}\n`;
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}

const BEGIN = '-----BEGIN ';
const END = '\n-----END ';
const DASHES = '-----';

/** The line at the start of `text` without trailing blanks, and how far the next one is. */
function line(text: string): { readonly content: string; readonly length: number } {
  const newline = text.indexOf('\n');
  const end = newline < 0 ? text.length : newline > 0 && text[newline - 1] === '\r' ? newline - 1 : newline;
  return {
    content: text.slice(0, end).replace(/(?<![ \t])[ \t]+$/, ''),
    length: newline < 0 ? text.length : newline + 1,
  };
}

/** base64 as Go's StdEncoding: padding demanded, CR and LF ignored, trailing bits free. undefined: not base64. */
function base64(text: string): Buffer | undefined {
  const bare = text.replace(/[ \t\r\n]/g, '');
  if (bare.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(bare)) return undefined;
  return Buffer.from(bare, 'base64');
}

/**
 * The next block, and the text after it. A malformed block is passed over, as upstream does; undefined where there is
 * none left.
 */
export function nextPem(text: string): { readonly block: PemBlock; readonly rest: string } | undefined {
  let rest = text;
  for (;;) {
    const end = rest.indexOf(END);
    if (end < 0) return undefined;
    const after = rest.slice(end + END.length);
    const begin = rest.lastIndexOf(BEGIN, end - BEGIN.length);
    const found =
      begin < 0 || (begin > 0 && rest[begin - 1] !== '\n')
        ? undefined
        : blockBetween(rest.slice(begin + BEGIN.length), end - begin - BEGIN.length);
    if (found !== undefined) return found;
    rest = after;
  }
}

/** `text` starts right after "-----BEGIN "; `end` is where "\n-----END " starts in it. */
function blockBetween(text: string, end: number): { readonly block: PemBlock; readonly rest: string } | undefined {
  const first = line(text);
  if (!first.content.endsWith(DASHES)) return undefined;
  const label = first.content.slice(0, -DASHES.length);
  let at = first.length;
  const headers: Record<string, string> = {};
  for (;;) {
    if (at >= text.length) return undefined;
    const next = line(text.slice(at));
    const colon = next.content.indexOf(':');
    if (colon < 0) break;
    headers[next.content.slice(0, colon).trim()] = next.content.slice(colon + 1).trim();
    at += next.length;
  }
  // A block without a body: its END line follows the BEGIN line at once, so the newline before END belongs to BEGIN.
  if (Object.keys(headers).length > 0 && end < at) return undefined;
  const trailer = text.slice(end + END.length);
  if (!trailer.startsWith(label + DASHES)) return undefined;
  const restOfLine = line(trailer.slice(label.length + DASHES.length));
  if (restOfLine.content !== '') return undefined;
  const bytes = base64(text.slice(at, end));
  if (bytes === undefined) return undefined;
  return { block: { label, headers, bytes }, rest: trailer.slice(label.length + DASHES.length + restOfLine.length) };
}

/** Every block of a text, in order. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let found = nextPem(text); found !== undefined; found = nextPem(found.rest)) blocks.push(found.block);
  return blocks;
}

/** The DER of every CERTIFICATE block of a text. */
export const certificatesOfPem = (text: string): readonly Buffer[] =>
  pemBlocks(text).flatMap((block) => (block.label === 'CERTIFICATE' ? [block.bytes] : []));

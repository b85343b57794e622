/** PEM as the judge reads it. Source: RFC 7468. */

export interface Block {
  /** "CERTIFICATE", "CERTIFICATE REQUEST", … */
  readonly label: string;
  readonly bytes: Buffer;
}

const BEGIN = /^-----BEGIN ([^\n]*)-----[ \t\r]*$/;
const HEADER = /^[^:]*:/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const bytesOf = (lines: readonly string[]): Buffer | undefined => {
  const first = lines.findIndex((line) => !HEADER.test(line));
  const text = lines
    .slice(Math.max(first, 0))
    .map((line) => line.trim())
    .join('');
  return text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
};

/**
 * Every block of a text, in order. What is around them, and blocks that are broken, are passed over. In one pass over
 * the lines.
 */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly label: string; readonly lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const label = BEGIN.exec(line)?.[1];
    if (label !== undefined) {
      open = { label, lines: [] };
    } else if (open !== undefined && line.startsWith('-----END ')) {
      const bytes = line.trimEnd() === `-----END ${open.label}-----` ? bytesOf(open.lines) : undefined;
      if (bytes !== undefined) blocks.push({ label: open.label, bytes });
      open = undefined;
    } else open?.lines.push(line);
  }
  return blocks;
}

/** base64 of PEM, as objects carry it. */
export const decodedPem = (encoded: string | undefined): string =>
  Buffer.from(encoded ?? '', 'base64').toString('latin1');

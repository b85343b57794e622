/** base64 as Go decodes it in JSON: padding is needed, line ends are skipped, nothing else is. Source: Go, encoding/base64 StdEncoding.Decode. */

const CLEAN = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const NEWLINE = (code: number | undefined): boolean => code === 10 || code === 13;
const PAD = 0x3d;
const isDigit = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 43 || code === 47;

/** The byte offset at which Go gives up ("illegal base64 data at input byte N"); undefined where it does not. */
export function base64ErrorAt(text: string): number | undefined {
  if (CLEAN.test(text)) return undefined;
  const source = Buffer.from(text);
  let at = 0;
  const skipNewlines = (): void => {
    while (at < source.length && NEWLINE(source[at])) at++;
  };
  while (at < source.length) {
    let taken = 0;
    while (taken < 4) {
      if (at === source.length) return taken === 0 ? undefined : at - taken;
      const code = source[at++] ?? 0;
      if (isDigit(code)) taken++;
      else if (!NEWLINE(code)) {
        if (code !== PAD || taken < 2) return at - 1;
        if (taken === 2) {
          skipNewlines();
          if (at === source.length) return source.length;
          if (source[at] !== PAD) return at - 1;
          at++;
        }
        skipNewlines();
        return at < source.length ? at : undefined;
      }
    }
  }
  return undefined;
}

/** The same bytes without line ends and spare bits, as Go prints them back. The text must be valid. */
export const canonicalBase64 = (text: string): string => Buffer.from(text, 'base64').toString('base64');

/** Number of bytes behind valid base64. */
export const base64Length = (text: string): number => Buffer.byteLength(text, 'base64');

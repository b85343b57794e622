/** How Go prints values: the API server's messages are full of %q and %v. Source: Go, strconv.Quote. */

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u000b': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Zs}]/u;

/** A string as %q prints it. */
export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let out = '"';
  for (const character of text) {
    const known = ESCAPES[character];
    if (known !== undefined) out += known;
    else if (character === ' ' || !UNPRINTABLE.test(character)) out += character;
    else {
      const code = character.codePointAt(0) ?? 0;
      if (code < 0x80) out += `\\x${code.toString(16).padStart(2, '0')}`;
      else if (code < 0x10000) out += `\\u${code.toString(16).padStart(4, '0')}`;
      else out += `\\U${code.toString(16).padStart(8, '0')}`;
    }
  }
  return `${out}"`;
}

/** []string as %#v prints it. */
export const goStrings = (list: readonly string[]): string => `[]string{${list.map(goQuote).join(', ')}}`;

/** Values as %v prints what was decoded from JSON: map[a:1 b:[x y]]. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, inner]) => `${key}:${goValue(inner)}`).join(' ')}]`;
  }
  return typeof value === 'number' && !isInt64(value) ? floatText(value) : String(value);
}

/** Is a number of decoded JSON an int64? All else is a float64. */
export const isInt64 = (value: number): boolean => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;

/** A float64 as %v prints it. Source: Go, strconv/ftoa.go. */
function floatText(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6 && !Number.isInteger(value)) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** The type of what decoded JSON is made of, as %T prints it. */
export function dynamicType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return isInt64(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'map[string]interface {}';
}

/** Decoded JSON as %#v prints it. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'string') return goQuote(value);
  if (typeof value !== 'object') return goValue(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]interface {}{${entries.map(([key, inner]) => `${goQuote(key)}:${goSyntax(inner)}`).join(', ')}}`;
}

/** strconv.ParseUint of base 10, 64 bits: the value, also as it is printed in full, or the text of its error. */
export function parseUint(
  text: string,
): { readonly value: number; readonly printed: string } | { readonly error: string } {
  if (!/^[0-9]+$/.test(text)) return { error: `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax` };
  if (BigInt(text) > 18446744073709551615n)
    return { error: `strconv.ParseUint: parsing ${goQuote(text)}: value out of range` };
  return { value: Number(text), printed: String(BigInt(text)) };
}

/** strconv.ParseInt of base 10, 64 bits. */
export function parseInt64(text: string): { readonly value: number } | { readonly error: string } {
  if (!/^[+-]?[0-9]+$/.test(text)) return { error: `strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax` };
  const value = BigInt(text.replace(/^\+/, ''));
  if (value > 9223372036854775807n || value < -9223372036854775808n)
    return { error: `strconv.ParseInt: parsing ${goQuote(text)}: value out of range` };
  return { value: Number(value) };
}

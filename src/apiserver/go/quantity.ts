/** Resource quantities ("100m", "1Gi"). Source: apimachinery, pkg/api/resource/quantity.go, suffix.go. */

const FORM = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?[0-9]+))?$/;
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const DECIMAL_BY_EXPONENT: Readonly<Record<number, string>> = {
  [-9]: 'n',
  [-6]: 'u',
  [-3]: 'm',
  0: '',
  3: 'k',
  6: 'M',
  9: 'G',
  12: 'T',
  15: 'P',
  18: 'E',
};
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;
/** Values are held in billionths, the finest that a quantity keeps. */
const NANO = 9;

export interface Quantity {
  /** value × 10⁹ */
  readonly nano: bigint;
  readonly format: 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
}

/** Undefined where the text is no quantity. Finer than 10⁻⁹ is rounded up, away from zero. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = '', exponentText] = match;
  if (whole === '' && fraction === '') return undefined;
  const binary = suffix.endsWith('i');
  const exponent = exponentText === undefined ? (binary ? 0 : (DECIMAL[suffix] ?? 0)) : Number(exponentText);
  if (Math.abs(exponent) > 60) return undefined;
  let value = BigInt(`${whole}${fraction}` || '0');
  if (binary) value *= 1024n ** BigInt(BINARY.indexOf(suffix as (typeof BINARY)[number]));
  const shift = exponent - fraction.length + NANO;
  if (shift >= 0) value *= 10n ** BigInt(shift);
  else {
    const divisor = 10n ** BigInt(-shift);
    value = (value + divisor - 1n) / divisor;
  }
  return {
    nano: sign === '-' ? -value : value,
    format: binary ? 'BinarySI' : exponentText === undefined ? 'DecimalSI' : 'DecimalExponent',
  };
}

/** The canonical text: no fraction, no digit lost, the largest suffix that allows both. */
function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  const sign = nano < 0n ? '-' : '';
  const size = nano < 0n ? -nano : nano;
  const unit = 10n ** BigInt(NANO);
  if (format === 'BinarySI' && size >= 1024n * unit && size % unit === 0n) {
    let value = size / unit;
    let power = 0;
    while (power < BINARY.length - 1 && value % 1024n === 0n) {
      value /= 1024n;
      power++;
    }
    return `${sign}${value}${BINARY[power]}`;
  }
  let value = size;
  let exponent = -NANO;
  while (value % 1000n === 0n && exponent < 18) {
    value /= 1000n;
    exponent += 3;
  }
  if (format === 'DecimalExponent') return `${sign}${value}${exponent === 0 ? '' : `e${exponent}`}`;
  return `${sign}${value}${DECIMAL_BY_EXPONENT[exponent] ?? `e${exponent}`}`;
}

/** Canonical text of what a JSON body holds (text or number); the input itself where it is no quantity. */
export function canonicalQuantity(value: string | number): string {
  const parsed = parseQuantity(String(value));
  return parsed === undefined ? String(value) : formatQuantity(parsed);
}

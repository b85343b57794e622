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
  // A dot alone is zero.
  if (whole === '' && !text.includes('.')) return undefined;
  const binary = suffix.endsWith('i');
  const exponent = exponentText === undefined ? (binary ? 0 : (DECIMAL[suffix] ?? 0)) : Number(exponentText);
  if (Math.abs(exponent) > 60) return undefined;
  let value = BigInt(`${whole}${fraction}`);
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

/** Factors of ten that an int64 holds for sure. Source: pkg/api/resource/math.go maxInt64Factors. */
const DIGITS = 18;

/** Is a text taken for canonical, and kept as it is, be it "+1"? Source: quantity.go ParseQuantity, its fast path. */
function isKept(text: string): boolean {
  const [, , whole = '', fraction = '', suffix = '', exponentText] = FORM.exec(text) ?? [];
  const digits = `${whole.replace(/^0+/, '') || '0'}${fraction}`;
  const power = BINARY.indexOf(suffix as (typeof BINARY)[number]);
  if (power > 0)
    return fraction === '' && 15 - digits.length - Math.trunc(power * 3) - 1 >= 0 && BigInt(digits) % 8n !== 0n;
  const scale = (exponentText === undefined ? (DECIMAL[suffix] ?? 0) : Number(exponentText)) - fraction.length;
  const isFast = digits.length <= DIGITS && scale >= -NANO;
  return isFast && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

/** Canonical text of what a JSON body holds (text or number); the input itself where it is no quantity. */
export function canonicalQuantity(value: string | number): string {
  const text = String(value).trim();
  const parsed = parseQuantity(text);
  return parsed === undefined ? String(value) : isKept(text) ? text : formatQuantity(parsed);
}

const IN_MILLI = 10n ** 6n;
/** The same in a list of resources, where it is rounded up to thousandths. Source: pkg/apis/core/v1 SetDefaults_ResourceList. */
export function canonicalResource(value: string | number): string {
  const { nano, format } = parseQuantity(String(value).trim()) ?? {};
  if (nano === undefined || format === undefined || nano % IN_MILLI === 0n) return canonicalQuantity(value);
  return formatQuantity({ nano: (nano / IN_MILLI + (nano < 0n ? -1n : 1n)) * IN_MILLI, format });
}

const QUANTITY_FAULT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Why Go does not read what a JSON body holds as a quantity; undefined where it does. */
export function quantityFault(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return QUANTITY_FAULT;
  const text = String(value).trim();
  if (parseQuantity(text) !== undefined) return undefined;
  return /^[+-]?[0-9]*(?:\.[0-9]*)?[eEinumkKMGTP]+[+-]?[0-9]*$/.test(text)
    ? "unable to parse quantity's suffix"
    : QUANTITY_FAULT;
}

/**
 * YAML as Go programs of Kubernetes write it: keys sorted, lists not indented, quotes only where a plain scalar would
 * be read as something else, long lines folded at blanks. Source: sigs.k8s.io/yaml, goyaml.v2 emitterc.go, encode.go.
 */
import { isRecord } from '../kubernetes/json.js';

/** What YAML 1.1 takes for another type than text. */
const OTHER_TYPE =
  /^(?:|~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[yn]|[YN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/;
const INTEGER = /^[-+]?(?:0b[01_]+|0x[\da-fA-F_]+|0o?[0-7_]+|\d[\d_]*)$/;
const FLOAT = /^[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?$/;
const NO_NUMBER = /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/;
const SIXTIES = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.\d*)?$/;
const DATE = /^\d{4}-\d\d?-\d\d?(?:$|[Tt\s])/;
/** Characters that a plain scalar may not begin with; "-", "?" and ":" may where no blank follows. */
const INDICATOR = /^(?:[,[\]{}#&*!|>'"%@`]|[-?:](?:\s|$))/;
const SPECIAL = /[^\n\x20-\x7e\x85\u{a0}-\u{d7ff}\u{e000}-\u{fefe}\u{ff00}-\u{fffd}\u{10000}-\u{10ffff}]/u;
/** A line is not begun anew before this column. */
const WIDTH = 80;

/** Breaks a line at the blanks after column 80, as the emitter does; `at`: the column that it begins in. */
function folded(text: string, at: number, indent: string): string {
  if (at + text.length <= WIDTH) return text;
  let column = at;
  let written = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    const isSingle = character === ' ' && index > 0 && text[index - 1] !== ' ' && text[index + 1] !== ' ';
    if (isSingle && column > WIDTH && index + 1 < text.length) {
      written += `\n${indent}`;
      column = indent.length;
    } else {
      written += character;
      column += 1;
    }
  }
  return written;
}

/** A scalar that begins in column `at`; lines after its first are indented by `indent`. */
function scalar(value: string, at: number, indent: string): string {
  if ([OTHER_TYPE, INTEGER, FLOAT, NO_NUMBER, SIXTIES, DATE, SPECIAL].some((kind) => kind.test(value)))
    return JSON.stringify(value);
  if (value.includes('\n')) {
    const lines = value.replace(/\n$/, '').split('\n');
    const chomp = !value.endsWith('\n') ? '-' : value.endsWith('\n\n') ? '+' : '';
    const hint = /^[ \n]/.test(value) ? '2' : '';
    return `|${hint}${chomp}\n${lines.map((line) => (line === '' ? '' : `${indent}${line}`)).join('\n')}`;
  }
  const isPlain = !INDICATOR.test(value) && !/: |:$| #|^ | $/.test(value) && !/^(?:---|\.\.\.)/.test(value);
  return isPlain ? folded(value, at, indent) : folded(`'${value.replaceAll("'", "''")}'`, at, indent);
}

function inline(value: unknown, at: number, indent: string): string | undefined {
  if (typeof value === 'string') return scalar(value, at, indent);
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : undefined;
  if (isRecord(value)) return Object.values(value).every((one) => one === undefined) ? '{}' : undefined;
  return String(value);
}

/** Lines of a mapping or a list; the first one has no indentation of its own. */
function block(value: unknown, indent: string): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((one) => {
      const text = inline(one, indent.length + 2, `${indent}  `);
      const [first = '', ...rest] = text === undefined ? block(one, `${indent}  `) : [text];
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  const entries = Object.entries(value as Readonly<Record<string, unknown>>).filter(([, one]) => one !== undefined);
  return entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, one]) => {
      const head = `${indent}${scalar(key, indent.length, indent)}:`;
      const text = inline(one, head.length + 1, `${indent}  `);
      if (text !== undefined) return [`${head} ${text}`];
      return [head, ...block(one, Array.isArray(one) ? indent : `${indent}  `)];
    });
}

/** A document, with a final newline. Values that are undefined are left out. */
export const goYaml = (value: Readonly<Record<string, unknown>>): string => `${block(value, '').join('\n')}\n`;

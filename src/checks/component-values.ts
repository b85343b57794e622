/**
 * Values of flags that every program of a control plane has, and ends with: logs, metrics, TLS.
 * Source: component-base logs/api/v1 Validate, metrics/api/v1 Validate, cli/flag; each was given to programs of 1.36.
 */
import { secondsOf } from './flag-values.js';

type Flags = Readonly<Record<string, string>>;

export const itemsOf = (list = ''): readonly string[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
export const isGiven = (flags: Flags, name: string): boolean => (flags[name] ?? '') !== '';
/** "--name=value", as long as a line stays one. */
export const named = (name: string, value: string): string => `--${name}=${value.slice(0, 60)}`;
/** A gate is on by itself, or with all of its stage. */
export const isGateOn = (flags: Flags, gate: string, stage: 'AllAlpha' | 'AllBeta'): boolean => {
  const told = new Map(itemsOf(flags['feature-gates']).map((item) => item.split('=', 2) as [string, string]));
  return /^(?:true|1|t)$/i.test(told.get(gate) ?? told.get(stage) ?? '');
};

/** Groups of key exchange by their numbers. Source: crypto/tls CurveID; RFC 8446, 4.2.7. */
const CURVES = ['23', '24', '25', '29', '4587', '4588', '4589'];
function oddCurves(flags: Flags): readonly string[] {
  const curves = itemsOf(flags['tls-curve-preferences']);
  const odd = curves.filter((curve, at) => !CURVES.includes(curve) || curves.indexOf(curve) !== at);
  return odd.map((curve) => named('tls-curve-preferences', curve));
}

/** Told apart by lines, logs are tried out. */
const TRIED_OUT = ['json-split-stream', 'json-info-buffer-size', 'text-split-stream', 'text-info-buffer-size'];
const isAsItIs = (value: string): boolean => /^(?:false|0|f|)$/i.test(value);

function oddLogs(flags: Flags): readonly string[] {
  const { 'log-flush-frequency': flush = '5s', vmodule = '' } = flags;
  const tried = TRIED_OUT.map((name) => `log-${name}`).filter((name) => !isAsItIs(flags[name] ?? ''));
  const isTriedOut = isGateOn(flags, 'LoggingAlphaOptions', 'AllAlpha');
  return [
    ...(secondsOf(flush) === 0 || flush === '0' || flush.startsWith('-') ? [named('log-flush-frequency', flush)] : []),
    ...itemsOf(vmodule)
      .filter((item) => !/^[^=]{1,200}=\d{1,9}$/.test(item))
      .map((item) => named('vmodule', item)),
    ...(isTriedOut ? [] : tried.map((name) => `--${name} without the feature gate LoggingAlphaOptions`)),
  ];
}

/** "metric,label=value": commas part values as well, so that only the first name is looked at. */
const LABEL = /^"?[a-zA-Z_:][a-zA-Z0-9_:]*,[a-zA-Z_][a-zA-Z0-9_]*"?=/;

/** Hidden metrics are shown of the minor before, and of no other. */
function oddMetrics(flags: Flags, minor: number | null): readonly string[] {
  const { 'show-hidden-metrics-for-version': shown = '', 'allow-metric-labels': labels = '' } = flags;
  const isShown = minor === null ? /^1\.\d{1,3}$/.test(shown) : shown === `1.${minor - 1}`;
  return [
    ...(shown === '' || isShown ? [] : [named('show-hidden-metrics-for-version', shown)]),
    ...(labels === '' || LABEL.test(labels) ? [] : [named('allow-metric-labels', labels)]),
  ];
}

/** What ends any of them, in words. */
export const endingComponent = (flags: Flags, minor: number | null): readonly string[] => [
  ...oddLogs(flags),
  ...oddMetrics(flags, minor),
  ...oddCurves(flags),
];

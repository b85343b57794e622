/**
 * Values of flags that every program of a control plane has, and ends with: logs, metrics, TLS.
 * Source: component-base logs/api/v1 Validate, metrics/api/v1 Validate, cli/flag; each was given to programs of 1.36.
 */
import { secondsOf } from '../written/flag-values.js';

type Flags = Readonly<Record<string, string>>;

export const itemsOf = (list = ''): readonly string[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
/** A list as text, whatever order it was told in. */
export const inOrder = (list: string): string =>
  list
    .split(',')
    .map((item) => item.trim())
    .sort()
    .join(',');
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

/** Who stands before it hands on who asks under these names, and one of them is looked for. */
function oddProxied(flags: Flags): readonly string[] {
  const headers = itemsOf(flags['requestheader-uid-headers']);
  const isOdd = headers.length > 0 && !headers.some((header) => header.toLowerCase() === 'x-remote-uid');
  return isOdd ? [named('requestheader-uid-headers', headers.join())] : [];
}

/** How it asks the API server. Source: client-go rest/config.go; apimachinery runtime/serializer. */
function oddAsking(flags: Flags): readonly string[] {
  const { 'kube-api-burst': burst = '1', 'kube-api-qps': rate = '1', 'kube-api-content-type': type = '' } = flags;
  return [
    ...(Number(burst) <= 0 && Number(rate) > 0 ? [named('kube-api-burst', burst)] : []),
    ...(/^(?:application\/(?:json|yaml|cbor|vnd\.kubernetes\.protobuf))?$/.test(type)
      ? []
      : [named('kube-api-content-type', type)]),
  ];
}

const isAddress = (host: string): boolean =>
  /^[\d.]+$/.test(host) || (host.includes(':') && /^[\da-fA-F:.]+$/.test(host));
const oddAddress = ({ 'bind-address': bind = '' }: Flags): readonly string[] =>
  bind === '' || isAddress(bind) ? [] : [named('bind-address', bind)];

/** The release that it behaves as is its own, or one of the three before. Source: component-base compatibility. */
function oddRelease(flags: Flags, minor: number | null): readonly string[] {
  if (minor === null) return [];
  const told = ['emulated-version', 'min-compatibility-version'].flatMap((name) =>
    itemsOf(flags[name]).map((item) => [name, item] as const),
  );
  return told.flatMap(([name, item]) => {
    const own = Number(/^(?:kube=)?v?1\.(\d{1,3})(?:\.\d{1,4})?$/.exec(item)?.[1] ?? minor);
    return own > minor || own < minor - 3 ? [named(name, item)] : [];
  });
}

/** What ends any of them, in words. */
export const endingComponent = (flags: Flags, minor: number | null): readonly string[] => [
  ...oddLogs(flags),
  ...oddMetrics(flags, minor),
  ...oddCurves(flags),
  ...oddProxied(flags),
  ...oddAsking(flags),
  ...oddAddress(flags),
  ...oddRelease(flags, minor),
];

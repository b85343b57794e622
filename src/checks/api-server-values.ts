/**
 * Values of flags that an API server reads, and ends with. Each was given to those of 1.31, 1.33 and 1.36.
 * Source: apiserver pkg/server/options, Validate; kubernetes pkg/kubeapiserver/options.
 */
type Flags = Readonly<Record<string, string>>;

const itemsOf = (list = ''): readonly string[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
const isGiven = (flags: Flags, name: string): boolean => (flags[name] ?? '') !== '';

/** Items of a list that are none, by its flag. */
const ITEMS: Readonly<Record<string, RegExp>> = {
  // a name with nothing behind it turns it on
  'runtime-config': /^(?:api\/\w{1,20}(?:=(?:true|false|1|0|))?|(?!api\/)[^/=]{1,200}\/.*|v\d.*)$/s,
  'feature-gates': /^[^=]{1,200}=(?:true|false|1|0|t|f|T|F|TRUE|FALSE|True|False)$/,
  'cors-allowed-origins': /^[^*+?]/,
  'strict-transport-security-directives': /^(?:max-age=\d+|includeSubDomains|preload)$/,
  'watch-cache-sizes': /^[^#]{1,200}#\d+$/,
  'oidc-signing-algs': /^(?:RS|ES|PS)(?:256|384|512)$/,
  'oidc-required-claim': /=/,
  'audit-log-version': /^audit\.k8s\.io\//,
  'etcd-servers-overrides': /#/,
};

const ATLEAST: Readonly<Record<string, RegExp>> = {
  'apiserver-count': /^(?:0+|-.*)$/s,
  'min-request-timeout': /^-/,
  'livez-grace-period': /^-/,
  'shutdown-delay-duration': /^-/,
  'shutdown-watch-termination-grace-period': /^-/,
  v: /^-/,
};

function oddModes(flags: Flags): readonly string[] {
  const modes = itemsOf(flags['authorization-mode']);
  const needs = { Webhook: 'authorization-webhook-config-file', ABAC: 'authorization-policy-file' } as const;
  return [
    ...modes.filter((mode, at) => modes.indexOf(mode) !== at).map((mode) => `--authorization-mode: ${mode} twice`),
    ...(['Webhook', 'ABAC'] as const)
      .filter((mode) => modes.includes(mode) && !isGiven(flags, needs[mode]))
      .map((mode) => `--authorization-mode: ${mode} without --${needs[mode]}`),
  ];
}

function oddPort(flags: Flags): readonly string[] {
  const port = Number(flags['kubernetes-service-node-port'] ?? '0');
  const [from = 0, to = 0] = (flags['service-node-port-range'] ?? '30000-32767').split('-').map(Number);
  const isOut = port > 0 && to > 0 && (port < from || port > to);
  return isOut ? [`--kubernetes-service-node-port=${port} is none of --service-node-port-range`] : [];
}

/** What ends it, in words. */
export function endingApiServer(flags: Flags): readonly string[] {
  const named = (name: string, value: string): string => `--${name}=${value.slice(0, 60)}`;
  const inflight = ['max-requests-inflight', 'max-mutating-requests-inflight'];
  const isBatch = isGiven(flags, 'audit-log-path') && flags['audit-log-mode'] === 'batch';
  const reload = /^(?:true|1|t)$/i.test(flags['encryption-provider-config-automatic-reload'] ?? '');
  return [
    ...Object.entries(ITEMS).flatMap(([name, item]) =>
      itemsOf(flags[name]).flatMap((one) => (item.test(one) ? [] : [named(name, one)])),
    ),
    ...Object.entries(ATLEAST).flatMap(([name, less]) => {
      const value = flags[name];
      return value !== undefined && less.test(value) ? [named(name, value)] : [];
    }),
    ...(inflight.every((name) => flags[name] === '0') ? ['no requests inflight'] : []),
    ...(isBatch && flags['audit-log-batch-max-size'] === '0' ? ['--audit-log-batch-max-size=0'] : []),
    ...(reload && !isGiven(flags, 'encryption-provider-config')
      ? ['--encryption-provider-config-automatic-reload without what is read again']
      : []),
    ...oddModes(flags),
    ...oddPort(flags),
  ];
}

/**
 * Values of flags that an API server reads, and ends with. Each was given to those of 1.31, 1.33 and 1.36.
 * Source: apiserver pkg/server/options, Validate; kubernetes pkg/kubeapiserver/options.
 */

import { isSwitchedOn } from '../written/control-plane-flags.js';
import { secondsOf } from '../written/flag-values.js';
import { isGateOn, isGiven, itemsOf, named } from './component-values.js';

type Flags = Readonly<Record<string, string>>;

/** Items of a list that are none, by its flag. */
const ITEMS: Readonly<Record<string, RegExp>> = {
  // a name with nothing behind it turns it on
  'runtime-config': /^(?:api\/\w{1,20}(?:=(?:true|false|1|0|))?|(?!api\/)[^/=]{1,200}\/.*|v\d.*)$/s,
  'feature-gates': /^[^=]{1,200}=(?:true|false|1|0|t|f|T|F|TRUE|FALSE|True|False)$/,
  // its ends are pinned: CVE-2022-1996
  'cors-allowed-origins': /^(?![*+?])(?=.*(?:\^|\/\/))(?=.*[$:])/s,
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
  'request-timeout': /^-/,
  'storage-initialization-timeout': /^-/,
  'livez-grace-period': /^-/,
  'shutdown-delay-duration': /^-/,
  'shutdown-watch-termination-grace-period': /^-/,
  v: /^-/,
};

function oddModes(flags: Flags): readonly string[] {
  const modes = itemsOf(flags['authorization-mode']);
  const needs = { Webhook: 'authorization-webhook-config-file', ABAC: 'authorization-policy-file' } as const;
  const others = ['authorization-mode', 'authorization-webhook-config-file'];
  return [
    ...(isGiven(flags, 'authorization-config')
      ? others.filter((name) => isGiven(flags, name)).map((name) => `--${name} beside --authorization-config`)
      : []),
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

/** Flags of OpenID Connect need those two that say whom to ask; since 1.33 empty ones do as well. */
function oddOidc(flags: Flags, minor: number | null): readonly string[] {
  const [issuer, client] = [isGiven(flags, 'oidc-issuer-url'), isGiven(flags, 'oidc-client-id')];
  const told = Object.keys(flags).filter((name) => name.startsWith('oidc-'));
  const others = told.filter((name) => isGiven(flags, name) || (minor ?? 0) >= 33);
  const isConfigured = isGiven(flags, 'authentication-config');
  if (others.length === 0 || (issuer && client && !isConfigured)) return [];
  if (isConfigured) return [`--${others[0]} beside --authentication-config`];
  return issuer || client
    ? ['--oidc-issuer-url and --oidc-client-id go together']
    : [`--${others[0]} without --oidc-issuer-url and --oidc-client-id`];
}

/** Groups and versions that API servers of 1.31 to 1.36 have. Source: k8s.io/api, apiextensions, kube-aggregator. */
const GROUPS = new Set(
  (
    'admissionregistration.k8s.io apiextensions.k8s.io apiregistration.k8s.io apps authentication.k8s.io ' +
    'authorization.k8s.io autoscaling batch certificates.k8s.io coordination.k8s.io discovery.k8s.io events.k8s.io ' +
    'extensions flowcontrol.apiserver.k8s.io imagepolicy.k8s.io internal.apiserver.k8s.io networking.k8s.io ' +
    'node.k8s.io policy rbac.authorization.k8s.io resource.k8s.io scheduling.k8s.io storage.k8s.io ' +
    'storagemigration.k8s.io admission.k8s.io apidiscovery.k8s.io abac.authorization.kubernetes.io'
  ).split(' '),
);
/** Versions of some of them that one of 1.31 to 1.36 has; it ends at one that it has not. */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  apps: ['v1', 'v1beta1', 'v1beta2'],
  autoscaling: ['v1', 'v2', 'v2beta1', 'v2beta2'],
  batch: ['v1', 'v1beta1'],
  extensions: ['v1beta1'],
  policy: ['v1', 'v1beta1'],
  'authentication.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  'authorization.k8s.io': ['v1', 'v1beta1'],
  'certificates.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  'discovery.k8s.io': ['v1', 'v1beta1'],
  'events.k8s.io': ['v1', 'v1beta1'],
  'flowcontrol.apiserver.k8s.io': ['v1', 'v1beta1', 'v1beta2', 'v1beta3'],
  'networking.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  'node.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  'rbac.authorization.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
  'storage.k8s.io': ['v1', 'v1alpha1', 'v1beta1'],
};
const LISTED = [31, 36] as const;

function oddGroups(flags: Flags, minor: number | null): readonly string[] {
  const isListed = minor !== null && minor >= LISTED[0] && minor <= LISTED[1];
  return itemsOf(flags['runtime-config'])
    .filter((item) => {
      const [, group = '', version = ''] = /^(?!api\/)([^/=]+)\/(v[^/=]*)/.exec(item) ?? [];
      const isForm = /^v[12](?:(?:alpha|beta)[1-3])?$/.test(version);
      const isGone = isListed && VERSIONS[group]?.includes(version) === false;
      return group !== '' && (!GROUPS.has(group) || !isForm || isGone);
    })
    .map((item) => named('runtime-config', item));
}

/** Who signs tokens has the key, or is asked for them. */
function oddKeys(flags: Flags): readonly string[] {
  const keys = ['service-account-signing-key-file', 'service-account-key-file'].filter((name) => isGiven(flags, name));
  return isGiven(flags, 'service-account-signing-endpoint') && keys.length > 0
    ? [`--${keys[0]} beside --service-account-signing-endpoint`]
    : [];
}

/** What shares fairly is kept in objects of its own: the first of these that is told decides. */
function oddFairness(flags: Flags): readonly string[] {
  const told = itemsOf(flags['runtime-config']);
  const names = ['flowcontrol.apiserver.k8s.io/v1', 'api/ga', 'api/all'];
  const first = names.find((name) => told.some((item) => /=(?:true|false)$/.test(item) && item.startsWith(`${name}=`)));
  const isOff = first !== undefined && told.includes(`${first}=false`);
  const isFair = !/^(?:false|0|f)$/i.test(flags['enable-priority-and-fairness'] ?? '');
  return isOff && isFair ? [`--runtime-config=${first}=false beside priority and fairness`] : [];
}

/** "certificate,key:names" */
const oddSni = ({ 'tls-sni-cert-key': pair = '' }: Flags): readonly string[] =>
  pair === '' || /^[^,:]+,[^,:]+(?::.*)?$/s.test(pair) ? [] : [named('tls-sni-cert-key', pair)];

/** What an older release had not is on in none that behaves as itself. */
const oddEmulation = (flags: Flags): readonly string[] =>
  ['emulation-forward-compatible', 'runtime-config-emulation-forward-compatible']
    .filter((name) => isSwitchedOn(flags[name]) && !isGiven(flags, 'emulated-version'))
    .map((name) => `--${name} without --emulated-version`);

/** The lease of one who leads the others is renewed in time. Source: pkg/controlplane/apiserver/options/validation.go. */
function oddLeadership(flags: Flags): readonly string[] {
  const of = (name: string, otherwise: number): number =>
    secondsOf(flags[`coordinated-leadership-${name}`] ?? '') ?? otherwise;
  const [lease, renew, retry] = [of('lease-duration', 15), of('renew-deadline', 10), of('retry-period', 2)];
  const odd = `leadership of ${lease} s is renewed within ${renew} s, every ${retry} s`;
  return lease > renew && renew > retry ? [] : [odd];
}

const oddAudit = (flags: Flags): readonly string[] =>
  ['log', 'webhook'].flatMap((kind) => {
    const isOn = isGiven(flags, kind === 'log' ? 'audit-log-path' : 'audit-webhook-config-file');
    const of = (name: string, otherwise: number): number => Number(flags[`audit-${kind}-${name}`] ?? String(otherwise));
    const [event, batch] = [of('truncate-max-event-size', 102_400), of('truncate-max-batch-size', 10_485_760)];
    const isBatch = (flags[`audit-${kind}-mode`] ?? (kind === 'log' ? 'blocking' : 'batch')) === 'batch';
    const none = ['batch-buffer-size', 'batch-max-size'].filter((name) => of(name, 1) <= 0);
    const isThrottled = isSwitchedOn(flags[`audit-${kind}-batch-throttle-enable`] ?? String(kind === 'webhook'));
    const slow = ['batch-throttle-qps', 'batch-throttle-burst'].filter((name) => of(name, 1) <= 0);
    return isOn
      ? [
          ...(event > 0 && batch >= event ? [] : [`--audit-${kind}-truncate-max-event-size of ${event} and ${batch}`]),
          ...(isBatch ? none : []).map((name) => `--audit-${kind}-${name} is none`),
          ...(isBatch && isThrottled ? slow : []).map((name) => `--audit-${kind}-${name} is none`),
        ]
      : [];
  });

/** What ends it, in words. */
export function endingApiServer(flags: Flags, minor: number | null): readonly string[] {
  const inflight = ['max-requests-inflight', 'max-mutating-requests-inflight'];
  const isFair = !/^(?:false|0|f)$/i.test(flags['enable-priority-and-fairness'] ?? '');
  const { 'storage-media-type': stored = '' } = flags;
  const reload = /^(?:true|1|t)$/i.test(flags['encryption-provider-config-automatic-reload'] ?? '');
  return [
    ...Object.entries(ITEMS).flatMap(([name, item]) =>
      itemsOf(flags[name]).flatMap((one) => (item.test(one) ? [] : [named(name, one)])),
    ),
    ...Object.entries(ATLEAST).flatMap(([name, less]) => {
      const value = flags[name];
      return value !== undefined && less.test(value) ? [named(name, value)] : [];
    }),
    ...(isFair && inflight.every((name) => flags[name] === '0') ? ['no requests inflight'] : []),
    ...(stored === 'application/cbor' && !isGateOn(flags, 'CBORServingAndStorage', 'AllAlpha')
      ? [named('storage-media-type', stored)]
      : []),
    ...(reload && !isGiven(flags, 'encryption-provider-config')
      ? ['--encryption-provider-config-automatic-reload without what is read again']
      : []),
    ...oddModes(flags),
    ...oddPort(flags),
    ...oddOidc(flags, minor),
    ...oddKeys(flags),
    ...oddFairness(flags),
    ...oddSni(flags),
    ...oddEmulation(flags),
    ...oddGroups(flags, minor),
    ...oddLeadership(flags),
    ...oddAudit(flags),
  ];
}

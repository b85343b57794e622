/** What Pods of a control plane show of its flags, held to what the manifests of a node are held to. */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { isFalse } from '../node-files/node-flags.js';
import { oddFlags, shownOf } from '../node-files/node-relations.js';
import { unbroken, weakFlags } from '../node-files/node-weakened.js';
import { listOf, runsController } from '../written/control-plane-flags.js';
import { misread, writtenByAll } from '../written/flag-values.js';

/** The command line of one Pod. */
export interface PublishedLine {
  /** "Pod kube-system/kube-apiserver-cp1" */
  readonly subject: string;
  /** "kube-apiserver" */
  readonly program: string;
  readonly flags: Readonly<Record<string, string>>;
  /** "192.0.2.1:6443", where kubeadm has an API server answer; undefined: nobody says it. */
  readonly endpoint?: string | undefined;
  /** Its kubelet asks it over HTTP, without a credential, whether it is well. */
  readonly isProbed?: boolean;
}

/** Where no file says it. Source: pkg/kubeapiserver/options/authorization.go; cmd/kubeadm, manifests.go getAuthzModes. */
function unauthorized(flags: PublishedLine['flags']): readonly string[] {
  const { 'authorization-mode': given, 'authorization-config': file = '' } = flags;
  if (file !== '') return [];
  const modes = listOf(given ?? 'AlwaysAllow');
  return [
    ...(modes.includes('AlwaysAllow') ? ['whoever is let in may do everything'] : []),
    ...['RBAC', 'Node']
      .filter((mode) => given !== undefined && !modes.includes(mode))
      .map((mode) => `--authorization-mode is without ${mode}`),
  ];
}

/**
 * Kubelets are known by their certificates, and ask after an API server as nobody.
 * Source: pkg/kubeapiserver/options/authentication.go; cmd/kubeadm/app/util/staticpod LivenessProbe.
 */
export function unknown({ flags, isProbed = false }: Pick<PublishedLine, 'flags' | 'isProbed'>): readonly string[] {
  const { 'client-ca-file': ca = '', 'anonymous-auth': strangers = '' } = flags;
  return [
    ...(ca === '' ? ['nobody is known by a certificate'] : []),
    ...(isProbed && isFalse(strangers) ? ['the probes of its kubelet are refused'] : []),
  ];
}

/** Files of administrators. Source: cmd/kubeadm/app/constants, AdminKubeConfigFileName. */
const OF_ADMINISTRATORS = /(?:^|\/)(?:super-)?admin\.conf$/;
const ACTS_BY = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'] as const;

/** A component that acts as an administrator is stopped by no role, and neither is who takes its place. */
export const mighty = (flags: PublishedLine['flags']): readonly string[] =>
  ACTS_BY.filter((flag) => OF_ADMINISTRATORS.test(flags[flag] ?? '')).map(
    (flag) => `--${flag}=${flags[flag]}: it acts as an administrator`,
  );

/** Those that are off unless they are named. Source: cmd/kube-controller-manager/app/controllermanager.go. */
const offFor = ({ controllers }: PublishedLine['flags']): readonly string[] => [
  ...(runsController(controllers, 'tokencleaner') ? [] : ['tokens that have ended stay']),
  ...(runsController(controllers, 'bootstrapsigner') ? [] : ['nobody signs cluster-info']),
];

/**
 * An authority alone makes etcd ask for certificates; it names suites and versions otherwise than Kubernetes does.
 * Source: etcd, client/pkg/transport/listener.go TLSInfo.ServerConfig.
 */
function lacks(line: PublishedLine): readonly string[] {
  const { program, flags } = line;
  if (program === 'kube-apiserver') return [...unauthorized(flags), ...unknown(line)];
  if (program === 'kube-controller-manager') return [...offFor(flags), ...mighty(flags)];
  if (program === 'kube-scheduler') return mighty(flags);
  if (program !== 'etcd') return [];
  const { 'cert-file': own = '', 'trusted-ca-file': ca = '', 'client-cert-auth': asks } = flags;
  const { seen, ok } = unbroken(flags['tls-min-version'] ?? '', listOf(flags['cipher-suites']));
  return [
    ...(own !== '' && ca === '' && asks !== 'true' ? ['it asks nobody for a certificate'] : []),
    ...(ok ? [] : [`it takes ${seen}`]),
  ];
}

/** No flag takes away what the program is safe by, and none is at odds with another. */
export const publishedFlagsSound: Check<readonly PublishedLine[]> = {
  id: 'published-flags/sound',
  source: '002, design; reference of kube-apiserver, kube-controller-manager and etcd',
  judge: (lines) =>
    lines.flatMap((line) => {
      const { subject, program, flags } = line;
      const weak = [...weakFlags(program, flags), ...lacks(line), ...writtenByAll(flags)];
      const odd = [...oddFlags(program, flags), ...misread(flags, program === 'etcd' ? program : 'kubernetes')];
      return [
        demand({
          subject,
          demanded: 'no flag takes away what it is safe by',
          seen: shownOf(weak, 'none does'),
          ok: weak.length === 0,
        }),
        demand({ subject, demanded: 'its flags go together', seen: shownOf(odd, 'they do'), ok: odd.length === 0 }),
      ];
    }),
};

/** Any certificate of one authority is for clients and for who speaks for others. */
export function speakForOthers(flags: PublishedLine['flags']): boolean {
  const { 'requestheader-client-ca-file': proxies = '', 'client-ca-file': clients = '' } = flags;
  return proxies !== '' && proxies === clients && namesIn(flags).length === 0;
}
const namesIn = ({ 'requestheader-allowed-names': names }: PublishedLine['flags']): readonly string[] =>
  listOf(names).filter((name) => name !== '');

/**
 * Whoever has a certificate of the authority for clients must not speak for others: where that of proxies is the same,
 * their names decide.
 * Source: apiserver, pkg/authentication/request/headerrequest; kubernetes.io, aggregation layer.
 */
export const publishedProxiesApart: Check<readonly PublishedLine[]> = {
  id: 'published-flags/proxies-apart',
  source: 'k8s.io/apiserver pkg/server/options/authentication.go RequestHeaderAuthenticationOptions',
  judge: (lines) =>
    lines.map(({ subject, flags }) => {
      const { 'requestheader-client-ca-file': proxies = '', 'client-ca-file': clients = '' } = flags;
      const names = namesIn(flags);
      const apart = proxies === '' || proxies !== clients;
      return demand({
        subject,
        demanded: 'who has a certificate of the authority for clients may not speak for others by it',
        seen: apart
          ? `the authority for proxies is ${proxies === '' ? 'not given' : 'another one'}`
          : `${proxies} is for both, and ${names.length === 0 ? 'any name' : names.join(', ')} may speak`,
        ok: !speakForOthers(flags),
      });
    }),
};

/**
 * Does what kubelet-config tells every kubelet that joins start one, and is it of this cluster?
 * What is left out is filled in by kubeadm. Source: cmd/kubeadm/app/componentconfigs/kubelet.go Default.
 */
import { FEATURE_GATES } from '../../kubernetes/feature-gates.js';
import { type Fields, isRecord, record, text, texts } from '../../kubernetes/json.js';
import { isAmong } from '../../kubernetes/no-proxy.js';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import { inSpan, NEWEST_MINOR, type Span } from '../../kubernetes/versions.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { oddKubeletLimits } from '../node-files/kubelet-limits.js';
import { oddKubeletFields } from '../written/kubelet-fields.js';
import { oddKubeletValues } from '../written/kubelet-values.js';
import { documentOf } from './machine-configuration.js';

export interface KubeletTold {
  /** "ConfigMap kube-system/kubelet-config" */
  readonly subject: string;
  /** false: there is none that can be read, which others tell of. */
  readonly there: boolean;
  /** What a kubelet does not take. */
  readonly odd: readonly string[];
  /** What is of another cluster. */
  readonly apart: readonly string[];
}

/** Addresses of Services; `dns`: there is a Service kube-dns. */
export interface ServicesSeen {
  readonly dns: boolean;
  readonly addresses: readonly string[];
  /** Nothing on machines answers in its place: what is beyond the subnets of Services is nobody then. */
  readonly alone?: boolean;
}

/** Reader of what is kept of Services. */
export const readServices = (services: readonly KubeObject[]): ServicesSeen => ({
  dns: services.some(({ metadata: { namespace, name } }) => namespace === 'kube-system' && name === 'kube-dns'),
  addresses: services.flatMap(({ spec }) => {
    const { clusterIP, clusterIPs } = record(spec);
    return [text(clusterIP), ...texts(clusterIPs)];
  }),
});

const VERSION = 'kubelet.config.k8s.io/v1beta1';
const DRIVERS = ['', 'cgroupfs', 'systemd'];

/** No machine that joins as a worker has these; without its files a kubelet does not start. Source: kubeadm, constants.go. */
const OF_CONTROL_PLANES =
  /^\/etc\/kubernetes\/pki\/(?:apiserver|apiserver-kubelet-client|apiserver-etcd-client|front-proxy-client|etcd\/[a-z-]+)\.(?:crt|key)$/;
/** Fields and gates of other minors are not listed. */
const LISTED: Span = { since: 31, until: NEWEST_MINOR };
const unknownIn = (settings: Fields): readonly string[] => [
  ...oddKubeletFields(settings),
  ...Object.keys(record(settings.featureGates))
    .filter((gate) => !FEATURE_GATES.has(gate))
    .map((gate) => `the feature gate ${gate}`),
];

const oddIn = (settings: Fields, minor: number): readonly string[] => [
  ...(settings.apiVersion === VERSION ? [] : [`apiVersion ${text(settings.apiVersion) || 'is not set'}`]),
  ...(inSpan(minor, LISTED) ? unknownIn(settings) : []),
  ...oddKubeletValues(settings),
  ...(inSpan(minor, LISTED) ? oddKubeletLimits(settings) : []),
  ...(DRIVERS.includes(text(settings.cgroupDriver)) ? [] : ['cgroupDriver']),
  ...(settings.registerNode === false ? ['registerNode: its machine never becomes a node'] : []),
  ...(record(record(settings.authentication).webhook).enabled === false
    ? ['authentication.webhook.enabled: nobody comes in with a token']
    : []),
  ...[settings.tlsCertFile, settings.tlsPrivateKeyFile]
    .filter((file) => OF_CONTROL_PLANES.test(text(file)))
    .map((file) => `${text(file)}, which control planes alone have`),
  // Source: apiserver, pkg/server/options/serving.go; net/http ServeTLS
  ...((text(settings.tlsCertFile) === '') === (text(settings.tlsPrivateKeyFile) === '')
    ? []
    : ['one of tlsCertFile and tlsPrivateKeyFile without the other']),
  ...(/^(?:127\.|::1$)/.test(text(settings.address))
    ? [`address ${text(settings.address)}, where no API server reaches it`]
    : []),
  ...(text(settings.providerID) === ''
    ? []
    : [`providerID ${text(settings.providerID)}, by which each is the same machine`]),
];

/** Of a machine itself, where a cache listens. */
const isOfMachine = (address: string): boolean =>
  isAmong(address, '127.0.0.0', '8') || isAmong(address, '169.254.0.0', '16') || isAmong(address, 'fe80::', '10');

/** The DNS of the cluster stands among Services; beyond their addresses it is somebody else's, where there is one. */
function dnsApart(
  told: readonly string[],
  subnets: readonly string[],
  { dns, addresses, alone = false }: ServicesSeen,
): boolean {
  const isOfServices = (address: string): boolean =>
    subnets.some((subnet) => {
      const [network = '', bits = ''] = subnet.trim().split('/');
      return isAmong(address, network, bits);
    });
  const isNobody = (address: string): boolean => isOfServices(address) || (alone && !isOfMachine(address));
  return dns && told.length > 0 && told.every((address) => isNobody(address) && !addresses.includes(address));
}

const differs = (name: string, told: unknown, wanted: string): readonly string[] =>
  text(told) === '' || wanted === '' || text(told).replace(/\.$/, '') === wanted
    ? []
    : [`${name} ${text(told)}, not ${wanted}`];

function apartFrom(settings: Fields, cluster: Fields, services: ServicesSeen): readonly string[] {
  const { dnsDomain, serviceSubnet } = record(cluster.networking);
  const folder = text(cluster.certificatesDir) || '/etc/kubernetes/pki';
  const told = texts(settings.clusterDNS);
  const { x509 } = record(settings.authentication);
  const subnets = (text(serviceSubnet) || '10.96.0.0/12').split(',');
  return [
    ...differs('clusterDomain', settings.clusterDomain, text(dnsDomain)),
    ...differs('clientCAFile', record(x509).clientCAFile, `${folder}/ca.crt`),
    // kubeadm always names it
    ...(x509 !== undefined && text(record(x509).clientCAFile) === ''
      ? ['no clientCAFile, by which the API server comes in']
      : []),
    ...differs('staticPodPath', settings.staticPodPath, '/etc/kubernetes/manifests'),
    ...(dnsApart(told, subnets, services) ? [`clusterDNS ${told.join(', ')}, which no Service has`] : []),
  ];
}

interface Maps {
  readonly kubelets: ConfigMap | undefined;
  readonly cluster: ConfigMap | undefined;
  /** Of the API server. */
  readonly minor: number;
}

/** Reader of kubelet-config beside kubeadm-config. */
export function readKubeletTold(
  subject: string,
  { kubelets, cluster, minor }: Maps,
  services: ServicesSeen,
): KubeletTold {
  const settings = documentOf(kubelets, 'kubelet');
  if (!isRecord(settings)) return { subject, there: false, odd: [], apart: [] };
  const configuration = documentOf(cluster, 'ClusterConfiguration');
  return {
    subject,
    there: true,
    odd: oddIn(settings, minor),
    apart: isRecord(configuration) ? apartFrom(settings, configuration, services) : [],
  };
}

const shown = (odd: readonly string[], none: string): string => odd.slice(0, 5).join('; ').slice(0, 240) || none;

/** Every kubelet that joins is started with it. */
export const kubeletsStart: Check<KubeletTold> = {
  id: 'kubelet-told/start',
  source: 'pkg/kubelet/apis/config/validation/validation.go; kubelet.config.k8s.io/v1beta1',
  nothing: 'no configuration of kubelets can be read',
  judge: ({ subject, there, odd }) =>
    there
      ? [demand({ subject, demanded: 'says what a kubelet takes', seen: shown(odd, 'it does'), ok: odd.length === 0 })]
      : [],
};

export const kubeletsOfCluster: Check<KubeletTold> = {
  id: 'kubelet-told/of-cluster',
  source: 'cmd/kubeadm/app/componentconfigs/kubelet.go Default',
  nothing: 'no configuration of kubelets can be read',
  judge: ({ subject, there, apart }) =>
    there
      ? [demand({ subject, demanded: 'is of this cluster', seen: shown(apart, 'it is'), ok: apart.length === 0 })]
      : [],
};

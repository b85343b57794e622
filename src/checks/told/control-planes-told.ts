/**
 * Is what kubeadm-config tells a control plane that joins of this cluster, and does kubeadm know what is said there?
 * kubeadm passes over fields and gates that it does not know, with a warning that nobody sees.
 * Source: cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go and v1beta3; features/features.go;
 * util/config/cluster.go getInitConfigurationFromCluster; util/pkiutil rsaKeySizeFromAlgorithmType.
 */

import { argumentsIn } from '../../kubernetes/extra-args.js';
import { type Fields, isRecord, record, text, texts } from '../../kubernetes/json.js';
import { isAmong } from '../../kubernetes/no-proxy.js';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import { serviceAddresses } from '../../kubernetes/service-addresses.js';
import { withoutSlashes } from '../../kubernetes/slashes.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { namesHost } from '../cluster-info/address.js';
import { inOrder } from '../node-files/component-values.js';
import { hostOf } from '../node-files/node-names.js';
import { shareAddresses } from '../node-files/node-subnets.js';
import { isLoopback } from '../node-files/node-weakened.js';
import { isDuration, secondsOf } from '../written/flag-values.js';
import { documentOf } from './machine-configuration.js';

export interface ControlPlanesTold {
  /** "ConfigMap kube-system/kubeadm-config" */
  readonly subject: string;
  readonly there: boolean;
  /** What kubeadm does not know. */
  readonly odd: readonly string[];
  /** What is of another cluster. */
  readonly apart: readonly string[];
  /** What a new control plane would not live with for long. */
  readonly frail?: readonly string[];
}

const SINCE_V1BETA3 =
  'apiVersion kind etcd networking kubernetesVersion controlPlaneEndpoint apiServer controllerManager scheduler dns ' +
  'certificatesDir imageRepository featureGates clusterName';
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'kubeadm.k8s.io/v1beta3': SINCE_V1BETA3.split(' '),
  'kubeadm.k8s.io/v1beta4':
    `${SINCE_V1BETA3} proxy certificateValidityPeriod caCertificateValidityPeriod encryptionAlgorithm`.split(' '),
};
/** Of kubeadm since 1.22; clusters keep those that have gone. */
const GATES =
  'ControlPlaneKubeletLocalMode EtcdLearnerMode IPv6DualStack NodeLocalCRISocket PublicKeysECDSA RootlessControlPlane ' +
  'UnversionedKubeletConfigMap UpgradeAddonsBeforeControlPlane WaitForAllControlPlaneComponents';
const ALGORITHMS = ['', 'ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096'];

const DAY = 86_400_000;
const YEAR = 365 * DAY;
/** Nobody renews by hand within a day; kubeadm gives leafs a year and authorities ten. */
const LIVES = [
  ['certificateValidityPeriod', DAY, 10 * YEAR],
  ['caCertificateValidityPeriod', 30 * DAY, 50 * YEAR],
] as const;

/** An address, a name, or all names below one. Source: cmd/kubeadm/app/apis/kubeadm/validation ValidateCertSANs. */
const isSubjectName = (name: string): boolean =>
  (name.length <= 253 && /^(?:\*\.)?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/.test(name)) ||
  (name.includes(':') && /^[\da-fA-F:.]{2,45}$/.test(name));

/** Versions that are not known here are left alone; what has no form that it reads ends kubeadm. */
function oddIn(told: Fields): readonly string[] {
  const fields = FIELDS[text(told.apiVersion)];
  if (fields === undefined) return [];
  const algorithm = text(told.encryptionAlgorithm);
  return [
    ...Object.keys(told)
      .filter((name) => !fields.includes(name))
      .map((name) => `the field ${name}`),
    ...Object.keys(record(told.featureGates))
      .filter((gate) => !GATES.split(' ').includes(gate))
      .map((gate) => `the feature gate ${gate}`),
    ...(ALGORITHMS.includes(algorithm) ? [] : [`encryptionAlgorithm ${algorithm}`]),
    ...LIVES.filter(
      ([field]) => told[field] !== undefined && told[field] !== null && !isDuration(text(told[field])),
    ).map(([field]) => `${field}, which is no duration`),
    ...texts(record(told.apiServer).certSANs)
      .filter((name) => !isSubjectName(name))
      .map((name) => `apiServer.certSANs ${name}, which is no name`),
    // Source: cmd/kubeadm/app/util/endpoint.go ParseHostPort
    ...(/[/@?#\s]/.test(text(told.controlPlaneEndpoint))
      ? [`controlPlaneEndpoint ${text(told.controlPlaneEndpoint)}, which is no host and port`]
      : []),
    ...(text(told.imageRepository).includes('://') ? ['imageRepository, which is a URL and no registry'] : []),
  ];
}

/** Milliseconds of a duration of Go; undefined: it is not said, or is none. What is before nothing is nothing. */
function durationOf(value: unknown): number | undefined {
  const said = text(value);
  if (!isDuration(said)) return undefined;
  if (said.startsWith('-') || said === '0') return 0;
  const seconds = secondsOf(said.replace(/^\+/, ''));
  return seconds === undefined ? undefined : seconds * 1000;
}

function frailIn(told: Fields): readonly string[] {
  const [leafs, authorities] = LIVES.map(([field]) => durationOf(told[field]));
  const { external } = record(told.etcd);
  // who asks nobody for a certificate, nobody has to bring one to
  const isGuarded = ['certFile', 'keyFile'].every((field) => text(record(external)[field]) !== '');
  return [
    ...LIVES.flatMap(([field, least, most]) => {
      const life = durationOf(told[field]) ?? least;
      return life < least || life > most ? [`${field} ${text(told[field])}`] : [];
    }),
    ...((leafs ?? YEAR) > (authorities ?? 10 * YEAR) ? ['certificates that outlive their authority'] : []),
    ...texts(record(external).endpoints)
      .filter((url) => !isLoopback(hostOf(url)) && (url.startsWith('http://') || !isGuarded))
      .map((url) => `etcd at ${url}, which anybody reads and writes who gets there`),
  ];
}

export interface Seen {
  /** The Service "kubernetes". */
  readonly api: KubeObject | undefined;
  /** The URL of cluster-info; '' where there is none. */
  readonly published: string;
  /** The certificate that the API server presents, in PEM; null where nobody has seen it. */
  readonly leaf: string | null;
  /** Images that the control plane and kube-proxy run. */
  readonly images: readonly string[];
  /** Ranges of addresses of Pods and Services by its flags; none where they are not shown. */
  readonly ranges: { readonly pods: readonly string[]; readonly services: readonly string[] };
}

/** Another host is another name of the same API server, unless its certificate is for the published one alone. */
function endpointApart(endpoint: string, { published, leaf }: Seen): readonly string[] {
  const [host, known] = [hostOf(`https://${endpoint}`), hostOf(published)];
  if (host === '' || leaf === null) return [];
  return namesHost(leaf, known) && !namesHost(leaf, host)
    ? [`controlPlaneEndpoint ${endpoint}, for which the certificate of the API server is not`]
    : [];
}

function subnetApart(subnets: string, api: KubeObject | undefined): readonly string[] {
  const addresses = serviceAddresses(api);
  const holds = subnets.split(',').some((subnet) => {
    const [network = '', bits = ''] = subnet.trim().split('/');
    return addresses.some((address) => isAmong(address, network, bits));
  });
  return subnets === '' || addresses.length === 0 || holds
    ? []
    : [`networking.serviceSubnet ${subnets}, beyond which the Service kubernetes has ${addresses[0] ?? ''}`];
}

const PROGRAM = /^(.+)\/(kube-(?:apiserver|controller-manager|scheduler|proxy))(?:[:@]|$)/;

/** Both are one: the old name of what kubeadm takes by default. Source: cmd/kubeadm/app/apis/kubeadm/v1beta4/defaults.go. */
const renamed = (repository: string): string => (repository === 'k8s.gcr.io' ? 'registry.k8s.io' : repository);

/** What joins, and what is upgraded, is made of images from there. */
function imagesApart(repository: string, images: readonly string[]): readonly string[] {
  const others = images.flatMap((image) => {
    const [, home = '', program = ''] = PROGRAM.exec(image) ?? [];
    return program === '' || renamed(home) === renamed(repository)
      ? []
      : [`${program} runs from ${home}, not from its imageRepository`];
  });
  return repository === '' ? [] : [...new Set(others)];
}

const VERSION = /^v?1\.(\d{1,3})\.\d{1,3}(?:[-+][\w.+-]{1,60})?$/;

/** While they are upgraded, the newest of several API servers comes first, and what is told follows. */
function versionApart(told: string, images: readonly string[]): readonly string[] {
  const own = Number(VERSION.exec(told)?.[1]);
  const run = images.flatMap((image) => {
    const [, minor] = /\/kube-apiserver:v1\.(\d{1,3})\./.exec(image) ?? [];
    return minor === undefined ? [] : [Number(minor)];
  });
  const newest = Math.max(...run);
  return run.length > 0 && own > newest ? [`kubernetesVersion ${told}, and API servers of 1.${newest}`] : [];
}

/** Members of one etcd run one release: what joins is made of the image that is told. */
function etcdApart(tag: string, images: readonly string[]): readonly string[] {
  const run = images.flatMap((image) => /\/etcd:([^@]+)/.exec(image)?.[1] ?? []);
  return tag === '' || run.length === 0 || run.includes(tag)
    ? []
    : [`etcd.local.imageTag ${tag}, and etcd runs as ${run[0]}`];
}

/** What is upgraded gets its flags from there. */
function rangeApart(field: string, told: string, shown: string): readonly string[] {
  const [own, other] = [told, shown].map(inOrder);
  return own === '' || other === '' || own === other ? [] : [`networking.${field} ${told}, and by its flags ${shown}`];
}

/** Flags in extraArgs go before what kubeadm makes of the fields. Source: cmd/kubeadm, manifests.go getAPIServerCommand. */
const RANGES = [
  ['apiServer', 'service-cluster-ip-range', 'serviceSubnet'],
  ['controllerManager', 'service-cluster-ip-range', 'serviceSubnet'],
  ['controllerManager', 'cluster-cidr', 'podSubnet'],
] as const;

function flagsApart(told: Fields): readonly string[] {
  const networking = record(told.networking);
  return RANGES.flatMap(([component, flag, field]) => {
    const given = argumentsIn(record(told[component]).extraArgs).findLast(([name]) => name === flag)?.[1] ?? '';
    const own = text(networking[field]);
    return given === '' || own === '' || inOrder(given) === inOrder(own)
      ? []
      : [`${component}.extraArgs ${flag} ${given}, beside networking.${field} ${own}`];
  });
}

/** Reader. */
export function readControlPlanesTold(subject: string, map: ConfigMap | undefined, seen: Seen): ControlPlanesTold {
  const told = documentOf(map, 'ClusterConfiguration');
  if (!isRecord(told)) return { subject, there: false, odd: [], apart: [] };
  const networking = record(told.networking);
  const [podSubnet, serviceSubnet] = [text(networking.podSubnet), text(networking.serviceSubnet)];
  return {
    subject,
    there: true,
    odd: oddIn(told),
    apart: [
      ...endpointApart(text(told.controlPlaneEndpoint), seen),
      ...subnetApart(serviceSubnet, seen.api),
      ...(shareAddresses(podSubnet, serviceSubnet)
        ? [`networking.podSubnet ${podSubnet}, which has addresses of Services`]
        : []),
      ...versionApart(text(told.kubernetesVersion), seen.images),
      ...seen.ranges.pods.flatMap((shown) => rangeApart('podSubnet', podSubnet, shown)),
      ...seen.ranges.services.flatMap((shown) => rangeApart('serviceSubnet', serviceSubnet, shown)),
      ...flagsApart(told),
      ...etcdApart(text(record(record(told.etcd).local).imageTag), seen.images),
      ...imagesApart(withoutSlashes(text(told.imageRepository)), seen.images),
    ],
    frail: frailIn(told),
  };
}

/** kubeadm writes certificates, kubeconfigs and static Pods of a new control plane from it. */
export const controlPlanesOfCluster: Check<ControlPlanesTold> = {
  id: 'control-planes-told/of-cluster',
  source: 'cmd/kubeadm/app/util/config/cluster.go getInitConfigurationFromCluster; apis/kubeadm/v1beta4/types.go',
  nothing: 'no ClusterConfiguration is there',
  judge: ({ subject, there, odd, apart, frail }) => {
    const look = (demanded: string, found: readonly string[]) =>
      demand({
        subject,
        demanded,
        seen: found.slice(0, 5).join('; ').slice(0, 240) || 'it does',
        ok: found.length === 0,
      });
    return there
      ? [
          look('says what kubeadm knows', odd),
          look('names the API server and the Services of this cluster', apart),
          ...(frail === undefined
            ? []
            : [look('makes what lasts, and keeps etcd to those who have a certificate', frail)]),
        ]
      : [];
  },
};

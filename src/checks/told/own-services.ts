/**
 * Services that every Pod of a machine relies on: "kubernetes", which the API server keeps without a selector, and
 * kube-dns as kubeadm deploys it. Any EndpointSlice that bears the name of a Service adds to where it leads; the API
 * server keeps the slice "kubernetes" alone, and leaves others as they are (tried with kube-apiserver 1.36).
 * Source: pkg/controlplane/controller/kubernetesservice; apiserver, pkg/reconcilers; pkg/proxy/endpointslicecache.go;
 * cmd/kubeadm/app/phases/addons/dns/manifests.go.
 */
import { count, type Fields, record, records, text, texts } from '../../kubernetes/json.js';
import { KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import type { Route } from './publishing-routes.js';

export interface ServiceSeen {
  /** "Service kube-system/kube-dns" */
  readonly subject: string;
  /** What leads elsewhere, or nowhere. */
  readonly odd: readonly string[];
}

const addressesIn = ({ endpoints }: KubeObject): readonly string[] =>
  records(endpoints).flatMap(({ addresses }) => texts(addresses));

/** Slices whose addresses the one of the API server does not have. */
function beside(slices: readonly KubeObject[]): readonly string[] {
  const own = slices.find(({ metadata }) => metadata.name === 'kubernetes');
  if (own === undefined) return [];
  const known = addressesIn(own);
  return slices.flatMap((slice) => {
    const others = addressesIn(slice).filter((address) => !known.includes(address));
    return others.length === 0 ? [] : [`EndpointSlice ${slice.metadata.name ?? ''} leads to ${others.join(', ')}`];
  });
}

const kindsOf = ({ type, clusterIP, externalIPs }: Readonly<Record<string, unknown>>): readonly string[] => [
  ...(type === 'ExternalName' ? ['it is but a name of somebody else'] : []),
  ...(clusterIP === 'None' ? ['it has no address'] : []),
  ...(texts(externalIPs).length > 0 ? [`it takes over ${texts(externalIPs).join(', ')}`] : []),
];

interface Found {
  readonly service: KubeObject | undefined;
  readonly slices: readonly KubeObject[];
}

/** What is known elsewhere of where the API server is; '' and none: nobody says it. */
interface ApiKnown {
  /** networking.serviceSubnet of kubeadm-config. */
  readonly subnets?: string;
  /** Addresses that API servers advertise, as their Pods show them. */
  readonly advertised?: readonly string[];
}

/** The first address of the range, which the API server takes for itself; undefined: not known here. */
function firstIn(subnets: string): string | undefined {
  const [network = ''] = (subnets.split(',')[0] ?? '').trim().split('/');
  const [, beginning, last] = /^((?:\d{1,3}\.){3})(\d{1,3})$/.exec(network) ?? [];
  return beginning === undefined || Number(last) > 254 ? undefined : `${beginning}${Number(last) + 1}`;
}

/**
 * The API server takes the first address of its range, and tells by which one it is reached.
 * Source: pkg/controlplane/apiserver/options ServiceIPRange; pkg/controlplane/reconcilers.
 */
function elsewhere(spec: Fields, slices: readonly KubeObject[], { subnets = '', advertised = [] }: ApiKnown) {
  const first = firstIn(subnets);
  const own = [text(spec.clusterIP), ...texts(spec.clusterIPs)];
  const led = slices.filter(({ metadata }) => metadata.name === 'kubernetes').flatMap(addressesIn);
  const isLost = led.length > 0 && advertised.length > 0 && !led.some((address) => advertised.includes(address));
  return [
    ...(first === undefined || own.includes(first) || own[0] === ''
      ? []
      : [`its address is ${own[0]}, and the first of ${subnets} is ${first}`]),
    ...(isLost ? [`it leads to ${led.join(', ')}, and API servers are at ${advertised.join(', ')}`] : []),
  ];
}

/** Of the Service "kubernetes". */
export function readApiService({ service, slices }: Found, known: ApiKnown = {}): ServiceSeen {
  const subject = 'Service default/kubernetes';
  if (service === undefined) return { subject, odd: ['it is not there'] };
  const spec = record(service.spec);
  return {
    subject,
    odd: [
      ...kindsOf(spec),
      ...(Object.keys(record(spec.selector)).length > 0 ? ['it leads to Pods, by a selector'] : []),
      ...beside(slices),
      ...elsewhere(spec, slices, known),
    ],
  };
}

const LABEL = 'k8s-app';
/** Who keeps the slices of a Service with a selector. */
const KEEPER = 'endpointslice-controller.k8s.io';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';

/** What Pods of CoreDNS are labelled: by kubeadm, and by its chart. */
const LABELS: readonly unknown[] = ['kube-dns', 'coredns'];

/** Further labels make it narrower, which is no harm while it finds anybody. */
function oddSelector(
  selector: Readonly<Record<string, unknown>>,
  slices: readonly KubeObject[],
  labels: Readonly<Record<string, unknown>> | undefined,
): readonly string[] {
  if (!LABELS.includes(selector[LABEL])) return ['its selector is not that of CoreDNS'];
  const isForOthers = labels !== undefined && Object.entries(selector).some(([key, value]) => labels[key] !== value);
  const findsNobody = (Object.keys(selector).length > 1 || isForOthers) && slices.flatMap(addressesIn).length === 0;
  return findsNobody ? ['its selector finds no Pod'] : [];
}

/** Where CoreDNS listens: ports of its containers by number and by name, and those of its Corefile. */
export interface DnsListens {
  readonly ports: readonly (number | string)[];
  /** Of its Pods; undefined: nobody knows. */
  readonly labels?: Readonly<Record<string, unknown>>;
}

/** Reader of its Deployment and its Corefile; none: nobody knows. */
export function readDnsListens(deployment: KubeObject | undefined, corefile: string): DnsListens {
  const template = record(record(deployment?.spec).template);
  const pod = record(template.spec);
  const named = records(pod.containers).flatMap(({ ports }) =>
    records(ports).flatMap(({ name, containerPort }) => [text(name), count(containerPort)]),
  );
  const written = corefile.split('\n').flatMap((line) => {
    const [, port] = /:(\d{1,5})[\s,]{0,9}(?:\{|$)/.exec(line.slice(0, 300)) ?? [];
    return port === undefined ? [] : [Number(port)];
  });
  return deployment === undefined
    ? { ports: [] }
    : { ports: [...named, ...written], labels: record(record(template.metadata).labels) };
}

/** A port of the Service at which no CoreDNS listens. */
function oddTargets(ports: readonly Readonly<Record<string, unknown>>[], listens: DnsListens): readonly string[] {
  if (listens.ports.length === 0) return [];
  return ports
    .filter(({ port }) => port === 53)
    .flatMap(({ targetPort = 53, protocol }) =>
      listens.ports.includes(targetPort as number | string)
        ? []
        : [`its port for ${text(protocol) || 'TCP'} leads to ${String(targetPort)}, where CoreDNS does not listen`],
    );
}

/** Of kube-dns beside the DNS that kubelets are told. */
export function readDnsService(
  { service, slices }: Found,
  told: readonly string[],
  listens: DnsListens = { ports: [] },
): ServiceSeen {
  const subject = 'Service kube-system/kube-dns';
  if (service === undefined) return { subject, odd: ['it is not there'] };
  const spec = record(service.spec);
  const selector = record(spec.selector);
  const lacks = ['UDP', 'TCP'].filter(
    (protocol) => !records(spec.ports).some((port) => port.port === 53 && (text(port.protocol) || 'TCP') === protocol),
  );
  const own = [text(spec.clusterIP), ...texts(spec.clusterIPs)];
  return {
    subject,
    odd: [
      ...kindsOf(spec),
      ...oddSelector(selector, slices, listens.labels),
      ...lacks.map((protocol) => `it has no port 53 for ${protocol}`),
      ...oddTargets(records(spec.ports), listens),
      ...(told.length === 0 || told.some((address) => own.includes(address))
        ? []
        : [`it is ${text(spec.clusterIP)}, and kubelets are told ${told.join(', ')}`]),
      ...slices
        .filter(({ metadata: { labels } }) => labels?.[MANAGED_BY] !== KEEPER)
        .map(
          (slice) =>
            `EndpointSlice ${slice.metadata.name ?? ''} is somebody else's, and leads to ${addressesIn(slice).join(', ')}`,
        ),
    ],
  };
}

/** Where something is that every Pod relies on. */
export interface Relied {
  readonly address: string;
  readonly port: number;
}

/** Whoever leads to the API server may have its address. */
const OF_API_SERVERS = ['kube-apiserver', 'apiserver', 'control-plane'];

/**
 * Of all others. kube-proxy takes what goes to an address and a port of a Service wherever it is sent from, and sends it
 * to the Pods of that Service. Source: CVE-2020-8554.
 */
export function readTakenOver(services: readonly KubeObject[], relied: readonly Relied[]): readonly ServiceSeen[] {
  return services.flatMap(({ metadata: { namespace = '', name = '' }, spec, status }) => {
    const own = `${namespace}/${name}`;
    const { externalIPs, ports, selector } = record(spec);
    const leads = Object.values(record(selector)).some((value) => OF_API_SERVERS.includes(text(value)));
    if (leads || Object.keys(record(selector)).length === 0) return [];
    if (['default/kubernetes', 'kube-system/kube-dns'].includes(own)) return [];
    const taken = [
      ...texts(externalIPs),
      ...records(record(record(status).loadBalancer).ingress)
        .filter(({ ipMode }) => ipMode !== 'Proxy')
        .map(({ ip }) => text(ip)),
    ];
    const odd = relied
      .filter(({ address, port }) => taken.includes(address) && records(ports).some((one) => one.port === port))
      .map(({ address, port }) => `it takes over ${address}, port ${port}`);
    return odd.length === 0 ? [] : [{ subject: `Service ${own}`, odd: [...new Set(odd)] }];
  });
}

export const servicesLead: Check<readonly ServiceSeen[]> = {
  id: 'own-services/lead',
  source: 'pkg/controlplane/controller/kubernetesservice; cmd/kubeadm/app/phases/addons/dns/manifests.go',
  nothing: 'nobody relies on a Service of kubeadm here',
  judge: (services) =>
    services.map(({ subject, odd }) =>
      demand({
        subject,
        demanded: 'leads to what it is for',
        seen: odd.slice(0, 5).join('; ').slice(0, 240) || 'it does',
        ok: odd.length === 0,
      }),
    ),
};

/** Their Pods carry these labels. Source: cmd/kubeadm/app/util/staticpod/utils.go ComponentPod. */
const COMPONENTS = ['etcd', 'kube-controller-manager', 'kube-scheduler'];
const API_SERVER = 'kube-apiserver';
/** Where they listen on a control plane. Source: kubernetes.io, ports and protocols. */
const LISTENS: Readonly<Record<number, string>> = {
  2379: 'etcd',
  2380: 'etcd',
  10257: 'kube-controller-manager',
  10259: 'kube-scheduler',
};

/** Of a slice that no controller has made of Pods: where its Service leads. */
export interface SliceSeen {
  /** "default/etcd" */
  readonly service: string;
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

const OF_SERVICE = 'kubernetes.io/service-name';

/** Reader; undefined of those that Pods stand in. */
export function readSlice(slice: KubeObject): SliceSeen | undefined {
  const { namespace = '', labels } = slice.metadata;
  const service = labels?.[OF_SERVICE];
  if (service === undefined || labels?.[MANAGED_BY] === KEEPER) return undefined;
  return {
    service: `${namespace}/${service}`,
    addresses: addressesIn(slice),
    ports: records(slice.ports).map(({ port }) => count(port)),
  };
}

interface Opened {
  readonly services: readonly KubeObject[];
  readonly slices: readonly SliceSeen[];
  readonly routes: readonly Route[];
  /** Of control planes. */
  readonly addresses: readonly string[];
}

const nameOf = ({ metadata: { namespace = '', name = '' } }: KubeObject): string => `${namespace}/${name}`;

/** "etcd", where a Service leads there by its selector or by slices that somebody has made. */
function componentOf(service: KubeObject, { slices, addresses }: Opened): string {
  const own = nameOf(service);
  const { component, tier = 'control-plane', ...others } = record(record(service.spec).selector);
  if (own === 'default/kubernetes') return API_SERVER;
  const { namespace } = service.metadata;
  if (
    namespace === KUBE_SYSTEM &&
    tier === 'control-plane' &&
    Object.keys(others).length === 0 &&
    component !== undefined
  )
    return text(component);
  const led = slices
    .filter((slice) => slice.service === own && slice.addresses.some((address) => addresses.includes(address)))
    .flatMap(({ ports }) => ports.flatMap((port) => LISTENS[port] ?? []));
  return led[0] ?? '';
}

/** Services and routes that are open beyond the cluster, and the component that they lead to. */
export function readOpenedUp(seen: Opened): readonly ServiceSeen[] {
  const led = new Map<string, string>();
  for (const service of seen.services) led.set(nameOf(service), componentOf(service, seen));
  const services = seen.services.flatMap((service) => {
    const { type, externalIPs } = record(service.spec);
    const isOpen = type === 'NodePort' || type === 'LoadBalancer' || texts(externalIPs).length > 0;
    const component = led.get(nameOf(service)) ?? '';
    if (!(isOpen && COMPONENTS.includes(component))) return [];
    return [{ subject: `Service ${nameOf(service)}`, odd: [`it leads to ${component}, as ${text(type)}`] }];
  });
  const routes = seen.routes.flatMap(({ subject, services: to, reads }) => {
    const odd = to.flatMap((service) => {
      const component = led.get(service) ?? '';
      if (COMPONENTS.includes(component)) return [`it leads to ${component}`];
      return component === API_SERVER && reads ? [`it reads along what is sent to ${component}`] : [];
    });
    return odd.length === 0 ? [] : [{ subject, odd: [...new Set(odd)] }];
  });
  return [...services, ...routes];
}

/** `seen`: how many Services there are. */
export const nothingOpenedUp: Check<{ readonly opened: readonly ServiceSeen[]; readonly seen: number }> = {
  id: 'own-services/opened-up',
  source: 'kubernetes.io, Securing a cluster, Restrict access to etcd; etcd.io, Transport security model',
  nothing: 'there is no Service here',
  judge: ({ opened, seen }) => {
    const demanded = 'leads from beyond the cluster to no part of the control plane but the API server';
    if (seen === 0) return [];
    return opened.length === 0
      ? [refusal({ subject: 'Services', demanded, seen: `none of ${seen} does`, ok: true })]
      : opened.map(({ subject, odd }) => refusal({ subject, demanded, seen: odd.join('; '), ok: false }));
  },
};

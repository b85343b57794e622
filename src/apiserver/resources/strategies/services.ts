/**
 * Services as far as a cluster without traffic needs them: defaults, and an address that is given once and kept. What
 * else upstream validates about them is taken as it comes. Source: pkg/apis/core/v1/defaults.go SetDefaults_Service;
 * pkg/registry/core/service/ {strategy.go,storage/alloc.go}.
 */
import { count, type Fields, records, text, texts } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { ipv4Number, ipv4Text } from '../../go/ip.js';
import { invalid } from '../../machinery/errors.js';
import { duplicate, invalidValue, notSupportedWord, required } from '../../machinery/field-errors.js';
import { dnsLabel } from '../../machinery/name-rules.js';
import type { FieldError, StrategyContext } from '../../resource-definition.js';
import { type Behaviours, onlyLabels } from '../behaviour.js';
import { proxySubresource } from '../proxies.js';
import { spec, withDefaults, withFields } from '../read.js';

const SERVICES = { group: '', resource: 'services' } as const;
const NONE = 'None';
/** kubeadm's service subnet, 10.96.0.0/12. The low end is left to addresses that people choose. */
const RANGE = { text: '10.96.0.0/12', first: ipv4Number('10.96.0.0'), size: 2 ** 20, reserved: 256 } as const;
const NODE_PORTS = { first: 30_000, size: 2768 } as const;

const typeOf = (service: KubeObject): string => text(spec(service).type);
const clusterIps = (service: KubeObject): readonly string[] => texts(spec(service).clusterIPs);
const hasNodePorts = (service: KubeObject): boolean => ['NodePort', 'LoadBalancer'].includes(typeOf(service));

function defaults(service: KubeObject): KubeObject {
  const own = spec(service);
  const type = text(own.type) || 'ClusterIP';
  const ports = records(own.ports).map((port) => ({
    ...withDefaults(port, { protocol: 'TCP' }),
    targetPort: port.targetPort === 0 ? port.port : text(port.targetPort) || count(port.targetPort) || port.port,
  }));
  return withFields(service, {
    spec: withDefaults(
      { ...own, ...(ports.length === 0 ? {} : { ports }) },
      {
        type,
        sessionAffinity: 'None',
        ...(type === 'ExternalName' ? {} : { internalTrafficPolicy: 'Cluster' }),
        ...(type === 'NodePort' || type === 'LoadBalancer' ? { externalTrafficPolicy: 'Cluster' } : {}),
        ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {}),
      },
    ),
  });
}

/** The address that is asked for; undefined: any. */
const wantedIp = (service: KubeObject): string | undefined => text(spec(service).clusterIP) || clusterIps(service)[0];

const numberErrors = (path: string, port: unknown): FieldError[] =>
  count(port) >= 1 && count(port) <= 65_535
    ? []
    : [invalidValue(path, count(port), 'must be between 1 and 65535, inclusive')];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Each port is reached by its name, and by its protocol and number. Source: validation.go validateServicePort. */
function portErrors(ports: readonly Fields[]): FieldError[] {
  const [names, places] = [new Set<string>(), new Set<string>()];
  const single = ports.flatMap(({ name: given, port, protocol: spoken, targetPort }, at): FieldError[] => {
    const [path, name, protocol] = [`spec.ports[${at}]`, text(given), text(spoken)];
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...(ports.length > 1 && name === '' ? [required(`${path}.name`)] : []),
      ...(name === '' ? [] : dnsLabel(name).map((why) => invalidValue(`${path}.name`, name, why))),
      ...(name !== '' && isTaken ? [duplicate(`${path}.name`, name)] : []),
      ...numberErrors(`${path}.port`, port),
      ...(PROTOCOLS.includes(protocol) ? [] : [notSupportedWord(`${path}.protocol`, protocol, PROTOCOLS)]),
      // what is no number is the name of a port of the Pod
      ...(typeof targetPort === 'string' ? [] : numberErrors(`${path}.targetPort`, targetPort)),
    ];
  });
  const twice = ports.flatMap(({ port, protocol }, at): FieldError[] => {
    const place = {
      Name: '',
      Protocol: text(protocol),
      AppProtocol: null,
      Port: count(port),
      TargetPort: 0,
      NodePort: 0,
    };
    const isTaken = places.has(JSON.stringify(place));
    places.add(JSON.stringify(place));
    return isTaken ? [duplicate(`spec.ports[${at}]`, place)] : [];
  });
  return [...single, ...twice];
}

const validate = (service: KubeObject): FieldError[] => [
  ...(records(spec(service).ports).length === 0 && wantedIp(service) !== NONE && typeOf(service) !== 'ExternalName'
    ? [required('spec.ports')]
    : []),
  ...portErrors(records(spec(service).ports)),
];

/** A free number of `size` from a random start; undefined where all are taken. */
function free(size: number, isTaken: (offset: number) => boolean, context: StrategyContext): number | undefined {
  const start = Buffer.from(context.random(4)).readUInt32BE(0) % size;
  for (let step = 0; step < size; step += 1) if (!isTaken((start + step) % size)) return (start + step) % size;
  return undefined;
}

/**
 * The service with an address of the range and node ports. @throws ApiError 422 where the wanted address is not to be
 * had
 */
function allocate(service: KubeObject, context: StrategyContext): KubeObject {
  // What is not valid is refused before anything is given out.
  if (typeOf(service) === 'ExternalName' || validate(service).length > 0) return service;
  const own = spec(service);
  const wanted = wantedIp(service);
  const families = withDefaults(own, { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  if (wanted === NONE) return withFields(service, { spec: { ...families, clusterIPs: [NONE] } });
  const { name, namespace } = service.metadata;
  const others = context.store
    .list(SERVICES)
    .filter(({ metadata }) => metadata.name !== name || metadata.namespace !== namespace);
  const taken = new Set(others.flatMap(clusterIps));
  const refuse = (why: string): never => {
    throw invalid({ group: '', kind: 'Service' }, name ?? '', [
      invalidValue('spec.clusterIPs', [wanted ?? ''], `failed to allocate IP ${wanted}: ${why}`),
    ]);
  };
  if (wanted !== undefined && taken.has(wanted)) refuse('provided IP is already allocated');
  const offset = wanted === undefined ? 0 : ipv4Number(wanted) - RANGE.first;
  if (offset < 0 || offset >= RANGE.size)
    refuse(`the provided IP (${wanted}) is not in the valid range. The range of valid IPs is ${RANGE.text}`);
  const addressAt = (at: number): string => ipv4Text(RANGE.first + RANGE.reserved + at);
  const found = free(RANGE.size - RANGE.reserved - 1, (at) => taken.has(addressAt(at)), context);
  const clusterIP = wanted ?? (found === undefined ? refuse('range is full') : addressAt(found));
  const ports = hasNodePorts(service) ? nodePorts(service, others, context) : own.ports;
  return withFields(service, { spec: { ...families, clusterIP, clusterIPs: [clusterIP], ports } });
}

function nodePorts(service: KubeObject, others: readonly KubeObject[], context: StrategyContext): unknown {
  const ports = records(spec(service).ports);
  const used = new Set(
    others
      .flatMap((other) => records(spec(other).ports))
      .concat(ports)
      .map((port) => port.nodePort),
  );
  return ports.map((port) => {
    if (count(port.nodePort) !== 0) return port;
    const nodePort = NODE_PORTS.first + (free(NODE_PORTS.size, (at) => used.has(NODE_PORTS.first + at), context) ?? 0);
    used.add(nodePort);
    return { ...port, nodePort };
  });
}

/** What a user leaves out of an update stays allocated. Source: strategy.go patchAllocatedValues. */
function keepAllocated(service: KubeObject, old: KubeObject): KubeObject {
  if (typeOf(service) === 'ExternalName' || typeOf(old) === 'ExternalName') return service;
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = spec(old);
  return withFields(service, {
    spec: withDefaults(spec(service), { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy }),
  });
}

export const serviceBehaviours: Behaviours = {
  services: () => ({
    metadataOnUpdate: 'update',
    default: defaults,
    prepareForCreate: allocate,
    prepareForUpdate: (service, old, context) => allocate(keepAllocated(service, old), context),
    validate,
    validateChange: (service, old) => {
      const [after, before] = [clusterIps(service)[0], clusterIps(old)[0]];
      const changed = before !== undefined && after !== undefined && before !== after;
      return changed ? [invalidValue('spec.clusterIPs[0]', clusterIps(service), 'may not change once set')] : [];
    },
    subresources: [proxySubresource('ServiceProxyOptions')],
    fieldSelectors: { 'spec.clusterIP': (service) => text(spec(service).clusterIP), 'spec.type': typeOf },
    refuseFieldLabel: onlyLabels('metadata.namespace', 'metadata.name', 'spec.clusterIP', 'spec.type'),
  }),
};

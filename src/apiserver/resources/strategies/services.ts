/**
 * Services with their allocated addresses and node ports. Source: pkg/apis/core/validation/validation.go validateService,
 * pkg/registry/core/service/{strategy.go,storage/alloc.go}, pkg/apis/core/v1/defaults.go SetDefaults_Service.
 */
import { isDeepStrictEqual } from 'node:util';
import { count, type Fields, record, records, text, textMap, texts } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { isIp, parseRange } from '../../go/ip.js';
import {
  at,
  child,
  duplicate,
  forbiddenField,
  invalidEach,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/field-errors.js';
import { validateLabels } from '../../machinery/metadata-validation.js';
import { dnsLabel, dnsSubdomain, labelKey, portName, portNumber } from '../../machinery/name-rules.js';
import type { FieldError, StrategyContext } from '../../types.js';
import { type Behaviour, type Behaviours, onlyLabels } from '../behaviour.js';
import type { ResourceHooks } from '../hooks.js';
import { proxySubresource } from '../proxies.js';
import { spec, status, withFields } from '../read.js';
import {
  allocateAddress,
  allocateNodePorts,
  clusterIps,
  hasNodePorts,
  isExternal,
  isHeadless,
  NONE,
  typeOf,
} from '../service-allocation.js';

const DEFAULT_CIDR = '10.96.0.0/12';
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] as const;
const CLIENT_IP_SECONDS = 10800;

const needsHealthCheck = (service: KubeObject): boolean =>
  typeOf(service) === 'LoadBalancer' && spec(service).externalTrafficPolicy === 'Local';

function affinity(own: Fields): Fields {
  const sessionAffinity = text(own.sessionAffinity) || 'None';
  const { sessionAffinityConfig: _config, ...rest } = own;
  if (sessionAffinity !== 'ClientIP') return { ...(sessionAffinity === 'None' ? rest : own), sessionAffinity };
  const { timeoutSeconds } = record(record(own.sessionAffinityConfig).clientIP);
  return {
    ...own,
    sessionAffinity,
    sessionAffinityConfig: { clientIP: { timeoutSeconds: timeoutSeconds ?? CLIENT_IP_SECONDS } },
  };
}

function defaults(service: KubeObject): KubeObject {
  const own = affinity(spec(service));
  const ports = records(own.ports).map((port) => ({
    ...port,
    protocol: text(port.protocol) || 'TCP',
    targetPort:
      port.targetPort === 0 || port.targetPort === '' || port.targetPort === undefined ? port.port : port.targetPort,
  }));
  const type = text(own.type) || 'ClusterIP';
  let out: KubeObject = withFields(service, { spec: { ...own, type, ...(ports.length === 0 ? {} : { ports }) } });
  const add = (fields: Fields): void => {
    out = withFields(out, { spec: { ...fields, ...spec(out) } });
  };
  if (isExternal(out)) add({ externalTrafficPolicy: 'Cluster' });
  if (type !== 'ExternalName') add({ internalTrafficPolicy: 'Cluster' });
  if (type === 'LoadBalancer') add({ allocateLoadBalancerNodePorts: true });
  return out;
}

/** One address or a list of them: setting the one sets the other. Source: strategy.go NormalizeClusterIPs. */
function normalize(service: KubeObject, old: KubeObject | undefined): KubeObject {
  const [own, before] = [spec(service), old === undefined ? undefined : spec(old)];
  const single = text(own.clusterIP);
  const many = texts(own.clusterIPs);
  if (before === undefined) {
    if (single !== '' && many.length === 0) return withFields(service, { spec: { ...own, clusterIPs: [single] } });
    return service;
  }
  const [singleBefore, manyBefore] = [text(before.clusterIP), texts(before.clusterIPs)];
  const sameList = isDeepStrictEqual(many, manyBefore);
  if (single === '' && singleBefore !== '' && sameList) {
    const { clusterIP: _one, clusterIPs: _all, ...rest } = own;
    return withFields(service, { spec: rest });
  }
  if (single !== singleBefore && single !== '' && sameList)
    return withFields(service, { spec: { ...own, clusterIPs: [single, ...many.slice(1)] } });
  return service;
}

/** What a user leaves out of an update stays allocated. Source: strategy.go patchAllocatedValues. */
function keepAllocated(service: KubeObject, old: KubeObject): KubeObject {
  let own = spec(service);
  const before = spec(old);
  const [needs, needed] = [typeOf(service) !== 'ExternalName', typeOf(old) !== 'ExternalName'];
  if (needs && needed) {
    if (text(own.clusterIP) === '' && clusterIps(service).length === 0)
      own = { ...own, clusterIP: before.clusterIP, clusterIPs: before.clusterIPs };
    own = {
      ...own,
      ipFamilies: own.ipFamilies ?? before.ipFamilies,
      ipFamilyPolicy: own.ipFamilyPolicy ?? before.ipFamilyPolicy,
    };
  }
  if (hasNodePorts(service) && hasNodePorts(old)) {
    const known = new Map(
      records(before.ports).map((port) => [`${text(port.protocol)}/${count(port.port)}`, port.nodePort]),
    );
    own = {
      ...own,
      ports: records(own.ports).map((port) => {
        const kept = known.get(`${text(port.protocol)}/${count(port.port)}`);
        return count(port.nodePort) !== 0 || kept === undefined ? port : { ...port, nodePort: kept };
      }),
    };
  }
  return withFields(service, { spec: own });
}

/** Fields that make no sense for the new type are dropped where the old object had them too. Source: strategy.go dropTypeDependentFields. */
function dropForType(service: KubeObject, old: KubeObject): KubeObject {
  let own = spec(service);
  const before = spec(old);
  const drop = (...fields: readonly string[]): void => {
    if (fields.every((field) => isDeepStrictEqual(own[field], before[field])))
      own = Object.fromEntries(Object.entries(own).filter(([field]) => !fields.includes(field)));
  };
  if (typeOf(service) === 'ExternalName' && typeOf(old) !== 'ExternalName')
    drop('clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy');
  if (hasNodePorts(old) && !hasNodePorts(service))
    own = {
      ...own,
      ports: records(own.ports).map((port, index) =>
        port.nodePort === records(before.ports)[index]?.nodePort ? withFields(port, { nodePort: undefined }) : port,
      ),
    };
  if (typeOf(old) === 'LoadBalancer' && typeOf(service) !== 'LoadBalancer') drop('allocateLoadBalancerNodePorts');
  if (isExternal(old) && !isExternal(service)) drop('externalTrafficPolicy');
  if (typeOf(service) === 'ExternalName' && typeOf(old) !== 'ExternalName') drop('internalTrafficPolicy');
  return withFields(service, { spec: own });
}

function validatePort(port: Fields, requireName: boolean, names: Set<string>, path: string): FieldError[] {
  const name = text(port.name);
  const errors: FieldError[] = [];
  if (requireName && name === '') errors.push(required(child(path, 'name')));
  else if (name !== '') {
    errors.push(...invalidEach(child(path, 'name'), name, dnsLabel(name)));
    if (names.has(name)) errors.push(duplicate(child(path, 'name'), name));
    names.add(name);
  }
  errors.push(...invalidEach(child(path, 'port'), count(port.port), portNumber(count(port.port))));
  const protocol = text(port.protocol);
  if (!['SCTP', 'TCP', 'UDP'].includes(protocol))
    errors.push(notSupported(child(path, 'protocol'), protocol, ['SCTP', 'TCP', 'UDP']));
  const target = port.targetPort;
  const faults = typeof target === 'string' ? portName(target) : portNumber(count(target));
  errors.push(...invalidEach(child(path, 'targetPort'), target ?? 0, faults));
  const application = text(port.appProtocol);
  if (application !== '') errors.push(...invalidEach(child(path, 'appProtocol'), application, labelKey(application)));
  return errors;
}

function validatePorts(service: KubeObject): FieldError[] {
  const ports = records(spec(service).ports);
  const names = new Set<string>();
  return ports.flatMap((port, index) => validatePort(port, ports.length > 1, names, at('spec.ports', index)));
}

/** Ports that may not be said, or not twice; after everything else. */
function validatePortUse(service: KubeObject): FieldError[] {
  const ports = records(spec(service).ports);
  const errors: FieldError[] = [];
  if (typeOf(service) === 'ClusterIP')
    ports.forEach((port, index) => {
      if (count(port.nodePort) !== 0)
        errors.push(forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
    });
  const seen = { node: new Set<string>(), port: new Set<string>() };
  ports.forEach((port, index) => {
    const key = `${text(port.protocol)}/${count(port.nodePort)}`;
    if (count(port.nodePort) !== 0 && seen.node.has(key))
      errors.push(duplicate(`spec.ports[${index}].nodePort`, port.nodePort));
    seen.node.add(key);
  });
  ports.forEach((port, index) => {
    const key = `${text(port.protocol)}/${count(port.port)}`;
    const printed = {
      Name: '',
      Protocol: text(port.protocol),
      AppProtocol: null,
      Port: count(port.port),
      TargetPort: 0,
      NodePort: 0,
    };
    if (seen.port.has(key)) errors.push(duplicate(`spec.ports[${index}]`, printed));
    seen.port.add(key);
  });
  return errors;
}

function validateExternalName(service: KubeObject): FieldError[] {
  const { externalName, ipFamilies, ipFamilyPolicy } = spec(service);
  const name = text(externalName).replace(/\.$/, '');
  const unset = (field: string): FieldError =>
    forbiddenField(`spec.${field}`, 'may not be set for ExternalName services');
  return [
    ...(clusterIps(service).length > 0 ? [unset('clusterIPs')] : []),
    ...(texts(ipFamilies).length > 0 ? [unset('ipFamilies')] : []),
    ...(ipFamilyPolicy === undefined ? [] : [unset('ipFamilyPolicy')]),
    ...(name === '' ? [required('spec.externalName')] : invalidEach('spec.externalName', name, dnsSubdomain(name))),
  ];
}

function validateAddresses(service: KubeObject): FieldError[] {
  if (typeOf(service) === 'ExternalName') return [];
  const own = spec(service);
  const addresses = clusterIps(service);
  const errors: FieldError[] = [];
  if (text(own.clusterIP) !== '') {
    if (addresses.length === 0) errors.push(required('spec.clusterIPs'));
    else if (addresses[0] !== own.clusterIP)
      errors.push(invalidValue('spec.clusterIPs', addresses, 'first value must match `clusterIP`'));
  } else if (addresses.length > 0)
    errors.push(invalidValue('spec.clusterIPs', addresses, 'must be empty when `clusterIP` is not specified'));
  texts(own.ipFamilies).forEach((family, index, all) => {
    const path = at('spec.ipFamilies', index);
    if (family !== 'IPv4' && family !== 'IPv6') errors.push(notSupported(path, family, ['IPv4', 'IPv6']));
    if (all.indexOf(family) !== index) errors.push(duplicate(path, family));
  });
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
  if (own.ipFamilyPolicy !== undefined && !policies.includes(text(own.ipFamilyPolicy)))
    errors.push(notSupported('spec.ipFamilyPolicy', own.ipFamilyPolicy, policies));
  addresses.forEach((address, index) => {
    if (index === 0 && address === NONE) {
      if (addresses.length > 1)
        errors.push(invalidValue('spec.clusterIPs', addresses, "'None' must be the first and only value"));
    } else if (!isIp(address))
      errors.push(
        invalidValue(
          at('spec.clusterIPs', index),
          address,
          'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ),
      );
  });
  if (addresses.length > 2) errors.push(invalidValue('spec.clusterIPs', addresses, 'may only hold up to 2 values'));
  return errors;
}

function validateTraffic(service: KubeObject): FieldError[] {
  const { externalTrafficPolicy, healthCheckNodePort, internalTrafficPolicy, allocateLoadBalancerNodePorts } =
    spec(service);
  const errors: FieldError[] = [];
  if (allocateLoadBalancerNodePorts !== undefined && typeOf(service) !== 'LoadBalancer')
    errors.push(forbiddenField('spec.allocateLoadBalancerNodePorts', "may only be used when `type` is 'LoadBalancer'"));
  const outside = text(externalTrafficPolicy);
  if (!isExternal(service)) {
    if (outside !== '')
      errors.push(
        invalidValue('spec.externalTrafficPolicy', outside, 'may only be set for externally-accessible services'),
      );
  } else if (outside !== 'Cluster' && outside !== 'Local')
    errors.push(notSupported('spec.externalTrafficPolicy', outside, ['Cluster', 'Local']));
  if (!needsHealthCheck(service) && count(healthCheckNodePort) !== 0)
    errors.push(
      invalidValue(
        'spec.healthCheckNodePort',
        healthCheckNodePort,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  const inside = text(internalTrafficPolicy);
  if (inside !== '' && inside !== 'Cluster' && inside !== 'Local')
    errors.push(notSupported('spec.internalTrafficPolicy', inside, ['Cluster', 'Local']));
  return errors;
}

function validate(service: KubeObject): FieldError[] {
  const own = spec(service);
  const type = typeOf(service);
  const session = text(own.sessionAffinity);
  return [
    ...(records(own.ports).length === 0 && !isHeadless(service) && type !== 'ExternalName'
      ? [required('spec.ports')]
      : []),
    ...((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(service)
      ? [invalidValue('spec.clusterIPs[0]', NONE, `may not be set to 'None' for ${type} services`)]
      : []),
    ...(type === 'ExternalName' ? validateExternalName(service) : []),
    ...validatePorts(service),
    ...validateLabels(textMap(own.selector), 'spec.selector'),
    ...(session === 'ClientIP' || session === 'None'
      ? []
      : [notSupported('spec.sessionAffinity', session, ['ClientIP', 'None'])]),
    ...validateAddresses(service),
    ...(TYPES.some((known) => known === type) ? [] : [notSupported('spec.type', type, TYPES)]),
    ...validatePortUse(service),
    ...validateTraffic(service),
  ];
}

/** An address, once given, stays while the service keeps one. */
function validateSameAddress(service: KubeObject, old: KubeObject): FieldError[] {
  if (typeOf(service) === 'ExternalName' || typeOf(old) === 'ExternalName') return [];
  const [after, before] = [clusterIps(service), clusterIps(old)];
  if (after.length === 0 && before.length > 0)
    return [invalidValue('spec.clusterIPs[0]', after, 'primary clusterIP can not be unset')];
  return before.flatMap((address, index) =>
    index < after.length && after[index] !== address
      ? [invalidValue(at('spec.clusterIPs', index), after, 'may not change once set')]
      : [],
  );
}

/** Source: pkg/api/service/warnings.go GetWarningsForService. */
function warnings(service: KubeObject): readonly string[] {
  const { externalIPs, loadBalancerIP, sessionAffinity, externalName, trafficDistribution } = spec(service);
  const external = texts(externalIPs).length > 0;
  const isName = typeOf(service) === 'ExternalName';
  const said: readonly (readonly [boolean, string])[] = [
    [isHeadless(service) && text(loadBalancerIP) !== '', 'spec.loadBalancerIP is ignored for headless services'],
    [isHeadless(service) && external, 'spec.externalIPs is ignored for headless services'],
    [isHeadless(service) && sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services'],
    [
      external && !isHeadless(service) && !isName,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    [isName && external, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [!isName && text(externalName) !== '', 'spec.externalName is ignored when spec.type is not "ExternalName"'],
    [
      trafficDistribution === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  return said.filter(([applies]) => applies).map(([, warning]) => warning);
}

const services = (hooks: ResourceHooks): Behaviour => {
  const range = parseRange(hooks.serviceCidr ?? DEFAULT_CIDR) ?? parseRange(DEFAULT_CIDR);
  const allocate = (service: KubeObject, context: StrategyContext): KubeObject =>
    // What is not valid is refused before anything is given out.
    range === undefined || validate(service).length > 0
      ? service
      : allocateNodePorts(allocateAddress(service, range, context), context);
  return {
    metadataOnUpdate: 'update',
    default: defaults,
    prepareForCreate: (service, context) => allocate(normalize(service, undefined), context),
    prepareForUpdate: (service, old, context) =>
      allocate(dropForType(keepAllocated(normalize(service, old), old), old), context),
    validate,
    warnings,
    validateUpdate: (service, old) => [...validateSameAddress(service, old), ...validate(service)],
    validateStatus: (service) =>
      typeOf(service) !== 'LoadBalancer' && records(record(status(service).loadBalancer).ingress).length > 0
        ? [forbiddenField('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")]
        : [],
    subresources: [proxySubresource('ServiceProxyOptions')],
    fieldSelectors: { 'spec.clusterIP': (service) => text(spec(service).clusterIP), 'spec.type': typeOf },
    refuseFieldLabel: onlyLabels('metadata.namespace', 'metadata.name', 'spec.clusterIP', 'spec.type'),
  };
};

export const serviceBehaviours: Behaviours = { services };

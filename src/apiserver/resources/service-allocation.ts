/** What a Service is given: an address of the cluster's range, and node ports. Source: pkg/registry/core/service/storage/alloc.go, pkg/registry/core/service/{ipallocator,portallocator}. */

import { count, record, records, text, texts } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { addressAt, inRangeForUse, isIPv6, isIp, type Range } from '../go/ip.js';
import { invalid } from '../machinery/errors.js';
import { invalidValue } from '../machinery/field-errors.js';
import type { FieldError, StrategyContext } from '../types.js';
import { spec, withFields } from './read.js';

const SERVICES = { group: '', resource: 'services' } as const;
export const NONE = 'None';
const NODE_PORTS = { first: 30000, last: 32767 } as const;

export const typeOf = (service: KubeObject): string => text(spec(service).type);
export const clusterIps = (service: KubeObject): readonly string[] => texts(spec(service).clusterIPs);
export const isHeadless = (service: KubeObject): boolean => clusterIps(service)[0] === NONE;
export const hasNodePorts = (service: KubeObject): boolean =>
  typeOf(service) === 'NodePort' ||
  (typeOf(service) === 'LoadBalancer' && spec(service).allocateLoadBalancerNodePorts !== false);
export const isExternal = (service: KubeObject): boolean =>
  ['NodePort', 'LoadBalancer'].includes(typeOf(service)) ||
  (typeOf(service) === 'ClusterIP' && texts(spec(service).externalIPs).length > 0);

const allocated = (context: StrategyContext, except: KubeObject): readonly KubeObject[] =>
  context.store
    .list(SERVICES)
    .filter(
      (other) => other.metadata.name !== except.metadata.name || other.metadata.namespace !== except.metadata.namespace,
    );

const refuse = (service: KubeObject, error: FieldError): never => {
  throw invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', [error]);
};

/** Four random bytes as a number below `limit`. */
const below = (context: StrategyContext, limit: number): number =>
  Buffer.from(context.random(4)).readUInt32BE(0) % limit;

function pickAddress(range: Range, taken: ReadonlySet<string>, context: StrategyContext): string | undefined {
  // The low end is left to addresses that people choose: upstream takes from the upper part first.
  const reserved = Math.min(Math.max(16, Math.floor(range.size / 16)), 256);
  const upper = range.size - reserved - 1;
  const start = upper > 0 ? below(context, upper) : 0;
  for (let step = 0; step < upper; step += 1) {
    const address = addressAt(range, reserved + ((start + step) % upper));
    if (!taken.has(address)) return address;
  }
  for (let offset = 1; offset < Math.min(reserved, range.size - 1); offset += 1)
    if (!taken.has(addressAt(range, offset))) return addressAt(range, offset);
  return undefined;
}

/** The service with an address of the range, and its IP families. @throws ApiError 422 where a wanted address is not to be had */
export function allocateAddress(service: KubeObject, range: Range, context: StrategyContext): KubeObject {
  const own = spec(service);
  const wanted = clusterIps(service);
  if (typeOf(service) === 'ExternalName') return service;
  const noSelector = Object.keys(record(own.selector)).length === 0;
  const bothFamilies = wanted[0] === NONE && noSelector && own.ipFamilies === undefined;
  const families = {
    ipFamilies:
      own.ipFamilies ??
      (bothFamilies ? ['IPv4', 'IPv6'] : wanted.length > 0 && isIPv6(wanted[0] ?? '') ? ['IPv6'] : ['IPv4']),
    ipFamilyPolicy: own.ipFamilyPolicy ?? (bothFamilies ? 'RequireDualStack' : 'SingleStack'),
  };
  if (wanted[0] === NONE) return withFields(service, { spec: { ...own, ...families } });
  const taken = new Set(allocated(context, service).flatMap(clusterIps));
  for (const address of wanted) {
    const fail = (why: string): never =>
      refuse(service, invalidValue('spec.clusterIPs', wanted, `failed to allocate IP ${address}: ${why}`));
    if (!isIp(address)) continue;
    if (!inRangeForUse(range, address))
      fail(`the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.text}`);
    if (taken.has(address)) fail('provided IP is already allocated');
  }
  if (wanted.length > 0) return withFields(service, { spec: { ...own, ...families } });
  const address =
    pickAddress(range, taken, context) ?? refuse(service, invalidValue('spec.clusterIPs', [''], 'range is full'));
  return withFields(service, { spec: { ...own, clusterIP: address, clusterIPs: [address], ...families } });
}

/** The service with a node port for every port, where its type has them. @throws ApiError 422 */
export function allocateNodePorts(service: KubeObject, context: StrategyContext): KubeObject {
  if (!hasNodePorts(service)) return service;
  const taken = new Set(
    allocated(context, service).flatMap((other) => records(spec(other).ports).map((port) => count(port.nodePort))),
  );
  const size = NODE_PORTS.last - NODE_PORTS.first + 1;
  const used = new Map<number, string>();
  const ports = records(spec(service).ports).map((port, index) => {
    const given = count(port.nodePort);
    const fail = (why: string): never => refuse(service, invalidValue(`spec.ports[${index}].nodePort`, given, why));
    if (given !== 0) {
      // A dry run asks an allocator that knows no range.
      if (!context.dryRun && (given < NODE_PORTS.first || given > NODE_PORTS.last))
        fail(
          `provided port is not in the valid range. The range of valid ports is ${NODE_PORTS.first}-${NODE_PORTS.last}`,
        );
      if (taken.has(given)) fail('provided port is already allocated');
      used.set(given, text(port.protocol));
      return port;
    }
    let nodePort = NODE_PORTS.first + below(context, size);
    for (let step = 0; step < size && (taken.has(nodePort) || used.has(nodePort)); step += 1)
      nodePort = NODE_PORTS.first + ((nodePort - NODE_PORTS.first + 1) % size);
    used.set(nodePort, text(port.protocol));
    return { ...port, nodePort };
  });
  return withFields(service, { spec: { ...spec(service), ports } });
}

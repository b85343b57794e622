/**
 * Subresources that lead to a kubelet, a pod or a service behind the server. The reference has none of these, so an
 * authorised caller hears what an API server says that cannot reach them. Source:
 * pkg/registry/core/{node,pod,service}/rest, apiserver pkg/endpoints/handlers/rest.go ConnectResource.
 */

import { BlockList, isIP, isIPv6 } from 'node:net';
import { record, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { goQuote, parseInt64 } from '../go/text.js';
import { badRequest, invalid, notFound, plainError } from '../machinery/errors.js';
import { invalidValue, NEGATIVE } from '../machinery/field-errors.js';
import type { StrategyContext, Subresource } from '../resource-definition.js';
import { ApiError } from '../types.js';
import { status } from './read.js';

type Action = Extract<Subresource, { kind: 'action' }>;
const NODES = { group: '', resource: 'nodes' };
const PROXY_VERBS = ['create', 'delete', 'get', 'patch', 'update'] as const;
const plural = {
  NodeProxyOptions: 'nodes',
  PodProxyOptions: 'pods',
  ServiceProxyOptions: 'services',
} as const;

const unavailable = (message: string): ApiError => new ApiError(503, 'ServiceUnavailable', message);

const SCHEMES = ['', 'http', 'https'];

/**
 * What "name", "name:port" or "https:name:port" leads to. Source: apimachinery, pkg/util/net/port_split.go
 * SplitSchemeNamePort. @throws 400, 404
 */
function behind(resource: string, given: string, { store, namespace }: StrategyContext): KubeObject {
  const parts = given.split(':');
  const [scheme = '', name = ''] = parts.length === 3 ? parts : ['', parts[0]];
  if (parts.length > 3 || name === '' || !SCHEMES.includes(scheme))
    throw badRequest(`invalid ${resource.slice(0, -1)} request ${goQuote(given)}`);
  const kind = { group: '', resource };
  const found = store.get(kind, resource === 'nodes' ? undefined : namespace, name);
  if (found === undefined) throw notFound(kind, name);
  return found;
}

/** As kubeadm's API servers are told by --kubelet-preferred-address-types. */
const PREFERRED_ADDRESSES = ['InternalIP', 'ExternalIP', 'Hostname'];
const KUBELET_PORT = 10_250;
const UNROUTED = addresses([
  ['0.0.0.0', 32],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 128],
  ['::1', 128],
  ['fe80::', 10],
  ['ff00::', 8],
]);

function addresses(networks: readonly (readonly [network: string, bits: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, familyOf(network));
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

const noSuchHost = (host: string): string => `lookup ${host}: no such host`;

/** Where the kubelet of a node is looked for. */
interface Kubelet {
  readonly host: string;
  /** "10.0.0.1:10250" */
  readonly address: string;
  /** What becomes of a connection to it: nobody is there. */
  readonly unreached: string;
}

/** @throws 500 where no address is of a type that is asked. Source: pkg/util/node/node.go NoMatchError. */
function kubeletOf(node: KubeObject): Kubelet {
  const { addresses: told, daemonEndpoints } = status(node);
  const known = records(told);
  const found = PREFERRED_ADDRESSES.flatMap((type) => known.filter((one) => one.type === type))[0];
  if (found === undefined) {
    const listed = known.map(({ type, address }) => `{${text(type)} ${text(address)}}`).join(' ');
    throw plainError(`no preferred addresses found; known addresses: [${listed}]`);
  }
  const host = text(found.address);
  const port = record(record(daemonEndpoints).kubeletEndpoint).Port;
  const address = `${isIPv6(host) ? `[${host}]` : host}:${typeof port === 'number' && port > 0 ? port : KUBELET_PORT}`;
  const unreached = isIP(host) === 0 ? noSuchHost(host) : `${address}: connect: connection refused`;
  return { host, address, unreached: `dial tcp${isIP(host) === 0 ? ':' : ''} ${unreached}` };
}

/** Source: pkg/registry/core/node/strategy.go isProxyableHostname. @throws 400 */
function checkProxied(host: string): void {
  if (isIP(host) === 0) throw badRequest(noSuchHost(host));
  if (UNROUTED.check(host, familyOf(host))) throw badRequest('address not allowed');
}

/** The container that is meant. Source: pkg/registry/core/pod/strategy.go validateContainer. @throws 400 */
function containerOf(pod: KubeObject, given: string): string {
  const { containers, initContainers, ephemeralContainers } = record(pod.spec);
  const namesOf = (all: unknown): readonly string[] => records(all).map(({ name }) => text(name));
  const own = namesOf(containers);
  const every = [...namesOf(initContainers), ...own, ...namesOf(ephemeralContainers)];
  const name = text(pod.metadata.name);
  if (given !== '') {
    if (!every.includes(given)) throw badRequest(`container ${given} is not valid for pod ${name}`);
    return given;
  }
  const [only, another] = own;
  if (only !== undefined && another === undefined) return only;
  const choice = only === undefined ? '' : `, choose one of: [${every.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${name}${choice}`);
}

/** nodes/proxy, pods/proxy, services/proxy. */
export const proxySubresource = (kind: keyof typeof plural): Action => ({
  kind: 'action',
  name: 'proxy',
  verbs: PROXY_VERBS,
  answersWith: { group: '', version: 'v1', kind },
  connects: true,
  act({ name, context }) {
    const found = behind(plural[kind], name, context);
    if (kind === 'ServiceProxyOptions') throw unavailable(`no endpoints available for service "${name}"`);
    if (kind === 'PodProxyOptions') throw badRequest('address not allowed');
    const { host, unreached } = kubeletOf(found);
    checkProxied(host);
    throw unavailable(`error trying to reach service: ${unreached}`);
  },
});

/** The least of what a log may be asked for. */
const LEAST = [
  ['tailLines', 0, NEGATIVE],
  ['limitBytes', 1, 'must be greater than 0'],
  ['sinceSeconds', 1, 'must be greater than 0'],
] as const;

/** Source: pkg/apis/core/validation/validation.go ValidatePodLogOptions. @throws 400, 422 */
function checkLogOptions(pod: string, query: URLSearchParams): void {
  const errors = LEAST.flatMap(([option, least, why]) => {
    const given = query.get(option);
    if (given === null) return [];
    const parsed = parseInt64(given);
    if ('error' in parsed) throw badRequest(parsed.error);
    return parsed.value < least ? [invalidValue(option, parsed.value, why)] : [];
  });
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, pod, errors);
}

/** pods/exec, attach, portforward and log: what needs the kubelet of a pod that has none. */
export const kubeletSubresource = (name: string, kind: string, verbs: readonly string[]): Action => ({
  kind: 'action',
  name,
  verbs,
  answersWith: { group: '', version: 'v1', kind },
  ...(name === 'log' ? {} : { connects: true }),
  act({ parent, name: pod, context, asked }) {
    if (parent === undefined) throw notFound({ group: '', resource: 'pods' }, pod);
    if (name === 'log') checkLogOptions(pod, asked?.query ?? new URLSearchParams());
    const container = name === 'portforward' ? '' : containerOf(parent, asked?.query.get('container') ?? '');
    const nodeName = text(record(parent.spec).nodeName);
    if (nodeName === '') {
      if (name !== 'log') throw badRequest(`pod ${pod} does not have a host assigned`);
      return { code: 204, object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' } };
    }
    const node = context.store.get(NODES, undefined, nodeName);
    if (node === undefined) throw notFound(NODES, nodeName);
    const { address, unreached } = kubeletOf(node);
    if (name === 'log') {
      const path = `containerLogs/${parent.metadata.namespace}/${pod}/${container}`;
      throw plainError(`Get "https://${address}/${path}": ${unreached}`);
    }
    if (asked?.upgrades !== true) throw badRequest('Upgrade request required');
    throw plainError(`error dialing backend: ${unreached}`);
  },
});

/**
 * Subresources that lead to a kubelet, a pod or a service behind the server. The reference has none of these, so an
 * authorised caller hears what an API server says that cannot reach them. Source:
 * pkg/registry/core/{node,pod,service}/rest, apiserver pkg/endpoints/handlers/rest.go ConnectResource.
 */

import { records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { internalError, notFound, plainError } from '../machinery/errors.js';
import type { Subresource } from '../resource-definition.js';
import { ApiError } from '../types.js';
import { status } from './read.js';

type Action = Extract<Subresource, { kind: 'action' }>;
const PROXY_VERBS = ['create', 'delete', 'get', 'patch', 'update'] as const;
const plural: Readonly<Record<string, string>> = {
  NodeProxyOptions: 'nodes',
  PodProxyOptions: 'pods',
  ServiceProxyOptions: 'services',
};

const unavailable = (message: string): ApiError => new ApiError(503, 'ServiceUnavailable', message);

/** "https:name:port" and the like: what is proxied to is more than a name. */
const plainName = (name: string): string => {
  const parts = name.split(':');
  return parts.length === 3 ? (parts[1] ?? '') : (parts[0] ?? '');
};

/** @throws 500 where none is of a type that is asked. Source: pkg/util/node/node.go NoMatchError. */
function nodeAddress(node: KubeObject): string {
  const addresses = records(status(node).addresses);
  for (const type of ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP']) {
    const found = addresses.find((address) => address.type === type);
    if (found !== undefined) return text(found.address);
  }
  const known = addresses.map(({ type, address }) => `{${text(type)} ${text(address)}}`).join(' ');
  throw plainError(`no preferred addresses found; known addresses: [${known}]`);
}

/** nodes/proxy, pods/proxy, services/proxy. */
export const proxySubresource = (kind: 'NodeProxyOptions' | 'PodProxyOptions' | 'ServiceProxyOptions'): Action => ({
  kind: 'action',
  name: 'proxy',
  verbs: PROXY_VERBS,
  answersWith: { group: '', version: 'v1', kind },
  connects: true,
  act({ parent, name }) {
    const resource = plural[kind] ?? '';
    if (parent === undefined) throw notFound({ group: '', resource }, plainName(name));
    if (kind === 'ServiceProxyOptions') throw unavailable(`no endpoints available for service "${name}"`);
    if (kind === 'PodProxyOptions') throw new ApiError(400, 'BadRequest', 'address not allowed');
    throw unavailable(`error trying to reach service: dial tcp: lookup ${nodeAddress(parent)}: no such host`);
  },
});

/** pods/exec, attach, portforward and log: what needs the kubelet of a pod that has none. */
export const kubeletSubresource = (name: string, kind: string, verbs: readonly string[]): Action => ({
  kind: 'action',
  name,
  verbs,
  answersWith: { group: '', version: 'v1', kind },
  ...(name === 'log' ? {} : { connects: true }),
  act({ parent, name: pod, context }) {
    if (parent === undefined) throw notFound({ group: '', resource: 'pods' }, pod);
    const { nodeName, containers } = (parent.spec ?? {}) as {
      readonly nodeName?: string;
      readonly containers?: readonly { readonly name?: string }[];
    };
    const node = { group: '', resource: 'nodes' };
    const known = nodeName === undefined || context.store.get(node, undefined, nodeName) !== undefined;
    if (!known) throw notFound(node, nodeName);
    if (name === 'log') {
      if ((nodeName ?? '') === '')
        return { code: 204, object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' } };
      const container = containers?.[0]?.name ?? '';
      throw internalError(
        `Get "https://${nodeName}:10250/containerLogs/${parent.metadata.namespace}/${pod}/${container}": ` +
          `dial tcp: lookup ${nodeName}: no such host`,
      );
    }
    if ((nodeName ?? '') === '') throw new ApiError(400, 'BadRequest', `pod ${pod} does not have a host assigned`);
    throw internalError(`error dialing backend: dial tcp: lookup ${nodeName}: no such host`);
  },
});

/**
 * A worker that has joined, as its kubelet leaves it: the request of its token, a renewal, a serving request that an
 * administrator has approved, and its Node. Done through the API as those users, so the decisions of the reference
 * apply.
 * Source: pkg/kubelet/certificate/{kubelet.go,bootstrap/bootstrap.go}; pkg/kubelet/kubelet_node_status.go.
 */

import { type ApiClient, ApiError } from '../../apiserver/types.js';
import {
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_DEFAULT_NODE_TOKEN,
  GROUP_NODES,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
} from '../../kubernetes/names.js';
import type { CertificateSigningRequest, UserInfo } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { generateKey } from '../../pki/keys.js';
import { createRequest } from '../../pki/request.js';

export interface WorkerFacts {
  readonly nodeName: string;
  readonly address: string;
  /** Of the token that it joined with. */
  readonly tokenId: string;
  as(user: UserInfo): ApiClient;
  /** kubernetes-admin, who approves the serving request. */
  readonly admin: ApiClient;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Joins the worker; a cluster that does not let it, as a damaged one may, stays without. */
export function joinWorker(facts: WorkerFacts): void {
  const { nodeName, address, admin } = facts;
  const bootstrapper = facts.as({
    username: `system:bootstrap:${facts.tokenId}`,
    groups: [GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN, GROUP_AUTHENTICATED],
  });
  const node = facts.as({ username: `system:node:${nodeName}`, groups: [GROUP_NODES, GROUP_AUTHENTICATED] });
  const ask = (client: ApiClient, serving: boolean): string => {
    const { base64 } = createRequest({
      key: generateKey('ECDSA-P256'),
      subject: { commonName: `system:node:${nodeName}`, organizations: [GROUP_NODES] },
      ...(serving ? { altNames: { dns: [nodeName], ip: [address] } } : {}),
    });
    const made = client.create(resources.certificateSigningRequests, {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { generateName: 'csr-' },
      spec: {
        request: base64,
        signerName: serving ? SIGNER_KUBELET_SERVING : SIGNER_KUBELET_CLIENT,
        usages: ['digital signature', serving ? 'server auth' : 'client auth'],
      },
    });
    return made.metadata.name ?? '';
  };
  try {
    ask(bootstrapper, false);
    node.create(resources.nodes, nodeObject(nodeName, address));
    approve(admin, ask(node, true), facts.now);
    ask(node, false);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

const nodeObject = (name: string, address: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
  },
  spec: {},
  status: {
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
  },
});

function approve(admin: ApiClient, name: string, now: number): void {
  const request = admin.get(resources.certificateSigningRequests, undefined, name) as
    | CertificateSigningRequest
    | undefined;
  if (request === undefined) return;
  const lastUpdateTime = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'KubectlApprove',
    message: 'This CSR was approved by kubectl certificate approve.',
    lastUpdateTime,
  };
  admin.update(
    resources.certificateSigningRequests,
    { ...request, status: { conditions: [condition] } },
    { subresource: 'approval' },
  );
}

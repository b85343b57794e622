/**
 * A worker that has joined, as its kubelet leaves it: the request of its token, a renewal, a serving request that an
 * administrator has approved, and its Node. Done through the API as those users, so the decisions of the reference
 * apply.
 * Source: pkg/kubelet/certificate/{kubelet.go,bootstrap/bootstrap.go}; pkg/kubelet/kubelet_node_status.go.
 */

import { createHash } from 'node:crypto';
import { type ApiClient, ApiError } from '../../apiserver/types.js';
import {
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_DEFAULT_NODE_TOKEN,
  GROUP_NODES,
  NODE_USER_PREFIX,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
} from '../../kubernetes/names.js';
import type { CertificateSigningRequest, KubeObject, UserInfo } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { generateKey } from '../../pki/keys.js';
import { certificatesOfPem } from '../../pki/pem.js';
import { createRequest } from '../../pki/request.js';
import type { CertificateIdentity } from '../decisions/client-certificates.js';

export interface WorkerFacts {
  readonly nodeName: string;
  readonly address: string;
  /** Of its kubelet: "v1.36.0". */
  readonly version: string;
  /** Of the token that it joined with. */
  readonly tokenId: string;
  as(user: UserInfo): ApiClient;
  /** kubernetes-admin, who approves the serving request. */
  readonly admin: ApiClient;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Resolves when the controllers have come to rest. */
  settle(): Promise<void>;
  /** Who comes with a certificate for these names; `sha256` of it in lower-case hex. Undefined: nobody. */
  userOf(certificate: Pick<CertificateIdentity, 'commonName' | 'organizations' | 'sha256'>): UserInfo | undefined;
}

/** Joins the worker; a cluster that does not let it, as a damaged one may, stays without. */
export async function joinWorker(facts: WorkerFacts): Promise<void> {
  const { nodeName, address, admin } = facts;
  const commonName = `${NODE_USER_PREFIX}${nodeName}`;
  const bootstrapper = facts.as({
    username: `system:bootstrap:${facts.tokenId}`,
    groups: [GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN, GROUP_AUTHENTICATED],
  });
  const ask = (client: ApiClient, serving: boolean): string => {
    const { base64 } = createRequest({
      key: generateKey('ECDSA-P256'),
      subject: { commonName, organizations: [GROUP_NODES] },
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
  const comesWith = (request: KubeObject | undefined): UserInfo | undefined => {
    const { certificate } = (request as CertificateSigningRequest | undefined)?.status ?? {};
    const [der] = certificate === undefined ? [] : certificatesOfPem(Buffer.from(certificate, 'base64').toString());
    if (der === undefined) return undefined;
    const sha256 = createHash('sha256').update(der).digest('hex');
    return facts.userOf({ commonName, organizations: [GROUP_NODES], sha256 });
  };
  try {
    const first = ask(bootstrapper, false);
    await facts.settle();
    const user = comesWith(admin.get(resources.certificateSigningRequests, undefined, first));
    if (user === undefined) return;
    const node = facts.as(user);
    node.create(resources.nodes, nodeObject(facts));
    approve(admin, ask(node, true), facts.now);
    ask(node, false);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

const nodeObject = ({ nodeName: name, address, version }: WorkerFacts) => ({
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
    nodeInfo: { kubeletVersion: version, operatingSystem: 'linux', architecture: 'amd64' },
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

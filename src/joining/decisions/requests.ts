/** What a kubelet asks for, and what it makes of the answer. */
import { createHash } from 'node:crypto';
import { GROUP_NODES, NODE_USER_PREFIX } from '../../kubernetes/names.js';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { KeyAlgorithm } from '../../pki/keys.js';

/** What became of a request that can still be read. */
export type Reading = 'denied' | 'failed' | 'issued' | 'waiting';

/** Whether a request has a condition that is true. */
export const hasCondition = (request: CertificateSigningRequest, type: string): boolean =>
  (request.status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

export const requestDecisions = {
  /** The name that a machine joins by: its host name in lower case. Source: pkg/util/node/node.go GetHostname. */
  nodeName: (hostName: string): string => hostName.toLowerCase(),

  /**
   * Who a request says that the machine is.
   * Source: bootstrap.go requestNodeCertificate; pkg/kubelet/certificate/kubelet.go.
   */
  subject: (nodeName: string): { readonly commonName: string; readonly organizations: readonly string[] } => ({
    commonName: NODE_USER_PREFIX + nodeName,
    organizations: [GROUP_NODES],
  }),

  /** The kind of key that a kubelet makes. Source: client-go, util/keyutil/key.go MakeEllipticPrivateKeyPEM. */
  keyAlgorithm: (): KeyAlgorithm => 'ECDSA-P256',

  /**
   * Key encipherment is left out for keys that cannot be used for it (since 1.27).
   * Source: kubelet.go, bootstrap.go DefaultKubeletClientGetUsages.
   */
  usages: (isRsa: boolean, role: 'client auth' | 'server auth'): readonly string[] =>
    isRsa ? ['digital signature', 'key encipherment', role] : ['digital signature', role],

  /** Names and addresses of a serving request: sorted, each once. Source: kubelet.go addressesToHostnamesAndIPs. */
  altNames: (names: readonly string[]): readonly string[] => [...new Set(names)].sort(),

  /**
   * What the name of a request begins with where the server chooses it.
   * Source: client-go, util/certificate/csr/csr.go RequestCertificate.
   */
  generateName: (): string => 'csr-',

  /**
   * The name of a request without rotation: it follows from key (DER of the public one), subject and usages, so that a
   * restart finds the request that it made before. Source: bootstrap.go digestedName.
   */
  fixedName: (spki: Buffer, { commonName, organizations, usages }: FixedBy): string => {
    const digest = createHash('sha256')
      .update(spki)
      .update([commonName, ...organizations, ...usages].join('|'));
    return `node-csr-${digest.digest('base64url')}`;
  },

  /**
   * What a request that was read means: a refusal counts before anything else, and an approval without a certificate is
   * not success.
   * Source: csr.go WaitForCertificate.
   */
  readRequest: (request: CertificateSigningRequest): Reading => {
    if (hasCondition(request, 'Denied')) return 'denied';
    if (hasCondition(request, 'Failed')) return 'failed';
    const { certificate = '' } = request.status ?? {};
    return hasCondition(request, 'Approved') && certificate !== '' ? 'issued' : 'waiting';
  },

  /**
   * Whether "already exists" is as good as created: only for a request whose name follows from its key.
   * Source: csr.go RequestCertificate.
   */
  adoptsRequest: (hasFixedName: boolean): boolean => hasFixedName,

  /**
   * Whether an answer to the POST of its Node is as good as registered.
   * Source: pkg/kubelet/kubelet_node_status.go tryRegisterWithAPIServer.
   */
  isRegistered: (status: number): boolean => status === 201 || status === 409,

  /**
   * Milliseconds between two looks at a request that waits. Upstream watches; asking again and again comes to the same.
   */
  pollInterval: (): number => 250,
};

/** What a fixed name follows from besides the key. */
export interface FixedBy {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly usages: readonly string[];
}

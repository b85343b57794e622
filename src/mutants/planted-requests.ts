/** Certificate requests at rest that mutants arrange. */
import { rfc3339 } from '../apiserver/clock.js';
import type { CertificateSigningRequest, Condition } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { generateKey, type KeyObject } from '../pki/keys.js';
import { createRequest } from '../pki/request.js';
import { CREDENTIAL_ID } from '../reference/decisions/client-certificates.js';
import type { Reference } from '../reference/options.js';

export const JOIN_GROUP = 'system:bootstrappers:kubeadm:default-node-token';
export const CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
export const SERVING = 'kubernetes.io/kubelet-serving';

export interface Planted {
  readonly name: string;
  readonly commonName?: string;
  /** Attribute 1.3.6.1.4.1.57683.2 of the subject. */
  readonly uid?: string;
  readonly organizations?: readonly string[];
  readonly usages?: readonly string[];
  readonly signerName?: string;
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
  readonly key?: KeyObject;
  readonly expirationSeconds?: number;
  /** who made it; the stored object is written as if by that user */
  readonly username?: string;
  readonly groups?: readonly string[];
}

export const JOINING = { groups: ['system:bootstrappers', JOIN_GROUP, 'system:authenticated'] } as const;

/** A request at rest, as some kubelet, or somebody who claims to be one, has left it. */
export function plant(reference: Reference, planted: Planted): CertificateSigningRequest {
  const signerName = planted.signerName ?? CLIENT;
  const { base64 } = createRequest({
    key: planted.key ?? generateKey('ECDSA-P256'),
    subject: {
      commonName: planted.commonName ?? 'system:node:worker-9',
      organizations: planted.organizations ?? ['system:nodes'],
      ...(planted.uid === undefined ? {} : { uid: planted.uid }),
    },
    ...(planted.dns === undefined && planted.ip === undefined
      ? {}
      : { altNames: { dns: planted.dns ?? [], ip: planted.ip ?? [] } }),
  });
  const username = planted.username ?? 'system:bootstrap:abcdef';
  const requester = {
    username,
    groups: planted.groups ?? JOINING.groups,
    // a node comes with its certificate, whichever that was
    ...(username.startsWith('system:node:') ? { extra: { [CREDENTIAL_ID]: [`X509SHA256=${'0'.repeat(64)}`] } } : {}),
  };
  return reference.as(requester).create(resources.certificateSigningRequests, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    // of an object that has no more than a name the API server never notes who wrote what
    metadata: { name: planted.name, labels: { 'example.com/planted': 'true' } },
    spec: {
      request: base64,
      signerName,
      usages: planted.usages ?? ['digital signature', signerName === SERVING ? 'server auth' : 'client auth'],
      ...(planted.expirationSeconds === undefined ? {} : { expirationSeconds: planted.expirationSeconds }),
    },
  }) as CertificateSigningRequest;
}

const decision = (type: string, reason: string, message: string, at: Date): Condition => ({
  type,
  status: 'True',
  reason,
  message,
  lastUpdateTime: rfc3339(at.getTime()),
});

/** Writes a part of a request's status as an administrator. The request has to be there. */
export function write(
  reference: Reference,
  name: string,
  subresource: 'approval' | 'status',
  status: NonNullable<CertificateSigningRequest['status']>,
): void {
  const administrator = reference.as({ username: 'kubernetes-admin', groups: ['system:masters'] });
  const request = administrator.get(resources.certificateSigningRequests, undefined, name);
  if (request === undefined) throw new Error(`the reference has no certificate request ${name} to write`);
  administrator.update(resources.certificateSigningRequests, { ...request, status }, { subresource });
}

export const approved = (at: Date): Condition =>
  decision('Approved', 'KubectlApprove', 'This CSR was approved by kubectl certificate approve.', at);
export const denied = (at: Date): Condition =>
  decision('Denied', 'KubectlDeny', 'This CSR was denied by kubectl certificate deny.', at);
/** In the words of the approver that asks RBAC, by somebody who is another one. */
export const forged = (at: Date): Condition =>
  decision('Approved', 'AutoApproved', 'Auto approving kubelet client certificate after SubjectAccessReview.', at);

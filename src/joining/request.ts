/**
 * Certificate requests as a kubelet makes them: made, sent, read, approved or denied. Speaks to whatever can be asked.
 * Source: client-go, util/certificate/csr/csr.go; pkg/kubelet/certificate/{kubelet.go,bootstrap/bootstrap.go}.
 */
import { SIGNER_KUBELET_CLIENT, SIGNER_KUBELET_SERVING } from '../kubernetes/names.js';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import type { SubjectAltNames } from '../pki/extensions.js';
import type { KeyObject } from '../pki/keys.js';
import { createRequest } from '../pki/request.js';
import { joiningDecisions } from './decisions/index.js';
import type { Answer, Asker } from './ports.js';

export interface RequestWanted {
  readonly key: KeyObject;
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly altNames?: Partial<SubjectAltNames>;
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly expirationSeconds?: number;
  /** Name of the object; a kubelet with rotation lets the server choose one below "csr-". */
  readonly name?: string;
  /** What the server's choice begins with. */
  readonly generateName?: string;
}

/** Names and addresses of a machine. */
export interface Addresses {
  readonly dns: readonly string[];
  readonly ip: readonly string[];
}

const isRsa = (key: KeyObject): boolean => key.asymmetricKeyType === 'rsa';

/** What a kubelet asks for when it joins or renews. */
export const clientRequest = (nodeName: string, key: KeyObject, decisions = joiningDecisions): RequestWanted => ({
  key,
  ...decisions.subject(nodeName),
  signerName: SIGNER_KUBELET_CLIENT,
  usages: decisions.usages(isRsa(key), 'client auth'),
});

/** What a kubelet with serverTLSBootstrap asks for. */
export const servingRequest = (
  nodeName: string,
  key: KeyObject,
  { dns, ip }: Addresses,
  decisions = joiningDecisions,
): RequestWanted => ({
  key,
  ...decisions.subject(nodeName),
  altNames: { dns: decisions.altNames(dns), ip: decisions.altNames(ip) },
  signerName: SIGNER_KUBELET_SERVING,
  usages: decisions.usages(isRsa(key), 'server auth'),
});

/** The object to send. `around` is put before the PEM block. */
export function requestObject(wanted: RequestWanted, around = ''): CertificateSigningRequest {
  const { pem } = createRequest({
    key: wanted.key,
    subject: { commonName: wanted.commonName, organizations: wanted.organizations },
    ...(wanted.altNames === undefined ? {} : { altNames: wanted.altNames }),
  });
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata:
      wanted.name === undefined
        ? { generateName: wanted.generateName ?? joiningDecisions.generateName() }
        : { name: wanted.name },
    spec: {
      request: Buffer.from(around + pem).toString('base64'),
      signerName: wanted.signerName,
      usages: wanted.usages,
      ...(wanted.expirationSeconds === undefined ? {} : { expirationSeconds: wanted.expirationSeconds }),
    },
  };
}

/** Sends an object as a request; whatever the server answers comes back. */
export const send = (client: Asker, object: CertificateSigningRequest): Promise<Answer> =>
  client.ask({ method: 'POST', path: pathOf(resources.certificateSigningRequests), body: object });

export const isRequest = (body: unknown): body is CertificateSigningRequest =>
  typeof body === 'object' &&
  body !== null &&
  'kind' in body &&
  body.kind === 'CertificateSigningRequest' &&
  'spec' in body &&
  'metadata' in body;

/** PEM of the issued certificate; undefined while there is none. */
export const certificateOf = (request: CertificateSigningRequest): string | undefined => {
  const encoded = request.status?.certificate;
  return encoded === undefined || encoded === '' ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
};

/**
 * Adds the condition Approved or Denied as a person does with kubectl certificate approve or deny; what the server
 * answers comes back.
 */
export async function decide(client: Asker, name: string, type: 'Approved' | 'Denied'): Promise<Answer> {
  const { body } = await client.ask({ path: pathOf(resources.certificateSigningRequests, { name }) });
  const current = isRequest(body) ? body : undefined;
  const condition = {
    type,
    status: 'True',
    reason: 'JoinproofDecided',
    message: `This request was ${type.toLowerCase()} by joinproof.`,
  };
  return client.ask({
    method: 'PATCH',
    path: pathOf(resources.certificateSigningRequests, { name, subresource: 'approval' }),
    contentType: 'application/merge-patch+json',
    body: { status: { conditions: [...(current?.status?.conditions ?? []), condition] } },
  });
}

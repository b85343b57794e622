/** How those came who made the requests of kubelets: with a certificate, with a token, as nobody. */
import { createHash } from 'node:crypto';
import {
  GROUP_NODES,
  GROUP_UNAUTHENTICATED,
  NODE_USER_PREFIX,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
  USER_ANONYMOUS,
} from '../../kubernetes/names.js';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { certificatesIn } from '../certificates/x509.js';
import { credentialIn, type SeenRequest } from './seen-requests.js';

type Requests = readonly SeenRequest[];

const RECORDED = 'pkg/registry/certificates/certificates/strategy.go PrepareForCreate';
/** The minor since which the API server writes down the certificate that a user came with. Source: KEP-4193. */
const CREDENTIALS_SINCE = 32;
const BY_CERTIFICATE = 'X509SHA256=';

const isNode = ({ username }: { readonly username: string }): boolean => username.startsWith(NODE_USER_PREFIX);
const nameIn = ({ asked }: SeenRequest): string => ('unreadable' in asked ? '' : asked.commonName);
const ofKubelets = (requests: Requests): Requests =>
  requests.filter(({ signer }) => signer === SIGNER_KUBELET_CLIENT || signer === SIGNER_KUBELET_SERVING);
const servers = (requests: Requests): Requests => requests.filter(({ signer }) => signer === SIGNER_KUBELET_SERVING);

/** `minor` of the server that has written the requests down. */
export interface Written {
  readonly minor: number;
}

/** With a certificate, as far as the server says so: a name alone can come from a token file as well. */
function byCertificate(request: SeenRequest, { minor }: Written): { readonly seen: string; readonly ok: boolean } {
  const { username, credential } = request;
  if (!isNode(request)) return { seen: `made by ${username || 'nobody'}`, ok: false };
  if (minor < CREDENTIALS_SINCE) return { seen: `made by ${username}`, ok: true };
  const ok = credential?.startsWith(BY_CERTIFICATE) === true;
  return { seen: `made by ${username} with ${ok ? 'a certificate' : (credential ?? 'no certificate')}`, ok };
}

const NODES_ASK = '004, nodes speak to the API server with certificates';

/** What a node has asked for was asked with its certificate, not with a token that bears its name. */
export const nodesCome: Check<Requests, Written> = {
  id: 'node-requests/by-certificate',
  source: `${NODES_ASK}; ${RECORDED}`,
  nothing: 'the cluster holds no request that a node has made',
  judge: (requests, written) =>
    requests.filter(isNode).map((request) =>
      demand({
        subject: request.subject,
        demanded: 'was made with a client certificate',
        ...byCertificate(request, written),
      }),
    ),
};

/** No request of a kubelet was made by somebody who did not log in. */
export const requestersKnown: Check<Requests> = {
  id: 'node-requests/known',
  source: `000 and 004, the kubelet authenticates with its token; ${RECORDED}`,
  nothing: 'the cluster holds no request of a kubelet',
  judge: (requests) =>
    ofKubelets(requests).map(({ subject, username, groups }) =>
      demand({
        subject,
        demanded: 'was made by somebody who had logged in',
        seen: `made by ${username || 'nobody'}`,
        ok: username !== '' && username !== USER_ANONYMOUS && !groups.includes(GROUP_UNAUTHENTICATED),
      }),
    ),
};

const SERVING = '004, the serving certificate: after the client certificate, and with it';
const NO_SERVING = 'the cluster holds no request for a kubelet serving certificate';

/** Who asks for a serving certificate has its client certificate already: it comes with it. */
export const servingAfterClient: Check<Requests, Written> = {
  id: 'node-requests/serving-after-client',
  source: `${SERVING}; ${RECORDED}`,
  nothing: NO_SERVING,
  judge: (requests, written) =>
    servers(requests).map((request) =>
      demand({
        subject: request.subject,
        demanded: 'was made with a client certificate, which its node had before',
        ...byCertificate(request, written),
      }),
    ),
};

/** A serving certificate is asked for by the node that it names. */
export const servingByItsNode: Check<Requests> = {
  id: 'node-requests/serving-by-its-node',
  source: `${SERVING}; ${RECORDED}`,
  nothing: NO_SERVING,
  judge: (requests) =>
    servers(requests).map((request) => {
      const { subject, username, groups } = request;
      const name = nameIn(request);
      return demand({
        subject,
        demanded: `was made by ${name || 'the node that it names'}, in ${GROUP_NODES}`,
        seen: `made by ${username || 'nobody'}, in ${groups.join(', ') || 'no group'}`,
        ok: name !== '' && username === name && groups.includes(GROUP_NODES),
      });
    }),
};

/** A request that a node has made in front of our eyes, and the certificate that it came with. */
export interface Came {
  readonly subject: string;
  /** As the server has written it down; null where it says nothing. */
  readonly credential: string | null;
  /** Of the certificate that was shown. */
  readonly shown: string | null;
}

/** `certificate`: PEM that the node has logged in with. */
export function readCame(subject: string, request: CertificateSigningRequest | undefined, certificate: string): Came {
  const [der] = certificatesIn(certificate);
  return {
    subject,
    credential: (request === undefined ? undefined : credentialIn(request)) ?? null,
    shown: der === undefined ? null : BY_CERTIFICATE + createHash('sha256').update(der).digest('hex'),
  };
}

/** The server has written down which certificate the node came with: the one that it has. */
export const cameWithIts: Check<Came> = {
  id: 'node-requests/came-with-its-certificate',
  source: `004, renewal with the present certificate; ${RECORDED}; KEP-4193`,
  judge: ({ subject, credential, shown }): readonly Finding[] => [
    demand({
      subject,
      demanded: 'names the certificate of the node as the credential that it came with',
      seen: `${credential ?? 'no credential'}, of ${shown ?? 'a certificate that cannot be read'}`,
      ok: shown === null ? undefined : credential === shown,
    }),
  ],
};

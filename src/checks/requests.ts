/** Verdicts on certificate requests at rest and on what was issued for them. Pure. */
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_MASTERS,
  GROUP_NODES,
  NODE_USER_PREFIX,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
} from '../kubernetes/names.js';
import type { CertificateSigningRequest, KubeObject } from '../kubernetes/objects.js';
import { type Evidence, judgeEach, type Verdict } from '../model/evidence.js';
import { type CertificateFacts, isSignedBy, parseCertificate } from '../pki/certificate.js';
import { certificatesOfPem } from '../pki/pem.js';
import { parseRequestPem, type RequestFacts } from '../pki/request.js';

const YEAR = 365 * 86_400_000;
/** A signer may begin a certificate five minutes in the past. */
const SLACK = 10 * 60_000;

/** A request of the cluster, read. */
export interface SeenRequest {
  readonly object: CertificateSigningRequest;
  /** "CertificateSigningRequest csr-abcde" */
  readonly name: string;
  readonly facts: RequestFacts | undefined;
  /** Why it cannot be parsed. */
  readonly problem: string | undefined;
  /** The leaf that was issued. */
  readonly certificate: CertificateFacts | undefined;
}

const leafOf = (pem: string | undefined): CertificateFacts | undefined => {
  const [der] = certificatesOfPem(Buffer.from(pem ?? '', 'base64').toString('latin1'));
  try {
    return der === undefined ? undefined : parseCertificate(der);
  } catch {
    return undefined;
  }
};

/** Reads requests; those that joinproof made itself (named "jp-…") are left out. */
export function readRequests(objects: readonly CertificateSigningRequest[]): SeenRequest[] {
  return objects
    .filter((object) => !(object.metadata.name ?? '').startsWith('jp-'))
    .map((object) => {
      const base = {
        object,
        name: `CertificateSigningRequest ${object.metadata.name ?? ''}`,
        certificate: leafOf(object.status?.certificate),
      };
      try {
        return {
          ...base,
          facts: parseRequestPem(Buffer.from(object.spec.request, 'base64').toString('latin1')),
          problem: undefined,
        };
      } catch (error) {
        return { ...base, facts: undefined, problem: error instanceof Error ? error.message : 'it cannot be parsed' };
      }
    });
}

const ofSigner = (requests: readonly SeenRequest[], signer: string): SeenRequest[] =>
  requests.filter((request) => request.object.spec.signerName === signer);
export const clientRequests = (requests: readonly SeenRequest[]): SeenRequest[] =>
  ofSigner(requests, SIGNER_KUBELET_CLIENT);
export const servingRequests = (requests: readonly SeenRequest[]): SeenRequest[] =>
  ofSigner(requests, SIGNER_KUBELET_SERVING);
const byBootstrapper = (request: SeenRequest): boolean =>
  (request.object.spec.username ?? '').startsWith(BOOTSTRAP_USER_PREFIX);
const byNode = (request: SeenRequest): boolean => (request.object.spec.username ?? '').startsWith(NODE_USER_PREFIX);
const NO_CLIENT = 'the cluster holds no request for a kubelet client certificate';
const NO_SERVING = 'the cluster holds no request for a kubelet serving certificate';
const quoted = (texts: readonly string[]): string => (texts.length === 0 ? 'none' : texts.join(', '));

const each = (
  requests: readonly SeenRequest[],
  nothing: string,
  demanded: string,
  look: (request: SeenRequest) => { seen: string; ok: boolean },
): Verdict =>
  judgeEach(
    requests.map((request) => ({ object: request.name, demanded, ...look(request) })),
    nothing,
  );

const parsed = (
  request: SeenRequest,
  look: (facts: RequestFacts) => { seen: string; ok: boolean },
): { seen: string; ok: boolean } =>
  request.facts === undefined
    ? { seen: `it cannot be read: ${request.problem ?? ''}`, ok: false }
    : look(request.facts);

export const judgeSigner = (requests: readonly SeenRequest[], signer: string): Verdict =>
  each(
    requests.filter(byBootstrapper),
    'the cluster holds no request of a bootstrap token',
    `names the signer ${signer}`,
    ({ object }) => ({
      seen: object.spec.signerName,
      ok: object.spec.signerName === signer,
    }),
  );

export const judgeCommonName = (requests: readonly SeenRequest[]): Verdict =>
  each(clientRequests(requests), NO_CLIENT, `CN is ${NODE_USER_PREFIX} and a name`, (request) =>
    parsed(request, ({ commonName }) => ({
      seen: `CN is "${commonName}"`,
      ok: commonName.startsWith(NODE_USER_PREFIX) && commonName.length > NODE_USER_PREFIX.length,
    })),
  );

export const judgeOrganization = (requests: readonly SeenRequest[]): Verdict =>
  each(clientRequests(requests), NO_CLIENT, `O is exactly ${GROUP_NODES}`, (request) =>
    parsed(request, ({ organizations }) => ({
      seen: `O is ${quoted(organizations)}`,
      ok: organizations.length === 1 && organizations[0] === GROUP_NODES,
    })),
  );

export const judgeLowerCase = (requests: readonly SeenRequest[]): Verdict =>
  each(clientRequests(requests), NO_CLIENT, 'CN is in lower case', (request) =>
    parsed(request, ({ commonName }) => ({
      seen: `CN is "${commonName}"`,
      ok: commonName === commonName.toLowerCase(),
    })),
  );

function usages(requests: readonly SeenRequest[], role: string, nothing: string): Verdict {
  const allowed = [role, 'digital signature', 'key encipherment'];
  return each(
    requests,
    nothing,
    `usages are ${role} and digital signature, at most key encipherment besides`,
    ({ object }) => {
      const asked = object.spec.usages ?? [];
      const ok =
        asked.includes(role) && asked.includes('digital signature') && asked.every((usage) => allowed.includes(usage));
      return { seen: quoted(asked), ok };
    },
  );
}

export const judgeClientUsages = (requests: readonly SeenRequest[]): Verdict =>
  usages(clientRequests(requests), 'client auth', NO_CLIENT);
export const judgeServingUsages = (requests: readonly SeenRequest[]): Verdict =>
  usages(servingRequests(requests), 'server auth', NO_SERVING);

const altNames = ({ altNames: names }: RequestFacts): string[] => [
  ...names.dns,
  ...names.ip,
  ...names.email,
  ...names.uri,
];

export const judgeNoAltNames = (requests: readonly SeenRequest[]): Verdict =>
  each(clientRequests(requests), NO_CLIENT, 'asks for no alternative names', (request) =>
    parsed(request, (facts) => ({
      seen: quoted(altNames(facts)),
      ok: altNames(facts).length === 0 && facts.altNames.other.length === 0,
    })),
  );

export const judgeProof = (requests: readonly SeenRequest[]): Verdict =>
  each(
    requests,
    'the cluster holds no certificate request',
    'is a PEM block CERTIFICATE REQUEST, signed with its own key',
    (request) =>
      parsed(request, ({ signatureProblem }) => ({
        seen: signatureProblem ?? 'it is',
        ok: signatureProblem === undefined,
      })),
  );

/** No two node names share a public key, among requests that were issued. */
export function judgeOwnKeys(requests: readonly SeenRequest[]): Verdict {
  const owners = new Map<string, string>();
  return each(
    clientRequests(requests).filter((request) => request.certificate !== undefined),
    'no client certificate was issued to a kubelet',
    'its key belongs to one node only',
    ({ certificate }) => {
      const { pin = '', commonName = '' } = certificate ?? {};
      const owner = owners.get(pin) ?? commonName;
      owners.set(pin, owner);
      return {
        seen: owner === commonName ? `the key of ${commonName}` : `the key of ${owner} as well as of ${commonName}`,
        ok: owner === commonName,
      };
    },
  );
}

/** Every certificate issued to a kubelet client is signed by one of the CAs, PEM. */
export function judgeIssuer(requests: readonly SeenRequest[], accepted: string): Verdict {
  const authorities = certificatesOfPem(accepted).map((der) => parseCertificate(der));
  return each(
    clientRequests(requests).filter((request) => request.certificate !== undefined),
    'no client certificate was issued to a kubelet',
    'is signed by a CA that the API server accepts clients from',
    ({ certificate }) => {
      const ok = certificate !== undefined && authorities.some((authority) => isSignedBy(certificate, authority));
      return { seen: ok ? 'it is' : 'it is signed by none of them', ok };
    },
  );
}

/** Approvals that nobody's name stands behind come from the approver that asks RBAC. */
export const judgeApprovals = (requests: readonly SeenRequest[]): Verdict => {
  const evidence: Evidence[] = [];
  for (const { name, object } of clientRequests(requests)) {
    const approval = (object.status?.conditions ?? []).find((condition) => condition.type === 'Approved');
    if (approval === undefined || approval.reason === 'KubectlApprove') continue;
    const ok = approval.reason === 'AutoApproved' && /after SubjectAccessReview\.$/.test(approval.message ?? '');
    evidence.push({
      object: name,
      demanded: 'was approved after a SubjectAccessReview',
      seen: `${approval.reason ?? 'no reason'}: ${approval.message ?? 'no message'}`,
      ok,
    });
  }
  return judgeEach(evidence, 'the cluster holds no request of a kubelet that was approved automatically');
};

const byAge = (requests: readonly SeenRequest[]): SeenRequest[] =>
  [...requests].sort(
    (a, b) =>
      Date.parse(a.object.metadata.creationTimestamp ?? '') - Date.parse(b.object.metadata.creationTimestamp ?? ''),
  );

/** The oldest request that the cluster still holds for each node name. */
function oldest(requests: readonly SeenRequest[]): SeenRequest[] {
  const first = new Map<string, SeenRequest>();
  for (const request of byAge(clientRequests(requests))) {
    const name = request.facts?.commonName ?? '';
    if (name !== '' && !first.has(name)) first.set(name, request);
  }
  return [...first.values()];
}

/** Requests are cleaned away after an hour, so the oldest one left may be a renewal, made by the node itself. */
export const judgeFirstRequester = (requests: readonly SeenRequest[]): Verdict =>
  each(oldest(requests), NO_CLIENT, 'was made by a bootstrap identity, or by the node itself', ({ object, facts }) => {
    const groups = object.spec.groups ?? [];
    const username = object.spec.username ?? '';
    const administrator =
      groups.includes(GROUP_MASTERS) || groups.includes('kubeadm:cluster-admins') || username === 'kubernetes-admin';
    return {
      seen: `made by ${username}`,
      ok: !administrator && (!username.startsWith(NODE_USER_PREFIX) || username === facts?.commonName),
    };
  });

/** Later requests for a node's name come from the node, or from a bootstrap identity (it was joined again). */
export const judgeLaterRequesters = (requests: readonly SeenRequest[]): Verdict => {
  const first = new Set(oldest(requests));
  return each(
    clientRequests(requests).filter((request) => !first.has(request) || byNode(request)),
    'the cluster holds no second request of any node',
    'was made with the certificate of the node, or with a bootstrap identity',
    (request) => {
      const username = request.object.spec.username ?? '';
      const bootstrap = byBootstrapper(request) || (request.object.spec.groups ?? []).includes('system:bootstrappers');
      return { seen: `made by ${username}`, ok: bootstrap || username === request.facts?.commonName };
    },
  );
};

export const judgeValidity = (requests: readonly SeenRequest[]): Verdict =>
  each(
    [...clientRequests(requests), ...servingRequests(requests)].filter((request) => request.certificate !== undefined),
    'no certificate was issued to a kubelet',
    'is valid for a year at most',
    ({ certificate }) => {
      const life = (certificate?.notAfter ?? 0) - (certificate?.notBefore ?? 0);
      return { seen: `${Math.round(life / 86_400_000)} days`, ok: life <= YEAR + SLACK };
    },
  );

export function judgeServingKeys(requests: readonly SeenRequest[]): Verdict {
  const clients = new Map(
    clientRequests(requests).flatMap((request) =>
      request.facts === undefined ? [] : [[request.facts.spki.toString('hex'), request.name]],
    ),
  );
  return each(servingRequests(requests), NO_SERVING, 'has a key of its own', (request) =>
    parsed(request, ({ spki }) => {
      const client = clients.get(spki.toString('hex'));
      return { seen: client === undefined ? 'it has' : `it has the key of ${client}`, ok: client === undefined };
    }),
  );
}

/** Names of a serving request are the addresses and the name of the Node that asked. Nodes that are gone are not judged. */
export function judgeServingNames(requests: readonly SeenRequest[], nodes: readonly KubeObject[]): Verdict {
  const evidence: Evidence[] = [];
  for (const request of servingRequests(requests)) {
    const name = (request.facts?.commonName ?? '').slice(NODE_USER_PREFIX.length);
    const node = nodes.find((candidate) => candidate.metadata.name === name);
    if (request.facts === undefined || node === undefined) continue;
    const status = node.status as { addresses?: readonly { address: string }[] } | undefined;
    const own = new Set([name, ...(status?.addresses ?? []).map((item) => item.address)]);
    const foreign = altNames(request.facts).filter((item) => !own.has(item));
    evidence.push({
      object: request.name,
      demanded: `names only ${[...own].join(', ')}`,
      seen: foreign.length === 0 ? quoted(altNames(request.facts)) : `it also names ${foreign.join(', ')}`,
      ok: foreign.length === 0,
    });
  }
  return judgeEach(evidence, 'the cluster holds no serving certificate request of a Node that is there');
}

/** Certificate requests at rest: what kubelets asked for, who asked, and what was issued for it. */
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_BOOTSTRAPPERS,
  GROUP_NODES,
  NODE_USER_PREFIX,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
} from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, type Look } from '../../model/finding.js';
import type { RequestFacts } from '../certificates/csr.js';
import { namesIn } from '../certificates/extensions.js';
import type { CertificateFacts } from '../certificates/x509.js';
import { isSubdomain } from '../common/object-names.js';
import type { SeenRequest, Signed } from './seen-requests.js';

/** Some of these become ASCII letters when they are lowered. */
const NOT_ASCII = /[^ -~]/;
const YEAR = 365 * 86_400_000;
/** A signer may begin a certificate five minutes in the past. */
const SLACK = 10 * 60_000;
type Requests = readonly SeenRequest[];

const ofSigner =
  (signer: string) =>
  (requests: Requests): Requests =>
    requests.filter((request) => request.signer === signer);
const clients = ofSigner(SIGNER_KUBELET_CLIENT);
const servers = ofSigner(SIGNER_KUBELET_SERVING);
const byBootstrapper = ({ username }: SeenRequest): boolean => username.startsWith(BOOTSTRAP_USER_PREFIX);
const byNode = ({ username }: SeenRequest): boolean => username.startsWith(NODE_USER_PREFIX);
const nameOf = ({ asked }: SeenRequest): string => ('unreadable' in asked ? '' : asked.commonName);
const quoted = (texts: readonly string[]): string => (texts.length === 0 ? 'none' : texts.join(', '));

const NO_CLIENT = 'the cluster holds no request for a kubelet client certificate';
const NO_SERVING = 'the cluster holds no request for a kubelet serving certificate';
const ISSUED = '004, the request object of a kubelet; 000 and 002, the certificate of a node';

type Seen = Pick<Look, 'seen' | 'ok'>;

/** One finding a request. */
const each = (requests: Requests, demanded: string, look: (request: SeenRequest) => Seen): readonly Finding[] =>
  requests.map((request) => demand({ subject: request.subject, demanded, ...look(request) }));

/** The same, of what is asked for; what cannot be read meets nothing. */
const parsed = (requests: Requests, demanded: string, look: (asked: RequestFacts) => Seen): readonly Finding[] =>
  each(requests, demanded, ({ asked }) =>
    'unreadable' in asked ? { seen: `it cannot be read: ${asked.unreadable}`, ok: false } : look(asked),
  );

export const requestSigner: Check<Requests, { readonly signer: string }> = {
  id: 'requests/signer',
  source: '004, signer names',
  nothing: 'the cluster holds no request of a bootstrap token',
  judge: (requests, wanted) =>
    each(requests.filter(byBootstrapper), `names the signer ${wanted.signer}`, ({ signer }) => ({
      seen: signer,
      ok: signer === wanted.signer,
    })),
};

export const requestCommonName: Check<Requests> = {
  id: 'requests/common-name',
  source: ISSUED,
  nothing: NO_CLIENT,
  judge: (requests) =>
    parsed(clients(requests), `CN is ${NODE_USER_PREFIX} and a name`, ({ commonName }) => {
      const name = commonName.slice(NODE_USER_PREFIX.length);
      const isNode = commonName.startsWith(NODE_USER_PREFIX) && name !== '';
      // capitals are another rule's
      const ok = isNode && isSubdomain(name.toLowerCase()) && !NOT_ASCII.test(name);
      return { seen: `CN is "${commonName}"${isNode && !ok ? ', which no Node can be called' : ''}`, ok };
    }),
};

export const requestOrganization: Check<Requests> = {
  id: 'requests/organization',
  source: ISSUED,
  nothing: NO_CLIENT,
  judge: (requests) =>
    parsed(clients(requests), `O is exactly ${GROUP_NODES}`, ({ organizations }) => ({
      seen: `O is ${quoted(organizations)}`,
      ok: organizations.length === 1 && organizations[0] === GROUP_NODES,
    })),
};

export const requestLowerCase: Check<Requests> = {
  id: 'requests/lower-case',
  source: '002, names of nodes; pkg/util/node/node.go GetHostname',
  nothing: NO_CLIENT,
  judge: (requests) =>
    parsed(clients(requests), 'CN is in lower case', ({ commonName }) => ({
      seen: `CN is "${commonName}"`,
      ok: commonName === commonName.toLowerCase(),
    })),
};

const usages = (requests: Requests, role: string): readonly Finding[] => {
  const allowed = [role, 'digital signature', 'key encipherment'];
  return each(requests, `usages are ${role} and digital signature, at most key encipherment besides`, (request) => ({
    seen: quoted(request.usages),
    ok:
      [role, 'digital signature'].every((usage) => request.usages.includes(usage)) &&
      request.usages.every((usage) => allowed.includes(usage)),
  }));
};

export const requestClientUsages: Check<Requests> = {
  id: 'requests/client-usages',
  source: ISSUED,
  nothing: NO_CLIENT,
  judge: (requests) => usages(clients(requests), 'client auth'),
};

export const requestServingUsages: Check<Requests> = {
  id: 'requests/serving-usages',
  source: ISSUED,
  nothing: NO_SERVING,
  judge: (requests) => usages(servers(requests), 'server auth'),
};

export const requestNoAltNames: Check<Requests> = {
  id: 'requests/no-alternative-names',
  source: '004, the request object of a kubelet; pkg/apis/certificates/helpers.go ValidateKubeletClientCSR',
  nothing: NO_CLIENT,
  judge: (requests) =>
    parsed(clients(requests), 'asks for no alternative names', ({ altNames }) => ({
      seen: altNames.other === 0 ? quoted(namesIn(altNames)) : 'names of other kinds',
      ok: namesIn(altNames).length === 0 && altNames.other === 0,
    })),
};

export const requestProof: Check<Requests> = {
  id: 'requests/proof',
  source: '004, the request is signed with its own key; pkg/apis/certificates/helpers.go ParseCSR',
  nothing: 'the cluster holds no certificate request',
  judge: (requests) =>
    each(
      requests,
      'has the form of a request and holds a PEM block CERTIFICATE REQUEST, signed with its own key',
      ({ asked, malformed }) => {
        const problem = 'unreadable' in asked ? `it cannot be read: ${asked.unreadable}` : asked.problem;
        const wrong = [...(problem === undefined ? [] : [problem]), ...malformed];
        return { seen: wrong.length === 0 ? 'it has' : wrong.join('; '), ok: wrong.length === 0 };
      },
    ),
};

/** What was issued to kubelets and can be read; that the rest cannot is another rule's. */
const issuedTo = (requests: Requests): readonly { readonly subject: string; readonly leaf: CertificateFacts }[] =>
  requests.flatMap(({ subject, certificate }) =>
    certificate === undefined || 'unreadable' in certificate ? [] : [{ subject, leaf: certificate }],
  );
const kubelets = (requests: Requests): Requests => [...clients(requests), ...servers(requests)];

/** No two node names share a public key, among requests that were issued. */
export const requestOwnKeys: Check<Requests> = {
  id: 'requests/own-keys',
  source: '004, the private key stays on its node',
  nothing: 'no certificate was issued to a kubelet',
  judge: (requests) => {
    const owners = new Map<string, string>();
    return issuedTo(kubelets(requests)).map(({ subject, leaf: { pin, commonName } }) => {
      const owner = owners.get(pin) ?? commonName;
      owners.set(pin, owner);
      return demand({
        subject,
        demanded: 'its key belongs to one node only',
        seen: owner === commonName ? `the key of ${commonName}` : `the key of ${owner} as well as of ${commonName}`,
        ok: owner === commonName,
      });
    });
  },
};

export const requestIssuer: Check<readonly Signed[]> = {
  id: 'requests/issuer',
  source: '004, the CA that signs and the CA that the API server accepts',
  nothing: 'no client certificate was issued for a request',
  judge: (certificates) =>
    certificates.map(({ subject, signed }) =>
      demand({
        subject,
        demanded: 'is signed by a CA that the API server accepts clients from',
        seen: signed ? 'it is' : 'it is signed by none of them',
        ok: signed,
      }),
    ),
};

/** Approvals that nobody's name stands behind come from the approver that asks RBAC. */
export const requestApprovals: Check<Requests> = {
  id: 'requests/approvals',
  source: '002, automatic approval; pkg/controller/certificates/approver/sarapprove.go',
  nothing: 'the cluster holds no request of a kubelet that was approved automatically',
  judge: (requests) =>
    clients(requests).flatMap(({ subject, conditions }) =>
      conditions.flatMap(({ type, reason, message }) =>
        type !== 'Approved' || reason === 'KubectlApprove'
          ? []
          : [
              demand({
                subject,
                demanded: 'was approved after a SubjectAccessReview',
                seen: `${reason || 'no reason'}: ${message || 'no message'}`,
                ok: reason === 'AutoApproved' && message.endsWith('after SubjectAccessReview.'),
              }),
            ],
      ),
    ),
};

/** A bootstrap identity, whatever its credential, or the node that the request names. */
const byItsOwn = (request: SeenRequest): Seen => ({
  seen: `made by ${request.username}`,
  ok:
    byBootstrapper(request) ||
    request.groups.includes(GROUP_BOOTSTRAPPERS) ||
    (byNode(request) && request.username === nameOf(request)),
});

/** The oldest request that the cluster still holds for each node name. */
function oldest(requests: Requests): Requests {
  const first = new Map<string, SeenRequest>();
  const byAge = [...clients(requests)].sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
  for (const request of byAge) {
    const name = nameOf(request);
    if (name !== '' && !first.has(name)) first.set(name, request);
  }
  return [...first.values()];
}

/** Requests are cleaned away after an hour, so the oldest one left may be a renewal, made by the node itself. */
export const requestFirstRequester: Check<Requests> = {
  id: 'requests/first-requester',
  source: '004 and 000, the bootstrap identity',
  nothing: NO_CLIENT,
  judge: (requests) => each(oldest(requests), 'was made by a bootstrap identity, or by the node itself', byItsOwn),
};

/** Later requests for a node's name come from the node, or from a bootstrap identity (it was joined again). */
export const requestLaterRequesters: Check<Requests> = {
  id: 'requests/later-requesters',
  source: '004, nodes speak to the API server with certificates',
  nothing: 'the cluster holds no second request of any node',
  judge: (requests) => {
    const first = new Set(oldest(requests));
    return each(
      clients(requests).filter((request) => !first.has(request) || byNode(request)),
      'was made with the certificate of the node, or with a bootstrap identity',
      byItsOwn,
    );
  },
};

/** At most a year, and what signers begin earlier than now. */
export const yearAtMost = ({ notBefore, notAfter }: CertificateFacts): Seen & { readonly demanded: string } => ({
  demanded: 'is valid for a year at most',
  seen: `${Math.round((notAfter - notBefore) / 86_400_000)} days`,
  ok: notAfter - notBefore <= YEAR + SLACK,
});

export const requestValidity: Check<Requests> = {
  id: 'requests/validity',
  source: '004, the lifetime of certificates',
  nothing: 'no certificate was issued to a kubelet',
  judge: (requests) =>
    issuedTo(kubelets(requests)).map(({ subject, leaf }) => demand({ subject, ...yearAtMost(leaf) })),
};

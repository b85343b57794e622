import { base64, record } from '../kubernetes/json.js';
import { SIGNER_KUBELET_SERVING } from '../kubernetes/names.js';
import { ATTRIBUTE } from '../pki/oids.js';
import { encodePem, nextPem } from '../pki/pem.js';
import { upstream } from '../reference/decisions.js';
import type { Reference } from '../reference/options.js';
import { editClusterRole, editSubjects } from './arrange.js';
import { foreignSigner } from './issuing.js';
import { CLIENT, plant } from './planted-requests.js';
import { resign } from './resigned.js';
import type { Mutant } from './types.js';

const decided = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  decisions: NonNullable<Mutant['options']>['decisions'],
): Mutant => ({
  name,
  defect,
  killedBy,
  options: { ...(decisions === undefined ? {} : { decisions }) },
});

/** Text around the block is lost, the block is written anew. base64 in and out. */
const reencode = (request: string): string => {
  const block = nextPem(Buffer.from(request, 'base64').toString())?.block;
  return block === undefined ? request : Buffer.from(encodePem(block.label, block.bytes)).toString('base64');
};

export const mutants: readonly Mutant[] = [
  {
    name: 'binding-names-a-user',
    defect: 'kubeadm:kubelet-bootstrap names a User instead of the group: 403 on the request',
    killedBy: ['BOOT-014', 'CSR-009', 'CSR-028', 'RBAC-005', 'CSR-032'],
    arrange: (reference) =>
      editSubjects(reference, 'kubeadm:kubelet-bootstrap', (subjects) =>
        subjects.map((subject) => ({ ...subject, kind: 'User' })),
      ),
  },
  {
    name: 'requests-cannot-be-read',
    defect: 'the bootstrapper role has no get: kubelets ask and never see the answer',
    killedBy: ['CSR-010', 'RBAC-001', 'CSR-028'],
    arrange: (reference) =>
      editClusterRole(reference, 'system:node-bootstrapper', () => [
        {
          verbs: ['create', 'list', 'watch'],
          apiGroups: ['certificates.k8s.io'],
          resources: ['certificatesigningrequests'],
        },
      ]),
  },
  {
    name: 'another-certificate-is-shown',
    defect: 'a joining token is shown another certificate than was issued',
    killedBy: ['CSR-010'],
    gateway: {
      after: ({ user }, { status, body }) => {
        const [shown, progress] = [record(body), record(record(body).status)];
        if (!user.startsWith('system:bootstrap:') || progress.certificate === undefined) return undefined;
        return { status, body: { ...shown, status: { ...progress, certificate: base64('of somebody else') } } };
      },
    },
  },
  {
    name: 'certificates-are-not-shown',
    defect: 'a joining token is shown its request, and not the certificate in it',
    killedBy: ['CSR-010'],
    gateway: {
      after: ({ method, path, user }, { status, body }) => {
        const shown = record(body);
        if (method !== 'GET' || !user.startsWith('system:bootstrap:') || !path.includes('/certificatesigningrequests/'))
          return undefined;
        return { status, body: { ...shown, status: { ...record(shown.status), certificate: undefined } } };
      },
    },
  },
  decided('claims-are-kept', 'values of the body are kept: the approver asks about a forged user', ['CSR-011'], {
    csrRequester: (user, sent) => ({
      ...upstream.csrRequester(user, sent),
      ...(sent.username === undefined ? {} : { username: sent.username, groups: sent.groups ?? [] }),
    }),
  }),
  decided('claims-besides-are-kept', 'uid and extra of the body are kept', ['CSR-011'], {
    csrRequester: (user, sent) => ({
      ...upstream.csrRequester(user, sent),
      ...(sent.uid === undefined ? {} : { uid: sent.uid }),
      ...(sent.extra === undefined ? {} : { extra: sent.extra }),
    }),
  }),
  ...['list', 'watch'].map((verb) => ({
    name: `requests-without-${verb}`,
    defect: `the bootstrapper role has no ${verb}`,
    killedBy: ['CSR-010'],
    arrange: (reference: Reference) =>
      editClusterRole(reference, 'system:node-bootstrapper', (rules) =>
        rules.map((rule) => ({ ...rule, verbs: rule.verbs.filter((granted) => granted !== verb) })),
      ),
  })),
  {
    name: 'nodes-join-by-hand',
    defect: 'nobody holds nodeclient: every join needs a human',
    killedBy: ['CSR-028', 'CSR-032'],
    arrange: (reference) => editSubjects(reference, 'kubeadm:node-autoapprove-bootstrap', () => []),
  },
  {
    name: 'nodes-renew-by-hand',
    defect: 'nodes do not hold selfnodeclient: every renewal needs a human',
    killedBy: ['CSR-032'],
    arrange: (reference) => editSubjects(reference, 'kubeadm:node-autoapprove-certificate-rotation', () => []),
  },
  decided('comes-approved', 'a request can be created approved', ['CSR-011'], {
    csrInitialStatus: (sent) => sent ?? {},
  }),
  decided(
    'asking-is-free',
    'the handler of requests is outside the authorizer: 201 without the binding',
    ['BOOT-007', 'CSR-012', 'LIM-020'],
    {
      authorizersTogether: (attributes, answers) =>
        attributes.resource === 'certificatesigningrequests' && attributes.subresource === ''
          ? { decision: 'allow', reason: '' }
          : upstream.authorizersTogether(attributes, answers),
    },
  ),
  decided('approver-asks-nobody', 'the approver approves every well-formed request', ['CSR-014', 'ROT-007'], {
    approvalVerdict: () => ({
      type: 'Approved',
      status: 'True',
      reason: 'AutoApproved',
      message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
    }),
  }),
  decided(
    'people-cannot-approve',
    'only the built-in approver can approve',
    ['CSR-015', 'ROT-007', 'ROT-011', 'SRV-005', 'SRV-008', 'SRV-012', 'P-66'],
    {
      authorizersTogether: (attributes, answers) =>
        attributes.subresource === 'approval' && !attributes.user.username.startsWith('system:serviceaccount:')
          ? { decision: 'deny', reason: '' }
          : upstream.authorizersTogether(attributes, answers),
    },
  ),
  decided('signer-does-not-sign', 'nobody signs: every join times out', ['BOOT-008', 'CSR-016', 'CSR-015'], {
    awaitsSigning: () => false,
  }),
  {
    ...decided(
      'signs-before-approval',
      'signers, one of a foreign name too, ignore conditions',
      ['CSR-017', 'P-20', 'SRV-012'],
      {
        awaitsSigning: (_conditions, hasCertificate) => !hasCertificate,
        ...foreignSigner,
      },
    ),
    arrange: (reference) => {
      plant(reference, { name: 'csr-early', signerName: 'kubernetes.io/kube-apiserver-client' });
    },
  },
  decided('signs-the-denied', 'the signer signs all but Failed requests', ['CSR-018'], {
    awaitsSigning: (conditions, hasCertificate) =>
      !hasCertificate && conditions.some(({ type }) => type === 'Approved' || type === 'Denied'),
    ...foreignSigner,
  }),
  decided(
    'signed-by-another',
    'certificates are signed by a CA that the signer made for itself',
    ['CSR-019', 'CSR-024', 'SRV-005'],
    {
      issuedPem: (leaf) => resign(leaf),
    },
  ),
  decided('key-of-the-signer', 'the server generates a new key', ['CSR-020', 'P-25', 'P-380'], {
    issuedPem: (leaf) => resign(leaf, true),
  }),
  decided(
    'subject-of-the-token',
    'the subject is replaced by the user who asked',
    ['CSR-021', 'CSR-024', 'P-25', 'P-380'],
    {
      certificateSubject: () => [
        [{ oid: ATTRIBUTE.organization, value: 'system:bootstrappers' }],
        [{ oid: ATTRIBUTE.commonName, value: 'system:bootstrap:abcdef' }],
      ],
    },
  ),
  decided(
    'certificates-for-everything',
    'certificates are good for clients and servers',
    ['CSR-022', 'SRV-005', 'P-68', 'P-380'],
    {
      certificateUsages: (usages) => ({
        ...upstream.certificateUsages(usages),
        extendedKeyUsage: ['clientAuth', 'serverAuth'],
      }),
    },
  ),
  decided('chain-in-the-status', 'the CA is delivered along with the leaf', ['CSR-023'], {
    issuedPem: (leaf, authority) => `${leaf}${authority}`,
  }),
  decided('login-without-groups', 'the groups of a certificate are not taken over', ['CSR-024'], {
    certificateUser: (certificate, minor) => {
      const found = upstream.certificateUser(certificate, minor);
      return typeof found === 'object' && 'username' in found && found.username.startsWith('system:node:')
        ? { ...found, groups: [] }
        : found;
    },
  }),
  {
    name: 'somebody-else-signs',
    defect: 'the API server signs by itself, whatever the controller manager is told',
    killedBy: ['CSR-026'],
    options: { decisions: { controllerRuns: () => true } },
  },
  decided('requests-are-rewritten', 'the PEM is encoded anew when it is stored', ['CSR-035'], {
    csrStoredRequest: (request) => reencode(request),
  }),
  decided('requests-are-trimmed', 'line ends are made those of Unix, and one stands behind a request', ['CSR-035'], {
    csrStoredRequest: (request) => {
      const text = Buffer.from(request, 'base64').toString();
      return Buffer.from(`${text.replaceAll('\r\n', '\n').trim()}\n`).toString('base64');
    },
  }),
  decided('requests-can-be-swapped', 'spec can be changed after creation', ['CSR-035', 'P-57'], {
    csrSpecAfterUpdate: (_old, sent) => sent,
  }),
  decided('approver-ignores-signers', 'the approver looks at CN and O only', ['CSR-036'], {
    approvalRights: (_spec, _commonName, problem) => (problem === undefined ? ['nodeclient'] : []),
    approvalNeedsSignerRight: () => false,
  }),
  decided('approver-ignores-the-colon', 'the prefix is tested without the final colon', ['CSR-037'], {
    kubeletClientProblem: (request, usages) =>
      upstream.kubeletClientProblem(
        { ...request, commonName: request.commonName.replace(/^system:node[^:]*:/, 'system:node:') },
        usages,
      ),
  }),
  decided('approver-reads-names-in-any-case', 'the prefix is tested without regard to capitals', ['CSR-037'], {
    kubeletClientProblem: (request, usages) =>
      upstream.kubeletClientProblem(
        { ...request, commonName: request.commonName.replace(/^system:node:/i, 'system:node:') },
        usages,
      ),
  }),
  {
    name: 'group-not-served',
    defect: 'certificates.k8s.io is disabled: every bootstrap ends in 404',
    killedBy: ['CSR-039'],
    options: { decisions: { groupIsServed: (name) => name !== 'certificates.k8s.io' } },
  },
  decided('requester-is-anonymous', 'the requester is written down as system:anonymous', ['BOOT-007', 'CSR-011'], {
    csrRequester: () => ({ username: 'system:anonymous', groups: ['system:unauthenticated'] }),
  }),
  decided(
    'any-certificate-logs-in',
    'the subject is checked, the issuer is not',
    ['BOOT-015', 'BOOT-018', 'P-65', 'P-67'],
    {
      chainIsTrusted: () => true,
    },
  ),
  decided(
    'token-for-ever',
    'the Node can be registered only with the token that it joined with',
    ['BOOT-008', 'BOOT-011', 'BOOT-012'],
    {
      nodeOnNode: (question) => (question.attributes.verb === 'create' ? '' : upstream.nodeOnNode(question)),
    },
  ),
  decided(
    'renewal-in-the-token-name',
    'a renewal is written down as the first requester',
    ['ROT-004', 'SRV-002', 'SRV-001'],
    {
      csrRequester: (user, sent) => ({
        ...upstream.csrRequester(user, sent),
        ...(user.username.startsWith('system:node:')
          ? { username: 'system:bootstrap:abcdef', groups: ['system:bootstrappers', 'system:authenticated'] }
          : {}),
      }),
    },
  ),
  decided('nodes-ask-for-each-other', 'a node may ask for another node, and is approved', ['ROT-006', 'SRV-002'], {
    nodeMayRequest: () => true,
    approvalRights: (spec, _commonName, problem) =>
      problem === undefined && spec.signerName === CLIENT ? ['selfnodeclient', 'nodeclient'] : [],
  }),
  decided(
    'nodes-ask-for-longer-names',
    'a node may ask for nodes whose names begin with its own, and is approved',
    ['ROT-006'],
    {
      nodeMayRequest: (node, _signer, commonName) => commonName.startsWith(`system:node:${node}`),
      approvalRights: (spec, commonName, problem) =>
        problem === undefined && spec.signerName === CLIENT && commonName.startsWith(spec.username ?? '')
          ? ['selfnodeclient', 'nodeclient']
          : upstream.approvalRights(spec, commonName, problem),
    },
  ),
  decided(
    'nodes-ask-to-serve-longer-names',
    'a node may ask for serving certificates of nodes whose names begin with its own',
    ['SRV-002'],
    {
      nodeMayRequest: (node, signer, commonName, minor) =>
        upstream.nodeMayRequest(node, signer, commonName, minor) ||
        (signer === SIGNER_KUBELET_SERVING && commonName.startsWith(`system:node:${node}`)),
    },
  ),
  decided('expiry-is-ignored', 'only the chain is checked: an expired certificate logs in', ['ROT-010', 'ROT-016'], {
    certificateIsCurrent: () => true,
  }),
  decided(
    'certificates-begin-later',
    'a new certificate is not good for its first ten minutes: a gap between old and new',
    ['ROT-012', 'CSR-024'],
    {
      certificateValidity: (now, lifetime, caNotAfter) => ({
        ...upstream.certificateValidity(now, lifetime, caNotAfter),
        notBefore: now + 600_000,
      }),
    },
  ),
  decided('kind-of-key-is-kept', 'only ECDSA keys are approved', ['ROT-015'], {
    kubeletClientProblem: (request, usages) =>
      request.key !== undefined && !(request.key.type === 'ECDSA' && request.key.bits === 256)
        ? 'key type changed'
        : upstream.kubeletClientProblem(request, usages),
  }),
];

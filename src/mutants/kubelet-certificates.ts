/** Defects of requests, approvers, signers and of what certificates open. */
import type { CertificateSigningRequest, KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { createAuthority, issue } from '../pki/authority.js';
import { parseCertificate } from '../pki/certificate.js';
import { generateKey, type KeyObject } from '../pki/keys.js';
import { ATTRIBUTE } from '../pki/oids.js';
import { certificatesOfPem, encodePem, nextPem } from '../pki/pem.js';
import { createRequest } from '../pki/request.js';
import { upstream } from '../reference/decisions.js';
import type { Reference } from '../reference/options.js';
import { edit, editClusterRole, editSubjects } from './arrange.js';
import type { Mutant } from './types.js';

const JOIN_GROUP = 'system:bootstrappers:kubeadm:default-node-token';
const CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const SERVING = 'kubernetes.io/kubelet-serving';

interface Planted {
  readonly name: string;
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly usages?: readonly string[];
  readonly signerName?: string;
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
  readonly key?: KeyObject;
  /** who made it; the stored object is written as if by that user */
  readonly username?: string;
  readonly groups?: readonly string[];
}

const JOINING = { groups: ['system:bootstrappers', JOIN_GROUP, 'system:authenticated'] } as const;

/** A request at rest, as some kubelet, or somebody who claims to be one, has left it. */
function plant(reference: Reference, planted: Planted): CertificateSigningRequest {
  const signerName = planted.signerName ?? CLIENT;
  const { base64 } = createRequest({
    key: planted.key ?? generateKey('ECDSA-P256'),
    subject: { commonName: planted.commonName ?? 'system:node:worker-9', organizations: planted.organizations ?? ['system:nodes'] },
    ...(planted.dns === undefined && planted.ip === undefined ? {} : { altNames: { dns: planted.dns ?? [], ip: planted.ip ?? [] } }),
  });
  const requester = { username: planted.username ?? 'system:bootstrap:abcdef', groups: planted.groups ?? JOINING.groups };
  return reference.as(requester).create(resources.certificateSigningRequests, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: planted.name },
    spec: { request: base64, signerName, usages: planted.usages ?? ['digital signature', signerName === SERVING ? 'server auth' : 'client auth'] },
  }) as CertificateSigningRequest;
}

const planted = (name: string, defect: string, killedBy: readonly string[], request: Omit<Planted, 'name'>): Mutant => ({
  name,
  defect,
  killedBy,
  arrange: (reference) => {
    plant(reference, { name: 'csr-m1tnt', ...request });
  },
});

const NODE = { username: 'system:node:worker-9', groups: ['system:nodes', 'system:authenticated'] };

const REQUESTS: readonly Mutant[] = [
  planted('request-of-another-signer', 'a token asks with signerName kubernetes.io/kube-apiserver-client', ['CSR-001'], {
    signerName: 'kubernetes.io/kube-apiserver-client',
  }),
  planted('request-without-prefix', 'CN=worker-1', ['CSR-002'], { commonName: 'worker-1' }),
  planted('request-of-no-name', 'CN=system:node: with an empty name', ['CSR-002'], { commonName: 'system:node:' }),
  planted('request-of-two-groups', 'O=system:nodes and O=system:masters', ['CSR-003'], { organizations: ['system:nodes', 'system:masters'] }),
  planted('request-in-capitals', 'CN=system:node:IP-10-0-0-5', ['CSR-004'], { commonName: 'system:node:IP-10-0-0-5' }),
  planted('request-to-serve-too', 'usages include server auth', ['CSR-005'], { usages: ['digital signature', 'client auth', 'server auth'] }),
  planted('request-with-names', 'a DNS name of the API server in a client request', ['CSR-006'], { dns: ['kubernetes.default.svc'] }),
  planted('serving-request-logs-in', 'a serving request with client auth', ['SRV-003'], {
    ...NODE,
    signerName: SERVING,
    usages: ['digital signature', 'server auth', 'client auth'],
    dns: ['worker-9'],
  }),
  planted('first-request-by-hand', 'the first request of a node by kubernetes-admin', ['CSR-040'], {
    username: 'kubernetes-admin',
    groups: ['kubeadm:cluster-admins'],
  }),
  {
    name: 'unproven-requests',
    defect: 'a request with the key of somebody else is accepted',
    killedBy: ['CSR-007'],
    options: { decisions: { csrRequestProblem: (parsed) => ('parseError' in parsed ? parsed.parseError : undefined) } },
  },
  {
    name: 'one-key-for-all',
    defect: 'one kubelet certificate copied to all nodes',
    killedBy: ['CSR-027'],
    arrange: (reference) => {
      const key = generateKey('ECDSA-P256');
      plant(reference, { name: 'csr-copy1', commonName: 'system:node:copy-1', key, ...JOINING });
      plant(reference, { name: 'csr-copy2', commonName: 'system:node:copy-2', key, ...JOINING });
    },
  },
  {
    name: 'client-ca-of-the-proxy',
    defect: 'the API server accepts clients of the front-proxy CA: issued node certificates give 401',
    killedBy: ['CSR-029'],
    arrange: (reference) => {
      const other = createAuthority({ commonName: 'front-proxy-ca', key: 'ECDSA-P256', now: Date.now() }).certificate.pem;
      edit<KubeObject>(
        reference,
        resources.configMaps,
        'extension-apiserver-authentication',
        (map) => ({ ...map, data: { 'client-ca-file': other } }),
        'kube-system',
      );
    },
  },
  {
    name: 'flag-off-in-the-pod',
    defect: 'one part missing: the API server is started without --enable-bootstrap-token-auth',
    killedBy: ['CSR-032'],
    arrange: (reference) =>
      addFlags(reference, 'kube-apiserver', (flags) =>
        flags.map((flag) => flag.replace('enable-bootstrap-token-auth=true', 'enable-bootstrap-token-auth=false')),
      ),
  },
  {
    name: 'approver-switched-off',
    defect: 'csrapproving is switched off and nobody approves',
    killedBy: ['CSR-013'],
    options: { controllers: { csrapproving: false } },
  },
  {
    name: 'approver-out-of-the-pod',
    defect: 'the controller manager is told -csrapproving',
    killedBy: ['CSR-032'],
    arrange: (reference) =>
      addFlags(reference, 'kube-controller-manager', (flags) => flags.map((flag) => flag.replace('--controllers=*', '--controllers=*,-csrapproving'))),
  },
  {
    name: 'cron-job-approves',
    defect: 'a cron job approves everything',
    killedBy: ['CSR-038', 'CSR-013'],
    options: {
      decisions: {
        approvalVerdict: () => ({ type: 'Approved', status: 'True', reason: 'CronJob', message: 'approved by the nightly job' }),
      },
    },
  },
  {
    name: 'certificates-for-a-century',
    defect: '--cluster-signing-duration=876000h',
    killedBy: ['ROT-009'],
    options: {
      decisions: {
        grantedLifetime: () => 876_000 * 3_600,
        certificateValidity: (now, lifetime) => ({ notBefore: now - 300_000, notAfter: now + lifetime * 1000 }),
      },
    },
    arrange: (reference) => {
      plant(reference, { name: 'csr-cntry', ...JOINING });
    },
  },
  {
    name: 'one-key-to-serve-and-log-in',
    defect: 'one key used for client and serving certificate',
    killedBy: ['SRV-004'],
    arrange: (reference) => {
      const key = generateKey('ECDSA-P256');
      plant(reference, { name: 'csr-both1', key, ...JOINING });
      plant(reference, { name: 'csr-both2', key, ...NODE, signerName: SERVING, dns: ['worker-9'] });
    },
  },
  {
    name: 'serving-names-of-another',
    defect: 'a serving request with the name of another node',
    killedBy: ['SRV-008'],
    arrange: (reference) => {
      reference.api.create(resources.nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'worker-9' },
        spec: {},
        status: { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] },
      });
      plant(reference, { name: 'csr-other', ...NODE, signerName: SERVING, dns: ['worker-9', 'worker-1'], ip: ['10.0.0.9'] });
    },
  },
  kubeletConfig(
    'gate-against-configuration',
    'serverTLSBootstrap with the gate explicitly false',
    ['SRV-011'],
    (text) => `${text}serverTLSBootstrap: true\nfeatureGates:\n  RotateKubeletServerCertificate: false\n`,
  ),
  kubeletConfig('no-rotation', 'rotateCertificates is false', ['ROT-001'], (text) => text.replace('rotateCertificates: true', 'rotateCertificates: false')),
  {
    name: 'kubelet-by-static-token',
    defect: 'the second request of a node comes from a static user',
    killedBy: ['BOOT-016'],
    arrange: (reference) => {
      plant(reference, { name: 'csr-first', ...JOINING });
      plant(reference, { name: 'csr-secnd', username: 'kubelet', groups: [JOIN_GROUP, 'system:authenticated'] });
    },
  },
];

function kubeletConfig(name: string, defect: string, killedBy: readonly string[], change: (text: string) => string): Mutant {
  return {
    name,
    defect,
    killedBy,
    arrange: (reference) =>
      edit<KubeObject & { data?: Record<string, string> }>(
        reference,
        resources.configMaps,
        'kubelet-config',
        (map) => ({ ...map, data: { ...map.data, kubelet: change(map.data?.kubelet ?? '') } }),
        'kube-system',
      ),
  };
}

interface StaticPod extends KubeObject {
  readonly spec: { readonly containers: readonly { readonly command: readonly string[] }[] };
}

/** A second control plane node, whose component is told otherwise. */
function addFlags(reference: Reference, component: string, change: (flags: readonly string[]) => readonly string[]): void {
  const pods = reference.api.list(resources.pods, 'kube-system') as readonly StaticPod[];
  for (const pod of pods.filter(({ metadata }) => metadata.labels?.component === component)) {
    const containers = pod.spec.containers.map((container) => ({ ...container, command: change(container.command) }));
    const { labels = {}, annotations = {}, namespace = '' } = pod.metadata;
    const metadata = { name: `${component}-cp-2`, namespace, labels, annotations };
    reference.api.create(resources.pods, { ...pod, metadata, spec: { ...pod.spec, containers } });
  }
}

const decided = (name: string, defect: string, killedBy: readonly string[], decisions: NonNullable<Mutant['options']>['decisions']): Mutant => ({
  name,
  defect,
  killedBy,
  options: { ...(decisions === undefined ? {} : { decisions }) },
});

/** The same certificate from a CA that nobody knows; with `newKey` for another key, from the same subject. */
function resign(leaf: string, newKey = false): string {
  const facts = parseCertificate(certificatesOfPem(leaf)[0] ?? Buffer.alloc(0));
  const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: facts.notBefore });
  return issue(authority, {
    subject: { commonName: facts.commonName, organizations: facts.organizations },
    publicKey: newKey ? generateKey('ECDSA-P256') : facts.spki,
    notBefore: facts.notBefore,
    notAfter: facts.notAfter,
    extendedKeyUsage: facts.extendedKeyUsage ?? [],
  }).pem;
}

/** Text around the block is lost, the block is written anew. base64 in and out. */
const reencode = (request: string): string => {
  const block = nextPem(Buffer.from(request, 'base64').toString())?.block;
  return block === undefined ? request : Buffer.from(encodePem(block.label, block.bytes)).toString('base64');
};

const ISSUING: readonly Mutant[] = [
  {
    name: 'binding-names-a-user',
    defect: 'kubeadm:kubelet-bootstrap names a User instead of the group: 403 on the request',
    killedBy: ['CSR-009', 'CSR-028', 'RBAC-005'],
    arrange: (reference) => editSubjects(reference, 'kubeadm:kubelet-bootstrap', (subjects) => subjects.map((subject) => ({ ...subject, kind: 'User' }))),
  },
  {
    name: 'requests-cannot-be-read',
    defect: 'the bootstrapper role has no get: kubelets ask and never see the answer',
    killedBy: ['CSR-010', 'RBAC-001', 'CSR-028'],
    arrange: (reference) =>
      editClusterRole(reference, 'system:node-bootstrapper', () => [
        { verbs: ['create', 'list', 'watch'], apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'] },
      ]),
  },
  decided('claims-are-kept', 'values of the body are kept: the approver asks about a forged user', ['CSR-011'], {
    csrRequester: (user, sent) => ({
      ...upstream.csrRequester(user, sent),
      ...(sent.username === undefined ? {} : { username: sent.username, groups: sent.groups ?? [] }),
    }),
  }),
  decided('comes-approved', 'a request can be created approved', ['CSR-011'], { csrInitialStatus: (sent) => sent ?? {} }),
  decided('asking-is-free', 'the handler of requests is outside the authorizer: 201 without the binding', ['CSR-012', 'LIM-020'], {
    finalAuthorization: (attributes, answer) =>
      attributes.resource === 'certificatesigningrequests' && attributes.subresource === '' ? { ...answer, decision: 'allow' } : answer,
  }),
  decided('approver-asks-nobody', 'the approver approves every well-formed request', ['CSR-014', 'ROT-007'], {
    approvalVerdict: () => ({
      type: 'Approved',
      status: 'True',
      reason: 'AutoApproved',
      message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
    }),
  }),
  decided('people-cannot-approve', 'only the built-in approver can approve', ['CSR-015', 'ROT-011', 'SRV-012'], {
    finalAuthorization: (attributes, answer) =>
      attributes.subresource === 'approval' && !attributes.user.username.startsWith('system:serviceaccount:') ? { ...answer, decision: 'deny' } : answer,
  }),
  decided('signer-does-not-sign', 'nobody signs: every join times out', ['CSR-016', 'CSR-015'], { awaitsSigning: () => false }),
  decided('signs-before-approval', 'the signer ignores conditions', ['CSR-017'], { awaitsSigning: (_conditions, hasCertificate) => !hasCertificate }),
  decided('signs-the-denied', 'the signer signs all but Failed requests', ['CSR-018'], {
    awaitsSigning: (conditions, hasCertificate) => !hasCertificate && conditions.some(({ type }) => type === 'Approved' || type === 'Denied'),
  }),
  decided('signed-by-another', 'certificates are signed by a CA that the signer made for itself', ['CSR-019', 'CSR-024', 'SRV-005'], {
    issuedPem: (leaf) => resign(leaf),
  }),
  decided('key-of-the-signer', 'the server generates a new key', ['CSR-020'], { issuedPem: (leaf) => resign(leaf, true) }),
  decided('subject-of-the-token', 'the subject is replaced by the user who asked', ['CSR-021', 'CSR-024'], {
    certificateSubject: () => [
      [{ oid: ATTRIBUTE.organization, value: 'system:bootstrappers' }],
      [{ oid: ATTRIBUTE.commonName, value: 'system:bootstrap:abcdef' }],
    ],
  }),
  decided('certificates-for-everything', 'certificates are good for clients and servers', ['CSR-022', 'SRV-005'], {
    certificateUsages: (usages) => ({ ...upstream.certificateUsages(usages), extendedKeyUsage: ['clientAuth', 'serverAuth'] }),
  }),
  decided('chain-in-the-status', 'the CA is delivered along with the leaf', ['CSR-023'], { issuedPem: (leaf, authority) => `${leaf}${authority}` }),
  decided('login-without-groups', 'the groups of a certificate are not taken over', ['CSR-024'], {
    certificateUser: (certificate, minor) => {
      const found = upstream.certificateUser(certificate, minor);
      return typeof found === 'object' && 'username' in found && found.username.startsWith('system:node:') ? { ...found, groups: [] } : found;
    },
  }),
  {
    name: 'somebody-else-signs',
    defect: 'the API server signs by itself, whatever the controller manager is told',
    killedBy: ['CSR-025', 'CSR-026'],
    options: { decisions: { controllerRuns: () => true } },
  },
  decided('requests-are-rewritten', 'the PEM is encoded anew when it is stored', ['CSR-035'], { csrStoredRequest: (request) => reencode(request) }),
  decided('requests-can-be-swapped', 'spec can be changed after creation', ['CSR-035'], { csrSpecAfterUpdate: (_old, sent) => sent }),
  decided('approver-ignores-signers', 'the approver looks at CN and O only', ['CSR-036'], {
    approvalRights: (_spec, _commonName, problem) => (problem === undefined ? ['nodeclient'] : []),
    approvalNeedsSignerRight: () => false,
  }),
  decided('approver-ignores-the-colon', 'the prefix is tested without the final colon', ['CSR-037'], {
    kubeletClientProblem: (request, usages) =>
      upstream.kubeletClientProblem({ ...request, commonName: request.commonName.replace(/^system:node[^:]*:/, 'system:node:') }, usages),
  }),
  {
    name: 'group-not-served',
    defect: 'certificates.k8s.io is disabled: every bootstrap ends in 404',
    killedBy: ['CSR-039', 'CSR-009'],
    options: { decisions: { groupIsServed: (name) => name !== 'certificates.k8s.io' } },
  },
  decided('requester-is-anonymous', 'the requester is written down as system:anonymous', ['BOOT-007', 'CSR-011'], {
    csrRequester: () => ({ username: 'system:anonymous', groups: ['system:unauthenticated'] }),
  }),
  decided('any-certificate-logs-in', 'the subject is checked, the issuer is not', ['BOOT-015', 'BOOT-018'], { chainIsTrusted: () => true }),
  decided('token-for-ever', 'the Node can be registered only with the token that it joined with', ['BOOT-011', 'BOOT-008'], {
    finalAuthorization: (attributes, answer) =>
      attributes.resource === 'nodes' && attributes.verb === 'create' && attributes.user.username.startsWith('system:node:')
        ? { ...answer, decision: 'deny' }
        : answer,
  }),
  decided('renewal-in-the-token-name', 'a renewal is written down as the first requester', ['ROT-004', 'SRV-002', 'SRV-001'], {
    csrRequester: (user, sent) => ({
      ...upstream.csrRequester(user, sent),
      ...(user.username.startsWith('system:node:') ? { username: 'system:bootstrap:abcdef' } : {}),
    }),
  }),
  decided('nodes-ask-for-each-other', 'a node may ask for another node, and is approved', ['ROT-006', 'SRV-002'], {
    nodeMayRequest: () => true,
    approvalRights: (spec, _commonName, problem) => (problem === undefined && spec.signerName === CLIENT ? ['selfnodeclient', 'nodeclient'] : []),
  }),
  decided('expiry-is-ignored', 'only the chain is checked: an expired certificate logs in', ['ROT-010', 'ROT-016'], { certificateIsCurrent: () => true }),
  decided('certificates-begin-later', 'a new certificate is not good for its first ten minutes: a gap between old and new', ['ROT-012', 'CSR-024'], {
    certificateValidity: (now, lifetime, caNotAfter) => ({ ...upstream.certificateValidity(now, lifetime, caNotAfter), notBefore: now + 600_000 }),
  }),
  decided('kind-of-key-is-kept', 'only ECDSA keys are approved', ['ROT-015'], {
    kubeletClientProblem: (request, usages) =>
      request.key !== undefined && !(request.key.type === 'ECDSA' && request.key.bits === 256)
        ? 'key type changed'
        : upstream.kubeletClientProblem(request, usages),
  }),
];

const HARMLESS: readonly Mutant[] = [
  {
    name: 'harmless-sound-requests',
    defect: 'none: requests of sound kubelets, first and later, client and serving',
    killedBy: [],
    arrange: (reference) => {
      reference.api.create(resources.nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'worker-8' },
        spec: {},
        status: { addresses: [{ type: 'InternalIP', address: '10.0.0.8' }] },
      });
      const node = { username: 'system:node:worker-8', groups: ['system:nodes', 'system:authenticated'] };
      plant(reference, { name: 'csr-sound1', commonName: 'system:node:worker-8', ...JOINING });
      plant(reference, { name: 'csr-sound2', commonName: 'system:node:worker-8', ...node });
      plant(reference, { name: 'csr-sound3', commonName: 'system:node:worker-8', ...node, signerName: SERVING, dns: ['worker-8'], ip: ['10.0.0.8'] });
      plant(reference, {
        name: 'jane',
        commonName: 'jane',
        organizations: ['developers'],
        signerName: 'kubernetes.io/kube-apiserver-client',
        username: 'jane',
        groups: ['kubeadm:cluster-admins', 'system:authenticated'],
      });
    },
  },
];

export const mutants: readonly Mutant[] = [...REQUESTS, ...ISSUING, ...HARMLESS];

/**
 * Clusters in which somebody may do nothing, or nothing is done. They meet every refusal; a rule about refusing that
 * passes on one of them passes for the wrong reason.
 */
import { record } from '../kubernetes/json.js';
import { SIGNER_APISERVER_CLIENT, SIGNER_KUBELET_CLIENT } from '../kubernetes/names.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import { editSubjects } from '../mutants/arrange.js';
import { failure } from '../mutants/said.js';
import type { Asked, Gateway, Mutant, Said } from '../mutants/types.js';
import type { ReferenceOptions } from '../reference/options.js';
import type { Hold } from './hold.js';

export interface Paralysed extends Pick<Mutant, 'arrange' | 'gateway' | 'client'> {
  readonly name: string;
  readonly hold?: Hold;
  /** Flags of the reference that it is played with. */
  readonly options?: Partial<ReferenceOptions>;
  /**
   * Rules about what a controller must leave undone, where that controller does nothing at all: none of them may pass.
   */
  readonly idle?: readonly string[];
  /** No rule may fail on it, and what errs on it is no row. */
  readonly unblamed?: true;
  /** Where it touches no others: the rules that it is played with. */
  readonly rules?: readonly string[];
}

/** Who works alone, by the rules about what it must leave undone. */
const IDLE = {
  cleaner: [],
  signer: ['SIGN-002', 'SIGN-004', 'SIGN-005', 'SIGN-006', 'SIGN-010', 'SIGN-011', 'SIGN-015', 'SIGN-017'],
  certificateSigner: [
    ...['CSR-017', 'CSR-018', 'CSR-019', 'CSR-020', 'CSR-021', 'CSR-022', 'CSR-023', 'CSR-025', 'CSR-026', 'ROT-009'],
    ...['P-25', 'P-50', 'P-52', 'P-53', 'P-54', 'P-56', 'P-58', 'P-59', 'P-60'],
  ],
  approver: ['CSR-014', 'CSR-036', 'CSR-037', 'P-51', 'LIM-017', 'LIM-018', 'ROT-006', 'ROT-007', 'SRV-012'],
} as const satisfies Record<string, readonly string[]>;

const NO = 'it is none of a node';

const REQUESTS = pathOf(resources.certificateSigningRequests);
const ADMINISTRATOR = 'kubernetes-admin';
const asksForOne = ({ method, path }: Asked): boolean => method === 'POST' && path === REQUESTS;
const decidesOne = ({ method, path }: Asked): boolean => method === 'PATCH' && path.endsWith('/approval');

/** The request that features approve beside those that must not be signed. */
function isTwin({ body }: Said): boolean {
  const { signerName, usages, expirationSeconds } = record(record(body).spec);
  const plain = signerName === SIGNER_APISERVER_CLIENT && expirationSeconds === undefined;
  return plain && String(usages) === 'digital signature,client auth';
}
const isDenied = ({ body }: Said): boolean => JSON.stringify(record(body).status ?? '').includes('"Denied"');

const forbidden = failure(403, 'Forbidden', 'not now');
const notFound = failure(404, 'NotFound', 'not here');
/** A gateway that says "forbidden" of what is so. */
const forbids = (isSo: (asked: Asked, answer: Said) => boolean): Gateway => ({
  after: (asked, answer) => (isSo(asked, answer) ? forbidden : undefined),
});

export const PARALYSED: readonly Paralysed[] = [
  { name: 'tokens forbidden everything', hold: { forbidden: /^system:bootstrap:/ } },
  { name: 'strangers forbidden everything', hold: { forbidden: /^system:anonymous$/ } },
  { name: 'nodes forbidden everything', hold: { forbidden: /^system:node:/ } },
  {
    name: 'all but administrators forbidden everything',
    hold: { forbidden: /^(?!kubernetes-admin$)/ },
  },
  { name: 'no token logs in', options: { bootstrapTokenAuth: false }, idle: ['CSR-012', 'CSR-014', 'P-53'] },
  {
    name: 'no service account logs in',
    options: { decisions: { tokenAccountProblem: () => 'nobody knows it' } },
  },
  {
    name: 'nodes read no Secrets',
    options: { decisions: { nodeOnSecret: () => 'Secrets are none of a node' } },
  },
  {
    name: 'nodes do nothing but register',
    options: {
      decisions: {
        nodeOnNode: ({ attributes: { verb, subresource } }) => verb === 'create' || subresource === 'status' || NO,
        nodeOnPod: () => NO,
        nodeOnLease: () => NO,
        nodeOnCsiNode: () => NO,
        nodeOnConfigMap: () => NO,
        nodeOnVolume: () => NO,
        nodeOnServiceAccount: () => NO,
        nodeMayUseLabel: (key) => !/^(node\.kubernetes\.io|joinproof\.invalid|topology\.kubernetes\.io)\//.test(key),
      },
    },
  },
  {
    name: 'nothing is only tried',
    rules: [
      'P-362',
      'P-363',
      'P-364',
      'P-365',
      'P-382',
      'P-383',
      'P-391',
      'P-543',
      'P-544',
      'P-545',
      'P-547',
      'P-552',
      'P-559',
      'P-73',
    ],
    gateway: forbids(({ query }) => query.has('dryRun')),
  },
  {
    name: 'what waits for its finalizer is not shown',
    rules: ['APIAUTH-026', 'APIAUTH-027', 'P-392'],
    gateway: {
      after: ({ method }, { body }) =>
        method === 'GET' && record(record(body).metadata).deletionTimestamp !== undefined ? notFound : undefined,
    },
  },
  { name: 'no token cleaner', options: { controllers: { tokencleaner: false } }, idle: IDLE.cleaner },
  { name: 'no bootstrap signer', options: { controllers: { bootstrapsigner: false } }, idle: IDLE.signer },
  {
    name: 'no certificate signer',
    options: { controllers: { csrsigning: false } },
    idle: IDLE.certificateSigner,
  },
  { name: 'no approver', options: { controllers: { csrapproving: false } }, idle: IDLE.approver },
  {
    name: 'no controllers',
    options: {
      controllers: {
        tokencleaner: false,
        bootstrapsigner: false,
        csrsigning: false,
        csrapproving: false,
        csrcleaner: false,
      },
    },
    idle: Object.values(IDLE).flat(),
  },
  {
    name: 'administrators ask for no certificates',
    rules: [
      'CSR-014',
      'CSR-017',
      'CSR-018',
      'CSR-019',
      'CSR-025',
      'P-25',
      'P-335',
      'P-50',
      'P-52',
      'P-53',
      'P-60',
      'ROT-006',
      'ROT-009',
    ],
    gateway: forbids((asked) => asksForOne(asked) && asked.user === ADMINISTRATOR),
  },
  {
    name: 'no plain client is asked for',
    rules: ['P-54', 'P-59'],
    gateway: forbids((asked, answer) => asksForOne(asked) && isTwin(answer)),
  },
  {
    name: 'no plain client is approved',
    rules: ['CSR-017', 'CSR-018', 'P-54', 'P-59'],
    gateway: forbids((asked, answer) => decidesOne(asked) && isTwin(answer) && !isDenied(answer)),
  },
  {
    name: 'nothing is denied',
    rules: ['CSR-018', 'P-56'],
    gateway: forbids((asked, answer) => decidesOne(asked) && isDenied(answer)),
  },
  {
    name: 'joining tokens ask for no certificates',
    rules: ['CSR-014'],
    arrange: (reference) => editSubjects(reference, 'kubeadm:kubelet-bootstrap', () => []),
  },
  {
    name: 'what is approved and not signed is gone',
    options: {
      decisions: {
        csrSweepInterval: () => 1_000,
        csrIsSwept: ({ conditions, hasCertificate }) => conditions.length > 0 && !hasCertificate,
      },
    },
    rules: ['CSR-026'],
  },
  {
    name: 'nobody writes approvals of nodes',
    gateway: forbids(
      (asked, { body }) => decidesOne(asked) && record(record(body).spec).signerName === SIGNER_KUBELET_CLIENT,
    ),
    rules: ['P-338'],
  },
  { name: 'every write refused', hold: { readOnly: true } },
  { name: 'every read empty', hold: { empty: true } },
  ...(
    [
      ['a client that prints help', 'Usage: join [flags]', 0],
      ['a client that always says yes', 'This node has joined the cluster', 0],
      ['a client that crashes', 'Segmentation fault', 139],
      ['a client that hangs', '', undefined],
    ] as const
  ).map(([name, said, exit]) => ({ name, client: { instead: { said, exit } } })),
];

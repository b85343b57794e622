/**
 * Clusters in which somebody may do nothing, or nothing is done. They meet every refusal; a rule about refusing that
 * passes on one of them passes for the wrong reason.
 */
import type { ReferenceOptions } from '../reference/options.js';
import type { Hold } from './hold.js';

export interface Paralysed {
  readonly name: string;
  readonly hold: Hold;
  /** Flags of the reference that it is played with. */
  readonly options: Partial<ReferenceOptions>;
  /**
   * Rules about what a controller must leave undone, where that controller does nothing at all: none of them may pass.
   */
  readonly idle: readonly string[];
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

export const PARALYSED: readonly Paralysed[] = [
  { name: 'tokens forbidden everything', hold: { forbidden: /^system:bootstrap:/ }, options: {}, idle: [] },
  { name: 'strangers forbidden everything', hold: { forbidden: /^system:anonymous$/ }, options: {}, idle: [] },
  { name: 'nodes forbidden everything', hold: { forbidden: /^system:node:/ }, options: {}, idle: [] },
  {
    name: 'all but administrators forbidden everything',
    hold: { forbidden: /^(?!kubernetes-admin$)/ },
    options: {},
    idle: [],
  },
  { name: 'no token logs in', hold: {}, options: { bootstrapTokenAuth: false }, idle: ['CSR-012', 'CSR-014', 'P-53'] },
  {
    name: 'nodes read no Secrets',
    hold: {},
    options: { decisions: { nodeOnSecret: () => 'Secrets are none of a node' } },
    idle: [],
  },
  {
    name: 'nodes do nothing but register',
    hold: {},
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
    idle: [],
  },
  { name: 'no token cleaner', hold: {}, options: { controllers: { tokencleaner: false } }, idle: IDLE.cleaner },
  { name: 'no bootstrap signer', hold: {}, options: { controllers: { bootstrapsigner: false } }, idle: IDLE.signer },
  {
    name: 'no certificate signer',
    hold: {},
    options: { controllers: { csrsigning: false } },
    idle: IDLE.certificateSigner,
  },
  { name: 'no approver', hold: {}, options: { controllers: { csrapproving: false } }, idle: IDLE.approver },
  {
    name: 'no controllers',
    hold: {},
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
  { name: 'every write refused', hold: { readOnly: true }, options: {}, idle: [] },
  { name: 'every read empty', hold: { empty: true }, options: {}, idle: [] },
];

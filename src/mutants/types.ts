/** A named deviation of the reference. Data: what is replaced, and which rules must notice. */
import type { AnotherClient } from '../joining/another.js';
import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import type { Reference, ReferenceOptions } from '../reference/options.js';

/** A request as something before the API server sees it. */
export interface Asked {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** As the credential says: "system:bootstrap:a1b2c3", "kubernetes-admin", "system:anonymous". */
  readonly user: string;
}

/** An answer. `body`: parsed JSON, or text that is none. */
export interface Said {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What stands before the API server; undefined: the request, or the answer, goes through as it is. */
export interface Gateway {
  /** Answers in its place: the API server never hears of the request. */
  before?(asked: Asked): Said | undefined;
  /** Says something else than it does. */
  after?(asked: Asked, answer: Said): Said | undefined;
}

/** Nothing but the disk is another, and it is judged alone. */
export const isOfDisk = ({
  disk,
  beside,
  options = {},
  connected,
  client,
  arrange,
  gateway,
}: Partial<Mutant>): boolean =>
  disk !== undefined &&
  [beside, connected, client, arrange, gateway].every((part) => part === undefined) &&
  Object.keys(options).length === 0;

export interface Mutant {
  /** kebab-case, unique, says the defect: "expiry-left-to-cleaner". */
  readonly name: string;
  /** The defect in one sentence, in the words of the rule's violating example. */
  readonly defect: string;
  /**
   * Ids of the rules that must fail ("failed", not "error" or "skipped"). Empty: a harmless variant that no rule may
   * fail or err on.
   */
  readonly killedBy: readonly string[];
  /** Of a harmless variant: rules beyond the documents that tell what is a choice, and is told of rightly. */
  readonly toldBy?: readonly string[];
  /** Of a harmless variant: rules are skipped for it that others are held to, so that it is played with no others. */
  readonly apart?: true;
  /** Of who remembers something: the same with nothing remembered, for each play. */
  readonly anew?: () => Mutant;
  /** Decisions replaced and switches changed. */
  readonly options?: Partial<ReferenceOptions>;
  /** It is asked over connections, as any cluster: others are asked in this process. */
  readonly connected?: true;
  /** In what the joining client is another. */
  readonly client?: AnotherClient;
  /** What is done to the disk of the control plane that kubeadm init wrote. */
  readonly disk?: DiskEdit;
  /** The disk is judged together with its cluster; else alone, where nothing else is done. */
  readonly beside?: true;
  /** Objects arranged after the start, before the suite runs. */
  arrange?(reference: Reference): void | Promise<void>;
  readonly gateway?: Gateway;
  /** Of a harmless variant: it is so for the rules of the policy, too. Defects always are held to them. */
  readonly strict?: true;
}

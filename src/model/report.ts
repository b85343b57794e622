/**
 * The one result model: what every writer of a report gets, and exactly what the JSON report holds
 * (schemas/report.schema.json).
 */
import type { Finding, More } from './finding.js';
import type { Reason, VerdictKind } from './verdict.js';
import type { Baseline, WaiverSeen } from './waiver.js';

export const SCHEMA_VERSION = '2.5.0';

/** One request and its answer, redacted. */
export interface ExchangeSeen {
  /** "anonymous", "admin", "system:bootstrap:<id>", a certificate's CN */
  readonly as: string;
  readonly request: string;
  /** HTTP status; null where none came. */
  readonly status: number | null;
  /** Its headers other than the usual ones, a line each; of credentials their form. Reports up to 2.4.0 do not say. */
  readonly headers?: readonly string[];
  readonly sent?: string;
  readonly received?: string;
}

/** One observation put to one check. `joinproof replay` judges it again. */
export interface Judgement {
  /** Which check; null for a finding of the harness itself. */
  readonly check: string | null;
  /** Key in the report's `observations`; null where the check needs none. */
  readonly observation: string | null;
  readonly parameters?: unknown;
  /** The check's findings are controls here: this rule takes for granted what another one demands. */
  readonly taken?: true;
  readonly findings: readonly Finding[];
  /**
   * Findings beyond those: then these are examples, and the observation is the part of the whole that they were found
   * in.
   */
  readonly more?: More;
  /**
   * The requests that this was seen by, each once, of long lists the first page; bodies only where something is not met.
   * Redacted.
   */
  readonly exchanges?: readonly ExchangeSeen[];
}

export interface ScenarioResult {
  /** "TOK-001/each-token-has-the-form": stable over runs and over moved lines. */
  readonly id: string;
  readonly name: string;
  readonly verdict: VerdictKind;
  /** null where it passed. */
  readonly reason: Reason | null;
  /** What ended it beside its findings; null where nothing did. */
  readonly ended: { readonly kind: Exclude<VerdictKind, 'passed'>; readonly reason: Reason } | null;
  readonly seconds: number;
  /** How many of its steps were played; the last of them decided. Reports up to 2.1.0 do not say. */
  readonly played?: number;
  readonly judgements: readonly Judgement[];
}

export interface SentenceSeen {
  readonly id: string;
  readonly documents: readonly string[];
  readonly statement: string;
  /** What is wrong with the document's sentence, where something is. */
  readonly erratum?: string;
}

/** Where the documents mislead: contradict each other, Kubernetes or themselves. */
export interface ErratumSeen {
  /** "TRAP-10" */
  readonly id: string;
  /** What is said, and how it misleads. */
  readonly trap: string;
  /** What Kubernetes does. */
  readonly today: string;
}

export interface RuleResult {
  readonly id: string;
  readonly level: 'MUST' | 'SHOULD' | 'MAY';
  readonly chapter: string;
  readonly title: string;
  /** Why it matters. */
  readonly why: string;
  /** How to repair a violation: for an operator, or for the maker of a server or client where no operator can. */
  readonly repair: { readonly for: 'operator' | 'maker'; readonly text: string };
  /** "authorization/1-roles-and-bindings.feature:8" */
  readonly place: string;
  /** The profile does not demand it: what it finds is told, and fails no run. */
  readonly advice?: true;
  /** The worst of its scenarios. */
  readonly verdict: VerdictKind;
  readonly reason: Reason | null;
  /** Documents, "001". */
  readonly sources: readonly string[];
  readonly sentences: readonly SentenceSeen[];
  /** The traps around them. Sorted by id. */
  readonly errata: readonly ErratumSeen[];
  /** Of its scenarios together, waits included. */
  readonly seconds: number;
  readonly scenarios: readonly ScenarioResult[];
}

export interface Summary extends Readonly<Record<VerdictKind, number>> {
  readonly rules: number;
  readonly scenarios: number;
  readonly exitCode: 0 | 1 | 3;
}

/** At most 1,000 are counted. */
interface Counted {
  readonly count: number;
  /** Some of them: "ClusterRoleBinding jp-1a2b3c4d5e". */
  readonly examples: readonly string[];
}

/** Objects that are of joinproof's making, as far as can be seen, but not of this run. */
export interface OwnObjectsSeen {
  /** Of runs that may be under way: not judged. */
  readonly leftOut: Counted;
  /** Of runs that are long over: judged as everything else. */
  readonly leftBehind: Counted;
}

/** What the target was held to. */
export interface ProfileSeen {
  readonly name: string;
  readonly chosen: 'given' | 'detected' | 'default';
  /** What shows that it is one of those: "version v1.33.1+k3s1"; of one that nobody gave. */
  readonly signs: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What is known of an authenticator of the API server. */
export interface AuthenticatorKnown {
  /** "client certificates" */
  readonly authenticator: string;
  /** "some": at some paths, or at some API servers, alone. */
  readonly state: 'on' | 'off' | 'some' | 'unknown';
  /** "the API server's flags name no --token-auth-file" */
  readonly by: string;
}

/** What was demanded of the run beside its verdicts. */
export interface Gate {
  /** Rules below this level fail no run. */
  readonly failOn: 'MUST' | 'SHOULD' | 'MAY';
  /** Abilities and facts that the target has to have. Sorted. */
  readonly require: readonly string[];
  /** How many rules may be skipped; null: any number. */
  readonly maxSkipped: number | null;
  /** Why the run ends with 3 all the same; a sentence without a full stop each. */
  readonly shortfalls: readonly string[];
}

export interface Report {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly tool: { readonly name: 'joinproof'; readonly version: string; readonly node: string };
  readonly target: {
    readonly kind: string;
    readonly name: string;
    readonly server: string;
    /** null where it could not be read. */
    readonly version: string | null;
    readonly abilities: readonly string[];
    readonly facts: readonly string[];
    /** Only where somebody has looked; in the order in which an API server asks them. Reports up to 2.3.0 do not say. */
    readonly authenticators?: readonly AuthenticatorKnown[];
  };
  /** What was chosen: everything that changes which rules are judged. */
  readonly profile: {
    readonly level: string | null;
    readonly chapters: readonly string[];
    readonly rules: readonly string[];
    readonly tags: string | null;
    /** Reports up to 2.2.0 do not say. */
    readonly held?: ProfileSeen;
  };
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly seconds: number;
  readonly summary: Summary;
  /** Reports up to 2.1.0 do not say. */
  readonly gate?: Gate;
  /** Only where there are any; in the order in which they were given. */
  readonly waivers?: readonly WaiverSeen[];
  /** Only where one was given. */
  readonly baseline?: Baseline;
  /** Only where there are any. */
  readonly ownObjects?: OwnObjectsSeen;
  /** What this run has made and could not remove; only where there is any. */
  readonly left?: Counted;
  /** Sorted by id. */
  readonly rules: readonly RuleResult[];
  /** What was observed, by key; judgements name the keys. */
  readonly observations: Readonly<Record<string, unknown>>;
}

/** The one result model: what every writer of a report gets, and exactly what the JSON report holds (schemas/report.schema.json). */

export const SCHEMA_VERSION = '1.0.0';

export const VERDICT_ORDER = ['passed', 'waived', 'skipped', 'failed', 'error'] as const;
export type ReportVerdict = (typeof VERDICT_ORDER)[number];

export interface ReportEvidence {
  readonly object: string;
  readonly demanded: string;
  readonly seen: string;
  readonly ok: boolean;
  readonly note?: string;
  /** The requests that it was seen by; bodies only where it is not ok. Redacted. */
  readonly exchanges?: readonly {
    readonly as: string;
    readonly request: string;
    readonly status: number | null;
    readonly sent?: string;
    readonly received?: string;
  }[];
}

export interface ScenarioResult {
  readonly name: string;
  readonly verdict: ReportVerdict;
  /** null where it passed, else never empty. */
  readonly reason: string | null;
  readonly evidence: readonly ReportEvidence[];
}

export interface RuleResult {
  readonly id: string;
  readonly level: 'MUST' | 'SHOULD' | 'MAY';
  readonly chapter: string;
  readonly title: string;
  /** The worst of its scenarios. */
  readonly verdict: ReportVerdict;
  readonly reason: string | null;
  /** Documents, "001". */
  readonly sources: readonly string[];
  readonly scenarios: readonly ScenarioResult[];
}

export interface Summary extends Readonly<Record<ReportVerdict, number>> {
  readonly rules: number;
  readonly scenarios: number;
  readonly exitCode: 0 | 1 | 3;
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
    readonly capabilities: readonly string[];
  };
  /** What was chosen: everything that changes which rules are judged. */
  readonly profile: {
    readonly level: string | null;
    readonly chapters: readonly string[];
    readonly rules: readonly string[];
    readonly tags: string | null;
  };
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly seconds: number;
  readonly summary: Summary;
  /** Sorted by id. */
  readonly rules: readonly RuleResult[];
}

/** What a person needs beside the report: why a rule matters, how to repair, where it stands. By rule id. */
export interface Advice {
  readonly why: string;
  readonly repair: string;
  readonly place: string;
}

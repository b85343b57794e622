/** The specification as people read it: rules with what they judge, why, and what proves them. */
import type { ErratumSeen, RuleResult } from './report.js';

export interface PlaceInDocument {
  /** "001" */
  readonly document: string;
  /** As the document has it. */
  readonly heading: string;
}

export interface SentenceTold {
  readonly id: string;
  readonly level: string;
  readonly statement: string;
  /** Empty for what no document says. */
  readonly places: readonly PlaceInDocument[];
  /** What current Kubernetes does. */
  readonly today: string;
  /** What the document says otherwise, and since when it is not so. */
  readonly erratum?: { readonly claim?: string; readonly fact: string; readonly since?: string };
}

export interface ScenarioTold {
  readonly id: string;
  readonly name: string;
  /** "since 1.29", "until 1.23, or 1.24.5": empty where it holds always. */
  readonly releases: string;
  /** Abilities and facts of a target that it takes. Sorted. */
  readonly needs: readonly string[];
}

export interface MutantTold {
  readonly name: string;
  /** The defect in one sentence. */
  readonly defect: string;
}

export interface RuleTold {
  readonly id: string;
  readonly level: RuleResult['level'];
  readonly chapter: string;
  readonly title: string;
  readonly why: string;
  readonly repair: RuleResult['repair'];
  /** "authorization/1-roles-and-bindings.feature:8" */
  readonly place: string;
  /** No document demands it. */
  readonly beyond: boolean;
  readonly sentences: readonly SentenceTold[];
  readonly errata: readonly ErratumSeen[];
  readonly scenarios: readonly ScenarioTold[];
  /** The rule as it is written, Gherkin, without its description. */
  readonly gherkin: string;
  /** Defects of the reference that it is known to notice; empty where that was not compiled. */
  readonly mutants: readonly MutantTold[];
}

/** A sentence of the documents, or a candidate beyond them, and what became of it. */
export interface SentenceFate extends SentenceTold {
  /** "TOK" */
  readonly area: string;
  readonly areaTitle: string;
  /** Rules that judge it. */
  readonly rules: readonly string[];
  /** Why none does: the ability of a target that a rule would take, or the reason. */
  readonly unjudged?: string;
}

export interface TrapTold extends ErratumSeen {
  readonly places: readonly PlaceInDocument[];
  readonly advice: string;
  readonly rules: readonly string[];
}

export interface ChapterTold {
  /** The folder of its features. */
  readonly chapter: string;
  readonly title: string;
  /** One sentence. */
  readonly about: string;
}

export interface Specification {
  /** Those that have rules, in the order of reading. */
  readonly chapters: readonly ChapterTold[];
  /** In the order of reading. */
  readonly rules: readonly RuleTold[];
  /** By area, as they are numbered. */
  readonly sentences: readonly SentenceFate[];
  readonly traps: readonly TrapTold[];
}

/**
 * What scenarios need, and when they may be played: said by their steps, not by tags. As tags they can be chosen by all
 * the same.
 */
import type { Need } from '../targets/types.js';
import { type Demands, demandsOf } from './define.js';
import type { Catalogue, Rule, Scenario } from './features.js';
import type { SupportLibrary } from './support-library.js';

export interface Traits {
  /** Sorted. */
  readonly needs: readonly Need[];
  readonly waits: boolean;
  /** It changes something, or waits for what changes: it shares with nobody what it looks at. */
  readonly acts: boolean;
  /** Scenarios of one name are never played at the same time. Sorted. */
  readonly exclusive: readonly string[];
}

/** Abilities by which a scenario changes something. */
const ACTING: readonly Need[] = ['writes', 'variants', 'init', 'ours'];

/** Of its steps together; `problem` where a sentence has no definition, or several. */
export function traitsOf(scenario: Scenario, library: SupportLibrary): Traits | { readonly problem: string } {
  const demands: Demands[] = [];
  for (const { text } of scenario.steps) {
    const found = library.definitionOf(text);
    if ('problem' in found) return found;
    demands.push(demandsOf(found.definition.options));
  }
  const needs = [...new Set(demands.flatMap((one) => one.needs ?? []))].sort();
  const waits = demands.some((one) => one.waits === true);
  return {
    needs,
    waits,
    acts: waits || needs.some((need) => ACTING.includes(need)),
    exclusive: [...new Set(demands.flatMap(({ exclusive }) => exclusive ?? []))].sort(),
  };
}

/** Of one whose sentences have no definition: nothing. Sorted. */
export function needsOf(scenario: Scenario, library: SupportLibrary): readonly Need[] {
  const traits = traitsOf(scenario, library);
  return 'problem' in traits ? [] : traits.needs;
}

/** Of a rule that no document demands: its sentence stands among the candidates. */
const BEYOND = '@beyond';

/** "@needs:writes", "@waits", "@chapter:cluster-info", "@source:001", "@erratum:TRAP-10", "@beyond" */
export const DERIVED = /@(needs|waits|chapter|source|erratum|beyond)\b/;

/** What the sentences say of a rule: its documents, "001", and its traps, "TRAP-10". */
export interface Said {
  sources(rule: string): readonly string[];
  traps(rule: string): readonly string[];
}

/** The catalogue with derived tags beside the written ones. */
export function withDerivedTags(catalogue: Catalogue, library: SupportLibrary, said: Said): Catalogue {
  const tagged = (rule: Rule, scenario: Scenario): Scenario => {
    const traits = traitsOf(scenario, library);
    const { needs, waits } = 'problem' in traits ? { needs: [], waits: false } : traits;
    const sources = said.sources(rule.id).map((source) => `@source:${source}`);
    const derived = [
      `@chapter:${rule.chapter}`,
      ...(sources.length === 0 ? [BEYOND] : sources),
      ...said.traps(rule.id).map((trap) => `@erratum:${trap}`),
      ...needs.map((need) => `@needs:${need}`),
      ...(waits ? ['@waits'] : []),
    ];
    return { ...scenario, tags: [...new Set([...scenario.tags, ...derived])] };
  };
  const rules = catalogue.rules.map((rule) => ({
    ...rule,
    scenarios: rule.scenarios.map((scenario) => tagged(rule, scenario)),
  }));
  return { ...catalogue, rules };
}

/** What joinproof rules --errata prints: where the documents mislead, and what is done about it. */
import type { Rule } from '../run/features.js';
import { packageSentences, packageTraps, rulesOf, type Sentence, type Trap } from '../run/sentences.js';

interface Told {
  readonly id: string;
  readonly places: Trap['places'];
  readonly sentences: readonly string[];
  readonly trap: string;
  readonly advice: string;
  readonly today: string;
  /** That judge as Kubernetes does. */
  readonly rules: readonly string[];
  /** Why no rule judges a sentence that it touches: the ability of a target that a rule would take, or the reason. */
  readonly unjudged: readonly { readonly sentence: string; readonly why: string }[];
}

/** `all`: those without a rule as well, else only what touches the chosen rules. */
export function toldErrata(
  chosen: readonly Pick<Rule, 'id'>[],
  { all, format }: { readonly all: boolean; readonly format: string },
): string {
  const ids = new Set(chosen.map(({ id }) => id));
  const byId = new Map(
    packageSentences()
      .areas()
      .flatMap(({ sentences }) => sentences.map((sentence) => [sentence.id, sentence] as const)),
  );
  const told = packageTraps()
    .map((trap) => toldOf(trap, byId))
    .filter(({ rules }) => all || rules.some((id) => ids.has(id)));
  return format === 'json' ? `${JSON.stringify(told, undefined, 2)}\n` : `${told.map(paragraph).join('\n\n')}\n`;
}

function toldOf(trap: Trap, byId: ReadonlyMap<string, Sentence>): Told {
  const touched = trap.sentences.flatMap((id) => byId.get(id) ?? []);
  const { id, places, sentences, trap: said, advice, today } = trap;
  return {
    id,
    places,
    sentences,
    trap: said,
    advice,
    today,
    rules: [...new Set(touched.flatMap(rulesOf))].sort(),
    unjudged: touched.flatMap(({ id: sentence, waits, excluded }) =>
      waits === undefined && excluded === undefined
        ? []
        : [{ sentence, why: excluded ?? `no rule yet; a target with the ability "${waits}" would show it` }],
    ),
  };
}

const paragraph = ({ id, places, trap, today, rules, unjudged }: Told): string =>
  [
    `${id}  ${rules.join(', ') || 'no rule yet'}`,
    `  ${places.map(({ document, heading }) => `${document}, ${heading}`).join('; ')}`,
    `  says:       ${trap}`,
    `  Kubernetes: ${today}`,
    ...unjudged.map(({ sentence, why }) => `  ${sentence}: ${why}`),
  ].join('\n');

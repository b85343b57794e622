/** Rules as the commands and the site tell them: one model, from features, sentences, steps and mutants. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MutantTold, RuleTold, SentenceFate, SentenceTold, Specification } from '../model/specification.js';
import { chaptersToRead, inReadingOrder } from './chapters.js';
import type { Rule } from './features.js';
import { distFolder, featuresFolder } from './package-root.js';
import { type Candidate, validCandidates } from './sentence-files.js';
import { type Judged, packageSentences, packageTraps, rulesOf, sentencesOf, trapsAround } from './sentences.js';
import type { SupportLibrary } from './support-library.js';
import { needsOf } from './traits.js';
import type { Range } from './versions.js';

/** What the build has written of the mutants, by rule. */
export const PROOF = path.join(distFolder, 'src', 'run', 'proof.json');
export type Proof = Readonly<Record<string, readonly MutantTold[]>>;

let proof: Proof | undefined;

function proofOf(rule: string): readonly MutantTold[] {
  if (proof === undefined) {
    try {
      proof = JSON.parse(readFileSync(PROOF, 'utf8')) as Proof;
    } catch {
      proof = {};
    }
  }
  return proof[rule] ?? [];
}

/** In the order of reading. */
export const specification = (rules: readonly Rule[], library: SupportLibrary): readonly RuleTold[] =>
  inReadingOrder(rules).map((rule) => toldRule(rule, library));

/** All of it: rules, every sentence of the documents and beyond with what became of it, and the traps. */
export function wholeSpecification(rules: readonly Rule[], library: SupportLibrary): Specification {
  const documents = packageSentences()
    .areas()
    .flatMap(({ area, title, sentences }) =>
      sentences.map((sentence): SentenceFate => ({ ...sentence, ...fateOf(sentence), area, areaTitle: title })),
    );
  const beyond = knownCandidates().map(
    (candidate): SentenceFate => ({
      ...toldCandidate(candidate),
      ...fateOf(candidate),
      area: candidate.id.split('-')[0] ?? '',
      areaTitle: 'Beyond the documents',
    }),
  );
  const fates = new Map(documents.map((sentence) => [sentence.id, sentence]));
  const traps = packageTraps().map(({ id, trap, today, places, advice, sentences }) => ({
    id,
    trap,
    today,
    places,
    advice,
    rules: [...new Set(sentences.flatMap((sentence) => fates.get(sentence)?.rules ?? []))].sort(),
  }));
  const chapters = chaptersToRead().filter(({ chapter }) => rules.some((rule) => rule.chapter === chapter));
  return { chapters, rules: specification(rules, library), sentences: [...documents, ...beyond], traps };
}

function fateOf(judged: Judged): Pick<SentenceFate, 'rules' | 'unjudged'> {
  const { waits, excluded } = judged;
  const unjudged = excluded ?? (waits === undefined ? undefined : `waits for a target with the ability "${waits}"`);
  return { rules: rulesOf(judged), ...(unjudged === undefined ? {} : { unjudged }) };
}

function toldRule(rule: Rule, library: SupportLibrary): RuleTold {
  const { id, level, chapter, title, why, repair, place } = rule;
  const judged = sentencesOf(id);
  return {
    id,
    level,
    chapter,
    title,
    why,
    repair,
    place,
    beyond: judged.length === 0,
    sentences: judged.length === 0 ? candidatesOf(id) : judged,
    errata: trapsAround(judged).map(({ id: trap, trap: said, today }) => ({ id: trap, trap: said, today })),
    scenarios: rule.scenarios.map((scenario) => ({
      id: scenario.id,
      name: scenario.name,
      releases: releasesIn(scenario.range),
      needs: needsOf(scenario, library),
    })),
    gherkin: gherkinOf(place),
    mutants: proofOf(id),
  };
}

const toldCandidate = ({ id, level, statement, why }: Candidate): SentenceTold => ({
  id,
  level,
  statement,
  places: [],
  today: why,
});

let candidates: readonly Candidate[] | undefined;

/** Read and held to their schema once a process. */
function knownCandidates(): readonly Candidate[] {
  candidates ??= validCandidates();
  return candidates;
}

const candidatesOf = (rule: string): readonly SentenceTold[] =>
  knownCandidates()
    .filter((candidate) => rulesOf(candidate).includes(rule))
    .map(toldCandidate);

/** "since 1.29", "until 1.23" */
function releasesIn({ since, until }: Range): string {
  const told = (word: string, releases: Range['since']): readonly string[] =>
    releases === undefined
      ? []
      : [
          `${word} ${releases.map(({ minor, patch }) => `1.${minor}${patch === undefined ? '' : `.${patch}`}`).join(', ')}`,
        ];
  return [...told('since', since), ...told('until', until)].join(', ');
}

const texts = new Map<string, readonly string[]>();

/** A rule's scenarios from its file: what stands behind its description, up to the next rule. */
function gherkinOf(place: string): string {
  const [, file = place, line = '1'] = /^(.*):(\d+)$/.exec(place) ?? [];
  const lines = texts.get(file) ?? readFileSync(path.join(featuresFolder, file), 'utf8').split('\n');
  texts.set(file, lines);
  const behind = lines.slice(Number(line));
  const next = behind.findIndex((text) => /^\s*Rule:/.test(text));
  const own = next < 0 ? behind : behind.slice(0, next);
  const first = own.findIndex((text) => /^\s*(@|Scenario|Background)/.test(text));
  const body = first < 0 ? [] : own.slice(first);
  // Tags of the next rule stand before it.
  while (body.length > 0 && /^\s*(@.*|#.*)?$/.test(body.at(-1) ?? '')) body.pop();
  const indent = Math.min(...body.filter((text) => text.trim() !== '').map((text) => text.search(/\S/)));
  return body.map((text) => text.slice(indent)).join('\n');
}

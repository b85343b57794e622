/** Weakenings of features and steps, each made where nothing of the package is touched. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { playAll } from '../../matrix/pool.js';
import { stepsIn } from '../../run/execute.js';
import { type Rule, readFeatures } from '../../run/features.js';
import { distFolder, featuresFolder, stepsFolder } from '../../run/package-root.js';
import { featureChanges } from './feature-changes.js';
import { instrumented, type StepChange } from './step-changes.js';
import type { Outcome, Weakening } from './weakened.js';

/** Chosen of all that there are, and what is removed afterwards. */
export interface Weakenings {
  readonly all: readonly Weakening[];
  close(): void;
}

const WORKER = new URL('./worker.js', import.meta.url);
export type Choose = <T extends { readonly name: string }>(all: readonly T[]) => readonly T[];

export async function tried(
  weakenings: readonly Weakening[],
  workers: number,
  onEnd: (done: number) => void,
): Promise<readonly Outcome[]> {
  const results = await playAll<Weakening, Outcome>(weakenings, workers, onEnd, WORKER);
  return results.map((result) =>
    'failure' in result ? { weakening: result.job, noticed: `could not be played: ${result.failure}` } : result,
  );
}

/** Nothing is weakened: by name, these rules together. */
const unchanged = (
  some: readonly Pick<Weakening, 'name' | 'rules'>[],
  changed: Weakening['changed'],
  workers: number,
): Promise<readonly Outcome[]> =>
  tried(
    some.map(({ name, rules }) => ({ name, part: name, rules, changed })),
    workers,
    () => {},
  );

/** The rules as they are: where they are not as their lists say, nothing says that a weakening was noticed. */
async function unweakened(
  rules: readonly string[],
  changed: Weakening['changed'],
  workers: number,
): Promise<readonly Outcome[]> {
  const each = rules.map((id) => ({ name: id, rules: [id] }));
  const outcomes = await unchanged(each, changed, workers);
  const wrong = outcomes.flatMap(({ noticed }) => noticed ?? []);
  if (wrong.length > 0)
    throw new Error(
      `The rules are not as their lists say before anything is weakened: ${wrong.join('; ')}. See npm run matrix.`,
    );
  return outcomes;
}

/** A line less of a feature. `choose` is handed all of them; `rules`: of these rules only. */
export async function ofFeatures(choose: Choose, rules: ReadonlySet<string>, workers: number): Promise<Weakenings> {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-features-'));
  const changes = featureFiles().flatMap((file) =>
    featureChanges(file, readFileSync(path.join(featuresFolder, file), 'utf8')),
  );
  const all = choose(changes.filter(({ rule }) => rules.has(rule))).map(({ file, rule, name, text }, index) => {
    const features = path.join(folder, String(index));
    mkdirSync(path.dirname(path.join(features, file)), { recursive: true });
    writeFileSync(path.join(features, file), text);
    return { name, part: featuresPart(file), rules: [rule], changed: { features } };
  });
  await unweakened([...new Set(all.flatMap(({ rules: touched }) => touched))], {}, workers);
  return { all, close: () => rmSync(folder, { recursive: true }) };
}

/** Of which rules, and of which files where not of all: "node-files/kept.js". */
export interface Of {
  readonly rules: ReadonlySet<string>;
  readonly files: readonly string[];
}

/** Files of steps that can be weakened. */
export const stepFiles = (): readonly string[] => stepsIn(stepsFolder).map((file) => path.relative(stepsFolder, file));
const featureFiles = (): readonly string[] => [
  ...new Set(readFeatures(featuresFolder).rules.map(({ place }) => place.replace(/:\d+$/, ''))),
];

const featuresPart = (file: string): string => `features/${path.dirname(file)}`;
const stepsPart = (file: string): string => `steps/${file}`;

/** All that scores of features and steps are told of. */
export const parts = (): readonly string[] => [
  ...new Set([...featureFiles().map(featuresPart), ...stepFiles().map(stepsPart)]),
];

/** A place of a step weakened; tried on rules that pass it. */
export async function ofSteps(choose: Choose, { rules, files }: Of, workers: number): Promise<Weakenings> {
  // beside the compiled steps: they import by relative paths
  const folder = path.join(distFolder, 'steps-changed');
  const folders = [folder];
  cpSync(stepsFolder, folder, { recursive: true });
  const changes: (StepChange & { readonly file: string })[] = [];
  for (const file of stepFiles()) {
    const source = path.join(stepsFolder, file);
    const made = instrumented(file, readFileSync(source, 'utf8'), changes.length + 1);
    writeFileSync(path.join(folder, file), made.text);
    changes.push(...made.changes.map((change) => ({ ...change, file })));
  }
  const asked = files.length === 0 ? changes : changes.filter(({ file }) => files.includes(file));
  const all = readFeatures(featuresFolder).rules.filter(({ id }) => rules.has(id));
  const ids = files.length === 0 ? all.map(({ id }) => id) : await passingAny(asked, all, { steps: folder }, workers);
  const passes = await unweakened(ids, { steps: folder }, workers);
  const passing = (change: number): readonly string[] =>
    passes.filter(({ passed = [] }) => passed.includes(change)).map(({ weakening }) => weakening.name);
  const loading = new Set(passes.flatMap(({ loading: some = [] }) => some));
  const sharing = (file: string): readonly string[] => [
    ...new Set(changes.filter((change) => change.file === file).flatMap(({ id }) => passing(id))),
  ];
  const weakenings = choose(asked).flatMap(({ id, name, file, ...change }) => {
    const atLoad = change.atLoad || loading.has(id);
    const touched = atLoad ? sharing(file) : passing(id);
    if (touched.length === 0) return [];
    const steps = atLoad ? `${folder}-${id}` : folder;
    if (atLoad) {
      cpSync(folder, steps, { recursive: true });
      folders.push(steps);
    }
    return [{ name, part: stepsPart(file), rules: touched, changed: { steps, change: id } }];
  });
  const close = (): void => {
    for (const made of folders) rmSync(made, { recursive: true });
  };
  return { all: weakenings, close };
}

/** Rules of the chapters that pass any of these changes: of a few files most chapters pass none. */
async function passingAny(
  changes: readonly StepChange[],
  rules: readonly Rule[],
  changed: Weakening['changed'],
  workers: number,
): Promise<readonly string[]> {
  const wanted = new Set(changes.map(({ id }) => id));
  const chapterOf = ({ place }: Rule): string => path.dirname(place);
  const whole = [...new Set(rules.map(chapterOf))].map((name) => ({
    name,
    rules: rules.flatMap((rule) => (chapterOf(rule) === name ? [rule.id] : [])),
  }));
  const outcomes = await unchanged(whole, changed, workers);
  return outcomes.flatMap(({ weakening, passed = [] }) => (passed.some((id) => wanted.has(id)) ? weakening.rules : []));
}

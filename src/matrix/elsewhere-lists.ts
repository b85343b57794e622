/** npm run matrix -- --elsewhere: plays the rules where less is seen, and nothing else, and writes how they fare there. */
import { plan } from '../run/judge.js';
import { merged } from './disks.js';
import { ELSEWHERE, elsewhereLists } from './elsewhere.js';
import type { Job } from './job.js';
import { playAll } from './pool.js';

interface Chosen {
  readonly rules: readonly string[];
  readonly chapters: readonly string[];
}

/** How many rules were played. Nothing is written where something could not be played. */
export async function writeElsewhere({ rules, chapters }: Chosen, workers: number): Promise<number> {
  const { selected, catalogue } = await plan({ rules, chapters });
  const ids = selected.rules.map(({ id }) => id);
  const all = await playAll<Job>(
    ELSEWHERE.map((name) => ({ kind: 'elsewhere', name, rules: ids })),
    workers,
    () => {},
  );
  const found = all.map((result) => {
    if ('failure' in result) throw new Error(`Nothing is written: ${result.job.name} failed: ${result.failure}`);
    return result.elsewhere ?? {};
  });
  elsewhereLists.write(found.reduce(merged, Object.fromEntries(ids.map((id) => [id, []]))), catalogue.rules);
  return ids.length;
}

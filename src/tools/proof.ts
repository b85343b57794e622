/** Writes which defects of the reference each rule is known to notice, for those who read about rules. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageFile } from '../run/package-root.js';
import { PROOF } from '../run/specification.js';

const mutants = packageFile('src/mutants');

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Only where a mutant is younger than what was written; loading them costs more than the rest of the build. */
export async function writeProof(): Promise<void> {
  const youngest = Math.max(...readdirSync(mutants).map((file) => changedAt(path.join(mutants, file))));
  if (changedAt(PROOF) > youngest) return;
  const { collectMutants } = await import('../matrix/collect.js');
  const all = await collectMutants();
  const rules = [...new Set(all.flatMap(({ killedBy }) => killedBy))].sort();
  const proof = Object.fromEntries(
    rules.map((rule) => [
      rule,
      all.filter(({ killedBy }) => killedBy.includes(rule)).map(({ name, defect }) => ({ name, defect })),
    ]),
  );
  writeFileSync(PROOF, `${JSON.stringify(proof)}\n`);
}

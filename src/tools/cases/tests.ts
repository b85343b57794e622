/** What the unit tests of checks hand them, and readers: they know more ways to be wrong than a cluster shows. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Call } from './calls.js';
import { type Case, SECRET } from './cases.js';

const LISTENING = fileURLToPath(new URL('./listening.js', import.meta.url));
const CHECKS = fileURLToPath(new URL('../../checks/', import.meta.url));

/** The lines of one run of a test; throws where the test fails. */
function handedIn(test: string, out: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, JOINPROOF_CASES: out, TZ: 'UTC' };
    spawn(process.execPath, ['--import', LISTENING, path.join(CHECKS, test)], { env: environment, stdio: 'ignore' })
      .on('error', reject)
      .on('close', (code) => {
        if (code !== 0) reject(new Error(`Nothing is written: ${test} fails.`));
        else
          resolve(
            readFileSync(out, 'utf8')
              .split('\n')
              .filter((line) => line !== ''),
          );
      });
  });
}

interface Handed {
  readonly cases: readonly Case[];
  readonly calls: readonly Call[];
}

/**
 * The cases and calls of these tests, "told/told.test.js", that are the same in two runs: not those of the hour or of
 * new keys.
 */
export async function handedByTests(
  tests: readonly string[],
  processes: number,
  onEnd: (done: number) => void,
): Promise<Handed> {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-cases-'));
  const queue = [...tests];
  const all = new Map<string, readonly string[]>();
  const lane = async (): Promise<void> => {
    for (let test = queue.shift(); test !== undefined; test = queue.shift()) {
      const out = path.join(folder, `${queue.length}.jsonl`);
      const first = new Set(await handedIn(test, out));
      all.set(
        test,
        (await handedIn(test, out)).filter((line) => first.has(line)),
      );
      onEnd(all.size);
    }
  };
  try {
    await Promise.all(Array.from({ length: processes }, lane));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const lines = new Set(tests.flatMap((test) => all.get(test) ?? []));
  const handed = [...lines].filter((line) => !SECRET.test(line)).map((line) => JSON.parse(line) as Case | Call);
  return {
    cases: handed.filter((one) => 'check' in one),
    calls: handed.filter((one) => 'call' in one),
  };
}

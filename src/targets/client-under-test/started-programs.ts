/** Programs that a program starts, as everybody on its machine sees them: by their arguments. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_KEY } from '../../kubernetes/encoded-keys.js';
import { secretReader } from '../../kubernetes/secret-forms.js';

/** No join needs more programs at a time. */
const MOST = 64;

/** Arguments of one, the first of which names it. */
type Arguments = readonly string[];

/**
 * Names of those that have a secret, or a private key, among their arguments. `own`: arguments of the program that starts
 * them; what stands there in the same form everybody sees already, and a fork has it, too.
 */
export function givenIn(started: readonly Arguments[], own: Arguments, secrets: readonly string[]): readonly string[] {
  if (started.length === 0) return [];
  const isSecret = secretReader(secrets);
  const told = new Set(own);
  const given = started.filter((one) =>
    one.some((text) => !told.has(text) && (isSecret(text) || PRIVATE_KEY.test(text))),
  );
  return [...new Set(given.map(([name = '']) => path.basename(name)))].sort();
}

/** Looks at what is under way below a process. */
export class StartedPrograms {
  readonly #seen = new Map<string, Arguments>();

  /** Looks at whatever the process of this id has started, and what that has. */
  look(id: number): void {
    const waiting = [...childrenOf(String(id))];
    for (let [count, next] = [0, waiting.pop()]; next !== undefined && count < MOST; next = waiting.pop()) {
      count += 1;
      const line = lineOf(next);
      if (line !== '' && !this.#seen.has(line)) this.#seen.set(line, line.split('\0').slice(0, -1));
      waiting.push(...childrenOf(next));
    }
  }

  /** Each way of being started once. */
  get seen(): readonly Arguments[] {
    return [...this.#seen.values()];
  }
}

/** Its arguments with a NUL behind each; '' where it has ended. */
function lineOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Whichever thread has started them; none where the kernel does not say. Source: proc_pid_children(5). */
function childrenOf(id: string): readonly string[] {
  try {
    return readdirSync(`/proc/${id}/task`).flatMap((thread) =>
      readFileSync(`/proc/${id}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean),
    );
  } catch {
    return [];
  }
}

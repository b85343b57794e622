/** What joinproof init does once its arguments are parsed. */
import { initMachine } from '../targets/machine/init.js';
import type { ExitCode } from './main.js';
import { say } from './say.js';

interface InitOptions {
  readonly root?: string;
  readonly config?: string;
  readonly phase?: readonly string[];
  readonly kubernetesVersion?: string;
}

/** 0: written; 1: not. Throws ConfigurationError. */
export async function init({ root = '', config, phase = [], kubernetesVersion }: InitOptions): Promise<ExitCode> {
  const why = await initMachine({
    root,
    ...(config === undefined ? {} : { configurationFile: config }),
    phases: phase,
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    tell: (line) => process.stdout.write(`${line}\n`),
  });
  if (why === undefined) return 0;
  say(why);
  return 1;
}

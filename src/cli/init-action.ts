/** What joinproof init does once its arguments are parsed. */
import { type InitTask, initMachine } from '../targets/machine/init.js';
import type { ExitCode } from './main.js';
import { say } from './say.js';

interface InitOptions {
  readonly root?: string;
  readonly config?: string;
  readonly phase?: readonly string[];
  readonly kubernetesVersion?: string;
}

/** 0: written; 1: not. Throws ConfigurationError. */
export async function init(options: InitOptions): Promise<ExitCode> {
  const why = await initMachine({ ...taskOf(options), tell: (line) => process.stdout.write(`${line}\n`) });
  if (why === undefined) return 0;
  say(why);
  return 1;
}

/** What the command line comes to. */
export const taskOf = ({ root = '', config, phase = [], kubernetesVersion }: InitOptions): Omit<InitTask, 'tell'> => ({
  root,
  ...(config === undefined ? {} : { configurationFile: config }),
  phases: phase,
  ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
});

/** What several defects of init on a disk do: pass over what is wrong, read otherwise, write otherwise. */
import type { AnotherClient } from '../joining/another.js';
import type { Configuration } from '../kubeadm/configuration.js';
import type { HostFiles } from '../kubeadm/init/host.js';
import type { Mutant } from './types.js';

type Init = NonNullable<NonNullable<AnotherClient['preflight']>['init']>;

export const inits = (name: string, defect: string, killedBy: readonly string[], init: Init): Mutant => ({
  name: `init-${name}`,
  defect,
  killedBy,
  client: { preflight: { init } },
});

/** What it says so in kubeadm does not end it. */
export const passesOver = (name: string, defect: string, rule: string, ...words: readonly string[]): Mutant =>
  inits(name, defect, [rule], { minds: (why) => !words.some((one) => why.includes(one)) });

/** It takes the configuration for another one. */
export const reads = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  change: Partial<Configuration> | ((configuration: Configuration) => Partial<Configuration>),
): Mutant =>
  inits(name, defect, killedBy, {
    reads: (configuration) => ({
      ...configuration,
      ...(typeof change === 'function' ? change(configuration) : change),
    }),
  });

/** It does not see what was there before at such paths. */
export const overlooks = (name: string, defect: string, killedBy: readonly string[], paths: RegExp): Mutant =>
  inits(name, defect, killedBy, {
    files: (files): HostFiles => {
      const made = new Set<string>();
      const isHidden = (path: string): boolean => paths.test(path) && !made.has(path);
      return {
        exists: (path) => !isHidden(path) && files.exists(path),
        read: (path) => (isHidden(path) ? undefined : files.read(path)),
        write: (path, ...rest) => {
          made.add(path);
          files.write(path, ...rest);
        },
      };
    },
  });

type Write = HostFiles['write'];
/** What it writes it writes otherwise. */
export const writesFiles = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  instead: (write: Write, ...given: Parameters<Write>) => void,
): Mutant =>
  inits(name, defect, killedBy, {
    files: (files) => {
      const write: Write = (...given) => files.write(...given);
      return {
        exists: (path) => files.exists(path),
        read: (path) => files.read(path),
        write: (...given) => instead(write, ...given),
      };
    },
  });

/** What a user gives with a machine: its folder, a configuration, a release. */
import { lstatSync, realpathSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { parseRelease } from '../../kubeadm/release.js';
import { ConfigurationError } from '../errors.js';
import { readRegular } from '../regular-file.js';

/** Bytes of a file that a user names. */
const LARGEST_FILE = 1024 * 1024;

/** The folder without links. Throws ConfigurationError. */
export function rootOf(root: string): string {
  const found = lstatSync(root, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true)
    throw new ConfigurationError(`--root ${root} is no folder. Give a folder that is there, which stands for "/".`);
  return realpathSync(root);
}

export function releaseFor(version: string): ReturnType<typeof parseRelease> {
  try {
    return parseRelease(version);
  } catch (error) {
    throw new ConfigurationError(`--kubernetes-version: ${error instanceof Error ? error.message : error}`);
  }
}

/** Throws ConfigurationError. */
export const readConfigurationFile = (file: string): Promise<string> =>
  readRegular(file, LARGEST_FILE).catch((error: { readonly code?: string }) => {
    throw new ConfigurationError(`--config ${file} cannot be read (${error.code}). Give a YAML file.`);
  });

/** The first address of this machine that others may reach. */
export const ownAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';

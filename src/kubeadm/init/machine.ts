/** What kubeadm init leaves on the disk of a control plane whose keys there are already. */
import { generateKeyAsync } from '../../pki/keys.js';
import type { Configuration } from '../configuration.js';
import type { ExtraArgs } from '../flags.js';
import { type ClusterPki, pkiFiles } from '../pki.js';
import { type HostFiles, MODES } from './host.js';
import { INIT_PHASES, runPhases } from './phases.js';

/** A control plane that runs. */
export interface Machine {
  readonly configuration: Configuration;
  readonly extraArgs: ExtraArgs;
  /** The API server's certificate and key, PEM. */
  readonly serving: { readonly certificatePem: string; readonly keyPem: string };
}

/** Writes the keys and what the API server shows, and lets the phases make the rest. Throws InitFailed. */
export async function writeDisk(files: HostFiles, machine: Machine, pki: ClusterPki): Promise<void> {
  const { configuration, extraArgs, serving } = machine;
  const there = {
    ...pkiFiles(pki),
    'apiserver.crt': serving.certificatePem,
    'apiserver.key': serving.keyPem,
  };
  for (const [name, text] of Object.entries(there))
    files.write(`${configuration.certificatesDir}/${name}`, text, name.endsWith('.crt') ? MODES.open : MODES.secret);
  const quiet = (): void => {};
  await runPhases(
    { configuration, extraArgs, files, now: Date.now(), makeKey: generateKeyAsync, tell: quiet, warn: quiet },
    INIT_PHASES,
  );
}

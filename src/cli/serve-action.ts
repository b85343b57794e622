/** What joinproof serve does once its arguments are parsed. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../run/usage-error.js';
import { codeOf } from '../targets/error-code.js';
import { parseRelease, type Reference, startReference } from '../targets/reference.js';
import type { KEY_ALGORITHMS } from './serve.js';
import { type AuthenticationOptions, authenticationOf } from './serve-authentication.js';

interface ServeOptions extends AuthenticationOptions {
  readonly port?: string;
  readonly host?: string;
  readonly kubeconfigOut?: string;
  readonly overwrite?: boolean;
  readonly data?: string;
  readonly token?: string;
  readonly kubernetesVersion?: string;
  readonly keyAlgorithm?: (typeof KEY_ALGORITHMS)[number];
  readonly clusterSigningDuration?: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Serves until a signal comes. Throws UsageError and ConfigurationError before anything is served. */
export async function serve(options: ServeOptions): Promise<void> {
  const wanted = referenceOf(options);
  const ended = untilSignal();
  const reference = await startReference(wanted);
  let remove: () => void = () => {};
  try {
    const kubeconfig = writeKubeconfig(reference.kubeconfig, options.kubeconfigOut, options.overwrite === true);
    remove = kubeconfig.remove;
    process.stdout.write(welcome(reference, kubeconfig.file));
    await ended;
  } finally {
    remove();
    await reference.close();
  }
}

/** What the command line comes to. Throws UsageError. */
export function referenceOf(options: ServeOptions): NonNullable<Parameters<typeof startReference>[0]> {
  const { port = '6443', host = '127.0.0.1', token, kubernetesVersion } = options;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port ${port} is no port. Give a number from 0 (any free one) to 65535.`);
  for (const [name, value] of Object.entries({
    '--host': host,
    '--data': options.data,
    '--kubeconfig-out': options.kubeconfigOut,
  })) {
    if (value === '') throw new UsageError(`${name} is empty. Give a value, or leave the option out.`);
  }
  // The value stays unsaid: it may be a real token with a typing error.
  if (token !== undefined && !/^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(token)) {
    throw new UsageError(
      '--token is no bootstrap token. Give 6 characters of a-z and 0-9, a dot, and 16 more, for example abcdef.0123456789abcdef.',
    );
  }
  if (kubernetesVersion !== undefined) checkVersion(kubernetesVersion);

  const signingDuration =
    options.clusterSigningDuration === undefined ? undefined : durationOf(options.clusterSigningDuration);
  return {
    port: Number(port),
    host,
    keyAlgorithm: options.keyAlgorithm ?? 'RSA-2048',
    ...(options.data === undefined ? {} : { dataFile: options.data }),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    ...(signingDuration === undefined ? {} : { clusterSigningDuration: signingDuration }),
    ...authenticationOf(options),
    ...(token === undefined ? {} : { tokens: [{ token, description: 'made by init' }] }),
  };
}

const UNITS = { h: 3_600_000, m: 60_000, s: 1000 } as const;

/** Milliseconds of "1h30m", as upstream's flag is written; fractions and units under a second are of no use here. */
function durationOf(text: string): number {
  const parts = [...text.matchAll(/(?<!\d)(\d+)([hms])/g)];
  const total = parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit as keyof typeof UNITS], 0);
  if (parts.map(([part]) => part).join('') === text && total > 0 && Number.isSafeInteger(total)) return total;
  throw new UsageError(
    `--cluster-signing-duration ${text} is no duration. Give hours, minutes and seconds, for example 8760h, 10m or 1h30m.`,
  );
}

function checkVersion(text: string): void {
  try {
    parseRelease(text);
  } catch (error) {
    throw new UsageError(`--kubernetes-version: ${(error as Error).message}`);
  }
}

/** Resolves at the first signal; a second one ends the process as it would without us. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      for (const name of SIGNALS) process.off(name, end);
      resolve();
    };
    for (const name of SIGNALS) process.on(name, end);
  });
}

/** A file that is not there, or holds this text already: a server that was started again from its data file. */
function isThatOrNothing(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

/**
 * Whole or not at all, readable by its owner only. Without a name it lies in a folder of its own, and goes when the
 * server ends.
 */
export function writeKubeconfig(
  text: string,
  wanted: string | undefined,
  overwrite: boolean,
): { readonly file: string; readonly remove: () => void } {
  const folder = wanted === undefined ? mkdtempSync(join(tmpdir(), 'joinproof-')) : undefined;
  const file = wanted ?? join(folder ?? '', 'kubeconfig');
  if (wanted !== undefined && !overwrite && !isThatOrNothing(wanted, text))
    throw new UsageError(
      `--kubeconfig-out ${wanted} is there already and holds something else. Give another name, or --overwrite to replace it.`,
    );
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    const code = codeOf(error);
    throw new UsageError(
      `The kubeconfig cannot be written to ${file} (${code}). Give a file in a folder that you may write to with --kubeconfig-out.`,
    );
  }
  return { file, remove: () => (folder === undefined ? undefined : rmSync(folder, { recursive: true, force: true })) };
}

export function welcome(
  reference: Pick<Reference, 'url' | 'tokens' | 'caCertHash' | 'kubernetesVersion' | 'certificateKey'>,
  kubeconfig: string,
): string {
  const endpoint = reference.url.replace('https://', '');
  const token = reference.tokens[0] ?? '';
  const join = `kubeadm join ${endpoint} --token ${token} --discovery-token-ca-cert-hash ${reference.caCertHash}`;
  return [
    `Kubernetes ${reference.kubernetesVersion} (joinproof's reference) serves at ${reference.url}`,
    '',
    `  export KUBECONFIG=${/^[\w@%+=:,./-]+$/.test(kubeconfig) ? kubeconfig : `'${kubeconfig.replaceAll("'", "'\\''")}'`}`,
    '  kubectl get configmaps --all-namespaces',
    '',
    'A machine joins with:',
    '',
    `  ${join}`,
    '',
    ...(reference.certificateKey === undefined
      ? []
      : [
          'A control plane joins with the same and, within two hours:',
          '',
          `  --control-plane --certificate-key ${reference.certificateKey}`,
          '',
        ]),
    'Ctrl-C or SIGTERM ends it.',
    '',
  ].join('\n');
}

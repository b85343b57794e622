/**
 * Flags beside a file of documents: which of them may be given with it.
 * Source: cmd/kubeadm/app/apis/kubeadm/validation/validation.go ValidateMixedArguments.
 */

const ALLOWED = [
  ...['config', 'ignore-preflight-errors', 'dry-run', 'kubeconfig', 'node-name', 'kubeconfig-dir', 'upload-certs'],
  ...['print-manifest', 'rootfs', 'v', 'log-file', 'yes', 'output'],
];

const nameOf = (flag: string): string => /^--?([^=]*)/.exec(flag)?.[1] ?? '';

/** Why these flags cannot stand beside documents; undefined: they can. */
export function mixedProblem(flags: readonly string[]): string | undefined {
  const names = flags.map(nameOf).filter((name) => !ALLOWED.includes(name) && !name.startsWith('skip-'));
  return names.length === 0 ? undefined : `can not mix '--config' with arguments [${[...names].sort().join(' ')}]`;
}

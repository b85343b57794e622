/**
 * What must not be there before a join. Source: cmd/kubeadm/app/preflight/checks.go JoinNodeChecks, FileAvailableCheck.
 */
import { JoinFailed } from './failures.js';
import type { Machine } from './ports.js';

/** A check that failed: "FileAvailable--etc-kubernetes-kubelet.conf", and why. */
interface Failed {
  readonly check: string;
  readonly why: string;
}

/** Asks nobody. `ignored`: names of checks in any case, or "all". Throws JoinFailed with all that failed. */
export function preflight(machine: Machine, absent: readonly string[], ignored: readonly string[]): void {
  const failed = absent
    .filter((path) => machine.files.exists(path))
    .map((path): Failed => ({ check: `FileAvailable-${path.replaceAll('/', '-')}`, why: `${path} already exists` }));
  told(machine, failed, ignored);
}

/** What a control plane runs has to be there. Source: RunPullImagesCheck. Throws JoinFailed. */
export function pullImages(machine: Machine, ignored: readonly string[]): void {
  const why = machine.pullImages?.();
  told(machine, why === undefined ? [] : [{ check: 'ImagePull', why }], ignored);
}

/** Source: RunChecks. */
function told(machine: Machine, failed: readonly Failed[], ignored: readonly string[]): void {
  const skipped = new Set(ignored.map((name) => name.toLowerCase()));
  const [warnings, errors] = [true, false].map((isSkipped) =>
    failed.filter(({ check }) => (skipped.has('all') || skipped.has(check.toLowerCase())) === isSkipped),
  );
  for (const { check, why } of warnings ?? []) machine.tell(`[WARNING ${check}]: ${why}`);
  if (errors === undefined || errors.length === 0) return;
  throw new JoinFailed(
    `[preflight] Some fatal errors occurred: ` +
      `${errors.map(({ check, why }) => `[ERROR ${check}]: ${why}`).join('; ')}. ` +
      'If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`',
  );
}

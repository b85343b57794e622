/** kubeadm's look at a machine as joinproof does it: over machines that are data. */
import type { AnotherClient } from '../../joining/another.js';
import { MemoryDisk } from '../../kubeadm/init/memory-disk.js';
import { INIT_PHASES, runPhases } from '../../kubeadm/init/phases.js';
import { preflightDecisions } from '../../kubeadm/preflight/decisions.js';
import { lineText, preflight } from '../../kubeadm/preflight/preflight.js';
import { inRelease, parseRelease, type Release } from '../../kubeadm/release.js';
import type { LookKind, PreflightRun } from '../../kubernetes/preflight-run.js';
import { generateKeyAsync } from '../../pki/keys.js';
import { isRefusal, type Planned, planOf } from '../machine/preflight-plan.js';
import type { PreflightUnderTest } from '../types.js';
import { documentsFor, type Machine, machineNamed } from './machines.js';
import { simulatedHost } from './simulated-host.js';

/** Exit codes had a meaning once. Source: release notes of 1.34. */
const CODES = { preflight: 2, validation: 3, now: 1 } as const;
const HINT =
  '[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`';

type Ended = Pick<PreflightRun, 'exit' | 'said' | 'written'>;

/** A whole init goes on to its certificates and kubeconfigs. */
const WRITING = INIT_PHASES.filter((name) => /^(?:certs|kubeconfig)\//.test(name));

async function written({ task }: Planned): Promise<readonly string[]> {
  if (task.phase !== 'init') return [];
  const files = new MemoryDisk();
  const quiet = (): void => {};
  const configuration = { ...task.configuration, keyAlgorithm: 'ECDSA-P256' as const };
  await runPhases(
    { configuration, files, now: Date.now(), makeKey: generateKeyAsync, tell: quiet, warn: quiet },
    WRITING,
  );
  return [...files.files.keys()].sort();
}

/** What it says of a machine. `release`: of kubeadm. */
export async function playMachine(
  machine: Machine,
  look: LookKind,
  release: Release,
  another: AnotherClient = {},
): Promise<Ended> {
  const codes = inRelease(release, { until: 33 }) ? CODES : { preflight: CODES.now, validation: CODES.now };
  if (another.instead !== undefined) return { exit: another.instead.exit, said: [another.instead.said], written: [] };
  const decisions = { ...preflightDecisions, ...another.preflight?.decisions };
  const plan = (node: Machine['node']): Planned =>
    planOf(look === 'join' ? 'join' : 'init', documentsFor({ ...machine, node }, look, release), {
      hostName: 'cp-1',
      kubernetesVersion: release.text,
      warn: () => {},
    });
  let planned: Planned;
  try {
    planned = plan(machine.node);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (!decisions.looksAtRefused()) return { exit: codes.validation, said: [`error: ${error.message}`], written: [] };
    planned = plan({});
  }
  const goesOn = look === 'a whole init' || decisions.phaseGoesOn();
  const before = look === 'a whole init' && !decisions.looksBeforeItWrites() ? await written(planned) : [];
  const { lines, refused, passed } = await preflight({
    host: simulatedHost(machine.host, release),
    release,
    ignored: decisions.allIgnored(
      machine.ignored.flatMap((names) => names.split(',')),
      planned.ignored,
    ),
    task: planned.task,
    decisions,
    ...(another.preflight?.found === undefined ? {} : { found: another.preflight.found }),
  });
  if (refused !== undefined) return { exit: codes.validation, said: [`error: ${refused}`], written: before };
  const told = (level: 'warning' | 'error'): readonly string[] =>
    lines.filter((line) => line.level === level).map((line) => `\t${lineText(line)}`);
  const warnings = ['[preflight] Running pre-flight checks', ...told('warning')];
  if (passed) return { exit: 0, said: warnings, written: goesOn ? await written(planned) : [] };
  const fatal = ['[preflight] Some fatal errors occurred:', ...told('error'), HINT];
  return {
    exit: codes.preflight,
    said: [...warnings, ...fatal, 'error: error execution phase preflight: preflight checks failed'],
    written: before,
  };
}

/** What joinproof's own preflight, or another, makes of machines. `version`: of kubeadm. */
export function referencePreflight(version: string, another: AnotherClient): PreflightUnderTest {
  const release = parseRelease(version);
  return {
    lacks: () => undefined,
    async look(name, look) {
      const machine = machineNamed(name, release);
      return machine === undefined
        ? undefined
        : { machine: name, look, ...(await playMachine(machine, look, release, another)) };
    },
  };
}

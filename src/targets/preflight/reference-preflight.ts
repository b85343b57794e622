/** kubeadm's look at a machine as joinproof does it: over machines that are data. */
import type { AnotherClient } from '../../joining/another.js';
import { mixedProblem } from '../../kubeadm/init/arguments.js';
import { initDecisions } from '../../kubeadm/init/decisions.js';
import { preflightDecisions } from '../../kubeadm/preflight/decisions.js';
import { lineText, preflight } from '../../kubeadm/preflight/preflight.js';
import { inRelease, parseRelease, type Release } from '../../kubeadm/release.js';
import { type LookKind, type PreflightRun, phaseIn } from '../../kubernetes/preflight-run.js';
import { isRefusal, type Planned, planOf } from '../machine/preflight-plan.js';
import type { PreflightUnderTest } from '../types.js';
import { documentsFor, type Machine, machineNamed } from './machines.js';
import { PlayedInit } from './played-init.js';
import { simulatedHost } from './simulated-host.js';

/** Exit codes had a meaning once. Source: release notes of 1.34. */
const CODES = { preflight: 2, validation: 3, now: 1 } as const;
const HINT =
  '[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`';

const BEGINS = '[preflight] Running pre-flight checks';

type Ended = Pick<PreflightRun, 'exit' | 'said' | 'written' | 'changed' | 'left'>;

/** It is more than the phase of the checks. */
const goesOnWriting = (look: LookKind): boolean => look === 'a whole init' || look === 'a dry run';

/** What it says of a machine. `release`: of kubeadm. */
export async function playMachine(
  machine: Machine,
  look: LookKind,
  release: Release,
  another: AnotherClient,
): Promise<Ended> {
  const codes = inRelease(release, { until: 33 }) ? CODES : { preflight: CODES.now, validation: CODES.now };
  if (another.instead !== undefined) return { exit: another.instead.exit, said: [another.instead.said], written: [] };
  const decisions = { ...preflightDecisions, ...another.preflight?.decisions };
  const ofInit = { ...initDecisions, ...another.preflight?.init };
  const ends = (exit: number, why: string, more: Omit<Ended, 'exit' | 'said'> = { written: [] }): Ended => ({
    exit,
    said: [`error: ${why}`],
    ...more,
  });
  const warnings: string[] = [];
  const plan = (node: Machine['node']): Planned =>
    planOf(look === 'join' ? 'join' : 'init', documentsFor({ ...machine, node }, look, release), {
      hostName: 'cp-1',
      kubernetesVersion: release.text,
      decisions: ofInit,
      warn: (line) => warnings.push(line),
    });
  const warned = (later: readonly string[] = []): readonly string[] =>
    ofInit.warnings([...warnings, ...later]).map((line) => `warning: ${line}`);
  const mixed = mixedProblem(machine.flags);
  if (mixed !== undefined && ofInit.minds(mixed)) return ends(CODES.now, mixed);
  let planned: Planned;
  try {
    planned = plan(machine.node);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (!ofInit.minds(error.message)) return { exit: 0, said: [BEGINS], written: [] };
    if (!decisions.looksAtRefused()) return ends(codes.validation, error.message);
    planned = plan({});
  }
  const { task } = planned;
  const about = {
    texts: machine.host.files,
    isDry: look === 'a dry run' || machine.init.dryRun === true,
    decisions: ofInit,
    skipPhases: planned.skipPhases,
    patches: planned.patches,
  };
  const init = task.phase === 'init' ? new PlayedInit(look, task.configuration, about) : undefined;
  const refusal = await init?.refusal(machine.flags.includes('--upload-certs'));
  if (refusal !== undefined) return ends(CODES.now, refusal, init?.written);
  const played = async (before: readonly string[]): Promise<Ended> => {
    const failure = await init?.phases();
    const said = [...warned(init?.warned), ...before, ...(init?.said ?? [])];
    const written = init?.written ?? { written: [] };
    return failure === undefined
      ? { exit: 0, said, ...written }
      : { exit: CODES.now, said: [...said, `error: ${failure}`], ...written };
  };
  if (phaseIn(look) !== undefined) return played([]);
  if (goesOnWriting(look) && !decisions.looksBeforeItWrites()) await init?.phases();
  const { lines, refused, passed } = await preflight({
    host: simulatedHost(machine.host, release),
    release,
    ignored: decisions.allIgnored(
      machine.ignored.flatMap((names) => names.split(',')),
      planned.ignored,
    ),
    task,
    decisions,
    ...(another.preflight?.found === undefined ? {} : { found: another.preflight.found }),
  });
  const before = init?.written ?? { written: [] };
  if (refused !== undefined) return ends(codes.validation, refused, before);
  const told = (level: 'warning' | 'error'): readonly string[] =>
    lines.filter((line) => line.level === level).map((line) => `\t${lineText(line)}`);
  const begun = [BEGINS, ...told('warning')];
  if (passed && (goesOnWriting(look) || decisions.phaseGoesOn())) return played(begun);
  if (passed) return { exit: 0, said: [...warned(), ...begun], written: [] };
  const fatal = ['[preflight] Some fatal errors occurred:', ...told('error'), HINT];
  return {
    exit: codes.preflight,
    said: [...warned(), ...begun, ...fatal, 'error: error execution phase preflight: preflight checks failed'],
    ...before,
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

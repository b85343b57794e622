/** What joinproof preflight does once its arguments are parsed. */
import { cut, throughout } from '../model/foreign.js';
import { writeWhole } from '../report/files.js';
import { UsageError } from '../run/usage-error.js';
import {
  type Finding,
  type PreflightReport,
  type PreflightTask,
  preflightMachine,
} from '../targets/machine/preflight.js';
import { Redactor } from '../targets/redaction.js';
import type { ExitCode } from './main.js';
import { type Output, parseOutputs } from './options.js';
import { say, tell } from './say.js';

interface PreflightOptions {
  readonly config?: string;
  readonly root?: string;
  readonly kubernetesVersion?: string;
  readonly ignorePreflightErrors?: readonly string[];
  readonly out?: readonly string[];
}

/** 0: kubeadm would go on; 1: it would stop; 3: not all could be found out. Throws UsageError, ConfigurationError. */
export async function preflight(
  phase: 'init' | 'join',
  endpoint: string | undefined,
  options: PreflightOptions,
): Promise<ExitCode> {
  const outputs = outputsOf(options.out ?? []);
  const report = await preflightMachine({
    ...taskOf(phase, endpoint, options),
    warn: (line) => say(`warning: ${line}`),
  });
  deliver(report, outputs);
  if (!report.passed) return 1;
  return report.findings.some(({ level }) => level === 'unknown') ? 3 : 0;
}

/** What the command line comes to. Throws UsageError. */
export function taskOf(
  phase: 'init' | 'join',
  endpoint: string | undefined,
  { config, root, kubernetesVersion, ignorePreflightErrors = [] }: PreflightOptions,
): Omit<PreflightTask, 'warn'> {
  if (endpoint !== undefined && (phase === 'init' || config !== undefined))
    throw new UsageError(
      `${endpoint} was given as the API server to join. Give it with join, and without --config, which names it.`,
    );
  if (endpoint !== undefined && !/^(?:\[[^\]]+\]|[^:]+):\d{1,5}$/.test(endpoint))
    throw new UsageError(`${endpoint} is no host:port. Give for example 10.0.0.1:6443.`);
  return {
    phase,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(root === undefined ? {} : { root }),
    ...(config === undefined ? {} : { configurationFile: config }),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    ignoredChecks: ignorePreflightErrors.flatMap((names) => names.split(',')).filter((name) => name !== ''),
  };
}

/** Throws UsageError. */
function outputsOf(given: readonly string[]): readonly Output[] {
  const outputs = parseOutputs(given);
  const other = outputs.find(({ format }) => format !== 'json');
  if (other !== undefined)
    throw new UsageError(`preflight is not written as ${other.format}. Give for example --out json=preflight.json.`);
  return outputs;
}

/** A report on standard output is for a program: people get nothing then. */
function deliver(report: PreflightReport, outputs: readonly Output[]): void {
  const redactor = new Redactor();
  const text = `${JSON.stringify(
    throughout(report, (one) => cut(redactor.redact(one))),
    undefined,
    2,
  )}\n`;
  for (const { file } of outputs) {
    if (file === '-') process.stdout.write(text);
    else writeWhole(file, text);
  }
  if (outputs.some(({ file }) => file === '-')) return;
  for (const line of linesOf(report)) tell(line);
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

function linesOf({ phase, host, kubeadm, findings, passed }: PreflightReport): readonly string[] {
  const are = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  const told = findings.flatMap(({ line, repair }) => [
    `  ${line}`,
    ...(repair === undefined ? [] : [`      ${repair}`]),
  ]);
  const counts = [
    counted(are('error'), 'error'),
    counted(are('warning'), 'warning'),
    counted(are('unknown'), 'thing that could not be found out', 'things that could not be found out'),
  ].join(', ');
  return [
    `Preflight of kubeadm ${kubeadm} ${phase} on ${host}:`,
    ...told,
    `${counts}: kubeadm ${phase} would ${passed ? 'go on' : 'stop'}.`,
  ];
}

/** The checks of kubeadm before init and join: of this machine, or of one that is a folder. */
import { hostname } from 'node:os';
import { preflightDecisions } from '../../kubeadm/preflight/decisions.js';
import type { HostView } from '../../kubeadm/preflight/host.js';
import { lineText, preflight } from '../../kubeadm/preflight/preflight.js';
import { repairOf } from '../../kubeadm/preflight/repairs.js';
import { ConfigurationError } from '../errors.js';
import { openDisk } from '../node/open.js';
import { folderHost } from '../preflight/folder-host.js';
import { thisHost } from '../preflight/this-host.js';
import { readConfigurationFile, rootOf } from './given.js';
import { isRefusal, type Planned, planOf } from './preflight-plan.js';

export interface PreflightTask {
  readonly phase: 'init' | 'join';
  /** host:port of an API server, of a join without a configuration. */
  readonly endpoint?: string;
  /** A folder that is the machine's "/"; undefined: this machine. */
  readonly root?: string;
  readonly configurationFile?: string;
  /** Of kubeadm; default: that of the cluster, or the newest known. */
  readonly kubernetesVersion?: string;
  readonly ignoredChecks: readonly string[];
  warn(line: string): void;
}

/** One thing that was found. */
export interface Finding {
  readonly check: string;
  readonly level: 'error' | 'warning' | 'unknown';
  readonly message: string;
  readonly repair?: string;
  /** As kubeadm writes it. */
  readonly line: string;
}

export interface PreflightReport {
  readonly phase: PreflightTask['phase'];
  /** For people: "this host", or the folder. */
  readonly host: string;
  /** "1.36" */
  readonly kubeadm: string;
  readonly findings: readonly Finding[];
  /** false: kubeadm would stop. */
  readonly passed: boolean;
}

/** What there is to look at, and what it is called. */
interface Looked {
  readonly view: HostView;
  readonly name: string;
  /** In lower case. */
  readonly hostName: string;
}

async function hostOf(root: string | undefined): Promise<Looked> {
  if (root === undefined || rootOf(root) === '/')
    return { view: thisHost(), name: 'this host', hostName: hostname().toLowerCase() };
  const files = await openDisk(rootOf(root));
  const [entry] = await files.read(['/etc/hostname']);
  const hostName = entry?.text?.trim().toLowerCase() ?? '';
  return { view: folderHost(files), name: root, hostName: hostName === '' ? 'node' : hostName };
}

/** Throws ConfigurationError where kubeadm would refuse what it is told, in its words. */
export async function preflightMachine(given: PreflightTask): Promise<PreflightReport> {
  const looked = await hostOf(given.root);
  const file = given.configurationFile;
  const content = file === undefined ? undefined : await readConfigurationFile(file);
  const refuse = (why: string): never => {
    throw new ConfigurationError(`kubeadm would refuse what it is told before it looks at the machine: ${why}`);
  };
  let planned: Planned;
  try {
    planned = planOf(given.phase, content, { ...given, hostName: looked.hostName });
  } catch (error) {
    if (isRefusal(error)) return refuse(error.message);
    throw error;
  }
  const { task, release, ignored } = planned;
  const result = await preflight({
    host: looked.view,
    release,
    ignored: preflightDecisions.allIgnored(given.ignoredChecks, ignored),
    task,
  });
  if (result.refused !== undefined) return refuse(result.refused);
  return {
    phase: given.phase,
    host: looked.name,
    kubeadm: `1.${release.minor}`,
    findings: result.lines.map((line): Finding => {
      const repair = repairOf(line);
      return { ...line, ...(repair === undefined ? {} : { repair }), line: lineText(line) };
    }),
    passed: result.passed,
  };
}

/**
 * joinproof.yaml: what is found in the folder of the run or above it, or named. What the command line says replaces what
 * stands there, part by part.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { firstLine } from '../kubernetes/first-line.js';
import type { Evidence } from '../model/finding.js';
import { endOf, type Waiver } from '../model/waiver.js';
import { readGiven } from '../targets/regular-file.js';
import { isProfile } from './profile-names.js';
import type { Parameters } from './profiles.js';
import { conforms, isConforming } from './schemas.js';
import { UsageError } from './usage-error.js';

const NAME = 'joinproof.yaml';
const LARGEST = 1024 * 1024;

/** As schemas/configuration.schema.json says. */
interface Written {
  readonly target?: {
    readonly kubeconfig?: string;
    readonly context?: string;
    readonly inCluster?: true;
    readonly controlPlane?: string;
    readonly manifests?: string;
    readonly client?: string;
    readonly node?: string;
    readonly allowWrites?: boolean;
  };
  readonly rules?: {
    readonly ids?: readonly string[];
    readonly chapters?: readonly string[];
    readonly level?: string;
    readonly tags?: string;
  };
  readonly gate?: { readonly failOn?: string; readonly require?: readonly string[]; readonly maxSkipped?: number };
  readonly profile?: string;
  readonly parameters?: Partial<Parameters>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly evidence?: Evidence;
  readonly timeout?: number;
  readonly baseline?: string;
  readonly waivers?: readonly Waiver[];
}

/** Options of a run that a configuration can give, as the command line gives them. */
export interface RunOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly inCluster?: boolean;
  readonly controlPlane?: string | true;
  readonly manifests?: string;
  readonly client?: string;
  readonly kubeadm?: string;
  readonly kubelet?: string;
  readonly concurrency?: string;
  readonly node?: string;
  readonly allowWrites?: boolean;
  readonly tags?: string;
  readonly rule?: readonly string[];
  readonly chapter?: readonly string[];
  readonly level?: string;
  readonly out?: readonly string[];
  readonly evidence?: Evidence;
  readonly timeout?: string;
  readonly failOn?: string;
  readonly require?: readonly string[];
  readonly maxSkipped?: string;
  readonly baseline?: string;
  /** A name, or a file. */
  readonly profile?: string;
}

export interface Configured {
  readonly options: RunOptions;
  readonly waivers: readonly Waiver[];
  /** Above those of the profile. */
  readonly parameters: Partial<Parameters>;
  /** The file that was read; undefined where there is none. */
  readonly file: string | undefined;
}

/** `named`: the file of --config; false: none is looked for. Throws UsageError where it cannot be used. */
export async function configured(options: RunOptions, named: string | boolean | undefined): Promise<Configured> {
  const file = typeof named === 'string' ? path.resolve(named) : named === false ? undefined : found(process.cwd());
  if (file === undefined) return { options, waivers: [], parameters: {}, file };
  const written = await read(file);
  const { waivers = [], parameters = {} } = written;
  return { options: merged(options, written, path.dirname(file)), waivers, parameters, file };
}

function found(folder: string): string | undefined {
  const file = path.join(folder, NAME);
  if (existsSync(file)) return file;
  const above = path.dirname(folder);
  return above === folder ? undefined : found(above);
}

async function read(file: string): Promise<Written> {
  const refuse = (why: string): never => {
    throw new UsageError(`The configuration ${file} ${why}.`);
  };
  const text = await readGiven(file, LARGEST).catch((error: NodeJS.ErrnoException) =>
    refuse(`cannot be read (${error.code ?? error.message}). Give a file as schemas/configuration.schema.json says`),
  );
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) refuse(`is no YAML: ${firstLine(problem).replace(/[.:]$/, '')}`);
  const value = contentOf(document) ?? refuse('cannot be read: its YAML aliases are broken or too many');
  if (!isConforming<Written>('configuration', value)) {
    const [wrong = ''] = conforms('configuration', value);
    return refuse(`cannot be used: ${wrong}. schemas/configuration.schema.json says what it may hold`);
  }
  for (const { rule, subject, expires } of value.waivers ?? [])
    if (new Date(endOf({ expires }) - 1).toISOString().slice(0, 10) !== expires)
      refuse(`waives ${rule} for "${subject}" until ${expires}, which is no day. Give one as 2027-01-31`);
  return value;
}

/** What the document says, or nothing at all; undefined where its aliases lead nowhere, or to too much. */
function contentOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS() ?? {};
  } catch {
    return undefined;
  }
}

const TARGETS = [
  'kubeconfig',
  'context',
  'inCluster',
  'controlPlane',
  'manifests',
  'client',
  'kubeadm',
  'node',
] as const;

/** Files of the configuration lie from its folder on. */
function merged(options: RunOptions, written: Written, folder: string): RunOptions {
  const { target = {}, rules = {}, gate = {}, outputs = {}, evidence, timeout, baseline, profile } = written;
  const fileOf = (name: string): string => path.resolve(folder, name);
  const { kubeconfig, context, inCluster, controlPlane, manifests, client, node, allowWrites } = target;
  const chosen = TARGETS.some((name) => options[name] !== undefined);
  const fromTarget: RunOptions = chosen
    ? {}
    : given({
        kubeconfig: kubeconfig === undefined ? undefined : fileOf(kubeconfig),
        context,
        inCluster,
        controlPlane: controlPlane === undefined ? undefined : fileOf(controlPlane),
        manifests: manifests === undefined ? undefined : fileOf(manifests),
        client: client === undefined ? undefined : fileOf(client),
        node: node === undefined ? undefined : fileOf(node),
        allowWrites,
      });
  const { failOn, require, maxSkipped } = gate;
  const rest: RunOptions = given({
    rule: rules.ids,
    chapter: rules.chapters,
    level: rules.level,
    tags: rules.tags,
    failOn,
    require,
    maxSkipped: maxSkipped === undefined ? undefined : String(maxSkipped),
    out: Object.entries(outputs).map(([format, file]) => `${format}=${file === '-' ? file : fileOf(file)}`),
    evidence,
    timeout: timeout === undefined ? undefined : String(timeout),
    baseline: baseline === undefined ? undefined : fileOf(baseline),
    profile: profile === undefined || isProfile(profile) ? profile : fileOf(profile),
  });
  return { ...fromTarget, ...rest, ...given(options) };
}

/** What says something: a list that an option may be repeated for is empty where it was not given. */
const given = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  ) as { [K in keyof T]: Exclude<T[K], undefined> };

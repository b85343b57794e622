/**
 * Which target a run is about, from its options, and its opening. Without an option it is the reference, whatever the
 * environment says.
 */
import type { Learned } from '../targets/redaction.js';
import type { Left } from '../targets/removal.js';
import type { Target } from '../targets/types.js';
import { seededBytes } from './seeded.js';
import { UsageError } from './usage-error.js';

export type TargetChoice =
  | { readonly kind: 'reference' }
  | {
      readonly kind: 'cluster';
      readonly kubeconfig?: string;
      /** A kubeconfig that is read already. */
      readonly content?: unknown;
      readonly context?: string;
      readonly allowWrites: boolean;
      /** The disk of one of its nodes, judged with it. */
      readonly node?: string;
    }
  | { readonly kind: 'in-cluster'; readonly allowWrites: boolean; readonly node?: string }
  | { readonly kind: 'control-plane'; readonly folder: string }
  | { readonly kind: 'dump'; readonly manifests: string; readonly node?: string }
  | { readonly kind: 'client'; readonly file: string; readonly atOnce?: number }
  | { readonly kind: 'node'; readonly folder: string }
  | { readonly kind: 'kubeadm'; readonly kubeadm: string; readonly kubelet?: string; readonly atOnce?: number };

export interface TargetOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly inCluster?: boolean;
  /** true: the folder of KUBEBUILDER_ASSETS. */
  readonly controlPlane?: string | true;
  /** A file, a folder, or "-". */
  readonly manifests?: string;
  /** A folder laid out like a node. */
  readonly node?: string;
  readonly allowWrites?: boolean;
  /** A description of a joining client. */
  readonly client?: string;
  /** Programs that join. */
  readonly kubeadm?: string;
  readonly kubelet?: string;
  /** So many joins at a time. */
  readonly concurrency?: string;
}

/** Whose objects are judged together with the disk of one of its nodes. */
const OF_OBJECTS = ['--kubeconfig', '--context', '--in-cluster', '--manifests'];

/** Throws UsageError where options exclude each other or are empty. */
export function parseTargetChoice({
  kubeconfig,
  context,
  inCluster,
  controlPlane,
  manifests,
  node,
  allowWrites = false,
  client,
  kubeadm,
  kubelet,
  concurrency,
}: TargetOptions): TargetChoice {
  const given = [
    ...(kubeconfig !== undefined || context !== undefined
      ? [kubeconfig !== undefined ? '--kubeconfig' : '--context']
      : []),
    ...(inCluster === true ? ['--in-cluster'] : []),
    ...(controlPlane !== undefined ? ['--control-plane'] : []),
    ...(manifests !== undefined ? ['--manifests'] : []),
    ...(client !== undefined ? ['--client'] : []),
    ...(kubeadm !== undefined ? ['--kubeadm'] : []),
  ];
  const ofObjects = given.some((option) => OF_OBJECTS.includes(option));
  const targets = [...given, ...(node !== undefined && !ofObjects ? ['--node'] : [])];
  if (targets.length > 1) throw new UsageError(`${targets.join(' and ')} name different targets. Give one of them.`);
  const beside = node === undefined ? {} : { node };
  for (const [option, value] of Object.entries({
    '--kubeconfig': kubeconfig,
    '--context': context,
    '--control-plane': controlPlane,
    '--manifests': manifests,
    '--client': client,
    '--node': node,
    '--kubeadm': kubeadm,
    '--kubelet': kubelet,
  })) {
    if (value === '') throw new UsageError(`${option} is empty. Give a name, or leave the option out.`);
  }
  const atOnce = parseConcurrency(concurrency, (client ?? kubeadm) !== undefined);
  if (kubelet !== undefined && kubeadm === undefined)
    throw new UsageError('--kubelet was given without --kubeadm. Give the kubeadm that starts it.');
  if (allowWrites && (client ?? kubeadm) !== undefined)
    throw new UsageError('--allow-writes is for clusters; a client that joins is judged before servers of ours.');
  if (kubeadm !== undefined)
    return {
      kind: 'kubeadm',
      kubeadm,
      ...(kubelet === undefined ? {} : { kubelet }),
      ...(atOnce === undefined ? {} : { atOnce }),
    };
  if (client !== undefined) {
    return { kind: 'client', file: client, ...(atOnce === undefined ? {} : { atOnce }) };
  }
  if (manifests !== undefined) {
    if (allowWrites)
      throw new UsageError('--allow-writes is for clusters; --manifests names files, which are only read.');
    return { kind: 'dump', manifests, ...beside };
  }
  if (node !== undefined && !ofObjects) {
    if (allowWrites) throw new UsageError('--allow-writes is for clusters; --node names a folder, which is only read.');
    return { kind: 'node', folder: node };
  }
  if (inCluster === true) return { kind: 'in-cluster', allowWrites, ...beside };
  if (controlPlane === true) {
    const folder = process.env.KUBEBUILDER_ASSETS ?? '';
    if (folder === '')
      throw new UsageError(
        '--control-plane was given no folder, and KUBEBUILDER_ASSETS names none. Give a folder with etcd and kube-apiserver.',
      );
    return { kind: 'control-plane', folder };
  }
  if (controlPlane !== undefined) return { kind: 'control-plane', folder: controlPlane };
  if (kubeconfig === undefined && context === undefined) return { kind: 'reference' };
  return {
    kind: 'cluster',
    allowWrites,
    ...beside,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
}

/** Throws UsageError where it is no number, or where nothing joins several times. */
function parseConcurrency(text: string | undefined, joins: boolean): number | undefined {
  if (text === undefined) return undefined;
  if (!joins)
    throw new UsageError(
      '--concurrency is for joins of a client. Give --client or --kubeadm as well, or leave it out.',
    );
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError(
    `--concurrency "${text}" is no number of joins. Give how many may go on at a time, from 1 to 999.`,
  );
}

/** A target as the command line needs it. */
export interface OpenTarget extends Target {
  /** The one sink: everything that is written passes it. */
  readonly redactor: { redact(text: string): string; learn(learned: Learned): void };
  /** What the clean-up could not remove; known after close(). */
  readonly leftovers?: readonly Left[];
  /** Told how many objects are gone, of how many, while close() cleans up. */
  onCleaning?(listener: (gone: number, known: number) => void): void;
  /** Breaks off a clean-up that is under way. */
  abort?(): void;
}

/** Every target of ours has the sink; one without could leak, so it is refused. */
function withSink(target: Target): OpenTarget {
  if (!('redactor' in target)) throw new Error(`${target.name} has no redactor`);
  return target as OpenTarget;
}

/** Throws ConfigurationError, TargetUnreachable. */
export async function openTarget(choice: TargetChoice, signal: AbortSignal): Promise<OpenTarget> {
  return withSink(await open(choice, signal));
}

async function open(choice: TargetChoice, signal: AbortSignal): Promise<Target> {
  switch (choice.kind) {
    case 'reference':
      return (await import('../targets/reference.js')).openReference({
        signal,
        reference: { random: seededBytes('reference') },
      });
    case 'control-plane':
      return (await import('../targets/control-plane.js')).openControlPlane({
        folder: choice.folder,
        signal,
        initPhases: async (target, at) => (await import('../targets/init-phases.js')).initPhases(target, at),
        joining: async (programs) => {
          const { openKubeadm } = await import('../targets/client-under-test/program-target.js');
          return openKubeadm({ ...programs, signal });
        },
      });
    case 'dump':
      return (await import('../targets/dump.js')).openDump(choice.manifests, choice.node);
    case 'client': {
      const { readClientDescription } = await import('./client-description.js');
      const description = await readClientDescription(choice.file);
      const { openProgram } = await import('../targets/client-under-test/program-target.js');
      const { atOnce } = choice;
      return openProgram({ description, signal, ...(atOnce === undefined ? {} : { atOnce }) });
    }
    case 'node':
      return (await import('../targets/node.js')).openNode(choice.folder);
    case 'kubeadm': {
      const { openKubeadm } = await import('../targets/client-under-test/program-target.js');
      return openKubeadm({ ...choice, signal });
    }
    case 'in-cluster':
      return (await import('../targets/cluster.js')).openCluster({
        inCluster: true,
        allowWrites: choice.allowWrites,
        signal,
        ...(choice.node === undefined ? {} : { node: choice.node }),
      });
    case 'cluster': {
      const { kubeconfig, content, context, allowWrites, node } = choice;
      const where = {
        ...(node === undefined ? {} : { node }),
        ...(kubeconfig === undefined ? {} : { kubeconfig }),
        ...(content === undefined ? {} : { content }),
        ...(context === undefined ? {} : { context }),
      };
      return (await import('../targets/cluster.js')).openCluster({ ...where, allowWrites, signal });
    }
  }
}

/**
 * The bundled reference as a target: a cluster whose clock can be moved and whose switches can be changed.
 * The only file outside of reference/ and mutants/ that knows the reference.
 */

import type { AnotherClient } from '../joining/another.js';
import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import {
  manualClock,
  type Reference,
  type ReferenceOptions,
  SWITCHABLE_CONTROLLERS,
  startReference,
} from '../reference/index.js';
import { lazyClient } from './client-under-test/target.js';
import { newRun } from './cluster.js';
import { bearerCredential, fixedCredential } from './connection.js';
import { ExtensionServers } from './extension-server.js';
import { HttpTarget } from './http-target.js';
import { lazyPreflight } from './preflight/lazy.js';
import type { NodeFiles, Switches } from './types.js';
import { lazyUploads } from './uploads/lazy.js';
import { readVersion } from './version.js';

export type { AuthenticationFlags } from '../kubernetes/authentication-flags.js';
export { parseRelease, type Reference, startReference } from '../reference/index.js';

export interface ReferenceTargetOptions {
  /** Breaks off every question. */
  readonly signal?: AbortSignal;
  /** Decisions, switches, version: what makes this reference another than upstream. The clock is the target's own. */
  readonly reference?: Omit<ReferenceOptions, 'clock' | 'port' | 'host' | 'dataFile'>;
  /** It is asked over connections, as any cluster. Default: in this process, which is quicker. */
  readonly connected?: true;
  /** The joining client that is judged beside it; default: that of joinproof. */
  readonly client?: AnotherClient;
  /** It is an API server and nothing else. */
  readonly alone?: NonNullable<Switches['alone']>;
  /** Done to the disk of its control plane before anybody looks. */
  readonly disk?: DiskEdit;
  /** Done to the reference before anybody asks it. */
  arrange?(reference: Reference): void | Promise<void>;
}

/** A started reference. Throws what startReference throws. */
export async function openReference(options: ReferenceTargetOptions = {}): Promise<HttpTarget> {
  const signal = options.signal ?? new AbortController().signal;
  const clock = manualClock(options.reference?.image?.at ?? Date.now());
  const reference = await startReference({ withNode: true, ...options.reference, clock });
  try {
    await options.arrange?.(reference);
    await reference.settle();
  } catch (error) {
    await reference.close();
    throw error;
  }
  const moved = {
    now: () => clock.now(),
    async move(milliseconds: number) {
      signal.throwIfAborted();
      // what time has nothing to do with is done before it passes
      await reference.settle();
      clock.advance(milliseconds);
      await reference.settle();
    },
  };
  const { alone } = options;
  // A twin is set up by itself, with other switches and at another port.
  const { image: _image, ...before } = options.reference ?? {};
  const { certificate, key } = reference.admin;
  const extensions = new ExtensionServers();
  const uploads = lazyUploads(reference.kubernetesVersion, options.client);
  const target = new HttpTarget({
    kind: 'reference',
    connection: {
      server: reference.url,
      name: `joinproof reference ${reference.kubernetesVersion}${alone === undefined ? '' : ` ${alone.named}`}`,
      caPem: reference.caPem,
      insecure: false,
      ...(options.connected === undefined ? { handle: reference.handle } : {}),
      credential:
        alone?.adminToken === undefined
          ? fixedCredential({ certificate: { certificate, key }, secrets: [key] })
          : bearerCredential(alone.adminToken),
    },
    signal,
    run: newRun(),
    disposable: true,
    clock: moved,
    variants: {
      legacy: true,
      extension: (serving) => extensions.open(serving),
      open: (switches) =>
        openReference(
          switches.alone === undefined
            ? {
                ...options,
                reference: { ...before, ...optionsOf(switches, before), keys: reference.keys },
              }
            : { ...kept(options), alone: switches.alone, reference: aloneOf(switches, options, reference) },
        ),
    },
    init: {
      repeatBootstrapToken: async () => {
        reference.repeatBootstrapPhase();
        await reference.settle();
      },
    },
    client: lazyClient(options.client),
    files: lazyFiles(reference, options.disk),
    preflight: lazyPreflight(reference.kubernetesVersion, options.client),
    uploads,
    onClose: async () => {
      await extensions.close();
      await uploads.close();
      await reference.close();
    },
  });
  for (const token of reference.tokens) target.redactor.add(token);
  if (reference.certificateKey !== undefined) target.redactor.add(reference.certificateKey);
  const bare = options.reference?.bare === true;
  const nobody = 'an API server was started alone, without controllers';
  target.declare({
    facts: {
      anonymous: true,
      controllers: alone === undefined ? true : nobody,
      kubeadm: bare ? 'this reference was started without the phases of kubeadm' : true,
      fresh: true,
      ours: true,
      inProcess: true,
    },
    signs: bare ? [] : ['joinproof has set it up as kubeadm does'],
    lacks: {},
    version: readVersion({ gitVersion: `v${reference.kubernetesVersion.replace(/^v/, '')}` }),
  });
  return target;
}

/** The disk of its control plane, made when it is first asked for. */
function lazyFiles(reference: Reference, edit: DiskEdit | undefined): NodeFiles {
  const load = async (): Promise<NodeFiles> => {
    const { diskBeside, referenceFiles } = await import('./node/reference-node.js');
    return referenceFiles(diskBeside(reference), edit);
  };
  let files: Promise<NodeFiles> | undefined;
  return {
    now: () => Date.now(),
    async read(paths) {
      files ??= load();
      return (await files).read(paths);
    },
  };
}

/** What an API server alone has of the target that it stands beside: what makes that another than upstream. */
const kept = ({ signal, connected }: ReferenceTargetOptions): ReferenceTargetOptions => ({
  ...(signal === undefined ? {} : { signal }),
  ...(connected === undefined ? {} : { connected }),
});

function aloneOf(
  { bootstrapTokenAuth, anonymousAuth, authentication }: Switches,
  { reference: before = {} }: ReferenceTargetOptions,
  { keys }: Pick<Reference, 'keys'>,
): Partial<ReferenceOptions> {
  const { decisions, kubernetesVersion, keyAlgorithm } = before;
  return {
    keys,
    bare: true,
    withNode: false,
    controllers: Object.fromEntries(SWITCHABLE_CONTROLLERS.map((name) => [name, false])),
    ...given('decisions', decisions),
    ...given('kubernetesVersion', kubernetesVersion),
    ...given('keyAlgorithm', keyAlgorithm),
    ...given('bootstrapTokenAuth', bootstrapTokenAuth),
    ...given('anonymousAuth', anonymousAuth),
    ...given('authentication', authentication),
  };
}

const given = <K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> =>
  value === undefined ? {} : ({ [name]: value } as Record<K, V>);

/** What a set of switches means for the reference; what is undefined stays as it was. */
function optionsOf(switches: Switches, before: Partial<ReferenceOptions>): Partial<ReferenceOptions> {
  const {
    bootstrapTokenAuth,
    anonymousAuth,
    bootstrapSigner,
    tokenCleaner,
    csrApprover,
    csrSigner,
    externalCa,
    signingSeconds,
    tokens,
    bare,
  } = switches;
  return {
    ...given('bootstrapTokenAuth', bootstrapTokenAuth),
    ...given('anonymousAuth', anonymousAuth),
    ...given('authentication', switches.authentication),
    ...given('tokens', tokens),
    ...given('bare', bare),
    ...given('externalCa', externalCa),
    ...given('clusterSigningDuration', signingSeconds === undefined ? undefined : signingSeconds * 1000),
    controllers: {
      ...before.controllers,
      ...given('bootstrapsigner', bootstrapSigner),
      ...given('tokencleaner', tokenCleaner),
      ...given('csrapproving', csrApprover),
      ...given('csrsigning', csrSigner),
    },
  };
}

/**
 * Runs the phases of kubeadm init against the reference. Each may be run again.
 * Source: cmd/kubeadm/app/cmd/phases/init.
 */
import { type ApiClient, ApiError, type Clock, type RandomBytes } from '../../apiserver/types.js';
import type { InitFacts } from '../../kubeadm/configuration.js';
import {
  addonCoredns,
  addonKubeProxy,
  bootstrapToken as bootstrapTokenObjects,
  ensureAdmin,
  type Phase,
  type TokenOptions,
  tokenSpec,
  tokenText,
  uploadCerts,
  uploadConfig,
} from '../../kubeadm/phases/init.js';
import type { ClusterPki } from '../../kubeadm/pki.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import type { Decisions } from '../decisions.js';

/** What init works with: the API as an administrator whom nobody refuses, and the facts of the cluster. */
export interface Init {
  readonly api: ApiClient;
  readonly decisions: Decisions;
  readonly facts: InitFacts;
  readonly pki: ClusterPki;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** What a phase is told, now. */
export const phaseOf = ({ decisions, facts, clock, random }: Init): Phase => ({
  decisions,
  facts,
  now: clock.now(),
  random,
});

/** Creates an object, or does with an existing one what is decided. Returns it as stored. Throws ApiError. */
export function write({ api, decisions }: Init, object: KubeObject): KubeObject {
  const resource = Object.values(resources).find(({ kind }) => kind === object.kind);
  if (resource === undefined) throw new Error(`kubeadm init writes no ${object.kind}.`);
  try {
    return api.create(resource, object);
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    const what = decisions.onExisting(object);
    if (what === 'update') return api.update(resource, object);
    const kept = what === 'keep' ? api.get(resource, object.metadata.namespace, object.metadata.name ?? '') : undefined;
    if (kept === undefined) throw error;
    return kept;
  }
}

export const writeAll = (init: Init, objects: readonly KubeObject[]): void => {
  for (const object of objects) write(init, object);
};

/** Phase bootstrap-token. Returns the tokens as id.secret. */
export function bootstrapToken(init: Init, options: readonly TokenOptions[]): readonly string[] {
  const phase = phaseOf(init);
  const tokens = options.map((token) => tokenSpec(phase, token));
  writeAll(init, bootstrapTokenObjects(phase, tokens));
  return tokens.map(tokenText);
}

/** All phases in init's order. The certificate key has 64 hex digits. */
export function runInit(
  init: Init,
  options: readonly TokenOptions[],
): { readonly tokens: readonly string[]; readonly certificateKey: string } {
  const phase = phaseOf(init);
  writeAll(init, [...ensureAdmin(phase), ...uploadConfig(phase)]);
  const certs = uploadCerts(phase, init.pki);
  write(init, certs.ownedBy(write(init, certs.token)));
  writeAll(init, certs.grants);
  const tokens = bootstrapToken(init, options);
  writeAll(init, [...addonCoredns(phase), ...addonKubeProxy(phase)]);
  return { tokens, certificateKey: certs.key };
}

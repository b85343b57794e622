/** What kubeadm init writes, as a list: for an API server that is not the reference, and a folder that has no kubeadm. */

import type { ApiClient, RandomBytes } from '../apiserver/types.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { upstream } from '../reference/decisions.js';
import type { InitFacts } from './facts.js';
import { addonCoredns, addonKubeProxy, bootstrapToken, type TokenOptions, uploadConfig, type Writing } from './init.js';

/** The objects of the phases upload-config, bootstrap-token and addon, in the order of writing, or of one of them; upload-certs is kubeadm's option, and left out. */
export function initObjects(
  facts: InitFacts,
  tokens: readonly TokenOptions[],
  now: number,
  random: RandomBytes,
  only?: 'bootstrap-token',
): readonly KubeObject[] {
  const written: KubeObject[] = [];
  const collecting: ApiClient = {
    user: { username: 'kubernetes-admin', groups: [] },
    get: () => undefined,
    list: () => [],
    create: (_resource, object) => {
      written.push(object);
      return object;
    },
    update: (_resource, object) => object,
    delete: () => undefined,
  };
  const clock = { now: () => now, at: () => () => undefined };
  const init: Writing = { api: collecting, decisions: upstream, facts, clock, random };
  if (only === undefined) uploadConfig(init);
  bootstrapToken(init, tokens);
  if (only === undefined) {
    addonCoredns(init);
    addonKubeProxy(init);
  }
  return written;
}

/** A target that answers nothing: for testing how scenarios are run, not what they ask. */
import type { Abilities, Fact, Need, Target } from '../../targets/types.js';
import { isAbility, isFact } from '../../targets/types.js';

/** With the ability clock, time is moved; else sleeping takes its time. */
export function toyTarget(has: readonly Need[]): Target & { readonly slept: number[] } {
  let moved = 0;
  const slept: number[] = [];
  const nothing = (): never => {
    throw new Error('a toy target answers nothing');
  };
  const all: Abilities = {
    objects: { get: nothing, list: nothing },
    requests: { as: nothing, secret: () => {} },
    writes: { create: nothing, patch: nothing, delete: nothing },
    reviews: { review: nothing },
    tls: { presented: nothing, plain: nothing, trusts: nothing },
    clock: {
      move: async (milliseconds) => {
        slept.push(milliseconds);
        moved += milliseconds;
      },
    },
    variants: { open: nothing, extension: nothing },
    init: { repeatBootstrapToken: nothing },
    client: { name: 'toy client', join: nothing, inEachWay: nothing },
    files: { read: nothing, now: () => moved },
    preflight: { lacks: () => undefined, look: nothing },
    uploads: { upload: nothing },
  };
  return {
    kind: 'reference',
    name: 'toy target',
    facts: {
      server: 'https://127.0.0.1:1',
      version: { gitVersion: 'v1.36.0', minor: 36, patch: 0 },
      holds: new Set<Fact>(has.filter(isFact)),
      now: () => Date.now() + moved,
    },
    abilities: Object.fromEntries(has.filter(isAbility).map((name) => [name, all[name]])),
    why: (need) => `toys have no ${need}`,
    close: async () => {},
    slept,
  };
}

/** A target that answers nothing: for testing how scenarios are run, not what they ask. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Capability, Client, Target } from '../../targets/types.js';

/** With capability clock, time is moved; else sleeping takes its time. */
export function toyTarget(
  capabilities: readonly Capability[],
  signal: AbortSignal = new AbortController().signal,
): Target & { readonly slept: number[] } {
  const has = new Set(capabilities);
  let moved = 0;
  const slept: number[] = [];
  const nothing = (): never => {
    throw new Error('a toy target answers nothing');
  };
  const client: Client = {
    identity: { kind: 'admin' },
    ask: nothing,
    get: nothing,
    list: nothing,
    create: nothing,
    patch: nothing,
    delete: nothing,
  };
  return {
    kind: 'reference',
    name: 'toy target',
    server: 'https://127.0.0.1:1',
    capabilities: has,
    why: (capability) => `toys have no ${capability}`,
    clock: {
      now: () => Date.now() + moved,
      sleep: async (milliseconds) => {
        slept.push(milliseconds);
        if (has.has('clock')) moved += milliseconds;
        else await pause(milliseconds, undefined, { signal });
      },
    },
    as: () => client,
    admin: client,
    version: async () => ({ gitVersion: 'v1.36.0', minor: 36, patch: 0 }),
    secret: () => {},
    exchanges: () => [],
    servingCertificates: async () => [],
    trusts: async () => ({ ok: true }),
    with: nothing,
    close: async () => {},
    slept,
  };
}

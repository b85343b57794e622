/** A joining client as a target of its own: nobody answers requests, and nothing else can be judged. */
import type { AnotherClient } from '../../joining/another.js';
import { NEWEST_RELEASE, parseRelease } from '../../kubeadm/release.js';
import { Redactor } from '../redaction.js';
import type { ClientUnderTest, Fact, Target } from '../types.js';

export interface ClientTarget extends Target {
  readonly redactor: Redactor;
}

/** The reference client, or another; loaded when it is first asked to join. */
export const lazyClient = (another: AnotherClient = {}): ClientUnderTest => ({
  name: 'the joining client of joinproof',
  join: async (server) => (await import('./reference-client.js')).joinNamed(server, another),
});

export function openClient(another: AnotherClient = {}): ClientTarget {
  const { minor } = parseRelease(NEWEST_RELEASE);
  return clientTarget(lazyClient(another), { minor, holds: new Set(['inProcess']), close: async () => {} });
}

/** A target that has this client, and nothing else. */
export const clientTarget = (
  client: ClientUnderTest,
  { minor, holds, close }: Pick<Target, 'close'> & { readonly minor: number; readonly holds: ReadonlySet<Fact> },
): ClientTarget => ({
  kind: 'client',
  name: client.name,
  facts: { server: '', version: { gitVersion: `v1.${minor}.0`, minor }, holds, now: () => Date.now() },
  abilities: { client },
  redactor: new Redactor(),
  why: () => 'a joining client is no cluster: nobody answers requests there',
  close,
});

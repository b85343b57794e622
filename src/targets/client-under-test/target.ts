/** A joining client as a target of its own: nobody answers requests, and nothing else can be judged. */
import type { AnotherClient } from '../../joining/another.js';
import { NEWEST_RELEASE, parseRelease } from '../../kubeadm/release.js';
import { lazyPreflight } from '../preflight/lazy.js';
import { Redactor } from '../redaction.js';
import type { ClientUnderTest, Fact, NodeFiles, PreflightUnderTest, Target, UploadsUnderTest } from '../types.js';
import { lazyUploads } from '../uploads/lazy.js';

export interface ClientTarget extends Target {
  readonly redactor: Redactor;
}

const LIKE_KUBEADM = 'the joining client of joinproof does what kubeadm does, as it was recorded';

/** The reference client, or another; loaded when it is first asked to join. */
export const lazyClient = (another: AnotherClient = {}): ClientUnderTest => ({
  name: 'the joining client of joinproof',
  ...(Object.keys(another).length === 0 ? { likeKubeadm: LIKE_KUBEADM } : {}),
  join: async (server) => (await import('./reference-client.js')).joinNamed(server, another),
  inEachWay: async (server) => (await import('./reference-client.js')).inEachWay(server),
});

export function openClient(another: AnotherClient = {}): ClientTarget {
  const { minor } = parseRelease(NEWEST_RELEASE);
  const preflight = lazyPreflight(NEWEST_RELEASE, another);
  const uploads = lazyUploads(NEWEST_RELEASE, another);
  const holds = new Set(['inProcess'] as const);
  return clientTarget(lazyClient(another), { minor, holds, preflight, uploads, close: () => uploads.close() });
}

interface ClientFacts extends Pick<Target, 'close'> {
  readonly minor: number;
  readonly holds: ReadonlySet<Fact>;
  /** Where it is kubeadm, or does as it does. */
  readonly preflight?: PreflightUnderTest;
  readonly uploads?: UploadsUnderTest;
  /** Where it is kubeadm: the disk of a control plane that it has made. */
  readonly files?: NodeFiles;
}

/** A target that has this client, and nothing else. */
export const clientTarget = (
  client: ClientUnderTest,
  { minor, holds, preflight, uploads, files, close }: ClientFacts,
): ClientTarget => ({
  kind: 'client',
  name: client.name,
  facts: { server: '', version: { gitVersion: `v1.${minor}.0`, minor }, holds, now: () => Date.now() },
  abilities: {
    client,
    ...(preflight === undefined ? {} : { preflight }),
    ...(uploads === undefined ? {} : { uploads }),
    ...(files === undefined ? {} : { files }),
  },
  redactor: new Redactor(),
  why: () => 'a joining client is no cluster: nobody answers requests there',
  close,
});

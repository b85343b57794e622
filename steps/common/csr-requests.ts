/** The certificate requests that steps have sent: kept, watched, decided. */
import { requestAllowed } from '../../src/checks/authorization/access.js';
import { bindingName, holdersOf } from '../../src/checks/authorization/rbac-policy.js';
import { seenIn } from '../../src/checks/common/answers.js';
import {
  type LeftAlone,
  readLeftAlone,
  requestsNotApproved,
  requestsNotIssued,
} from '../../src/checks/kubelet-certificates/left-alone.js';
import {
  type ByItself,
  isDecided,
  type Progress,
  readProgress,
  readSent,
  requestApproved,
  requestIn,
  requestIssued,
  requestTaken,
  type Sent,
  type Signing,
  signerRuns,
} from '../../src/checks/kubelet-certificates/request-progress.js';
import { GROUP_BOOTSTRAPPERS } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { decide, send } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Asker } from '../../src/targets/types.js';
import { wantedRequest } from './csr-shapes.js';
import { published } from './flags.js';
import { permissionOf } from './permission-tables.js';
import { readPolicy } from './policy.js';
import { clientOf, joinsWithTokens, type Made, TOKEN } from './tokens.js';

/** Names of our own requests begin so: rules about requests at rest leave them out. */
export const OWN_REQUESTS = 'jp-csr-';

/** How long an approver or a signer may take. */
export const CONTROLLER_MS = 30_000;
/** How long one that must not act is watched after its twin has been served. */
export const QUIET_MS = 10_000;

/** A request that was sent in this scenario, or by a machine of it. */
export interface Asked {
  /** As the feature says: "a node". */
  readonly what: string;
  readonly name: string;
  readonly sent: CertificateSigningRequest;
  /** As the answer to its creation shows it; undefined where it was not taken. */
  readonly created: CertificateSigningRequest | undefined;
  /** What was answered; undefined of a request that a machine has sent. */
  readonly answer: Sent | undefined;
}

/** The requests of the scenario, in their order; "the request" is the last one. */
export const ASKED = slot<readonly Asked[]>('a certificate request');
/** Those beside them that are treated otherwise: of another requester, denied, never approved. */
export const OTHERS = slot<readonly Asked[]>('other certificate requests');

/** Who asks, as the features say it. */
export interface Requester {
  readonly client: Asker;
  /** "a joining token" */
  readonly who: string;
}

export const bearerOf = (world: World, made: Made): Requester => ({
  client: clientOf(world, made),
  who: 'a joining token',
});
export const bearer = (world: World): Requester => bearerOf(world, world.get(TOKEN));
export const administrator = (world: World): Requester => ({ client: world.admin, who: 'an administrator' });

const keep = (world: World, asked: Asked): Asked => {
  world.put(ASKED, [...(world.has(ASKED) ? world.get(ASKED) : []), asked]);
  return asked;
};

/** Sends an object and keeps it as "the request"; what was answered is for the caller to judge. */
export async function sendRequest(
  world: World,
  { client, who }: Requester,
  what: string,
  object: CertificateSigningRequest,
): Promise<{ readonly sent: Sent; readonly asked: Asked }> {
  const answer = await send(client, object);
  const created = requestIn(answer);
  const sent = readSent(`a certificate request for ${what}, as ${who}`, answer);
  const asked = { what, name: created?.metadata.name ?? '', sent: object, created, answer: sent };
  return { sent, asked: keep(world, asked) };
}

/** The same, where the scenario takes for granted that a sound request is taken. */
export async function ask(
  world: World,
  requester: Requester,
  what: string,
  object: CertificateSigningRequest = wantedRequest(world, what),
): Promise<Asked> {
  const { sent, asked } = await sendRequest(world, requester, what, object);
  if (requester.who === 'a joining token') joinsWithTokens(world, sent.status);
  world.grant(requestTaken, [sent]);
  return asked;
}

/** What a machine has asked, kept like what is sent by hand. */
export const remember = (world: World, what: string, request: CertificateSigningRequest): Asked =>
  keep(world, { what, name: request.metadata.name ?? '', sent: request, created: request, answer: undefined });

export const lastAsked = (world: World): Asked => {
  const asked = world.get(ASKED).at(-1);
  return asked ?? world.unknown('no earlier step of this scenario sent a certificate request');
};

/** The request of the scenario for something. */
export const askedFor = (world: World, what: string): Asked => {
  const found = world.get(ASKED).find((item) => item.what === what);
  return found ?? world.unknown(`the scenario sent no request for ${what}`);
};

/** The request as it is now; undefined where it is gone. */
export const stored = (world: World, { name }: Asked): Promise<CertificateSigningRequest | undefined> =>
  world.objects.get<CertificateSigningRequest>(resources.certificateSigningRequests, name);

/** Writes parts of the status of a request as an administrator, through a subresource; what was answered. */
export async function patchStatus(
  world: World,
  { name }: Asked,
  subresource: 'approval' | 'status',
  status: object,
): Promise<ReturnType<typeof seenIn>> {
  const answer = await world.admin.ask({
    method: 'PATCH',
    path: pathOf(resources.certificateSigningRequests, { name, subresource }),
    contentType: PATCH_TYPES.merge,
    body: { status },
  });
  return seenIn(answer);
}

export const subjectOf = ({ what }: Asked): string => `the certificate request for ${what}`;

/** How far it has come. */
export const progressOf = async (world: World, asked: Asked): Promise<Progress> =>
  readProgress(subjectOf(asked), await stored(world, asked));

/** How far it has come once `done` says so, or when the time is over. */
async function progressOnce(
  world: World,
  asked: Asked,
  done: (progress: Progress) => boolean,
  within: number,
): Promise<Progress> {
  let last = readProgress(subjectOf(asked), undefined);
  await world.eventually(within, async () => {
    last = await progressOf(world, asked);
    return done(last) || !last.there ? true : undefined;
  });
  return world.patience === 1 ? last : { ...last, within: world.patiently(within) / 1000 };
}

/** Once it is approved or denied. */
export const decided = (world: World, asked: Asked, within = CONTROLLER_MS): Promise<Progress> =>
  progressOnce(world, asked, isDecided, within);

/** Once it carries a certificate. */
export const issued = (world: World, asked: Asked, within = CONTROLLER_MS): Promise<Progress> =>
  progressOnce(world, asked, ({ certificate }) => certificate, within);

/** An administrator approves or denies; being able to is either what the rule demands, or what it takes for granted. */
export async function decideAs(
  world: World,
  asked: Asked,
  type: 'Approved' | 'Denied',
  how: 'demanded' | 'granted',
): Promise<void> {
  const { status, body } = await decide(world.admin, asked.name, type);
  const answers = [
    { subject: `${type.toLowerCase()}: ${subjectOf(asked)}, as an administrator`, answer: seenIn({ status, body }) },
  ];
  if (how === 'demanded') world.check(requestAllowed, answers, { statuses: [200] });
  else world.grant(requestAllowed, answers, { statuses: [200] });
}

/** What an approval says nothing without. */
export const byItself = (world: World): ByItself => ({ kubeadm: world.holds('kubeadm') });

/** The positive control of everything that must not be approved: its twin is. */
export async function grantApproved(world: World, asked: Asked): Promise<boolean> {
  return world.grant(requestApproved, await decided(world, asked), byItself(world));
}

/** What is to be expected of approver and signer. */
export async function signing(world: World, progress: Progress): Promise<Signing> {
  const kubeadm = world.holds('kubeadm');
  const lines = progress.certificate ? [] : await published(world, 'kube-controller-manager');
  return { kubeadm, signer: signerRuns(lines, kubeadm) };
}

/** Skips where somebody else may sign. */
export async function demandSigner(world: World): Promise<void> {
  if (!signerRuns(await published(world, 'kube-controller-manager'), world.holds('kubeadm')))
    world.skip('fact', 'the built-in signer is not known to run here: somebody else may sign');
}

/** It carries a certificate in time. */
export async function checkIssued(world: World, asked: Asked): Promise<boolean> {
  const progress = await issued(world, asked);
  return world.check(requestIssued, [progress], await signing(world, progress));
}

/** The same, as what the scenario takes for granted. */
export async function grantIssued(world: World, asked: Asked): Promise<boolean> {
  const progress = await issued(world, asked);
  return world.grant(requestIssued, [progress], await signing(world, progress));
}

const leftAlone = (world: World, all: readonly Asked[]): Promise<LeftAlone[]> =>
  Promise.all(
    all.map(async (asked) => {
      const { answer, created } = asked;
      const held = created === undefined ? undefined : await stored(world, asked);
      return readLeftAlone(subjectOf(asked), created === undefined ? answer : undefined, held);
    }),
  );

/** After a twin was served: they are still not approved, and go on not being so for a while. */
export async function checkNotApproved(world: World, ...asked: readonly Asked[]): Promise<void> {
  await world.sleep(QUIET_MS);
  world.check(requestsNotApproved, await leftAlone(world, asked));
}

/** After a twin was signed: they carry no certificate, and go on carrying none for a while. */
export async function checkNotIssued(world: World, ...asked: readonly Asked[]): Promise<void> {
  await world.sleep(QUIET_MS);
  world.check(requestsNotIssued, await leftAlone(world, asked));
}

/** The binding, of whatever role, by which every token may do something; undefined where none gives it to all. */
export async function bindingOfAllTokens(world: World, permission: string): Promise<string | undefined> {
  const holders = holdersOf(await readPolicy(world), permissionOf(permission));
  const all = holders.find(({ subject }) => subject.kind === 'Group' && subject.name === GROUP_BOOTSTRAPPERS);
  return all && bindingName(all.binding);
}

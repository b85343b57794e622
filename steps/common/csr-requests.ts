/** How the features describe certificate requests, and what the steps keep of those they have sent. */

import { messageOf } from '../../src/checks/access.js';
import { decide, hasCondition, isRequest, type RequestWanted, requestObject, send } from '../../src/joining/request.js';
import {
  GROUP_MASTERS,
  GROUP_NODES,
  NODE_USER_PREFIX,
  SIGNER_APISERVER_CLIENT,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
} from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { generateKey } from '../../src/pki/keys.js';
import type { World } from '../../src/run/world.js';
import type { Asker } from '../../src/targets/types.js';
import { joinsWithTokens } from './tokens.js';

/** Names of our own requests begin so: rules about requests at rest leave them out. */
export const OWN_REQUESTS = 'jp-csr-';

/** How long an approver or a signer may take. */
export const CONTROLLER_MS = 30_000;
/** How long one that must not act is watched after its twin has been served. */
export const QUIET_MS = 3_000;

/** A request that was sent in this scenario. */
export interface Asked {
  /** As the feature says: "a node". */
  readonly what: string;
  readonly name: string;
  readonly sent: CertificateSigningRequest;
  /** As the answer to its creation shows it. */
  readonly created: CertificateSigningRequest;
}

type Shape = Pick<RequestWanted, 'commonName' | 'organizations' | 'signerName'> &
  Partial<Pick<RequestWanted, 'usages' | 'altNames'>>;

const kubelet = (commonName: string, organizations: readonly string[]): Shape => ({
  commonName,
  organizations,
  signerName: SIGNER_KUBELET_CLIENT,
});

/** What the features call a request; `node` is a node name of the scenario's own. */
const SHAPES: Readonly<Record<string, (node: string) => Shape>> = {
  'a node': (node) => kubelet(`${NODE_USER_PREFIX}${node}`, [GROUP_NODES]),
  'an administrator in the group system:masters': () => kubelet('kubernetes-admin', [GROUP_MASTERS]),
  'the user admin in no group': () => kubelet('admin', []),
  'a node that is in the group system:masters as well': (node) =>
    kubelet(`${NODE_USER_PREFIX}${node}`, [GROUP_NODES, GROUP_MASTERS]),
  "the group system:nodes under a name that is no node's": (node) => kubelet(node, [GROUP_NODES]),
  'the name system:nodex:jp in the group of nodes': () => kubelet('system:nodex:jp', [GROUP_NODES]),
  'a node, with the signer kubernetes.io/kube-apiserver-client': (node) => ({
    ...kubelet(`${NODE_USER_PREFIX}${node}`, [GROUP_NODES]),
    signerName: SIGNER_APISERVER_CLIENT,
  }),
  "a node's server": (node) => ({
    ...kubelet(`${NODE_USER_PREFIX}${node}`, [GROUP_NODES]),
    signerName: SIGNER_KUBELET_SERVING,
    usages: ['digital signature', 'server auth'],
    altNames: { dns: [node], ip: ['192.0.2.10'] },
  }),
};

/** The object for a description of the features; its name begins with "jp-", so that state rules leave it out. */
export function wantedRequest(world: World, what: string, around = ''): CertificateSigningRequest {
  const shape = SHAPES[what];
  if (shape === undefined) return world.unknown(`the steps know no request for "${what}"`);
  const node = `jp-${world.random(10)}`;
  return requestObject(
    {
      usages: ['digital signature', 'client auth'],
      ...shape(node),
      key: generateKey('ECDSA-P256'),
      name: `jp-${world.random(12)}`,
    },
    around,
  );
}

/** Sends an object; anything but 201 ends the scenario as failed, since a sound request must be taken. */
export async function ask(
  world: World,
  client: Asker,
  what: string,
  object: CertificateSigningRequest,
  who: string,
): Promise<Asked> {
  const answer = await send(client, object);
  if (who === 'a joining token') joinsWithTokens(world, answer.status);
  const taken = answer.status === 201 && isRequest(answer.body);
  world.expect({
    object: `a certificate request for ${what}, as ${who}`,
    demanded: 'is taken (201)',
    seen: taken ? '201' : `${answer.status} ${messageOf(answer.body)}`.trimEnd(),
    ok: taken,
  });
  const created = answer.body as CertificateSigningRequest;
  const asked = { what, name: created.metadata.name ?? '', sent: object, created };
  world.keep('asked', [...(world.has('asked') ? world.kept<readonly Asked[]>('asked') : []), asked]);
  return asked;
}

export const lastAsked = (world: World): Asked => {
  const asked = world.kept<readonly Asked[]>('asked').at(-1);
  return asked ?? world.unknown('no earlier step of this scenario sent a certificate request');
};

export async function stored(world: World, name: string): Promise<CertificateSigningRequest> {
  const found = await world.objects.get<CertificateSigningRequest>(resources.certificateSigningRequests, name);
  return found ?? world.unknown(`the certificate request ${name} is gone`);
}

/** An administrator approves or denies; being able to is either what the rule demands, or what it takes for granted. */
export async function decideAs(
  world: World,
  client: Asker,
  name: string,
  type: 'Approved' | 'Denied',
  how: 'demanded' | 'granted',
): Promise<void> {
  const answer = await decide(client, name, type);
  const evidence = {
    object: `the certificate request ${name}, as an administrator`,
    demanded: `can be ${type.toLowerCase()} (200)`,
    seen: answer.status === 200 ? '200' : `${answer.status} ${messageOf(answer.body)}`.trimEnd(),
    ok: answer.status === 200,
  };
  if (how === 'demanded') world.expect(evidence);
  else world.control(evidence);
}

/**
 * A request that nobody approves says nothing where kubeadm did not set the cluster up: without its bindings every request may wait for a person.
 * Called where a sound request should have been approved by itself.
 */
export function approvesByItself(world: World, approved: boolean): void {
  if (approved || world.holds('kubeadm')) return;
  world.skip(
    'nothing',
    'kubeadm has not set this cluster up, and a sound request was not approved automatically: people may approve by hand here',
  );
}

/** The request once it is approved (or denied); undefined where nobody decides in time. */
export const decided = (
  world: World,
  name: string,
  within = CONTROLLER_MS,
): Promise<CertificateSigningRequest | undefined> =>
  world.eventually(within, async () => {
    const request = await stored(world, name);
    return hasCondition(request, 'Approved') || hasCondition(request, 'Denied') ? request : undefined;
  });

/** The request once it carries a certificate; undefined where none comes in time. */
export const issued = (
  world: World,
  name: string,
  within = CONTROLLER_MS,
): Promise<CertificateSigningRequest | undefined> =>
  world.eventually(within, async () => {
    const request = await stored(world, name);
    return request.status?.certificate === undefined ? undefined : request;
  });

/** After its twin was served: the request is still not approved, and goes on not being so for a while. */
export async function expectNotApproved(world: World, asked: Asked): Promise<void> {
  await world.sleep(QUIET_MS);
  const request = await stored(world, asked.name);
  const approved = hasCondition(request, 'Approved');
  world.expect({
    object: `the certificate request for ${asked.what}`,
    demanded: 'is not approved automatically',
    seen: approved
      ? `approved: ${request.status?.conditions?.find((condition) => condition.type === 'Approved')?.message ?? ''}`
      : 'no approval',
    ok: !approved,
  });
}

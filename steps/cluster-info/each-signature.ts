/** Sentences about the signatures that cluster-info holds, and about the tokens that it must be signed for. */

import { decoded, mustBeSignedFor } from '../../src/checks/bootstrap-tokens/token-secrets.js';
import {
  eachTokenHasSignature,
  type SignatureOwner,
  signatureAlgorithm,
  signatureExact,
  signatureHasToken,
  signatureHeader,
  signatureKeyId,
  signatureLength,
  signatureMadeOf,
  signatureOfOneToken,
  signatureOrdinaryPayload,
  signatureShape,
} from '../../src/checks/cluster-info/jws.js';
import { readSignatures, type Signatures, signatureKeysIn } from '../../src/checks/cluster-info/jws-reader.js';
import { KUBE_SYSTEM, SIGNATURE_KEY_PREFIX, TOKEN_KEYS, TOKEN_SECRET_PREFIX } from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Check } from '../../src/model/check.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { tokenSecrets } from '../bootstrap-tokens/token-secrets.js';
import { forEach } from '../common/each.js';
import { settled, soon } from '../common/soon.js';
import { tokensAndLikes } from '../common/token-secrets.js';
import { CLOCKS } from '../common/tokens.js';
import { SOON } from '../common/waiting.js';
import { clusterInfo, SIGNED_ANEW } from './signatures.js';

const SIGNATURES = slot<Signatures>('the signatures of cluster-info');

/**
 * The signatures that are there, tried with every token that the signer has to sign for. Tokens are read first, so that
 * one that is made in between is no reproach.
 */
export async function signaturesNow(world: World): Promise<Signatures> {
  const now = world.now();
  // what is no text cannot be typed by anybody who joins, and the signer's key would be the bytes
  const secrets = (await tokenSecrets(world)).filter(
    (secret) => mustBeSignedFor(secret, now) && !decoded(secret, TOKEN_KEYS.secret).includes('\uFFFD'),
  );
  const tokens = secrets.map((secret) => ({
    id: decoded(secret, TOKEN_KEYS.id),
    half: decoded(secret, TOKEN_KEYS.secret),
  }));
  return readSignatures(await clusterInfo(world), tokens);
}

const signaturesAtRest = (world: World): Promise<Signatures> =>
  world.atRest('signatures of cluster-info', () => signaturesNow(world));

Given('the signatures of cluster-info, and the tokens that it is signed for', async function (this: World) {
  this.put(SIGNATURES, await signaturesAtRest(this));
});

async function judgeSettled<P>(world: World, check: Check<Signatures, P>, parameters: P): Promise<void> {
  const judged = { check, parameters };
  const observation = await settled(world, judged, world.get(SIGNATURES), () => signaturesNow(world));
  world.check(check, observation, parameters);
}

/** A sentence on each signature, and the check that judges it. */
const SENTENCES = {
  'each signature is a detached compact JWS': signatureShape,
  'each signature says that its algorithm is HS256': signatureAlgorithm,
  'each signature names the token id of its key': signatureKeyId,
  'each signature has a header of these two members and no other': signatureHeader,
  'each signature has 32 bytes, in base64url without padding': signatureLength,
  'each signature covers its payload in the ordinary encoding': signatureOrdinaryPayload,
  'each signature verifies with its own token and with no other': signatureOfOneToken,
  'each signature is byte for byte what a joining machine computes': signatureExact,
};
for (const [sentence, check] of Object.entries(SENTENCES)) {
  Then(sentence, function (this: World) {
    return judgeSettled(this, check, undefined);
  });
}

const INGREDIENTS = {
  'the exact text of the kubeconfig': 'payload',
  'header and payload, joined by a dot': 'form',
  'the secret half of the token as its key': 'key',
} as const;
for (const [words, ingredient] of Object.entries(INGREDIENTS)) {
  Then(`each signature is made of ${words}`, function (this: World) {
    return judgeSettled(this, signatureMadeOf, { ingredient });
  });
}

/** A token that is a moment old may still wait for the signer. */
Then(
  'every token that is good for signing has its signature',
  { needs: ['controllers'] },
  async function (this: World) {
    const awaited = { check: eachTokenHasSignature, within: SOON, every: 1000 };
    this.check(eachTokenHasSignature, await soon(this, awaited, () => signaturesAtRest(this)));
  },
);

/**
 * The tokens that are there now, whoever made them: one that was made a moment ago may be signed for already. `at`: the
 * time, in milliseconds since the epoch, at which all had last been signed; undefined where nobody knows, and then one
 * that has expired may still wait for it.
 */
async function ownersNow(world: World, at: number | undefined): Promise<SignatureOwner[]> {
  const keys = signatureKeysIn(await clusterInfo(world));
  const atRest = byName(world.has(SIGNED_ANEW) ? [] : await tokensAndLikes(world));
  const secrets = keys.every((key) => atRest.has(nameOf(key))) ? atRest : byName(await tokensNow(world));
  return forEach(world, keys, async (key): Promise<SignatureOwner> => {
    const name = nameOf(key);
    // a list may lack what is there: it is asked for by its name before it is said to be missing
    const secret = secrets.get(name) ?? (await world.objects.get<Secret>(resources.secrets, name, KUBE_SYSTEM));
    return {
      key,
      id: key.slice(SIGNATURE_KEY_PREFIX.length),
      secret: secret === undefined ? 'absent' : mustBeSignedFor(secret, at ?? 0) ? 'signs' : 'signs not',
    };
  });
}

const byName = (secrets: readonly Secret[]): ReadonlyMap<string | undefined, Secret> =>
  new Map(secrets.map((secret) => [secret.metadata.name, secret]));

const nameOf = (key: string): string => TOKEN_SECRET_PREFIX + key.slice(SIGNATURE_KEY_PREFIX.length);

const tokensNow = (world: World): Promise<Secret[]> =>
  world.objects.list<Secret>(resources.secrets, { namespace: KUBE_SYSTEM }, (secret) =>
    secret.metadata.name?.startsWith(TOKEN_SECRET_PREFIX) === true ? (secret as Secret) : undefined,
  );

/** The signature of a token that was deleted or changed a moment ago may still wait for the signer. */
async function judgeOwners(world: World, at: number | undefined): Promise<void> {
  const awaited = { check: signatureHasToken, within: SOON, every: 1000 };
  world.check(signatureHasToken, await soon(world, awaited, () => ownersNow(world, at)));
}

Then('each signature is of a token that is in the cluster and for signing', async function (this: World) {
  await judgeOwners(this, undefined);
});

Then('each signature is of a token that was good for signing then', async function (this: World) {
  await judgeOwners(this, this.get(SIGNED_ANEW) - CLOCKS);
});

Then(
  'each signature that is there by now verifies with its own token and with no other',
  { needs: ['controllers'] },
  async function (this: World) {
    const awaited = { check: signatureOfOneToken, within: SOON, every: 1000 };
    this.check(signatureOfOneToken, await soon(this, awaited, () => signaturesNow(this)));
  },
);

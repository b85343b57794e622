/**
 * Sentences about bootstrap token Secrets at rest. Those that joinproof itself has made, in this run or one that was
 * killed, are left out.
 */
import {
  defaultGroups,
  defaultTokens,
  defaultUnguessed,
  defaultUsages,
  someJoiningToken,
  tokenLife,
} from '../../src/checks/bootstrap-tokens/default-token.js';
import { readGuesses } from '../../src/checks/bootstrap-tokens/guessable.js';
import { noLeaks, READ_BY_OTHERS } from '../../src/checks/bootstrap-tokens/leaks.js';
import {
  namedLikeTokens,
  readTokenSecrets,
  type TokenSecret,
} from '../../src/checks/bootstrap-tokens/token-secrets.js';
import {
  expirationForm,
  groupList,
  groupPrefix,
  inKubeSystem,
  keyPresent,
  nameHasId,
  secretNamed,
  tokenForm,
  tokenHalfForm,
  tokenIdForm,
  tokenType,
  usageKeys,
  valuesEncoded,
} from '../../src/checks/bootstrap-tokens/tokens-at-rest.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import type { Check } from '../../src/model/check.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { checkFound, eachKind, hunted, leakHunt, SEARCH, searchedBySome } from '../common/searched.js';
import { tokensAndLikes, tokensEverywhere, tokensOfKubeSystem } from '../common/token-secrets.js';

/** "each": the Secrets that the sentences of a scenario look at. */
export const SECRETS = slot<readonly Secret[]>('bootstrap token Secrets to look at');

/** Every Secret of the type in kube-system. */
export const tokenSecrets = tokensOfKubeSystem;

/** Fresh: nobody but kubeadm's set-up, which we have started, has made a token here. */
export const initTokens = async (world: World): Promise<Secret[]> =>
  defaultTokens(await tokenSecrets(world), world.holds('fresh'));

Given('every bootstrap token Secret', async function (this: World) {
  this.put(SECRETS, await tokenSecrets(this));
});

Given('every bootstrap token Secret of all namespaces', async function (this: World) {
  this.put(SECRETS, await tokensEverywhere(this));
});

Given('every Secret of kube-system that is named like a bootstrap token', async function (this: World) {
  this.put(SECRETS, namedLikeTokens(await tokensAndLikes(this)));
});

Given('the tokens that kubeadm init has made by itself', { needs: ['kubeadm'] }, async function (this: World) {
  this.put(SECRETS, await initTokens(this));
});

/** A sentence on each Secret, and the check that judges it. */
const SENTENCES: Readonly<Record<string, Check<readonly TokenSecret[]>>> = {
  'each id and secret half together have the form of a token': tokenForm,
  'each token id has 6 characters of a-z and 0-9': tokenIdForm,
  'each secret half has 16 characters of a-z and 0-9': tokenHalfForm,
  'each has the type of a bootstrap token': tokenType,
  'each is named after a token id': secretNamed,
  'each name ends in the token id of its Secret': nameHasId,
  'each lies in kube-system': inKubeSystem,
  'each expiration is an RFC 3339 timestamp': expirationForm,
  'each names none but the two known usages': usageKeys,
  'each list of extra groups is separated by commas alone': groupList,
  'each extra group begins with "system:bootstrappers:"': groupPrefix,
  'each value is the base64 of its text': valuesEncoded,
  'each carries the group that kubeadm binds': defaultGroups,
  'each is good for signing and for authentication': defaultUsages,
};
for (const [sentence, check] of Object.entries(SENTENCES)) {
  Then(sentence, function (this: World) {
    this.check(check, readTokenSecrets(this.get(SECRETS)));
  });
}

Then('none is a sample of the documentation, or easily guessed', function (this: World) {
  this.check(defaultUnguessed, readGuesses(this.get(SECRETS)));
});

Then('each has the key {string}', function (this: World, key: string) {
  this.check(keyPresent, readTokenSecrets(this.get(SECRETS)), { key });
});

Then(SEARCH, async function (this: World) {
  const hunt = await leakHunt(this);
  const kinds = await searchedBySome(this);
  const { told, unread, why } = await eachKind(this, READ_BY_OTHERS, kinds, (kind) => hunted(this, kind));
  const searched = told.reduce((sum, objects) => sum + objects, 0);
  checkFound(this, noLeaks, hunt.search(searched, unread), why);
});

/** Of a cluster that others use, too, the token of init may be gone, or live longer than it was given. */
const UNTOUCHED = { needs: ['ours'] } as const;

Then('each expires 24 hours after its creation', UNTOUCHED, function (this: World) {
  this.check(tokenLife, readTokenSecrets(this.get(SECRETS)), { seconds: 24 * 3600 });
});

Then('there is at least one, for machines to join with', UNTOUCHED, function (this: World) {
  this.check(someJoiningToken, readTokenSecrets(this.get(SECRETS)));
});

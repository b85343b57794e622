/** Sentences about bootstrap token Secrets at rest. Those that joinproof itself has made, in this run or one that was killed, are left out. */

import {
  defaultTokens,
  judgeDefaultGroups,
  judgeDefaultUsages,
  judgeLife,
  judgeSomeDefaultToken,
} from '../../src/checks/default-token.js';
import { judgeLeaks } from '../../src/checks/leaks.js';
import {
  decoded,
  judgeEncoding,
  judgeExpirationForm,
  judgeGroupList,
  judgeGroupPrefix,
  judgeKeyPresent,
  judgeNameAgainstId,
  judgeNamespace,
  judgeSecretName,
  judgeTokenForm,
  judgeTokenHalf,
  judgeTokenId,
  judgeTokenType,
  judgeUnpublished,
  judgeUsageKeys,
} from '../../src/checks/token-secrets.js';
import { KUBE_SYSTEM, TOKEN_KEYS, TOKEN_SECRET_TYPE } from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Verdict } from '../../src/model/evidence.js';
import { Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { OURS } from '../common/tokens.js';

/** A target that is thrown away marks nothing; the description then says it. */
const notOurs = (secrets: readonly Secret[]): Secret[] =>
  secrets.filter(
    (secret) =>
      secret.metadata.labels?.[OURS] === undefined && decoded(secret, TOKEN_KEYS.description) !== 'made by joinproof',
  );

/** Every Secret of the type in kube-system. */
export async function tokenSecrets(world: World): Promise<Secret[]> {
  return notOurs(
    await world.objects.list<Secret>(resources.secrets, {
      namespace: KUBE_SYSTEM,
      fieldSelector: `type=${TOKEN_SECRET_TYPE}`,
    }),
  );
}

const secrets = (world: World): readonly Secret[] => world.kept<readonly Secret[]>('secrets');

Given('every bootstrap token Secret', async function (this: World) {
  this.keep('secrets', await tokenSecrets(this));
});

Given('every bootstrap token Secret of all namespaces', async function (this: World) {
  this.keep(
    'secrets',
    notOurs(await this.objects.list<Secret>(resources.secrets, { fieldSelector: `type=${TOKEN_SECRET_TYPE}` })),
  );
});

Given('every Secret of kube-system', async function (this: World) {
  this.keep('secrets', notOurs(await this.objects.list<Secret>(resources.secrets, { namespace: KUBE_SYSTEM })));
});

/** A sentence on each Secret, and the check that judges it. */
const SENTENCES: Readonly<Record<string, (secrets: readonly Secret[]) => Verdict>> = {
  'each id and secret half together have the form of a token': judgeTokenForm,
  'each token id has 6 characters of a-z and 0-9': judgeTokenId,
  'each secret half has 16 characters of a-z and 0-9': judgeTokenHalf,
  'each has the key "token-id"': (them) => judgeKeyPresent(them, 'token-id'),
  'each has the key "token-secret"': (them) => judgeKeyPresent(them, 'token-secret'),
  'each that is named like a bootstrap token has the type of one': judgeTokenType,
  'each is named after a token id': judgeSecretName,
  'each name ends in the token id of its Secret': judgeNameAgainstId,
  'each lies in kube-system': judgeNamespace,
  'each expiration is an RFC 3339 timestamp': judgeExpirationForm,
  'each names none but the two known usages': judgeUsageKeys,
  'each list of extra groups is separated by commas alone': judgeGroupList,
  'each extra group begins with "system:bootstrappers:"': judgeGroupPrefix,
  'each value is the base64 of its text': judgeEncoding,
  'none is a sample of the documentation': judgeUnpublished,
};
for (const [sentence, judge] of Object.entries(SENTENCES)) {
  Then(sentence, function (this: World) {
    this.judge(judge(secrets(this)));
  });
}

Then('no object that others read shows a secret half', async function (this: World) {
  const kinds = [resources.configMaps, resources.certificateSigningRequests, resources.events, resources.nodes];
  const lists = await Promise.all(
    kinds.map(async (kind) => (await this.objects.list(kind)).map((object) => ({ ...object, kind: kind.kind }))),
  );
  this.judge(judgeLeaks(secrets(this), lists.flat()));
});

/** Fresh: nobody but kubeadm's set-up, which we have started, has made a token here. */
Given('the tokens that kubeadm init has made by itself', async function (this: World) {
  this.keep('default tokens', defaultTokens(await tokenSecrets(this), this.holds('fresh')));
});

const defaults = (world: World): readonly Secret[] => world.kept<readonly Secret[]>('default tokens');

Then('each carries the group that kubeadm binds', function (this: World) {
  this.judge(judgeDefaultGroups(defaults(this)));
});

Then('each is good for signing and for authentication', function (this: World) {
  this.judge(judgeDefaultUsages(defaults(this)));
});

Then('each expires 24 hours after its creation', function (this: World) {
  this.judge(judgeLife(defaults(this), 24 * 3600));
});

Then('there is at least one, for machines to join with', function (this: World) {
  this.judge(judgeSomeDefaultToken(defaults(this)));
});

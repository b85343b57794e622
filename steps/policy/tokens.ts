/** Sentences of the policy about bootstrap tokens at rest, and the certificates that control planes share. */

import { readGuesses, tokenUnguessed } from '../../src/checks/bootstrap-tokens/guessable.js';
import { tokenBound, tokensThatLogIn } from '../../src/checks/bootstrap-tokens/token-groups.js';
import { readTokenSecrets, type TokenSecret } from '../../src/checks/bootstrap-tokens/token-secrets.js';
import { tokensSigned } from '../../src/checks/policy/controllers-at-rest.js';
import { isClusterInfoOpen } from '../../src/checks/policy/rights-policy.js';
import {
  certificatesGone,
  certificatesGuarded,
  certificatesOwned,
  certificatesWhole,
  readSharedCertificates,
  type SharedCertificates,
} from '../../src/checks/policy/shared-certificates.js';
import {
  readPublicSignatures,
  signatureUnguessed,
  tokenAge,
  tokenCleaned,
  tokenDeleted,
  tokenEnds,
  tokenGroupsKnown,
  tokenLife,
  tokenSignsPublicly,
  tokenSpelt,
  tokenSwitched,
  tokenUsed,
} from '../../src/checks/policy/token-policy.js';
import { runsController } from '../../src/checks/written/control-plane-flags.js';
import { CLUSTER_INFO, KUBE_PUBLIC, KUBE_SYSTEM, SIGNATURE_KEY_PREFIX } from '../../src/kubernetes/names.js';
import type { ConfigMap, Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { SECRETS } from '../bootstrap-tokens/token-secrets.js';
import { clusterInfo } from '../cluster-info/signatures.js';
import { published } from '../common/flags.js';
import { POLICY, readPolicy } from '../common/policy.js';
import { grantReading } from '../common/reading.js';
import { tokensOfKubeSystem } from '../common/token-secrets.js';

const READS = { needs: ['objects'] } as const;

const tokensOf = (world: World): readonly TokenSecret[] => readTokenSecrets(world.get(SECRETS));

Then('each has an end', function (this: World) {
  this.check(tokenEnds, tokensOf(this));
});

Then('each is valid for no longer than the policy lets it', function (this: World) {
  this.check(tokenLife, tokensOf(this), { hours: this.profile.parameters.tokenHours });
});

Then('each is no older than the policy lets it', function (this: World) {
  this.check(tokenAge, tokensOf(this), { hours: this.profile.parameters.tokenHours, now: this.now() });
});

Then('none can be guessed', function (this: World) {
  this.check(tokenUnguessed, readGuesses(this.get(SECRETS)));
});

Then('none is kept long after its end', function (this: World) {
  this.check(tokenCleaned, tokensOf(this), { minutes: this.profile.parameters.expiredMinutes, now: this.now() });
});

Then('each carries groups of the policy alone', function (this: World) {
  this.check(tokenGroupsKnown, tokensOf(this), { groups: this.profile.parameters.tokenGroups });
});

Then('each is for something', function (this: World) {
  this.check(tokenUsed, tokensOf(this));
});

Then('the usages of each are on or off', function (this: World) {
  this.check(tokenSwitched, tokensOf(this));
});

Then('none has its end or its groups under another key', function (this: World) {
  this.check(tokenSpelt, tokensOf(this));
});

Then('some binding names a group of every token that logs in', READS, async function (this: World) {
  this.check(tokenBound, this.get(POLICY), { tokens: tokensThatLogIn(await tokensOfKubeSystem(this)) });
});

Then('none is kept long after its deletion', function (this: World) {
  this.check(tokenDeleted, tokensOf(this), { minutes: this.profile.parameters.expiredMinutes, now: this.now() });
});

Then('each that is for signing signs what strangers may read', async function (this: World) {
  const policy = await readPolicy(this);
  const published = await this.objects.get<ConfigMap>(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC);
  this.check(tokenSignsPublicly, tokensOf(this), { open: published !== undefined && isClusterInfoOpen(policy) });
});

Given(
  'kube-controller-manager is to sign cluster-info',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    const lines = await published(this, 'kube-controller-manager');
    if (!lines.some(({ flags }) => runsController(flags.get('controllers'), 'bootstrapsigner')))
      this.skip('fact', 'no Pod of kube-controller-manager shows that it signs cluster-info');
  },
);

Then('each that is for signing is signed for', async function (this: World) {
  const { data = {} } = await clusterInfo(this);
  const ids = Object.keys(data)
    .filter((key) => key.startsWith(SIGNATURE_KEY_PREFIX))
    .map((key) => key.slice(SIGNATURE_KEY_PREFIX.length));
  this.check(tokensSigned, tokensOf(this), { ids, now: this.now() });
});

Then('no signature of cluster-info is made with a published secret half', READS, async function (this: World) {
  this.check(signatureUnguessed, readPublicSignatures(await clusterInfo(this)));
});

const CERTIFICATES = slot<SharedCertificates>('the certificates that control planes share');

Given('the certificates that control planes share', READS, async function (this: World) {
  await grantReading(this);
  const secret = await this.objects.get<Secret>(resources.secrets, 'kubeadm-certs', KUBE_SYSTEM);
  this.put(CERTIFICATES, readSharedCertificates(secret));
});

Then('they are not kept for longer than the policy lets them', function (this: World) {
  this.check(certificatesGone, this.get(CERTIFICATES), {
    hours: this.profile.parameters.certificatesHours,
    now: this.now(),
  });
});

Then('they are encrypted, and end with a token', function (this: World) {
  this.check(certificatesGuarded, this.get(CERTIFICATES));
});

Then('they are all that a control plane that joins looks for', function (this: World) {
  this.check(certificatesWhole, this.get(CERTIFICATES));
});

Then('no token is left of former uploads', async function (this: World) {
  const tokens = readTokenSecrets(await tokensOfKubeSystem(this));
  this.check(certificatesOwned, { tokens, certificates: this.get(CERTIFICATES) }, { now: this.now() });
});

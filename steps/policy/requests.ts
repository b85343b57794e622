/** Sentences of the policy about certificate requests at rest. */

import { readTokenSecrets } from '../../src/checks/bootstrap-tokens/token-secrets.js';
import { requestsIssued } from '../../src/checks/policy/controllers-at-rest.js';
import { administratorsOf } from '../../src/checks/policy/guarded-rights.js';
import {
  certificatesPowerless,
  certificatesShort,
  certificatesUnreserved,
  controlPlanesAmong,
  requestsDecided,
  requestsDenied,
  requestsForNewNodes,
  requestsKnownSigner,
  requestsNamed,
  requestsOfTokens,
  requestsPerToken,
  requestsPlain,
  requestsStrong,
} from '../../src/checks/policy/request-policy.js';
import { Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { demandSigner } from '../common/csr-requests.js';
import { readPolicy } from '../common/policy.js';
import { tokensOfKubeSystem } from '../common/token-secrets.js';
import { NODES, seenBy } from '../kubelet-certificates/requests-at-rest.js';

Then('no token brings more machines than the policy lets it', function (this: World) {
  this.check(requestsPerToken, seenBy(this), { machines: this.profile.parameters.machinesPerToken });
});

Then('none waits for longer than the policy lets it', function (this: World) {
  this.check(requestsDecided, seenBy(this), { minutes: this.profile.parameters.pendingMinutes, now: this.now() });
});

Given(
  'kube-controller-manager is to sign certificates',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    await demandSigner(this);
  },
);

Then('each that is approved carries a certificate', function (this: World) {
  this.check(requestsIssued, seenBy(this), { now: this.now() });
});

Then('none waits for a decision whose token is gone', async function (this: World) {
  const tokens = readTokenSecrets(await tokensOfKubeSystem(this)).map(({ publicId }) => publicId);
  this.check(requestsOfTokens, seenBy(this), { tokens });
});

Then('each has a strong key and a strong signature', function (this: World) {
  this.check(requestsStrong, seenBy(this), { bits: this.profile.parameters.rsaBits });
});

Then('each of a node has a subject of CN and O alone', function (this: World) {
  this.check(requestsPlain, seenBy(this));
});

Then('none is denied again and again', function (this: World) {
  this.check(requestsDenied, seenBy(this), { most: this.profile.parameters.deniedRequests });
});

Then('each is named as objects are', function (this: World) {
  this.check(requestsNamed, seenBy(this));
});

Then('each names a signer of the policy', function (this: World) {
  this.check(requestsKnownSigner, seenBy(this), { signers: this.profile.parameters.signers });
});

Then('no certificate bears a name that is kept for others', function (this: World) {
  this.check(certificatesUnreserved, seenBy(this));
});

Then('no certificate bears a name of an administrator, a component or a node', async function (this: World) {
  this.check(certificatesPowerless, seenBy(this), { powerful: administratorsOf(await readPolicy(this)) });
});

Then('no token takes the place of a control plane', function (this: World) {
  this.check(requestsForNewNodes, seenBy(this), { controlPlanes: controlPlanesAmong(this.get(NODES)) });
});

Then('no certificate lives for longer than the policy lets it', function (this: World) {
  this.check(certificatesShort, seenBy(this), { days: this.profile.parameters.certificateDays });
});

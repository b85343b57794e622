/** Sentences about what a joining client asks for, how often, and with which key. */

import {
  clientAsksForFew,
  clientAsksForNoMore,
  clientAsksOnce,
  clientComesAsTold,
  clientLeavesCircles,
  clientMakesStrongKeys,
  clientPausesBetweenRequests,
  clientReadsWhatItNeeds,
  clientShowsOneToken,
  clientSpeaksForItself,
  clientTriesAfterAMoment,
  clientWritesWhatItNeeds,
} from '../../src/checks/joining-clients/client-requests.js';
import { nodeUntainted } from '../../src/checks/joining-clients/joined-control-plane.js';
import {
  clientAsksForNoOther,
  clientAsksWhatItsKeyCan,
  clientLeavesItsLife,
  clientPutsItsTokenAway,
  clientRenewsWithItsLatest,
  clientWritesNothingOnIt,
} from '../../src/checks/joining-clients/joining-certificates.js';
import { nodeRegisteredAsItself } from '../../src/checks/joining-clients/joining-kubelets.js';
import { servingAskedFor, servingRenewed, servingWaitedFor } from '../../src/checks/joining-clients/joining-serving.js';
import {
  clientAsksNobodyElse,
  clientAsksNothingUnprotected,
  clientNamesItsServer,
} from '../../src/checks/joining-clients/joining-wire.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { attempts } from './runs.js';

Then('it changes nothing but what is of its own Node', async function (this: World) {
  this.check(clientWritesWhatItNeeds, attempts(this));
});

Then('it reads what joining needs, and nothing else', async function (this: World) {
  this.check(clientReadsWhatItNeeds, attempts(this));
});

Then('it shows the token of TLS bootstrap alone', async function (this: World) {
  this.check(clientShowsOneToken, attempts(this));
});

Then('each certificate is asked for a strong key', async function (this: World) {
  this.check(clientMakesStrongKeys, attempts(this));
});

Then('it makes few requests', async function (this: World) {
  this.check(clientAsksForFew, attempts(this));
});

Then('it lets a second pass between two of them', async function (this: World) {
  this.check(clientPausesBetweenRequests, attempts(this));
});

Then('it comes again after {int} s, as it is told', async function (this: World, seconds: number) {
  this.check(clientComesAsTold, attempts(this), { seconds });
});

Then('it tries again after a moment', async function (this: World) {
  this.check(clientTriesAfterAMoment, attempts(this));
});

Then('it leaves the life of its certificate to the signer', async function (this: World) {
  this.check(clientLeavesItsLife, attempts(this));
});

Then('each certificate is asked for what its key can', async function (this: World) {
  this.check(clientAsksWhatItsKeyCan, attempts(this));
});

Then('it asks for no certificate', async function (this: World) {
  this.check(clientAsksForNoOther, attempts(this));
});

Then('no request speaks for somebody else', async function (this: World) {
  this.check(clientSpeaksForItself, attempts(this));
});

Then('as its Node it asks for a certificate to serve with', async function (this: World) {
  this.check(servingAskedFor, attempts(this));
});

Then('it renews what it serves with before that ends', async function (this: World) {
  this.check(servingRenewed, attempts(this));
});

Then('it stays, and waits for what it is to serve with', async function (this: World) {
  this.check(servingWaitedFor, attempts(this));
});

Then('each certificate is asked for with the one before it', async function (this: World) {
  this.check(clientRenewsWithItsLatest, attempts(this));
});

Then('nothing is asked with the token once there is a certificate', async function (this: World) {
  this.check(clientPutsItsTokenAway, attempts(this));
});

Then('its Node is registered as itself', async function (this: World) {
  this.check(nodeRegisteredAsItself, attempts(this));
});

Then('it tells each server by which name it is asked', async function (this: World) {
  this.check(clientNamesItsServer, attempts(this));
});

Then('it asks nothing over such a connection', async function (this: World) {
  this.check(clientAsksNothingUnprotected, attempts(this));
});

Then('it leaves the circle', async function (this: World) {
  this.check(clientLeavesCircles, attempts(this));
});

Then('its Node is labelled, and gets no taint', async function (this: World) {
  this.check(nodeUntainted, attempts(this));
});

Then('it makes one request', async function (this: World) {
  this.check(clientAsksOnce, attempts(this));
});

Then('it asks for no more certificates than it needs', async function (this: World) {
  this.check(clientAsksForNoMore, attempts(this));
});

Then('nothing is written on its requests', async function (this: World) {
  this.check(clientWritesNothingOnIt, attempts(this));
});

Then('it asks nobody else', async function (this: World) {
  this.check(clientAsksNobodyElse, attempts(this));
});

/** Sentences about a joining client before servers, honest and lying: what it asks, shows, leaves and ends with. */
import { componentsWaitedFor, componentsWell } from '../../src/checks/joining-clients/joined-components.js';
import { nodeMarked, unmarkedRefused } from '../../src/checks/joining-clients/joined-control-plane.js';
import {
  clientLeavesRefused,
  clientLooksAtItsOwn,
  clientNamesApart,
} from '../../src/checks/joining-clients/joining-certificates.js';
import {
  clientAsks,
  clientAsksNamed,
  clientAsksNobody,
  clientDoesNotAsk,
  clientDoesNotTell,
  clientEnds,
  clientFails,
  clientJoins,
  clientKeepsItsKey,
  clientRefuses,
  clientSays,
  clientTells,
  kubeadmAsksNobody,
  kubeadmFails,
  kubeadmJoins,
  kubeadmRefuses,
  quickClientJoins,
} from '../../src/checks/joining-clients/joining-client.js';
import {
  clientBeginsAsNobody,
  clientEndsInTime,
  clientKeepsAsking,
  clientKeepsAskingByFile,
  clientLooks,
  clientLooksFirst,
  clientLooksUnnamed,
  clientReadsNoMore,
  clientShowsToTheRight,
  clientSpeaksTls,
  clientStops,
  fileDownloadedOnce,
  kubeadmEndsInTime,
  kubeadmKeepsAsking,
  kubeadmLooks,
} from '../../src/checks/joining-clients/joining-discovery.js';
import {
  certificateAskedForAgain,
  certificateRenewed,
  certificateRenewedAnew,
  certificateRenewedBeforeItsEnd,
  clientKeepsItsName,
  nodeRegistered,
  nodeRegisteredAfterPauses,
  nodeThereTaken,
  unapprovedUnused,
} from '../../src/checks/joining-clients/joining-kubelets.js';
import {
  clientAsksAsNode,
  clientEndsAtOnce,
  clientEndsItsHealthWait,
  clientEndsItsWait,
  clientFirstAsks,
  clientKeepsItsToken,
  clientOnlyReads,
  clientPauses,
  clientPausesAtRequests,
  clientPausesWhereItLooksAgain,
  clientPausesWhereRefused,
  clientShowsInItsHeader,
  clientWritesItsOwn,
  kubeadmPauses,
} from '../../src/checks/joining-clients/joining-manners.js';
import { column, type DataTable, Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { attempts, grantJoins, honestRuns, lacksFile, possible, RUNS, runBefore, soundServer } from './runs.js';

const CLIENT = { needs: ['client'] } as const;

/** What a client that refuses an honest server refuses besides says nothing: the scenario is not about it. */
async function demandJoins(world: World, server: string): Promise<void> {
  const run = await runBefore(world, soundServer(world, server));
  await grantJoins(world, [run], (why) => world.skip('fact', why));
}

/** Of a kubelet that stands in what is seen is told, and the scenario is not said to have passed. */
Given('a kubelet of the client itself', CLIENT, function (this: World) {
  const why = this.ability('client').program?.standIn;
  if (why !== undefined) this.partly('ability', why);
});

/** What every other sentence takes for granted: a client that joins nobody trusts nobody, either. */
Given('a client that joins {string}', CLIENT, async function (this: World, server: string) {
  await demandJoins(this, server);
});

/** Habits of kubeadm that a policy may not want; the reference has them all. */
Given('a client of habits of its own, which joins {string}', CLIENT, async function (this: World, server: string) {
  const { likeKubeadm } = this.ability('client');
  if (likeKubeadm !== undefined) this.skip('nothing', likeKubeadm);
  await demandJoins(this, server);
});

async function beBefore(world: World, named: readonly string[]): Promise<void> {
  const servers = possible(world, named);
  const trials = await honestRuns(world, servers);
  if (!(await grantJoins(world, trials, (why) => world.partly('fact', why)))) return;
  world.put(RUNS, await forEach(world, servers, (server) => runBefore(world, server)));
}

When('it is before each of these servers:', CLIENT, async function (this: World, table: DataTable) {
  await beBefore(this, column(table));
});

/** And before those that do the same to machines that join in other ways. */
When('it is before each of these servers, in each way:', CLIENT, async function (this: World, table: DataTable) {
  const client = this.ability('client');
  const each = await Promise.all(column(table).map((server) => client.inEachWay(server)));
  await beBefore(this, [...new Set(each.flat())]);
});

Then('it joins each of them', async function (this: World) {
  this.check(clientJoins, attempts(this));
});

Then('a client whose calls are quick joins each of them', async function (this: World) {
  this.check(quickClientJoins, attempts(this));
});

Then('a client that needs what kubeadm needs joins each of them', async function (this: World) {
  this.check(kubeadmJoins, attempts(this));
});

Then('no look at cluster-info tells what the machine is called', async function (this: World) {
  this.check(clientLooksUnnamed, attempts(this));
});

Then('it downloads the discovery file once', async function (this: World) {
  this.check(fileDownloadedOnce, attempts(this));
});

Then('it trusts none of them', async function (this: World) {
  this.check(clientRefuses, attempts(this));
});

Then('a client that speaks like kubeadm trusts none of them', async function (this: World) {
  this.check(kubeadmRefuses, attempts(this));
});

Then('it asks nobody anything', async function (this: World) {
  this.check(clientAsksNobody, attempts(this));
});

Then('a client that checks like kubeadm asks nobody anything', async function (this: World) {
  this.check(kubeadmAsksNobody, attempts(this));
});

Then('it ends with an error before each of them', async function (this: World) {
  this.check(clientEnds, attempts(this));
});

Then('it joins none of them', async function (this: World) {
  this.check(clientFails, attempts(this));
});

Then('a client that needs what kubeadm needs joins none of them', async function (this: World) {
  this.check(kubeadmFails, attempts(this));
});

Then('it keeps asking until its time is over', async function (this: World) {
  this.check(clientKeepsAsking, attempts(this));
});

Then('a client that needs what kubeadm needs keeps asking until its time is over', async function (this: World) {
  this.check(kubeadmKeepsAsking, attempts(this));
});

Then('where it does not go on without it keeps asking until its time is over', async function (this: World) {
  this.check(clientKeepsAskingByFile, attempts(this));
});

Then('a client that needs what kubeadm needs gives up when its time is over', async function (this: World) {
  this.check(kubeadmEndsInTime, attempts(this));
});

Then('it gives up when its time is over', async function (this: World) {
  this.check(clientEndsInTime, attempts(this), { calls: false });
});

Then('it gives up when its time is over, and the call that is under way then', async function (this: World) {
  this.check(clientEndsInTime, attempts(this), { calls: true });
});

Then('its first request is for cluster-info, as nobody', async function (this: World) {
  this.check(clientBeginsAsNobody, attempts(this));
});

Then('it speaks TLS on every connection', async function (this: World) {
  this.check(clientSpeaksTls, attempts(this));
});

Then(/^it looks at cluster-info at once, and (\d) times? in all$/, async function (this: World, times: string) {
  this.check(clientLooks, attempts(this), { times: Number(times) });
});

Then(
  /^a client that does as kubeadm does looks at cluster-info at once, and (\d) times? in all$/,
  async function (this: World, times: string) {
    this.check(kubeadmLooks, attempts(this), { times: Number(times) });
  },
);

Then(
  /^it reads cluster-info (\d) times? at least before it shows a credential$/,
  async function (this: World, times: string) {
    this.check(clientLooksFirst, attempts(this), { times: Number(times) });
  },
);

Then('it takes cluster-info from each of them once at most', async function (this: World) {
  this.check(clientReadsNoMore, attempts(this), { times: 1 });
});

Then('it takes cluster-info from none of them', async function (this: World) {
  this.check(clientReadsNoMore, attempts(this), { times: 0 });
});

Then('it tries no connection that believes their CA', async function (this: World) {
  this.check(clientStops, attempts(this));
});

Then('it shows a credential to the right server only', async function (this: World) {
  this.check(clientShowsToTheRight, attempts(this));
});

Then('it shows its token to the server of the cluster alone', async function (this: World) {
  this.check(clientAsksNamed, attempts(this));
});

Then('a client that speaks like kubeadm says {string}', async function (this: World, words: string) {
  this.check(clientSays, attempts(this), { words });
});

Then('a client that speaks like kubeadm tells {string}', async function (this: World, words: string) {
  this.check(clientTells, attempts(this), { words });
});

Then('a client that speaks like kubeadm does not say {string}', async function (this: World, words: string) {
  this.check(clientDoesNotTell, attempts(this), { words });
});

Then(/^it asks (GET|POST) (\S+) as (its token|nobody)$/, async function (this: World, ...asked: string[]) {
  const [method, path = '', as = ''] = asked;
  if (path.endsWith('/kubelet-config') && lacksFile(this, 'kubelet-configuration')) return;
  this.check(clientAsks, attempts(this), { what: `${method} ${path}`, as });
});

Then(/^it does not ask (GET|POST) (\S+)$/, async function (this: World, method: string, path: string) {
  this.check(clientDoesNotAsk, attempts(this), { what: `${method} ${path}` });
});

Then('each certificate is asked for a key of its own, which is not sent', async function (this: World) {
  this.check(clientKeepsItsKey, attempts(this));
});

Then('it says its token to nobody', async function (this: World) {
  this.check(clientKeepsItsToken, attempts(this));
});

Then('no request holds its token but in its header', async function (this: World) {
  this.check(clientShowsInItsHeader, attempts(this));
});

Then('it waits for its kubelet until its time is over', async function (this: World) {
  this.check(clientEndsItsHealthWait, attempts(this));
});

Then('it writes nothing with its token but its request', async function (this: World) {
  this.check(clientWritesItsOwn, attempts(this));
});

Then('it only reads, and ends well', async function (this: World) {
  this.check(clientOnlyReads, attempts(this));
});

Then('it waits for its certificate until its time is over', async function (this: World) {
  this.check(clientEndsItsWait, attempts(this));
});

Then('it ends with an error at once', async function (this: World) {
  this.check(clientEndsAtOnce, attempts(this));
});

Then('it pauses between its looks', async function (this: World) {
  this.check(clientPauses, attempts(this));
});

Then('where it looks again it pauses', async function (this: World) {
  this.check(clientPausesWhereItLooksAgain, attempts(this));
});

Then('a client that needs what kubeadm needs pauses between its looks', async function (this: World) {
  this.check(kubeadmPauses, attempts(this));
});

Then('each certificate is asked for a node of this name, and for nothing more', async function (this: World) {
  this.check(clientAsksAsNode, attempts(this));
});

Then('it looks at no request but its own', async function (this: World) {
  this.check(clientLooksAtItsOwn, attempts(this));
});

Then('it pauses between its looks at its request', async function (this: World) {
  this.check(clientPausesAtRequests, attempts(this));
});

Then('it pauses before it asks again for what it was refused', async function (this: World) {
  this.check(clientPausesWhereRefused, attempts(this));
});

Then('no two keys are asked for by one name', async function (this: World) {
  this.check(clientNamesApart, attempts(this));
});

Then('it waits for none of them', async function (this: World) {
  this.check(clientLeavesRefused, attempts(this));
});

Then(/^it first asks (GET|POST) (\S+) as (its token|nobody)$/, async function (this: World, ...asked: string[]) {
  const [method, path = '', as = ''] = asked;
  this.check(clientFirstAsks, attempts(this), { what: `${method} ${path}`, as });
});

Then('its Node is marked as that of a control plane', async function (this: World) {
  this.check(nodeMarked, attempts(this));
});

Then('it has heard that what runs on it is well', async function (this: World) {
  this.check(componentsWell, attempts(this));
});

Then('it waits for what runs on it until its time is over', async function (this: World) {
  this.check(componentsWaitedFor, attempts(this));
});

Then('it does not say that it has joined unmarked', async function (this: World) {
  this.check(unmarkedRefused, attempts(this));
});

Then('it asks for one key by one name', async function (this: World) {
  this.check(clientKeepsItsName, attempts(this));
});

Then('its Node is registered', async function (this: World) {
  this.check(nodeRegistered, attempts(this));
});

Then('a moment passes before it registers it once more', async function (this: World) {
  this.check(nodeRegisteredAfterPauses, attempts(this));
});

Then('a Node that is there already is as good as registered', async function (this: World) {
  this.check(nodeThereTaken, attempts(this));
});

Then('each certificate is of another key', async function (this: World) {
  this.check(certificateRenewedAnew, attempts(this));
});

Then('it renews each certificate before that ends', async function (this: World) {
  this.check(certificateRenewedBeforeItsEnd, attempts(this));
});

Then('what nobody has approved is not shown', async function (this: World) {
  this.check(unapprovedUnused, attempts(this));
});

Then('it asks again with its certificate', async function (this: World) {
  this.check(certificateAskedForAgain, attempts(this));
});

Then('it renews each certificate in time', async function (this: World) {
  this.check(certificateRenewed, attempts(this));
});

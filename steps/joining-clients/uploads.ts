/** Sentences about what kubeadm init hands on to those who join: shared certificates, and how to join. */

import { readInCluster } from '../../src/checks/joining-clients/cluster-left-reader.js';
import {
  initFollows,
  initGrants,
  initGrantsNoMore,
  initMakesToken,
  initMarks,
  initPublishes,
  initPublishesNoMore,
  initWritesDown,
} from '../../src/checks/joining-clients/init-makes.js';
import { type InitMade, readInit } from '../../src/checks/joining-clients/init-makes-reader.js';
import {
  initSaysPins,
  uploadedGoes,
  uploadedInOrder,
  uploadedIsClosed,
  uploadedIsControlled,
  uploadedIsEmpty,
  uploadedIsGranted,
  uploadedIsOwned,
  uploadedIsWhole,
  uploadedNames,
  uploadedOpens,
  uploadFails,
  uploadKeepsKey,
  uploadLeaksNoKey,
  uploadMakesKeys,
  uploadMakesToken,
  uploadSaysKey,
  uploads,
  uploadsNothing,
  uploadTokenIsOfNoUse,
} from '../../src/checks/joining-clients/uploaded.js';
import { readUpload, type Uploaded } from '../../src/checks/joining-clients/uploaded-reader.js';
import { leaves, type Wanted } from '../../src/checks/preflight/init-files.js';
import { GROUP_DEFAULT_NODE_TOKEN } from '../../src/kubernetes/names.js';
import { remembered } from '../../src/kubernetes/remembered.js';
import type { UploadRun } from '../../src/kubernetes/upload-run.js';
import { column, type DataTable, Given, Then, When } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { filledDown } from '../common/tables.js';

const NEEDS = { needs: ['uploads'] } as const;
const INITS = slot<readonly InitMade[]>('what inits have left');
const UPLOADS = slot<readonly Uploaded[]>('uploads of shared certificates');

/** Ends the scenario as error where there are no such circumstances: a mistake of the feature. */
function runIn(world: World, circumstance: string): Promise<UploadRun> {
  const ability = world.ability('uploads');
  return world.shared(`an upload, ${circumstance}`, async () => {
    const run = await ability.upload(circumstance);
    return run ?? world.unknown(`there is no upload "${circumstance}"`);
  });
}

const readOnce = remembered(readUpload);
const uploadIn = async (world: World, circumstance: string): Promise<Uploaded> =>
  readOnce(await runIn(world, circumstance));

/** Who uploads nothing at all keeps every secret. */
Given('a kubeadm that uploads shared certificates', NEEDS, async function (this: World) {
  this.grant(uploads, [await uploadIn(this, 'a key told')]);
});

When('it uploads them, as it is told:', NEEDS, async function (this: World, table: DataTable) {
  const names = column(table);
  this.put(UPLOADS, await forEach(this, names, (name) => uploadIn(this, name)));
});

Then('they are in the cluster', async function (this: World) {
  this.check(uploads, this.get(UPLOADS));
});

Then('nothing is uploaded', async function (this: World) {
  this.check(uploadsNothing, this.get(UPLOADS));
});

Then('it fails and leaves nothing', async function (this: World) {
  this.check(uploadFails, this.get(UPLOADS), { clean: true });
});

Then('it fails and leaves no certificates', async function (this: World) {
  this.check(uploadFails, this.get(UPLOADS), { clean: false });
});

Then('its key opens each of them', async function (this: World) {
  this.check(uploadedOpens, this.get(UPLOADS));
});

Then('it makes another key each time', async function (this: World) {
  this.check(uploadMakesKeys, this.get(UPLOADS));
});

Then('it says its key', async function (this: World) {
  this.check(uploadSaysKey, this.get(UPLOADS));
});

Then('it says no key', async function (this: World) {
  this.check(uploadKeepsKey, this.get(UPLOADS));
});

Then('they are in the one Secret of their name', async function (this: World) {
  this.check(uploadedNames, this.get(UPLOADS));
});

Then('it makes a token of two hours', async function (this: World) {
  this.check(uploadMakesToken, this.get(UPLOADS));
});

Then('nobody joins with that token', async function (this: World) {
  this.check(uploadTokenIsOfNoUse, this.get(UPLOADS));
});

Then('that token owns the Secret', async function (this: World) {
  this.check(uploadedIsOwned, this.get(UPLOADS));
});

Then('that token is its controller', async function (this: World) {
  this.check(uploadedIsControlled, this.get(UPLOADS));
});

Then('the Secret goes with its owner', async function (this: World) {
  this.check(uploadedGoes, this.get(UPLOADS));
});

Then('it makes everything in its order', async function (this: World) {
  this.check(uploadedInOrder, this.get(UPLOADS));
});

Then('nobody reads them without the key', async function (this: World) {
  this.check(uploadedIsClosed, this.get(UPLOADS));
});

Then('each of its files has an entry', async function (this: World) {
  this.check(uploadedIsWhole, this.get(UPLOADS));
});

Then('what is not there has an empty entry', async function (this: World) {
  this.check(uploadedIsEmpty, this.get(UPLOADS));
});

Then('those who join may read them, and nothing else', async function (this: World) {
  this.check(uploadedIsGranted, this.get(UPLOADS), { group: GROUP_DEFAULT_NODE_TOKEN });
});

Then('the cluster does not hold its key', async function (this: World) {
  this.check(uploadLeaksNoKey, this.get(UPLOADS));
});

When('it sets up a cluster', NEEDS, async function (this: World) {
  const made = readInit(await runIn(this, 'a whole init'));
  this.put(INITS, made === undefined ? [] : [made]);
});

When('it sets up a cluster and is told of its token, its Node and its networks', NEEDS, async function (this: World) {
  const made = readInit(await runIn(this, 'a whole init that is told more'));
  this.put(INITS, made === undefined ? [] : [made]);
});

Then('what it is told is in its cluster', async function (this: World) {
  this.check(initFollows, this.get(INITS));
});

/** Each object is read once. */
async function leftIn(world: World, circumstance: string, table: DataTable): Promise<readonly Wanted[]> {
  const run = await runIn(world, circumstance);
  return forEach(world, filledDown(table.raw(), 1), async ([name = '', what = '']) => {
    const left = await world.shared(`${name} after an upload, ${circumstance}`, async () => readInCluster(run, name));
    return { left, what };
  });
}

Then(
  /^(a whole init|a whole init that is told more) leaves in its cluster:$/,
  NEEDS,
  async function (this: World, circumstance: string, table: DataTable) {
    this.check(leaves, await leftIn(this, circumstance, table));
  },
);

Then('those who join have the rights that they need', async function (this: World) {
  this.check(initGrants, this.get(INITS));
});

Then('nobody is given more than that', async function (this: World) {
  this.check(initGrantsNoMore, this.get(INITS));
});

Then('cluster-info says where the cluster is, and by which authority', async function (this: World) {
  this.check(initPublishes, this.get(INITS));
});

Then('what everybody reads holds no secret', async function (this: World) {
  this.check(initPublishesNoMore, this.get(INITS));
});

Then('its token is good for joining, for a day', async function (this: World) {
  this.check(initMakesToken, this.get(INITS));
});

Then('it writes down what those who join read', async function (this: World) {
  this.check(initWritesDown, this.get(INITS));
});

Then('its own Node is marked as that of a control plane', async function (this: World) {
  this.check(initMarks, this.get(INITS));
});

Then("init's commands to join pin the CA of the cluster", async function (this: World) {
  this.check(initSaysPins, this.get(UPLOADS));
});

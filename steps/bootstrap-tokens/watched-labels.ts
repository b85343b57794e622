/** Sentences about who watches by a label, and what gets it or loses it. */

import {
  readBeginning,
  readWatched,
  watchBegins,
  watchTellsVersion,
} from '../../src/checks/bootstrap-tokens/watches.js';
import { KUBE_PUBLIC } from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { DEFAULT, ownSecret, SECRETS } from '../common/secrets.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
const LABEL = 'joinproof.invalid/watched';

/** The versions of a Secret, by after what. */
interface Labelled {
  readonly mark: string;
  readonly versions: Readonly<Record<string, string>>;
}
const LABELLED = slot<Labelled>('a Secret that has lost its label, got it again, and was changed to what it is');

async function versionOf(world: World, name: string): Promise<string> {
  const stored = await world.objects.get<Secret>(resources.secrets, name, DEFAULT);
  return stored?.metadata.resourceVersion ?? world.unknown('a Secret has no version');
}

Given(
  'a Secret that has lost its label, got it again, and was then changed to what it is',
  WRITES,
  async function (this: World) {
    const [mark, name] = [`jp-${this.random(10)}`, `jp-${this.random(10)}`];
    await this.writes.create<Secret>(resources.secrets, ownSecret(name, { labels: { [LABEL]: mark } }));
    const versions: Record<string, string> = { 'its creation': await versionOf(this, name) };
    for (const [after, change] of [
      ['the loss', { metadata: { labels: { [LABEL]: null } } }],
      ['its return', { metadata: { labels: { [LABEL]: mark } } }],
      ['no change', { metadata: { labels: { [LABEL]: mark } } }],
    ] as const) {
      await this.writes.patch(resources.secrets, name, DEFAULT, change);
      versions[after] = await versionOf(this, name);
    }
    this.put(LABELLED, { mark, versions });
  },
);

Given('a Secret that has lost its label, and was then deleted', WRITES, async function (this: World) {
  const [mark, name] = [`jp-${this.random(10)}`, `jp-${this.random(10)}`];
  await this.writes.create<Secret>(resources.secrets, ownSecret(name, { labels: { [LABEL]: mark } }));
  const made = await versionOf(this, name);
  await this.writes.patch(resources.secrets, name, DEFAULT, { metadata: { labels: { [LABEL]: null } } });
  const lost = await versionOf(this, name);
  await this.writes.delete(resources.secrets, name, DEFAULT);
  this.put(LABELLED, { mark, versions: { 'its creation': made, 'the loss': lost } });
});

/** Both begin with what is there. */
const NO_VERSIONS: Readonly<Record<string, string>> = { 'no version': '', 'any version': '0' };

Then('a watch by that label begins with:', WRITES, async function (this: World, table: DataTable) {
  const { mark, versions } = this.get(LABELLED);
  const seen = [];
  for (const { from = '', what = '', of = '' } of table.hashes()) {
    const resourceVersion =
      NO_VERSIONS[from] ?? versions[from.replace(/ on$/, '')] ?? this.unknown(`the steps know no version of ${from}`);
    const query = { watch: 'true', resourceVersion, labelSelector: `${LABEL}=${mark}`, timeoutSeconds: '1' };
    const asked = this.admin.ask({ path: SECRETS, query });
    const answer = await (what === 'nothing' ? this.lasting(1_000, asked) : asked);
    const wantedVersion = of === '' ? undefined : (versions[of] ?? this.unknown(`the steps know no version of ${of}`));
    seen.push(readWatched({ subject: `a watch by a label from ${from}`, wanted: what, wantedVersion }, answer));
  }
  this.check(watchBegins, seen);
  this.check(watchTellsVersion, seen);
});

/** By where a watch looks, as the features call it. */
const PLACES: Readonly<Record<string, string | undefined>> = {
  'all namespaces': undefined,
  'another namespace': KUBE_PUBLIC,
};

Then(
  'a watch by that label, from its creation on, begins with:',
  WRITES,
  async function (this: World, table: DataTable) {
    const { mark, versions } = this.get(LABELLED);
    const resourceVersion = versions['its creation'] ?? this.unknown('a Secret has no version');
    const query = { watch: 'true', resourceVersion, labelSelector: `${LABEL}=${mark}`, timeoutSeconds: '1' };
    const seen = [];
    for (const { in: place = '', what = '' } of table.hashes()) {
      if (!Object.hasOwn(PLACES, place)) this.unknown(`the steps know no place that is "${place}"`);
      const namespace = PLACES[place];
      const path = pathOf(resources.secrets, namespace === undefined ? {} : { namespace });
      const asked = this.admin.ask({ path, query });
      const answer = await (what === 'nothing' ? this.lasting(1_000, asked) : asked);
      seen.push(readWatched({ subject: `a watch by a label in ${place}`, wanted: what }, answer));
    }
    this.check(watchBegins, seen);
  },
);

/** Seconds: long enough for a cluster to know that it has told everything. */
const BEGINNING = 3;

/** Nothing has the label: only the first event of a watch is read. */
Then('a watch that begins with nothing says where that ends', { needs: ['requests'] }, async function (this: World) {
  const query = {
    watch: 'true',
    labelSelector: `${LABEL}=jp-${this.random(10)}`,
    sendInitialEvents: 'true',
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: 'true',
    timeoutSeconds: String(BEGINNING),
  };
  const answer = await this.admin.ask({ path: SECRETS, query });
  const what = { subject: 'a watch that is to begin with what is there', wanted: 'the end of what is there' };
  this.check(watchBegins, [readBeginning(what, answer)]);
});

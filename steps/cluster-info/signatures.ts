/**
 * Sentences about signatures of cluster-info. What must not be signed for is made first; once a good token made later
 * is, the signer has seen it.
 */
import { eachTokenHasSignature, signatureSubject, signedFor } from '../../src/checks/cluster-info/jws.js';
import { readSignatureFor, type Signatures } from '../../src/checks/cluster-info/jws-reader.js';
import { isAbsent, type Presence } from '../../src/checks/common/presence.js';
import { record } from '../../src/kubernetes/json.js';
import {
  CLUSTER_INFO,
  KUBE_PUBLIC,
  SIGNATURE_KEY_PREFIX,
  TOKEN_KEYS,
  USAGE_SIGNING,
} from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { isSilent, soonBy } from '../common/silence.js';
import { soon } from '../common/soon.js';
import { type Alterations, alterationsIn, patientText, rowsOfAlterations, valueIn } from '../common/tables.js';
import { changeToken, demandInTime, type Made, makeToken, named, TOKEN, TOKENS } from '../common/tokens.js';
import { IN_TIME } from '../common/waiting.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
/** A signer is waited for. */
const SIGNS = { needs: ['writes', 'requests', 'controllers'] } as const;

const SIGNER = 'the bootstrap signer';
/** It has signed for the token, be it well or not. */
const SIGNING = {
  controller: SIGNER,
  acted: ({ signatures }: Signatures): boolean => signatures.length > 0,
  within: IN_TIME,
};

export const keyOf = ({ id }: Pick<Made, 'id'>): string => SIGNATURE_KEY_PREFIX + id;

/** cluster-info as it is now; a cluster without it has nothing to judge. */
export async function clusterInfo(world: World): Promise<ConfigMap> {
  const found = await world.atRest(`cluster-info of ${world.target.name}`, () =>
    world.objects.get<ConfigMap>(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC),
  );
  return found === undefined
    ? world.skip('nothing', 'kube-public has no ConfigMap cluster-info')
    : named(world, found, CLUSTER_INFO);
}

export const signingToken = (world: World, label: string, alterations: Alterations = {}): Promise<Made> =>
  makeToken(world, label, { [USAGE_SIGNING]: 'true', ...alterations });

const signatureOf = async (world: World, made: Made): Promise<Signatures> =>
  readSignatureFor(await clusterInfo(world), made);

/** The signature of a token, for the check `signedFor`: a good one, or what there is when the time is over. */
export const signedSoon = (world: World, made: Made): Promise<Signatures> =>
  soonBy(world, { ...SIGNING, check: signedFor }, () => signatureOf(world, made));

Given('a signing bootstrap token', WRITES, async function (this: World) {
  this.put(TOKEN, await signingToken(this, ''));
});

/** The version of cluster-info before the token was made: from there on every value under its key can be seen. */
const BEFORE = slot<string>('the version of cluster-info before the token was made');

Given('a signing bootstrap token, made when cluster-info was known', WRITES, async function (this: World) {
  this.put(BEFORE, (await clusterInfo(this)).metadata.resourceVersion ?? '');
  this.put(TOKEN, await signingToken(this, ''));
});

Given('a signing bootstrap token with:', WRITES, async function (this: World, table: DataTable) {
  const label = table.raw().map((row) => row.join(' '));
  this.put(TOKEN, await signingToken(this, label.join(', '), alterationsIn(this, table)));
});

Given('a bootstrap token that is signed for', SIGNS, async function (this: World) {
  this.grant(signedFor, await signedSoon(this, this.put(TOKEN, await signingToken(this, ''))));
});

Given(
  'a bootstrap token that expires in {int} seconds and is signed for',
  SIGNS,
  async function (this: World, seconds: number) {
    const life = patientText(this, `in ${seconds} seconds`);
    const expiration = valueIn(life, this.now());
    const label = `expires ${life}`;
    const made = this.put(TOKEN, await signingToken(this, label, { [TOKEN_KEYS.expiration]: expiration }));
    const signatures = await signedSoon(this, made);
    // a longer life gives time to a signer that is slow, not to one that never signs
    if (!(this.grant(signedFor, signatures) || (await isSilent(this, SIGNER)))) demandInTime(this, made);
  },
);

Given('a good signing token, and one for each of these lines:', WRITES, async function (this: World, table: DataTable) {
  const rows = rowsOfAlterations(this, table);
  this.put(TOKENS, await forEach(this, rows, ({ label, alterations }) => signingToken(this, label, alterations)));
  this.put(TOKEN, await signingToken(this, 'the good one'));
});

/** Whether cluster-info has these keys. */
export async function keysThere(world: World, keys: readonly string[], of = ''): Promise<Presence[]> {
  const data = (await clusterInfo(world)).data ?? {};
  return keys.map((key) => ({ subject: `${signatureSubject(key)}${of}`, there: key in data }));
}

/** Whether cluster-info has keys for a token: for its own id, and for those that its Secret may be mistaken for. */
const keysFor = (world: World, { id, tokens, label }: Made): Promise<Presence[]> => {
  const ids = new Set([id, ...tokens.map((token) => token.slice(0, token.indexOf('.')))]);
  return keysThere(
    world,
    [...ids].map((one) => keyOf({ id: one })),
    `, for ${label}`,
  );
};

Then('the good one is signed for and the others are not', SIGNS, async function (this: World) {
  this.grant(signedFor, await signedSoon(this, this.get(TOKEN)));
  const keys = await forEach(this, this.get(TOKENS), (made) => keysFor(this, made));
  this.check(isAbsent, keys.flat(), { demanded: 'is not there' });
});

Then('each of them is soon signed for', SIGNS, async function (this: World) {
  for (const made of this.get(TOKENS)) this.check(signedFor, await signedSoon(this, made));
});

Then('cluster-info soon holds a signature that it verifies', SIGNS, async function (this: World) {
  this.check(signedFor, await signedSoon(this, this.get(TOKEN)));
});

/**
 * cluster-info as it was when it first had the key, by a watch that begins at an older version: every change since is
 * told. undefined where the server does not remember, or tells something else.
 */
async function firstWith(world: World, key: string, since: string): Promise<ConfigMap | undefined> {
  const path = pathOf(resources.configMaps, { namespace: KUBE_PUBLIC });
  for (let version = since; version !== ''; ) {
    const query = {
      watch: '1',
      timeoutSeconds: '5',
      fieldSelector: `metadata.name=${CLUSTER_INFO}`,
      resourceVersion: version,
    };
    const event = record((await world.admin.ask({ path, query })).body);
    const map = event.object as ConfigMap | undefined;
    if (event.type === 'ERROR' || map?.metadata?.name !== CLUSTER_INFO) return undefined;
    if (map.data?.[key] !== undefined) return map;
    version = map.metadata.resourceVersion ?? '';
  }
  return undefined;
}

Then('the first thing that cluster-info holds for it is a good signature', SIGNS, async function (this: World) {
  const made = this.get(TOKEN);
  const awaited = { ...SIGNING, check: eachTokenHasSignature, every: 50 };
  const seen = await soonBy(this, awaited, () => signatureOf(this, made));
  const first = seen.signatures.length === 0 ? undefined : await firstWith(this, keyOf(made), this.get(BEFORE));
  this.check(signedFor, first === undefined ? seen : await readSignatureFor(first, made));
});

Then('cluster-info holds nothing for it', async function (this: World) {
  this.check(isAbsent, await keysFor(this, this.get(TOKEN)), { demanded: 'is not there' });
});

Then('its signature soon disappears', SIGNS, async function (this: World) {
  const parameters = { demanded: 'is soon removed' };
  const awaited = { check: isAbsent, within: IN_TIME, parameters };
  this.check(isAbsent, await soon(this, awaited, () => keysFor(this, this.get(TOKEN))), parameters);
});

/** A token beside the one that a scenario is about. */
const NEIGHBOUR = slot<Made>('another signing token');
/** When it was made, by the clock of the cluster: all signatures have been made anew since. */
export const SIGNED_ANEW = slot<number>('the time of another signing');

When('another signing token is made and signed for', SIGNS, async function (this: World) {
  this.put(SIGNED_ANEW, this.now());
  this.grant(signedFor, await signedSoon(this, this.put(NEIGHBOUR, await signingToken(this, 'another'))));
});

/** Whatever it is made of: a signer that changes the text is seen by that. */
When('another signing token is made and has a signature', SIGNS, async function (this: World) {
  const made = await signingToken(this, 'another');
  const seen = await soonBy(this, { ...SIGNING, check: eachTokenHasSignature }, () => signatureOf(this, made));
  this.grant(eachTokenHasSignature, seen);
});

Then('the other one is signed for as before', SIGNS, async function (this: World) {
  this.check(signedFor, await signedSoon(this, this.get(NEIGHBOUR)));
});

When('the value of {string} in its Secret is now {}', WRITES, async function (this: World, key: string, value: string) {
  await changeToken(this, this.get(TOKEN), { [key]: valueIn(value, this.now()) });
});

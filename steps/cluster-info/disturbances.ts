/** Sentences about ConfigMaps that nobody signs, and about cluster-info when somebody meddles with it. */
import { holdsNoSignature, keepsText } from '../../src/checks/cluster-info/cluster-info.js';
import { readClusterInfo, textDigest } from '../../src/checks/cluster-info/cluster-info-reader.js';
import { mapUnsigned, signedFor } from '../../src/checks/cluster-info/jws.js';
import { type Signatures, signatureKeysIn } from '../../src/checks/cluster-info/jws-reader.js';
import { isAbsent, isLeftAlone } from '../../src/checks/common/presence.js';
import { base64 } from '../../src/kubernetes/json.js';
import {
  CLUSTER_INFO,
  CLUSTER_INFO_KUBECONFIG,
  KUBE_PUBLIC,
  SIGNATURE_KEY_PREFIX,
} from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { DECOY_KUBECONFIG } from '../../src/kubernetes/own-objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { UnexpectedAnswer } from '../../src/targets/errors.js';
import { forEach } from '../common/each.js';
import { soon } from '../common/soon.js';
import { valueIn } from '../common/tables.js';
import { TOKEN } from '../common/tokens.js';
import { IN_TIME } from '../common/waiting.js';
import { signaturesNow } from './each-signature.js';
import { clusterInfo, keyOf, keysThere, signedSoon, signingToken } from './signatures.js';

interface Decoy {
  readonly namespace: string;
  readonly name: string;
}
/** As it was when the scenario began. */
interface PlacedDecoy extends Decoy {
  /** Somebody has one of that name: a run beside this one, which removes its own, or whoever has copied cluster-info. */
  readonly isOthers: boolean;
  readonly signatures: readonly string[];
}

const DECOYS = slot<readonly PlacedDecoy[]>('another ConfigMap with a kubeconfig');

async function placed(world: World, { name, namespace }: Decoy): Promise<PlacedDecoy> {
  try {
    await world.writes.create<ConfigMap>(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data: { [CLUSTER_INFO_KUBECONFIG]: DECOY_KUBECONFIG },
    });
    return { name, namespace, isOthers: false, signatures: [] };
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer) || error.code !== 409) throw error;
    const found = await world.objects.get<ConfigMap>(resources.configMaps, name, namespace);
    return { name, namespace, isOthers: true, signatures: found === undefined ? [] : signatureKeysIn(found) };
  }
}

Given('other ConfigMaps with a kubeconfig:', { needs: ['writes'] }, async function (this: World, table: DataTable) {
  const decoys = table.hashes().map(({ name = '', namespace = '' }) => ({
    name: name === CLUSTER_INFO ? name : `${name}-${this.random(8)}`,
    namespace,
  }));
  this.put(DECOYS, await forEach(this, decoys, (decoy) => placed(this, decoy)));
});

Then('none of the other ConfigMaps is signed', async function (this: World) {
  const seen = await forEach(this, this.get(DECOYS), async ({ namespace, name, isOthers, signatures }) => {
    const found = await this.objects.get<ConfigMap>(resources.configMaps, name, namespace);
    const subject = `ConfigMap ${namespace}/${name}`;
    if (found === undefined && isOthers) this.trouble(`${subject} is gone; it was made by somebody else`);
    const now = found === undefined ? [] : signatureKeysIn(found);
    return { subject, there: found !== undefined, signatures: now.filter((key) => !signatures.includes(key)) };
  });
  this.check(mapUnsigned, seen);
});

/** What whoever reads, normalizes or trims a text would lose of it: a mark before it, letters made of two, blanks. */
const MARK = '\ufeff';
const LETTERS = '\u00e9e\u0301\u{1f511}';
/** What scenarios of ours put around a kubeconfig, one after another. */
const WRITTEN = /^\ufeff# changed by joinproof [a-z0-9]+: \u00e9e\u0301\u{1f511}\t \r\n([\s\S]*)\n$/u;

/** The kubeconfig as it was before any of them: what one puts back does not depend on who came before it. */
function unwritten(text: string): string {
  const within = WRITTEN.exec(text)?.[1];
  return within === undefined ? text : unwritten(within);
}

const kubeconfigOf = async (world: World): Promise<string> =>
  unwritten((await clusterInfo(world)).data?.[CLUSTER_INFO_KUBECONFIG] ?? '');

/** The kubeconfig as the scenario found it, or wrote it. */
const TEXT = slot<string>('a kubeconfig of cluster-info');

/**
 * Only of a cluster that is a variant of ours, and one scenario at a time: whoever else looks at cluster-info there
 * would see it.
 */
const DISTURBS = { needs: ['variants', 'controllers'], waits: true, exclusive: 'cluster-info' } as const;

type Values = Readonly<Record<string, string | null>>;
const patchData = async (world: World, data: Values, more: object = {}): Promise<void> => {
  await world.writes.patch(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC, { data, ...more });
};

When(
  'the kubeconfig of cluster-info is written anew, with a comment and a blank line',
  DISTURBS,
  async function (this: World) {
    const text = this.put(
      TEXT,
      `${MARK}# changed by joinproof ${this.random(8)}: ${LETTERS}\t \r\n${await kubeconfigOf(this)}\n`,
    );
    await patchData(this, { [CLUSTER_INFO_KUBECONFIG]: text });
  },
);

/** What the signer made of texts that were there for a while. */
const MEANWHILE = slot<readonly Signatures[]>('signatures of texts that were there for a while');

When(
  'the kubeconfig of cluster-info is written anew twice, with as many letters, and then as it was',
  DISTURBS,
  async function (this: World) {
    const base = await kubeconfigOf(this);
    const texts = [1, 2].map(() => `# changed by joinproof ${this.random(8)}\n${base}`);
    const seen: Signatures[] = [];
    for (const text of texts) {
      await patchData(this, { [CLUSTER_INFO_KUBECONFIG]: text });
      seen.push(await signedSoon(this, this.get(TOKEN)));
    }
    await patchData(this, { [CLUSTER_INFO_KUBECONFIG]: base });
    this.put(MEANWHILE, seen);
  },
);

Then('its signature verified over each of the texts', function (this: World) {
  for (const signatures of this.get(MEANWHILE)) this.check(signedFor, signatures);
});

Then('every signature soon verifies over the new text', async function (this: World) {
  this.check(signedFor, await signedSoon(this, this.get(TOKEN)));
  this.check(signedFor, await signaturesNow(this));
});

Given('the text of the kubeconfig in cluster-info', { needs: ['writes'] }, async function (this: World) {
  this.put(TEXT, (await clusterInfo(this)).data?.[CLUSTER_INFO_KUBECONFIG] ?? '');
});

Then(/^the kubeconfig is byte for byte what (?:was written|it was)$/, async function (this: World) {
  const before = textDigest({ data: { [CLUSTER_INFO_KUBECONFIG]: this.get(TEXT) } });
  const after = textDigest(await clusterInfo(this));
  this.check(keepsText, { before, after }, { demanded: 'keeps the kubeconfig byte for byte while it is signed' });
});

/** Keys of cluster-info that belong to nobody. */
const FOREIGN = slot<readonly string[]>('keys that somebody has put into cluster-info');

When(
  'signatures of nobody are put into cluster-info, under keys that end with:',
  DISTURBS,
  async function (this: World, table: DataTable) {
    const keys = table.raw().map(([end = '']) => keyOf({ id: valueIn(end, this.now()) ?? '' }));
    const filled = this.put(
      FOREIGN,
      keys.map((key) => key.replace('<id>', this.random(6))),
    );
    await patchData(this, Object.fromEntries(filled.map((key) => [key, 'x'])));
  },
);

Then('none of them stays there', async function (this: World) {
  const parameters = { demanded: 'is soon removed' };
  const look = () => keysThere(this, this.get(FOREIGN));
  this.check(isAbsent, await soon(this, { check: isAbsent, within: IN_TIME, parameters }, look), parameters);
});

/** What becomes of a signature; null: its key is taken away. */
const MEDDLING: Readonly<Record<string, string | null>> = { overwritten: 'x..y', emptied: '', removed: null };

When('its signature is {word}', DISTURBS, async function (this: World, how: string) {
  const value = MEDDLING[how];
  if (value === undefined) return this.unknown(`the steps know no meddling "${how}"`);
  await patchData(this, { [keyOf(this.get(TOKEN))]: value });
});

/** Keys of the signatures that are there when the kubeconfig is taken out. */
const SIGNED = slot<readonly string[]>('signatures of a kubeconfig that was taken out');

When('the kubeconfig is taken out of cluster-info', DISTURBS, async function (this: World) {
  this.put(TEXT, await kubeconfigOf(this));
  const { data = {} } = await clusterInfo(this);
  this.put(
    SIGNED,
    Object.keys(data).filter((key) => key.startsWith(SIGNATURE_KEY_PREFIX)),
  );
  await patchData(this, { [CLUSTER_INFO_KUBECONFIG]: null });
});

Then('what was signed of it is there as before', DISTURBS, async function (this: World) {
  this.check(isLeftAlone, await keysThere(this, this.get(SIGNED)), { demanded: 'is left as it was' });
});

When(
  'a signing bootstrap token is made while the kubeconfig of cluster-info is empty',
  DISTURBS,
  async function (this: World) {
    const text = await kubeconfigOf(this);
    await patchData(this, { [CLUSTER_INFO_KUBECONFIG]: '' });
    this.put(MEANWHILE, [await signedSoon(this, await signingToken(this, 'made meanwhile'))]);
    await patchData(this, { [CLUSTER_INFO_KUBECONFIG]: text });
  },
);

When('the kubeconfig is put back', DISTURBS, async function (this: World) {
  await patchData(this, { [CLUSTER_INFO_KUBECONFIG]: this.get(TEXT) });
});

Then('cluster-info holds the kubeconfig and no signature', { needs: ['kubeadm'] }, async function (this: World) {
  this.check(holdsNoSignature, readClusterInfo(await clusterInfo(this)));
});

/** What somebody keeps in cluster-info beside the kubeconfig. */
const NOTES = {
  'jp-note': 'kept by joinproof',
  'jws-note': 'no signature',
  'jws-kubeconfig': 'no signature, either',
  kubeconfig2: DECOY_KUBECONFIG,
} as const;
const BYTES = { 'jp-bytes': base64('kept by joinproof') } as const;
/** Labels and annotations. */
const MARKS = { 'joinproof.io/kept': 'by-joinproof' } as const;

When('something else is put into cluster-info', DISTURBS, async function (this: World) {
  await patchData(this, NOTES, { binaryData: BYTES, metadata: { labels: MARKS, annotations: MARKS } });
});

const taken = (values: object): Values => Object.fromEntries(Object.keys(values).map((key) => [key, null]));

Then('it stands there as it was put', async function (this: World) {
  const { data = {}, binaryData = {}, metadata } = await clusterInfo(this);
  const { labels = {}, annotations = {} } = metadata;
  const parts: readonly (readonly [what: string, put: Values, held: Values])[] = [
    ['', { ...NOTES, ...BYTES }, { ...binaryData, ...data }],
    ['the label ', MARKS, labels],
    ['the annotation ', MARKS, annotations],
  ];
  const kept = parts.flatMap(([what, put, held]) =>
    Object.entries(put).map(([key, value]) => ({
      subject: `cluster-info, ${what}${key}`,
      there: held[key] === value,
    })),
  );
  const bare = taken(MARKS);
  await patchData(this, taken(NOTES), { binaryData: taken(BYTES), metadata: { labels: bare, annotations: bare } });
  this.check(isLeftAlone, kept, { demanded: 'stands there as it was put' });
});

/** Sentences about the signatures of cluster-info. What must not be signed for is made first; once a good token made later is, the signer has seen it. */

import {
  judgeAlgorithm,
  judgeHeaderBytes,
  judgeIngredient,
  judgeKeyId,
  judgeLength,
  judgeOrdinaryPayload,
  judgeShape,
  judgeSignatureFor,
  type KnownToken,
  type Signature,
  signaturesOf,
  verifies,
} from '../../src/checks/jws.js';
import { decoded, mustBeSignedFor } from '../../src/checks/token-secrets.js';
import {
  CLUSTER_INFO,
  CLUSTER_INFO_KUBECONFIG,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  SIGNATURE_KEY_PREFIX,
  TOKEN_KEYS,
  TOKEN_SECRET_PREFIX,
  USAGE_SIGNING,
} from '../../src/kubernetes/names.js';
import type { ConfigMap, Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type Evidence, judgeEach } from '../../src/model/evidence.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { tokenSecrets } from '../bootstrap-tokens/token-secrets.js';
import { forEach } from '../common/each.js';
import { rowsOfAlterations, valueIn } from '../common/tables.js';
import { type Made, makeToken, named, OTHER_TOKEN, TOKEN, TOKENS } from '../common/tokens.js';
import { IN_TIME, SOON } from '../common/waiting.js';

export const CLUSTER_INFO_OBJECT = `ConfigMap ${KUBE_PUBLIC}/${CLUSTER_INFO}`;
export const it = (world: World): Made => world.get(TOKEN);
export const keyOf = (made: Pick<Made, 'id'>): string => SIGNATURE_KEY_PREFIX + made.id;

/** cluster-info as it is now; a cluster without it has nothing to judge. */
export async function clusterInfo(world: World): Promise<ConfigMap> {
  const found = await world.objects.get<ConfigMap>(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC);
  return found === undefined
    ? world.skip('nothing', 'kube-public has no ConfigMap cluster-info')
    : named(world, found, CLUSTER_INFO);
}

export const signingToken = (
  world: World,
  label: string,
  alterations: Readonly<Record<string, string | undefined>> = {},
): Promise<Made> => makeToken(world, label, { [USAGE_SIGNING]: 'true', ...alterations });

/** The evidence of a good signature, or of its lack when the time is over. */
export async function signedSoon(world: World, made: Made): Promise<Evidence> {
  let last: Evidence | undefined;
  await world.eventually(IN_TIME, async () => {
    last = await judgeSignatureFor(await clusterInfo(world), made);
    return last.ok ? true : undefined;
  });
  return last ?? world.unknown('cluster-info was not looked at');
}

Given('a signing bootstrap token', async function (this: World) {
  this.put(TOKEN, await signingToken(this, ''));
});

Given('a signing bootstrap token with:', async function (this: World, table: DataTable) {
  const now = this.now();
  const rows = table.raw().map(([key = '', value = '']) => [key, valueIn(value, now)] as const);
  this.put(
    TOKEN,
    await signingToken(
      this,
      table
        .raw()
        .map((row) => row.join(' '))
        .join(', '),
      Object.fromEntries(rows),
    ),
  );
});

Given('a bootstrap token that is signed for', async function (this: World) {
  this.control(await signedSoon(this, this.put(TOKEN, await signingToken(this, ''))));
});

Given(
  'a bootstrap token that expires in {int} seconds and is signed for',
  async function (this: World, seconds: number) {
    const expiration = valueIn(`in ${seconds} seconds`, this.now());
    this.control(
      await signedSoon(
        this,
        this.put(
          TOKEN,
          await signingToken(this, `expires in ${seconds} seconds`, { [TOKEN_KEYS.expiration]: expiration }),
        ),
      ),
    );
  },
);

Given('a good signing token, and one for each of these lines:', async function (this: World, table: DataTable) {
  this.put(
    TOKENS,
    await forEach(this, rowsOfAlterations(this, table), ({ label, alterations }) =>
      signingToken(this, label, alterations),
    ),
  );
  this.put(TOKEN, await signingToken(this, 'the good one'));
});

Then('the good one is signed for and the others are not', async function (this: World) {
  this.control(await signedSoon(this, it(this)));
  const data = (await clusterInfo(this)).data ?? {};
  for (const made of this.get(TOKENS)) {
    const signed = made.tokens
      .map((token) => token.slice(0, token.indexOf('.')))
      .filter((id) => SIGNATURE_KEY_PREFIX + id in data);
    this.expect({
      object: CLUSTER_INFO_OBJECT,
      demanded: `holds no signature for ${made.label}`,
      seen: signed.length === 0 ? 'it holds none' : `it holds ${SIGNATURE_KEY_PREFIX}${signed.join(', ')}`,
      ok: signed.length === 0,
    });
  }
});

Then('each of them is soon signed for', async function (this: World) {
  for (const made of this.get(TOKENS)) this.expect(await signedSoon(this, made));
});

Then('cluster-info soon holds a signature that it verifies', async function (this: World) {
  this.expect(await signedSoon(this, it(this)));
});

Then('the first thing that cluster-info holds for it is a good signature', async function (this: World) {
  const first = await this.eventually(
    IN_TIME,
    async () => {
      const found = await clusterInfo(this);
      return found.data?.[keyOf(it(this))] === undefined ? undefined : found;
    },
    50,
  );
  this.expect(await judgeSignatureFor(first ?? (await clusterInfo(this)), it(this)));
});

Then('its signature soon disappears', async function (this: World) {
  const gone = await this.eventually(IN_TIME, async () =>
    keyOf(it(this)) in ((await clusterInfo(this)).data ?? {}) ? undefined : true,
  );
  this.expect({
    object: `${CLUSTER_INFO_OBJECT}, key ${keyOf(it(this))}`,
    demanded: 'is soon removed',
    seen: gone ? 'it is gone' : 'it is still there after 30 s',
    ok: gone === true,
  });
});

Then('its old secret half no longer verifies the signature', async function (this: World) {
  const old = this.get(OTHER_TOKEN);
  const found = await clusterInfo(this);
  const value = found.data?.[keyOf(old)] ?? '';
  const ok = !(await verifies(
    { id: old.id, key: keyOf(old), value },
    found.data?.[CLUSTER_INFO_KUBECONFIG] ?? '',
    old,
  ));
  this.expect({
    object: `${CLUSTER_INFO_OBJECT}, key ${keyOf(old)}`,
    demanded: 'is not signed with the old secret half',
    seen: ok ? 'it is not' : 'it is',
    ok,
  });
});

When('another signing token is made and signed for', async function (this: World) {
  this.control(await signedSoon(this, await signingToken(this, 'another')));
});

/** The tokens that the signer has to sign for, with the signatures that are there. Read in this order, so that a new token is no reproach. */
export async function readSignatures(
  world: World,
): Promise<{ readonly tokens: readonly KnownToken[]; readonly found: ConfigMap }> {
  const now = world.now();
  // what is no text cannot be typed by anybody who joins, and the signer's key would be the bytes
  const secrets = (await tokenSecrets(world)).filter(
    (secret) => mustBeSignedFor(secret, now) && !decoded(secret, TOKEN_KEYS.secret).includes('\uFFFD'),
  );
  const tokens = secrets.map((secret) => ({
    id: decoded(secret, TOKEN_KEYS.id),
    half: decoded(secret, TOKEN_KEYS.secret),
  }));
  return { tokens, found: await clusterInfo(world) };
}

Given('the signatures of cluster-info, and the tokens that it is signed for', async function (this: World) {
  const { tokens, found } = await readSignatures(this);
  this.keep('signing tokens', tokens);
  this.keep('cluster-info', found);
});

const found = (world: World): ConfigMap => world.kept<ConfigMap>('cluster-info');
const signingTokens = (world: World): readonly KnownToken[] => world.kept<readonly KnownToken[]>('signing tokens');
const NO_SIGNATURE = 'cluster-info holds no signature';
const NO_KNOWN = 'cluster-info holds no signature of a token that is in the cluster';

/** A sentence on each signature, and the check that judges it. */
const SENTENCES: Readonly<Record<string, (signature: Signature) => Evidence>> = {
  'each signature is a detached compact JWS': judgeShape,
  'each signature says that its algorithm is HS256': judgeAlgorithm,
  'each signature names the token id of its key': judgeKeyId,
  'each signature has a header of these two members and no other': judgeHeaderBytes,
  'each signature has 32 bytes, in base64url without padding': judgeLength,
  'each signature covers its payload in the ordinary encoding': judgeOrdinaryPayload,
};
for (const [sentence, judge] of Object.entries(SENTENCES)) {
  Then(sentence, function (this: World) {
    this.judge(judgeEach(signaturesOf(found(this)).map(judge), NO_SIGNATURE));
  });
}

/** The text that signatures are made of. That it is missing is another rule's business. */
const signedText = (world: World): string =>
  found(world).data?.[CLUSTER_INFO_KUBECONFIG] ??
  world.skip('nothing', 'cluster-info holds no kubeconfig that could be signed');

const INGREDIENTS = {
  'the exact text of the kubeconfig': 'payload',
  'header and payload, joined by a dot': 'form',
  'the secret half of the token as its key': 'key',
} as const;
for (const [words, ingredient] of Object.entries(INGREDIENTS)) {
  Then(`each signature is made of ${words}`, function (this: World) {
    const text = signedText(this);
    const evidence = signaturesOf(found(this)).flatMap((signature) => {
      const token = signingTokens(this).find(({ id }) => id === signature.id);
      return token === undefined ? [] : [judgeIngredient(signature, text, token, ingredient)];
    });
    this.judge(judgeEach(evidence, NO_KNOWN));
  });
}

Then('every token that is good for signing has its signature', async function (this: World) {
  const look = async (): Promise<Evidence[]> =>
    signingTokens(this).map(({ id }) => {
      const there = `${SIGNATURE_KEY_PREFIX}${id}` in (found(this).data ?? {});
      return {
        object: CLUSTER_INFO_OBJECT,
        demanded: `holds ${SIGNATURE_KEY_PREFIX}${id}`,
        seen: there ? 'it does' : 'it does not',
        ok: there,
      };
    });
  let evidence = await look();
  // A token that is a moment old may still wait for the signer.
  await this.eventually(
    SOON,
    async () => {
      if (evidence.every(({ ok }) => ok)) return true;
      const again = await readSignatures(this);
      this.keep('signing tokens', again.tokens);
      this.keep('cluster-info', again.found);
      evidence = await look();
      return undefined;
    },
    1000,
  );
  this.judge(judgeEach(evidence, 'no bootstrap token of the cluster is good for signing'));
});

Then('each signature verifies with its own token and with no other', async function (this: World) {
  const text = signedText(this);
  const tokens = signingTokens(this);
  const evidence: Evidence[] = [];
  for (const signature of signaturesOf(found(this))) {
    const token = tokens.find(({ id }) => id === signature.id);
    if (token === undefined) continue;
    const own = await verifies(signature, text, token);
    const others: string[] = [];
    for (const { id, half } of tokens)
      if (id !== token.id && half !== token.half && (await verifies(signature, text, { id: token.id, half })))
        others.push(id);
    const seen =
      others.length > 0
        ? `it verifies with ${others.join(', ')}`
        : own
          ? 'so it is'
          : 'it does not verify with its own';
    evidence.push({
      object: `${CLUSTER_INFO_OBJECT}, key ${signature.key}`,
      demanded: 'verifies with its own token and no other',
      seen,
      ok: own && others.length === 0,
    });
  }
  this.judge(judgeEach(evidence, NO_KNOWN));
});

Then('each signature is of a token that is in the cluster', async function (this: World) {
  let evidence: Evidence[] = [];
  // The signature of a token that was deleted a moment ago may still wait for the signer.
  await this.eventually(
    SOON,
    async () => {
      const signatures = signaturesOf(await clusterInfo(this));
      const names = new Set(
        (await this.objects.list<Secret>(resources.secrets, { namespace: KUBE_SYSTEM })).map(
          ({ metadata }) => metadata.name,
        ),
      );
      evidence = signatures.map(({ id, key }) => {
        const there = names.has(TOKEN_SECRET_PREFIX + id);
        return {
          object: `${CLUSTER_INFO_OBJECT}, key ${key}`,
          demanded: `belongs to the Secret ${KUBE_SYSTEM}/${TOKEN_SECRET_PREFIX}${id}`,
          seen: there ? 'it is there' : 'there is no such Secret',
          ok: there,
        };
      });
      return evidence.every(({ ok }) => ok) ? true : undefined;
    },
    1000,
  );
  this.judge(judgeEach(evidence, NO_SIGNATURE));
});

/** Credentials by how features call them, for an API server of ours with a set of flags. */
import type { Account } from '../../src/checks/authenticators/service-accounts.js';
import { resources } from '../../src/kubernetes/resources.js';
import { boundToken, type Signing, secretToken, wrongSecretToken, wrongToken } from '../../src/run/signed-tokens.js';
import type { World } from '../../src/run/world.js';
import { makeToken } from '../common/tokens.js';
import { makeAccount, requestToken, secretOf } from './accounts.js';
import { AUDIENCES, ISSUER, type Made, SECOND_ISSUER } from './flag-sets.js';
import { CERTIFICATES } from './presented-certificates.js';
import { type Shown, token } from './shown.js';

/** What credentials are made of. */
export interface Ground {
  readonly world: World;
  readonly made: Made;
  /** A service account of the API server. */
  readonly account: Account;
  readonly signing: Signing;
  /** A Secret of that account that holds a token, and one that is marked as invalid. */
  readonly secrets: Readonly<Record<'sound' | 'marked', { readonly name: string; readonly token: string }>>;
}

/** Source: pkg/serviceaccount/legacy.go InvalidSinceLabelKey. */
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';

/** Makes what the credentials name: once for an API server. */
export const groundOf = (world: World, made: Made): Promise<Ground> =>
  world.shared(`what is known of ${world.target.name}`, async () => {
    const account = await makeAccount(world);
    const { name: named } = account;
    const now = Math.floor(world.now() / 1000);
    const signing = { key: made.keys.p256, issuer: ISSUER, audience: AUDIENCES[0], account, now };
    const secretNamed = async (name: string, labels: Readonly<Record<string, string>>) => {
      const token = secretToken(signing, name);
      world.secret(token);
      await world.writes.create(resources.secrets, secretOf(account, name, { labels, token }));
      return { name, token };
    };
    const sound = await secretNamed(`${named}-sound`, {});
    return {
      world,
      made,
      account,
      signing,
      secrets: { sound, marked: await secretNamed(`${named}-marked`, { [INVALID_SINCE]: '2026-01-01' }) },
    };
  });

const basic = (username: string, password: string, scheme = 'Basic'): Shown => ({
  identity: {
    kind: 'header',
    authorization: [`${scheme} ${Buffer.from(`${username}:${password}`).toString('base64')}`],
  },
});

type Make = (ground: Ground) => Shown | Promise<Shown>;

export const CREDENTIALS: Readonly<Record<string, Make>> = {
  nothing: () => ({ identity: { kind: 'anonymous' } }),
  'a token of three columns': ({ made }) => token(made.tokens.plain),
  'a token of four columns': ({ made }) => token(made.tokens.grouped),
  'a token of two lines': ({ made }) => token(made.tokens.doubled),
  'a token of the file, in capitals': ({ made }) => token(made.tokens.plain.toUpperCase()),
  'a token of the file without its last letter': ({ made }) => token(made.tokens.plain.slice(0, -1)),
  'a token of the file and a letter': ({ made }) => token(`${made.tokens.plain}x`),
  'the user name of a line as a token': () => token('alice'),
  'the UID of a line as a token': () => token('1000'),
  'a user name and its password': ({ made }) => basic('grace', made.passwords.grace),
  'the same in a line of four columns': ({ made }) => basic('heidi', made.passwords.heidi),
  'the same in the second line of that name': ({ made }) => basic('judy', made.passwords.judy),
  'the same in the first line of that name': ({ made }) => basic('judy', made.passwords.grace),
  'the same with the scheme in capitals': ({ made }) => basic('grace', made.passwords.grace, 'BASIC'),
  'the same with another scheme': ({ made }) => basic('grace', made.passwords.grace, 'Digest'),
  'the same, not encoded': ({ made }) => ({
    identity: { kind: 'header', authorization: [`Basic grace:${made.passwords.grace}`] },
  }),
  'the scheme alone': () => ({ identity: { kind: 'header', authorization: ['Basic'] } }),
  'a password that holds colons': ({ made }) => basic('ivan', made.passwords.ivan),
  'that password up to its first colon': ({ made }) => basic('ivan', made.passwords.ivan.split(':')[0] ?? ''),
  'that password without its last colon': ({ made }) => basic('ivan', made.passwords.ivan.slice(0, -1)),
  'the password as the name, and the name as the password': ({ made }) => basic(made.passwords.grace, 'grace'),
  'the UID of a line and its password': ({ made }) => basic('2000', made.passwords.grace),
  'a user name alone': () => basic('grace', ''),
  "a user name and somebody else's password": ({ made }) => basic('heidi', made.passwords.grace),
  'a user name that nobody has': ({ made }) => basic('nobody', made.passwords.grace),
  'a user name in capitals': ({ made }) => basic('GRACE', made.passwords.grace),
  'a password without its last letter': ({ made }) => basic('grace', made.passwords.grace.slice(0, -1)),
  'a password in capitals': ({ made }) => basic('grace', made.passwords.grace.toUpperCase()),
  'a bootstrap token': async ({ world }) => {
    const { token: value, id } = await makeToken(world, '');
    return {
      ...token(value),
      itself: { username: `system:bootstrap:${id}`, uid: '', groups: ['system:bootstrappers'] },
    };
  },
  'a token that it has issued itself': async ({ world, account }) =>
    token((await requestToken(world, account, {})).token),

  'a token of the RSA key': ({ signing, made }) => token(boundToken({ ...signing, key: made.keys.rsa })),
  'a token of the second key in a file': ({ signing }) => token(boundToken(signing)),
  'a token of the key in the second file': ({ signing, made }) =>
    token(boundToken({ ...signing, key: made.keys.p384 })),
  'a token of a key in no file': ({ signing, made }) => token(boundToken({ ...signing, key: made.keys.unknown })),
  'a token of the second issuer': ({ signing }) => token(boundToken({ ...signing, issuer: SECOND_ISSUER })),
  'a token for the second audience': ({ signing }) => token(boundToken({ ...signing, audience: AUDIENCES[1] })),
  'a token for the issuer as its audience': ({ signing }) => token(boundToken({ ...signing, audience: ISSUER })),
  'a token for no audience': ({ signing }) => token(boundToken(signing, { claims: { aud: [] } })),
  'a token without a key id': ({ signing }) => token(boundToken(signing, { header: { kid: '' } })),
  'the token in a Secret': ({ secrets }) => token(secrets.sound.token),
  'another token of that Secret': ({ signing, secrets }) =>
    token(secretToken(signing, secrets.sound.name, { another: true })),
  'the token in a Secret that is marked as invalid': ({ secrets }) => token(secrets.marked.token),
  'a token of a Secret that nobody has': ({ signing }) => token(secretToken(signing, 'gone')),
};

const WRONG = 'a token of it ';
const WRONG_IN_SECRET = 'a token of that Secret ';

/** What one shows who shows that. Ends the scenario where nobody knows how it is made. */
export async function presented(what: string, ground: Ground): Promise<Shown> {
  const { signing, secrets, world } = ground;
  const shown =
    (await CREDENTIALS[what]?.(ground)) ??
    CERTIFICATES[what]?.(ground.made) ??
    asToken(what.startsWith(WRONG) ? wrongToken(what.slice(WRONG.length), signing) : undefined) ??
    asToken(
      what.startsWith(WRONG_IN_SECRET)
        ? wrongSecretToken(what.slice(WRONG_IN_SECRET.length), signing, secrets.sound.name)
        : undefined,
    );
  return shown ?? world.unknown(`nobody knows how ${what} is made`);
}

const asToken = (value: string | undefined): Shown | undefined => (value === undefined ? undefined : token(value));

/** Credentials by how features call them, for an API server of ours with a set of flags. */
import type { Account } from '../../src/checks/service-accounts.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Pair } from '../../src/run/making.js';
import { boundToken, type Signing, secretToken, wrongSecretToken, wrongToken } from '../../src/run/signed-tokens.js';
import type { World } from '../../src/run/world.js';
import type { Identity } from '../../src/targets/types.js';
import { makeToken } from '../common/tokens.js';
import { makeAccount, requestToken, secretOf } from './accounts.js';
import { AUDIENCES, ISSUER, type Made, PROXY_NAME, SECOND_ISSUER } from './flag-sets.js';

/** What one shows. */
export interface Shown {
  readonly identity: Identity;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who that is, where it is made anew each time. */
  readonly itself?: Expected;
}

/** Whom a login is to be. */
export interface Expected {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

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

const token = (value: string): Shown => ({ identity: { kind: 'token', token: value } });
const certificate = (pair: Pair, headers: Readonly<Record<string, string>> = {}): Shown => ({
  identity: { kind: 'certificate', ...pair },
  headers,
});
const CLIENT = { commonName: 'dora', organizations: ['team', 'Leads'] };
const HEADERS = { 'X-Remote-User': 'erin', 'X-Remote-Group': 'proxied' };
const EVERY_HEADER = { ...HEADERS, 'X-Remote-Extra-Reason': 'joinproof' };
const proxy = ({ made }: Ground, headers: Readonly<Record<string, string>>): Shown =>
  certificate(made.proxies.pair({ commonName: PROXY_NAME }), headers);

const basic = (username: string, password: string, scheme = 'Basic'): Shown => ({
  identity: {
    kind: 'header',
    authorization: [`${scheme} ${Buffer.from(`${username}:${password}`).toString('base64')}`],
  },
});

type Make = (ground: Ground) => Shown | Promise<Shown>;

const CREDENTIALS: Readonly<Record<string, Make>> = {
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
  'a token that it has issued itself': async ({ world, account }) => token(await requestToken(world, account, {})),

  'a certificate of that CA': ({ made }) => certificate(made.clients.pair(CLIENT)),
  'a certificate of that CA, expired': ({ made }) => certificate(made.clients.pair({ ...CLIENT, time: 'expired' })),
  'a certificate of that CA, not yet valid': ({ made }) => certificate(made.clients.pair({ ...CLIENT, time: 'early' })),
  'a certificate of that CA for servers': ({ made }) =>
    certificate(made.clients.pair({ ...CLIENT, usage: 'serverAuth' })),
  'a certificate of that CA without a name': ({ made }) => certificate(made.clients.pair({ organizations: ['team'] })),
  'a certificate of a CA of the same name': ({ made }) => certificate(made.namesake.pair(CLIENT)),
  'a certificate and a token of the file': ({ made }) => ({
    identity: { kind: 'certificate', ...made.clients.pair(CLIENT), token: made.tokens.plain },
  }),
  'an expired certificate and a token of the file': ({ made }) => ({
    identity: { kind: 'certificate', ...made.clients.pair({ ...CLIENT, time: 'expired' }), token: made.tokens.plain },
  }),

  'its headers, as the proxy': (ground) => proxy(ground, HEADERS),
  'its headers of the second names, as the proxy': (ground) =>
    proxy(ground, { 'X-Remote-User': '', 'X-Joinproof-User': 'erin', 'X-Joinproof-Group': 'proxied' }),
  'its headers and a bearer token, as the proxy': (ground) => ({
    headers: HEADERS,
    identity: {
      kind: 'certificate',
      ...ground.made.proxies.pair({ commonName: PROXY_NAME }),
      token: 'joinproof-knows-nobody',
    },
  }),
  'its headers of two groups, as the proxy': (ground) => proxy(ground, { ...HEADERS, 'X-Joinproof-Group': 'others' }),
  'its headers with a UID, as the proxy': (ground) => proxy(ground, { ...HEADERS, 'X-Remote-Uid': '77' }),
  'its headers, as another client of that CA': ({ made }) =>
    certificate(made.proxies.pair({ commonName: 'joinproof-client' }), HEADERS),
  'its headers, as a client of that CA of a longer name': ({ made }) =>
    certificate(made.proxies.pair({ commonName: `${PROXY_NAME}-2` }), HEADERS),
  'its headers, as a client of that CA of a shorter name': ({ made }) =>
    certificate(made.proxies.pair({ commonName: PROXY_NAME.slice(0, -1) }), HEADERS),
  'its headers, as the proxy with an expired certificate': ({ made }) =>
    certificate(made.proxies.pair({ commonName: PROXY_NAME, time: 'expired' }), HEADERS),
  'its headers, as the proxy with a certificate for servers': ({ made }) =>
    certificate(made.proxies.pair({ commonName: PROXY_NAME, usage: 'serverAuth' }), HEADERS),
  'its headers, as a client of that name and another CA': ({ made }) =>
    certificate(made.clients.pair({ commonName: PROXY_NAME }), HEADERS),
  'its headers, as nobody': () => ({ identity: { kind: 'anonymous' }, headers: HEADERS }),
  'its headers and one of extra, as the administrator': () => ({ identity: { kind: 'admin' }, headers: EVERY_HEADER }),
  'its headers with a UID and one of extra, as the administrator': () => ({
    identity: { kind: 'admin' },
    headers: { ...EVERY_HEADER, 'X-Remote-Uid': '77' },
  }),
  'itself, and asks for somebody else, as the administrator': () => ({
    identity: { kind: 'admin' },
    headers: { 'Impersonate-User': 'jane', 'Impersonate-Group': 'team', 'Impersonate-Extra-Reason': 'joinproof' },
  }),
  'its headers, as the administrator': () => ({ identity: { kind: 'admin' }, headers: HEADERS }),
  'a group without a user, as the proxy': (ground) => proxy(ground, { 'X-Remote-Group': 'system:masters' }),

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
    asToken(what.startsWith(WRONG) ? wrongToken(what.slice(WRONG.length), signing) : undefined) ??
    asToken(
      what.startsWith(WRONG_IN_SECRET)
        ? wrongSecretToken(what.slice(WRONG_IN_SECRET.length), signing, secrets.sound.name)
        : undefined,
    );
  return shown ?? world.unknown(`nobody knows how ${what} is made`);
}

const asToken = (value: string | undefined): Shown | undefined => (value === undefined ? undefined : token(value));

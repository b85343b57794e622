/** Sets of flags that API servers of ours are started with, and what is made up for them. */
import { type KeyObject, keyOfKind, newKeyOf, pemOfKey, pemOfPublicKey } from '../../src/run/making.js';
import { type OwnAuthority, ownAuthority } from '../../src/run/own-authority.js';
import type { World } from '../../src/run/world.js';
import type { Switches, Target } from '../../src/targets/types.js';

export const ISSUER = 'https://issuer.joinproof.example';
export const SECOND_ISSUER = 'https://former-issuer.joinproof.example';
export const AUDIENCES = ['joinproof-api', 'joinproof-api-too'] as const;
/** The proxy that may speak for others. */
export const PROXY_NAME = 'joinproof-proxy';

/** What the sets are made of; the same for the whole run. */
export interface Made {
  /** Static tokens: of three columns, of four, of two lines, of the administrator. */
  readonly tokens: Readonly<Record<'plain' | 'grouped' | 'doubled' | 'administrator', string>>;
  /** Passwords, by their user. */
  readonly passwords: Readonly<Record<'grace' | 'heidi' | 'ivan' | 'judy', string>>;
  readonly clients: OwnAuthority;
  /** Of the same name as `clients`, with another key. */
  readonly namesake: OwnAuthority;
  readonly proxies: OwnAuthority;
  /** Keys that sign tokens of service accounts; the last is in no file. */
  readonly keys: Readonly<Record<'rsa' | 'p256' | 'p384' | 'unknown', KeyObject>>;
}

export const madeFor = (world: World): Promise<Made> =>
  world.shared('what sets of flags are made of', async () => {
    const token = (): string => world.random(32);
    const tokens = { plain: token(), grouped: token(), doubled: token(), administrator: token() };
    const passwords = {
      grace: token(),
      heidi: token(),
      ivan: `${token()}:${token()}:`,
      judy: token(),
    };
    for (const secret of [...Object.values(tokens), ...Object.values(passwords)]) world.secret(secret);
    const [p256, p384, unknown] = [newKeyOf('ECDSA-P256'), newKeyOf('ECDSA-P384'), newKeyOf('ECDSA-P256')];
    return {
      tokens,
      passwords,
      clients: ownAuthority('joinproof-clients'),
      namesake: ownAuthority('joinproof-clients'),
      proxies: ownAuthority('joinproof-proxies'),
      keys: { rsa: await keyOfKind('RSA-2048'), p256, p384, unknown },
    };
  });

const tokenFile = ({ plain, grouped, doubled, administrator }: Made['tokens']): string =>
  [
    `${plain},alice,1000`,
    `${grouped},bob,1001,"auditors, readers"`,
    ',nobody,1002,system:masters',
    `${doubled},carol,1003`,
    `${doubled},carla,1004,readers`,
    `${administrator},root,1005,system:masters`,
    '',
  ].join('\n');

const passwordFile = ({ grace, heidi, ivan, judy }: Made['passwords']): string =>
  [
    `${grace},grace,2000`,
    `${heidi},heidi,2001,"auditors, readers"`,
    `${ivan},ivan,2002`,
    `${grace},judy,2003`,
    `${judy},judy,2004,readers`,
    '',
  ].join('\n');

const signers = ({ rsa, p256, p384 }: Made['keys']): readonly string[] => [
  `${pemOfPublicKey(rsa)}${pemOfPublicKey(p256)}`,
  pemOfKey(p384),
];

type Flags = Omit<Switches, 'alone'> & { readonly adminToken?: string };

const strangersAt = (anonymous: string): Flags => ({
  authentication: {
    authenticationConfig: `apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\nanonymous:\n${anonymous}`,
  },
});

/** Basic authentication, which left Kubernetes in 1.19. */
const WITH_PASSWORDS = 'with a file of passwords';

/** By how they are called in features. */
export const SETS: Readonly<Record<string, (made: Made, minor: number) => Flags>> = {
  'with a token file': ({ tokens }) => ({ authentication: { tokenAuthFile: tokenFile(tokens) } }),
  [WITH_PASSWORDS]: ({ tokens, passwords }) => ({
    authentication: { tokenAuthFile: tokenFile(tokens), basicAuthFile: passwordFile(passwords) },
  }),
  'with a CA of its own for clients': ({ clients, tokens }) => ({
    authentication: { clientCa: clients.pem, tokenAuthFile: tokenFile(tokens) },
    adminToken: tokens.administrator,
  }),
  'without a CA for clients': ({ tokens }) => ({
    authentication: { clientCa: false, requestHeader: false, tokenAuthFile: tokenFile(tokens) },
    adminToken: tokens.administrator,
  }),
  'with a front proxy': ({ proxies }, minor) => ({
    authentication: {
      requestHeader: {
        clientCa: proxies.pem,
        allowedNames: [PROXY_NAME],
        usernameHeaders: ['X-Remote-User', 'X-Joinproof-User'],
        groupHeaders: ['X-Remote-Group', 'X-Joinproof-Group'],
        extraHeadersPrefix: ['X-Remote-Extra-'],
        ...(minor >= UID_HEADERS_SINCE ? { uidHeaders: ['X-Remote-Uid'] } : {}),
      },
    },
  }),
  'with other keys, issuers and audiences': ({ keys }) => ({
    authentication: {
      serviceAccountKeyFiles: signers(keys),
      serviceAccountIssuers: [ISSUER, SECOND_ISSUER],
      apiAudiences: AUDIENCES,
    },
  }),
  'with lookup off': ({ keys }) => ({
    authentication: {
      serviceAccountKeyFiles: signers(keys),
      serviceAccountIssuers: [ISSUER],
      apiAudiences: AUDIENCES,
      serviceAccountLookup: false,
    },
  }),
  'without bootstrap tokens': () => ({ bootstrapTokenAuth: false }),
  'without strangers': () => ({ anonymousAuth: false }),
  'with strangers at /livez and /readyz alone': () =>
    strangersAt('  enabled: true\n  conditions:\n  - path: /livez\n  - path: /readyz\n'),
  'without strangers by its configuration': () => strangersAt('  enabled: false\n'),
};

/** Gate RemoteRequestHeaderUID. */
const UID_HEADERS_SINCE = 33;

/** An API server of ours with those flags: one for all scenarios of the run. */
export async function serverWith(world: World, named: string): Promise<Target> {
  const variants = world.ability('variants');
  if (named === WITH_PASSWORDS && variants.legacy !== true)
    return world.skip('version', 'basic authentication left Kubernetes in 1.19');
  const { minor } = world.version;
  const made = await madeFor(world);
  return world.shared(`an API server ${named}`, async () => {
    const flags = SETS[named]?.(made, minor) ?? world.unknown(`nobody knows the flags of an API server ${named}`);
    const { adminToken, ...switches } = flags;
    return variants.open({ ...switches, alone: { named, ...(adminToken === undefined ? {} : { adminToken }) } });
  });
}

/** Tokens of service accounts that are signed with a key which an API server of ours believes: all else may be wrong. */
import type { KeyObject } from 'node:crypto';
import type { Account } from '../checks/authenticators/service-accounts.js';
import { boundClaims, ownerClaims, type Part, secretClaims, signed } from './token-parts.js';

/** What a token says; of claims and of the header undefined leaves a field out. */
export interface Said {
  readonly claims?: Part;
  readonly header?: Part;
}

/** What tokens are made of. `now` in seconds since the epoch. */
export interface Signing {
  readonly key: KeyObject;
  readonly issuer: string;
  readonly audience: string;
  readonly account: Account;
  readonly now: number;
}

/** A bound token. */
export const boundToken = ({ key, account, ...signing }: Signing, { claims, header }: Said = {}): string =>
  signed(key, header ?? {}, { ...boundClaims(account, signing), ...claims });

/** The token that lies in a Secret. */
export const secretToken = ({ key, account }: Signing, secret: string, claims: Part = {}): string =>
  signed(key, {}, { ...secretClaims(account, secret), ...claims });

/** What is bound to an object that nobody has, beside the account. */
const boundTo =
  (kind: 'pod' | 'secret' | 'node') =>
  ({ account }: Signing): Said => ({ claims: ownerClaims(account, { [kind]: { name: 'gone', uid: 'gone' } }) });
const ofAccount =
  (change: (account: Account) => Account) =>
  ({ account }: Signing): Said => ({ claims: ownerClaims(change(account)) });
const claims =
  (make: (signing: Signing) => Part) =>
  (signing: Signing): Said => ({ claims: make(signing) });
const header = (fields: Part) => (): Said => ({ header: fields });

/** What bound tokens may have wrong though they are signed as they should be, by what it is. */
export const WRONG: Readonly<Record<string, (signing: Signing) => Said>> = {
  'of another issuer': claims(() => ({ iss: 'https://issuer.example' })),
  'of no issuer': claims(() => ({ iss: undefined })),
  'of the issuer with a slash behind it': claims(({ issuer }) => ({ iss: `${issuer}/` })),
  'for another audience': claims(() => ({ aud: ['https://audience.example'] })),
  'for an audience that is a number': claims(() => ({ aud: 5 })),
  'for the audience in capitals': claims(({ audience }) => ({ aud: [audience.toUpperCase()] })),
  'of the issuer with a zero behind it': claims(({ issuer }) => ({ iss: `${issuer}\0` })),
  'whose end is beyond all dates': claims(() => ({ exp: 1e300 })),
  'of the account in capitals': ofAccount((account) => ({ ...account, name: account.name.toUpperCase() })),
  'whose claims are said not to be encoded': header({ b64: false }),
  'that has ended': claims(({ now }) => ({ exp: now - 120 })),
  'that ended in 1970': claims(() => ({ exp: 0 })),
  'whose end is a word': claims(({ now }) => ({ exp: String(now + 3600) })),
  'that begins later': claims(({ now }) => ({ nbf: now + 600 })),
  'issued in the future': claims(({ now }) => ({ iat: now + 600 })),
  'of no account': claims(() => ({ 'kubernetes.io': undefined })),
  'of an account that nobody has': ofAccount((account) => ({ ...account, name: 'gone' })),
  'of an earlier account of that name': ofAccount((account) => ({ ...account, uid: 'gone' })),
  'of an account without its UID': ofAccount((account) => ({ ...account, uid: '' })),
  'of that account in another namespace': ofAccount((account) => ({ ...account, namespace: 'kube-system' })),
  'bound to a Pod that nobody has': boundTo('pod'),
  'bound to a Secret that nobody has': boundTo('secret'),
  'bound to a Node that nobody has': boundTo('node'),
  'of the algorithm none': header({ alg: 'none' }),
  'of the algorithm HS256': header({ alg: 'HS256' }),
  'of an algorithm of another kind of key': header({ alg: 'RS256' }),
  'of an algorithm in small letters': header({ alg: 'es256' }),
  'of the key id of nobody': header({ kid: 'nobody' }),
  'of a key id that is a path': header({ kid: '../../../../dev/null' }),
  'of a key id that is a list': header({ kid: ['nobody'] }),
  'under a critical field that nobody knows': header({ crit: ['joinproof'], joinproof: true }),
};

/** undefined where nobody knows how. */
export const wrongToken = (what: string, signing: Signing): string | undefined => {
  const said = WRONG[what]?.(signing);
  return said === undefined ? undefined : boundToken(signing, said);
};

/** What tokens of Secrets may have wrong in the same way. */
export const WRONG_IN_SECRETS: Readonly<Record<string, Part>> = {
  'of no namespace': { 'kubernetes.io/serviceaccount/namespace': undefined },
  'of no UID': { 'kubernetes.io/serviceaccount/service-account.uid': undefined },
  'of another account as its subject': { sub: 'system:serviceaccount:kube-system:default' },
  'for another audience': { aud: ['https://audience.example'] },
};

/** undefined where nobody knows how. */
export const wrongSecretToken = (what: string, signing: Signing, secret: string): string | undefined => {
  const said = WRONG_IN_SECRETS[what];
  return said === undefined ? undefined : secretToken(signing, secret, said);
};

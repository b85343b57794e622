/**
 * What a token of a service account says, and whom it stands for.
 * Source: 003, serviceAccountAuth; apiserver, pkg/authentication/serviceaccount/util.go; pkg/serviceaccount/claims.go.
 */
import { list, record, text } from '../../kubernetes/json.js';
import { claimsOf } from '../../kubernetes/jwt.js';
import { accountGroups, accountUser, GROUP_AUTHENTICATED } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { isBesides } from '../common/answers.js';
import { type Login, whoAmI } from './login.js';

/** An account as its object shows it. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The bearer is the account of its token: by name, UID, and its groups, no more and no less. */
export const isAccount: Check<readonly (Login & { readonly account: Account })[]> = {
  id: 'service-accounts/is-account',
  source: 'apiserver, pkg/authentication/serviceaccount/util.go ServiceAccountInfo.UserInfo',
  judge: (logins) =>
    logins.map(({ subject, heard, account }) => {
      const who = whoAmI(heard);
      const groups = [GROUP_AUTHENTICATED, ...accountGroups(account)].join();
      const seen = who === undefined ? `${heard.status}` : `${who.username}, UID ${who.uid}, of ${who.groups.join()}`;
      const is = who?.username === accountUser(account) && who.uid === account.uid;
      return demand({
        subject,
        demanded: `is ${accountUser(account)} by its UID, of ${groups}`,
        seen,
        ok: who === undefined && isBesides(heard) ? undefined : is && [...who.groups].sort().join() === groups,
      });
    }),
};

/** What a token says of itself, once it is decoded: claims as they stand in it, and no signature. */
interface Told {
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>> | null;
  readonly account: Account;
  /** As /.well-known/openid-configuration says; undefined where that is not served. */
  readonly issuer?: string | undefined;
}

/** Reader: a JWT in compact form. Source: RFC 7519, section 7.2. */
export const readClaims = (token: string): Pick<Told, 'claims'> => ({ claims: claimsOf(token) });

/** It names its account and its end. */
export const tokenTells: Check<readonly Told[]> = {
  id: 'service-accounts/tells',
  source: '003, serviceAccountAuth; pkg/serviceaccount/claims.go Claims',
  judge: (tokens) =>
    tokens.flatMap(({ subject, claims, account, issuer }) => {
      const { sub, iss, exp, aud, 'kubernetes.io': nested } = claims ?? {};
      const own = record(nested);
      const named = record(own.serviceaccount);
      const look = (demanded: string, seen: unknown, ok: boolean) =>
        demand({ subject, demanded, seen: claims === null ? 'it is no JWT' : String(seen), ok });
      return [
        look(`says ${accountUser(account)} is its subject`, text(sub), sub === accountUser(account)),
        look(`names the namespace ${account.namespace}`, text(own.namespace), own.namespace === account.namespace),
        look(`names the account ${account.name}`, text(named.name), named.name === account.name),
        look(`names the account's UID`, text(named.uid), named.uid === account.uid),
        look('has an end', String(exp), typeof exp === 'number'),
        look(
          'is for somebody',
          JSON.stringify(aud ?? null),
          (typeof aud === 'string' ? [aud] : list(aud)).some((one) => one !== ''),
        ),
        ...(issuer === undefined ? [] : [look(`is of the issuer ${issuer}`, text(iss), iss === issuer)]),
      ];
    }),
};

/** Defects of the chapter authenticators: who is believed without a reason. */
import { resources } from '../kubernetes/resources.js';
import { upstream } from '../reference/decisions.js';
import { allow, decides, rule, user } from './arrange.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

/** Of tokens that are signed with a password. */
const isHmac = (alg: string): boolean => alg.startsWith('HS');
const isNone = (alg: string): boolean => alg.toLowerCase() === 'none';

export const mutants: readonly Mutant[] = [
  decides('account-tokens-unsigned', 'the claims are decoded and the signature is not verified', ['APIAUTH-022'], {
    tokenSignatureHolds: () => true,
  }),
  decides('account-tokens-of-no-algorithm', 'a token of the algorithm none needs no signature', ['APIAUTH-022'], {
    tokenAlgorithmFits: (claimed, own) => isNone(claimed) || claimed === own,
    tokenSignatureHolds: (holds, alg) => holds || isNone(alg),
  }),
  decides('account-tokens-with-a-password', 'whoever knows the public key signs with it', ['APIAUTH-022'], {
    tokenAlgorithmFits: (claimed, own) => isHmac(claimed) || claimed === own,
    tokenSignatureHolds: (holds, alg) => holds || isHmac(alg),
  }),
  decides('account-tokens-without-algorithm', 'a header without an algorithm is believed', ['APIAUTH-022'], {
    tokenAlgorithmFits: (claimed, own) => claimed === '' || claimed === own,
    tokenSignatureHolds: (holds, alg) => holds || alg === '',
  }),
  decides('account-tokens-of-any-key-id', 'a key id that nobody has is passed over', ['APIAUTH-022'], {
    tokenKeyIsTried: () => true,
    tokenSignatureHolds: () => true,
  }),
  decides('account-tokens-at-their-word', 'whatever a token says of itself is believed', ['APIAUTH-022'], {
    tokenHasItsParts: (parts) => parts > 1,
    tokenIssuerIsOurs: () => true,
    tokenKeyIsTried: () => true,
    tokenAlgorithmFits: () => true,
    tokenSignatureHolds: () => true,
    tokenAccountProblem: () => undefined,
    legacyTokenIsLookedUp: () => false,
  }),
  decides('account-tokens-for-everybody', 'the audience of a token is not compared', ['APIAUTH-023'], {
    sharedAudiences: (_, wanted) => wanted,
  }),
  decides('account-audiences-by-their-beginning', 'an audience is known by its beginning', ['APIAUTH-023'], {
    sharedAudiences: (ofToken, wanted) =>
      wanted.filter((one) => ofToken.some((other) => other.startsWith(one) || one.startsWith(other))),
  }),
  decides(
    'account-audiences-in-any-case',
    'audiences are compared without regard to capitals, or by their end',
    ['APIAUTH-023'],
    {
      sharedAudiences: (ofToken, wanted) =>
        wanted
          .map((one) => one.toLowerCase())
          .filter((one) =>
            ofToken.some((other) => other.toLowerCase().endsWith(one) || one.endsWith(other.toLowerCase())),
          ),
    },
  ),
  decides('account-tokens-for-one-audience', 'of the audiences of a token only the first counts', ['APIAUTH-023'], {
    sharedAudiences: (ofToken, wanted) => ofToken.slice(0, 1).filter((one) => wanted.includes(one)),
  }),
  decides('account-tokens-without-end', 'the times of a token are not compared', ['APIAUTH-023'], {
    tokenTimesProblem: () => undefined,
  }),
  decides('account-tokens-with-an-hour-of-leeway', 'a token is good for an hour after its end', ['APIAUTH-023'], {
    tokenLeewaySeconds: () => 3600,
  }),
  decides('account-tokens-with-minutes-of-leeway', 'a token is good for five minutes after its end', ['APIAUTH-023'], {
    tokenLeewaySeconds: () => 300,
  }),
  decides('account-tokens-name-nobody', 'a token carries no account, no audience and no end', ['APIAUTH-024'], {
    boundTokenClaims: ({ name, issuer }) => ({ iss: issuer, sub: name }),
  }),
  decides('account-tokens-of-the-deleted', 'a deleted account is not missed', ['APIAUTH-026'], {
    tokenAccountProblem: (account, claimed, limit) =>
      account === undefined ? undefined : upstream.tokenAccountProblem(account, claimed, limit),
  }),
  decides('account-tokens-by-name', 'the UID of an account is not compared', ['APIAUTH-026'], {
    tokenAccountProblem: (account, claimed) =>
      account === undefined ? `serviceaccounts "${claimed.name}" not found` : undefined,
  }),
  remembering(() => {
    const first = new Map<string, string>();
    return decides('account-tokens-of-the-first', 'of a name only the first account is known', ['APIAUTH-026'], {
      tokenAccountProblem: (account, claimed, limit) => {
        if (account === undefined) return upstream.tokenAccountProblem(account, claimed, limit);
        const known = first.get(claimed.name) ?? claimed.uid;
        first.set(claimed.name, known);
        return known === claimed.uid ? undefined : 'another account';
      },
    });
  }),
  decides('account-tokens-unbound', 'what a token is bound to is not looked up', ['APIAUTH-026'], {
    boundKindsJudged: () => [],
  }),
  decides('account-tokens-of-the-unbound', 'a bound object that is gone is not missed', ['APIAUTH-026'], {
    boundObjectProblem: () => undefined,
  }),
  decides('account-tokens-of-namesakes', 'a bound object may be another one of its name', ['APIAUTH-026'], {
    boundObjectProblem: (kind, object, claimed, limit) =>
      upstream.boundObjectProblem(kind, object, { ...claimed, uid: object?.metadata.uid ?? claimed.uid }, limit),
  }),
  decides('account-by-its-short-name', 'the user is named without its namespace', ['APIAUTH-028'], {
    tokenUserOfAccount: (_, name) => `system:serviceaccount:${name}`,
  }),
  decides('account-without-its-namespace', 'the group of its namespace is left out', ['APIAUTH-028'], {
    tokenGroupsOfAccount: () => ['system:serviceaccounts'],
  }),
  decides('account-among-masters', 'accounts get a group that nobody gave them', ['APIAUTH-028'], {
    tokenGroupsOfAccount: (namespace) => [...upstream.tokenGroupsOfAccount(namespace), 'system:nodes'],
  }),
  decides('certificates-decide-alone', 'a certificate of anybody is believed', ['APIAUTH-033', 'APIAUTH-034'], {
    chainIsTrusted: () => true,
  }),
  decides('proxy-without-certificate', 'the headers of a proxy are believed from everybody', ['APIAUTH-039'], {
    proxyNeedsCertificate: () => false,
  }),
  {
    ...decides(
      'refused-and-done',
      'who is refused is heard as a stranger, who may write',
      ['APIAUTH-036', 'APIAUTH-010'],
      {
        refusedTokenIsError: () => false,
      },
    ),
    arrange(reference) {
      allow(
        reference,
        'strangers-write',
        [rule(['create'], '', resources.configMaps.resource)],
        user('system:anonymous'),
      );
    },
  },
  decides('account-token-of-any-scheme', 'a token is found behind any scheme', ['APIAUTH-029'], {
    bearerToken: ([first = '']) => {
      const token = first
        .trim()
        .split(/\s+/)
        .find((part) => part.split('.').length === 3);
      return token === undefined ? upstream.bearerToken([first]) : { kind: 'token', token };
    },
  }),
  decides('account-tokens-are-no-bearers', 'a JWT in the header is not looked at', ['APIAUTH-029'], {
    bearerToken: (values) =>
      (values[0] ?? '').split('.').length === 3 ? { kind: 'none' } : upstream.bearerToken(values),
  }),
  {
    name: 'account-tokens-not-looked-up',
    defect: 'the API server looks up no token of a Secret',
    killedBy: ['APIAUTH-027'],
    options: { authentication: { serviceAccountLookup: false } },
  },
  {
    name: 'token-file-beside-accounts',
    defect: 'the API server has a token file and a second audience',
    killedBy: [],
    // a token of a file has no end; and the file is on no disk, as this API server is given its text
    toldBy: ['P-150', 'P-174', 'P-196', 'MANI-011'],
    options: {
      authentication: {
        tokenAuthFile: `${'f'.repeat(32)},alice,1000,"auditors,readers"\n`,
        apiAudiences: ['https://kubernetes.default.svc.cluster.local', 'api'],
      },
    },
  },
];

/** Defects of the chapter bootstrap-tokens, second half: who logs in with a token and as whom. */
import { upstream } from '../reference/decisions.js';
import type { Replaced } from './arrange.js';
import { allow, bindCluster, decides, finds, group } from './arrange.js';
import { remembering } from './remembering.js';
import { decoded, Peephole } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const NOWHERE = { namespace: 'kube-system', name: 'nowhere' };
const known = (id: string): boolean => /^[a-z0-9]{6}$/.test(id);

type IdMatches = NonNullable<Replaced['tokenIdMatches']>;

/** Good is the token that was shown for the first time last. */
function newestOnly(): IdMatches {
  const seen = new Set<string>();
  let newest = '';
  return (stored, presented) => {
    if (!seen.has(presented)) newest = presented;
    seen.add(presented);
    return stored === presented && presented === newest;
  };
}

/** Good is a token that was not shown before. */
function singleUse(): IdMatches {
  const used = new Set<string>();
  return (stored, presented) => {
    if (used.has(presented)) return false;
    used.add(presented);
    return stored === presented;
  };
}

export const mutants: readonly Mutant[] = [
  {
    name: 'tokens-are-off',
    defect: 'the API server is started without --enable-bootstrap-token-auth',
    killedBy: ['AUTH-001', 'TOK-018'],
    options: { bootstrapTokenAuth: false },
  },
  decides('tokens-always-on', 'the authenticator is wired in whatever the flag says', ['AUTH-002'], {
    takesBootstrapTokens: () => true,
  }),
  decides('junk-after-the-token', 'the parser splits at the first dot and takes 16 characters', ['TOK-002'], {
    parseToken: (token) => ({
      id: token.slice(0, token.indexOf('.')),
      secret: token.slice(token.indexOf('.') + 1).slice(0, 16),
    }),
  }),
  decides('token-found-anywhere', 'the form of a token is searched for and not anchored', ['TOK-002'], {
    parseToken: (token) => {
      const [, id, secret] = /([a-z0-9]{6})\.([a-z0-9]{16})/.exec(token) ?? [];
      return id === undefined || secret === undefined ? undefined : { id, secret };
    },
  }),
  decides('token-in-any-case', 'tokens are compared without regard to capitals', ['TOK-002'], {
    parseToken: (token) => upstream.parseToken(token.toLowerCase()),
  }),
  remembering(() => {
    const ids = new Map<string, string>();
    return decides('secret-half-alone', 'the bearer of the secret half alone is let in', ['TOK-005'], {
      parseToken: (token) => {
        const parts = upstream.parseToken(token);
        if (parts !== undefined) ids.set(parts.secret, parts.id);
        const id = ids.get(token);
        return id === undefined ? parts : { id, secret: token };
      },
    });
  }),
  remembering(() =>
    decides('newest-token-only', 'a second token ends the first', ['TOK-014'], {
      tokenCacheSeconds: () => 0,
      tokenIdMatches: newestOnly(),
    }),
  ),
  remembering(() =>
    decides('single-use-tokens', 'a token is good for one login', ['TOK-018', 'TOK-014'], {
      tokenCacheSeconds: () => 0,
      tokenIdMatches: singleUse(),
    }),
  ),
  remembering(() =>
    decides(
      'newest-token-only-behind-the-cache',
      'a second token ends the first as soon as its login is forgotten',
      ['TOK-014'],
      { tokenIdMatches: newestOnly() },
    ),
  ),
  remembering(() =>
    decides(
      'single-use-tokens-behind-the-cache',
      'a token is good for one login, which is remembered for ten seconds',
      ['TOK-018', 'TOK-014'],
      { tokenIdMatches: singleUse() },
    ),
  ),
  remembering(() => {
    const peephole = new Peephole();
    return {
      ...decides('description-of-letters', 'a Secret logs nobody in but with a description of letters', ['SEC-008'], {
        tokenSecretPlace: (id) =>
          known(id) && !/^[a-z ]+$/.test(decoded(peephole.token(id), 'description'))
            ? NOWHERE
            : upstream.tokenSecretPlace(id),
      }),
      arrange: peephole.arrange,
    };
  }),
  decides('other-scheme', 'the server expects "Token" and not "Bearer"', ['AUTH-003'], {
    bearerToken: ([value = '']) =>
      value.startsWith('Token ') ? { kind: 'token', token: value.slice(6) } : { kind: 'none' },
  }),
  decides('any-scheme', 'whatever stands last in the header is taken for the token', ['AUTH-003'], {
    bearerToken: ([value = '']) =>
      value === '' ? { kind: 'none' } : { kind: 'token', token: value.split(' ').at(-1) ?? '' },
  }),
  decides('scheme-in-one-case', 'only "Bearer" with a capital is known', ['AUTH-003'], {
    bearerToken: ([value = '']) => (value.startsWith('Bearer ') ? upstream.bearerToken([value]) : { kind: 'none' }),
  }),
  decides('user-name-misspelt', 'the user is system:bootstrapper:<id>', ['AUTH-004', 'TOK-014'], {
    tokenUserName: (id) => `system:bootstrapper:${id}`,
  }),
  decides('user-name-of-a-node', 'the user is named like a node', ['AUTH-004'], {
    tokenUserName: (id) => `system:node:${id}`,
  }),
  decides('extra-groups-replace', 'extra groups replace the default group', ['AUTH-005', 'AUTH-007'], {
    tokenGroups: (extra, isGroup) =>
      extra === ''
        ? upstream.tokenGroups('', isGroup)
        : upstream.tokenGroups(extra, isGroup)?.filter((name) => name !== 'system:bootstrappers'),
  }),
  decides('first-group-only', 'only the first of several groups is used', ['AUTH-006', 'AUTH-007'], {
    tokenGroups: (extra, isGroup) =>
      extra.split(',').every((name) => name === '' || isGroup(name))
        ? upstream.tokenGroups(extra.split(',')[0] ?? '', isGroup)
        : undefined,
  }),
  decides('bearer-is-a-node', 'the server adds system:nodes so that the machine works already', ['AUTH-007'], {
    tokenGroups: (extra, isGroup) => upstream.tokenGroups(extra, isGroup)?.concat('system:nodes'),
  }),
  remembering(() => {
    const made = new Set<string>();
    return decides('tokens-read-at-start', 'tokens are read when the server starts, and not again', ['AUTH-008'], {
      newToken: (random) => {
        const token = upstream.newToken(random);
        made.add(token.slice(0, 6));
        return token;
      },
      tokenSecretPlace: (id) => (made.has(id) ? upstream.tokenSecretPlace(id) : NOWHERE),
    });
  }),
  remembering(() => {
    const peephole = new Peephole();
    return {
      ...decides('immutable-tokens-let-nobody-in', 'a Secret that does not change is not looked at', ['AUTH-008'], {
        tokenSecretPlace: (id) => (peephole.token(id)?.immutable === true ? NOWHERE : upstream.tokenSecretPlace(id)),
      }),
      arrange: peephole.arrange,
    };
  }),
  remembering(() => {
    const peephole = new Peephole();
    let isImmutable = false;
    return {
      ...decides(
        'immutable-tokens-are-for-ever',
        'what a Secret that does not change has once let in stays, and nothing else of it is looked at',
        ['AUTH-008'],
        {
          tokenSecretPlace: (id) => {
            isImmutable = peephole.token(id)?.immutable === true;
            return upstream.tokenSecretPlace(id);
          },
          tokenSecretMatches: (stored, shown) => isImmutable || upstream.tokenSecretMatches(stored, shown),
          isExpired: (expiration, now) => !isImmutable && upstream.isExpired(expiration, now),
          mayAuthenticate: (usage) => isImmutable || upstream.mayAuthenticate(usage),
          tokenGroups: (extra, isGroup) => upstream.tokenGroups(isImmutable ? '' : extra, isGroup),
          tokenCacheSeconds: (accepted) => (accepted && isImmutable ? 3600 : upstream.tokenCacheSeconds(accepted)),
        },
      ),
      arrange: peephole.arrange,
    };
  }),
  decides('id-is-enough', 'only the id is looked up', ['AUTH-009', 'AUTH-022'], { tokenSecretMatches: () => true }),
  decides('secret-begins-alike', 'the comparison stops one character early', ['AUTH-009'], {
    tokenSecretMatches: (stored, presented) => stored.slice(0, 15) === presented.slice(0, 15),
  }),
  remembering(() => {
    const peephole = new Peephole();
    let last = '';
    return {
      ...decides(
        'falls-through-to-another',
        'an unknown id falls through to the Secret of another token',
        ['AUTH-010'],
        {
          tokenSecretPlace: (id) => {
            if (!known(id) || peephole.token(id) === undefined) return upstream.tokenSecretPlace(last);
            last = id;
            return upstream.tokenSecretPlace(id);
          },
          tokenIdMatches: () => true,
        },
      ),
      arrange: peephole.arrange,
    };
  }),
  remembering(() => {
    const peephole = new Peephole();
    return {
      ...decides('any-namespace', 'Secrets are looked up in all namespaces', ['AUTH-011'], {
        tokenSecretPlace: (id) => {
          const namespace = known(id)
            ? ['default', 'kube-public'].find((name) => peephole.token(id, name) !== undefined)
            : undefined;
          return { ...upstream.tokenSecretPlace(id), ...(namespace === undefined ? {} : { namespace }) };
        },
      }),
      arrange: peephole.arrange,
    };
  }),
  decides('any-type', 'the type of the Secret is not checked', ['AUTH-012'], {
    isTokenSecret: (_type, hasData) => hasData,
  }),
  decides('token-id-unread', 'the Secret is found by its name, and its token-id is ignored', ['AUTH-013'], {
    tokenIdMatches: () => true,
  }),
  decides(
    'logins-remembered-for-an-hour',
    'logins are remembered without bound',
    ['AUTH-014', 'AUTH-016', 'AUTH-019', 'AUTH-020', 'AUTH-021', 'BOOT-011', 'LIM-021', 'SEC-017'],
    {
      tokenCacheSeconds: (accepted) => (accepted ? 3600 : 0),
    },
  ),
  decides('tokens-may-have-a-tail', 'what separates items of a list is cut off behind a token', ['TOK-002'], {
    parseToken: (token) => upstream.parseToken(token.replace(/[,;]$/, '')),
  }),
  decides('tokens-are-passwords', 'a token logs in as the password of basic authentication', ['AUTH-003'], {
    bearerToken: (values) => {
      const [, encoded] = /^basic (\S+)$/i.exec(values[0] ?? '') ?? [];
      const token = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString().split(':')[1];
      return token === undefined ? upstream.bearerToken(values) : { kind: 'token', token };
    },
  }),
  decides('deletion-under-way-is-ignored', 'a Secret that is being deleted still logs in', ['AUTH-019'], {
    refusesDeletedToken: () => false,
  }),
  remembering(() => {
    const peephole = new Peephole();
    let asked = '';
    return {
      ...decides('login-ends-a-deletion', 'a login with a token that is being deleted deletes it', ['AUTH-019'], {
        tokenSecretPlace: (id) => {
          asked = id;
          return upstream.tokenSecretPlace(id);
        },
        refusesDeletedToken: (timestamp) => {
          if (timestamp !== undefined) peephole.release(asked);
          return upstream.refusesDeletedToken(timestamp);
        },
      }),
      arrange: peephole.arrange,
    };
  }),
  decides('bad-token-is-anonymous', 'a bad token is heard as a stranger', ['AUTH-022'], {
    refusedTokenIsError: () => false,
  }),
  finds('tokens-read-secrets', 'a bearer lists the Secrets of kube-system', ['AUTH-023'], (reference) =>
    allow(
      reference,
      'token-helper',
      [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }],
      group('system:bootstrappers'),
    ),
  ),
  finds('everybody-reads-secrets', 'whoever logs in lists the Secrets of kube-system', ['AUTH-023'], (reference) =>
    allow(
      reference,
      'secret-helper',
      [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }],
      group('system:authenticated'),
    ),
  ),
  decides(
    'bootstrappers-are-nodes-to-rbac',
    'users named system:bootstrap: have hard-coded rights of nodes',
    ['AUTH-024'],
    {
      principalsOf: (user) => [
        ...upstream.principalsOf(user),
        ...(user.username.startsWith('system:bootstrap:') ? ['Group system:nodes'] : []),
      ],
    },
  ),
  finds(
    'every-token-may-join',
    'the bootstrapper role is bound to system:bootstrappers, so that every token makes nodes',
    ['AUTH-025'],
    (reference) =>
      bindCluster(reference, 'all-bootstrappers', 'system:node-bootstrapper', group('system:bootstrappers')),
  ),
  decides('requests-of-tokens-only', 'certificate requests are tied to users named system:bootstrap:', ['AUTH-026'], {
    principalsOf: (user) =>
      upstream
        .principalsOf(user)
        .filter(
          (one) => user.username.startsWith('system:bootstrap:') || !one.startsWith('Group system:bootstrappers'),
        ),
  }),
];

/**
 * Defects of the chapter bootstrap-tokens, second half: who logs in with a token and as whom, for what and for how
 * long, and who cleans up.
 */
import { upstream } from '../reference/decisions.js';
import { allow, bindCluster, group, serviceAccount } from './arrange.js';
import { decides, finds, Peephole } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const HOUR = 3_600_000;
const NOWHERE = { namespace: 'kube-system', name: 'nowhere' };
const known = (id: string): boolean => /^[a-z0-9]{6}$/.test(id);

/** Who logs in. */
const LOGIN: readonly Mutant[] = [
  {
    name: 'tokens-are-off',
    defect: 'the API server is started without --enable-bootstrap-token-auth',
    killedBy: ['AUTH-001'],
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
  (() => {
    const ids = new Map<string, string>();
    return decides('secret-half-alone', 'the bearer of the secret half alone is let in', ['TOK-005'], {
      parseToken: (token) => {
        const parts = upstream.parseToken(token);
        if (parts !== undefined) ids.set(parts.secret, parts.id);
        const id = ids.get(token);
        return id === undefined ? parts : { id, secret: token };
      },
    });
  })(),
  (() => {
    const seen = new Set<string>();
    let newest = '';
    return decides('newest-token-only', 'a second token ends the first', ['TOK-014'], {
      tokenCacheSeconds: () => 0,
      tokenIdMatches: (stored, presented) => {
        if (!seen.has(presented)) newest = presented;
        seen.add(presented);
        return stored === presented && presented === newest;
      },
    });
  })(),
  (() => {
    const used = new Set<string>();
    return decides('single-use-tokens', 'a token is good for one login', ['TOK-018', 'TOK-014'], {
      tokenCacheSeconds: () => 0,
      tokenIdMatches: (stored, presented) => {
        if (used.has(presented)) return false;
        used.add(presented);
        return stored === presented;
      },
    });
  })(),
  (() => {
    const seen = new Set<string>();
    let newest = '';
    return decides(
      'newest-token-only-behind-the-cache',
      'a second token ends the first as soon as its login is forgotten',
      ['TOK-014'],
      {
        tokenIdMatches: (stored, presented) => {
          if (!seen.has(presented)) newest = presented;
          seen.add(presented);
          return stored === presented && presented === newest;
        },
      },
    );
  })(),
  (() => {
    const used = new Set<string>();
    return decides(
      'single-use-tokens-behind-the-cache',
      'a token is good for one login, which is remembered for ten seconds',
      ['TOK-018', 'TOK-014'],
      {
        tokenIdMatches: (stored, presented) => {
          if (used.has(presented)) return false;
          used.add(presented);
          return stored === presented;
        },
      },
    );
  })(),
  (() => {
    const peephole = new Peephole();
    return {
      ...decides('description-is-required', 'a Secret without description logs nobody in', ['SEC-008'], {
        tokenSecretPlace: (id) =>
          known(id) && (peephole.token(id)?.data?.description ?? '') === '' ? NOWHERE : upstream.tokenSecretPlace(id),
      }),
      arrange: peephole.arrange,
    };
  })(),
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
  (() => {
    const made = new Set<string>();
    return decides('tokens-read-at-start', 'tokens are read when the server starts, and not again', ['AUTH-008'], {
      newToken: (random) => {
        const token = upstream.newToken(random);
        made.add(token.slice(0, 6));
        return token;
      },
      tokenSecretPlace: (id) => (made.has(id) ? upstream.tokenSecretPlace(id) : NOWHERE),
    });
  })(),
  decides('id-is-enough', 'only the id is looked up', ['AUTH-009', 'AUTH-022'], { tokenSecretMatches: () => true }),
  decides('secret-begins-alike', 'the comparison stops one character early', ['AUTH-009'], {
    tokenSecretMatches: (stored, presented) => stored.slice(0, 15) === presented.slice(0, 15),
  }),
  (() => {
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
  })(),
  (() => {
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
  })(),
  decides('any-type', 'the type of the Secret is not checked', ['AUTH-012'], {
    isTokenSecret: (_type, hasData) => hasData,
  }),
  decides('token-id-unread', 'the Secret is found by its name, and its token-id is ignored', ['AUTH-013'], {
    tokenIdMatches: () => true,
  }),
  decides(
    'logins-remembered-for-an-hour',
    'logins are remembered without bound',
    ['AUTH-014', 'AUTH-016', 'AUTH-019', 'AUTH-020', 'AUTH-021', 'SEC-017'],
    {
      tokenCacheSeconds: (accepted) => (accepted ? 3600 : 0),
    },
  ),
  decides('deletion-under-way-is-ignored', 'a Secret that is being deleted still logs in', ['AUTH-019'], {
    refusesDeletedToken: () => false,
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

const signing = upstream.signingToken;
const withUsage = (secret: Parameters<typeof signing>[0]): Parameters<typeof signing>[0] => ({
  ...secret,
  data: { ...secret.data, 'usage-bootstrap-signing': Buffer.from('true') },
});

/** What a token is good for, and for how long. */
const USE_AND_LIFE: readonly Mutant[] = [
  decides('usage-is-truthy', 'a usage is on unless it is "false"', ['SEC-013'], {
    mayAuthenticate: (usage) => usage !== '' && usage !== 'false',
  }),
  decides('signing-is-truthy', 'the usage for signing is on unless it is "false"', ['SEC-013'], {
    signingToken: (secret, expiration, now) => {
      const usage = secret.data['usage-bootstrap-signing']?.toString() ?? '';
      return signing(usage === '' || usage === 'false' ? secret : withUsage(secret), expiration, now);
    },
  }),
  decides('absent-usage-is-on', 'an absent key means that the usage is on', ['SEC-014', 'AUTH-017', 'SEC-025'], {
    mayAuthenticate: (usage) => usage === '' || usage === 'true',
  }),
  decides(
    'usages-are-not-read',
    'the usage for authentication is never looked at',
    ['SEC-013', 'SEC-014', 'AUTH-016', 'AUTH-017'],
    {
      mayAuthenticate: () => true,
    },
  ),
  decides('any-usage-is-all', 'any key with the prefix grants all usages', ['SEC-025'], {
    signingToken: (secret, expiration, now) => {
      const any = Object.entries(secret.data).some(
        ([key, value]) => key.startsWith('usage-bootstrap-') && value.toString() === 'true',
      );
      return signing(any ? withUsage(secret) : secret, expiration, now);
    },
  }),
  decides(
    'groups-copied-verbatim',
    'groups are taken as they stand: who edits the Secret makes an administrator',
    ['AUTH-018', 'SEC-017'],
    {
      tokenGroups: (extra) => ['system:bootstrappers', ...extra.split(',').filter(Boolean)],
    },
  ),
  decides('bad-groups-are-dropped', 'a bad group is left out and the login goes on', ['AUTH-018', 'SEC-017'], {
    tokenGroups: (extra, isGroup) => upstream.tokenGroups(extra.split(',').filter(isGroup).join(','), isGroup),
  }),
  decides('no-expiration-is-expired', 'a missing expiration counts as passed', ['SEC-009'], {
    isExpired: (expiration, now) => expiration.kind === 'never' || upstream.isExpired(expiration, now),
  }),
  decides('offset-is-dropped', 'the offset of an expiration is thrown away', ['SEC-011', 'CLEAN-003'], {
    readExpiration: (text) => upstream.readExpiration(text.replace(/[+-]\d\d:\d\d$/, 'Z')),
  }),
  decides('expiry-left-to-cleaner', 'a token logs in until the cleaner has deleted it', ['AUTH-014'], {
    isExpired: () => false,
  }),
  decides('unreadable-is-for-ever', 'an expiration that cannot be read never passes', ['AUTH-015', 'CLEAN-008'], {
    readExpiration: (text) => {
      const read = upstream.readExpiration(text);
      return read.kind === 'unreadable' ? { kind: 'never' } : read;
    },
  }),
  decides(
    'dates-as-javascript-reads-them',
    'expirations are read with Date.parse',
    ['AUTH-015', 'AUTH-021', 'CLEAN-008'],
    {
      readExpiration: (text) => {
        const at = Date.parse(text);
        return text === '' ? { kind: 'never' } : Number.isNaN(at) ? { kind: 'unreadable' } : { kind: 'at', at };
      },
    },
  ),
  decides('expires-eight-hours-early', 'an expiration is read as local time, eight hours too early', ['AUTH-021'], {
    isExpired: (expiration, now) => upstream.isExpired(expiration, now + 8 * HOUR),
  }),
  decides('expires-a-minute-late', 'a token logs in for a minute after its expiration', ['AUTH-021'], {
    isExpired: (expiration, now) => upstream.isExpired(expiration, now - 60_000),
    cleanerDeletes: (secret, expiration, now, armed) =>
      upstream.cleanerDeletes(secret, expiration, now - 60_000, armed),
  }),
];

/** Who cleans up. */
const CLEANING: readonly Mutant[] = [
  {
    name: 'no-cleaner',
    defect: 'kube-controller-manager runs without tokencleaner',
    killedBy: ['CLEAN-001'],
    options: { controllers: { tokencleaner: false } },
  },
  {
    name: 'cleaner-and-nothing-else',
    defect: '--controllers names tokencleaner without *',
    killedBy: ['CLEAN-001'],
    options: { extraArgs: { 'kube-controller-manager': { controllers: 'bootstrapsigner,tokencleaner' } } },
  },
  decides('cleaner-deletes-nothing', 'an expired Secret stays for ever', ['CLEAN-002'], {
    cleanerDeletes: () => false,
  }),
  decides('cleaner-wants-a-name', 'the cleaner deletes only what is named like a token', ['CLEAN-002'], {
    cleanerWatchesSecret: (secret) =>
      upstream.cleanerWatchesSecret(secret) && secret.name.startsWith('bootstrap-token-'),
  }),
  decides('cleaner-comes-early', 'the cleaner deletes what expires within two hours', ['CLEAN-003'], {
    cleanerDeletes: (secret, expiration, now, armed) =>
      upstream.cleanerDeletes(secret, expiration, now + 2 * HOUR, armed),
  }),
  decides(
    'cleaner-comes-round',
    'a cleaner of their own comes round every 20 seconds and deletes what expires within two hours',
    ['CLEAN-003', 'CLEAN-009'],
    {
      cleanerLooksAgain: (_expiration, now) => now + 20_000,
      cleanerDeletes: (secret, expiration, now, armed) =>
        upstream.cleanerDeletes(secret, expiration, armed === undefined ? now : now + 2 * HOUR, armed),
    },
  ),
  decides('cleaner-reads-nothing-as-zero', 'a missing expiration is read as the beginning of time', ['CLEAN-004'], {
    cleanerDeletes: (secret, expiration, now, armed) =>
      expiration.kind === 'never' || upstream.cleanerDeletes(secret, expiration, now, armed),
  }),
  decides(
    'cleaner-goes-by-key',
    'the cleaner takes every Secret of kube-system that has an expiration',
    ['CLEAN-005'],
    {
      cleanerWatchesSecret: (secret) => secret.namespace === 'kube-system' && secret.data.expiration !== undefined,
    },
  ),
  {
    ...decides('cleaner-in-all-namespaces', 'the cleaner deletes in every namespace', ['CLEAN-006'], {
      cleanerWatchesSecret: (secret) => secret.type === 'bootstrap.kubernetes.io/token',
    }),
    arrange: (reference) =>
      allow(
        reference,
        'cleaner-everywhere',
        [{ verbs: ['get', 'list', 'watch', 'delete'], apiGroups: [''], resources: ['secrets'] }],
        serviceAccount('token-cleaner'),
      ),
  },
  (() => {
    const peephole = new Peephole();
    let asked = '';
    return {
      ...decides('login-deletes', 'a login with an expired token deletes its Secret', ['CLEAN-007', 'AUTH-014'], {
        tokenSecretPlace: (id) => {
          asked = id;
          return upstream.tokenSecretPlace(id);
        },
        isExpired: (expiration, now) => {
          const expired = upstream.isExpired(expiration, now);
          if (expired && peephole.token(asked) !== undefined) peephole.remove(asked);
          return expired;
        },
      }),
      arrange: peephole.arrange,
    };
  })(),
  decides('cleaner-stumbles', 'the cleaner leaves alone what it cannot read', ['CLEAN-008'], {
    cleanerDeletes: (_secret, expiration, now) => expiration.kind === 'at' && expiration.at <= now,
  }),
  decides(
    'cleaner-keeps-its-timer',
    'a timer that was set once deletes, whatever the Secret says by then',
    ['CLEAN-009'],
    {
      cleanerDeletes: (secret, expiration, now, armed) =>
        armed !== undefined || upstream.cleanerDeletes(secret, expiration, now, armed),
    },
  ),
  decides('signer-deaf-to-deletions', 'signatures of cleaned tokens stay', ['CLEAN-010', 'SIGN-006'], {
    signerWakes: (event) => event.type !== 'DELETED' && upstream.signerWakes(event),
  }),
];

export const mutants: readonly Mutant[] = [...LOGIN, ...USE_AND_LIFE, ...CLEANING];

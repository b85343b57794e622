/** Defects of the chapter bootstrap-tokens: what is shown to the API server, and what it makes of that. */
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import { upstream } from '../reference/decisions.js';
import { ALL_RIGHTS, allow, decides, group, type Replaced, rule, user } from './arrange.js';
import { remembering } from './remembering.js';
import { Peephole } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

/** Rules in which somebody is refused beside somebody who is not. */
const REFUSING = [
  ...['TOK-002', 'TOK-005', 'TOK-014', 'SEC-011', 'SEC-013', 'SEC-014', 'SEC-017', 'SEC-025'],
  ...['AUTH-002', 'AUTH-003', 'AUTH-008', 'AUTH-009', 'AUTH-010', 'AUTH-011', 'AUTH-012', 'AUTH-013', 'AUTH-014'],
  ...['AUTH-015', 'AUTH-016', 'AUTH-017', 'AUTH-018', 'AUTH-019', 'AUTH-020', 'AUTH-021', 'AUTH-022'],
  ...['CLEAN-007', 'P-90', 'P-92'],
];

type Header = NonNullable<Replaced['bearerToken']>;
const bearer: Header = upstream.bearerToken;

/** The texts of tokens. */
const TEXTS: readonly Mutant[] = [
  decides('everybody-is-a-bootstrapper', 'whoever is nobody is heard as the bearer of some token', REFUSING, {
    refusedTokenIsError: () => false,
    anonymousUser: () => ({
      username: 'system:bootstrap:nobody',
      groups: ['system:bootstrappers', 'system:authenticated'],
    }),
  }),
  decides(
    'proxy-tidies-tokens',
    'a proxy before the API server lowers, decodes, normalizes and trims tokens',
    ['TOK-002', 'AUTH-009', 'AUTH-010', 'AUTH-022'],
    {
      parseToken: (token) => {
        const decoded = /%[0-9a-f]{2}/i.test(token) ? decodeURIComponent(token) : token;
        const tidy = decoded.normalize('NFKC').replace(/[^a-zA-Z0-9.]|\.junk$/g, '');
        return upstream.parseToken(tidy.replace('..', '.').toLowerCase());
      },
    },
  ),
  decides('token-in-base64-too', 'the base64 of a token is taken for the token', ['TOK-002'], {
    parseToken: (token) =>
      upstream.parseToken(token) ?? upstream.parseToken(Buffer.from(token, 'base64').toString('latin1')),
  }),
  decides('long-tokens-are-cut', 'what is longer than a hundred characters is cut, and then looked at', ['TOK-002'], {
    parseToken: (token) => upstream.parseToken(token.length > 100 ? token.slice(0, 23) : token),
  }),
  decides('id-in-any-case', 'the id is looked up in lower case, whatever is shown', ['TOK-002', 'AUTH-010'], {
    parseToken: (token) => upstream.parseToken(token.slice(0, 6).toLowerCase() + token.slice(6)),
  }),
  remembering(() => {
    const halves = new Set<string>();
    return decides('half-of-any-token', 'any secret half that was ever right is right', ['AUTH-009', 'TOK-005'], {
      tokenSecretMatches: (stored, presented) => {
        halves.add(stored);
        return halves.has(presented);
      },
    });
  }),
  decides(
    'half-compared-loosely',
    'a secret half is compared without regard to blanks, capitals and the order of its characters',
    ['AUTH-009'],
    {
      tokenSecretMatches: (stored, presented) =>
        [...stored.trim().toLowerCase()].sort().join('') === [...presented].sort().join(''),
    },
  ),
  decides('empty-half-fits-all', 'a Secret without secret half takes every one', ['AUTH-009'], {
    tokenSecretMatches: (stored, presented) => stored === '' || stored.startsWith(presented),
  }),
  decides('id-compared-loosely', 'the token-id is compared without regard to blanks and capitals', ['AUTH-013'], {
    tokenIdMatches: (stored, presented) => stored.trim().toLowerCase() === presented,
  }),
  decides('type-compared-loosely', 'every type that resembles that of a token is one', ['AUTH-012'], {
    isTokenSecret: (type = '', hasData) => hasData && type.toLowerCase().includes('bootstrap.kubernetes.io/toke'),
  }),
  decides('refusals-remembered', 'a refused token stays refused for a minute', ['AUTH-008'], {
    tokenCacheSeconds: (accepted) => (accepted ? 10 : 60),
  }),
  decides('logins-remembered-a-little-longer', 'logins are remembered for 15 seconds', ['AUTH-019', 'AUTH-020'], {
    tokenCacheSeconds: (accepted) => (accepted ? 15 : 0),
  }),
  remembering(() => {
    const first = new Map<string, string>();
    let asked = '';
    return decides('half-read-once', 'the secret half of a token is read at its first login, and kept', ['AUTH-020'], {
      tokenSecretPlace: (id) => {
        asked = id;
        return upstream.tokenSecretPlace(id);
      },
      tokenSecretMatches: (stored, presented) => {
        const kept = first.get(asked) ?? stored;
        first.set(asked, kept);
        return upstream.tokenSecretMatches(kept, presented);
      },
    });
  }),
];

/** Headers and what else a request shows. */
const HEADERS: readonly Mutant[] = [
  decides('last-header-decides', 'of several Authorization headers the last one is read', ['P-90'], {
    bearerToken: (values) => bearer([values.at(-1) ?? '']),
  }),
  decides('any-header-will-do', 'the first of several headers that carries a token is read', ['P-90'], {
    bearerToken: (values) =>
      values.map((value) => bearer([value])).find(({ kind }) => kind === 'token') ?? { kind: 'none' },
  }),
  decides('empty-headers-are-passed-over', 'the first of several headers that says anything is read', ['P-90'], {
    bearerToken: (values) => bearer(values.filter((value) => value !== '')),
  }),
  decides(
    'scheme-read-loosely',
    '"Bearer" is known by its beginning, wherever it stands, with any blanks or signs behind it',
    ['AUTH-003'],
    {
      bearerToken: ([value = '']) => {
        const [, token] = /\bbear\w*[:,]?\s*(\S+)/i.exec(value) ?? [];
        return token === undefined ? { kind: 'none' } : { kind: 'token', token };
      },
    },
  ),
  decides('whole-rest-is-the-token', 'what stands behind the token is taken for a part of it', ['AUTH-003'], {
    bearerToken: ([value = '']) =>
      /^bearer /i.test(value) ? { kind: 'token', token: value.slice(7) } : { kind: 'none' },
  }),
  decides('bearer-has-a-uid', 'the user of a token has a uid and an extra', ['P-91'], {
    withCommonGroups: (known) => {
      const { username } = known;
      const common = upstream.withCommonGroups(known);
      return username.startsWith('system:bootstrap:') ? { ...common, uid: '1', extra: { by: ['token'] } } : common;
    },
  }),
  decides('refusals-tell-why', 'a 401 tells its cause', ['P-92'], { unauthorizedMessage: (cause) => cause }),
  decides('certificate-of-anybody', 'a certificate that nobody knows is believed before a token', ['P-93'], {
    chainIsTrusted: () => true,
  }),
];

/** Whom a bearer is taken for. */
const USERS: readonly Mutant[] = [
  remembering(() => {
    const ids = new Set<string>();
    return decides(
      'token-of-a-file-too',
      'the token of init also stands in a file of tokens, for an administrator',
      ['AUTH-004', 'AUTH-005', 'AUTH-006', 'AUTH-007', 'AUTH-023'],
      {
        newToken: (random) => {
          const token = upstream.newToken(random);
          ids.add(token.slice(0, 6));
          return token;
        },
        tokenUserName: (id) => (ids.has(id) ? 'deployer' : upstream.tokenUserName(id)),
        withCommonGroups: (known) =>
          known.username === 'deployer'
            ? { ...known, groups: ['system:masters', 'system:authenticated'] }
            : upstream.withCommonGroups(known),
      },
    );
  }),
  decides('bearer-is-not-authenticated', 'a bearer is not in system:authenticated', ['AUTH-007'], {
    withCommonGroups: (known) =>
      known.username.startsWith('system:bootstrap:') ? known : upstream.withCommonGroups(known),
  }),
  decides('bearer-loses-its-default-group', 'a bearer is not in system:bootstrappers', ['AUTH-005', 'AUTH-007'], {
    tokenGroups: (extra, isGroup) =>
      upstream.tokenGroups(extra, isGroup)?.filter((name) => name !== 'system:bootstrappers'),
  }),
  decides('last-group-is-lost', 'the last of several groups is lost', ['AUTH-006', 'AUTH-007'], {
    tokenGroups: (extra, isGroup) => {
      const groups = upstream.tokenGroups(extra, isGroup);
      return groups !== undefined && groups.length > 2 ? groups.slice(0, -1) : groups;
    },
  }),
  decides('short-groups-are-refused', 'a group whose name is one character long is refused', ['AUTH-006'], {
    isBootstrapGroup: (name) => upstream.isBootstrapGroup(name) && !/:.$/.test(name),
  }),
  decides('groups-of-any-length', 'a group may be longer than Kubernetes lets it be', ['AUTH-018'], {
    isBootstrapGroup: (name) => upstream.isBootstrapGroup(name.replace(/a{257,}/, 'a')),
  }),
  decides('long-groups-are-refused', 'a group whose name is longer than 128 characters is refused', ['AUTH-006'], {
    isBootstrapGroup: (name) => upstream.isBootstrapGroup(name) && name.length <= 128,
  }),
  decides('groups-by-their-beginning', 'every group that begins like a good one is good', ['AUTH-018', 'SEC-017'], {
    tokenGroups: (extra) => ['system:bootstrappers', ...extra.split(/[,;\n]/).map((name) => name.trim())],
  }),
  decides('groups-of-now', 'groups are taken as they stand, and logins are not remembered', ['SEC-017'], {
    tokenCacheSeconds: () => 0,
    tokenGroups: (extra) => ['system:bootstrappers', ...extra.split(',').filter(Boolean)],
  }),
];

const UNKNOWN_USAGE = 'usage-bootstrap-admin';

/** What a bearer may do. */
const RIGHTS: readonly Mutant[] = [
  {
    ...decides('bearers-are-masters', 'users named system:bootstrap: have hidden rights to everything', ['AUTH-024'], {
      principalsOf: (known) => [
        ...upstream.principalsOf(known),
        ...(known.username.startsWith('system:bootstrap:') ? ['User shadow'] : []),
      ],
    }),
    arrange: (reference) => allow(reference, 'shadow', ALL_RIGHTS, user('shadow')),
  },
  {
    ...decides(
      'bearers-read-config-maps',
      'users named system:bootstrap: have a hidden right to read ConfigMaps',
      ['AUTH-024', 'LIM-012'],
      {
        principalsOf: (known) => [
          ...upstream.principalsOf(known),
          ...(known.username.startsWith('system:bootstrap:') ? ['User shadow'] : []),
        ],
      },
    ),
    arrange: (reference) =>
      allow(reference, 'shadow', [rule(['get', 'list', 'watch'], '', 'configmaps')], user('shadow')),
  },
  decides('bearers-lose-their-groups', 'what is bound to groups of tokens is not theirs', ['AUTH-024'], {
    principalsOf: (known) =>
      upstream
        .principalsOf(known)
        .filter((one) => !known.username.startsWith('system:bootstrap:') || !one.startsWith('Group system:boot')),
  }),
  remembering(() => {
    const peephole = new Peephole();
    const isAdmin = (username: string): boolean =>
      peephole.token(username.slice(-6), KUBE_SYSTEM)?.data?.[UNKNOWN_USAGE] !== undefined;
    return {
      ...decides('unknown-usage-opens', 'a usage that nobody knows gives hidden rights', ['SEC-025'], {
        principalsOf: (known) => [
          ...upstream.principalsOf(known),
          ...(isAdmin(known.username) ? ['Group system:nodes'] : []),
        ],
      }),
      arrange: peephole.arrange,
    };
  }),
  remembering(() => {
    const peephole = new Peephole();
    let asked = '';
    return {
      ...decides('unknown-usage-is-a-group', 'a usage that nobody knows gives a group', ['SEC-025'], {
        tokenSecretPlace: (id) => {
          asked = id;
          return upstream.tokenSecretPlace(id);
        },
        tokenGroups: (extra, isGroup) => {
          const more = peephole.token(asked)?.data?.[UNKNOWN_USAGE] === undefined ? [] : ['system:bootstrappers:admin'];
          return upstream.tokenGroups(extra, isGroup)?.concat(more);
        },
      }),
      arrange: peephole.arrange,
    };
  }),
  {
    name: 'tokens-read-roles',
    defect: 'a bearer reads the roles of the cluster',
    killedBy: ['AUTH-023'],
    arrange: (reference) => {
      const roles = { verbs: ['list'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] };
      allow(reference, 'role-readers', [roles], group('system:bootstrappers'));
    },
  },
];

export const mutants: readonly Mutant[] = [...TEXTS, ...HEADERS, ...USERS, ...RIGHTS];

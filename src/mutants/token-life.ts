/** Defects of the chapter bootstrap-tokens, second half: what a token is for and for how long, and who cleans up. */
import { upstream } from '../reference/decisions.js';
import { allow, decides, serviceAccount } from './arrange.js';
import { remembering } from './remembering.js';
import { Peephole } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const HOUR = 3_600_000;

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
  decides(
    'signs-whatever-the-usage-says',
    'the usage for signing is never looked at',
    ['SEC-013', 'SEC-014', 'SEC-025'],
    { signingToken: (secret, expiration, now) => signing(withUsage(secret), expiration, now) },
  ),
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
  decides(
    'times-within-a-month',
    'an expiration counts as passed unless it is one to sixty days away',
    ['AUTH-021', 'SEC-011'],
    {
      isExpired: (expiration, now) =>
        expiration.kind === 'at' && (expiration.at < now + 24 * HOUR || expiration.at > now + 60 * 24 * HOUR),
    },
  ),
  decides('expires-three-seconds-early', 'a token ends three seconds too early', ['AUTH-021'], {
    isExpired: (expiration, now) => upstream.isExpired(expiration, now + 3_000),
  }),
  decides('expires-two-seconds-late', 'a token ends two seconds too late, where nobody cleans', ['AUTH-014'], {
    isExpired: (expiration, now) => upstream.isExpired(expiration, now - 2_000),
  }),
  decides('times-read-loosely', 'an expiration is trimmed, and read whatever its case', ['AUTH-015', 'CLEAN-008'], {
    readExpiration: (text) => upstream.readExpiration(text.trim().toUpperCase().replace(/:60Z$/, ':59Z')),
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
  decides('cleaner-deletes-nothing', 'an expired Secret stays for ever', ['CLEAN-002', 'CLEAN-008'], {
    cleanerDeletes: () => false,
  }),
  decides('cleaner-wants-a-name', 'the cleaner deletes only what is named like a token', ['CLEAN-002'], {
    cleanerWatchesSecret: (secret) =>
      upstream.cleanerWatchesSecret(secret) && secret.name.startsWith('bootstrap-token-'),
  }),
  decides(
    'cleaner-deletes-every-token',
    'every token is deleted, whatever its expiration says',
    ['CLEAN-003', 'CLEAN-004'],
    { cleanerDeletes: () => true },
  ),
  decides('cleaner-comes-ten-seconds-early', 'a token is deleted ten seconds before its time is over', ['CLEAN-003'], {
    cleanerLooksAgain: (expiration, now) => {
      const at = upstream.cleanerLooksAgain(expiration, now);
      return at === undefined ? undefined : Math.max(at - 10_000, now);
    },
    cleanerDeletes: (secret, expiration, now, armed) =>
      upstream.cleanerDeletes(secret, expiration, now + 10_000, armed),
  }),
  decides('cleaner-reads-too-much', 'the cleaner deletes only what would log in but for its time', ['CLEAN-002'], {
    cleanerWatchesSecret: (secret) =>
      upstream.cleanerWatchesSecret(secret) &&
      secret.data['usage-bootstrap-authentication']?.toString() === 'true' &&
      secret.name === `bootstrap-token-${secret.data['token-id']?.toString() ?? ''}`,
  }),
  decides('cleaner-takes-types-alike', 'every type that resembles that of a token is cleaned', ['CLEAN-005'], {
    cleanerWatchesSecret: (secret) =>
      secret.namespace === 'kube-system' && secret.type.toLowerCase().startsWith('bootstrap.kubernetes.io/token'),
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
  decides('blanks-are-for-ever', 'an expiration of blanks is none', ['AUTH-015'], {
    readExpiration: (text) => upstream.readExpiration(text.trim() === '' ? '' : text),
  }),
  decides('cleaner-takes-what-is-no-token', 'a Secret of the type that is no token is deleted', ['CLEAN-004'], {
    cleanerDeletes: (secret, expiration, now, armed) =>
      secret.data['token-id'] === undefined || upstream.cleanerDeletes(secret, expiration, now, armed),
  }),
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
  remembering(() => {
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
  }),
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

export const mutants: readonly Mutant[] = [...USE_AND_LIFE, ...CLEANING];

import {
  another,
  asking,
  caDataIn,
  decidesJoining,
  failing,
  isFor,
  isLook,
  sending,
  textOf,
  without,
  withoutToken,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

export const mutants: readonly Mutant[] = [
  decidesJoining(
    'join-token-at-first-look',
    'the first look shows the token',
    [
      'BOOT-005',
      'BOOT-006',
      'DISC-003',
      'DISC-004',
      'DISC-007',
      'DISC-008',
      'DISC-009',
      'DISC-010',
      'DISC-013',
      'DISC-014',
      'DISC-015',
      'DISC-016',
      'DISC-017',
      'DISC-020',
      'DISC-021',
      'DISC-022',
      'DISC-023',
      'JOIN-001',
      'JWS-009',
      'JWS-010',
      'JWS-011',
      'JWS-012',
      'JWS-013',
      'LIFE-018',
      'PIN-001',
      'PIN-002',
      'PIN-003',
      'PIN-004',
      'PIN-005',
      'PIN-008',
      'PIN-010',
    ],
    {
      fetchToken: (fetch, token) => (fetch === 'first' ? token : undefined),
    },
  ),
  decidesJoining(
    'join-token-at-second-look',
    'the second look shows the token',
    ['BOOT-005', 'DISC-016', 'DISC-017', 'DISC-020', 'DISC-021', 'DISC-022'],
    {
      fetchToken: (fetch, token) => (fetch === 'second' ? token : undefined),
    },
  ),
  another(
    'join-token-in-version',
    'the version is asked with the token before anything else',
    ['DISC-004', 'DISC-022'],
    {
      wire: asking(async (question, wire) => {
        if (isLook(question) && question.trust === 'anybody') {
          const url = question.url.replace(/\/api\/.*$/, '/version');
          await wire.exchange({ ...question, url, headers: { authorization: 'Bearer abcdef.0123456789abcdef' } });
        }
        return wire.exchange(question);
      }),
    },
  ),
  another(
    'join-asks-elsewhere-first',
    'the API groups are asked for before cluster-info',
    ['DISC-003', 'DISC-004', 'DISC-009', 'DISC-010'],
    {
      wire: asking(async (question, wire) => {
        if (isLook(question)) await wire.exchange({ ...question, url: question.url.replace(/\/api\/.*$/, '/apis') });
        return wire.exchange(question);
      }),
    },
  ),
  decidesJoining('join-verifies-first-look', 'the first look believes authorities of the host only', ['DISC-005'], {
    firstTrust: () => 'host',
  }),
  decidesJoining('join-http-at-first', 'the first look is over http, since no CA is known', ['DISC-006'], {
    discoveryServer: (fetch, endpoint) => `${fetch === 'first' ? 'http' : 'https'}://${endpoint}`,
  }),
  another('join-falls-back-to-http', 'a look that fails over TLS is taken again without', ['DISC-006'], {
    wire: (wire) => ({
      exchange: async (question) => {
        const answer = await wire.exchange(question);
        const isFailed = isLook(question) && answer.kind !== 'answer';
        return isFailed ? wire.exchange({ ...question, url: question.url.replace(/^https:/, 'http:') }) : answer;
      },
    }),
  }),
  decidesJoining('join-gives-up-at-once', 'the first failure ends discovery', ['DISC-007', 'P-112'], {
    asksAgain: () => false,
    repeatsAfter: () => undefined,
    repeatsFailed: () => undefined,
  }),
  decidesJoining('join-goes-on-unknown', 'by file, who is refused or not found is taken for an answer', ['P-112'], {
    goesOnWithFile: (status) => status === 403 || status === 401 || status === 404,
  }),
  decidesJoining('join-gives-up-halfway', 'discovery takes a third of its time', ['DISC-007', 'DISC-008'], {
    fetchTimeout: (_, timeout) => timeout / 3,
  }),
  decidesJoining('join-second-look-is-short', 'the second look has five seconds, whatever was told', ['DISC-007'], {
    fetchTimeout: (which, timeout) => (which === 'second' ? Math.min(timeout, 5_000) : timeout),
  }),
  decidesJoining('join-overruns', 'discovery takes three times as long as it may', ['DISC-009', 'DISC-010'], {
    fetchTimeout: (_, timeout) => timeout * 3 + 12_000,
  }),
  decidesJoining(
    'join-signature-not-waited-for',
    'a cluster-info without the own signature is an error at once',
    ['DISC-008', 'DISC-009'],
    {
      waitsForSignature: () => false,
    },
  ),
  decidesJoining('join-five-seconds-at-least', 'discovery takes five seconds even where it has less', ['DISC-010'], {
    fetchTimeout: (_, timeout) => Math.max(timeout, 5_000),
  }),
  another(
    'join-sleeps-first',
    'the first look comes after a pause',
    ['DISC-010', 'DISC-012', 'DISC-018', 'DISC-019', 'JOIN-010'],
    {
      wire: (wire, clock) => ({
        async exchange(question) {
          if (isLook(question) && question.trust === 'anybody') await clock.sleep(2_000);
          return wire.exchange(question);
        },
      }),
    },
  ),
  another(
    'join-looks-twice',
    'every look is made twice',
    ['DISC-009', 'DISC-012', 'DISC-017', 'DISC-018', 'DISC-019', 'DISC-020', 'DISC-021', 'FDISC-009', 'JOIN-010'],
    {
      wire: asking(async (question, wire) => {
        if (isLook(question)) await wire.exchange(question);
        return wire.exchange(question);
      }),
    },
  ),
  another('join-discovers-again', 'a later phase discovers anew', ['DISC-012', 'JOIN-010'], {
    wire: asking(async (question, wire) => {
      const url = question.url.replace(/kube-system\/configmaps\/[^?]*/, 'kube-public/configmaps/cluster-info');
      if (isFor('kubeadm-config', question)) await wire.exchange(withoutToken({ ...question, url }));
      return wire.exchange(question);
    }),
  }),
  decidesJoining(
    'join-looks-once',
    'cluster-info is not read a second time',
    ['DISC-012', 'DISC-016', 'DISC-017', 'DISC-018', 'DISC-020', 'DISC-021', 'JOIN-010'],
    { fetchesAgain: () => false },
  ),
  decidesJoining(
    'join-looks-once-if-renounced',
    'pins beside the permission to skip them spare the second look',
    ['DISC-016'],
    {
      fetchesAgain: (pins, skips) => pins.length > 0 && !skips,
    },
  ),
  another(
    'join-second-look-unverified',
    'looks that have a CA believe any certificate all the same',
    ['DISC-016', 'FDISC-005'],
    {
      wire: sending((question) => (isLook(question) ? { ...question, trust: 'anybody' } : question)),
    },
  ),
  decidesJoining('join-second-look-once', 'a second look that fails is not repeated', ['DISC-007'], {
    asksAgain: (_, fetch) => fetch === 'first',
  }),
  decidesJoining('join-copies-not-compared', 'the second copy is not compared', ['DISC-017', 'DISC-020', 'DISC-021'], {
    isSameCopy: () => true,
  }),
  decidesJoining(
    'join-compares-ca-only',
    'of the two copies only the CA is compared',
    ['DISC-017', 'DISC-020', 'DISC-021'],
    {
      isSameCopy: (first, second = '') => caDataIn(first) === caDataIn(second),
    },
  ),
  decidesJoining('join-compares-trimmed', 'blanks around the copies are not compared', ['DISC-017'], {
    isSameCopy: (first, second = '') => first.trim() === second.trim(),
  }),
  another(
    'join-compares-whole-map',
    'the whole ConfigMap is compared, with its version',
    ['DISC-007', 'DISC-008', 'DISC-017'],
    {
      wire: (wire) => {
        let before: string | undefined;
        return {
          async exchange(question) {
            const answer = await wire.exchange(question);
            if (!isLook(question) || answer.kind !== 'answer') return answer;
            before ??= textOf(answer);
            return before === textOf(answer) ? answer : failing({ cause: 'other', why: 'it has changed' });
          },
        };
      },
    },
  ),
  decidesJoining(
    'join-second-look-elsewhere',
    'the second look goes to the server that the first copy names',
    ['DISC-018'],
    {
      discoveryServer: (fetch, endpoint, server) => (fetch === 'first' ? `https://${endpoint}` : server),
    },
  ),
  another('join-path-refused', 'an endpoint with a path is none', ['DISC-018'], {
    configuration: without(({ discovery }) => discovery.bootstrapToken?.apiServerEndpoint.includes('/') === true),
  }),
  another('join-capitals-refused', 'an endpoint in capitals is none', ['DISC-018'], {
    configuration: without(({ discovery }) => /[A-Z]/.test(discovery.bootstrapToken?.apiServerEndpoint ?? '')),
  }),
];

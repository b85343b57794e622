import type { Wire, WireAnswer } from '../kubernetes/wire.js';
import {
  another,
  asking,
  believing,
  decidesJoining,
  failing,
  ignoring,
  isLook,
  isRegistering,
  sending,
  textOf,
  upstream,
  withoutToken,
} from './joining-hooks.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

/** The first good cluster-info that it has ever seen. */
function remembered(): (question: { readonly url: string }, ask: () => Promise<WireAnswer>) => Promise<WireAnswer> {
  let kept: WireAnswer | undefined;
  return async (question, ask) => {
    if (!isLook(question)) return ask();
    if (kept !== undefined) return kept;
    const answer = await ask();
    if (answer.kind === 'answer' && answer.status === 200) kept = answer;
    return answer;
  };
}

/** As whoever reads cluster-info as any other kubeconfig. */
const showingTheUser = (wire: Wire): Wire => {
  let token: string | undefined;
  return {
    exchange: async (question) => {
      const { headers } = question;
      const shown =
        token === undefined || headers.authorization === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await wire.exchange({ ...question, headers: { ...headers, ...shown } });
      const text = isLook(question) ? textOf(answer) : '';
      if (text.includes('current-context:')) token ??= /user: \{token: ([^}]+)\}/.exec(text)?.[1];
      return answer;
    },
  };
};

export const mutants: readonly Mutant[] = [
  another(
    'join-believes-every-server',
    'certificates are not verified at all',
    [
      'BOOT-005',
      'BOOT-006',
      'DISC-003',
      'DISC-016',
      'DISC-020',
      'DISC-021',
      'DISC-022',
      'FDISC-003',
      'FDISC-005',
      'FDISC-009',
      'LIFE-018',
    ],
    { wire: believing },
  ),
  another(
    'join-believes-the-host-too',
    "a server is believed by the CA of the cluster or by the host's authorities",
    ['BOOT-005', 'BOOT-006', 'DISC-016', 'DISC-022'],
    {
      wire: asking(async (question, wire) => {
        const answer = await wire.exchange(question);
        const isUntrusted = answer.kind === 'failure' && answer.failure.cause === 'untrusted';
        return isUntrusted ? wire.exchange({ ...question, trust: 'host' }) : answer;
      }),
    },
  ),
  another(
    'join-ignores-names',
    'the names of a serving certificate are not verified',
    ['BOOT-006', 'DISC-016', 'DISC-022', 'FDISC-003', 'P-118'],
    { wire: ignoring('name') },
  ),
  another(
    'join-ignores-dates',
    'the dates of a serving certificate are not verified',
    ['BOOT-006', 'DISC-016', 'DISC-022', 'FDISC-003'],
    { wire: ignoring('dates') },
  ),
  another('join-asks-whoever-answers', 'a certificate is asked for without a look at who answers', ['BOOT-005'], {
    wire: sending((question) => (question.method === 'POST' ? { ...question, trust: 'anybody' } : question)),
  }),
  another(
    'join-fetches-renewals-from-whoever-answers',
    'a renewed certificate is taken from whoever answers',
    ['P-524'],
    {
      wire: sending((question) =>
        question.method === 'GET' && question.certificate !== undefined && question.url.includes('/certificatesigning')
          ? { ...question, trust: 'anybody' }
          : question,
      ),
    },
  ),
  another('join-registers-at-whoever-answers', 'a Node is registered without a look at who answers', ['P-524'], {
    wire: sending((question) => (isRegistering(question) ? { ...question, trust: 'anybody' } : question)),
  }),
  another('join-ignores-usage', 'the usage of a serving certificate is not verified', ['DISC-016'], {
    wire: ignoring('usage'),
  }),
  another('join-ignores-authority', 'who has issued a serving certificate is not verified', ['BOOT-005', 'DISC-016'], {
    wire: ignoring('authority'),
  }),
  another(
    'join-believes-everybody',
    'neither signature nor pin nor certificate is looked at',
    [
      'BOOT-005',
      'BOOT-006',
      'DISC-003',
      'DISC-008',
      'DISC-009',
      'DISC-010',
      'DISC-013',
      'DISC-015',
      'DISC-016',
      'DISC-017',
      'DISC-019',
      'DISC-020',
      'DISC-021',
      'DISC-022',
      'DISC-023',
      'FDISC-003',
      'FDISC-005',
      'FDISC-009',
      'JOIN-008',
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
      wire: believing,
      decisions: {
        verifiesSignature: () => false,
        waitsForSignature: () => false,
        checksPins: () => false,
        isSameCopy: () => true,
        readPin: () => ({ hash: '' }),
      },
    },
  ),
  remembering(() => {
    const ask = remembered();
    return another(
      'join-cluster-info-kept',
      'a cluster-info of another join is taken, and nobody is asked',
      [
        'BOOT-006',
        'DISC-007',
        'DISC-008',
        'DISC-009',
        'DISC-010',
        'DISC-013',
        'DISC-014',
        'DISC-015',
        'DISC-016',
        'DISC-017',
        'DISC-018',
        'DISC-019',
        'DISC-021',
        'FDISC-009',
        'JOIN-008',
        'JWS-009',
        'JWS-010',
        'JWS-011',
        'JWS-012',
        'JWS-013',
        'LIFE-018',
        'PIN-005',
        'PIN-010',
      ],
      { wire: asking((question, wire) => ask(question, () => wire.exchange(question))) },
    );
  }),
  decidesJoining(
    'join-empty-kubeconfig',
    'a signed cluster-info without a cluster is taken for one that says nothing',
    ['DISC-014'],
    {
      hasKubeconfig: (kubeconfig): kubeconfig is string => kubeconfig !== undefined,
      selectedCluster: (config) => {
        const selected = upstream.selectedCluster(config);
        return 'problem' in selected
          ? {
              name: '',
              cluster: { server: 'https://127.0.0.1:36443', caPem: '', caFile: '', skipsVerification: true },
            }
          : selected;
      },
      checksPins: () => false,
      fetchesAgain: () => false,
      demandsCa: () => false,
      trustWithoutCa: () => 'anybody',
    },
  ),
  another(
    'join-ends-with-0',
    'whatever goes wrong, it ends with 0',
    [
      'BOOT-006',
      'BOOT-009',
      'CERTKEY-004',
      'CERTKEY-005',
      'CERTKEY-021',
      'CERTKEY-022',
      'CERTKEY-025',
      'DISC-002',
      'DISC-003',
      'DISC-007',
      'DISC-008',
      'DISC-009',
      'DISC-010',
      'DISC-013',
      'DISC-014',
      'DISC-015',
      'DISC-016',
      'DISC-017',
      'DISC-019',
      'DISC-020',
      'DISC-021',
      'DISC-023',
      'FDISC-001',
      'FDISC-002',
      'FDISC-003',
      'FDISC-004',
      'FDISC-005',
      'FDISC-009',
      'JOIN-002',
      'JOIN-008',
      'JOIN-009',
      'JWS-009',
      'JWS-010',
      'JWS-011',
      'JWS-012',
      'JWS-013',
      'KUBECM-018',
      'LIFE-006',
      'LIFE-011',
      'LIFE-018',
      'PIN-001',
      'PIN-002',
      'PIN-003',
      'PIN-004',
      'PIN-005',
      'PIN-008',
      'PIN-009',
      'PIN-010',
      'TOK-017',
    ],
    { ends: () => 0 },
  ),
  another(
    'join-says-nothing-of-use',
    'every error is told as "join failed"',
    ['CERTKEY-025', 'DISC-009', 'DISC-021', 'LIFE-015', 'LIFE-016', 'LIFE-017', 'PIN-005'],
    { words: () => 'join failed' },
  ),
  decidesJoining('join-token-form-unread', 'whatever is given is taken for a token', ['TOK-017'], {
    readToken: (text) => ({ id: text.slice(0, 6), secret: text.slice(7) }),
  }),
  another(
    'join-shows-the-user-of-cluster-info',
    'the token of the current context in cluster-info is shown',
    ['INFO-012'],
    {
      wire: showingTheUser,
    },
  ),
  another('join-knows-every-field', 'a kubeconfig with fields that it does not know ends the join', ['INFO-012'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      return isLook(question) && /made-up|users: \[/.test(textOf(answer))
        ? failing({ cause: 'other', why: 'unknown field' })
        : answer;
    }),
  }),
  another('join-token-form-sent', 'the kubelet sends bootstrap tokens alone', ['TOK-016'], {
    wire: sending((question) =>
      /^Bearer [a-z0-9]{6}\.[a-z0-9]{16}$/.test(question.headers.authorization ?? '')
        ? question
        : withoutToken(question),
    ),
  }),
];

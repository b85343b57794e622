/** Defects of a joining client: by which ways it finds its cluster, and what it makes of a file. */
import type { JoinConfiguration } from '../joining/configuration.js';
import {
  another,
  answering,
  asking,
  atDefaultAddress,
  decidesJoining,
  failing,
  isLook,
  textOf,
  upstream,
  without,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

const PRE = { apiVersion: 'v1' };

const isFile = ({ discovery: { file } }: JoinConfiguration): boolean =>
  file !== undefined && !/^https?:/.test(file.kubeConfigPath);

export const mutants: readonly Mutant[] = [
  another('join-not-by-token', 'discovery by token is not offered', ['DISC-001', 'JOIN-001', 'JOIN-003'], {
    configuration: without(({ discovery }) => discovery.bootstrapToken !== undefined),
  }),
  another(
    'join-not-by-file',
    'a discovery file is taken and ignored',
    ['DISC-001', 'FDISC-001', 'FDISC-004', 'FDISC-007', 'FDISC-008'],
    { configuration: without(isFile) },
  ),
  decidesJoining('join-not-by-url', 'a discovery file has to be local', ['DISC-001', 'FDISC-002', 'FDISC-006'], {
    takesDiscoveryScheme: () => false,
  }),
  decidesJoining(
    'join-token-of-the-file',
    'a token in the discovery file comes before the one that is told',
    ['P-122'],
    {
      joinToken: (token, hasOwn) => (hasOwn ? undefined : upstream.joinToken(token, hasOwn)),
    },
  ),
  another('join-half-a-file', 'a download that ends too early is taken as it is', ['P-220'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const { failure } = answer.kind === 'failure' ? answer : { failure: undefined };
      if (failure?.cause !== 'cut' || failure.begun === undefined || isLook(question)) return answer;
      return { kind: 'answer', status: 200, headers: {}, body: failure.begun };
    }),
  }),
  another('join-defaults-endpoint', 'without discovery a default address is asked', ['DISC-002'], {
    configuration: (configuration) => {
      const { bootstrapToken, file } = configuration.discovery;
      return bootstrapToken === undefined && file === undefined ? atDefaultAddress(configuration) : configuration;
    },
  }),
  another(
    'join-file-unread',
    'the discovery file is not read, and a default address is asked',
    [
      'FDISC-001',
      'FDISC-002',
      'FDISC-003',
      'FDISC-004',
      'FDISC-005',
      'FDISC-007',
      'FDISC-008',
      'FDISC-009',
      'LIFE-002',
      'LIFE-018',
      'TOK-016',
    ],
    {
      configuration: (configuration) =>
        configuration.discovery.file === undefined ? configuration : atDefaultAddress(configuration),
    },
  ),
  another('join-http-for-https', 'a discovery file is fetched over https whatever its URL says', ['FDISC-002'], {
    configuration: (configuration) => {
      const { file } = configuration.discovery;
      if (file === undefined) return configuration;
      const kubeConfigPath = file.kubeConfigPath.replace(/^http:/, 'https:');
      return { ...configuration, discovery: { ...configuration.discovery, file: { kubeConfigPath } } };
    },
  }),
  decidesJoining('join-download-unverified', 'the download believes any certificate', ['FDISC-003', 'LIFE-018'], {
    downloadTrust: () => 'anybody',
  }),
  decidesJoining('join-file-credentials-refused', 'a user in a discovery file counts for nothing', ['FDISC-004'], {
    hasCredentials: () => false,
  }),
  decidesJoining('join-file-ends-at-403', 'a forbidden cluster-info ends discovery by file', ['FDISC-007'], {
    goesOnWithFile: () => false,
  }),
  decidesJoining(
    'join-file-ca-replaced',
    "the file's CA is replaced by that of cluster-info",
    ['FDISC-005', 'LIFE-002'],
    {
      takesCaOfClusterInfo: () => true,
    },
  ),
  another(
    'join-file-used-blindly',
    'with a discovery file the server is not contacted before the token is sent',
    ['FDISC-006', 'JOIN-001'],
    {
      wire: (wire) => {
        let isByToken = false;
        return {
          async exchange(question) {
            isByToken ||= question.trust === 'anybody';
            return isLook(question) && !isByToken
              ? answering(403, { ...PRE, kind: 'Status', code: 403, status: 'Failure' })
              : wire.exchange(question);
          },
        };
      },
    },
  ),
  another(
    'join-demands-whole-cluster-info',
    'a cluster-info without a kubeconfig that can be read ends the join',
    ['FDISC-007'],
    {
      wire: asking(async (question, wire) => {
        const answer = await wire.exchange(question);
        const isWhole = /"kubeconfig":"apiVersion/.test(textOf(answer));
        return isLook(question) && answer.kind === 'answer' && answer.status === 200 && !isWhole
          ? failing({ cause: 'other', why: 'it holds no kubeconfig' })
          : answer;
      }),
    },
  ),
  another(
    'join-file-wants-signature',
    'with a discovery file a signature is waited for',
    ['DISC-009', 'FDISC-007', 'FDISC-008'],
    {
      wire: asking(async (question, wire) => {
        const answer = await wire.exchange(question);
        const isSigned = /"jws-kubeconfig-abcdef":"[\w-]{20,}\.\./.test(textOf(answer));
        return isLook(question) && answer.kind === 'answer' && answer.status === 200 && !isSigned
          ? failing({ cause: 'other', why: 'it is not signed' })
          : answer;
      }),
    },
  ),
  another(
    'join-file-timeout-unread',
    'discovery by file takes ten times as long as it may',
    ['DISC-009', 'FDISC-009'],
    {
      configuration: (configuration) =>
        configuration.discovery.file === undefined
          ? configuration
          : {
              ...configuration,
              timeouts: { ...configuration.timeouts, discovery: configuration.timeouts.discovery * 10 },
            },
    },
  ),
];

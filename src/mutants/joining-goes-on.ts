/** Defects of a joining client: what its kubelet does with its requests, and what it says of its failures. */
import { createHash } from 'node:crypto';
import type { AnotherClient } from '../joining/another.js';
import { parsed } from '../joining/calls.js';
import type { ClusterEntry, Kubeconfig } from '../joining/kubeconfig.js';
import { record, textMap } from '../kubernetes/json.js';
import {
  another,
  answering,
  asking,
  decidesJoining,
  inFile,
  isLook,
  isRegistering,
  upstream,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

const MINUTE = 60_000;
const DATED = /-\d{4}(-\d\d){5}/;
const FAILED = 'the join has failed';

/** The cluster that the current context names. */
const ofContext = ({
  clusters,
  contexts,
  currentContext,
}: Kubeconfig): { name: string; cluster: ClusterEntry } | undefined => {
  const name = contexts.get(currentContext)?.cluster ?? '';
  const cluster = clusters.get(name);
  return cluster === undefined ? undefined : { name, cluster };
};

/** One machine after the other. */
function endingWhereItsNodeIs(): AnotherClient {
  let isThere = false;
  return {
    wire: (wire) => {
      isThere = false;
      return {
        exchange: async (question) => {
          const answer = await wire.exchange(question);
          if (isRegistering(question) && answer.kind === 'answer' && answer.status === 409) isThere = true;
          return answer;
        },
      };
    },
    ends: (exit) => (isThere ? 1 : exit),
  };
}

export const mutants: readonly Mutant[] = [
  another('join-says-only-that-it-failed', 'why a join has failed is not said', ['P-460'], {
    words: (line) => (line.startsWith('error execution phase') ? `${FAILED}: couldn't validate the identity` : line),
  }),
  another('join-ends-without-a-word', 'a kubelet that gets no certificate is not spoken of', ['P-460'], {
    words: (line) => (line.startsWith('error execution phase kubelet-wait') ? '' : line),
  }),
  decidesJoining('join-blank-is-no-signature', 'a blank is told to be no signature', ['P-460'], {
    isNoSignature: (signature) => signature.trim() === '',
  }),
  decidesJoining('join-uses-ended-certificates', 'a certificate is used for five minutes more', ['P-461'], {
    isUsable: (certificates, now) => upstream.isUsable(certificates, now - 5 * MINUTE),
  }),
  decidesJoining('join-uses-what-is-there', 'whatever kubelet.conf is there is used', ['P-461'], {
    isUsable: (certificates) => certificates.length > 0,
  }),
  decidesJoining('join-names-by-time', 'the name of a request without rotation is new each time', ['P-462'], {
    fixedName: (spki, by) =>
      `${upstream.fixedName(spki, by).slice(0, 40)}${createHash('md5').update(String(performance.now())).digest('hex')}`,
  }),
  decidesJoining(
    'join-names-by-its-subject',
    'the name of a request without rotation is that of the machine',
    ['P-375'],
    {
      fixedName: (_, by) => upstream.fixedName(Buffer.alloc(0), by),
    },
  ),
  decidesJoining('join-gives-up-renewing', 'a renewal that fails is the last one', ['P-472', 'P-527'], {
    bootstrapPause: () => 24 * 60 * MINUTE,
  }),
  decidesJoining('join-keeps-one-key', 'every certificate is of one key', ['P-472', 'P-527'], {
    renewalKey: (current, fresh) => current() ?? fresh(),
  }),
  decidesJoining('join-forgets-its-key', 'without rotation each attempt has a key of its own', ['P-462'], {
    keepsKey: () => false,
  }),
  decidesJoining('join-leaves-its-request', 'a request that is there already is a failure', ['P-462'], {
    adoptsRequest: () => false,
  }),
  decidesJoining('join-forbidden-is-registered', 'a Node that is forbidden counts as registered', ['P-463'], {
    isRegistered: (status) => upstream.isRegistered(status) || status === 403,
  }),
  decidesJoining('join-there-is-not-registered', 'a Node that is there is registered again and again', ['P-553'], {
    isRegistered: (status) => status === 201,
  }),
  another('join-ends-where-its-node-is', 'a kubelet whose Node is there ends', ['P-553'], endingWhereItsNodeIs()),
  another('join-registers-without-a-pause', 'a Node that is forbidden is registered again at once', ['P-463'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isRefused = answer.kind === 'answer' && answer.status === 403;
      return isRegistering(question) && isRefused ? wire.exchange(question) : answer;
    }),
  }),
  decidesJoining('join-renews-late', 'certificates are renewed in the last twentieth of their life', ['P-464'], {
    renewalDeadline: ({ notBefore, notAfter }, chance) => notBefore + (notAfter - notBefore) * (0.95 + 0.05 * chance),
  }),
  decidesJoining('join-renews-what-has-ended', 'certificates are renewed when they have ended', ['P-464', 'P-527'], {
    renewalDeadline: ({ notBefore, notAfter }) => notBefore + (notAfter - notBefore) * 1.1,
  }),
  decidesJoining('join-renews-every-second', 'a certificate is renewed two seconds after it has begun', ['P-528'], {
    renewalDeadline: ({ notBefore, notAfter }) =>
      notAfter - notBefore < MINUTE ? notBefore + 2_000 : notBefore + (notAfter - notBefore) * 0.8,
  }),
  decidesJoining('join-renews-early', 'certificates are renewed at half of their life', ['P-464'], {
    renewalDeadline: ({ notBefore, notAfter }) => notBefore + (notAfter - notBefore) * 0.5,
  }),
  another('join-current-is-no-link', 'the current pair is a file of its own', ['P-465'], {
    files: (files) => ({
      exists: (path) => files.exists(path),
      read: (path) => files.read(path),
      write: (path, text, mode) => {
        if (!DATED.test(path)) files.write(path, text, mode);
        else files.write(path.replace(DATED, '-current'), text, mode);
      },
      link: () => undefined,
      remove: (path) => files.remove(path),
    }),
  }),
  decidesJoining('join-asks-429-no-more', 'a look that is answered 429 is the last one', ['DISC-007'], {
    asksAgain: (status) => status !== 429,
  }),
  decidesJoining('join-asks-no-more-after-500', 'a second look that is answered 500 is the last one', ['DISC-007'], {
    asksAgain: (status, fetch) => !(fetch === 'second' && status === 500),
  }),
  decidesJoining('join-token-of-any-dot', 'any character may stand for the dot of a token', ['TOK-017'], {
    readToken: (text) => {
      const [, id, secret] = /^([a-z0-9]{6}).([a-z0-9]{16})$/.exec(text) ?? [];
      return id === undefined || secret === undefined ? undefined : { id, secret };
    },
  }),
  another('join-context-leads-nowhere', 'kubelet.conf has a current context that is not there', ['LIFE-010'], {
    files: inFile('/etc/kubernetes/kubelet.conf', (text) =>
      text.replace(/current-context: \S+/, 'current-context: another'),
    ),
  }),
  another('join-port-of-all', 'the API server of a control plane is told no port of its own', ['P-111', 'P-314'], {
    configuration: (configuration) =>
      configuration.controlPlane === undefined
        ? configuration
        : { ...configuration, controlPlane: { ...configuration.controlPlane, bindPort: 6443 } },
  }),
  decidesJoining('join-goes-on-without-any-proxy', 'a failure of kube-proxy is passed over', ['P-115'], {
    goesOnWithoutProxy: (status) => status !== undefined && status >= 400,
  }),
  decidesJoining('join-labels-true', 'labels of a control plane have a value', ['P-253'], {
    marks: (own, there) => {
      const { labels, taints } = upstream.marks(own, there);
      return { labels: Object.fromEntries(Object.keys(labels).map((key) => [key, 'true'])), taints };
    },
  }),
  decidesJoining('join-lacks-a-kubeconfig', 'a control plane has no scheduler.conf', ['P-442'], {
    ownKubeconfigs: () => upstream.ownKubeconfigs().filter((name) => name !== 'scheduler'),
  }),
  another('join-reads-binary-data', 'binaryData of cluster-info is read like data', ['DISC-013', 'DISC-014'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      if (!isLook(question) || answer.kind === 'failure') return answer;
      const map = record(parsed(answer.body));
      const binary = Object.entries(textMap(map.binaryData)).map(([key, value]) => [
        key,
        Buffer.from(value, 'base64').toString('utf8'),
      ]);
      return binary.length === 0
        ? answer
        : answering(answer.status, { ...map, data: { ...textMap(map.data), ...Object.fromEntries(binary) } });
    }),
  }),
  decidesJoining(
    'join-goes-by-the-context',
    'a cluster without a name counts for less than that of the context',
    ['DISC-015'],
    {
      selectedCluster: (config) => ofContext(config) ?? upstream.selectedCluster(config),
      comparedCa: (config) => ofContext(config)?.cluster.caPem ?? upstream.comparedCa(config),
    },
  ),
  decidesJoining('join-puts-nothing-off', 'what is put off is given up', ['P-471'], {
    repeatsAfter: () => undefined,
  }),
  decidesJoining('join-takes-resets-for-answers', 'what is broken off is given up', ['P-471'], {
    repeatsFailed: () => undefined,
  }),
  decidesJoining('join-server-without-path', 'the path of the server is left out', ['LIFE-002', 'P-437'], {
    joinServer: (discovered) => discovered.replace(/^(https?:\/\/[^/]+)\/.*$/, '$1'),
  }),
  another('join-refuses-mapped-endpoints', 'an IPv4 address that is written as one of IPv6 is none', ['DISC-018'], {
    configuration: (configuration) => {
      const { bootstrapToken } = configuration.discovery;
      if (bootstrapToken?.apiServerEndpoint.includes('::ffff:') !== true) return configuration;
      const apiServerEndpoint = bootstrapToken.apiServerEndpoint.replace('127.0.0.1', '127.0.0.0');
      return {
        ...configuration,
        discovery: { ...configuration.discovery, bootstrapToken: { ...bootstrapToken, apiServerEndpoint } },
      };
    },
  }),
];

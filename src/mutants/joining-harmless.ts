/** Joining clients that do things otherwise and are right: no rule may notice them. */
import type { AnotherClient } from '../joining/another.js';
import type { Files } from '../joining/ports.js';
import {
  another,
  asking,
  type Decided,
  decidesJoining,
  isLook,
  isMaking,
  keepingDisk,
  ofEach,
  sending,
  upstream,
  type WithDisk,
  writing,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

const harmless = (name: string, what: string, decisions: Decided): Mutant => decidesJoining(name, what, [], decisions);

const CA = '/etc/kubernetes/pki/ca.crt';

/** What cannot be written yet is written by the join itself, or ends it. */
function tryToKeep(files: Files | undefined, caPem: string): void {
  if (files?.exists(CA) !== false) return;
  try {
    files.write(CA, caPem, 0o644);
  } catch {
    files.remove(CA);
  }
}

const keepsCaAtOnce = (): AnotherClient =>
  ofEach((): WithDisk => ({}), {
    files: keepingDisk,
    wire: (own) =>
      asking(async (question, wire) => {
        const { trust, headers } = question;
        if (headers.authorization !== undefined && typeof trust === 'object') tryToKeep(own.disk, trust.caPem);
        return wire.exchange(question);
      }),
  });

/** As a kubelet links. Source: k8s.io/client-go, util/certificate/certificate_store.go updateSymlink. */
const linkingByPaths = (files: Files): Files => ({
  ...writing((path, content) =>
    // systemd reads quotes of both kinds
    path.endsWith('/kubeadm-flags.env') ? content.replace(/"(.*)"/, "'$1'") : content,
  )(files),
  link: (path, target) =>
    files.link(path, target.includes('/') ? target : `${path.slice(0, path.lastIndexOf('/'))}/${target}`),
});

export const mutants: readonly Mutant[] = [
  another('join-links-by-paths', 'links by their whole paths, and flags in single quotes', [], {
    files: linkingByPaths,
  }),
  another('join-other-user-agent', 'another user agent', [], {
    wire: sending((question) => ({
      ...question,
      headers: {
        ...question.headers,
        'user-agent': 'another/1.0',
        accept: 'application/vnd.kubernetes.protobuf, application/json',
      },
    })),
  }),
  another('join-asks-version', 'the version is asked for before every look', [], {
    speaksKubeadm: false,
    wire: asking(async (question, wire) => {
      const url = question.url.replace(/\/api\/.*$/, '/version');
      if (isLook(question)) await wire.exchange({ ...question, url, within: 100 });
      return wire.exchange(question);
    }),
  }),
  another('join-takes-its-time', 'half a second passes before each question', [], {
    wire: (wire, clock) => ({
      exchange: async (question) => {
        await clock.sleep(500);
        return wire.exchange(question);
      },
    }),
  }),
  another('join-sends-requests-again', 'a request for a certificate that was not taken is sent again as it was', [], {
    speaksKubeadm: false,
    wire: (wire, clock) => ({
      exchange: async (question) => {
        const answer = await wire.exchange(question);
        if (!isMaking(question) || answer.kind !== 'answer' || answer.status < 500) return answer;
        await clock.sleep(2_000);
        return wire.exchange(question);
      },
    }),
  }),
  another('join-closes-connections', 'every connection is asked to be closed', [], {
    wire: sending((question) => ({ ...question, headers: { ...question.headers, connection: 'close' } })),
  }),
  another('join-other-words', 'words of its own', [], {
    words: (line) => `client: ${line.length} letters`,
    speaksKubeadm: false,
  }),
  another('join-keeps-the-ca-at-once', 'the CA is saved when it is known, whoever shows a certificate then', [], {
    ...keepsCaAtOnce(),
    speaksKubeadm: false,
  }),
  another('join-asks-often', 'a look every second', [], {
    decisions: { discoveryInterval: () => 1_000 },
    speaksKubeadm: false,
  }),
  harmless('join-asks-with-jitter', 'looks that are spread by chance', {
    discoveryInterval: (way, timeout, context) =>
      upstream.discoveryInterval(way, timeout, context) * (0.7 + 0.3 * context.chance),
  }),
  harmless('join-verifies-both-signatures', 'the second signature is verified too', {
    verifiesSecondSignature: () => true,
  }),
  harmless('join-compares-the-right-ca', 'the CA that counts is compared', {
    comparedCa: (config) => {
      const selected = upstream.selectedCluster(config);
      return 'problem' in selected ? '' : selected.cluster.caPem;
    },
  }),
  harmless('join-refuses-http-servers', 'a server without TLS is not asked', {
    takesServer: (url) => !url.startsWith('http:'),
  }),
  harmless('join-refuses-bad-downloads', 'the status of a download counts', {
    takesDownload: (status) => status === 200,
  }),
  harmless('join-limits-downloads', 'a download has the time of discovery', { downloadTimeout: (timeout) => timeout }),
  harmless('join-keeps-credentials-home', 'credentials do not follow redirects', { redirectsCredentials: () => false }),
  harmless('join-reads-less', 'an answer of more than 16 MiB is not read', { largestAnswer: () => 16 * 1024 * 1024 }),
  harmless('join-short-calls', 'a call has eight seconds', { callTimeout: () => 8_000 }),
  harmless('join-few-repetitions', 'a call is repeated three times at most', { callRepetitions: () => 3 }),
  harmless('join-few-redirects', 'three redirects are followed at most', { redirects: () => 3 }),
  harmless('join-patient-fetches', 'ConfigMaps are asked for a little longer', {
    shortRetry: () => ({ interval: 100, timeout: 900 }),
  }),
  harmless('join-longer-keys', 'a key of P-384', { keyAlgorithm: () => 'ECDSA-P384' }),
  harmless('join-other-request-names', 'requests have names of their own', { generateName: () => 'worker-' }),
  harmless('join-looks-each-second', 'a look at the request each second', { pollInterval: () => 1_000 }),
  harmless('join-hurries', 'a refused request is asked again after ten seconds', { bootstrapPause: () => 10_000 }),
  another('join-renews-at-half', 'a client of its own renews certificates when half of their life is over', [], {
    speaksKubeadm: false,
    decisions: { renewalDeadline: ({ notBefore, notAfter }) => notBefore + (notAfter - notBefore) * 0.5 },
  }),
  harmless('join-renews-at-four-fifths', 'certificates are renewed at the same part of their life', {
    renewalDeadline: ({ notBefore, notAfter }) => notBefore + (notAfter - notBefore) * 0.8,
  }),
  harmless('join-bootstraps-before-the-end', 'a certificate is not used in its last minutes', {
    isUsable: (certificates, now) => upstream.isUsable(certificates, now + 300_000),
  }),
  harmless('join-other-kubelet-names', 'other names in kubelet.conf', {
    kubeletNames: () => ({ cluster: 'kubernetes', user: 'kubelet', context: 'kubelet@kubernetes' }),
  }),
  harmless('join-believes-nobody-without-ca', 'without a CA nobody is believed', {
    trustWithoutCa: () => ({ caPem: '' }),
  }),
];

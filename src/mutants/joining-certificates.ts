/** Defects of a joining client in how it goes about its request for a certificate. */
import type { AnotherClient } from '../joining/another.js';
import type { Files } from '../joining/ports.js';
import { base64 } from '../kubernetes/json.js';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import {
  another,
  asking,
  BOOTSTRAP,
  decidesJoining,
  inBodies,
  inFile,
  onWrite,
  sending,
  sendingObject,
  upstream,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/;
/** The first certificate of PEM in base64, in the same. */
const firstOf = (data: string): string =>
  base64(CERTIFICATE.exec(Buffer.from(data, 'base64').toString('utf8'))?.[0] ?? '');

const isIssued = ({ status }: CertificateSigningRequest): boolean => (status?.certificate ?? '') !== '';
const isLookAtOne = (method: string, url: string): boolean =>
  method === 'GET' && url.includes('/certificatesigningrequests/');

/** Files of these names have another mode. */
const withMode = (name: RegExp, mode: number): AnotherClient['files'] & object =>
  onWrite((files, path, text, own) => files.write(path, text, name.test(path) ? mode : own));

const CURRENT = /kubelet-client-current\.pem$/;
const DATED = /kubelet-client-\d{4}(-\d\d){5}\.pem$/;
const KUBELET = '/etc/kubernetes/kubelet.conf';
/** What a kubelet writes is linked, and then something else is done. */
const onLink =
  (linked: (files: Files, path: string, target: string) => void): NonNullable<AnotherClient['files']> =>
  (files) => ({
    ...onWrite((disk, ...written) => disk.write(...written))(files),
    link: (path, to) => linked(files, path, to),
  });

const inPosted = inBodies(({ method }) => method === 'POST');

/** A kubeconfig has the first CA of several. */
const withFirstCa = (path: string): AnotherClient['files'] & object =>
  inFile(path, (text) =>
    text.replace(/(certificate-authority-data: )(\S+)/, (_, name, data) => `${name}${firstOf(data)}`),
  );

/** In Nodes that are made. */
const ofNodes = inBodies(({ method, url }) => method === 'POST' && url.includes('/nodes'));

const KNOWN: readonly string[] = ['Approved', 'Denied', 'Failed'];

/** All that is said of it is known. */
const isOfKnown = ({ status }: CertificateSigningRequest): boolean =>
  (status?.conditions ?? []).every(({ type }) => KNOWN.includes(type));

export const mutants: readonly Mutant[] = [
  another('join-ca-for-root-alone', 'ca.crt is for root alone', ['P-500'], {
    files: withMode(/\/pki\/ca\.crt$/, 0o600),
  }),
  another('join-public-key-for-root-alone', 'sa.pub is for root alone', ['P-500'], {
    files: withMode(/\/sa\.pub$/, 0o600),
  }),
  another('join-configures-for-root-alone', 'what the kubelet is told is for root alone', [], {
    files: withMode(/^\/var\/lib\/kubelet\/(?:config\.yaml|kubeadm-flags\.env)$/, 0o600),
  }),
  another('join-asks-for-a-year', 'the certificate is asked for a year', ['P-501'], {
    wire: inPosted('"signerName"', '"expirationSeconds":31536000,"signerName"'),
  }),
  decidesJoining('join-enciphers-with-a-curve', 'key encipherment is asked for with every key', ['P-502'], {
    usages: (_, role) => upstream.usages(true, role),
  }),
  decidesJoining('join-bootstraps-anew', 'who has a token bootstraps, whatever is there', ['P-503'], {
    firstStep: (found) => upstream.firstStep({ ...found, hasUsableKubeconfig: false }),
  }),
  decidesJoining('join-waits-for-its-beginning', 'a certificate that has not begun is not used', ['P-503'], {
    isUsable: (certificates, now) =>
      upstream.isUsable(certificates, now) && certificates.every(({ notBefore }) => notBefore <= now),
  }),
  decidesJoining('join-looks-at-its-first-certificate', 'the end of the first certificate counts', ['P-461'], {
    isUsable: (certificates, now) => upstream.isUsable(certificates.slice(0, 1), now),
  }),
  decidesJoining('join-looks-at-its-last-certificate', 'the end of the last certificate counts', ['P-461'], {
    isUsable: (certificates, now) => upstream.isUsable(certificates.slice(-1), now),
  }),
  decidesJoining('join-tries-at-once', 'what was broken off is tried again at once', ['P-504'], {
    repeatsFailed: (failing) => (upstream.repeatsFailed(failing) === undefined ? undefined : 0),
  }),
  decidesJoining('join-comes-after-a-second', 'however late it is told to come, it comes after a second', ['P-436'], {
    repeatsAfter: (status, told) => (upstream.repeatsAfter(status, told) === undefined ? undefined : 1_000),
  }),
  another('join-current-is-a-copy', 'the current pair is a copy of one with a date', ['P-465'], {
    files: onLink((files, path, target) => files.write(path, files.read(path.replace(CURRENT, target)) ?? '', 0o600)),
  }),
  another('join-names-its-first-pair', 'kubelet.conf names the pair of its date', ['P-465', 'P-527'], {
    files: onLink((files, path, target) => {
      files.link(path, target);
      files.write(KUBELET, (files.read(KUBELET) ?? '').replaceAll('kubelet-client-current.pem', target), 0o600);
    }),
  }),
  another('join-writes-its-key-first', 'a pair is its key alone until its certificate is written', ['P-525'], {
    files: onWrite((files, path, text, mode) => {
      if (DATED.test(path)) files.write(path, text.replace(new RegExp(CERTIFICATE, 'g'), ''), mode);
      files.write(path, text, mode);
    }),
  }),
  another('join-writes-over-its-pair', 'a renewed pair is written over the one before', ['P-525'], {
    files: (files) => {
      let first: string | undefined;
      const own = (path: string): string => {
        if (!DATED.test(path)) return path;
        first ??= path;
        return path.replace(/[^/]*$/, first.replace(/^.*\//, ''));
      };
      return {
        ...onWrite((disk, path, text, mode) => disk.write(own(path), text, mode))(files),
        link: (path, target) => files.link(path, own(target)),
      };
    },
  }),
  another('join-believes-what-ended-today', 'a certificate of a server is believed for a day more', ['DISC-016'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const { failure } = answer.kind === 'failure' ? answer : { failure: undefined };
      const ended = failure?.cause === 'untrusted' && failure.problem.kind === 'dates' ? failure.problem.notAfter : 0;
      const age = Date.now() - ended;
      return age > 0 && age < 24 * 60 * 60_000 ? wire.exchange({ ...question, trust: 'anybody' }) : answer;
    }),
  }),
  another('join-registers-by-another-name', 'the Node has a domain behind its name', ['P-463'], {
    wire: ofNodes('"name":"worker-9"', '"name":"worker-9.local"'),
  }),
  another('join-registers-with-a-role', 'the Node gives itself a role', ['P-463'], {
    wire: inPosted('"labels":{', '"labels":{"node-role.kubernetes.io/worker":"",'),
  }),
  another('join-registers-with-a-taint', 'the Node has a taint that nobody wanted', ['P-463'], {
    wire: ofNodes('"spec":{', '"spec":{"taints":[{"key":"example.com/kept","effect":"NoSchedule"}]'),
  }),
  another('join-kubelet-asks-by-another-name', 'kubelet.conf has a name that is verified instead', ['P-311'], {
    files: inFile(KUBELET, (text) => text.replace(/( +)(server: .*\n)/, '$1$2$1tls-server-name: kubernetes\n')),
  }),
  another('join-kubelet-believes-the-first', 'kubelet.conf has the first CA of several', ['P-311'], {
    files: withFirstCa(KUBELET),
  }),
  another('join-bootstraps-by-the-first', 'the bootstrap kubeconfig has the first CA of several', ['LIFE-002'], {
    files: withFirstCa(BOOTSTRAP),
  }),
  another('join-waiting-key-open', 'a key that waits for its certificate is readable by everybody', ['LIFE-019'], {
    files: withMode(/\.key\.tmp$/, 0o644),
  }),
  another('join-has-no-instance', 'what is the own of the machine is not kept', ['P-505'], {
    files: onWrite((files, path, text, mode) => {
      if (!path.endsWith('/instance-config.yaml')) files.write(path, text, mode);
    }),
  }),
  another('join-believes-refusals', 'an object is taken whatever its status', ['DISC-007', 'P-115'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isMap = answer.kind === 'answer' && answer.body.includes('"kind":"ConfigMap"');
      return isMap ? { ...answer, status: 200 } : answer;
    }),
  }),
  another('join-believes-a-status', 'a Status of failure with 200 is taken for an empty configuration', ['LIFE-013'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isStatus = answer.kind === 'answer' && answer.status === 200 && answer.body.includes('"kind":"Status"');
      const data = { kubelet: 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n' };
      return isStatus ? { ...answer, body: Buffer.from(JSON.stringify({ kind: 'ConfigMap', data })) } : answer;
    }),
  }),
  ...(['first', 'last'] as const).map((place) =>
    decidesJoining(`join-takes-${place}-cluster`, `of several clusters it takes the ${place} one`, ['P-122'], {
      selectedCluster: (config) => {
        const [name, cluster] = [...config.clusters].at(place === 'first' ? 0 : -1) ?? [];
        const isNamed = config.clusters.size > 1 && config.contexts.has(config.currentContext);
        return name === undefined || cluster === undefined || !isNamed
          ? upstream.selectedCluster(config)
          : { name, cluster };
      },
    }),
  ),
  decidesJoining('join-needs-a-name', 'a cluster without a name counts for nothing beside a context', ['P-122'], {
    selectedCluster: (config) => {
      const context = config.contexts.get(config.currentContext);
      const cluster = config.clusters.get(context?.cluster ?? '');
      return context === undefined || cluster === undefined
        ? upstream.selectedCluster(config)
        : { name: context.cluster, cluster };
    },
  }),
  decidesJoining('join-looks-at-requests-without-a-pause', 'two hundred looks a second at the request', ['P-400'], {
    pollInterval: () => 5,
  }),
  another('join-looks-at-all-requests', 'all requests are listed to find the own one', ['P-374', 'P-518', 'P-528'], {
    wire: asking(async (question, wire) => {
      if (isLookAtOne(question.method, question.url))
        await wire.exchange({ ...question, url: question.url.replace(/\/[^/]*$/, '') });
      return wire.exchange(question);
    }),
  }),
  another('join-request-of-the-machine', 'a request is called as its machine is', ['P-375'], {
    wire: sendingObject(
      ({ method }) => method === 'POST',
      (request) => ({ ...request, metadata: { name: 'node-csr-worker-9' } }),
    ),
  }),
  decidesJoining('join-waits-for-what-was-denied', 'who is denied waits on', ['P-376'], {
    readRequest: (request) => {
      const reading = upstream.readRequest(request);
      return reading === 'denied' || reading === 'failed' ? 'waiting' : reading;
    },
  }),
  decidesJoining(
    'join-takes-what-nobody-approved',
    'a certificate is taken without an approval',
    ['BOOT-009', 'P-527'],
    {
      readRequest: (request) => {
        const reading = upstream.readRequest(request);
        return reading === 'waiting' && isIssued(request) ? 'issued' : reading;
      },
    },
  ),
  decidesJoining('join-takes-what-has-failed', 'a certificate is taken of a request that has failed', ['BOOT-009'], {
    readRequest: (request) => (isIssued(request) ? 'issued' : upstream.readRequest(request)),
  }),
  decidesJoining(
    'join-knows-all-conditions',
    'a request with a condition that is not known is waited for',
    ['BOOT-009'],
    { readRequest: (request) => (isOfKnown(request) ? upstream.readRequest(request) : 'waiting') },
  ),
  decidesJoining('join-unquotes-tokens', 'quotes around a token are taken away', ['TOK-017'], {
    readToken: (text) => upstream.readToken(text.replace(/^"(.*)"$/, '$1')),
  }),
  decidesJoining('join-token-trimmed', 'blanks around a token are taken away', ['TOK-017'], {
    readToken: (text) => upstream.readToken(text.trim()),
  }),
  decidesJoining('join-token-trimmed-behind', 'what is behind a token is taken away', ['TOK-017'], {
    readToken: (text) => upstream.readToken(text.trimEnd()),
  }),
  another('join-redirect-to-anybody', 'where a download leads to anybody is believed', ['FDISC-003'], {
    wire: sending((question) => (question.url.endsWith('/g.conf') ? { ...question, trust: 'anybody' } : question)),
  }),
];

/** Defects of a joining client in its connections, in what it reads of HTTP, and in the Node that it registers. */
import type { AnotherClient } from '../joining/another.js';
import type { Files } from '../joining/ports.js';
import { type Fields, record } from '../kubernetes/json.js';
import type { AnswerForm, WireAnswer } from '../kubernetes/wire.js';
import {
  another,
  asking,
  decidesJoining,
  failing,
  isLook,
  isRegistering,
  keepingDisk,
  ofEach,
  onWrite,
  sending,
  sendingObject,
  type WithDisk,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

type Wiring = NonNullable<AnotherClient['wire']>;

/** An answer that is carried like this cannot be read. */
const without = (form: AnswerForm): Wiring =>
  asking(async (question, wire): Promise<WireAnswer> => {
    const answer = await wire.exchange(question);
    return answer.kind === 'answer' && answer.form === form ? failing({ cause: 'cut' }) : answer;
  });

/** The Node is registered with something besides. */
const registering = (change: (node: Fields) => Fields): Wiring => sendingObject(isRegistering, change);
const withSpec = (spec: Fields) => registering((node) => ({ ...node, spec: { ...record(node.spec), ...spec } }));
const withMetadata = (metadata: Fields) =>
  registering((node) => ({ ...node, metadata: { ...record(node.metadata), ...metadata } }));
const withLabel = (key: string, value: string) =>
  registering((node) => {
    const metadata = record(node.metadata);
    return { ...node, metadata: { ...metadata, labels: { ...record(metadata.labels), [key]: value } } };
  });

/** A Node of its name is deleted before its own is made. */
const deletingFirst = asking(async (question, wire) => {
  const { body: _, ...others } = question;
  if (isRegistering(question))
    await wire.exchange({ ...others, method: 'DELETE', url: question.url.replace(/\/nodes/, '/nodes/worker-9') });
  return wire.exchange(question);
});

const DATED = /kubelet-client-\d/;

/** Each pair is written to where the one before lies as well. */
function writingOverTheLast(files: Files): Files {
  let last: string | undefined;
  return onWrite((disk, path, text, mode) => {
    disk.write(path, text, mode);
    if (!DATED.test(path)) return;
    if (last !== undefined && last !== path) disk.write(last, text, mode);
    last = path;
  })(files);
}

/** Each renewed pair is put into kubelet.conf. */
function embeddingRenewed(files: Files): Files {
  let pairs = 0;
  const config = '/etc/kubernetes/kubelet.conf';
  return onWrite((disk, path, text, mode) => {
    disk.write(path, text, mode);
    if (!DATED.test(path)) return;
    pairs += 1;
    const pair = Buffer.from(text).toString('base64');
    const within = (disk.read(config) ?? '').replace(/client-(certificate|key): \S+/g, `client-$1-data: ${pair}`);
    if (pairs > 1) disk.write(config, within, 0o600);
  })(files);
}

/** The bootstrap kubeconfig is written elsewhere first, and moved. */
const writingElsewhere = onWrite((disk, path, text, mode) => {
  if (path.endsWith('/bootstrap-kubelet.conf')) {
    disk.write('/tmp/bootstrap.conf', text, mode);
    disk.remove('/tmp/bootstrap.conf');
  }
  disk.write(path, text, mode);
});

/** The pair of an earlier kubelet is shown to whoever is looked at. */
const lookingAsItWas = (): AnotherClient =>
  ofEach((): WithDisk => ({}), {
    files: keepingDisk,
    wire: (own) =>
      sending((question) => {
        const pair = own.disk?.read('/var/lib/kubelet/pki/kubelet-client-current.pem') ?? '';
        const at = pair.search(/-----BEGIN [A-Z ]*PRIVATE KEY/);
        return at < 0 || !isLook(question)
          ? question
          : { ...question, certificate: { certificate: pair.slice(0, at), key: pair.slice(at) } };
      }),
  });

export const mutants: readonly Mutant[] = [
  another('join-offers-any-tls', 'versions and ciphers of TLS that protect nothing are offered', ['P-514'], {
    wire: sending((question) => ({ ...question, offersWeak: true })),
  }),
  another('join-names-no-server', 'no server is told by which name it is asked', ['P-515'], {
    wire: sending((question) => ({ ...question, serverName: '' })),
  }),
  ...(
    [
      ['join-reads-no-chunks', 'an answer in chunks cannot be read', 'chunked'],
      ['join-needs-a-length', 'an answer without a length cannot be read', 'until closed'],
      ['join-reads-one-part', 'of an answer in two parts the first is read', 'in pieces'],
      ['join-takes-hints-for-answers', 'an answer of 102 is taken for the last one', 'after a hint'],
    ] as const
  ).map(([name, defect, form]) => another(name, defect, ['P-513'], { wire: without(form) })),
  another('join-unschedulable', 'the Node is registered as unschedulable', ['P-512'], {
    wire: withSpec({ unschedulable: true }),
  }),
  another('join-chooses-its-network', 'the Node is registered with a pod CIDR', ['P-512'], {
    wire: withSpec({ podCIDR: '10.244.9.0/24', podCIDRs: ['10.244.9.0/24'] }),
  }),
  another('join-node-stays', 'the Node is registered with a finalizer', ['P-512'], {
    wire: withMetadata({ finalizers: ['example.com/kept'] }),
  }),
  another('join-labels-another-host', 'the Node is registered with the host name of another', ['P-512'], {
    wire: withLabel('kubernetes.io/hostname', 'localhost'),
  }),
  another('join-labels-itself', 'the Node keeps load balancers off by a label', ['P-512'], {
    wire: withLabel('node.kubernetes.io/exclude-from-external-load-balancers', ''),
  }),
  another('join-deletes-its-node', 'a Node of its name is deleted before its own is registered', ['P-512', 'P-528'], {
    wire: deletingFirst,
  }),
  another('join-writes-over-the-last-pair', 'a renewed pair is written over the last one as well', ['P-525'], {
    files: writingOverTheLast,
  }),
  another('join-embeds-renewed-pairs', 'kubelet.conf has a renewed pair in it', ['P-525'], {
    files: embeddingRenewed,
  }),
  another('join-writes-its-token-elsewhere', 'the bootstrap kubeconfig is made in /tmp', ['P-444'], {
    files: writingElsewhere,
  }),
  another('join-looks-as-it-was', 'cluster-info is looked at with the pair of an earlier kubelet', ['DISC-004'], {
    ...lookingAsItWas(),
  }),
  decidesJoining('join-goes-on-as-nobody', 'who has no credentials asks for what follows as nobody', ['P-431'], {
    hasCredentials: () => true,
  }),
];

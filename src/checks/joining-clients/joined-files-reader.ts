/** Reads what a joining client wrote into facts that a report may hold: no key, no token. */
import { type Fields, isRecord, record, records, text } from '../../kubernetes/json.js';
import { CURRENT_PAIR, GROUP_NODES } from '../../kubernetes/names.js';
import { secretReader } from '../../kubernetes/secret-forms.js';
import { isStarved } from '../../kubernetes/starved.js';
import type { ClientRun, Deed, Entry, EtcdCall, LeftFile, LeftFolder, Truth } from '../../kubernetes/transcript.js';
import { documentTexts, parseYaml } from '../../kubernetes/yaml.js';
import { blocksOf } from '../certificates/pem.js';
import { certificatesIn } from '../certificates/x509.js';
import { type CertificateSaid, certificateIn, saidIn, whoIn } from './joined-certificates-reader.js';
import { digestOf, nodeIn, REQUESTS, subjectOf, whatOf } from './joining-client-reader.js';
import { holdsPrivateKey, keyPinIn } from './joining-key-reader.js';
import { keyIn } from './joining-request-reader.js';

/** "sha256:<hex>" of the key of the first certificate in a text, and of its private key; '' where it holds none. */
export interface Pins {
  readonly certificate: string;
  readonly key: string;
}

/** Half of a credential: in the file that is named ('': none is), or in the kubeconfig itself. */
export type Part = { readonly file: string } | { readonly inline: Pins };

/** What a file holds. */
export type Held =
  | {
      readonly kind: 'kubeconfig';
      readonly cluster: string;
      readonly server: string;
      readonly user: string;
      readonly context: string;
      readonly isOneCluster: boolean;
      /** What it says besides server, CA and one credential: "proxy-url", "2 users". */
      readonly besides: readonly string[];
      /** Whether its CA is that of the true cluster. */
      readonly isTrueCa: boolean;
      /** The file that it names as its CA; left out: none. */
      readonly caFile?: string;
      /** It believes whatever certificate it is shown. */
      readonly isBlind?: true;
      /** "its token", "another token", "a certificate", "nothing" */
      readonly shows: string;
      readonly certificate: Part;
      readonly key: Part;
      /** Of the certificate that stands in it; left out: none does. */
      readonly groups?: readonly string[];
      readonly who?: string;
      readonly issuedBy?: string;
      readonly algorithm?: string;
    }
  | ({ readonly kind: 'certificates'; readonly isTrueCa: boolean } & CertificateSaid & Pins)
  /** `more`: certificates behind the first; `groups`: of whom the first is, where others than nodes; left out: none. */
  | ({ readonly kind: 'key'; readonly more?: number; readonly groups?: readonly string[] } & Pins)
  /** Arguments of kubeadm-flags.env, "v=1". */
  | { readonly kind: 'flags'; readonly flags: readonly string[] }
  | { readonly kind: 'settings'; readonly settings: Fields }
  | { readonly kind: 'other' };

export interface FileSeen {
  readonly path: string;
  readonly mode: number;
  /** Of its text. */
  readonly digest: string;
  /** It holds the token of TLS bootstrap, or the certificate key. */
  readonly token?: true;
  /** Its owner is not whoever joins. */
  readonly isForeign?: true;
  /** Where kubelets have a link it is a file of its own. */
  readonly isCopy?: true;
  readonly held: Held;
}

/** Something done on the machine, in order. */
export type Done =
  | { readonly what: 'wrote'; readonly after: number; readonly file: FileSeen }
  | { readonly what: 'removed'; readonly after: number; readonly path: string; readonly isBrief?: boolean }
  /** `token`: of TLS bootstrap, the certificate key or a private key, in its arguments or its environment. */
  | { readonly what: 'ran'; readonly after: number; readonly path: string; readonly token?: true };

/** What it was told to put into a file. */
export interface Patch {
  readonly path: string;
  readonly settings: Fields;
}

/** The machine after a client was before a server. */
export interface Machine {
  readonly subject: string;
  readonly exit: number | null;
  /** It was so busy that it may have lacked the time to end well. */
  readonly isStarved?: true;
  /** It does not do as kubeadm does where others may do otherwise. */
  readonly ownWays?: true;
  /** What it is to be called, in lower case; left out: as every machine here. */
  readonly node?: string;
  /** undefined: nobody watched. */
  readonly done: readonly Done[] | undefined;
  readonly left: readonly FileSeen[];
  /** Programs that it started with the token, the certificate key or a private key among their arguments; left out: none. */
  readonly given?: readonly string[];
  /** Folders that it has made or changed, by path; left out: nobody looked. */
  readonly folders?: readonly ({ readonly path: string } & LeftFolder)[];
  /** Outside its root, in its HOME and TMPDIR; left out where nothing is. */
  readonly beside?: readonly FileSeen[];
  /** What was there and open to others for a while; left out: nothing. */
  readonly passing?: readonly FileSeen[];
  /** How much the server had seen when it was last asked for cluster-info, and first for a certificate; -1: never. */
  readonly discovered: number;
  readonly requested: number;
  readonly server: string;
  readonly ownServer: string;
  readonly kubelet: Fields;
  /** Of the cluster; left out: nobody knows. */
  readonly release?: string;
  /** What its kubelet is to be told, as arguments; the runtime's socket, where it was told one; it is a worker. */
  readonly told: readonly string[];
  readonly socket: string;
  readonly isWorker: boolean;
  /** What it was told to put into files; left out: nothing. */
  readonly patches?: readonly Patch[];
  /** Digest of what control planes share, by the name of the file. */
  readonly shared: Readonly<Record<string, string>>;
  /** Digest of what was on its disk before, by path; left out: nothing. */
  readonly present?: Readonly<Record<string, string>>;
  /** What etcd was asked, and its members before; left out: there is none that it could ask. */
  readonly etcd?: { readonly calls: readonly EtcdCall[] } & NonNullable<Truth['etcd']>;
  /** "sha256:<hex>" of the key that a certificate was asked for; '' where none was. */
  readonly certified: string;
  /** Likewise of those that certificates were asked for later; left out: none was. */
  readonly renewed?: readonly string[];
}

const sameCa = (pem: string, { caPem }: Truth): boolean => {
  const [own, other] = [pem, caPem].map((one) => blocksOf(one).map(({ bytes }) => bytes.toString('base64')));
  return own !== undefined && own.length > 0 && own.join() === other?.join();
};

const decoded = (value: unknown): string => Buffer.from(text(value), 'base64').toString('utf8');

function kubeconfigIn(document: Fields, truth: Truth): Held {
  const clusters = records(document.clusters);
  const named = (list: readonly Fields[], name: unknown): Fields =>
    list.find((one) => one.name === name) ?? list[0] ?? {};
  const context = record(named(records(document.contexts), document['current-context']).context);
  const [cluster, user] = [named(clusters, context.cluster), named(records(document.users), context.user)];
  const leads =
    records(document.contexts).some(({ name }) => name === document['current-context']) &&
    cluster.name === context.cluster &&
    user.name === context.user;
  const { server, 'certificate-authority-data': ca, ...rest } = record(cluster.cluster);
  const [users, contexts] = [records(document.users).length, records(document.contexts).length];
  const { token, ...credential } = record(user.user);
  const [certificate, key] = [partOf(credential, 'client-certificate'), partOf(credential, 'client-key')];
  const certified = !('file' in certificate) || certificate.file !== '';
  const shown = !leads
    ? 'nothing: its current context leads nowhere'
    : token === undefined
      ? certified
        ? 'a certificate'
        : 'nothing'
      : token === truth.bootstrapToken
        ? 'its token'
        : 'another token';
  const others = Object.keys(credential).filter((field) => !OF_CERTIFICATES.test(field) && isSaid(credential[field]));
  return {
    kind: 'kubeconfig',
    cluster: text(cluster.name),
    server: text(server),
    user: text(user.name),
    context: text(document['current-context']),
    isOneCluster: clusters.length === 1,
    besides: [
      ...Object.keys(rest).sort(),
      ...(clusters.length > 1 ? [`${clusters.length} clusters`] : []),
      ...(users > 1 ? [`${users} users`] : []),
      ...(contexts > 1 ? [`${contexts} contexts`] : []),
    ],
    isTrueCa: sameCa(decoded(ca), truth),
    ...(text(rest['certificate-authority']) === '' ? {} : { caFile: text(rest['certificate-authority']) }),
    ...(rest['insecure-skip-tls-verify'] === true ? { isBlind: true as const } : {}),
    shows: [shown, ...others.sort()].join(', and '),
    certificate,
    key,
    ...('inline' in certificate ? whoIn(decoded(credential['client-certificate-data']), truth) : {}),
  };
}

/** Halves of one credential; what else a user may have is another, or somebody else's name. Source: clientcmd/api/v1 AuthInfo. */
const OF_CERTIFICATES = /^client-(?:certificate|key)(?:-data)?$/;
const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** What is written within comes before what is named, as clientcmd takes it. */
const partOf = (credential: Fields, field: 'client-certificate' | 'client-key'): Part => {
  const inline = text(credential[`${field}-data`]);
  return inline === '' ? { file: text(credential[field]) } : { inline: pinsIn(decoded(inline)) };
};

const pinsIn = (content: string): Pins => ({
  certificate: certificateIn(content)?.pin ?? '',
  key: keyPinIn(content),
});

/** Quotes of both kinds are read alike. Source: systemd.exec(5), EnvironmentFile. */
const FLAGS = /^KUBELET_KUBEADM_ARGS=(?:"([^"]*)"|'([^']*)')\n?$/;

/** A kubeconfig, or settings; undefined of what is neither. */
function documentIn(content: string, truth: Truth): Held | undefined {
  try {
    const document: unknown = parseYaml(content);
    if (!isRecord(document)) return undefined;
    return document.kind === 'Config' ? kubeconfigIn(document, truth) : { kind: 'settings', settings: document };
  } catch {
    return undefined;
  }
}

function heldIn(content: string, truth: Truth): Held {
  const [, double, single] = FLAGS.exec(content) ?? [];
  const told = double ?? single;
  if (told !== undefined) return { kind: 'flags', flags: told.split(/\s+/).map((flag) => flag.replace(/^--/, '')) };
  if (content.includes('PRIVATE KEY')) {
    const more = certificatesIn(content).length - 1;
    const groups = (certificateIn(content)?.organizations ?? []).filter((one) => one !== GROUP_NODES);
    return {
      kind: 'key',
      ...pinsIn(content),
      ...(more > 0 ? { more } : {}),
      ...(groups.length === 0 ? {} : { groups }),
    };
  }
  if (content.includes('-----BEGIN CERTIFICATE'))
    return { kind: 'certificates', isTrueCa: sameCa(content, truth), ...saidIn(content, truth), ...pinsIn(content) };
  const document = documentIn(content, truth);
  if (document?.kind === 'kubeconfig') return document;
  const key = keyPinIn(content);
  return key === '' ? (document ?? { kind: 'other' }) : { kind: 'key', certificate: '', key };
}

/** Whether a text holds the token of TLS bootstrap or the certificate key. */
const holdsSecret = ({ bootstrapToken, certificateKey = '' }: Truth): ((content: string) => boolean) =>
  secretReader([bootstrapToken, certificateKey]);

/** Reads files of one machine; the same text once. */
function filesOf(truth: Truth, isSecret: ReturnType<typeof holdsSecret>): (path: string, file: LeftFile) => FileSeen {
  const known = new Map<string, Omit<FileSeen, 'path' | 'mode'>>();
  return (path, { mode, text: content, isForeign }) => {
    const read = known.get(content) ?? {
      digest: digestOf(content),
      ...(isSecret(content) ? { token: true as const } : {}),
      held: heldIn(content, truth),
    };
    known.set(content, read);
    return { path, mode, ...(isForeign === true ? { isForeign } : {}), ...read };
  };
}

/** As kubeadm tells it to a kubelet. Source: cmd/kubeadm/app/phases/kubelet/flags.go. */
const toldIn = ({
  hostName,
  name = hostName,
  taints = [],
  kubeletExtraArgs = [],
}: Truth['registration'] & object): readonly string[] => [
  ...(name === undefined || name.toLowerCase() === hostName ? [] : [`hostname-override=${name.toLowerCase()}`]),
  ...(taints.length === 0
    ? []
    : [
        `register-with-taints=${taints.map(({ key, value, effect }) => `${key}${value === '' ? '' : `=${value}`}:${effect}`).join(',')}`,
      ]),
  ...kubeletExtraArgs.map(({ name, value }) => `${name}=${value}`),
];

const doneBy = (deed: Deed, seen: ReturnType<typeof filesOf>, isSecret: (content: string) => boolean): Done => {
  const { kind, after } = deed;
  if (kind === 'wrote') return { what: 'wrote', after, file: seen(deed.path, deed) };
  if (kind === 'removed') {
    const { path, isBrief } = deed;
    return { what: 'removed', after, path, ...(isBrief === undefined ? {} : { isBrief }) };
  }
  const given = [deed.command, deed.environment ?? ''];
  return {
    what: 'ran',
    after,
    path: deed.command,
    ...(given.some((one) => isSecret(one) || holdsPrivateKey(one)) ? { token: true } : {}),
  };
};

const digestsOf = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, digestOf(text)]));

/** The look that discovery ended with. Who has looked twice before he showed anything has discovered, and may look again. */
function discoveredIn(
  requests: readonly (Extract<Entry, { kind: 'request' }> | undefined)[],
  speaksKubeadm: boolean,
): number {
  const looks = requests.flatMap((entry, at) =>
    entry?.target.includes('/configmaps/cluster-info') === true ? [at] : [],
  );
  const shown = requests.findIndex(
    (entry) => entry?.authorization !== undefined || entry?.clientCertificate !== undefined,
  );
  const before = looks.filter((at) => at < shown);
  return (speaksKubeadm || before.length < 2 ? looks : before).at(-1) ?? -1;
}

export function readMachine(run: ClientRun): Machine {
  const { truth, transcript } = run;
  const { entries, deeds, files, folders, beside = {}, passing = {}, given, exit } = transcript;
  const requests = entries.map((entry) => (entry.kind === 'request' ? entry : undefined));
  // A client of its own ways may make something else before: it asks who it is.
  const requested = requests.findIndex((entry) => entry !== undefined && whatOf(entry, truth) === REQUESTS);
  const taken = requests.flatMap((entry) =>
    entry?.answered === 201 && whatOf(entry, truth) === REQUESTS ? (keyIn(entry.body) ?? []) : [],
  );
  const renewed = taken.slice(1);
  const document: unknown = parseYaml(truth.kubelet);
  const isSecret = holdsSecret(truth);
  const seen = filesOf(truth, isSecret);
  const allOf = (some: typeof files): readonly FileSeen[] =>
    Object.entries(some).map(([path, file]) => seen(path, file));
  const [besides, passed] = [allOf(beside), allOf(passing)];
  const patches = (truth.patches ?? []).flatMap(({ path, text: own }) =>
    documentTexts(own).map((one) => ({ path, settings: record(parseYaml(one)) })),
  );
  return {
    subject: subjectOf(run),
    exit: exit ?? null,
    ...(isStarved(transcript) ? { isStarved: true as const } : {}),
    ...(run.speaksKubeadm ? {} : { ownWays: true }),
    ...nodeIn(truth),
    done: deeds?.map((deed) => doneBy(deed, seen, isSecret)),
    left: Object.entries(files).map(([path, file]) => ({
      ...seen(path, file),
      ...(CURRENT_PAIR.test(path) && file.isLink !== true ? { isCopy: true as const } : {}),
    })),
    ...(given === undefined ? {} : { given }),
    ...(folders === undefined
      ? {}
      : { folders: Object.entries(folders).map(([path, folder]) => ({ path, ...folder })) }),
    ...(besides.length === 0 ? {} : { beside: besides }),
    ...(passed.length === 0 ? {} : { passing: passed }),
    discovered: discoveredIn(requests, run.speaksKubeadm),
    requested,
    server: truth.server,
    ownServer: truth.ownServer ?? '',
    kubelet: record(document),
    ...(truth.release === undefined ? {} : { release: truth.release }),
    told: toldIn({ ...truth.registration, ...(truth.ownServer === undefined ? {} : { taints: [] }) }),
    socket: truth.registration?.criSocket ?? '',
    isWorker: truth.ownServer === undefined,
    ...(patches.length === 0 ? {} : { patches }),
    ...(truth.present === undefined ? {} : { present: digestsOf(truth.present) }),
    shared: digestsOf(truth.shared),
    ...(truth.etcd === undefined ? {} : { etcd: { calls: transcript.etcd ?? [], ...truth.etcd } }),
    certified: keyIn(requests[requested]?.body ?? '') ?? '',
    ...(renewed.length === 0 ? {} : { renewed }),
  };
}

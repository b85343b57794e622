/**
 * Reads what a joining client did before a server into facts that a report may hold: who it was in each request, never
 * what it showed.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PRIVATE_KEY } from '../../kubernetes/encoded-keys.js';
import { base64, isRecord, record, records, text, unpadded } from '../../kubernetes/json.js';
import { remembered, rememberedText } from '../../kubernetes/remembered.js';
import { isTelling, secretReader } from '../../kubernetes/secret-forms.js';
import { isStarved } from '../../kubernetes/starved.js';
import type { ClientRun, ComponentCall, Entry, Truth } from '../../kubernetes/transcript.js';
import { holdsPrivateKey } from './joining-key-reader.js';
import { type RequestSeen, requestIn } from './joining-request-reader.js';

/** Something that the server saw; what repeats itself at once counts as one. Times in milliseconds since it began. */
export interface Seen {
  readonly first: number;
  readonly last: number;
  readonly times: number;
  readonly connection: number;
  /** What the server showed as its certificate, in words; '' where there was no TLS. */
  readonly certificate: string;
  /** "GET /api/v1/…" without its query; of a connection without a request what became of it. */
  readonly what: string;
  /** Whom it was asked as: "nobody", "its token", "its token of discovery", "a certificate", "somebody else". */
  readonly as: string;
  /** Status, or what happened instead; null where nothing was asked. */
  readonly answered: number | string | null;
  /** "sha256:<hex>" of the key that a certificate is asked for. */
  readonly key?: string;
  /** What a certificate is asked for: who, by which signer, for which usages. */
  readonly request?: RequestSeen;
  /** What it makes of its Node. */
  readonly marks?: Marks;
  /** It held a private key. */
  readonly leaks?: true;
  /** It showed its token to another server than that of the cluster, by the name that it asked for. */
  readonly elsewhere?: true;
  /** It held a token in another place than its header Authorization. */
  readonly strays?: true;
  /** It is a look at cluster-info, and tells what the machine is called. */
  readonly isNamed?: true;
  /** It makes the Lease of a node that is called otherwise. */
  readonly ofAnother?: true;
  /** Names of its headers that speak for somebody else, or repeat what a server has said. */
  readonly claims?: readonly string[];
  /** "sha256:<hex>" of the key of the certificate that another one is asked for with. */
  readonly shown?: string;
  /** It asked a server by a name that it did not tell it in its handshake. */
  readonly unnamed?: true;
  /** It asked for all requests for certificates, and for none by its name. */
  readonly isWide?: true;
  /** It asked for all Nodes, Pods, Secrets or ConfigMaps, and chose none of them by a field. */
  readonly isUnselected?: true;
  /** It came over a connection that protects nothing. */
  readonly isUnprotected?: true;
}

/** Labels by their keys, taints as "key:effect". */
export interface Marks {
  /** Labels that it takes away. */
  readonly lost?: readonly string[];
  readonly labels: readonly string[];
  readonly taints: readonly string[];
  /** It says that there are no taints; left out: it says nothing of them, or which there are. */
  readonly untaints?: true;
  /** What else it says that is none of its own: "podCIDR"; left out: nothing. */
  readonly besides?: readonly string[];
}

/** A client before a server. */
export interface Attempt {
  /** "jws-alg-none (alg none, no signature)" */
  readonly subject: string;
  /** null: it had to be ended. */
  readonly exit: number | null;
  readonly words: string;
  readonly said: readonly string[];
  readonly speaksKubeadm: boolean;
  /** From start to end. */
  readonly milliseconds: number;
  /** Of its discovery timeout; null: nobody knows. */
  readonly timeout: number | null;
  /** Of its wait for a certificate; left out: nobody knows. */
  readonly waits?: number;
  /** Of its wait for a kubelet that is well; left out: nobody knows. */
  readonly health?: number;
  /** Of its wait for what runs on a control plane; left out: nobody knows. */
  readonly running?: number;
  /** Of a call that is refused again and again; left out: nobody knows. */
  readonly calls?: number;
  /** How what runs there was asked how it is; left out: nothing runs. */
  readonly components?: readonly ComponentSeen[];
  /** Milliseconds that a certificate lives; left out: a year. */
  readonly life?: number;
  /** How long whoever watched had to wait for its turn on the machine; left out: nobody knows. */
  readonly lag?: number;
  /** The machine was so busy that it may have lacked the time to end well. */
  readonly isStarved?: true;
  /** How long it takes to begin; left out: no time. */
  readonly starts?: number;
  readonly seen: readonly Seen[];
  /** What the machine is to be called, in lower case; left out: as every machine here. */
  readonly node?: string;
  /** It may believe what cluster-info says, whoever serves it. */
  readonly isBelievable?: true;
  /** Whom it asked besides, where nobody listens: "https://192.0.2.7:443"; left out: nobody looked. */
  readonly astray?: readonly string[];
  /** Paths of files that it wrote and left. */
  readonly left: readonly string[];
}

/** When a component of a control plane was asked how it is, first and last, and what it said last. */
export interface ComponentSeen {
  readonly component: string;
  readonly times: number;
  readonly first: number;
  readonly last: number;
  readonly isWell: boolean;
}

export const NOBODY = 'nobody';
export const ITS_TOKEN = 'its token';
export const ITS_CERTIFICATE = 'a certificate';
export const REQUESTS = 'POST /apis/certificates.k8s.io/v1/certificatesigningrequests';
export const ALL_REQUESTS = 'GET /apis/certificates.k8s.io/v1/certificatesigningrequests';

/** Whom a request is asked as: by its header, its certificate, or a token anywhere in it. */
function identity(entry: Extract<Entry, { kind: 'request' }>, truth: Truth): string {
  const { discoveryToken, bootstrapToken } = truth;
  const { authorization, clientCertificate, headers, target, body, serverName = '' } = entry;
  // The scheme is of either case. Source: apiserver pkg/authentication/request/bearertoken.
  const token = authorization?.replace(/^bearer /i, 'Bearer ');
  if (bootstrapToken !== '' && token === `Bearer ${bootstrapToken}`) return ITS_TOKEN;
  if (discoveryToken !== '' && token === `Bearer ${discoveryToken}`) return 'its token of discovery';
  if ([target, body, serverName, Object.values(headers).join(' ')].some(holdsToken(truth)))
    return 'nobody known, but with its token in some other place';
  if (authorization !== undefined) return 'somebody else';
  return clientCertificate === undefined ? NOBODY : ITS_CERTIFICATE;
}

const holdsToken = remembered(({ discoveryToken, bootstrapToken }: Truth) =>
  secretReader([discoveryToken, bootstrapToken].filter((token) => token.includes('.'))),
);

/** Name and password of the scheme Basic, as a token would be written. */
function inBasic(authorization: string): readonly string[] {
  const [, encoded] = /^basic +(\S+)/i.exec(authorization) ?? [];
  return encoded === undefined ? [] : [Buffer.from(encoded, 'base64').toString('latin1').replace(':', '.')];
}

/** Whether a token stands in a request outside of its header Authorization, or a certificate key anywhere in it. */
function straysIn(entry: Extract<Entry, { kind: 'request' }>, truth: Truth): boolean {
  const { target, body, headers, serverName = '', authorization = '' } = entry;
  const { authorization: _, ...others } = headers;
  const parts = [
    target,
    body,
    serverName,
    Object.values(others).join(' '),
    ...decodedIn(body),
    ...inBasic(authorization),
  ];
  const { discoveryToken, bootstrapToken, certificateKey = '' } = truth;
  const forms = [discoveryToken, bootstrapToken, certificateKey].flatMap(formsOf);
  const holds = holdsLong(truth);
  return parts.some((part) => forms.some((form) => part.includes(form)) || holds(part));
}

const REQUEST_PEM = /-----BEGIN CERTIFICATE REQUEST-----([^-]+)-----/;
/** What stands in a request for a certificate that a body holds, behind both of its base64s. */
function decodedIn(body: string): readonly string[] {
  const [, inner = ''] = /"request":\s*"([A-Za-z0-9+/=]+)"/.exec(body) ?? [];
  const pem = REQUEST_PEM.exec(inner === '' ? body : Buffer.from(inner, 'base64').toString('latin1'));
  return pem === null ? [] : [Buffer.from(pem[1] ?? '', 'base64').toString('latin1')];
}

const LEASING = /^POST .*\/namespaces\/kube-node-lease\/leases$/;
const nameIn = ({ registration }: Truth): string => (registration?.name ?? NODE).toLowerCase();
/** The same where it is another than that of every machine here. */
export function nodeIn(truth: Truth): { readonly node?: string } {
  const node = nameIn(truth);
  return node === NODE ? {} : { node };
}
/** Whether an object in JSON is called otherwise than the machine. */
function isOfAnother(body: string, truth: Truth): boolean {
  try {
    const object: unknown = JSON.parse(body);
    return isRecord(object) && text(record(object.metadata).name) !== nameIn(truth);
  } catch {
    return false;
  }
}

const LOOKING = /\/namespaces\/kube-public\/configmaps\/cluster-info$/;
/** Whether a request tells the name that the machine is to have. */
function holdsName({ headers, target, body }: Extract<Entry, { kind: 'request' }>, truth: Truth): boolean {
  const name = nameIn(truth);
  return [target, body, ...Object.values(headers)].some((part) => part.toLowerCase().includes(name));
}

/** What is chosen by a field is a node's own. */
const UNSELECTED = /^GET \/api\/v1\/(?:namespaces\/[^/]+\/)?(?:nodes|pods|secrets|configmaps)$/;

/** What a request asks for, "GET /api/v1/nodes/a": below the path that the server has. */
export function whatOf({ method, target }: { readonly method: string; readonly target: string }, truth: Truth): string {
  const path = target.replace(/\?.*/s, '');
  const before = pathIn(truth);
  return `${method} ${path.startsWith(`${before}/`) ? path.slice(before.length) : path}`;
}

function seenOf(entry: Entry, truth: Truth): Seen {
  const { at, connection, certificate = '' } = entry;
  const plain = { first: at, last: at, times: 1, connection, certificate };
  if (entry.kind === 'connection') {
    const byte = entry.firstByte === undefined || entry.firstByte === 0x16 ? '' : ', to a client without TLS';
    return { ...plain, what: `${entry.event}${byte}`, as: NOBODY, answered: null };
  }
  const { target, body, answered, headers, clientKey } = entry;
  const what = whatOf(entry, truth);
  const asked = what === REQUESTS ? requestIn(body) : undefined;
  const claims = Object.keys(headers).filter((name) => CLAIMS.test(name));
  return {
    ...plain,
    what,
    as: identity(entry, truth),
    answered,
    ...(asked === undefined ? {} : asked),
    ...(what === REGISTERING || MARKING.test(what) ? marksIn(body) : {}),
    ...([target, body, ...Object.values(headers)].some(holdsPrivateKey) ? { leaks: true } : {}),
    ...(isElsewhere(entry, truth) ? { elsewhere: true } : {}),
    ...(isUnnamed(entry) ? { unnamed: true } : {}),
    ...(straysIn(entry, truth) ? { strays: true } : {}),
    ...(claims.length === 0 ? {} : { claims }),
    ...(LEASING.test(what) && isOfAnother(body, truth) ? { ofAnother: true } : {}),
    ...(LOOKING.test(what) && holdsName(entry, truth) ? { isNamed: true } : {}),
    ...(asked === undefined || clientKey === undefined ? {} : { shown: clientKey }),
    ...(what === ALL_REQUESTS && !/[?&]fieldSelector=metadata\.name(?:=|%3D)/i.test(target) ? { isWide: true } : {}),
    ...(UNSELECTED.test(what) && !/[?&]fieldSelector=/.test(target) ? { isUnselected: true } : {}),
    ...(entry.isUnprotected === true ? { isUnprotected: true } : {}),
  };
}

/**
 * Source: apiserver, authentication docs, user impersonation and authenticating proxy; apimachinery, pkg/util/net/http.go
 * SourceIPs; RFC 7239, 4; RFC 6265, 4.2.
 */
const CLAIMS =
  /^(?:impersonate-.*|x-remote-(?:user|uid|group|extra-.*)|cookie|forwarded|x-forwarded-(?:for|user)|x-real-ip)$/;

export const REGISTERING = 'POST /api/v1/nodes';
const MARKING = /^PATCH \/api\/v1\/nodes\/[^/]+$/;

/** What controllers, administrators and clouds say of a Node. Source: core/v1 NodeSpec; pkg/controller/nodeipam. */
const NOT_ITS_OWN = ['unschedulable', 'podCIDR', 'podCIDRs', 'configSource', 'providerID', 'externalID'] as const;
/** Neither left out, nor nothing. */
const isSaid = (value: unknown): boolean =>
  ![undefined, null, false, ''].includes(value as null) && !(Array.isArray(value) && value.length === 0);

/** What a patch of a Node says, or a Node that is made; nothing where it is none in JSON. */
function marksIn(body: string): { readonly marks?: Marks } {
  try {
    const patch: unknown = JSON.parse(body);
    const { metadata, spec } = isRecord(patch) ? patch : {};
    const taints = records(record(spec).taints).map((one) => `${text(one.key)}:${text(one.effect)}`);
    const all = Object.entries(record(record(metadata).labels));
    const keysOf = (isLost: boolean): readonly string[] =>
      all.flatMap(([key, value]) =>
        (value === null) === isLost ? [value === null || value === '' ? key : `${key}=${text(value)}`] : [],
      );
    const lost = keysOf(true);
    const besides = [
      ...NOT_ITS_OWN.filter((field) => isSaid(record(spec)[field])),
      ...['finalizers', 'ownerReferences'].filter((field) => isSaid(record(metadata)[field])),
    ];
    return {
      marks: {
        labels: keysOf(false),
        taints,
        ...('taints' in record(spec) && taints.length === 0 ? { untaints: true } : {}),
        ...(lost.length === 0 ? {} : { lost }),
        ...(besides.length === 0 ? {} : { besides }),
      },
    };
  } catch {
    return {};
  }
}

/** What the server of the cluster has before every path; '' where it has nothing. */
const pathIn = ({ server }: Truth): string => /^https?:\/\/[^/]+(\/.+)$/.exec(server)?.[1] ?? '';

/** Of a control plane that joins it may be its own. */
const isElsewhere = (entry: Extract<Entry, { kind: 'request' }>, truth: Truth): boolean => {
  const { host } = entry.headers;
  if (host === undefined || !identity(entry, truth).startsWith(ITS_TOKEN)) return false;
  const known = [truth.server, truth.ownServer ?? ''].map((server) =>
    server.replace(/^https?:\/\/|(?<=[^/])\/[^/].*/g, ''),
  );
  return !known.includes(host.toLowerCase());
};

/** Who asks an address need tell none. Source: RFC 6066, 3. */
function isUnnamed({ serverName, headers: { host = '' } }: Extract<Entry, { kind: 'request' }>): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  const isAddress = name === '' || name.startsWith('[') || /^[\d.]+$/.test(name);
  return serverName !== undefined && !isAddress && serverName.toLowerCase() !== name;
}

/** All but when, and how often. */
const isSame = (a: Seen, b: Seen): boolean =>
  isDeepStrictEqual({ ...a, first: b.first, last: b.last, times: b.times }, b);

/** What repeats itself at once, put together. */
function together(all: readonly Seen[]): readonly Seen[] {
  const kept: Seen[] = [];
  for (const one of all) {
    const before = kept.at(-1);
    if (before !== undefined && isSame(before, one))
      kept[kept.length - 1] = { ...before, last: one.last, times: before.times + 1 };
    else kept.push(one);
  }
  return kept;
}

/** What every machine here is called that is called nothing else. */
export const NODE = 'worker-9';

const MOST = 200;
const MOST_SAID = 60;
/** What stands for a token in words. */
export const ITS_TOKEN_SAID = '(its token)';
export const ITS_KEY_SAID = '(its certificate key)';
export const PRIVATE_KEY_SAID = '(a private key)';
const PRIVATE_KEY_PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]*-----END [A-Z ]*-----)?/g;
/** A token as a whole, its secret half, and both as base64 has them; what is so short says nothing. */
const formsOf = rememberedText((secret): readonly string[] => {
  const [, half = ''] = secret.split('.');
  const derived = [half, ...[secret, half].map((one) => unpadded(base64(one)))];
  return [...[secret].filter(({ length }) => length > 4), ...derived.filter(({ length }) => length > 12)];
});
/** Who has one half of a key has but the other one to find. */
const halvesOf = (key: string): readonly string[] => [key.slice(0, key.length / 2), key.slice(key.length / 2)];
/** Whether a text holds one of the secrets that a client was told, in whatever form; what is so short says nothing. */
const holdsLong = remembered(({ discoveryToken, bootstrapToken, certificateKey = '' }: Truth) =>
  secretReader([discoveryToken, bootstrapToken, certificateKey, ...halvesOf(certificateKey)].filter(isTelling)),
);

/** Words of a client, without what it must not repeat. What holds it in another form is not repeated at all. */
function plain(words: string, truth: Truth): string {
  if (!PRIVATE_KEY.test(words) && holdsPrivateKey(words)) return PRIVATE_KEY_SAID;
  const without = replaced(words, truth);
  return holdsLong(truth)(without) ? ITS_TOKEN_SAID : without;
}

const replaced = (words: string, { discoveryToken, bootstrapToken, certificateKey = '' }: Truth): string =>
  [
    [discoveryToken, ITS_TOKEN_SAID] as const,
    [bootstrapToken, ITS_TOKEN_SAID] as const,
    [certificateKey, ITS_KEY_SAID] as const,
  ]
    .flatMap(([secret, said]) => formsOf(secret).map((form) => [form, said] as const))
    .reduce((rest, [form, said]) => rest.replaceAll(form, said), words)
    .replace(PRIVATE_KEY_PEM, PRIVATE_KEY_SAID)
    .slice(0, 2000);

/** Whether a line held what it must not, which is marked by now. */
export const tellsSecrets = (line: string): boolean =>
  [ITS_TOKEN_SAID, ITS_KEY_SAID, PRIVATE_KEY_SAID].some((said) => line.includes(said));

/** What preflight checks find stands before the sentence by which it ends. Source: cmd/kubeadm/app/preflight/checks.go Error. */
export const isPreflight = (line: string): boolean => /^(?:\s|\\t)*\[ERROR /.test(line);

/** The last of them, and those before that repeat what they must not, or say what preflight checks have found. */
const kept = (lines: readonly string[]): readonly string[] => {
  const telling = lines.filter((line) => tellsSecrets(line) || isPreflight(line));
  const last = lines.slice(-MOST_SAID);
  return [...telling.filter((line) => !last.includes(line)).slice(0, MOST_SAID), ...last];
};

export const subjectOf = ({ lie, server }: ClientRun): string => `${lie} (${server})`;

/** One for each, in the order in which they were first asked. */
const componentsIn = (calls: readonly ComponentCall[]): readonly ComponentSeen[] =>
  [...new Set(calls.map(({ component }) => component))].map((component) => {
    const own = calls.filter((one) => one.component === component);
    const last = own.at(-1);
    return { component, times: own.length, first: own[0]?.at ?? 0, last: last?.at ?? 0, isWell: last?.isWell === true };
  });

export function readAttempt(run: ClientRun): Attempt {
  const { transcript, truth, speaksKubeadm } = run;
  const { exit, message, said, milliseconds, entries, files, lag, startsWithin } = transcript;
  return {
    subject: subjectOf(run),
    exit: exit ?? null,
    words: plain(message, truth),
    said: kept(said.map((line) => plain(line, truth))),
    speaksKubeadm,
    milliseconds,
    timeout: truth.discoveryTimeout ?? null,
    ...(truth.bootstrapTimeout === undefined ? {} : { waits: truth.bootstrapTimeout }),
    ...(truth.healthTimeout === undefined ? {} : { health: truth.healthTimeout }),
    ...(truth.componentTimeout === undefined ? {} : { running: truth.componentTimeout }),
    ...(truth.callTimeout === undefined ? {} : { calls: truth.callTimeout }),
    ...(transcript.components === undefined ? {} : { components: componentsIn(transcript.components) }),
    ...(truth.certificateLife === undefined ? {} : { life: truth.certificateLife }),
    ...(lag === undefined ? {} : { lag: Math.round(lag) }),
    ...(isStarved(transcript) ? { isStarved: true as const } : {}),
    ...(startsWithin === undefined ? {} : { starts: Math.round(startsWithin) }),
    seen: together(entries.map((entry) => seenOf(entry, truth))).slice(0, MOST),
    ...nodeIn(truth),
    ...(run.isBelievable === true ? { isBelievable: true as const } : {}),
    ...(transcript.astray === undefined ? {} : { astray: [...new Set(transcript.astray)].slice(0, MOST_SAID) }),
    left: Object.keys(files).sort(),
  };
}

/** Of a text, so that it can be compared without being shown. */
export const digestOf = (content: string): string => createHash('sha256').update(content.trim()).digest('base64url');

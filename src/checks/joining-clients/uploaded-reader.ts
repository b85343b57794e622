/**
 * Reads what an upload of shared certificates has made into facts that a report may hold: which file an entry is by the
 * certificate key, never the key or the file.
 */
import { base64, list, record, records, text, textMap, texts, unpadded } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { UploadRun, UploadTime } from '../../kubernetes/upload-run.js';
import { certificatesIn, tryCertificate } from '../certificates/x509.js';
import { NONCE, openedWith } from '../common/encrypted.js';
import { readRfc3339 } from '../common/rfc3339.js';
import { digestOf } from './joining-client-reader.js';

export interface EntrySeen {
  readonly name: string;
  /** "nothing"; the name of the file that the key makes of it; "another text"; "closed": the key does not open it. */
  readonly holds: string;
  /** Nobody needs a key to read it. */
  readonly readable: boolean;
}

export interface CertsSeen {
  readonly entries: readonly EntrySeen[];
  /** How many of them begin as another one does: they share a nonce. */
  readonly alike: number;
  /** "v1 Secret bootstrap-token-… (that of the upload)" */
  readonly owners: readonly string[];
  /** One of them is the token of the upload, by its uid. */
  readonly owned: boolean;
  /** What each of them says of itself: "controller, blocking its deletion". */
  readonly marks: readonly string[];
}

export interface TokenSeen {
  /** Seconds that it lives from the upload on; null: for ever, or nobody knows. */
  readonly seconds: number | null;
  readonly usages: readonly string[];
  readonly groups: readonly string[];
}

export interface TimeSeen {
  readonly exit: number | null;
  /** What it ended with, without keys. */
  readonly words: string;
  /** How many keys it said, and whether its own was among them. */
  readonly printed: number;
  readonly said: boolean;
  /** Of its key, told or said; '' where nobody knows it. */
  readonly key: string;
  /** Hexadecimal digits of the same. */
  readonly digits: number;
  /** Secret kubeadm-certs; undefined: there is none. */
  readonly certs?: CertsSeen;
  /** Secrets of such entries that have another name. */
  readonly misnamed: readonly string[];
  /** Tokens but for the one that it was told to make. */
  readonly tokens: readonly TokenSeen[];
  /** "get secrets/kubeadm-certs", of Role kubeadm:kubeadm-certs. */
  readonly rights: readonly string[];
  /** "Group …", of the RoleBinding of that name to that Role. */
  readonly bound: readonly string[];
  /** Kinds of what it made, in the order in which the cluster stored them first. */
  readonly order: readonly string[];
  /** Objects that hold the key. */
  readonly leaks: readonly string[];
  /** Pins in its commands for those who join. */
  readonly pins: readonly string[];
}

export interface Uploaded {
  readonly subject: string;
  readonly times: readonly TimeSeen[];
  /** Names that entries have by the disk; of those in `absent` there is no file. */
  readonly files: readonly string[];
  readonly absent: readonly string[];
  /** Pins of the cluster's authorities. */
  readonly pins: readonly string[];
  /** Status that the owner of the Secret gets as a token; null: there was none. */
  readonly login: number | null;
  readonly signs: boolean;
  readonly outlives: boolean | null;
}

export const CERTS = 'kubeadm-certs';
const GRANT = 'kubeadm:kubeadm-certs';
/** A hash is no key. */
const KEY = /(?<![0-9a-z:])[0-9a-f]{64}(?![0-9a-z])/gi;
/** What kubeadm adds to every error. */
const HINT = 'To see the stack trace';

const nameOf = ({ metadata }: KubeObject): string => text(metadata.name);
const dataOf = (object: KubeObject): ReadonlyMap<string, Buffer> =>
  new Map(
    Object.entries(textMap(record(record(object).data))).map(([key, value]) => [key, Buffer.from(value, 'base64')]),
  );

function entryOf(name: string, value: Buffer, key: string, files: UploadRun['files']): EntrySeen {
  const readable = /-----BEGIN |PRIVATE KEY/.test(value.toString('latin1'));
  if (value.length === 0) return { name, holds: 'nothing', readable };
  const plain = openedWith(value, key);
  const same = Object.entries(files).filter(([, pem]) => pem !== null && pem === plain);
  // Two files may hold the same.
  const file = same.find(([own]) => own === name) ?? same[0];
  return { name, holds: plain === undefined ? 'closed' : (file?.[0] ?? 'another text'), readable };
}

function certsOf(secret: KubeObject, key: string, files: UploadRun['files'], tokens: readonly KubeObject[]): CertsSeen {
  const data = dataOf(secret);
  const nonces = [...data.values()]
    .filter(({ length }) => length > 0)
    .map((one) => one.subarray(0, NONCE).toString('hex'));
  const owners = records(list(secret.metadata.ownerReferences));
  const isToken = (owner: (typeof owners)[number]): boolean =>
    text(owner.apiVersion) === 'v1' &&
    text(owner.kind) === 'Secret' &&
    tokens.some((token) => nameOf(token) === owner.name && token.metadata.uid === owner.uid);
  return {
    entries: [...data]
      .map(([name, value]) => entryOf(name, value, key, files))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    alike: nonces.length - new Set(nonces).size,
    owners: owners.map((one) => `${text(one.kind)}${isToken(one) ? ', the token of the upload' : ', something else'}`),
    owned: owners.length === 1 && owners.every(isToken),
    marks: owners.map(({ controller, blockOwnerDeletion }) =>
      [
        ...(controller === true ? ['controller'] : []),
        ...(blockOwnerDeletion === true ? ['blocking its deletion'] : []),
      ].join(', '),
    ),
  };
}

export function readToken(secret: KubeObject, began: number): TokenSeen {
  const data = dataOf(secret);
  const at = (key: string): string => data.get(key)?.toString('utf8') ?? '';
  const ends = readRfc3339(at('expiration'));
  return {
    seconds: ends.readable ? Math.round((ends.at - began) / 1000) : null,
    usages: [...data.keys()].filter((key) => key.startsWith('usage-') && at(key) === 'true').sort(),
    groups: at('auth-extra-groups')
      .split(',')
      .filter((group) => group !== ''),
  };
}

const rightsOf = (role: KubeObject | undefined): readonly string[] =>
  records(record(role).rules).flatMap((rule) =>
    texts(rule.verbs).flatMap((verb) =>
      texts(rule.resources).flatMap((resource) => {
        const names = texts(rule.resourceNames);
        return (names.length === 0 ? [''] : names).map((name) => `${verb} ${resource}${name === '' ? '' : `/${name}`}`);
      }),
    ),
  );

/** Of an object that nobody has changed since it was made. */
const revision = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);

function timeOf(time: UploadTime, { files, token }: UploadRun): TimeSeen {
  const { told, exit, said, objects, began } = time;
  const printed = said.join('\n').match(KEY) ?? [];
  const key = told ?? printed.at(-1) ?? '';
  const ofKind = (kind: string): readonly KubeObject[] => objects.filter((one) => one.kind === kind);
  const secrets = ofKind('Secret');
  const tokens = secrets.filter(
    (one) => nameOf(one).startsWith('bootstrap-token-') && !nameOf(one).endsWith(token.slice(0, 6)),
  );
  const certs = secrets.find((one) => nameOf(one) === CERTS);
  const named = (kind: string): KubeObject | undefined => ofKind(kind).find((one) => nameOf(one) === GRANT);
  const [role, binding] = [named('Role'), named('RoleBinding')];
  const isBound =
    text(record(record(binding).roleRef).kind) === 'Role' && text(record(record(binding).roleRef).name) === GRANT;
  const made = [...tokens.slice(0, 1), certs, role, binding].filter((one) => one !== undefined);
  const encoded = [Buffer.from(key), Buffer.from(key, 'hex')].map((bytes) => unpadded(base64(bytes)));
  const forms = key === '' ? [] : [key, key.toLowerCase(), ...encoded];
  return {
    exit: exit ?? null,
    words: (said.filter((line) => line.trim() !== '' && !line.startsWith(HINT)).at(-1) ?? '')
      .replace(KEY, '(a key)')
      .slice(0, 300),
    printed: printed.length,
    said: key !== '' && printed.some((one) => one.toLowerCase() === key.toLowerCase()),
    key: key === '' ? '' : digestOf(key.toLowerCase()),
    digits: /^[0-9a-f]*$/i.test(key) ? key.length : 0,
    ...(certs === undefined ? {} : { certs: certsOf(certs, key, files, tokens) }),
    misnamed: secrets.filter((one) => one !== certs && [...dataOf(one).keys()].includes('ca.key')).map(nameOf),
    tokens: tokens.map((one) => readToken(one, began)),
    rights: rightsOf(role),
    bound: isBound ? records(record(binding).subjects).map(({ kind, name }) => `${text(kind)} ${text(name)}`) : [],
    order: made.sort((a, b) => revision(a) - revision(b)).map(({ kind = '' }) => kind),
    leaks: objects
      .filter((one) => forms.some((form) => JSON.stringify(one).includes(form)))
      .map((one) => `${one.kind} ${nameOf(one)}`),
    pins: said.join(' ').match(/(?<=--discovery-token-ca-cert-hash[ =])sha256:[0-9a-f]+/gi) ?? [],
  };
}

export const readUpload = (run: UploadRun): Uploaded => ({
  subject: `an upload, ${run.circumstance}`,
  times: run.times.map((time) => timeOf(time, run)),
  files: Object.keys(run.files).sort(),
  absent: Object.keys(run.files)
    .filter((name) => run.files[name] === null)
    .sort(),
  pins: certificatesIn(run.authorityPem).flatMap((der) => {
    const facts = tryCertificate(der);
    return 'unreadable' in facts ? [] : [facts.pin];
  }),
  login: run.login ?? null,
  signs: run.signs ?? false,
  outlives: run.outlives ?? null,
});

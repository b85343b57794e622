/** Reads what init has left in files into facts that a report may hold: no key is among them. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isRecord, record, records, text } from '../../kubernetes/json.js';
import type { PreflightRun, WrittenFile } from '../../kubernetes/preflight-run.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import { namesIn } from '../certificates/extensions.js';
import { decodedPem } from '../certificates/pem.js';
import { certificatesIn, isSignedBy, tryCertificate } from '../certificates/x509.js';
import { currentContext } from '../written/current-context.js';
import { readLook } from './preflight-reader.js';

/** One file, as one run has left it. */
export interface LeftSeen {
  readonly subject: string;
  /** Below /etc/kubernetes, or a whole path. */
  readonly file: string;
  /** null: it is not there. */
  readonly facts: readonly string[] | null;
  /** null: it had to be ended. */
  readonly exit: number | null;
  /** Its last words. */
  readonly words: string;
}

const HOME = '/etc/kubernetes/';
const DAY = 86_400_000;
const shortly = (path: string): string => (path.startsWith(HOME) ? path.slice(HOME.length) : path);
const AUTHORITIES = ['pki/ca.crt', 'pki/front-proxy-ca.crt', 'pki/etcd/ca.crt'];

const spki = (key: KeyObject): string =>
  (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' }).toString('base64');
const kindOf = ({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): string =>
  `key ${asymmetricKeyType} ${asymmetricKeyDetails.namedCurve ?? asymmetricKeyDetails.modulusLength ?? ''}`;

function keyOf(pem: string): KeyObject | undefined {
  try {
    return pem.includes('PRIVATE KEY') ? createPrivateKey(pem) : createPublicKey(pem);
  } catch {
    return undefined;
  }
}

type Files = ReadonlyMap<string, WrittenFile>;

/** Which authorities on the disk have signed a certificate, and whether they are the same. */
const leadsTo = (der: Buffer, files: Files, says: string, fits: (der: Buffer, authority: Buffer) => boolean) =>
  AUTHORITIES.filter((path) =>
    certificatesIn(files.get(path)?.text ?? '').some((authority) => fits(der, authority)),
  ).map((path) => `${says} ${path}`);

function beginningOf(der: Buffer): number | undefined {
  const facts = tryCertificate(der);
  return 'unreadable' in facts ? undefined : facts.notBefore;
}

/** Whether a certificate begins when who signed it does, as those of kubeconfigs alone do. Source: pki_helpers.go. */
const beginsWith = (der: Buffer, authority: Buffer): boolean =>
  isSignedBy(der, authority) && beginningOf(der) === beginningOf(authority);

function certificateFacts(pem: string, files: Files): readonly string[] {
  const [der] = certificatesIn(pem);
  if (der === undefined) return ['no certificate'];
  const facts = tryCertificate(der);
  if ('unreadable' in facts) return ['no certificate'];
  const { commonName, organizations, notBefore, notAfter, extendedKeyUsage: usages = [], altNames, ca: isCa } = facts;
  const { keyUsage = [], pathLength } = facts;
  return [
    `CN=${commonName}`,
    ...organizations.map((name) => `O=${name}`),
    ...namesIn(altNames).map((name) => `for ${name}`),
    ...usages.map((usage) => `usage ${usage}`),
    ...keyUsage.map((usage) => `key usage ${usage}`),
    ...(pathLength === undefined ? [] : [`path of ${pathLength}`]),
    ...(isCa ? ['an authority'] : []),
    `lives ${Math.round((notAfter - notBefore) / DAY)} days`,
    kindOf(new X509Certificate(der).publicKey),
    ...leadsTo(der, files, 'signed by', isSignedBy),
  ];
}

/** Whether two texts hold the two halves of a pair. */
function belongs(certificate: string, key: string): boolean {
  const [der] = certificatesIn(certificate);
  const half = keyOf(key);
  const other = der === undefined ? keyOf(certificate) : new X509Certificate(der).publicKey;
  return half !== undefined && other !== undefined && spki(half) === spki(other);
}

function keyFacts(path: string, pem: string, files: Files): readonly string[] {
  const key = keyOf(pem);
  if (key === undefined) return ['no key'];
  const other = path.replace(/\.key$/, path.endsWith('sa.key') ? '.pub' : '.crt');
  return [kindOf(key), ...(belongs(files.get(other)?.text ?? '', pem) ? [`belongs to ${other}`] : [])];
}

function kubeconfigFacts(content: string, files: Files): readonly string[] {
  const config = record(parseYaml(content));
  const { context, ...meant } = currentContext(config);
  const [cluster, user] = [record(meant.cluster), record(meant.user)];
  const [authority] = certificatesIn(decodedPem(text(cluster['certificate-authority-data'])));
  const certificate = decodedPem(text(user['client-certificate-data']));
  const key = decodedPem(text(user['client-key-data']));
  return [
    `asks ${text(cluster.server)}`,
    `cluster ${text(context.cluster)}`,
    `context ${text(config['current-context'])}`,
    ...(authority === undefined ? [] : leadsTo(authority, files, 'believes', (one, other) => one.equals(other))),
    ...certificateFacts(certificate, files),
    ...certificatesIn(certificate)
      .slice(0, 1)
      .flatMap((der) => leadsTo(der, files, 'begins with', beginsWith)),
    ...(belongs(certificate, key) ? ['has its key'] : []),
    ...['client-certificate', 'client-key'].flatMap((name) =>
      user[name] === undefined ? [] : [`${name} in ${text(user[name])}`],
    ),
    ...(key === '' ? [] : ['a key within']),
  ];
}

/** "key: value" of each leaf, and the items of lists as they are. */
function leaves(value: unknown, key = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => (isRecord(one) ? leaves(one) : [String(one)]));
  if (isRecord(value)) return Object.entries(value).flatMap(([name, inner]) => leaves(inner, name));
  return [`${key}: ${String(value)}`];
}

/** Of a static Pod: what its container mounts, and its variables. */
function podFacts(pod: Readonly<Record<string, unknown>>): readonly string[] {
  const spec = record(pod.spec);
  const [container = {}] = records(spec.containers);
  const probe = record(container.startupProbe);
  const { failureThreshold } = record(container.livenessProbe);
  const asked = (name: string): string => text(record(record(record(container)[name]).httpGet).path);
  const { annotations, labels, name, namespace } = record(pod.metadata);
  const told = (what: string, all: unknown): readonly string[] =>
    Object.entries(record(all)).map(([key, value]) => `${what} ${key}=${text(value)}`);
  const { seccompProfile } = record(spec.securityContext);
  return [
    `Pod ${text(namespace)}/${text(name)}`,
    ...told('annotation', annotations),
    ...told('label', labels),
    ...leaves(container.command),
    `image: ${text(container.image)}`,
    `image from ${text(container.image).replace(/\/[^/]*$/, '')}`,
    ...records(container.env).map(({ name, value }) => `env ${text(name)}=${text(value)}`),
    ...records(container.volumeMounts).map(({ name, mountPath, readOnly }) => {
      const volume = records(spec.volumes).find((one) => one.name === name);
      const { path, type } = record(record(volume).hostPath);
      return `mounts ${text(path)} (${text(type)}) at ${text(mountPath)}${readOnly === true ? ', read-only' : ''}`;
    }),
    `fails ${String(probe.failureThreshold)} times at its start`,
    `alive at ${asked('livenessProbe')}`,
    `ready at ${asked('readinessProbe')}`,
    `started at ${asked('startupProbe')}`,
    `asked every ${['livenessProbe', 'readinessProbe', 'startupProbe'].map((name) => String(record(record(container)[name]).periodSeconds ?? 'none')).join(', ')} s`,
    `pulls ${text(container.imagePullPolicy)}`,
    ...Object.entries(record(record(container.resources).requests)).map(
      ([what, much]) => `asks for ${what} ${text(much)}`,
    ),
    `lives on after ${Number(failureThreshold) - 1} failures`,
    `priority class ${text(spec.priorityClassName)}`,
    `seccomp ${text(record(seccompProfile).type)}`,
    ...(spec.hostNetwork === true ? ['on the network of its machine'] : []),
    record(container.securityContext).privileged === true ? 'privileged' : 'not privileged',
    ...leaves(record(probe.httpGet)).map((one) => `probe ${one}`),
  ];
}

function factsOf({ path, text: content, mode }: WrittenFile, files: Files): readonly string[] {
  const name = shortly(path);
  const own = (): readonly string[] => {
    if (name.endsWith('.crt')) return certificateFacts(content, files);
    if (name.endsWith('.key')) return keyFacts(name, content, files);
    if (name.endsWith('.conf')) return kubeconfigFacts(content, files);
    if (name.endsWith('.env')) return (/="(.*)"/.exec(content)?.[1] ?? '').split(' ');
    if (!name.endsWith('.yaml')) return [];
    const value = record(parseYaml(content));
    return value.kind === 'Pod' ? podFacts(value) : leaves(value);
  };
  return [`mode ${mode.toString(8)}`, ...own()];
}

/** The files that a run has left, by their short names. */
const filesOf = ({ left = [] }: PreflightRun): Files => new Map(left.map((file) => [shortly(file.path), file]));

/** One file of those that a run has left. */
export function readLeft(run: PreflightRun, file: string): LeftSeen {
  const { subject, exit, words } = readLook(run);
  const files = filesOf(run);
  const found = files.get(file);
  return { subject, file, facts: found === undefined ? null : factsOf(found, files), exit, words };
}

/** The public half of the key in a file or a kubeconfig; undefined: there is none. */
function halfIn(name: string, content: string): string | undefined {
  const pem = name.endsWith('.conf')
    ? decodedPem(/client-key-data"?: ?"?([A-Za-z0-9+/=]+)/.exec(content)?.[1] ?? '')
    : content;
  const key = /\.(?:key|conf)$/.test(name) ? keyOf(pem) : undefined;
  return key === undefined ? undefined : spki(key);
}

/** What is said of a file whose key is in no other. */
export const KEY_ALONE = 'has a key that no other has';

/** All certificates, keys and kubeconfigs that it has made. */
export function readMade(run: PreflightRun): readonly LeftSeen[] {
  const halves = new Map([...filesOf(run)].map(([name, { text: content }]) => [name, halfIn(name, content)] as const));
  const isShared = (file: string): boolean => {
    const own = halves.get(file);
    return own !== undefined && [...halves].some(([other, half]) => other !== file && half === own);
  };
  return run.written
    .map(shortly)
    .filter((file) => /\.(?:crt|key|conf)$/.test(file))
    .map((file): LeftSeen => {
      const left = readLeft(run, file);
      return left.facts === null || isShared(file) ? left : { ...left, facts: [...left.facts, KEY_ALONE] };
    });
}

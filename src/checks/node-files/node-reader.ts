/**
 * What lies on a node's disk, as facts that a report may hold: no key, no token. Certificates are read with the judge's
 * own readers, keys by node:crypto, never with what made them.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { record, text } from '../../kubernetes/json.js';
import { TOKEN_FORM } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { rememberedText } from '../../kubernetes/remembered.js';
import { besidesIn } from '../certificates/certificate-oddities.js';
import { readDer, Unreadable } from '../certificates/der.js';
import { isWhole } from '../certificates/key-pair.js';
import { blocksOf } from '../certificates/pem.js';
import { pinOf } from '../certificates/signature.js';
import { isSignedBy, tryCertificate } from '../certificates/x509.js';
import { commandLines } from '../written/control-plane-flags.js';
import { currentContext, namedTwice } from '../written/current-context.js';
import { fieldsIn, Unread } from '../written/written-fields.js';
import { isOfContainerd, runtimeSettingsIn } from './container-runtime.js';
import { givenAwayBy, runsByItself } from './given-away.js';
import { bearsEndlessly, keysIn } from './kept-secrets.js';
import { EXTRA_ARGS, flagVariablesIn, proxiesIn, serviceIn, variableIn, variablesIn } from './kubelet-service.js';
import { holdsKeys, isLeftBehind } from './left-at.js';
import { machineFileIn } from './machine-files.js';
import { byItsFile, configurationsOn } from './node-configured.js';
import { givenAwayIn } from './node-leftovers.js';
import type { CertificateSeen, Disk, Entry, FileSeen, Held } from './node-seen.js';

export const digestOf = (der: Buffer): string => createHash('sha256').update(der).digest('hex');

/** Every PEM block of a text. Throws Unread where one is cut off or broken. */
function wholeBlocks(content: string): ReturnType<typeof blocksOf> {
  const blocks = blocksOf(content);
  const begun = content.match(/-----BEGIN /g)?.length ?? 0;
  if (begun === 0) throw new Unread('it holds no PEM');
  if (begun !== blocks.length) throw new Unread('its PEM is cut off, or broken');
  return blocks;
}

/** Authorities that may have signed something, by digest. */
export type Authorities = ReadonlyMap<string, Buffer>;

/** Throws Unread. */
function seenCertificate(der: Buffer, authorities: Authorities): CertificateSeen {
  const facts = tryCertificate(der);
  if ('unreadable' in facts) throw new Unread(facts.unreadable);
  const signers = [...authorities].filter(([, authority]) => isSignedBy(der, authority));
  return { digest: digestOf(der), facts, signedBy: signers.map(([digest]) => digest), ...besidesIn(der) };
}

function certificatesIn(content: string): readonly Buffer[] {
  const found = wholeBlocks(content).filter(({ label }) => label === 'CERTIFICATE');
  if (found.length === 0) throw new Unread('it holds no certificate');
  return found.map(({ bytes }) => bytes);
}

const pinOfKey = (key: KeyObject): string => pinOf(key.export({ type: 'spki', format: 'der' }));

/** Stands for the pin of a private key whose numbers do not belong together: it is the key of nothing. */
export const DAMAGED = 'its numbers do not belong together';

/** The blocks that hold a key, each to its last byte: Go refuses what stands behind one. Throws Unread. */
function wholeKeys(content: string): void {
  for (const { label, bytes } of wholeBlocks(content).filter(({ label }) => label.endsWith(' KEY'))) {
    try {
      readDer(bytes);
    } catch (error) {
      if (error instanceof Unreadable) throw new Unread(`its ${label} is no DER, or more stands behind it`);
      throw error;
    }
  }
}

/** Bits of an RSA key that it has at least. Source: NIST SP 800-57 part 1, table 2. */
const ENOUGH = 2048;
const isShort = ({ asymmetricKeyDetails }: KeyObject): boolean =>
  (asymmetricKeyDetails?.modulusLength ?? ENOUGH) < ENOUGH;

/** As node:crypto names it. */
const curveOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): { readonly curve?: string } =>
  asymmetricKeyType === 'rsa' ? {} : { curve: asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType ?? '' };

interface PrivateKey {
  readonly pin: string;
  readonly isShort: boolean;
  readonly curve?: string;
}

/** Throws Unread. */
const privateKeyIn = rememberedText((content): PrivateKey => {
  wholeKeys(content);
  let key: KeyObject;
  try {
    key = createPrivateKey(content);
  } catch {
    throw new Unread('it holds no private key that can be read');
  }
  return { pin: isWhole(key) ? pinOfKey(createPublicKey(key)) : DAMAGED, isShort: isShort(key), ...curveOf(key) };
});
const privatePin = (content: string): string => privateKeyIn(content).pin;

/** A whole file of something else: DER, or PEM blocks of another kind. */
const isOther = (content: string, labels: RegExp): boolean =>
  /^0[\x82\ufffd]/.test(content) ||
  (content.includes('-----BEGIN ') && !wholeBlocks(content).some(({ label }) => labels.test(label)));

function keyIn(content: string): Held {
  if (isOther(content, / KEY$|^PUBLIC KEY$/)) return { kind: 'other' };
  wholeKeys(content);
  if (content.includes('PRIVATE KEY-----')) return { kind: 'key', ...privateKeyIn(content), isPrivate: true };
  try {
    const key = createPublicKey(content);
    return { kind: 'key', pin: pinOfKey(key), isPrivate: false, isShort: isShort(key), ...curveOf(key) };
  } catch {
    throw new Unread('it holds no key that can be read');
  }
}

/** RSA of fewer bits than enough. */
const shortIn = (pem: string): { readonly isShort?: true } => (privateKeyIn(pem).isShort ? { isShort: true } : {});

function pairIn(content: string, authorities: Authorities): Held {
  const [der] = certificatesIn(content);
  const key = wholeBlocks(content).find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (der === undefined || key === undefined) throw new Unread('it holds no certificate with its key');
  const pem = content.slice(content.search(/-----BEGIN [A-Z ]*PRIVATE KEY-----/));
  return { kind: 'pair', certificate: seenCertificate(der, authorities), pin: privatePin(pem), ...shortIn(pem) };
}

const decoded = (value: unknown): string => Buffer.from(text(value), 'base64').toString('latin1');

/** A URL without the name and password of who asks, which it may hold: "https://***@host". */
const withoutUser = (url: string): string => url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1***@');

/** What is meant for a bootstrap token and is none, or was never filled in. Others' tokens have more dots, or none. */
const isOddToken = (token: string): boolean =>
  /[\s<>{}$"'`]/.test(token) || (/^[^.]{1,12}\.[^.]{1,24}$/.test(token) && !TOKEN_FORM.test(token));

/** Ways to say who one is other than by certificate or token. Source: client-go clientcmd/api/v1 types.go AuthInfo. */
const OTHER_WAYS = ['exec', 'auth-provider', 'username', 'password', 'as', 'as-uid', 'as-groups', 'as-user-extra'];

function kubeconfigIn(content: string, authorities: Authorities): Held {
  const config = fieldsIn(content);
  if (config.kind === 'KubeletConfiguration') return { kind: 'settings', settings: config };
  if (config.kind !== undefined && config.kind !== 'Config') return { kind: 'other' };
  // client-go reads no other version, and none is v1
  if (config.apiVersion !== undefined && config.apiVersion !== 'v1') return { kind: 'other' };
  const twice = namedTwice(config);
  if (twice !== '') throw new Unread(twice);
  const current = currentContext(config);
  const [cluster, user] = [record(current.cluster), record(current.user)];
  const embedded = text(cluster['certificate-authority-data']);
  const pem = decoded(embedded);
  const roots = embedded === '' ? [] : certificatesIn(pem);
  const certificate = text(user['client-certificate-data']);
  const key = text(user['client-key-data']);
  const [leaf] = certificate === '' ? [] : certificatesIn(decoded(certificate));
  return {
    kind: 'kubeconfig',
    server: withoutUser(text(cluster.server)),
    authorities: roots.map(digestOf),
    ...(/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem) ? { embedsKey: true as const } : {}),
    // What is no switch is meant as one: clients of Go refuse the file, others may not.
    isInsecure: (cluster['insecure-skip-tls-verify'] ?? false) !== false,
    serverName: text(cluster['tls-server-name']),
    proxy: withoutUser(text(cluster['proxy-url'])),
    user: {
      certificate: leaf === undefined ? null : seenCertificate(leaf, authorities),
      pin: key === '' ? null : privatePin(decoded(key)),
      ...(key === '' ? {} : shortIn(decoded(key))),
      hasToken: text(user.token) !== '' || text(user.tokenFile) !== '',
      ...(isOddToken(text(user.token)) ? { isOddToken: true as const } : {}),
      besides: OTHER_WAYS.filter((name) => user[name] !== undefined && user[name] !== null),
      file: text(user['client-certificate']),
      keyFile: text(user['client-key']),
    },
  };
}

function manifestIn(content: string): Held {
  const pod = fieldsIn(content);
  if (pod.kind !== 'Pod') throw new Unread('it is no Pod, or cut off');
  const [line] = commandLines([{ ...pod, metadata: record(pod.metadata) } as KubeObject]);
  return { kind: 'manifest', pod, flags: Object.fromEntries(line?.flags ?? []) };
}

const OF_FLAGS = ['KUBELET_KUBEADM_ARGS', 'KUBELET_EXTRA_ARGS'];

/** Variables of an environment that hold flags: one has to be there. Throws Unread. */
function kubeletFlagsIn(content: string, variable: string): Held {
  const flags = variableIn(content, variable);
  if (typeof flags === 'string') throw new Unread(flags);
  const told = variablesIn(content);
  const names = Object.keys(told);
  const proxies = proxiesIn(told);
  const others = OF_FLAGS.filter((name) => name !== variable && names.includes(name));
  const more = others.map((name) => variableIn(content, name));
  const wrong = more.find((one) => typeof one === 'string');
  if (typeof wrong === 'string') throw new Unread(wrong);
  const variables = names.filter((name) => !OF_FLAGS.includes(name));
  return {
    kind: 'flags',
    flags: Object.assign({}, ...more, flags),
    ...(variables.length === 0 ? {} : { variables }),
    ...(Object.keys(proxies).length === 0 ? {} : { proxies }),
    ...(names.includes('KUBELET_KUBEADM_ARGS') ? { setsKubeadms: true as const } : {}),
  };
}

const MANIFESTS = '/etc/kubernetes/manifests/';

/** By what it says, whatever it is called. */
const isKubeconfig = (content: string): boolean =>
  /(?:^|[\s{,])"?current-context"?:/.test(content) && /(?:^|[\s{,])"?users"?:/.test(content);

/** By the name of the file. Throws Unread. */
function heldIn(path: string, content: string, authorities: Authorities): Held {
  if (path.startsWith(MANIFESTS)) return manifestIn(content);
  if (/\/(?:kubelet|containerd)\.service(?:\.d\/[^/]+\.conf)?$/.test(path))
    return { kind: 'service', service: serviceIn(content) };
  if (path.endsWith('.crt')) {
    if (isOther(content, /^CERTIFICATE$/)) return { kind: 'other' };
    const certificates = certificatesIn(content).map((der) => seenCertificate(der, authorities));
    return { kind: 'certificates', certificates };
  }
  if (path.endsWith('.key') || path.endsWith('/sa.pub')) return keyIn(content);
  const told = machineFileIn(path, content);
  if (told !== undefined) return { kind: 'machine', told };
  if (isOfContainerd(path)) return { kind: 'runtime', settings: runtimeSettingsIn(content) };
  if (path.endsWith('/.kube/config')) return kubeconfigIn(content, authorities);
  if (isLeftBehind(path)) return isKubeconfig(content) ? kubeconfigIn(content, authorities) : { kind: 'other' };
  if (path.endsWith('.pem')) return pairIn(content, authorities);
  if (path.endsWith('.conf')) return kubeconfigIn(content, authorities);
  if (/\/(?:instance-)?config\.yaml$/.test(path)) return { kind: 'settings', settings: fieldsIn(content) };
  if (path.endsWith('/kubeadm-flags.env')) return kubeletFlagsIn(content, 'KUBELET_KUBEADM_ARGS');
  if (/^\/etc\/kubernetes\/[^/]+\.env$/.test(path)) return { kind: 'environment', variables: flagVariablesIn(content) };
  if (EXTRA_ARGS.includes(path)) {
    const variable = ['KUBELET_EXTRA_ARGS', 'KUBELET_KUBEADM_ARGS'].find((name) =>
      Object.hasOwn(variablesIn(content), name),
    );
    if (variable !== undefined) return kubeletFlagsIn(content, variable);
  }
  return isKubeconfig(content) ? kubeconfigIn(content, authorities) : { kind: 'other' };
}

/** A file that the kubelet passes over in the folder of manifests. Source: pkg/kubelet/config/file.go. */
const isHidden = (path: string): boolean => path.startsWith(MANIFESTS) && path.slice(MANIFESTS.length).startsWith('.');

function read({ path, kind, text: content, unreadable }: Entry, authorities: Authorities): Held {
  if (kind === 'folder') return unreadable === undefined ? { kind } : { kind: 'unreadable', why: unreadable };
  if (isHidden(path)) return { kind: 'other' };
  if (content === undefined)
    // of some only their mode is asked
    return unreadable === undefined ? { kind: 'other' } : { kind: 'unreadable', why: unreadable };
  if (content.trim() === '') return { kind: 'unreadable', why: 'it is empty' };
  return attempted(content, () => heldIn(path, content, authorities));
}

const count = (content: string, mark: string): number => content.split(mark).length - 1;

/** Nothing was cut off: it ends with its last line, and whatever begins in it ends. A disk fills what is lost with NULs. */
const isToItsEnd = (content: string): boolean =>
  content.endsWith('\n') &&
  count(content, '-----BEGIN ') === count(content, '-----END ') &&
  content.replaceAll('\0', '').trim() !== '';

/** What was found, or why it cannot be read. */
function attempted(content: string, find: () => Held): Held {
  try {
    return find();
  } catch (error) {
    if (error instanceof Unread)
      return { kind: 'unreadable', why: error.message, ...(isToItsEnd(content) ? { isWhole: true as const } : {}) };
    throw error;
  }
}

/** Every certificate of the disk that says of itself that it is an authority. */
function authoritiesOf(entries: readonly Entry[]): Authorities {
  const found = new Map<string, Buffer>();
  for (const { path, text: content } of entries) {
    if (content === undefined || !/(?:^|\/|-)ca\.crt$/.test(path)) continue;
    for (const { label, bytes } of blocksOf(content)) if (label === 'CERTIFICATE') found.set(digestOf(bytes), bytes);
  }
  return found;
}

const isSecret = (content = ''): boolean =>
  (content.includes('EncryptionConfiguration') && /\bsecret"?: *["']?[^\s"'{}]/.test(content)) ||
  content.includes('PRIVATE KEY-----') ||
  /(?:^|[\s{,-])"?(?:client-key-data|token)"?: *["']?[^\s"']/m.test(content);

/** What a text gives away, where it does. */
function givenAway(path: string, content = ''): Pick<FileSeen, 'leaves' | 'keys' | 'bears' | 'gives'> {
  const gives = runsByItself(path) ? givenAwayBy(path, content) : [];
  const leaves = givenAwayIn(content, path);
  const isOfUser = isKubeconfig(content);
  const keys = keysIn(content, isOfUser);
  return {
    ...(!isOfUser && bearsEndlessly(content) ? { bears: true as const } : {}),
    ...(leaves.length === 0 ? {} : { leaves }),
    ...(keys.length === 0 ? {} : { keys }),
    ...(gives.length === 0 ? {} : { gives }),
  };
}

/** `others`: authorities besides that may have signed what lies there, DER. */
export function readDisk(entries: readonly Entry[], others: readonly Buffer[] = []): Disk {
  const authorities = new Map([...authoritiesOf(entries), ...others.map((der) => [digestOf(der), der] as const)]);
  const found: Disk = Object.fromEntries(
    entries.map((entry) => [
      entry.path,
      {
        path: entry.path,
        mode: entry.mode ?? null,
        owner: entry.owner ?? null,
        isSecret: isSecret(entry.text),
        ...givenAway(entry.path, entry.text),
        ...(holdsKeys(entry.members ?? []) ? { holdsKeys: true as const } : {}),
        ...(entry.size === 0 || entry.text === '' ? { isEmpty: true as const } : {}),
        ...(entry.at === undefined ? {} : { at: entry.at }),
        held: read(entry, authorities),
      },
    ]),
  );
  return { ...found, ...configurationsOn(found, entries), ...byItsFile(found, entries) };
}

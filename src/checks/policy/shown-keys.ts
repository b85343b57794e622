/**
 * Private keys and credentials in objects whose readers need none: ConfigMaps, and Secrets of other namespaces. What they
 * are is said, never their value.
 * Source: RFC 7468; client-go, tools/clientcmd/api/v1/types.go; cmd/kubeadm/app/phases/certs and phases/kubeconfig.
 */
import { certificatePem } from '../../kubernetes/certificate-pem.js';
import { CONTROLLER_ACCOUNTS } from '../../kubernetes/component-names.js';
import { type Fields, record, records, text, texts } from '../../kubernetes/json.js';
import { claimsOf } from '../../kubernetes/jwt.js';
import {
  accountUser,
  GROUP_CLUSTER_ADMINS,
  GROUP_MASTERS,
  GROUP_NODES,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  LAST_APPLIED,
  NODE_USER_PREFIX,
  SERVICE_ACCOUNT_USER_PREFIX,
  TOKEN_KEYS,
} from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { control, type Finding, refusal } from '../../model/finding.js';
import { decoded, secretName } from '../bootstrap-tokens/token-secrets.js';
import { pinOfPrivateJwk, pinOfPrivateKey } from '../certificates/key-pair.js';
import { blocksOf } from '../certificates/pem.js';
import { type CertificateFacts, certificatesIn, isSignedAmong, leafIn, tryCertificate } from '../certificates/x509.js';
import { archivedIn, decodedWhole } from '../common/archives.js';
import { containersOf } from './host-paths.js';
import { podOf } from './pod-mounts.js';
import { credentialsWrittenIn } from './written-credentials.js';

/** A private key: where, and the pin of its public half; '' of a key that no certificate is for. */
export interface KeyShown {
  /** "data.ca.key" */
  readonly path: string;
  readonly pin: string;
}

/** A certificate that makes somebody else of whoever has the key beside it. */
interface LeafShown {
  readonly path: string;
  readonly pem: string;
  readonly pin: string;
  /** "system:masters", "system:node:a" */
  readonly as: string;
  /** Of etcd, whose authority the API shows nobody. */
  readonly ofEtcd?: true;
}

/** A token of a service account, as far as it says of itself. */
interface TokenShown {
  readonly path: string;
  /** "system:serviceaccount:kube-system:default" */
  readonly account: string;
  /** Milliseconds since the epoch; null: it has no end. */
  readonly ends: number | null;
}

/** What an object shows. */
export interface ShownBy {
  /** "ConfigMap default/pki" */
  readonly subject: string;
  readonly namespace: string;
  readonly keys: readonly KeyShown[];
  readonly leafs: readonly LeafShown[];
  readonly tokens: readonly TokenShown[];
  /** Credentials that are no keys: "data.config: a password of a kubeconfig". */
  readonly written: readonly string[];
  /** Its tokens are kept by the cluster for the account that they are of: its name in kube-system. */
  readonly kept?: string;
}

/** Of one value. */
const LONGEST = 262_144;
/** Told of one value. */
const MOST = 20;

/** PEM as it stands in YAML, in JSON, in a script, or in one line of a variable. */
const unindented = (written: string): string =>
  written
    .replaceAll('\\n', '\n')
    .replaceAll('-----BEGIN', '\n-----BEGIN')
    .replace(
      /(-----BEGIN [A-Z ]+-----)([A-Za-z0-9+/=\s]+)-----END/g,
      (_, begin: string, body: string) => `${begin}\n${body.trim().replace(/\s+/g, '\n')}\n-----END`,
    )
    .replace(/-----END [A-Z ]+-----/g, '$&\n')
    .replace(/^[ \t]+/gm, '');

/** Kinds of keys that DER alone does not tell apart. */
const LABELS = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'];
/** One of SSH that no passphrase guards. Source: openssh, PROTOCOL.key. */
const isOpenSsh = (label: string, bytes: Buffer): boolean =>
  label === 'OPENSSH PRIVATE KEY' && bytes.includes('openssh-key-v1\0\0\0\0\x04none');
/** A sequence of DER that is long enough for a key. */
const isDer = (written: string): boolean => /^0[\x77\x81\x82]/.test(written);

/** One key as JSON has it, or a set of them; its private half is "d". */
function jwksIn(path: string, written: string): readonly KeyShown[] {
  if (!(written.includes('"kty"') && written.includes('"d"'))) return [];
  try {
    const found = record(JSON.parse(written));
    return [found, ...records(found.keys).slice(0, MOST)].flatMap((jwk) => {
      const pin = pinOfPrivateJwk(jwk);
      return pin === undefined ? [] : [{ path, pin }];
    });
  } catch {
    return [];
  }
}

function keysIn(path: string, written: string): readonly KeyShown[] {
  const shown = (label: string, bytes: Buffer): readonly KeyShown[] => {
    const pin = isOpenSsh(label, bytes) ? '' : pinOfPrivateKey(label, bytes);
    return pin === undefined ? [] : [{ path, pin }];
  };
  if (isDer(written)) return LABELS.flatMap((label) => shown(label, Buffer.from(written, 'latin1'))).slice(0, 1);
  if (!written.includes('PRIVATE KEY-----')) return jwksIn(path, written);
  return blocksOf(unindented(written)).flatMap(({ label, bytes }) => shown(label, bytes));
}

/** Values of a kubeconfig; and PEM in base64 wherever it stands, as a Secret has it that is written down. */
const ENCODED = /(?:client-(?:key|certificate)-data["']?:\s{0,9}["']?|(?=LS0tLS1CRUdJTi))([A-Za-z0-9+/=]{40,16384})/g;
const pemsIn = (written: string): readonly string[] =>
  [...written.matchAll(ENCODED)]
    .slice(0, MOST)
    .map(([, value = '']) => Buffer.from(value, 'base64').toString('latin1'));

/** Whom RBAC does not hold, and whom kubeadm makes an administrator. */
const MIGHTY = [GROUP_MASTERS, GROUP_CLUSTER_ADMINS];

const COMPONENTS = [
  'system:kube-controller-manager',
  'system:kube-scheduler',
  'kube-apiserver-kubelet-client',
  'front-proxy-client',
];
/** What every API server of kubeadm is called, and nothing else. */
const SERVER = 'kubernetes.default.svc';

/** Whom a certificate of the cluster makes of its bearer; '' where that is nobody whom the cluster believes more. */
function standsFor({ commonName, organizations, altNames }: CertificateFacts): string {
  if (organizations.some((group) => MIGHTY.includes(group))) return organizations.join(', ');
  if (COMPONENTS.includes(commonName)) return commonName;
  if (organizations.includes(GROUP_NODES) && commonName.startsWith(NODE_USER_PREFIX)) return commonName;
  return altNames.dns.includes(SERVER) ? 'the API server' : '';
}

/** What kubeadm calls the authority of etcd. Source: cmd/kubeadm/app/phases/certs/certlist.go. */
const ETCD_AUTHORITY = 'etcd-ca';

/** What a certificate of etcd lets its bearer do: who reads etcd reads every Secret. '' where it is none. */
function ofEtcd({ commonName, issuer, extendedKeyUsage = ['clientAuth'] }: CertificateFacts): string {
  if (issuer.commonName !== ETCD_AUTHORITY) return '';
  if (commonName === ETCD_AUTHORITY) return 'the authority of etcd';
  return extendedKeyUsage.includes('clientAuth') ? `the client ${commonName} of etcd` : '';
}

/** A text of one certificate as it is, of several each by itself. */
function apart(pem: string): readonly string[] {
  const all = certificatesIn(pem);
  return all.length < 2 ? [pem] : all.slice(0, MOST).map(certificatePem);
}

function leafsIn(path: string, written: string): readonly LeafShown[] {
  const plain = written.includes('BEGIN CERTIFICATE-----') ? [unindented(written)] : [];
  return [...pemsIn(written), ...plain].flatMap(apart).flatMap((pem) => {
    const leaf = leafIn(pem);
    if (leaf === undefined) return [];
    const inEtcd = ofEtcd(leaf);
    const as = inEtcd || standsFor(leaf);
    return as === ''
      ? []
      : [{ path, pem, pin: leaf.pin, as: as.slice(0, 200), ...(inEtcd === '' ? {} : { ofEtcd: true }) }];
  });
}

function tokenIn(path: string, jwt: string): readonly TokenShown[] {
  const { sub, exp } = claimsOf(jwt) ?? {};
  if (!text(sub).startsWith(SERVICE_ACCOUNT_USER_PREFIX)) return [];
  return [{ path, account: text(sub).slice(0, 200), ends: typeof exp === 'number' ? exp * 1000 : null }];
}

const tokensIn = (path: string, written: string): readonly TokenShown[] =>
  written.includes('eyJ')
    ? [...written.matchAll(/(?<![\w-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,6000}\.[\w-]{20,2000}/g)]
        .slice(0, MOST)
        .flatMap(([jwt]) => tokenIn(path, jwt))
    : [];

/** Values of an object with their paths, as its readers see them: those of one field plain, those of another in base64. */
function* valuesOf(object: KubeObject, plain: string, encoded: string) {
  const fields = record(object);
  const cut = (value: unknown): string => text(value).slice(0, LONGEST);
  for (const [key, value] of Object.entries(record(fields[plain]))) yield [`${plain}.${key}`, cut(value)] as const;
  for (const [key, value] of Object.entries(record(fields[encoded])))
    yield [`${encoded}.${key}`, Buffer.from(cut(value), 'base64').toString('latin1')] as const;
}

function shownIn(subject: string, namespace: string, values: Iterable<readonly [string, string]>): ShownBy {
  const keys: KeyShown[] = [];
  const leafs: LeafShown[] = [];
  const tokens: TokenShown[] = [];
  const written: string[] = [];
  for (const [path, value] of values) {
    const whole = decodedWhole(value);
    for (const one of [value, whole, archivedIn(value, whole)]) {
      keys.push(...keysIn(path, one), ...pemsIn(one).flatMap((pem) => keysIn(path, pem)));
      leafs.push(...leafsIn(path, one));
      tokens.push(...tokensIn(path, one));
      written.push(...credentialsWrittenIn(path, one).map((what) => `${path}: ${what}`));
    }
  }
  return { subject, namespace, keys, leafs, tokens, written };
}

const unlessNothing = (shown: ShownBy): ShownBy | undefined =>
  shown.keys.length + shown.tokens.length + shown.written.length === 0 ? undefined : shown;

/** Reader of a ConfigMap; undefined where it shows nothing. */
export function shownByConfigMap(object: KubeObject): ShownBy | undefined {
  const { name = '', namespace = '' } = object.metadata;
  return unlessNothing(shownIn(`ConfigMap ${namespace}/${name}`, namespace, valuesOf(object, 'data', 'binaryData')));
}

/** Nothing shorter is a key or a kubeconfig. */
const SHORTEST = 64;

/** Of each container its variables, and the words that it is started with. */
const startedWith = (pod: Fields): readonly (readonly [string, string])[] =>
  containersOf(pod).flatMap(({ name, env, command, args }) => {
    const at = `containers.${text(name)}`;
    const words = [...texts(command), ...texts(args)];
    // a flag and its value may be two of them
    const whole = words.length > 1 && words.some((word) => word.startsWith('--')) ? [words.join(' ')] : [];
    return [
      ...records(env).map((one) => [`${at}.env.${text(one.name)}`, text(one.value)] as const),
      ...[...words, ...whole].map((word) => [`${at}.command`, word] as const),
    ];
  });

/**
 * Reader of what any other object says beside its fields: annotations, and what its containers are started with.
 * undefined where that shows nothing. What was applied is told itself.
 */
export function shownBeside(object: KubeObject, kind: string): ShownBy | undefined {
  const { name = '', namespace = '', annotations } = object.metadata;
  const noted = Object.entries(record(annotations))
    .filter(([key]) => key !== LAST_APPLIED)
    .map(([key, value]) => [`metadata.annotations.${key}`, text(value)] as const);
  const values = [...noted, ...startedWith(podOf(object))]
    .filter(([, value]) => value.length >= SHORTEST)
    .map(([path, value]) => [path, value.slice(0, LONGEST)] as const);
  if (values.length === 0) return undefined;
  return unlessNothing(shownIn(`${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`, namespace, values));
}

/** Reader of the description of a token, which every list of tokens prints; undefined where it shows nothing. */
export function shownByDescription(token: KubeObject): ShownBy | undefined {
  const described = decoded(token, TOKEN_KEYS.description).slice(0, LONGEST);
  if (described.length < SHORTEST) return undefined;
  const { namespace = '' } = token.metadata;
  return unlessNothing(shownIn(secretName(token), namespace, [[`data.${TOKEN_KEYS.description}`, described]]));
}

/** Cluster API keeps the credentials of its clusters so, its own among them. */
const OF_CLUSTERS = 'cluster.x-k8s.io/secret';
/** Looked at by rules of their own. */
const SHARED = 'kubeadm-certs';

/** Filled by the cluster itself; until 1.24 it made one for every account, which lists it. */
const OF_ACCOUNT = 'kubernetes.io/service-account-token';
const CONTROLLERS = new Set(
  Object.keys(CONTROLLER_ACCOUNTS).map((name) => accountUser({ namespace: KUBE_SYSTEM, name })),
);

/** Reader of a Secret; undefined where it shows neither a key nor whom one is of, which another Secret may hold. */
export function shownBySecret(object: KubeObject): ShownBy | undefined {
  const { name = '', namespace = '' } = object.metadata;
  const isShared = namespace === KUBE_SYSTEM && name === SHARED;
  const { type } = record(object);
  if (isShared || type === OF_CLUSTERS) return undefined;
  const shown = shownIn(`Secret ${namespace}/${name}`, namespace, valuesOf(object, 'stringData', 'data'));
  const tokens = shown.tokens.filter(({ account }) => CONTROLLERS.has(account));
  const { keys, leafs } = shown;
  if (keys.length + leafs.length + tokens.length === 0) return undefined;
  return { ...shown, tokens, written: [], ...(type === OF_ACCOUNT && tokens.length > 0 ? { kept: name } : {}) };
}

const each = (found: readonly string[]): string => [...new Set(found)].slice(0, 5).join('; ');

const living = (tokens: readonly TokenShown[], now: number): readonly string[] =>
  tokens.filter(({ ends }) => ends === null || ends > now).map(({ path, account }) => `${path}: a token of ${account}`);

interface Shown {
  readonly shown: readonly ShownBy[];
  /** How many objects there are. */
  readonly seen: number;
  /** Of what kind; left out: ConfigMaps. */
  readonly of?: string;
}

const HOLDS_NONE = 'holds no private key and no credential of the cluster';

/** One finding of each object that shows something. */
const showing = (shown: readonly ShownBy[], now: number): readonly Finding[] =>
  shown.flatMap(({ subject, keys, tokens, written }) => {
    const odd = [...keys.map(({ path }) => `${path}: a private key`), ...written, ...living(tokens, now)];
    return odd.length === 0 ? [] : [refusal({ subject, demanded: HOLDS_NONE, seen: each(odd), ok: false })];
  });

/** ConfigMaps and annotations are read by many, and kept from nobody's backup. */
export const noKeysShown: Check<Shown, { readonly now: number }> = {
  id: 'shown-keys/none',
  source: 'kubernetes.io, ConfigMaps: they are not for confidential data; RFC 7468; client-go, clientcmd',
  judge: ({ shown, seen, of: subject = 'ConfigMaps' }, { now }) => {
    const found = showing(shown, now);
    const none = refusal({ subject, demanded: HOLDS_NONE, seen: `none of ${seen} holds any`, ok: true });
    return [
      control({ subject, demanded: 'can be listed', seen: `${seen}`, ok: seen > 0 }),
      ...(found.length === 0 ? [none] : found),
    ];
  },
};

/** A cluster may have no token, and so nothing that one is described by. */
export const noKeysDescribed: Check<readonly ShownBy[], { readonly now: number }> = {
  id: 'shown-keys/none-described',
  source: 'cmd/kubeadm/app/cmd/token.go, token list; RFC 7468; client-go, clientcmd',
  judge: (shown, { now }) => {
    const found = showing(shown, now);
    const none = { subject: 'descriptions of tokens', demanded: HOLDS_NONE, seen: 'none holds any', ok: true };
    return found.length === 0 ? [refusal(none)] : found;
  },
};

interface Authorities {
  /** PEM of those whose clients the API server lets in, and of cluster-info. */
  readonly authorities: string;
  /** Pins of the keys that verify tokens of service accounts; none where nobody shows them. */
  readonly accounts: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Names of Secrets that accounts of kube-system list as theirs; undefined where that is not known, or not asked. */
  readonly listed?: readonly string[] | undefined;
}

/** `seen`: how many Secrets there are that are no bootstrap tokens. */
export const noAuthorityKept: Check<{ readonly shown: readonly ShownBy[]; readonly seen: number }, Authorities> = {
  id: 'shown-keys/no-authority',
  source: 'kubernetes.io, PKI certificates and requirements; cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go',
  judge: ({ shown, seen }, { authorities, accounts, now, listed }) => {
    const demanded = 'holds no key by which its readers make themselves administrators, nodes or the control plane';
    const pins = new Set(
      certificatesIn(authorities).flatMap((bytes) => {
        const read = tryCertificate(bytes);
        return 'unreadable' in read ? [] : [read.pin];
      }),
    );
    // whom a key is of is no secret, wherever that stands
    const named = new Map(shown.flatMap(({ leafs }) => leafs.map((leaf) => [leaf.pin, leaf] as const)));
    const found = shown.flatMap(({ subject, namespace, keys, leafs, tokens, kept }) => {
      const byHand = kept === undefined || listed?.includes(kept) === false;
      const elsewhere = keys.flatMap(({ path, pin }) => {
        const leaf = leafs.some((one) => one.pin === pin) ? undefined : named.get(pin);
        return leaf === undefined ? [] : [{ ...leaf, path }];
      });
      const odd = [
        ...keys.flatMap(({ path, pin }) => (pins.has(pin) ? [`${path}: the key of an authority of the cluster`] : [])),
        ...keys
          .filter(({ pin }) => accounts.includes(pin))
          .map(({ path }) => `${path}: the key that signs tokens of service accounts`),
        ...[...leafs, ...elsewhere].flatMap(({ path, pem, pin, as, ofEtcd: isOfEtcd = false }) =>
          keys.some((key) => key.pin === pin) && (isOfEtcd || isSignedAmong(pem, authorities))
            ? [`${path}: ${as}`]
            : [],
        ),
        ...(byHand ? living(tokens, now) : []),
        ...(namespace === KUBE_PUBLIC ? keys.map(({ path }) => `${path}: a private key, in ${KUBE_PUBLIC}`) : []),
      ];
      return odd.length === 0 ? [] : [refusal({ subject, demanded, seen: each(odd), ok: false })];
    });
    return found.length === 0
      ? [refusal({ subject: 'Secrets', demanded, seen: `none of ${seen} holds any`, ok: true })]
      : found;
  },
};

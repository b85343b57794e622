/**
 * What kubeadm init makes of each release and of each thing that it may be told: src/kubeadm/recorded has the disk and
 * the objects of the newest release in full, and of all others what is otherwise there, line by line; and what is said
 * of each field of the documents that has an odd value. `node dist/src/kubeadm/odd-inits.test.js --write` writes them
 * anew.
 */
import { parseCertificate } from '../pki/certificate.js';
import { generateKey, type KeyAlgorithm, type KeyObject, parsePrivateKey } from '../pki/keys.js';
import { certificatesOfPem } from '../pki/pem.js';
import { testRecorded } from '../report/recorded.testing.js';
import { packageFile } from '../run/package-root.js';
import type { Configuration } from './configuration.js';
import { kubeadmDecisions } from './decisions/index.js';
import { KINDS } from './init/fields.js';
import { InitFailed } from './init/host.js';
import { MemoryDisk } from './init/memory-disk.js';
import { INIT_PHASES, runPhases } from './init/phases.js';
import { readInit } from './init/reading.js';
import { ODD, type Place, placesOf, ranges, shortened, withValue } from './odd-values.testing.js';
import { controlPlaneNode, controlPlanePods } from './phases/control-plane-node.js';
import { encryptEntry } from './phases/copy-certs.js';
import * as init from './phases/init.js';
import { createPki } from './pki.js';
import { knownMinors, parseRelease } from './release.js';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
type Fields = Readonly<Record<string, unknown>>;
/** Lines by where they stand. */
type Told = ReadonlyMap<string, readonly string[]>;

const ofCertificate = (pem: string): readonly string[] =>
  certificatesOfPem(pem).map((der) => {
    const facts = parseCertificate(der);
    const [first, last] = [facts.notBefore, facts.notAfter].map((at) => (at - NOW) / HOUR);
    return JSON.stringify({
      subject: `${facts.commonName} of ${facts.organizations.join('+')}`,
      issuer: JSON.stringify(facts.issuer.rdns.flat().map(({ value }) => value)),
      hours: `${first}…${last}`,
      basic: facts.basicConstraints,
      keyUsage: facts.keyUsage,
      extendedKeyUsage: facts.extendedKeyUsage,
      names: facts.altNames,
      signature: facts.signatureName,
      extensions: facts.extensions.map(({ oid, critical }) => `${oid}${critical ? '!' : ''}`),
    });
  });
const ofKey = (pem: string): string => {
  const { asymmetricKeyType, asymmetricKeyDetails: { namedCurve, modulusLength } = {} } = parsePrivateKey(pem) ?? {};
  return `${pem.split('\n')[0]} ${asymmetricKeyType} ${namedCurve ?? modulusLength ?? ''}`;
};
const ofPem = (pem: string): readonly string[] =>
  pem.includes('CERTIFICATE') ? ofCertificate(pem) : pem.includes('PRIVATE') ? [ofKey(pem)] : [`${pem.split('\n')[0]}`];
/** Certificates and keys by what they are. */
const shown = (text: string): readonly string[] =>
  text.startsWith('-----BEGIN')
    ? ofPem(text)
    : text.split('\n').flatMap((line) => {
        const [, name, encoded = ''] = /^( *[a-z-]+-data: )(\S+)$/.exec(line) ?? [];
        return name === undefined ? [line] : ofPem(Buffer.from(encoded, 'base64').toString()).map((one) => name + one);
      });

/** One key of each kind is enough. */
const keys = new Map<KeyAlgorithm, KeyObject>();
const keyOf = (algorithm: KeyAlgorithm): KeyObject => {
  const key = keys.get(algorithm) ?? generateKey(algorithm);
  keys.set(algorithm, key);
  return key;
};
const pki = await createPki(() => 'ECDSA-P256', NOW);

interface Circumstances {
  readonly release: string;
  readonly documents: readonly Fields[];
  readonly texts?: Readonly<Record<string, string>>;
  /** Keys of the kinds that are asked for, which takes long. */
  readonly anyKeys?: true;
}

const GROUP = 'kubeadm.k8s.io';
const plain: Fields = { kind: 'ClusterConfiguration' };

/** Everything that is written, and said. */
async function made({ release, documents, texts = {}, anyKeys }: Circumstances): Promise<Told> {
  const disk = new MemoryDisk();
  for (const [path, text] of Object.entries(texts)) disk.write(path, text, 0o600);
  const said: string[] = [];
  const told = new Map<string, readonly string[]>([['said', said]]);
  const surroundings = {
    hostName: 'host-1',
    address: '192.0.2.10',
    release: parseRelease(release),
    caFolders: ['/usr/share/ca-certificates'],
    warn: (line: string) => said.push(`warning: ${line}`),
  };
  const content = documents.map((one) => JSON.stringify({ apiVersion: `${GROUP}/v1beta4`, ...one })).join('\n---\n');
  try {
    const { configuration, ...rest } = readInit(content, surroundings);
    told.set('told', [JSON.stringify(rest), `server ${configuration.server}`]);
    await runPhases(
      {
        configuration,
        files: disk,
        now: NOW,
        makeKey: async (algorithm) => {
          said.push(`a key of ${algorithm}`);
          return keyOf(anyKeys === true ? algorithm : 'ECDSA-P256');
        },
        tell: (line) => said.push(line),
        warn: (line) => said.push(`warning: ${line}`),
      },
      INIT_PHASES,
    );
    for (const [name, lines] of objectsOf(configuration)) told.set(name, lines);
  } catch (error) {
    if (!(error instanceof InitFailed)) throw error;
    said.push(`error: ${error.message}`);
  }
  for (const [path, { text, mode }] of disk.files) told.set(path, [mode.toString(8), ...shown(text)]);
  return told;
}

/** What is written to the API. */
function objectsOf(configuration: Configuration): Told {
  let count = 0;
  const phase: init.Phase = {
    decisions: kubeadmDecisions,
    facts: { ...configuration, caPem: '-----BEGIN CERTIFICATE-----\n' },
    now: NOW,
    random: (length) => Buffer.alloc(length, ++count),
  };
  const tokens = [
    {},
    { token: 'abcdef.0123456789abcdef', description: 'mine', ttlSeconds: 0, usages: ['signing'], groups: [] },
  ];
  const shared = init.uploadCerts(phase, pki);
  const now = new Date(NOW).toISOString();
  const node = controlPlaneNode(configuration, now);
  const objects = [
    ...init.ensureAdmin(phase),
    ...init.uploadConfig(phase),
    shared.token,
    { ...shared.ownedBy({ ...shared.token, metadata: { ...shared.token.metadata, uid: 'u' } }) },
    ...shared.grants,
    ...init.bootstrapToken(
      phase,
      tokens.map((one) => init.tokenSpec(phase, one)),
    ),
    ...init.addonCoredns(phase),
    ...init.addonKubeProxy(phase),
    node,
    ...controlPlanePods(configuration, node, {}, now),
  ];
  const lines = (object: object): readonly string[] =>
    JSON.stringify(object, undefined, 1)
      .split('\n')
      .flatMap((line) => {
        const [, name] =
          /^ *"((?:etcd-|front-proxy-)?(?:ca|sa|[a-z-]+)\.(?:crt|key|pub))": "[A-Za-z0-9+/=]{80,}",?$/.exec(line) ?? [];
        const texts = line.replace(/\\n/g, '\n').replaceAll('\\"', '"').split('\n');
        return name === undefined ? texts : [name];
      });
  return new Map([
    ['key of certificates', [shared.key]],
    ...objects.map(
      (object) => [`${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`, lines(object)] as const,
    ),
  ]);
}

/** What one has more than the other, line by line. */
function beyond(one: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return one.filter((line) => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
function otherwise(one: Told, other: Told): readonly string[] {
  return [...new Set([...other.keys(), ...one.keys()])].flatMap((name) => {
    const [own = [], before = []] = [one.get(name), other.get(name)];
    const lines = [
      ...beyond(before, own).map((line) => `  - ${line}`),
      ...beyond(own, before).map((line) => `  + ${line}`),
    ];
    const state = !one.has(name) ? ' is gone' : !other.has(name) ? ' is new' : '';
    return state === ' is gone'
      ? [` ${name}${state}`]
      : lines.length === 0 && state === ''
        ? []
        : [` ${name}${state}`, ...lines];
  });
}
const whole = (told: Told): readonly string[] =>
  [...told].flatMap(([name, lines]) => [` ${name}`, ...lines.map((line) => `  ${line}`)]);

const NEWEST = '1.36.1';
const newest = await made({ release: NEWEST, documents: [plain] });

/** Patches with which something begins, and those before. */
const PATCHES: Readonly<Record<number, readonly number[]>> = { 33: [11, 12], 34: [7, 8], 35: [4, 5], 36: [0, 1] };
const releases = knownMinors().flatMap((minor) => (PATCHES[minor] ?? [0]).map((patch) => `1.${minor}.${patch}`));
const byRelease: string[] = [NEWEST, ...whole(newest)];
let later = newest;
for (const release of [...releases].reverse()) {
  const own = await made({ release, documents: [plain] });
  byRelease.push(release, ...otherwise(own, later));
  later = own;
}

const cluster = (fields: Fields): Fields => ({ ...plain, ...fields });
const initial = (fields: Fields): Fields => ({ kind: 'InitConfiguration', ...fields });
const node = (nodeRegistration: Fields): Fields => initial({ nodeRegistration });
const old = (document: Fields): Fields => ({ apiVersion: `${GROUP}/v1beta3`, ...document });
const flags = (...names: readonly string[]): readonly Fields[] =>
  names.map((name) => ({ name, value: `${name}-value` }));
const volume = { name: 'v', hostPath: '/srv/host', mountPath: '/srv/pod', readOnly: true, pathType: 'File' };
const all = {
  extraArgs: flags('v', 'bind-address', 'v'),
  extraVolumes: [volume],
  extraEnvs: [
    { name: 'B', value: '1' },
    { name: 'A', value: '2' },
    { name: 'B', value: '3' },
  ],
};
const external = {
  endpoints: ['https://192.0.2.7:2379', 'https://192.0.2.8:2379'],
  caFile: '/e/ca.crt',
  certFile: '/e/c.crt',
  keyFile: '/e/c.key',
};

/** What may be told. */
const TOLD: readonly (readonly Fields[])[] = [
  [cluster({ clusterName: 'blue' })],
  [cluster({ certificatesDir: '/srv/pki' })],
  [cluster({ imageRepository: 'registry.example/k8s' })],
  [cluster({ dns: { imageRepository: 'registry.example/dns', imageTag: 'v9' } })],
  [cluster({ dns: { disabled: true }, proxy: { disabled: true } })],
  [cluster({ controlPlaneEndpoint: 'lb.example' })],
  [cluster({ controlPlaneEndpoint: 'lb.example:' })],
  [cluster({ controlPlaneEndpoint: 'lb.example:8443' })],
  [cluster({ controlPlaneEndpoint: '192.0.2.99:8443' })],
  [cluster({ controlPlaneEndpoint: 'fd00::99' })],
  [cluster({ controlPlaneEndpoint: '[fd00::99]' })],
  [cluster({ controlPlaneEndpoint: '[fd00::99]:8443' })],
  [cluster({ networking: { serviceSubnet: '10.100.0.0/16' } })],
  [cluster({ networking: { podSubnet: '10.244.0.0/16' } })],
  [cluster({ networking: { podSubnet: 'fd02::/48', serviceSubnet: 'fd01::/108', dnsDomain: 'blue.example' } })],
  [cluster({ networking: { podSubnet: '10.244.0.0/16,fd02::/48', serviceSubnet: '10.96.0.0/16,fd01::/112' } })],
  [cluster({ kubernetesVersion: 'v1.35.4' })],
  [cluster({ kubernetesVersion: '1.36' })],
  [cluster({ kubernetesVersion: 'stable-1' })],
  [cluster({ featureGates: { RootlessControlPlane: true, NodeLocalCRISocket: false } })],
  [cluster({ encryptionAlgorithm: 'ECDSA-P384' })],
  [cluster({ encryptionAlgorithm: 'RSA-3072' })],
  [cluster({ certificateValidityPeriod: '240h', caCertificateValidityPeriod: '2400h' })],
  [cluster({ certificateValidityPeriod: '240h' })],
  [cluster({ apiServer: { certSANs: ['API.blue.example', '*.blue.example', '192.0.2.77', 'fd00::77', '10.96.0.1'] } })],
  ...['apiServer', 'controllerManager', 'scheduler'].map((name) => [cluster({ [name]: all })]),
  [cluster({ apiServer: { extraArgs: flags('authorization-mode') } })],
  [cluster({ apiServer: { extraArgs: [{ name: 'authorization-mode', value: 'RBAC' }] } })],
  [cluster({ apiServer: { extraVolumes: [{ name: 'w', hostPath: '/a', mountPath: '/b' }] } })],
  [
    cluster({
      controllerManager: { extraArgs: [{ name: 'allocate-node-cidrs', value: 'false' }] },
      networking: { podSubnet: '10.0.0.0/8' },
    }),
  ],
  [
    cluster({
      controllerManager: { extraArgs: [{ name: 'node-cidr-mask-size-ipv4', value: '20' }] },
      networking: { podSubnet: '10.4.0.0/14' },
    }),
  ],
  [cluster({ etcd: { local: { ...all, extraVolumes: undefined } } })],
  [cluster({ etcd: { local: { dataDir: '/srv/etcd', imageRepository: 'registry.example/e', imageTag: '3.6.9' } } })],
  [
    cluster({
      etcd: { local: { serverCertSANs: ['e.blue.example', '192.0.2.66'], peerCertSANs: ['p.blue.example'] } },
    }),
  ],
  [cluster({ etcd: { external } })],
  [cluster({ etcd: { external: { endpoints: ['http://192.0.2.7:2379'] } } })],
  [initial({ localAPIEndpoint: { advertiseAddress: '192.0.2.20', bindPort: 8443 } })],
  [
    initial({ localAPIEndpoint: { advertiseAddress: 'fd00::20' } }),
    cluster({ networking: { serviceSubnet: 'fd01::/108' } }),
  ],
  [initial({ localAPIEndpoint: { bindPort: 8443 } }), cluster({ controlPlaneEndpoint: 'lb.example' })],
  [node({ name: 'Node-7' })],
  [node({ name: ' node-7 ' })],
  [node({ criSocket: 'unix:///run/crio/crio.sock' })],
  [node({ criSocket: '/run/crio/crio.sock' })],
  [node({ taints: [] })],
  [node({ kubeletExtraArgs: flags('v', 'node-labels', 'hostname-override', 'v') })],
  [node({ ignorePreflightErrors: ['Swap', 'all'] })],
  [node({ imagePullPolicy: 'Never', imagePullSerial: false })],
  [initial({ timeouts: { controlPlaneComponentHealthCheck: '5m0s' } })],
  [initial({ timeouts: { controlPlaneComponentHealthCheck: '1h' } })],
  [initial({ skipPhases: ['addon', 'certs/ca'], patches: { directory: '/p' }, dryRun: true })],
  [
    initial({
      certificateKey: 'a'.repeat(64),
      bootstrapTokens: [
        { token: 'abcdef.0123456789abcdef', ttl: '0s', usages: ['authentication'], groups: ['system:bootstrappers:a'] },
      ],
    }),
  ],
  [
    plain,
    {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      serverTLSBootstrap: true,
      clusterDNS: ['192.0.2.53'],
      rotateCertificates: false,
    },
  ],
  [plain, { apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', mode: 'nftables' }],
  [plain, { apiVersion: 'v1', kind: 'Secret' }],
  [plain, { kind: 'JoinConfiguration' }],
  [old(cluster({ apiServer: { extraArgs: { v: '3', 'bind-address': '0.0.0.0' }, timeoutForControlPlane: '6m0s' } }))],
  [
    old(cluster({ etcd: { local: { extraArgs: { v: '3' } } } })),
    old(node({ kubeletExtraArgs: { v: '3', 'node-ip': '192.0.2.9' } })),
  ],
];
const named = (documents: readonly Fields[]): string =>
  documents
    .map((one) => JSON.stringify(one))
    .join(' + ')
    .slice(0, 400);
const told: string[] = [];
for (const documents of TOLD) {
  told.push(
    named(documents),
    ...otherwise(
      await made({ release: NEWEST, documents, ...(/RSA|ECDSA/.test(named(documents)) ? { anyKeys: true } : {}) }),
      newest,
    ),
  );
  const at33 = { release: '1.33.0', documents };
  if (
    documents.some(({ apiVersion }) => apiVersion !== undefined) ||
    /extra|gate|etcd|kubelet/i.test(named(documents))
  ) {
    const base = await made({ release: '1.33.0', documents: [plain] });
    told.push(` in 1.33: ${named(documents)}`, ...otherwise(await made(at33), base).map((line) => ` ${line}`));
  }
}

/** What is said when it is read. */
function readingOf(documents: readonly Fields[], release = NEWEST): string {
  const said: string[] = [];
  const warn = (line: string): number => said.push(`warning: ${line}`);
  const content = documents.map((one) => JSON.stringify(one)).join('\n---\n');
  try {
    const { configuration, ...rest } = readInit(content, {
      hostName: 'host-1',
      address: '192.0.2.10',
      release: parseRelease(release),
      caFolders: [],
      warn,
    });
    said.push(`${configuration.server} ${JSON.stringify(rest)}`);
  } catch (error) {
    if (!(error instanceof InitFailed)) throw error;
    said.push(error.message);
  }
  return said.join('; ');
}
/** What is said of each value in a place, and of which ones. */
function saidOf(place: Place, apiVersion: string, kind: string): readonly string[] {
  const said = new Map<string, number[]>();
  for (const [index, value] of ODD.entries()) {
    const fields = withValue(place, value) as Fields;
    const words = readingOf([{ apiVersion, kind, ...fields }]).replaceAll(JSON.stringify(value), '…');
    said.set(shortened(words), [...(said.get(shortened(words)) ?? []), index]);
  }
  return [...said].map(([words, indexes]) => ` ${ranges(indexes)}: ${words}`);
}
const refused: string[] = ODD.map((value, index) => `${index} ${shortened(JSON.stringify(value))}`);
const before = new Map<string, string>();
for (const version of ['v1beta4', 'v1beta3'] as const)
  for (const kind of ['InitConfiguration', 'ClusterConfiguration']) {
    const places = placesOf(KINDS[kind]?.(version) ?? {}).filter(
      ([first]) => first !== 'apiVersion' && first !== 'kind',
    );
    for (const place of places) {
      const name = `${kind} ${place.join('.')}`;
      const lines = saidOf(place, `${GROUP}/${version}`, kind);
      const plainly = lines.join('\n').replaceAll(version, 'VERSION');
      if (before.get(name) !== plainly) refused.push(`${version} ${name}`, ...lines);
      before.set(name, plainly);
    }
  }
const document = (fields: Fields): Fields => ({ apiVersion: `${GROUP}/v1beta4`, ...fields });
for (const documents of [
  [],
  [{}],
  [{ kind: 'ClusterConfiguration' }],
  [document({})],
  [document(plain), document(plain)],
  [document({ kind: 'Cluster' })],
  [document(plain), document({ kind: 'Cluster' })],
  [document(plain), document({ kind: 'JoinConfiguration' })],
  [document(plain), document({ kind: 'ClusterStatus' })],
  ...['v1alpha1', 'v1alpha2', 'v1alpha3', 'v1beta1', 'v1beta2', 'v1beta5', 'v1', ''].map((version) => [
    { apiVersion: `${GROUP}/${version}`, ...plain },
  ]),
  [{ apiVersion: 'other.k8s.io/v1', kind: 'Other' }],
  [document(plain), { apiVersion: 'other.k8s.io/v1', kind: 'Other' }],
  [{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' }],
  [document(cluster({ nonsense: 1, apiServer: { nonsense: [1], extraArgs: [{ nonsense: 1 }] } }))],
  [document(cluster({ etcd: { local: {}, external: {} } }))],
  [document(cluster({ etcd: { external: { ...external, caFile: '' } } }))],
  [document(cluster({ etcd: { external: { ...external, certFile: '' } } }))],
  [document(cluster({ etcd: { external: { ...external, keyFile: 'a' } } }))],
  [document(cluster({ etcd: { external: { ...external, endpoints: ['ftp://a', 'a', 'https://'] } } }))],
  [document(cluster({ clusterName: 5, imageRepository: 'A', certificatesDir: 'b' }))],
  [document(cluster({ imageRepository: 'A/B', certificatesDir: 'b' })), document(initial({ certificateKey: 'a' }))],
  [document(initial({ bootstrapTokens: [{ token: 'abcdef.0123456789abcdef', ttl: '1h', expires: 'x' }] }))],
  [document(initial({ bootstrapTokens: [{ usages: ['b', 'a', 'signing'] }] }))],
  [
    document(
      initial({ bootstrapTokens: [{ usages: ['signing'], groups: ['system:bootstrappers:a'] }, { groups: ['a'] }] }),
    ),
  ],
  [
    document(
      cluster({
        networking: { podSubnet: '10.244.0.0/16' },
        controllerManager: { extraArgs: [{ name: 'node-cidr-mask-size-ipv4', value: '15' }] },
      }),
    ),
  ],
  [
    document(
      cluster({
        networking: { podSubnet: '10.0.0.0/8' },
        controllerManager: { extraArgs: [{ name: 'node-cidr-mask-size-ipv4', value: '25' }] },
      }),
    ),
  ],
  [
    document(
      cluster({
        networking: { podSubnet: 'fd00::/48' },
        controllerManager: { extraArgs: [{ name: 'node-cidr-mask-size-ipv6', value: '65' }] },
      }),
    ),
  ],
])
  refused.push(documents.map((one) => JSON.stringify(one)).join(' + '), ` ${readingOf(documents)}`);
for (const [release, version] of [
  ['1.33.0', '1.32.0'],
  ['1.33.0', '1.31.9'],
  ['1.33.0', '1.34.0'],
  ['1.33.0', 'v1.33'],
  ['1.36.1', '1.21.0'],
] as const)
  refused.push(
    `kubeadm ${release} is told ${version}`,
    ` ${readingOf([document(cluster({ kubernetesVersion: version, encryptionAlgorithm: 'ECDSA-P384' }))], release)}`,
  );
refused.push(`an entry: ${encryptEntry(Buffer.from('a'), Buffer.alloc(32, 1), Buffer.alloc(12, 2)).toString('hex')}`);

const file = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
testRecorded(
  'what kubeadm init makes',
  packageFile('src/kubeadm/recorded'),
  new Map([
    ['releases.txt', file(byRelease)],
    ['told.txt', file(told)],
    ['refused.txt', file(refused)],
  ]),
);

/**
 * The fields of the configuration APIs, by kind and version: what kubeadm knows, of which type.
 * Source: cmd/kubeadm/app/apis/kubeadm/{v1beta3,v1beta4}/types.go.
 */
import { isRecord } from '../../kubernetes/json.js';

/** A type of a field; `any` is not looked into. */
export type Shape = 'string' | 'int' | 'bool' | 'duration' | 'any' | Fieldset | readonly [Shape] | MapOf;
interface Fieldset {
  readonly [field: string]: Shape;
}
interface MapOf {
  readonly '*': Shape;
}

const strings: readonly [Shape] = ['string'];
const ARGUMENTS = { v1beta3: { '*': 'string' }, v1beta4: [{ name: 'string', value: 'string' }] } as const;
export type ApiVersion = keyof typeof ARGUMENTS;
export const API_VERSIONS = Object.keys(ARGUMENTS) as readonly ApiVersion[];

const endpoint = { advertiseAddress: 'string', bindPort: 'int' } as const;
const image = { imageRepository: 'string', imageTag: 'string' } as const;

const component = (version: ApiVersion): Fieldset => ({
  extraArgs: ARGUMENTS[version],
  extraVolumes: [{ name: 'string', hostPath: 'string', mountPath: 'string', readOnly: 'bool', pathType: 'string' }],
  ...(version === 'v1beta4' ? { extraEnvs: ['any'] } : {}),
});

const node = (version: ApiVersion): Fieldset => ({
  name: 'string',
  criSocket: 'string',
  taints: ['any'],
  kubeletExtraArgs: ARGUMENTS[version],
  ignorePreflightErrors: strings,
  imagePullPolicy: 'string',
  ...(version === 'v1beta4' ? { imagePullSerial: 'bool' } : {}),
});

const timeouts: Fieldset = {
  controlPlaneComponentHealthCheck: 'duration',
  kubeletHealthCheck: 'duration',
  kubernetesAPICall: 'duration',
  etcdAPICall: 'duration',
  tlsBootstrap: 'duration',
  discovery: 'duration',
  upgradeManifests: 'duration',
};

/** What both kinds have. */
const common = (version: ApiVersion): Fieldset => ({
  apiVersion: 'string',
  kind: 'string',
  nodeRegistration: node(version),
  skipPhases: strings,
  patches: { directory: 'string' },
  ...(version === 'v1beta4' ? { dryRun: 'bool', timeouts } : {}),
});

const initConfiguration = (version: ApiVersion): Fieldset => ({
  ...common(version),
  bootstrapTokens: [
    { token: 'string', description: 'string', ttl: 'duration', expires: 'string', usages: strings, groups: strings },
  ],
  localAPIEndpoint: endpoint,
  certificateKey: 'string',
});

const joinConfiguration = (version: ApiVersion): Fieldset => ({
  ...common(version),
  caCertPath: 'string',
  discovery: {
    bootstrapToken: {
      token: 'string',
      apiServerEndpoint: 'string',
      caCertHashes: strings,
      unsafeSkipCAVerification: 'bool',
    },
    file: { kubeConfigPath: 'string' },
    tlsBootstrapToken: 'string',
    ...(version === 'v1beta3' ? { timeout: 'duration' } : {}),
  },
  controlPlane: { localAPIEndpoint: endpoint, certificateKey: 'string' },
});

const clusterConfiguration = (version: ApiVersion): Fieldset => ({
  apiVersion: 'string',
  kind: 'string',
  etcd: {
    local: {
      ...image,
      dataDir: 'string',
      extraArgs: ARGUMENTS[version],
      serverCertSANs: strings,
      peerCertSANs: strings,
      ...(version === 'v1beta4' ? { extraEnvs: ['any'] } : {}),
    },
    external: {
      endpoints: strings,
      caFile: 'string',
      certFile: 'string',
      keyFile: 'string',
      ...(version === 'v1beta4' ? { httpEndpoints: strings } : {}),
    },
  },
  networking: { serviceSubnet: 'string', podSubnet: 'string', dnsDomain: 'string' },
  kubernetesVersion: 'string',
  controlPlaneEndpoint: 'string',
  apiServer: {
    ...component(version),
    certSANs: strings,
    ...(version === 'v1beta3' ? { timeoutForControlPlane: 'duration' } : {}),
  },
  controllerManager: component(version),
  scheduler: component(version),
  dns: { ...image, ...(version === 'v1beta4' ? { disabled: 'bool' } : {}) },
  certificatesDir: 'string',
  imageRepository: 'string',
  featureGates: { '*': 'bool' },
  clusterName: 'string',
  ...(version === 'v1beta4'
    ? {
        proxy: { disabled: 'bool' },
        encryptionAlgorithm: 'string',
        certificateValidityPeriod: 'duration',
        caCertificateValidityPeriod: 'duration',
      }
    : {}),
});

/** By kind. */
export const KINDS: Readonly<Record<string, (version: ApiVersion) => Fieldset>> = {
  InitConfiguration: initConfiguration,
  ClusterConfiguration: clusterConfiguration,
  JoinConfiguration: joinConfiguration,
};

/** What is wrong with a document: fields that nobody knows, and values of another type. */
export interface Misfits {
  /** Paths, as kubeadm warns of them. */
  readonly unknown: readonly string[];
  /** Sentences; each ends the reading. */
  readonly wrong: readonly string[];
}

const jsonType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : isRecord(value) ? 'object' : typeof value;

const SCALARS: Readonly<Record<string, { readonly go: string; fits(value: unknown): boolean }>> = {
  string: { go: 'string', fits: (value) => typeof value === 'string' },
  int: { go: 'int32', fits: (value) => Number.isInteger(value) },
  bool: { go: 'bool', fits: (value) => typeof value === 'boolean' },
  duration: { go: 'v1.Duration', fits: (value) => typeof value === 'string' },
};

/** Walks a value by its shape. Null is as good as not given. */
export function misfits(value: unknown, shape: Shape, path = ''): Misfits {
  if (value === null || value === undefined || shape === 'any') return { unknown: [], wrong: [] };
  const refused = (go: string): Misfits => ({
    unknown: [],
    wrong: [`json: cannot unmarshal ${jsonType(value)} into Go struct field .${path} of type ${go}`],
  });
  if (typeof shape === 'string') {
    const scalar = SCALARS[shape];
    return scalar === undefined || scalar.fits(value) ? { unknown: [], wrong: [] } : refused(scalar.go);
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return refused('[]string');
    return together(value.map((one, index) => misfits(one, shape[0], `${path}[${index}]`)));
  }
  if (!isRecord(value)) return refused('map');
  const each = Object.entries(value).map(([key, one]): Misfits => {
    const at = path === '' ? key : `${path}.${key}`;
    const own = (shape as Fieldset)['*'] ?? (Object.hasOwn(shape, key) ? (shape as Fieldset)[key] : undefined);
    return own === undefined ? { unknown: [at], wrong: [] } : misfits(one, own, at);
  });
  return together(each);
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

const together = (all: readonly Misfits[]): Misfits => ({
  unknown: all.flatMap(({ unknown }) => unknown),
  wrong: all.flatMap(({ wrong }) => wrong),
});

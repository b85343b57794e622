/**
 * What a machine is told of its join: a JoinConfiguration, or the flags of kubeadm join.
 * Source: cmd/kubeadm/app/apis/kubeadm/{v1beta3,v1beta4}/{types,defaults}.go.
 */
import { parseAllDocuments } from 'yaml';
import { parseDuration } from '../kubeadm/duration.js';
import { firstLine } from '../kubernetes/first-line.js';
import { count, type Fields, isRecord, record, records, text, textMap, texts } from '../kubernetes/json.js';
import { rememberedText } from '../kubernetes/remembered.js';
import { isTooDeep } from '../kubernetes/yaml.js';
import type { Taint } from './decisions/control-planes.js';
import type { JoiningDecisions } from './decisions/index.js';
import { JoinFailed } from './failures.js';
import { CA_FILE } from './names.js';

export interface TokenDiscovery {
  readonly token: string;
  /** host:port */
  readonly apiServerEndpoint: string;
  readonly caCertHashes: readonly string[];
  readonly unsafeSkipCAVerification: boolean;
}

export interface JoinConfiguration {
  readonly discovery: {
    readonly bootstrapToken?: TokenDiscovery;
    /** A file or an https URL. */
    readonly file?: { readonly kubeConfigPath: string };
    /** '' where there is none. */
    readonly tlsBootstrapToken: string;
  };
  /** undefined: a worker. */
  readonly controlPlane?: {
    readonly advertiseAddress: string;
    readonly bindPort: number;
    /** Hex; '' where there is none. */
    readonly certificateKey: string;
  };
  readonly nodeRegistration: {
    /** '' where the host name is to be taken. */
    readonly name: string;
    readonly criSocket: string;
    /** undefined: kubeadm's own choice. */
    readonly taints?: readonly Taint[];
    readonly kubeletExtraArgs: readonly (readonly [name: string, value: string])[];
    /** Names of checks before the join that only warn, or "all". */
    readonly ignorePreflightErrors?: readonly string[];
  };
  readonly caCertPath: string;
  /** Milliseconds. */
  readonly timeouts: {
    readonly discovery: number;
    readonly tlsBootstrap: number;
    readonly kubeletHealthCheck: number;
    readonly controlPlaneComponentHealthCheck: number;
    readonly kubernetesAPICall: number;
  };
  /** Folder of patches for what is written; undefined: there are none. */
  readonly patches?: string;
  /** It only says what it would do. */
  readonly dryRun?: true;
}

const DEFAULT_SOCKET = 'unix:///var/run/containerd/containerd.sock';
/** Milliseconds of a Go duration ("1m30s"). Throws JoinFailed. Source: Go time.ParseDuration. */
export function readDuration(given: string): number {
  const milliseconds = parseDuration(given);
  if (milliseconds === undefined)
    throw new JoinFailed(`time: invalid duration ${JSON.stringify(given)}. Give for example 5m or 90s.`);
  return milliseconds;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;
const VERSIONS = ['kubeadm.k8s.io/v1beta4', 'kubeadm.k8s.io/v1beta3'] as const;

/** The documents of a YAML text. Throws JoinFailed. */
const documentsOf = rememberedText((content): readonly Fields[] => {
  if (isTooDeep(content)) throw new JoinFailed('yaml: it is nested too deeply to be read');
  return parseAllDocuments(content, { uniqueKeys: false, logLevel: 'error' }).map((document) => {
    const [problem] = document.errors;
    if (problem !== undefined) throw new JoinFailed(`yaml: ${firstLine(problem)}`);
    return record(document.toJS());
  });
});

/** The JoinConfiguration of a YAML text with defaults filled in. Throws JoinFailed. */
export function readConfiguration(content: string, decisions: JoiningDecisions): JoinConfiguration {
  const own = documentsOf(content).find(({ kind }) => kind === 'JoinConfiguration');
  if (own === undefined)
    throw new JoinFailed(
      'no JoinConfiguration was found in the configuration file. Give one of kubeadm.k8s.io/v1beta4.',
    );
  const version = VERSIONS.find((known) => known === own.apiVersion);
  if (version === undefined)
    throw new JoinFailed(
      `the JoinConfiguration is of ${JSON.stringify(own.apiVersion ?? '')}, which is not read. ` +
        `Give one of ${VERSIONS.join(' or ')}.`,
    );
  return configurationOf(own, version, decisions);
}

function configurationOf(own: Fields, version: string, decisions: JoiningDecisions): JoinConfiguration {
  const discovery = record(own.discovery);
  const token = record(discovery.bootstrapToken);
  const tls = text(discovery.tlsBootstrapToken);
  const node = record(own.nodeRegistration);
  const timeouts = record(own.timeouts);
  const duration = (value: unknown, otherwise: number): number =>
    isSet(value) ? readDuration(text(value)) : otherwise;
  const discoveryTimeout = version.endsWith('v1beta3') ? discovery.timeout : timeouts.discovery;
  return {
    discovery: {
      ...(isSet(discovery.bootstrapToken)
        ? {
            bootstrapToken: {
              token: text(token.token) === '' ? tls : text(token.token),
              apiServerEndpoint: text(token.apiServerEndpoint),
              caCertHashes: texts(token.caCertHashes),
              unsafeSkipCAVerification: token.unsafeSkipCAVerification === true,
            },
          }
        : {}),
      ...(isSet(discovery.file) ? { file: { kubeConfigPath: text(record(discovery.file).kubeConfigPath) } } : {}),
      tlsBootstrapToken: tls === '' ? text(token.token) : tls,
    },
    ...(isSet(own.controlPlane) ? { controlPlane: controlPlaneOf(record(own.controlPlane)) } : {}),
    nodeRegistration: {
      name: text(node.name),
      criSocket: text(node.criSocket) === '' ? DEFAULT_SOCKET : text(node.criSocket),
      ...(isSet(node.taints) ? { taints: records(node.taints).map(taintOf) } : {}),
      kubeletExtraArgs: argumentsOf(node.kubeletExtraArgs),
      ...(isSet(node.ignorePreflightErrors) ? { ignorePreflightErrors: texts(node.ignorePreflightErrors) } : {}),
    },
    caCertPath: text(own.caCertPath) === '' ? CA_FILE : text(own.caCertPath),
    timeouts: {
      discovery: duration(discoveryTimeout, decisions.discoveryTimeout()),
      tlsBootstrap: duration(timeouts.tlsBootstrap, decisions.bootstrapTimeout()),
      kubeletHealthCheck: duration(timeouts.kubeletHealthCheck, decisions.healthTimeout()),
      controlPlaneComponentHealthCheck: duration(
        timeouts.controlPlaneComponentHealthCheck,
        decisions.controlPlaneTimeout(),
      ),
      kubernetesAPICall: duration(timeouts.kubernetesAPICall, decisions.apiCallTimeout()),
    },
    ...(isSet(own.patches) ? { patches: text(record(own.patches).directory) } : {}),
    ...(own.dryRun === true ? { dryRun: true } : {}),
  };
}

function controlPlaneOf(own: Fields): JoinConfiguration['controlPlane'] & object {
  const endpoint = record(own.localAPIEndpoint);
  return {
    advertiseAddress: text(endpoint.advertiseAddress),
    bindPort: count(endpoint.bindPort) === 0 ? 6443 : count(endpoint.bindPort),
    certificateKey: text(own.certificateKey),
  };
}

function taintOf(taint: Fields): Taint {
  const value = text(taint.value);
  return { key: text(taint.key), ...(value === '' ? {} : { value }), effect: text(taint.effect) };
}

/** A list of name and value since v1beta4, a map before. */
const argumentsOf = (given: unknown): JoinConfiguration['nodeRegistration']['kubeletExtraArgs'] =>
  isRecord(given)
    ? Object.entries(textMap(given))
    : records(given).map((one): readonly [string, string] => [text(one.name), text(one.value)]);

/** What the flags of kubeadm join say; a flag that was not given is undefined. */
export interface JoinFlags {
  /** The argument, host:port. */
  readonly endpoint?: string | undefined;
  readonly token?: string | undefined;
  readonly discoveryToken?: string | undefined;
  readonly tlsBootstrapToken?: string | undefined;
  /** Each may hold several, with commas between. */
  readonly caCertHashes: readonly string[];
  readonly unsafeSkipCAVerification?: boolean | undefined;
  readonly discoveryFile?: string | undefined;
  readonly nodeName?: string | undefined;
  readonly criSocket?: string | undefined;
  readonly controlPlane?: boolean | undefined;
  readonly certificateKey?: string | undefined;
  readonly advertiseAddress?: string | undefined;
  readonly bindPort?: number | undefined;
}

/** The configuration that flags mean. Source: cmd/kubeadm/app/cmd/join.go newJoinData, newJoinOptions. */
export function configurationOfFlags(flags: JoinFlags, decisions: JoiningDecisions): JoinConfiguration {
  const { endpoint, token = '', discoveryFile, controlPlane } = flags;
  const discoveryToken = flags.discoveryToken ?? token;
  const tls = flags.tlsBootstrapToken ?? token;
  return {
    discovery: {
      ...(endpoint === undefined
        ? {}
        : {
            bootstrapToken: {
              token: discoveryToken,
              apiServerEndpoint: endpoint,
              caCertHashes: flags.caCertHashes.flatMap((one) => one.split(',')),
              unsafeSkipCAVerification: flags.unsafeSkipCAVerification === true,
            },
          }),
      ...(discoveryFile === undefined ? {} : { file: { kubeConfigPath: discoveryFile } }),
      tlsBootstrapToken: tls === '' && endpoint !== undefined ? discoveryToken : tls,
    },
    ...(controlPlane === true
      ? {
          controlPlane: {
            advertiseAddress: flags.advertiseAddress ?? '',
            bindPort: flags.bindPort ?? 6443,
            certificateKey: flags.certificateKey ?? '',
          },
        }
      : {}),
    nodeRegistration: {
      name: flags.nodeName ?? '',
      criSocket: flags.criSocket ?? DEFAULT_SOCKET,
      kubeletExtraArgs: [],
    },
    caCertPath: CA_FILE,
    timeouts: {
      discovery: decisions.discoveryTimeout(),
      tlsBootstrap: decisions.bootstrapTimeout(),
      kubeletHealthCheck: decisions.healthTimeout(),
      controlPlaneComponentHealthCheck: decisions.controlPlaneTimeout(),
      kubernetesAPICall: decisions.apiCallTimeout(),
    },
  };
}

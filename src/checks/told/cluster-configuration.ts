/**
 * What kubeadm-config tells a control plane that joins: kubeadm writes its static Pods from that, not from those of the
 * control planes that stand.
 * Source: cmd/kubeadm/app/util/config/cluster.go and common.go; phases/controlplane/manifests.go.
 */
import { argumentsIn } from '../../kubernetes/extra-args.js';
import { type Fields, isRecord, record, records, text } from '../../kubernetes/json.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import { inSpan, NEWEST_MINOR, type Span } from '../../kubernetes/versions.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { EVERYWHERE } from '../node-files/node-flags.js';
import { unusable } from '../node-files/node-known-flags.js';
import { GUARDS, strangeControllers, strangePlugins } from '../node-files/node-known-names.js';
import { hostOf } from '../node-files/node-names.js';
import { filesNamed, isBelow } from '../node-files/node-pods.js';
import { isCommanding } from '../node-files/node-privileges.js';
import { oddFlags, shownOf } from '../node-files/node-relations.js';
import { isLoopback, weakFlags } from '../node-files/node-weakened.js';
import {
  INSTEAD,
  isJoiningController,
  isSwitchedOn,
  listOf,
  runsController,
  together,
} from '../written/control-plane-flags.js';
import { kinds, oddFields, type Shape } from '../written/field-shapes.js';
import { misread, writtenByAll } from '../written/flag-values.js';
import { toldEverywhere } from '../written/kubeadm-flags.js';
import { documentOf } from './machine-configuration.js';
import { endlessIn, oddFiles, oddValues } from './published-files.js';
import { mighty, speakForOthers, unknown } from './published-flags.js';

type Flags = Readonly<Record<string, string>>;

/** The ClusterConfiguration of a cluster. */
export interface ToldToControlPlanes {
  /** "ConfigMap kube-system/kubeadm-config" */
  readonly subject: string;
  /** false: there is none that can be read, which is told of by others. */
  readonly there: boolean;
  readonly apiVersion: string;
  /** '' where none is named: kubeadm then asks for the newest. */
  readonly kubernetesVersion: string;
  /** The minor of the API server. */
  readonly minor: number;
  /** Flags that are set in extraArgs, without their dashes. */
  readonly apiServer: Flags;
  readonly controllerManager: Flags;
  readonly scheduler: Flags;
  readonly etcd: Flags;
  /** What is of another type than kubeadm decodes: "apiServer.extraArgs is of another type". */
  readonly mistyped?: readonly string[];
  /** Folders and files that the Pods have, by the field of their component. */
  readonly mounted?: Readonly<Record<string, readonly string[]>>;
  /** Folder of the certificates; left out: that of kubeadm. */
  readonly certificatesDir?: string;
  /** Names of variables that programs obey before any flag, by the field of their component. */
  readonly commanded?: Readonly<Record<string, readonly string[]>>;
}

/** v1beta4 has lists of flags, v1beta3 maps; a document decodes as the version that it names, or not at all. */
const shapeOf = (args: Shape[string], lists: Shape): Shape => {
  const component = {
    ...lists,
    extraArgs: args,
    extraVolumes: [{ ...kinds('text', 'name hostPath mountPath pathType'), readOnly: 'switch' }],
  } as const;
  const image = kinds('text', 'imageRepository imageTag');
  return {
    ...kinds('text', 'kubernetesVersion controlPlaneEndpoint certificatesDir imageRepository clusterName'),
    ...kinds('text', 'encryptionAlgorithm certificateValidityPeriod caCertificateValidityPeriod'),
    networking: kinds('text', 'serviceSubnet podSubnet dnsDomain'),
    apiServer: { ...component, certSANs: 'texts' },
    controllerManager: component,
    scheduler: component,
    etcd: {
      local: {
        ...image,
        dataDir: 'text',
        extraArgs: args,
        ...lists,
        ...kinds('texts', 'serverCertSANs peerCertSANs'),
      },
      external: { ...kinds('texts', 'endpoints httpEndpoints'), ...kinds('text', 'caFile certFile keyFile') },
    },
    dns: { ...image, disabled: 'switch' },
    proxy: { disabled: 'switch' },
    featureGates: 'fields',
  };
};
const SHAPES: Readonly<Record<string, Shape>> = {
  'kubeadm.k8s.io/v1beta3': shapeOf('fields', {}),
  'kubeadm.k8s.io/v1beta4': shapeOf([kinds('text', 'name value')], { extraEnvs: 'list' }),
};
/** Maps of flags and gates hold one type of value each. */
const mistypedIn = (told: Fields): readonly string[] => {
  const { [text(told.apiVersion)]: shape } = SHAPES;
  if (shape === undefined) return [];
  const { etcd, featureGates } = told;
  const components = ['apiServer', 'controllerManager', 'scheduler'].map((name) => [name, told[name]] as const);
  const maps = [...components, ['etcd.local', record(etcd).local] as const].map(
    ([name, one]) => [`${name}.extraArgs`, record(one).extraArgs, 'string'] as const,
  );
  return [
    ...oddFields(told, shape).filter((odd) => odd.endsWith(' is of another type')),
    ...[...maps, ['featureGates', featureGates, 'boolean'] as const].flatMap(([where, map, type]) =>
      Object.entries(isRecord(map) ? map : {})
        .filter(([, value]) => value !== null && typeof value !== type)
        .map(([name]) => `${where}.${name} is of another type`),
    ),
  ];
};

/**
 * What kubeadm mounts by itself, in part where the machine has it.
 * Source: cmd/kubeadm/app/phases/controlplane/volumes.go.
 */
const OF_BOTH =
  '/etc/ssl/certs /etc/pki /etc/ca-certificates /usr/share/ca-certificates /usr/local/share/ca-certificates ' +
  '/usr/libexec/kubernetes/kubelet-plugins/volume/exec';
const mountedIn = (told: Fields): Readonly<Record<string, readonly string[]>> => {
  const { external } = record(told.etcd);
  const folders = [text(told.certificatesDir) || '/etc/kubernetes/pki', ...OF_BOTH.split(' ')];
  const { caFile, certFile, keyFile } = record(external);
  const ofEtcd = [caFile, certFile, keyFile].map((file) => text(file).replace(/\/[^/]*$/, ''));
  const own = {
    apiServer: [...folders, ...ofEtcd],
    controllerManager: [...folders, '/etc/kubernetes/controller-manager.conf'],
    scheduler: ['/etc/kubernetes/scheduler.conf'],
  };
  return Object.fromEntries(
    Object.entries(own).map(([component, paths]) => [
      component,
      [...paths, ...records(record(told[component]).extraVolumes).map(({ mountPath }) => text(mountPath))],
    ]),
  );
};

/** Variables that its programs obey, by the field of their component. Source: v1beta4/types.go ControlPlaneComponent. */
const commandedIn = ({ etcd, ...told }: Fields): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries({ ...told, etcd: record(etcd).local }).map(([component, one]) => [
      component,
      records(record(one).extraEnvs)
        .map(({ name }) => text(name))
        .filter((name) => isCommanding(name, component === 'etcd')),
    ]),
  );

const flagsOf = ({ extraArgs }: Fields): Flags => Object.fromEntries(together(argumentsIn(extraArgs)));

/** Its data lies where another field says. Source: cmd/kubeadm/app/phases/etcd/local.go getEtcdCommand. */
const etcdFolder = ({ dataDir }: Fields): Flags => (text(dataDir) === '' ? {} : { 'data-dir': text(dataDir) });

/** Reader of kubeadm-config; undefined where the ConfigMap is not there. */
export function readToldToControlPlanes(
  subject: string,
  map: ConfigMap | undefined,
  minor: number,
): ToldToControlPlanes {
  const document = documentOf(map, 'ClusterConfiguration');
  const { apiVersion, kind, kubernetesVersion, certificatesDir, ...told } = record(document);
  const { apiServer, controllerManager, scheduler, etcd } = told;
  const local = record(record(etcd).local);
  return {
    subject,
    there: text(kind) === 'ClusterConfiguration',
    apiVersion: text(apiVersion),
    kubernetesVersion: text(kubernetesVersion),
    minor,
    apiServer: flagsOf(record(apiServer)),
    controllerManager: flagsOf(record(controllerManager)),
    scheduler: flagsOf(record(scheduler)),
    etcd: { ...etcdFolder(local), ...flagsOf(local) },
    mistyped: mistypedIn(record(document)),
    mounted: mountedIn(record(document)),
    ...(text(certificatesDir) === '' ? {} : { certificatesDir: text(certificatesDir) }),
    commanded: commandedIn(record(document)),
  };
}

/** Which minors of kubeadm read which version; of one that is not known here nothing is said beyond NEWEST_MINOR. */
const READ: Readonly<Record<string, Span>> = {
  'kubeadm.k8s.io/v1beta2': { until: 26 },
  'kubeadm.k8s.io/v1beta3': { since: 22 },
  'kubeadm.k8s.io/v1beta4': { since: 31 },
};
const NEVER = /^kubeadm\.k8s\.io\/v1(?:alpha\d+|beta1)$/;

const isRead = (apiVersion: string, minor: number): boolean => {
  const { [apiVersion]: span } = READ;
  return span === undefined ? minor > NEWEST_MINOR && !NEVER.test(apiVersion) : inSpan(minor, span);
};

/** What kubeadm looks up where releases are published. Source: cmd/kubeadm/app/util/version.go. */
const LABEL = /^(?:(?:ci|ci-cross|release|bazel)\/)?(?:latest|stable)(?:-[1-9](?:\.[1-9]\d{0,2})?)?$/;

/** kubeadm of the release before takes part while a cluster is upgraded, and so does its API server. */
const isNear = (release: string, minor: number): boolean => {
  const [, named] = /^v?1\.(\d{1,3})\.\d{1,3}(?:[-+]|$)/.exec(release) ?? [];
  return named === undefined ? release === '' || LABEL.test(release) : Math.abs(Number(named) - minor) <= 1;
};

/** kubeadm of the release of the cluster decodes it, and takes the release that it names. */
export const kubeadmReadsConfiguration: Check<ToldToControlPlanes> = {
  id: 'cluster-configuration/read',
  source: 'cmd/kubeadm/app/util/config/common.go validateSupportedVersion, NormalizeKubernetesVersion',
  nothing: 'no ClusterConfiguration is there',
  judge: ({ subject, there, apiVersion, kubernetesVersion, minor, mistyped = [] }) =>
    there
      ? [
          demand({
            subject,
            demanded: `is of a version that kubeadm 1.${minor} reads`,
            seen: apiVersion,
            ok: isRead(apiVersion, minor),
          }),
          demand({
            subject,
            demanded: `names a release next to 1.${minor}, which the API server has`,
            seen: `kubernetesVersion: ${kubernetesVersion || 'none, which is the newest'}`,
            ok: isNear(kubernetesVersion, minor),
          }),
          demand({
            subject,
            demanded: 'has values of the types that kubeadm decodes',
            seen: shownOf(mistyped, 'it has'),
            ok: mistyped.length === 0,
          }),
        ]
      : [],
};

interface Guard {
  readonly flag: string;
  readonly demanded: string;
  /** What kubeadm gives the flag where nobody else does; undefined: nothing. */
  readonly byDefault: string | undefined;
  ok(value: string | undefined): boolean;
}

const has = (value: string | undefined, item: string): boolean => listOf(value).includes(item);

const KEPT_ON = ['NodeRestriction', ...GUARDS];
const API_SERVER: readonly Guard[] = [
  {
    flag: 'authorization-mode',
    demanded: '--authorization-mode has Node and RBAC, and has not AlwaysAllow',
    byDefault: 'Node,RBAC',
    ok: (value) => has(value, 'Node') && has(value, 'RBAC') && !has(value, 'AlwaysAllow'),
  },
  {
    flag: 'enable-admission-plugins',
    demanded: '--enable-admission-plugins has NodeRestriction',
    byDefault: 'NodeRestriction',
    ok: (value) => has(value, 'NodeRestriction'),
  },
  {
    flag: 'disable-admission-plugins',
    demanded: `--disable-admission-plugins has none of ${KEPT_ON.join(', ')}`,
    byDefault: undefined,
    ok: (value) => !KEPT_ON.some((name) => has(value, name)),
  },
  {
    flag: 'enable-bootstrap-token-auth',
    demanded: '--enable-bootstrap-token-auth is on',
    byDefault: 'true',
    ok: isSwitchedOn,
  },
  {
    flag: 'token-auth-file',
    demanded: '--token-auth-file is not given',
    byDefault: undefined,
    ok: (value = '') => value === '',
  },
];
const CONTROLLERS = ['bootstrapsigner', 'tokencleaner', 'csrapproving', 'csrsigning'].filter(isJoiningController);
const CONTROLLER_MANAGER: readonly Guard[] = [
  {
    flag: 'controllers',
    demanded: `--controllers has ${CONTROLLERS.join(', ')} on`,
    byDefault: '*,bootstrapsigner,tokencleaner',
    ok: (value) => CONTROLLERS.every((controller) => runsController(value, controller)),
  },
  {
    flag: 'use-service-account-credentials',
    demanded: '--use-service-account-credentials is on',
    byDefault: 'true',
    ok: isSwitchedOn,
  },
];

const guarded = (subject: string, flags: Flags, guards: readonly Guard[]): readonly Finding[] =>
  guards.map(({ flag, demanded, byDefault, ok }) => {
    const { [flag]: told } = flags;
    return demand({
      subject,
      demanded,
      seen: told === undefined ? 'kubeadm decides' : `--${flag}=${told}`,
      ok: ok(told ?? byDefault),
    });
  });

/** Authorizers that a file names are that file's to judge. Source: pkg/kubeapiserver/options/authorization.go. */
const without = (guards: readonly Guard[], flags: Flags): readonly Guard[] =>
  guards.filter(({ flag }) => flags[INSTEAD[flag] ?? ''] === undefined);

/** It is told of by a demand of its own. */
const isNoGuard = (told: string): boolean =>
  ![...API_SERVER, ...CONTROLLER_MANAGER].some(({ flag }) => told.startsWith(`--${flag}=`));

type Started = 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'etcd';
interface Component {
  readonly program: Started;
  /** What extraArgs tell it. */
  readonly flags: Flags;
  /** With what kubeadm tells it besides. */
  readonly all: Flags;
  readonly commanded: readonly string[];
  readonly mounted: readonly string[] | undefined;
}

/** kubeadm leaves a flag to whoever tells what goes in its place. */
const toldBeside = (program: Started, flags: Flags, folder: string | undefined): Flags =>
  Object.fromEntries(
    Object.entries(toldEverywhere(program, folder)).filter(([name]) => flags[INSTEAD[name] ?? ''] === undefined),
  );

/** What a flag gives up, it gives up wherever it is told. */
const unweakened = (subject: string, { program, flags, commanded, all }: Component): Finding => {
  const odd = [
    ...[...weakFlags(program, flags), ...endlessIn(flags), ...mighty(flags), ...writtenByAll(flags)],
    ...(program === 'kube-apiserver' ? unknown({ flags: all, isProbed: true }) : []),
    ...(speakForOthers(all) ? ['any client may speak for others'] : []),
  ];
  const weak = [...odd.filter(isNoGuard), ...commanded.map((name) => `${name}, which it obeys before any flag`)];
  return demand({
    subject,
    demanded: 'no flag and no variable takes away what it is safe by',
    seen: shownOf(weak, 'none does'),
    ok: weak.length === 0,
  });
};

/** Every control plane that joins listens at it, and no two machines have one address. */
const isOfOne = (host: string): boolean => ![...EVERYWHERE, '[::]'].includes(host) && !isLoopback(host);
const LISTENING = ['listen-client-urls', 'listen-peer-urls', 'listen-metrics-urls'];

/** What ends it at another machine than the one that it was written for. Of what is mounted there nothing is known: undefined. */
const elsewhere = (flags: Flags, mounted: readonly string[] | undefined): readonly string[] => {
  // of a file of tokens others tell, wherever it lies
  const { 'bind-address': bind = '', 'token-auth-file': _, ...others } = flags;
  return [
    ...(isOfOne(bind) ? [`--bind-address=${bind}: it is the address of one machine`] : []),
    ...(mounted === undefined ? [] : filesNamed(others))
      .filter((path) => !mounted?.some((folder) => isBelow(path, folder)))
      .map((path) => `${path} is not mounted by extraVolumes`),
  ];
};
const listensElsewhere = (flags: Flags): readonly string[] =>
  LISTENING.flatMap((flag) =>
    listOf(flags[flag])
      .filter((url) => isOfOne(hostOf(url)))
      .map((url) => `--${flag}=${url}: it is the address of one machine`),
  );

/** Its program starts with what it is told, and what joins there becomes a node. */
const works = (subject: string, { program, flags, mounted, all }: Component, minor: number): Finding => {
  const endless = endlessIn(flags);
  const odd =
    program === 'etcd'
      ? [...misread(flags, 'etcd'), ...listensElsewhere(flags)]
      : [
          ...unusable(program, flags, minor).filter(isNoGuard),
          ...oddValues(program, all).filter((told) => !endless.includes(told)),
          ...oddFiles(program, all),
          ...oddFlags(program, all, minor),
          ...strangePlugins(flags, minor).map((name) => `the admission plugin ${name}, which it has not`),
          ...strangeControllers(flags.controllers).map((name) => `the controller ${name}, which it has not`),
          ...elsewhere(flags, mounted),
        ];
  return demand({
    subject,
    demanded: 'its program starts with these flags, and what joins becomes a node',
    seen: shownOf(odd, 'nothing shows otherwise'),
    ok: odd.length === 0,
  });
};

/** As those that stand have to be, by rules of their own. */
export const joiningControlPlanesGuarded: Check<ToldToControlPlanes> = {
  id: 'cluster-configuration/guarded',
  source: 'cmd/kubeadm/app/phases/controlplane/manifests.go; 001 and 002, flags of the API server',
  nothing: 'no ClusterConfiguration is there',
  judge: ({ subject, there, minor, mounted = {}, commanded = {}, certificatesDir, ...told }) => {
    const { apiServer, controllerManager, scheduler, etcd } = told;
    return there
      ? [
          ...guarded(`${subject}, apiServer.extraArgs`, apiServer, without(API_SERVER, apiServer)),
          ...guarded(`${subject}, controllerManager.extraArgs`, controllerManager, CONTROLLER_MANAGER),
          ...(
            [
              ['apiServer.extraArgs', 'kube-apiserver', apiServer],
              ['controllerManager.extraArgs', 'kube-controller-manager', controllerManager],
              ['scheduler.extraArgs', 'kube-scheduler', scheduler],
              ['etcd.local.extraArgs', 'etcd', etcd],
            ] as const
          ).flatMap(([place, program, flags]) => {
            const component = place.replace(/\..*/, '');
            const one: Component = {
              program,
              flags,
              all: { ...toldBeside(program, flags, certificatesDir), ...flags },
              commanded: commanded[component] ?? [],
              mounted: mounted[component],
            };
            return [unweakened(`${subject}, ${place}`, one), works(`${subject}, ${place}`, one, minor)];
          }),
        ]
      : [];
  },
};

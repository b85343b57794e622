/** The single checks, in kubeadm's words. Source: cmd/kubeadm/app/preflight/checks.go. */
import { isIP } from 'node:net';
import { addressIn } from '../configuration.js';
import { atRelease, inRelease, type Release } from '../release.js';
import type { PreflightDecisions } from './decisions.js';
import type { EtcdQuestion, HostView, Runtime } from './host.js';
import { readKubelet } from './kubelet.js';
import { type Check, type Level, NOTHING, of, type Said, said } from './outcome.js';
import { proxyFor } from './proxies.js';
import { systemOf } from './system.js';
import * as versions from './versions.js';

/** What all checks of a run share. */
export interface Looking {
  readonly host: HostView;
  /** Of kubeadm. */
  readonly release: Release;
  readonly decisions: PreflightDecisions;
}

const dashed = (kind: string, path: string): string => `${kind}-${path.replaceAll('/', '-')}`;
const wrong = (isWrong: boolean, message: string, level: Level = 'error'): readonly Said[] =>
  isWrong ? said(level, message) : NOTHING;
const check = (name: string, look: () => Promise<readonly Said[]>): Check => ({ name, look });

const NO_ROOT = {
  linux: 'user is not running as root',
  windows: 'the kubeadm process must be run by a user with elevated privileges',
};

export const privileged = ({ host }: Looking): Check =>
  check('IsPrivilegedUser', async () => of(await host.isPrivileged(), (is) => wrong(!is, NO_ROOT[host.os])));

const PROCESSORS = 2;
export const processors = ({ host }: Looking): Check =>
  check('NumCPU', async () =>
    of(await host.processors(), (are) =>
      wrong(are < PROCESSORS, `the number of available CPUs ${are} is less than the required ${PROCESSORS}`),
    ),
  );

const MEMORY = 1700;
export const memory = ({ host }: Looking): Check =>
  check('Mem', async () =>
    of(await host.memory(), (is) =>
      wrong(is < MEMORY, `the system RAM (${is} MB) is less than the minimum ${MEMORY} MB`),
    ),
  );

/** `cluster`: the version that is asked for. */
export const kubernetesVersion = ({ release, decisions }: Looking, cluster: Release): Check =>
  check('KubernetesVersion', async () =>
    wrong(
      decisions.clusterIsTooNew(cluster.minor, release.minor),
      'Kubernetes version is greater than kubeadm version. Please consider to upgrade kubeadm. ' +
        `Kubernetes version: ${cluster.text.slice(1)}. Kubeadm version: 1.${release.minor}.x`,
      'warning',
    ),
  );

const NO_INIT_SYSTEM = 'no supported init system detected, skipping checking for services';

export const firewalld = ({ host }: Looking, ports: readonly number[]): Check =>
  check('Firewalld', async () => {
    const system = await host.initSystem();
    if ('unknown' in system) return of(system, () => NOTHING);
    if (system.is === undefined) return said('warning', NO_INIT_SYSTEM);
    const open = `firewalld is active, please ensure ports [${ports.join(' ')}] are open or your cluster may not function correctly`;
    return of(await host.service('firewalld'), ({ exists, active }) => wrong(exists && active, open, 'warning'));
  });

export interface ServiceAsked {
  readonly service: string;
  readonly mustBeActive: boolean;
}

export const service = ({ host, release, decisions }: Looking, { service: name, mustBeActive }: ServiceAsked): Check =>
  check(decisions.serviceName(release, name), async () => {
    const system = await host.initSystem();
    if ('unknown' in system) return of(system, () => NOTHING);
    if (system.is === undefined) return said('warning', NO_INIT_SYSTEM);
    const enable = system.is === 'systemd' ? `systemctl enable ${name}.service` : `rc-update add ${name} default`;
    return of(await host.service(name), ({ exists, enabled, active }) =>
      exists
        ? [
            ...wrong(!enabled, `${name} service is not enabled, please run '${enable}'`, 'warning'),
            ...wrong(
              mustBeActive && !active,
              `${name} service is not active, please run 'systemctl start ${name}.service'`,
            ),
          ]
        : said('warning', `${name} service does not exist`),
    );
  });

export const portFree = ({ host }: Looking, port: number): Check =>
  check(`Port-${port}`, async () => of(await host.isPortFree(port), (free) => wrong(!free, `Port ${port} is in use`)));

export const folderEmpty = ({ host }: Looking, path: string): Check =>
  check(dashed('DirAvailable', path), async () => {
    const names = await host.list(path);
    if ('is' in names && names.is === undefined)
      return of(await host.exists(path), (is) => wrong(is, `${path} is not empty`));
    return of(names, (are) => wrong((are ?? []).length > 0, `${path} is not empty`));
  });

export const fileAbsent = ({ host }: Looking, path: string): Check =>
  check(dashed('FileAvailable', path), async () =>
    of(await host.exists(path), (is) => wrong(is, `${path} already exists`)),
  );

export const fileThere = ({ host }: Looking, path: string, name: string): Check =>
  check(name, async () => of(await host.exists(path), (is) => wrong(!is, `${path} doesn't exist`)));

/** It begins with "1". */
export const fileIsOne = ({ host }: Looking, path: string): Check =>
  check(dashed('FileContent', path), async () =>
    of(await host.read(path), (text) =>
      text === undefined
        ? said('error', `${path} does not exist`)
        : wrong(!text.startsWith('1'), `${path} contents are not set to 1`),
    ),
  );

export const inPath = ({ host }: Looking, { name, level }: versions.Command): Check =>
  check(dashed('FileExisting', name), async () =>
    of(await host.hasCommand(name), (is) => wrong(!is, `${name} not found in system path`, level)),
  );

/** A subdomain in lower case is asked for before; only its length can be wrong here. Source: IsQualifiedName. */
export const nodeNameResolves = ({ host }: Looking, name: string): Check =>
  check('Hostname', async () => [
    ...wrong(
      name.length > 63,
      `invalid node name format ${JSON.stringify(name)}: name part must be no more than 63 bytes`,
      'warning',
    ),
    ...of(await host.resolve(name), (failure) =>
      failure === undefined
        ? NOTHING
        : [
            ...said('warning', `hostname "${name}" could not be reached`),
            ...said('warning', `hostname "${name}": ${failure}`),
          ],
    ),
  ]);

/** To an address or a name. */
export const hostWithoutProxy = ({ host }: Looking, name: string): Check =>
  check('HTTPProxy', async () => {
    const [shown, port] = isIP(name) === 6 ? [`[${name}]:1234`, '1234'] : [name, '443'];
    return of(host.environment(), (environment) => {
      const proxy = proxyFor(name, port, environment);
      return wrong(
        proxy !== undefined,
        `Connection to "https://${shown}" uses proxy "${proxy}". If that is not intended, adjust your proxy settings`,
        'warning',
      );
    });
  });

/** To the first address of a subnet. */
export const subnetWithoutProxy = ({ host }: Looking, subnet: string): Check =>
  check('HTTPProxyCIDR', async () =>
    of(host.environment(), (environment) => {
      const proxy = proxyFor(addressIn(subnet, 1), '1234', environment);
      return wrong(
        proxy !== undefined,
        `connection to "${subnet}" uses proxy "${proxy}". This may lead to malfunctional cluster setup. ` +
          'Make sure that Pod and Services IP ranges specified correctly as exceptions in proxy configuration',
        'warning',
      );
    }),
  );

const CONNECTING = 'could not connect to the container runtime: ';
const NOT_CREATED = 'failed to create new CRI runtime service: ';
const UPDATE =
  'You must update your container runtime to a version that supports the CRI method RuntimeConfig. Falling back to ' +
  'using cgroupDriver from kubelet config will be removed in 1.37. For more information, see ' +
  'https://git.k8s.io/enhancements/keps/sig-node/4033-group-driver-detection-over-cri';

/** What a runtime that does not answer is told by. */
const unconnected = (socket: string, failure: string): string =>
  `${NOT_CREATED}validate service connection: validate CRI v1 runtime API for endpoint ${JSON.stringify(socket)}: ${failure}`;

const readiness = (runtime: Exclude<Runtime, { readonly failure: string }>): readonly Said[] => {
  const { reason, message } = runtime.notReady ?? {};
  return wrong(
    runtime.notReady !== undefined,
    `container runtime condition "RuntimeReady" is not true. reason: ${reason}, message: ${message}`,
  );
};

/** Up to 1.30 crictl asks it, and from 1.31 to 1.34 a runtime that does not answer is not looked at. */
export const runtimeRuns = ({ host, release }: Looking, socket: string): Check =>
  check('CRI', async () =>
    of(await host.runtime(socket), (runtime) => {
      if (!('failure' in runtime)) return readiness(runtime);
      const how = atRelease(release, versions.RUNTIME);
      if (how === 'where it answers') return NOTHING;
      const why = unconnected(socket, runtime.failure);
      return said(
        'error',
        how === 'crictl'
          ? `container runtime is not running: output: ${why}, error: exit status 1`
          : `${CONNECTING}${why}`,
      );
    }),
  );

export const runtimeConfigures = ({ host, release }: Looking, socket: string): readonly Check[] =>
  atRelease(release, versions.RUNTIME) !== 'always'
    ? []
    : [
        check('ContainerRuntimeVersion', async () =>
          of(await host.runtime(socket), (runtime) =>
            'failure' in runtime
              ? said('error', `${CONNECTING}${unconnected(socket, runtime.failure)}`)
              : wrong(!runtime.configures, UPDATE, 'warning'),
          ),
        ),
      ];

/** Why images cannot be pulled at all; nothing is pulled here. */
export const runtimeForImages = ({ host, release }: Looking, socket: string): Check =>
  check('ImagePull', async () =>
    of(await host.runtime(socket), (runtime) =>
      'failure' in runtime && !inRelease(release, { until: 30 })
        ? said('error', `${CONNECTING}${unconnected(socket, runtime.failure)}`)
        : NOTHING,
    ),
  );

export const noSwap = ({ host, release, decisions }: Looking): Check =>
  check('Swap', async () =>
    of(await host.read('/proc/swaps'), (text = '') => {
      const lines = text.split('\n').filter((line) => line !== '');
      const found = decisions.swap(release);
      return lines.length > 1 && found !== undefined ? said(found.level, found.message) : NOTHING;
    }),
  );

export const system = (looking: Looking, docker: boolean): Check =>
  check('SystemVerification', () => systemOf(looking, docker));

/** Docker itself. */
export const dockerRuns = ({ host }: Looking): Check =>
  check('CRI', async () =>
    of(await host.docker(), (found) =>
      wrong('failure' in found, `container runtime is not running: ${'failure' in found ? found.failure : ''}`),
    ),
  );

/** `controlPlane`: undefined where nobody knows its version yet. */
export const kubeletVersion = (looking: Looking, controlPlane: Release | undefined): Check =>
  check('KubeletVersion', async () => {
    const { host, release, decisions } = looking;
    return of(await readKubelet(host), (kubelet) => {
      if ('failure' in kubelet) return said('error', kubelet.failure);
      const { text, minor, isEarly } = kubelet;
      const oldest = decisions.oldestKubelet(release);
      const isTooOld = minor < oldest || (minor === oldest && isEarly && /\.0-/.test(text));
      if (isTooOld)
        return said('error', `Kubelet version "${text}" is lower than kubeadm can support. Please upgrade kubelet`);
      return wrong(
        controlPlane !== undefined && decisions.kubeletIsTooNew(minor, controlPlane.minor),
        'the kubelet version is higher than the control plane version. This is not a supported version skew and may ' +
          `lead to a malfunctional cluster. Kubelet version: "${text}" Control plane version: ` +
          `"${controlPlane?.text.slice(1)}"`,
      );
    });
  });

/** "3.5.24-0" as numbers that compare. */
const numbered = (version: string): readonly number[] | undefined => {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)(?:-(\d+))?/.exec(version);
  // What has nothing after the patch is later than what has.
  return parts === null ? undefined : [...parts.slice(1, 4), parts[4] ?? '999999'].map(Number);
};

function isOlder(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}

export const etcdVersion = ({ host, release, decisions }: Looking, questions: readonly EtcdQuestion[]): Check =>
  check('ExternalEtcdVersion', async () => {
    const oldest = decisions.oldestEtcd(release);
    const all = await Promise.all(questions.map((question) => host.etcdVersion(question)));
    return all.flatMap((one) =>
      of(one, (found) => {
        if ('failure' in found) return said('error', found.failure);
        const version = numbered(found.version);
        if (version === undefined)
          return said('error', `couldn't parse external etcd version ${JSON.stringify(found.version)}`);
        return wrong(
          isOlder(version, numbered(oldest) ?? []),
          `this version of kubeadm only supports external etcd version >= ${oldest}. Current version: ${found.version}`,
        );
      }),
    );
  });

/**
 * The phases of kubeadm init that write files, each by its name, in the order of init.
 * Source: cmd/kubeadm/app/cmd/init.go, cmd/phases/init/{certs,kubeconfig,etcd,controlplane,kubelet}.go.
 */
import { AUTHORITIES, CERTIFICATES, type CertificateFile } from '../certificates.js';
import type { ControlPlaneComponent } from '../components.js';
import type { Configuration } from '../configuration.js';
import { pauseVersion } from '../images.js';
import { KUBECONFIGS, type KubeconfigFile } from '../kubeconfig.js';
import { kubeletConfiguration, kubeletFields } from '../phases/component-configs.js';
import { instanceConfig, kubeletFlagsFile } from '../phases/kubelet-files.js';
import { staticPodManifest } from '../phases/static-pods.js';
import { inRelease } from '../release.js';
import { INSTANCE_CONFIG, PAUSE_IMAGE_NAMED } from '../release-features.js';
import { goYaml } from '../yaml.js';
import { authorityPhase, certificatePhase, serviceAccountPhase } from './certificates.js';
import { InitFailed, type InitRun, MODES } from './host.js';
import { isExternalCa, isWritten, kubeconfigPhase } from './kubeconfigs.js';
import { enableClientCertRotation } from './kubelet-finalize.js';

type Act = (run: InitRun) => Promise<void> | void;

const KUBELET_DIR = '/var/lib/kubelet';

/** What kubeadm calls them in the names of its phases. */
const SHORT = {
  apiserver: 'kube-apiserver',
  'controller-manager': 'kube-controller-manager',
  scheduler: 'kube-scheduler',
} as const;

/** A text that comes before a manifest is written: patches are applied there. */
function writeManifest({ files, configuration, extraArgs }: InitRun, component: ControlPlaneComponent): void {
  const path = `${configuration.kubernetesDir}/manifests/${component}.yaml`;
  files.write(path, staticPodManifest(component, configuration, extraArgs), MODES.secret, MODES.manifests);
}

const localEtcd: Act = (run) => {
  const { configuration, tell } = run;
  if (configuration.externalEtcd !== undefined) return;
  tell(`[etcd] Creating static Pod manifest for local etcd in "${configuration.kubernetesDir}/manifests"`);
  writeManifest(run, 'etcd');
};

const controlPlane =
  (component: ControlPlaneComponent): Act =>
  (run) => {
    run.tell(`[control-plane] Creating static Pod manifest for "${component}"`);
    writeManifest(run, component);
  };

/** config.yaml as the node has it. */
const nodeKubelet = (configuration: Configuration): string =>
  inRelease(configuration.release, INSTANCE_CONFIG)
    ? goYaml({ ...kubeletFields(configuration), containerRuntimeEndpoint: configuration.criSocket })
    : kubeletConfiguration(configuration);

const kubeletStart: Act = ({ configuration, files, tell }) => {
  const { release, nodeName, hostName = nodeName, criSocket, imageRepository, kubeletExtraArgs } = configuration;
  const write = (name: string, text: string): void =>
    files.write(`${KUBELET_DIR}/${name}`, text, MODES.open, MODES.kubelet);
  const isInFile = inRelease(release, INSTANCE_CONFIG);
  tell(`[kubelet-start] Writing kubelet environment file with flags to file "${KUBELET_DIR}/kubeadm-flags.env"`);
  const flags = kubeletFlagsFile({
    release,
    criSocket: isInFile ? undefined : criSocket,
    nodeName,
    hostName,
    pauseImage: inRelease(release, PAUSE_IMAGE_NAMED) ? `${imageRepository}/pause:${pauseVersion(release)}` : undefined,
    taints: [],
    extraArgs: kubeletExtraArgs,
  });
  write('kubeadm-flags.env', flags);
  if (isInFile) write('instance-config.yaml', instanceConfig(criSocket));
  tell(`[kubelet-start] Writing kubelet configuration to file "${KUBELET_DIR}/config.yaml"`);
  write('config.yaml', nodeKubelet(configuration));
};

/** Authorities stand before what they sign, as in the list of upstream. */
const CERTS: readonly (readonly [string, Act])[] = AUTHORITIES.flatMap((row) => [
  [`certs/${row.file.replace('/', '-')}`, (run: InitRun) => authorityPhase(run, row)] as const,
  ...(Object.keys(CERTIFICATES) as CertificateFile[])
    .filter((file) => CERTIFICATES[file].parent === row.part)
    .map((file) => [`certs/${file.replace('/', '-')}`, (run: InitRun) => certificatePhase(run, file)] as const),
]);

const PHASES: ReadonlyMap<string, Act> = new Map<string, Act>([
  ...CERTS,
  ['certs/sa', serviceAccountPhase],
  ...(Object.keys(KUBECONFIGS) as KubeconfigFile[]).map(
    (name) =>
      [
        `kubeconfig/${name}`,
        (run: InitRun) => (isWritten(name, run.configuration) ? kubeconfigPhase(run, name) : undefined),
      ] as const,
  ),
  ['etcd/local', localEtcd],
  ...Object.entries(SHORT).map(([name, component]) => [`control-plane/${name}`, controlPlane(component)] as const),
  ['kubelet-start', kubeletStart],
  ['kubelet-finalize/enable-client-cert-rotation', enableClientCertRotation],
]);

/** Every phase of files, in order. */
export const INIT_PHASES: readonly string[] = [...PHASES.keys()];

/** "certs", "certs/all" and the like stand for all of a kind; undefined: there is no such phase. */
export function phasesOf(name: string): readonly string[] | undefined {
  if (PHASES.has(name)) return [name];
  const kind = name.replace(/\/all$/, '');
  const found = INIT_PHASES.filter((phase) => phase.startsWith(`${kind}/`));
  return found.length === 0 ? undefined : found;
}

/** Without those that are passed over, each by its name or by that of its kind. */
export const without = (names: readonly string[], skipped: readonly string[]): readonly string[] =>
  names.filter((name) => !skipped.some((one) => name === one || name.startsWith(`${one}/`)));

/** Runs phases in the order that they are given. Throws InitFailed with the phase's name before kubeadm's words. */
export async function runPhases(run: InitRun, names: readonly string[]): Promise<void> {
  const configuration = { ...run.configuration, externalCa: run.configuration.externalCa || isExternalCa(run) };
  for (const name of names) {
    try {
      await PHASES.get(name)?.({ ...run, configuration });
    } catch (error) {
      if (!(error instanceof InitFailed)) throw error;
      throw new InitFailed(`error execution phase ${name}: ${error.message}`);
    }
  }
}

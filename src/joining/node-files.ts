/**
 * What a join writes on the node, and the disk of its kubelet.
 * Source: cmd/kubeadm/app/phases/kubelet/{config,flags}.go; client-go, util/certificate/certificate_store.go;
 * pkg/kubelet/certificate/bootstrap/bootstrap.go writeKubeconfigFromBootstrapping.
 */
import { pauseVersion } from '../kubeadm/images.js';
import { writeKubeconfig } from '../kubeadm/kubeconfig.js';
import { instanceConfig, kubeletFlagsFile } from '../kubeadm/phases/kubelet-files.js';
import type { Release } from '../kubeadm/release.js';
import { goYaml } from '../kubeadm/yaml.js';
import { type Fields, record } from '../kubernetes/json.js';
import { rememberedText } from '../kubernetes/remembered.js';
import { parseYaml } from '../kubernetes/yaml.js';
import type { ClusterConfiguration } from './cluster-configuration.js';
import type { JoinConfiguration } from './configuration.js';
import type { JoiningDecisions } from './decisions/index.js';
import type { Discovered } from './discovery.js';
import { JoinFailed } from './failures.js';
import type { Disk, Pair } from './kubelet.js';
import { KUBELET_DIR } from './names.js';
import { patchedKubelet } from './patches.js';
import type { Machine } from './ports.js';

/** Whose files, by which rules. */
export interface Writing {
  readonly machine: Machine;
  readonly decisions: JoiningDecisions;
  readonly release: Release;
}

/** Runs a write; what the disk refuses ends the join. */
function orFail(context: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new JoinFailed(`${context}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * bootstrap-kubelet.conf: the cluster as it was discovered, and the token. `server` may be another. Throws JoinFailed.
 */
export function writeBootstrapKubeconfig(writing: Writing, discovered: Discovered, server: string): void {
  const { machine, decisions, release } = writing;
  const { access, caPem, names } = discovered;
  const { cluster, user } = names;
  const text = writeKubeconfig(
    {
      cluster: { name: cluster, server, caPem },
      user: {
        name: user,
        ...(access.token === undefined ? {} : { token: access.token }),
        ...(access.certificate === undefined
          ? {}
          : { certificatePem: access.certificate.certificate, keyPem: access.certificate.key }),
      },
      context: { name: `${user}@${cluster}` },
    },
    release,
  );
  orFail("couldn't save bootstrap-kubelet.conf to disk", () =>
    machine.files.write(decisions.bootstrapFile(), text, decisions.fileMode('kubeconfig')),
  );
}

/** The cluster's CA, where it is not there yet. Throws JoinFailed. */
export function writeCa({ machine, decisions }: Writing, path: string, caPem: string): void {
  if (!decisions.writesCa(machine.files.exists(path))) return;
  orFail("couldn't save the CA certificate to disk", () =>
    machine.files.write(path, caPem, decisions.fileMode('certificate')),
  );
}

/** config.yaml and kubeadm-flags.env (instance-config.yaml since 1.34). Throws JoinFailed. */
export function writeKubeletFiles(
  writing: Writing,
  { nodeRegistration, controlPlane, patches }: JoinConfiguration,
  { kubelet, imageRepository, nodeName }: ClusterConfiguration & { readonly nodeName: string },
): void {
  const { machine, decisions, release } = writing;
  const { criSocket, kubeletExtraArgs } = nodeRegistration;
  const mode = decisions.fileMode('kubelet configuration');
  const write = (name: string, text: string): void =>
    orFail('failed to write kubelet configuration to disk', () =>
      machine.files.write(`${KUBELET_DIR}/${name}`, text, mode),
    );
  const isInFile = decisions.instanceConfiguration(release);
  const configuration = patchedKubelet(machine, patches, kubeletFields(kubelet));
  if (isInFile) {
    write('instance-config.yaml', instanceConfig(criSocket));
  }
  write('config.yaml', goYaml(isInFile ? { ...configuration, containerRuntimeEndpoint: criSocket } : configuration));
  const taints = controlPlane === undefined ? (nodeRegistration.taints ?? []) : [];
  const flags = kubeletFlagsFile({
    release,
    criSocket: isInFile ? undefined : criSocket,
    nodeName,
    hostName: machine.hostName.toLowerCase(),
    pauseImage: decisions.namesPauseImage(release) ? `${imageRepository}/pause:${pauseVersion(release)}` : undefined,
    taints: taints.map(taintText),
    extraArgs: kubeletExtraArgs,
  });
  write('kubeadm-flags.env', flags);
}

const taintText = ({
  key,
  value,
  effect,
}: {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}) => `${key}${value === undefined ? '' : `=${value}`}:${effect}`;

const PKI = `${KUBELET_DIR}/pki`;
const CURRENT = `${PKI}/kubelet-client-current.pem`;
const SERVING = `${PKI}/kubelet-server-current.pem`;
const WAITING = `${PKI}/kubelet-client.key.tmp`;

/** "2026-11-20-10-48-03" */
const stamp = (at: number): string => new Date(at).toISOString().slice(0, 19).replace(/[T:]/g, '-');

/** Certificate blocks, then the key, as a kubelet keeps them in one file. */
function readPair(pem: string | undefined): Pair | undefined {
  const at = pem?.search(/-----BEGIN [A-Z ]*PRIVATE KEY-----/) ?? -1;
  return pem === undefined || at < 0 ? undefined : { certificate: pem.slice(0, at), key: pem.slice(at) };
}

/** The disk of a kubelet, as files of the node. */
export class KubeletDisk implements Disk {
  readonly #writing: Writing;
  readonly #caPem: string;

  constructor(writing: Writing, caPem: string) {
    this.#writing = writing;
    this.#caPem = caPem;
  }

  get kubeconfig(): { readonly server: string } | undefined {
    const { machine, decisions } = this.#writing;
    const text = machine.files.read(decisions.kubeletFile());
    if (text === undefined) return undefined;
    const server = /^ +server: (\S+)$/m.exec(text)?.[1];
    return server === undefined ? undefined : { server };
  }

  set kubeconfig(given: { readonly server: string } | undefined) {
    const { machine, decisions, release } = this.#writing;
    if (given === undefined) {
      machine.files.remove(decisions.kubeletFile());
      return;
    }
    const names = decisions.kubeletNames();
    const text = writeKubeconfig(
      {
        cluster: { name: names.cluster, server: given.server, caPem: this.#caPem },
        user: { name: names.user, certificateFile: CURRENT, keyFile: CURRENT },
        context: { name: names.context, namespace: 'default' },
      },
      release,
    );
    orFail("couldn't save kubelet.conf to disk", () =>
      machine.files.write(decisions.kubeletFile(), text, decisions.fileMode('kubeconfig')),
    );
  }

  get current(): Pair | undefined {
    return readPair(this.#writing.machine.files.read(CURRENT));
  }

  set current(pair: Pair | undefined) {
    this.#keep('kubelet-client', CURRENT, pair);
  }

  /** In a file of its own, to which the link then leads. */
  #keep(of: string, current: string, pair: Pair | undefined): void {
    const { machine, decisions } = this.#writing;
    if (pair === undefined) {
      machine.files.remove(current);
      return;
    }
    const name = `${of}-${stamp(machine.clock.now())}.pem`;
    orFail("couldn't save the certificate and key of the kubelet to disk", () => {
      machine.files.write(`${PKI}/${name}`, `${pair.certificate}${pair.key}`, decisions.fileMode('kubelet pair'));
      machine.files.link(current, name);
    });
  }

  get serving(): Pair | undefined {
    return readPair(this.#writing.machine.files.read(SERVING));
  }

  set serving(pair: Pair | undefined) {
    this.#keep('kubelet-server', SERVING, pair);
  }

  get waitingKey(): string | undefined {
    return this.#writing.machine.files.read(WAITING);
  }

  set waitingKey(key: string | undefined) {
    const { machine, decisions } = this.#writing;
    if (key === undefined) machine.files.remove(WAITING);
    else
      orFail("couldn't save the key of the kubelet to disk", () =>
        machine.files.write(WAITING, key, decisions.fileMode('private key')),
      );
  }
}

/** What a configuration of a kubelet (YAML) says; all joins of a cluster are told the same. */
export const kubeletFields = rememberedText(
  (configuration: string): Fields => record(parseYaml(configuration, { uniqueKeys: false })),
);

/** Whether a kubelet with this configuration renews its certificate, and so keeps its key in memory. */
export const rotates = (configuration: string): boolean => kubeletFields(configuration).rotateCertificates === true;

/** Whether a kubelet with this configuration asks for what it serves with. */
export const asksToServe = (configuration: string): boolean => kubeletFields(configuration).serverTLSBootstrap === true;

/** The real kubeadm, told to keep everything inside one folder. Source: cmd/kubeadm/app/cmd/phases/init. */
import { type ExecFileException, execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../../kubeadm/configuration.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import { ConfigurationError } from '../errors.js';
import type { HttpTarget } from '../http-target.js';
import type { Switches } from '../types.js';
import { onLoopback } from './configuration.js';

const PHASE_MS = 90_000;
/** The releases whose kubeadm reads v1beta4. */
const V1BETA4: Span = { since: 31 };
/** The releases whose upload-config annotates a Node, which then must be there. */
const WITH_NODE: Span = { until: 35 };

/** A program, the folder that it works in, and what ends it. */
export interface KubeadmOptions {
  readonly file: string;
  readonly minor: number;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Told of every process, so that none outlives joinproof. */
  readonly watch: (pid: number) => void;
}

export class Kubeadm {
  readonly #at: KubeadmOptions;

  constructor(options: KubeadmOptions) {
    this.#at = options;
  }

  /** Files of the phases certs and kubeconfig, and the configuration that later phases read. */
  async files(configuration: Configuration, version: string, switches: Switches): Promise<void> {
    const { folder } = this.#at;
    await writeFile(this.#config, this.#documents(configuration, version, switches), { mode: 0o600 });
    await mkdir(join(folder, 'home'), { recursive: true });
    await this.#phase(['certs', 'all'], []);
    await Promise.all(
      ['admin', 'super-admin', 'controller-manager'].map((name) =>
        this.#phase(['kubeconfig', name], ['--kubeconfig-dir', folder]),
      ),
    );
    const file = join(folder, 'controller-manager.conf');
    await writeFile(file, onLoopback(await readFile(file, 'utf8'), configuration), { mode: 0o600 });
  }

  /** InitConfiguration and ClusterConfiguration. */
  #documents(configuration: Configuration, version: string, switches: Switches): string {
    const { advertiseAddress, bindPort, nodeName } = configuration;
    const apiVersion = `kubeadm.k8s.io/${inSpan(this.#at.minor, V1BETA4) ? 'v1beta4' : 'v1beta3'}`;
    const init = {
      apiVersion,
      kind: 'InitConfiguration',
      localAPIEndpoint: { advertiseAddress, bindPort },
      nodeRegistration: {
        name: nodeName,
        criSocket: 'unix:///run/containerd/containerd.sock',
        ignorePreflightErrors: ['all'],
      },
      ...(switches.tokens === undefined ? {} : { bootstrapTokens: switches.tokens.map(tokenOf) }),
    };
    const cluster = {
      apiVersion,
      kind: 'ClusterConfiguration',
      // Named, so that kubeadm does not ask the internet for the newest.
      kubernetesVersion: `v${version}`,
      certificatesDir: configuration.certificatesDir,
      controlPlaneEndpoint: configuration.controlPlaneEndpoint,
      apiServer: { certSANs: configuration.certSANs },
    };
    return [init, cluster].map((document) => JSON.stringify(document)).join('\n---\n');
  }

  /**
   * What kubeadm init writes into a running cluster: its configuration, shared certificates, tokens with cluster-info,
   * addons.
   */
  async objects(target: HttpTarget, nodeName: string): Promise<void> {
    const kubeconfig = ['--kubeconfig', join(this.#at.folder, 'admin.conf')];
    await this.#withNode(target, nodeName, () => this.#phase(['upload-config', 'all'], kubeconfig));
    await Promise.all([
      this.#phase(['upload-certs'], ['--upload-certs', ...kubeconfig]),
      this.#phase(['bootstrap-token'], kubeconfig),
      this.#phase(['addon', 'all'], kubeconfig),
    ]);
  }

  /** The phase bootstrap-token once more. */
  repeatBootstrapToken(): Promise<void> {
    return this.#phase(['bootstrap-token'], ['--kubeconfig', join(this.#at.folder, 'admin.conf')]);
  }

  /** Some annotate the Node that a kubelet would have registered by then; there is one for that long. */
  async #withNode(target: HttpTarget, name: string, act: () => Promise<void>): Promise<void> {
    if (!inSpan(this.#at.minor, WITH_NODE)) return act();
    const metadata = { name, labels: { 'kubernetes.io/hostname': name } };
    await target.admin.create<KubeObject>(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata });
    try {
      await act();
    } finally {
      await target.admin.delete(resources.nodes, name);
    }
  }

  get #config(): string {
    return join(this.#at.folder, 'kubeadm.yaml');
  }

  #phase(phase: readonly string[], args: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const home = join(this.#at.folder, 'home');
      const options = {
        cwd: this.#at.folder,
        // No proxy and no KUBECONFIG of the user: kubeadm must see this folder only.
        env: { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home, TMPDIR: home },
        timeout: PHASE_MS,
        killSignal: 'SIGKILL' as const,
        signal: this.#at.signal,
        maxBuffer: 4 * 1024 * 1024,
      };
      const child = execFile(
        this.#at.file,
        ['init', 'phase', ...phase, '--config', this.#config, ...args],
        options,
        (error, stdout, stderr) => {
          if (error === null) return resolve();
          if (this.#at.signal.aborted) return reject(this.#at.signal.reason);
          const said = complaint(`${stdout}\n${stderr}`);
          reject(new ConfigurationError(`kubeadm init phase ${phase.join(' ')} ${endOf(error)}: ${said}`));
        },
      );
      if (child.pid !== undefined) this.#at.watch(child.pid);
    });
  }
}

/** One that says more than is kept is killed, too. */
function endOf({ code, killed, signal }: ExecFileException): string {
  if (String(code) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'said too much';
  if (killed === true) return `took longer than ${PHASE_MS / 1000} s`;
  return `failed (${code ?? signal ?? 'unknown'})`;
}

/** kubeadm's answer without its advice and without stack traces. */
function complaint(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const telling = lines.filter((line) => /^error|\[ERROR|failed|^E\d{4} /i.test(line));
  return (
    (telling.length > 0 ? telling : lines.filter((line) => line !== '')).slice(-3).join(' | ').slice(0, 600) ||
    'it said nothing'
  );
}

const tokenOf = ({
  token,
  ttlSeconds,
}: {
  readonly token?: string;
  readonly ttlSeconds?: number;
}): Record<string, string> => ({
  ...(token === undefined ? {} : { token }),
  ...(ttlSeconds === undefined ? {} : { ttl: `${ttlSeconds}s` }),
});

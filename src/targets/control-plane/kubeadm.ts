/** The real kubeadm, told to keep everything inside one folder. Source: cmd/kubeadm/app/cmd/phases/init. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { ConfigurationError } from '../errors.js';
import type { HttpTarget } from '../http-target.js';
import type { Switches } from '../types.js';
import type { Binaries } from './binaries.js';
import { ADVERTISED, NODE_NAME } from './flags.js';

const PHASE_MS = 90_000;
/** The first release whose kubeadm reads v1beta4. */
const V1BETA4 = 31;
/** The first release whose upload-config needs no Node. */
const WITHOUT_NODE = 36;

export class Kubeadm {
  readonly #file: string;
  readonly #minor: number;
  readonly #folder: string;
  readonly #signal: AbortSignal;
  readonly #watch: (pid: number) => void;

  /** `watch` is told of every process, so that none outlives joinproof. */
  constructor(file: string, minor: number, folder: string, signal: AbortSignal, watch: (pid: number) => void) {
    this.#watch = watch;
    this.#file = file;
    this.#minor = minor;
    this.#folder = folder;
    this.#signal = signal;
  }

  async configure(binaries: Binaries, port: number, switches: Switches): Promise<void> {
    const apiVersion = `kubeadm.k8s.io/${this.#minor >= V1BETA4 ? 'v1beta4' : 'v1beta3'}`;
    const documents = [
      {
        apiVersion,
        kind: 'InitConfiguration',
        localAPIEndpoint: { advertiseAddress: ADVERTISED, bindPort: port },
        nodeRegistration: {
          name: NODE_NAME,
          criSocket: 'unix:///run/containerd/containerd.sock',
          ignorePreflightErrors: ['all'],
        },
        ...(switches.tokens === undefined ? {} : { bootstrapTokens: switches.tokens.map(tokenOf) }),
      },
      {
        apiVersion,
        kind: 'ClusterConfiguration',
        // Named, so that kubeadm does not ask the internet for the newest.
        kubernetesVersion: `v${binaries.version}`,
        certificatesDir: join(this.#folder, 'pki'),
        controlPlaneEndpoint: `127.0.0.1:${port}`,
        apiServer: { certSANs: ['127.0.0.1', 'localhost'] },
      },
    ];
    await writeFile(this.#config, documents.map((document) => JSON.stringify(document)).join('\n---\n'), {
      mode: 0o600,
    });
    await mkdir(join(this.#folder, 'home'), { recursive: true });
  }

  /** Files of the phases certs and kubeconfig. */
  async files(port: number): Promise<void> {
    await this.#phase(['certs', 'all'], []);
    await Promise.all(
      ['admin', 'super-admin', 'controller-manager'].map((name) =>
        this.#phase(['kubeconfig', name], ['--kubeconfig-dir', this.#folder]),
      ),
    );
    // kubeadm lets components of the same machine dial the advertised address, which does not exist here.
    const file = join(this.#folder, 'controller-manager.conf');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(`${ADVERTISED}:${port}`, `127.0.0.1:${port}`), { mode: 0o600 });
  }

  /** What kubeadm init writes into a running cluster: its configuration, shared certificates, tokens with cluster-info, addons. */
  async objects(target: HttpTarget): Promise<void> {
    const kubeconfig = ['--kubeconfig', join(this.#folder, 'admin.conf')];
    await this.#withNode(target, () => this.#phase(['upload-config', 'all'], kubeconfig));
    await Promise.all([
      this.#phase(['upload-certs'], ['--upload-certs', ...kubeconfig]),
      this.#phase(['bootstrap-token'], kubeconfig),
      this.#phase(['addon', 'all'], kubeconfig),
    ]);
  }

  /** The phase bootstrap-token once more. */
  repeatBootstrapToken(): Promise<void> {
    return this.#phase(['bootstrap-token'], ['--kubeconfig', join(this.#folder, 'admin.conf')]);
  }

  /** Before 1.36 upload-config annotates the Node that a kubelet would have registered by then; there is one for that long. */
  async #withNode(target: HttpTarget, act: () => Promise<void>): Promise<void> {
    if (this.#minor >= WITHOUT_NODE) return act();
    const metadata = { name: NODE_NAME, labels: { 'kubernetes.io/hostname': NODE_NAME } };
    await target.admin.create<KubeObject>(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata });
    try {
      await act();
    } finally {
      await target.admin.delete(resources.nodes, NODE_NAME);
    }
  }

  get #config(): string {
    return join(this.#folder, 'kubeadm.yaml');
  }

  #phase(phase: readonly string[], args: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const home = join(this.#folder, 'home');
      const options = {
        cwd: this.#folder,
        // No proxy and no KUBECONFIG of the user: kubeadm must see this folder only.
        env: { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home, TMPDIR: home },
        timeout: PHASE_MS,
        killSignal: 'SIGKILL' as const,
        signal: this.#signal,
        maxBuffer: 4 * 1024 * 1024,
      };
      const child = execFile(
        this.#file,
        ['init', 'phase', ...phase, '--config', this.#config, ...args],
        options,
        (error, stdout, stderr) => {
          if (error === null) return resolve();
          if (this.#signal.aborted) return reject(this.#signal.reason);
          const how =
            error.killed === true
              ? `took longer than ${PHASE_MS / 1000} s`
              : `failed (${error.code ?? error.signal ?? 'unknown'})`;
          reject(
            new ConfigurationError(
              `kubeadm init phase ${phase.join(' ')} ${how}: ${complaint(`${stdout}\n${stderr}`)}`,
            ),
          );
        },
      );
      if (child.pid !== undefined) this.#watch(child.pid);
    });
  }
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

/**
 * The programs of a folder by envtest's convention (KUBEBUILDER_ASSETS): which are there, and whether this machine can
 * run them.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, open, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../errors.js';

const PROGRAMS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubeadm', 'kubelet'] as const;
type Program = (typeof PROGRAMS)[number];

export interface Binaries {
  readonly folder: string;
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllerManager?: string;
  readonly kubeadm?: string;
  readonly kubelet?: string;
  /** "1.36.0", of kube-apiserver */
  readonly version: string;
  readonly minor: number;
  readonly kubeadmMinor?: number;
}

const VERSION_MS = 20_000;
/** e_machine of an ELF header. Source: elf(5), the System V ABI's registry of machines. */
const ELF_MACHINES: Readonly<Record<number, NodeJS.Architecture>> = {
  3: 'ia32',
  8: 'mips',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
};

/** Throws ConfigurationError where a program is missing that must be there, or one cannot run. */
export async function findBinaries(folder: string): Promise<Binaries> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined)
    throw new ConfigurationError(
      `--control-plane ${folder} does not exist; ` +
        'give a folder that holds etcd and kube-apiserver (KUBEBUILDER_ASSETS).',
    );
  if (!(await stat(root)).isDirectory())
    throw new ConfigurationError(
      `--control-plane ${folder} is no folder; give the folder that holds etcd and kube-apiserver.`,
    );
  const [etcd, apiServer, controllerManager, kubeadm, kubelet] = await Promise.all(
    PROGRAMS.map((program) => find(root, program)),
  );
  const missing = [etcd === undefined ? 'etcd' : '', apiServer === undefined ? 'kube-apiserver' : ''].filter(
    (name) => name !== '',
  );
  if (etcd === undefined || apiServer === undefined) {
    throw new ConfigurationError(
      `--control-plane ${folder} lacks ${missing.join(' and ')}; ` +
        'give a folder that holds both (kube-controller-manager and kubeadm are optional).',
    );
  }
  const [version, , , kubeadmVersion] = await Promise.all([
    versionOf(apiServer, ['--version']),
    versionOf(etcd, ['--version']),
    controllerManager === undefined ? undefined : versionOf(controllerManager, ['--version']),
    kubeadm === undefined ? undefined : versionOf(kubeadm, ['version', '-o', 'short']),
  ]);
  return {
    folder: root,
    etcd,
    apiServer,
    version: version.text,
    minor: version.minor,
    ...(controllerManager === undefined ? {} : { controllerManager }),
    ...(kubeadm === undefined ? {} : { kubeadm }),
    ...(kubelet === undefined ? {} : { kubelet }),
    ...(kubeadmVersion === undefined ? {} : { kubeadmMinor: kubeadmVersion.minor }),
  };
}

async function find(folder: string, program: Program): Promise<string | undefined> {
  const file = join(folder, program);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new ConfigurationError(`${file} is no file; it must be the program ${program}.`);
  const executable = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!executable) throw new ConfigurationError(`${file} may not be executed; give it execute permission (chmod +x).`);
  await demandRunnable(file, program);
  return file;
}

/**
 * Looked at before it is run: where the kernel refuses a program, libc hands it to a shell, whose complaint is a
 * riddle.
 */
async function demandRunnable(file: string, program: Program): Promise<void> {
  const handle = await open(file, 'r').catch(() => {
    throw new ConfigurationError(`${file} cannot be read.`);
  });
  const head = Buffer.alloc(20);
  let length: number;
  try {
    length = (await handle.read(head, 0, 20, 0)).bytesRead;
  } finally {
    await handle.close();
  }
  const refuse = (is: string): never => {
    throw new ConfigurationError(
      `${file} is ${is}; give the ${program} that is built for ${process.platform} on ${process.arch}.`,
    );
  };
  if (head.toString('latin1', 0, 2) === '#!') return;
  const isElf = length === 20 && head.toString('latin1', 0, 4) === '\x7fELF';
  if (process.platform === 'linux') {
    if (!isElf) refuse('no program for Linux');
    const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18);
    const architecture = ELF_MACHINES[machine];
    if (architecture !== process.arch) refuse(`built for ${architecture ?? `machine ${machine}`}`);
  } else if (isElf) refuse('built for Linux');
}

function versionOf(file: string, args: readonly string[]): Promise<{ text: string; minor: number }> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { timeout: VERSION_MS, maxBuffer: 1024 * 1024, killSignal: 'SIGKILL' }, (error, stdout) => {
      if (error !== null) {
        const how =
          error.killed === true
            ? `did not answer within ${VERSION_MS / 1000} s`
            : `failed (${error.code ?? error.signal ?? 'unknown'})`;
        reject(new ConfigurationError(`${file} ${args.join(' ')} ${how}; give a program that runs on this machine.`));
        return;
      }
      const match = /(?<!\d)(\d+)\.(\d+)\.(\d+\S*)/.exec(stdout);
      if (match === null)
        reject(new ConfigurationError(`${file} ${args.join(' ')} shows no version; is it the program its name says?`));
      else resolve({ text: `${match[1]}.${match[2]}.${match[3]}`, minor: Number(match[2]) });
    });
  });
}

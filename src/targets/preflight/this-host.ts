/** The machine that joinproof runs on, as kubeadm would look at it; it is only read. */
import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism, platform, release, totalmem } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Found, HostView, InitSystem, Ran, Service } from '../../kubeadm/preflight/host.js';
import { record, text } from '../../kubernetes/json.js';
import { visible } from '../../model/foreign.js';
import { codeOf } from '../error-code.js';
import { askRuntime } from './container-runtime.js';
import { askEtcd } from './etcd-version.js';

/** Milliseconds of a program that is asked, and bytes of its answer. */
const LIMIT = 10_000;
const LARGEST = 1024 * 1024;
const MIB = 1024 * 1024;

const is = <T>(value: T): Found<T> => ({ is: value });

interface Answered {
  /** undefined: it could not be run, for this reason. */
  readonly failure?: string;
  readonly code: number;
  readonly output: string;
}

/** Runs a program that tells something. */
async function ask(file: string, ...given: readonly string[]): Promise<Answered> {
  try {
    const { stdout } = await promisify(execFile)(file, [...given], { timeout: LIMIT, maxBuffer: LARGEST });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout } = error as { readonly code?: unknown; readonly stdout?: unknown };
    const failure =
      typeof code === 'number' ? `exit status ${code}` : (NOT_RUN[String(code)] ?? String(code ?? 'killed'));
    return { code: typeof code === 'number' ? code : -1, output: text(stdout), failure };
  }
}

const NOT_RUN: Readonly<Record<string, string>> = {
  ENOENT: 'executable file not found in $PATH',
  EACCES: 'permission denied',
};

/** Where the kernel's configuration may lie. Source: kernel_validator.go getKernelConfigReader. */
const configurations = (kernel: string): readonly string[] => [
  '/proc/config.gz',
  `/boot/config-${kernel}`,
  `/usr/src/linux-${kernel}/.config`,
  '/usr/src/linux/.config',
  `/usr/lib/modules/${kernel}/config`,
  `/usr/lib/ostree-boot/config-${kernel}`,
  `/usr/lib/kernel/config-${kernel}`,
  `/usr/src/linux-headers-${kernel}/.config`,
  `/lib/modules/${kernel}/build/.config`,
];

async function kernelConfiguration(kernel: string): Promise<Found<{ readonly text: string }>> {
  for (const file of configurations(kernel)) {
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes !== undefined) return is({ text: (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1') });
  }
  return {
    unknown:
      'the configuration of the kernel is in no file; kubeadm would load the module "configs", which joinproof does not',
  };
}

/** kubeadm makes a folder there to see it; another one that is there tells the same. */
async function freezes(mountPoint: string): Promise<Found<boolean>> {
  const names = await readdir(mountPoint, { withFileTypes: true }).catch(() => []);
  const folders = names.filter((entry) => entry.isDirectory());
  if (folders.length === 0)
    return { unknown: `${mountPoint} has no control group in which to see that it can be frozen` };
  const found = await Promise.all(
    folders.map(({ name }) =>
      access(path.join(mountPoint, name, 'cgroup.freeze')).then(
        () => true,
        () => false,
      ),
    ),
  );
  return is(found.some((one) => one));
}

const isPortFree = (port: number): Promise<Found<boolean>> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) =>
      resolve(codeOf(error) === 'EACCES' ? { unknown: `only root may listen at port ${port}` } : is(false)),
    );
    server.listen(port, () => server.close(() => resolve(is(true))));
  });

const FOLDERS = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');

async function hasCommand(name: string): Promise<boolean> {
  for (const folder of FOLDERS) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (
      found?.isFile() === true &&
      (await access(file, constants.X_OK).then(
        () => true,
        () => false,
      ))
    )
      return true;
  }
  return false;
}

/** Source: initsystem_unix.go GetInitSystem. */
async function initSystem(): Promise<InitSystem> {
  if (await hasCommand('systemctl')) return 'systemd';
  return (await hasCommand('openrc')) ? 'openrc' : undefined;
}

/** Source: initsystem_unix.go SystemdInitSystem, OpenRCInitSystem. */
async function service(name: string): Promise<Service> {
  if ((await initSystem()) === 'systemd') {
    const [status, enabled, active] = await Promise.all([
      ask('systemctl', 'status', name),
      ask('systemctl', 'is-enabled', name),
      ask('systemctl', 'is-active', name),
    ]);
    return {
      exists: !/Loaded: not-found|could not be found/.test(status.output),
      enabled: enabled.code === 0,
      active: /^(?:active|activating)$/.test(active.output.trim()),
    };
  }
  const [status, enabled] = await Promise.all([ask('rc-service', name, 'status'), ask('rc-update', 'show', 'default')]);
  const exists = !status.output.includes('does not exist');
  return { exists, enabled: enabled.output.includes(name), active: exists && !status.output.includes('stopped') };
}

async function kubeletVersion(): Promise<Ran> {
  const { failure, output } = await ask('kubelet', '--version');
  return failure === undefined ? { output } : { failure };
}

async function docker(): Promise<{ readonly version: string } | { readonly failure: string }> {
  const { failure, output } = await ask('docker', 'info', '--format', '{{json .}}');
  if (failure !== undefined) return { failure: `output: ${visible(output)}, error: ${failure}` };
  try {
    return { version: text(record(JSON.parse(output)).ServerVersion) };
  } catch {
    return { failure: 'it does not answer in JSON' };
  }
}

/** Go's words for a name without an address. */
const unresolved = (name: string, code: string): string =>
  `lookup ${name}: ${code === 'ENOTFOUND' ? 'no such host' : code === 'EAI_AGAIN' ? 'Temporary failure in name resolution' : code}`;

/** What kubeadm would see here. Nothing is changed; ports are listened at for a moment. */
export const thisHost = (): HostView => ({
  os: platform() === 'win32' ? 'windows' : 'linux',
  exists: async (file) => {
    const there = await stat(file).then(() => undefined, codeOf);
    return there === 'EACCES' ? { unknown: `${file} lies where only root may look` } : is(there === undefined);
  },
  read: async (file) => {
    const content = await readFile(file, 'utf8').catch((error: unknown) => ({ code: codeOf(error) }));
    if (typeof content === 'string') return is(content);
    return content.code === 'EACCES' ? { unknown: `${file} may be read by root only` } : is(undefined);
  },
  list: async (folder) => {
    const names = await readdir(folder).catch((error: unknown) => ({ code: codeOf(error) }));
    if (Array.isArray(names)) return is(names);
    return 'code' in names && names.code === 'EACCES'
      ? { unknown: `${folder} may be read by root only` }
      : is(undefined);
  },
  hasCommand: async (name) => is(await hasCommand(name)),
  kubeletVersion: async () => is(await kubeletVersion()),
  isPrivileged: async () => is(process.getuid?.() === 0),
  processors: async () => is(availableParallelism()),
  memory: async () => is(Math.floor(totalmem() / MIB)),
  kernelRelease: async () => is(release()),
  kernelConfiguration,
  freezes,
  isPortFree,
  initSystem: async () => is(await initSystem()),
  service: async (name) => is(await service(name)),
  resolve: async (name) =>
    is(
      await lookup(name).then(
        () => undefined,
        (error: unknown) => unresolved(name, codeOf(error)),
      ),
    ),
  environment: () => is(process.env),
  runtime: async (socket) => is(await askRuntime(socket)),
  docker: async () => is(await docker()),
  etcdVersion: async (question) => is(await askEtcd(question)),
});

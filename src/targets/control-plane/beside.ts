/** API servers beside a control plane of ours, each with other flags: they share its etcd, under prefixes, and its files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argumentsOf } from '../../kubeadm/flags.js';
import { authenticationArguments, authenticationFiles } from '../../kubernetes/authentication-flags.js';
import { resources } from '../../kubernetes/resources.js';
import type { HttpTarget } from '../http-target.js';
import { pause } from '../pause.js';
import { Turns } from '../turns.js';
import type { Switches } from '../types.js';
import { extraArgsOf } from './flags.js';
import { freePorts } from './ports.js';
import { POLL_MS, ready, type Site } from './start.js';

/** A start takes seconds of a processor: so many go on at a time. */
const starts = new Turns(2);
let begun = 0;

/** Starts one; `connect` opens a target of the port. Throws ConfigurationError with the last words of what failed. */
export const startBeside = (
  site: Site,
  switches: Switches,
  connect: (port: number, end: () => Promise<void>) => Promise<HttpTarget>,
): Promise<HttpTarget> => starts.enter(() => start(site, switches, connect));

async function start(
  { binaries, processes, configuration, ports, env, signal }: Site,
  switches: Switches,
  connect: (port: number, end: () => Promise<void>) => Promise<HttpTarget>,
): Promise<HttpTarget> {
  signal.throwIfAborted();
  begun += 1;
  const name = `kube-apiserver-${begun}`;
  const folder = join(processes.folder, name);
  const [port = 0] = await freePorts(1);
  const flags = switches.authentication ?? {};
  await mkdir(folder, { mode: 0o700 });
  for (const [file, text] of Object.entries(authenticationFiles(flags)))
    await writeFile(join(folder, file), text, { mode: 0o600 });
  const args = argumentsOf(
    'kube-apiserver',
    { ...configuration, bindPort: port },
    {
      'kube-apiserver': {
        ...extraArgsOf(ports, switches)['kube-apiserver'],
        'etcd-prefix': `/${name}`,
        ...authenticationArguments(flags, folder),
      },
    },
  );
  const running = await processes.start(name, binaries.apiServer, args, env);
  const target = await connect(port, async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  });
  try {
    await ready(target, [running], signal);
    while ((await target.admin.get(resources.namespaces, 'default')) === undefined) await pause(POLL_MS, signal);
    return target;
  } catch (error) {
    await target.close();
    throw error;
  }
}

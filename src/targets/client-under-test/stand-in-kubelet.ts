/**
 * A kubelet that stands in for the one of a machine where none was given: it bootstraps with the bootstrap kubeconfig
 * that it finds, and says that it is healthy.
 */
import { randomBytes } from 'node:crypto';
import { Calls } from '../../joining/calls.js';
import { joiningDecisions } from '../../joining/decisions/index.js';
import { readKubeconfig } from '../../joining/kubeconfig.js';
import { Kubelet, type Pair } from '../../joining/kubelet.js';
import { KubeletDisk } from '../../joining/node-files.js';
import { clusterOver } from '../../joining/wire-cluster.js';
import { NEWEST_RELEASE, parseRelease } from '../../kubeadm/release.js';
import { hostFiles, RootFiles } from '../machine/root-files.js';
import { NodeWire } from '../machine/wire.js';
import { pause } from '../pause.js';

const FLAGS = '/var/lib/kubelet/kubeadm-flags.env';

/** Milliseconds that it waits for a certificate, and between two attempts. */
const WITHIN = 60_000;
const PAUSE = 500;

/**
 * Goes on until it has its certificate, or the signal ends it. `root`: the folder that is the machine's "/"; its
 * name is the one that kubeadm tells it there.
 */
export async function bootstrapKubelet(root: string, hostName: string, signal: AbortSignal): Promise<void> {
  const wire = new NodeWire(signal, { userAgent: 'kubelet (joinproof)' });
  const decisions = joiningDecisions;
  const files = new RootFiles(root);
  const clock = { now: () => Date.now(), sleep: (milliseconds: number) => pause(milliseconds, signal) };
  const machine = { wire, files, given: hostFiles, clock, hostName, random: randomBytes, tell: () => {} };
  try {
    for (;;) {
      const found = credentialsIn(files.read(decisions.bootstrapFile()));
      if (found !== undefined) {
        const { server, caPem, ...credential } = found;
        const cluster = clusterOver(new Calls(machine, decisions), clock, { server, trust: { caPem }, ...credential });
        const disk = new KubeletDisk({ machine, decisions, release: parseRelease(NEWEST_RELEASE) }, caPem);
        const kubelet = new Kubelet({
          cluster: { ...cluster, server },
          nodeName: overridden(files.read(FLAGS)) ?? hostName,
          // As a real one is started beside kubeadm: it has nothing to renew.
          rotate: false,
          ...credential,
          disk,
          decisions,
        });
        const { kind } = await kubelet.start(WITHIN);
        if (kind === 'issued' || kind === 'had') return;
      }
      await clock.sleep(PAUSE);
    }
  } finally {
    wire.close();
  }
}

/** The name that the arguments of kubeadm-flags.env tell it. */
const overridden = (flags = ''): string | undefined => /(?:^|[\s"])--hostname-override=([^\s"]+)/.exec(flags)?.[1];

interface Found {
  readonly server: string;
  readonly caPem: string;
  readonly token?: string;
  readonly certificate?: Pair;
}

/** undefined: nothing that a kubelet could bootstrap with. */
function credentialsIn(text: string | undefined): Found | undefined {
  if (text === undefined) return undefined;
  const { clusters, users } = readKubeconfig(text);
  const [cluster] = clusters.values();
  const [user] = users.values();
  if (cluster === undefined || user === undefined) return undefined;
  const { server, caPem } = cluster;
  const { token, certificatePem: certificate, keyPem: key } = user;
  if (token !== '') return { server, caPem, token };
  return certificate === '' || key === '' ? undefined : { server, caPem, certificate: { certificate, key } };
}

/** A node's disk as a target of its own: a folder laid out like one. Nobody answers requests there. */
import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { NEWEST_RELEASE } from '../kubeadm/release.js';
import { diskName } from './node/beside.js';
import { learning } from './node/credentials.js';
import { openDisk } from './node/open.js';
import { diskOf, referenceFiles } from './node/reference-node.js';
import { Redactor } from './redaction.js';
import type { NodeFiles, Target } from './types.js';
import { versionIn } from './version.js';

export interface NodeTarget extends Target {
  readonly redactor: Redactor;
}

const API_SERVER = '/etc/kubernetes/manifests/kube-apiserver.yaml';

/** What the image of the API server says. */
async function versionOf(files: NodeFiles): Promise<Target['facts']['version']> {
  const [manifest] = await files.read([API_SERVER]);
  const gitVersion = /^[ -]{1,20}image: [^\s@]{1,500}:(v\d[\w.+-]{1,60})$/m.exec(manifest?.text ?? '')?.[1];
  return gitVersion === undefined
    ? { unreadable: 'the disk shows no version of Kubernetes' }
    : versionIn({ status: 200, body: { gitVersion } });
}

const nodeOf = async (name: string, given: NodeFiles, inProcess: boolean): Promise<NodeTarget> => {
  const redactor = new Redactor();
  const files = learning(given, redactor);
  return {
    kind: 'node',
    name,
    facts: {
      server: '',
      version: await versionOf(files),
      holds: new Set(inProcess ? (['inProcess'] as const) : []),
      now: () => files.now(),
    },
    abilities: { files },
    redactor,
    why: () => 'the disk of a node holds files only: nobody answers requests',
    close: async () => {},
  };
};

/** `given`: a folder laid out like a node's "/", or a tar of one. Throws ConfigurationError, TargetUnreachable. */
export const openNode = async (given: string): Promise<NodeTarget> =>
  nodeOf(diskName(given), await openDisk(given), false);

/** The disk of the reference, with something done to it. */
export const openReferenceNode = (edit: DiskEdit): Promise<NodeTarget> =>
  nodeOf('the disk of the reference', referenceFiles(diskOf(NEWEST_RELEASE), edit), true);

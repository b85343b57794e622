/**
 * Phases check-etcd and etcd-join of a control plane.
 * Source: cmd/kubeadm/app/phases/etcd/local.go CheckLocalEtcdClusterStatus, CreateStackedEtcdStaticPodManifestFile.
 */
import { hostPort } from '../kubeadm/configuration.js';
import { staticPodManifest } from '../kubeadm/phases/static-pods.js';
import { type ControlPlaneJoin, ownConfiguration } from './control-plane.js';
import { inContext, JoinFailed } from './failures.js';
import { patchedManifest } from './patches.js';
import type { Etcd } from './ports.js';

const MANIFEST = '/etc/kubernetes/manifests/etcd.yaml';
const PEER_PORT = 2380;
/** Source: constants.go EtcdAPICallRetryInterval; timeouts.etcdAPICall. */
const PAUSE = 500;

/** undefined: the machine is no control plane, or nobody can be asked. Throws JoinFailed. */
function etcdOf({ machine, decisions, configuration }: ControlPlaneJoin): Promise<Etcd | undefined> {
  return inContext('error syncing endpoints with etcd', async () =>
    configuration.controlPlane === undefined ? undefined : machine.etcd?.(decisions.verifiesEtcd()),
  );
}

/** Again and again until it goes well. Throws JoinFailed with the last reason. */
async function retried<T>({ machine, decisions }: Voting, act: () => T): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return act();
    } catch (error) {
      if (tries >= decisions.etcdTries()) throw new JoinFailed(error instanceof Error ? error.message : String(error));
      await machine.clock.sleep(PAUSE);
    }
}

/** Throws JoinFailed. */
export async function checkEtcd(joining: ControlPlaneJoin): Promise<void> {
  if (!joining.decisions.looksAtEtcd()) return;
  const etcd = await etcdOf(joining);
  if (etcd === undefined) return;
  joining.machine.tell('[check-etcd] Checking that the etcd cluster is healthy');
  await inContext('etcd cluster is not healthy', () => retried(joining, () => etcd.status()));
}

/** Throws JoinFailed. */
export async function joinEtcd(joining: ControlPlaneJoin): Promise<void> {
  const { machine, decisions, configuration, nodeName } = joining;
  const etcd = await etcdOf(joining);
  const { advertiseAddress = '' } = configuration.controlPlane ?? {};
  if (etcd === undefined) return;
  const peerUrl = `https://${hostPort(advertiseAddress, PEER_PORT)}`;
  const before = await retried(joining, () => etcd.members());
  const members = decisions.isMember(before, peerUrl)
    ? before
    : await retried(joining, () => etcd.add(peerUrl, decisions.addsAsLearner()));
  const named = members.map((one) => (one.peerUrl === peerUrl ? { ...one, name: nodeName } : one));
  const facts = await ownConfiguration(joining);
  const extra = {
    'initial-cluster': decisions.initialCluster(named),
    'initial-cluster-state': decisions.initialClusterState(),
  };
  const manifest = staticPodManifest('etcd', facts, { etcd: extra });
  machine.files.write(MANIFEST, patchedManifest(machine, configuration.patches, MANIFEST, manifest), 0o600);
  await becomeMember(joining, etcd, peerUrl);
}

type Voting = Pick<ControlPlaneJoin, 'machine' | 'decisions'>;

/** Waits until its own etcd has started, and lets it vote. Throws JoinFailed. */
export async function becomeMember(joining: Voting, etcd: Etcd, peerUrl: string): Promise<void> {
  const { decisions } = joining;
  const own = await retried(joining, () => startedIn(etcd, peerUrl));
  if (own.isLearner && decisions.promotesLearner()) await retried(joining, () => etcd.promote(own.id));
  if (decisions.waitsForEtcd()) await retried(joining, () => etcd.status());
}

function startedIn(etcd: Etcd, peerUrl: string): ReturnType<Etcd['members']>[number] {
  const own = etcd.members().find((one) => one.peerUrl === peerUrl);
  if (own === undefined || own.name === '') throw new Error('the etcd member is not started');
  return own;
}

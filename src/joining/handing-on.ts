/**
 * Phases of kubeadm init that hand on to those who join: upload-certs and show-join-command.
 * Source: cmd/kubeadm/app/cmd/phases/init/uploadcerts.go, showjoincommand.go; cmd/kubeadm/app/cmd/util/join.go.
 */
import type { InitFacts } from '../kubeadm/configuration.js';
import { kubeadmDecisions } from '../kubeadm/decisions/index.js';
import {
  addonCoredns,
  addonKubeProxy,
  bootstrapToken,
  type TokenOptions,
  tokenSpec,
  uploadConfig,
} from '../kubeadm/phases/init.js';
import { record } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import type { ClusterConfiguration } from './cluster-configuration.js';
import { taintsIn } from './control-plane.js';
import { controlPlaneDecisions, type Taint } from './decisions/control-planes.js';
import { inContext, JoinFailed } from './failures.js';
import type { Asker, Machine } from './ports.js';
import { createOrUpdate, type Uploading, uploadCerts } from './shared-certificates.js';

/** What init is told of it. */
export interface Handing {
  /** --upload-certs */
  readonly uploads: boolean;
  /** --skip-certificate-key-print */
  readonly quiet: boolean;
}

type Folders = Pick<ClusterConfiguration, 'certificatesDir' | 'externalEtcd'>;

/** Authorities without their keys have nothing to share. Source: cmd/kubeadm/app/cmd/init.go newInitData. */
function demandOwnAuthorities({ machine, decisions }: Uploading, { certificatesDir }: Folders): void {
  const isExternal = (name: string): boolean =>
    machine.files.exists(`${certificatesDir}/${name}.crt`) && !machine.files.exists(`${certificatesDir}/${name}.key`);
  if (decisions.refusesExternalCa() && ['ca', 'front-proxy-ca'].some(isExternal))
    throw new JoinFailed("can't use upload-certs with an external CA or an external front-proxy CA");
}

/** Returns the certificate key; undefined: nothing was uploaded. Throws JoinFailed. */
export async function uploadPhase(
  uploading: Uploading,
  cluster: Folders,
  { uploads, quiet }: Handing,
): Promise<string | undefined> {
  const { machine, decisions } = uploading;
  if (!decisions.uploads(uploads, quiet)) {
    machine.tell('[upload-certs] Skipping phase. Please see --upload-certs');
    return undefined;
  }
  demandOwnAuthorities(uploading, cluster);
  machine.tell('[upload-certs] Storing the certificates in Secret "kubeadm-certs" in the "kube-system" Namespace');
  const key = await inContext('error uploading certs', () => uploadCerts(uploading, cluster));
  if (decisions.saysCertificateKey(quiet)) {
    machine.tell('[upload-certs] Using certificate key:');
    machine.tell(key);
  }
  return key;
}

export interface Writing {
  readonly machine: Pick<Machine, 'clock' | 'random'>;
  /** Who may write to the cluster. */
  readonly admin: Asker;
  readonly facts: InitFacts;
  /** For those who join. */
  readonly tokens: readonly TokenOptions[];
  /** Of its Node; default: that of control planes. */
  readonly taints?: readonly Taint[];
}

/** Phases upload-config, mark-control-plane, bootstrap-token and addon. Throws JoinFailed. */
export async function writeToCluster({ machine, admin, facts, tokens, taints }: Writing): Promise<void> {
  const phase = { decisions: kubeadmDecisions, facts, now: machine.clock.now(), random: machine.random };
  const write = async (objects: readonly KubeObject[]): Promise<void> => {
    for (const object of objects) await createOrUpdate(admin, object);
  };
  await write(uploadConfig(phase));
  const path = pathOf(resources.nodes, { name: facts.nodeName });
  const { body } = await admin.ask({ path });
  const marks = controlPlaneDecisions.marks(taints, taintsIn(record(body).spec));
  await admin.ask({
    method: 'PATCH',
    path,
    body: { metadata: { labels: marks.labels }, spec: { taints: marks.taints } },
    contentType: 'application/merge-patch+json',
  });
  const specs = tokens.map((token) => tokenSpec(phase, token));
  await write(bootstrapToken(phase, specs));
  await write([...addonCoredns(phase), ...addonKubeProxy(phase)]);
}

/** What a join needs to be told. */
export interface JoinCommand {
  /** host:port */
  readonly endpoint: string;
  readonly token: string;
  /** Pins of the cluster's authorities. */
  readonly pins: readonly string[];
  /** undefined: of a worker. */
  readonly certificateKey?: string | undefined;
}

export function showJoinCommand(machine: Pick<Machine, 'tell'>, command: JoinCommand): void {
  const { endpoint, token, pins, certificateKey } = command;
  machine.tell(`kubeadm join ${endpoint} --token ${token} \\`);
  machine.tell(`\t${pins.map((pin) => `--discovery-token-ca-cert-hash ${pin} `).join('')}`);
  if (certificateKey !== undefined) machine.tell(`\t--control-plane --certificate-key ${certificateKey}`);
}

/**
 * What makes a control plane of a machine: its own certificates, kubeconfigs and manifests, the marks of its Node, and
 * the wait for what its kubelet starts.
 * Source: cmd/kubeadm/app/cmd/phases/join/{controlplaneprepare,controlplanejoin,waitcontrolplane}.go.
 */
import { AUTHORITIES, CERTIFICATES } from '../kubeadm/certificates.js';
import { type Configuration, hostPort } from '../kubeadm/configuration.js';
import { type HostFiles, InitFailed } from '../kubeadm/init/host.js';
import { runPhases } from '../kubeadm/init/phases.js';
import { configurationOf } from '../kubeadm/init/reading.js';
import { record, records, text } from '../kubernetes/json.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import { PkiError } from '../pki/asn1-go.js';
import { parseCertificate } from '../pki/certificate.js';
import { generateKeyAsync, parsePrivateKey, spkiOf } from '../pki/keys.js';
import { certificatesOfPem } from '../pki/pem.js';
import { AskingAgain } from './asking-again.js';
import { type Access, Calls, readObject } from './calls.js';
import type { Asking, ClusterConfiguration } from './cluster-configuration.js';
import type { JoinConfiguration } from './configuration.js';
import type { HealthPlace, Taint } from './decisions/control-planes.js';
import { JoinFailed } from './failures.js';
import { readKubeconfig } from './kubeconfig.js';
import { patchedManifest } from './patches.js';
import { poll, type Rhythm } from './poll.js';
import type { Made } from './ports.js';

const KUBERNETES = '/etc/kubernetes';
const ADMIN = `${KUBERNETES}/admin.conf`;
const LOOPBACK = '127.0.0.1';
const LABEL_HOSTNAME = 'kubernetes.io/hostname';

/** A machine that may be one, and its cluster. */
export interface ControlPlaneJoin extends Asking {
  readonly configuration: JoinConfiguration;
  readonly cluster: ClusterConfiguration;
  readonly nodeName: string;
}
type Own = NonNullable<JoinConfiguration['controlPlane']>;

/** As `init` would be configured here. Throws JoinFailed. */
export function ownConfiguration({
  configuration,
  cluster,
  nodeName,
  release,
  machine,
}: ControlPlaneJoin): Promise<Configuration> {
  const { controlPlane, nodeRegistration } = configuration;
  const { advertiseAddress = '', bindPort } = controlPlane ?? {};
  return asJoin(async () => {
    const told = configurationOf(
      {
        localAPIEndpoint: { advertiseAddress, bindPort },
        nodeRegistration: { name: nodeName, criSocket: nodeRegistration.criSocket },
      },
      cluster.fields,
      {},
      {
        hostName: machine.hostName.toLowerCase(),
        address: advertiseAddress,
        release,
        caFolders: [],
        anyLater: true,
        version: text(cluster.fields.apiVersion).endsWith('v1beta3') ? 'v1beta3' : 'v1beta4',
        warn: (line) => machine.tell(line),
      },
    );
    return told.configuration;
  });
}

/** What init cannot do a join cannot, either. */
async function asJoin<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof InitFailed ? new JoinFailed(error.message) : error;
  }
}

/** Of an authority whose certificate and key are both there; what cannot be read is for whoever signs by it. */
function isPair({ machine: { files } }: ControlPlaneJoin, place: string): boolean {
  try {
    const key = parsePrivateKey(files.read(`${place}.key`) ?? '');
    const [der] = certificatesOfPem(files.read(`${place}.crt`) ?? '');
    return key === undefined || der === undefined || parseCertificate(der).spki.equals(spkiOf(key));
  } catch (error) {
    if (error instanceof PkiError) return true;
    throw error;
  }
}

/** Certificates, kubeconfigs and manifests, by the keys that control planes share. Throws JoinFailed. */
export async function prepareControlPlane(joining: ControlPlaneJoin): Promise<void> {
  const { machine, decisions, configuration, cluster } = joining;
  if (configuration.controlPlane === undefined) return;
  if (!machine.files.exists(`${cluster.certificatesDir}/ca.key`)) {
    machine.tell('[certs] The key of the cluster CA is elsewhere: certificates and kubeconfigs are to be put here');
    return;
  }
  for (const { file } of AUTHORITIES)
    if (!decisions.signsBy(isPair(joining, `${cluster.certificatesDir}/${file}`)))
      throw new JoinFailed(`failed to sign by ${file}: x509: provided PrivateKey doesn't match parent's PublicKey`);
  const own = await ownConfiguration(joining);
  const phases = [
    ...Object.keys(CERTIFICATES).map((file) => `certs/${file.replace('/', '-')}`),
    ...decisions.ownKubeconfigs().map((name) => `kubeconfig/${name}`),
    ...decisions.ownManifests().map((name) => `control-plane/${name}`),
  ];
  const make = (): Promise<readonly Made[]> => madeBy(joining, own, phases);
  const shared = AUTHORITIES.map(({ file }) => machine.files.read(`${cluster.certificatesDir}/${file}.crt`));
  const made = await (machine.kept?.(
    JSON.stringify([own, phases, shared, decisions.ownKeyAlgorithm(own.keyAlgorithm)]),
    make,
  ) ?? make());
  for (const { path, text: content, mode } of made)
    machine.files.write(path, patchedManifest(machine, configuration.patches, path, content), mode);
}

/** What these phases of init write. Throws JoinFailed. */
async function madeBy(
  { machine, decisions }: ControlPlaneJoin,
  configuration: Configuration,
  phases: readonly string[],
): Promise<readonly Made[]> {
  const made: Made[] = [];
  const there = (path: string): Made | undefined => made.findLast((one) => one.path === path);
  const files: HostFiles = {
    exists: (path) => there(path) !== undefined || machine.files.exists(path),
    read: (path) => there(path)?.text ?? machine.files.read(path),
    write: (path, content, mode) => void made.push({ path, text: content, mode }),
  };
  const tell = (line: string): void => machine.tell(line);
  const now = machine.clock.now();
  const make = machine.makeKey ?? generateKeyAsync;
  const makeKey: typeof make = (algorithm) => make(decisions.ownKeyAlgorithm(algorithm));
  await asJoin(() => runPhases({ configuration, files, now, makeKey, tell, warn: tell }, phases));
  return made;
}

/** Its administrator, at this server or at that of its file. Throws JoinFailed. */
function administrator({ machine }: ControlPlaneJoin, server?: string): Access {
  const { clusters, users } = readKubeconfig(machine.files.read(ADMIN) ?? '');
  const [[cluster], [user]] = [[...clusters.values()], [...users.values()]];
  if (cluster === undefined || user === undefined) throw new JoinFailed(`failed to load ${ADMIN}`);
  return {
    server: server ?? cluster.server,
    trust: { caPem: cluster.caPem },
    certificate: { certificate: user.certificatePem, key: user.keyPem },
  };
}

/** Labels and taints of the Node that its kubelet has registered. Throws JoinFailed where it cannot be marked. */
export async function markControlPlane(joining: ControlPlaneJoin): Promise<void> {
  const { machine, decisions, configuration, nodeName } = joining;
  if (configuration.controlPlane === undefined || machine.startsPods !== true) return;
  machine.tell(`[mark-control-plane] Marking the node ${nodeName} as control-plane`);
  const admin = administrator(joining);
  const again = new AskingAgain(machine, '[mark-control-plane]');
  const marked = await poll(machine.clock, rhythm(joining, configuration.timeouts.kubernetesAPICall), async () => {
    const why = await markOnce(joining, admin);
    if (why === undefined) return true;
    if (!decisions.marksAgain()) throw new JoinFailed(why);
    again.because(why);
    return undefined;
  });
  if (marked !== true && decisions.mustBeMarked()) throw new JoinFailed(again.why);
}

const rhythm = ({ decisions }: ControlPlaneJoin, timeout: number): Rhythm => ({
  interval: decisions.apiCallPause(),
  timeout,
});

/** Those of a Node's spec. */
export const taintsIn = (spec: unknown): Taint[] =>
  records(record(spec).taints).map(({ key, value, effect }) => ({
    key: text(key),
    ...(text(value) === '' ? {} : { value: text(value) }),
    effect: text(effect),
  }));

/** undefined: it is marked; else why it is not. */
async function markOnce(joining: ControlPlaneJoin, admin: Access): Promise<string | undefined> {
  const { machine, decisions, configuration, nodeName } = joining;
  const path = pathOf(resources.nodes, { name: nodeName });
  const calls = new Calls(machine, decisions);
  const subject = { resource: 'nodes', name: nodeName };
  const got = readObject(await calls.make(admin, { path }), 'Node', subject);
  if (got.kind === 'not') return got.why;
  const { metadata, spec } = got.object;
  // Until its kubelet has said that, the rest is not there, either.
  if (record(record(metadata).labels)[LABEL_HOSTNAME] === undefined) return `Node "${nodeName}" has no labels yet`;
  const { labels, taints } = decisions.marks(configuration.nodeRegistration.taints, taintsIn(spec));
  const patched = await calls.make(admin, {
    method: 'PATCH',
    path,
    body: JSON.stringify({ metadata: { labels }, spec: { taints } }),
    contentType: 'application/merge-patch+json',
  });
  const answered = readObject(patched, 'Node', subject);
  return answered.kind === 'not' ? `error patching Node "${nodeName}": ${answered.why}` : undefined;
}

/** Until all are well that its kubelet starts. Throws JoinFailed. */
export async function waitForControlPlane(joining: ControlPlaneJoin): Promise<void> {
  const { machine, decisions, configuration, release } = joining;
  const { controlPlane, timeouts } = configuration;
  if (controlPlane === undefined || machine.startsPods !== true) return;
  const places = decisions.mustBeWell(controlPlane.bindPort, release);
  if (places.length === 0) return;
  machine.tell('[control-plane-check] Waiting for healthy control plane components');
  let sick = places;
  const again = new AskingAgain(machine, '[control-plane-check]');
  await poll(machine.clock, rhythm(joining, timeouts.controlPlaneComponentHealthCheck), async () => {
    const still: HealthPlace[] = [];
    for (const place of sick) if (!decisions.isWell(await statusAt(joining, controlPlane, place))) still.push(place);
    sick = still;
    if (sick.length === 0) return true;
    again.because(`not yet well: ${sick.map(({ component, path }) => `${component} at ${path}`).join(', ')}`);
    return undefined;
  });
  if (sick.length === 0) return;
  const failed = sick.map(({ component, path }) => `${component} check failed at ${path}`);
  throw new JoinFailed(`failed while waiting for the control plane to start: ${failed.join(', ')}`);
}

/** The status of its answer; undefined: none came. Its API server is asked by its administrator, the others by anybody. */
async function statusAt(
  joining: ControlPlaneJoin,
  { advertiseAddress }: Own,
  { component, port, path }: HealthPlace,
): Promise<number | undefined> {
  const { machine, decisions } = joining;
  const isApi = component === 'kube-apiserver';
  const server = `https://${hostPort(isApi ? advertiseAddress : LOOPBACK, port)}`;
  // What they show there nobody can verify: they have made it for themselves.
  const access: Access = isApi ? administrator(joining, server) : { server, trust: 'anybody' };
  const result = await new Calls(machine, decisions).make(access, { path });
  return result.kind === 'failure' ? undefined : result.status;
}

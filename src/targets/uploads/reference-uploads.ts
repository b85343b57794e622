/** The upload of joinproof itself, or another, in this process. */
import { randomBytes, X509Certificate } from 'node:crypto';
import type { AnotherClient } from '../../joining/another.js';
import { joiningDecisions } from '../../joining/decisions/index.js';
import { JoinFailed } from '../../joining/failures.js';
import { showJoinCommand, uploadPhase, writeToCluster } from '../../joining/handing-on.js';
import type { Answer, Asker, Machine } from '../../joining/ports.js';
import type { ComponentSettings } from '../../kubeadm/components.js';
import { type Configuration, configure } from '../../kubeadm/configuration.js';
import { parseRelease } from '../../kubeadm/release.js';
import type { Reference } from '../../reference/index.js';
import { OWN_ADDRESS } from '../client-under-test/cell.js';
import { MemoryFiles } from '../client-under-test/memory-files.js';
import { etcdFiles, FOLDER, OWN_NODE, OWN_PORT, TOKEN, TOLD } from './circumstances.js';
import { type Uploader, Uploads } from './uploads.js';

/** An administrator of a cluster in this process. */
const adminOf = ({ handle, admin }: Reference): Asker => ({
  ask: async ({ method = 'GET', path, body, contentType = 'application/json' }): Promise<Answer> => {
    const answer = handle({
      method,
      url: path,
      headers: {
        accept: ['application/json'],
        ...(body === undefined ? {} : { 'content-type': [contentType] }),
      },
      certificates: [new X509Certificate(admin.certificate).raw],
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    });
    if (answer.kind !== 'full') throw new Error(`${method} ${path} was answered with a stream.`);
    const text = answer.body.toString();
    return { status: answer.code, headers: answer.headers, text, body: JSON.parse(text) };
  },
});

/** What an init that is told more is told of its cluster. */
function toldMore(): Partial<Configuration> {
  const { networking, clusterName, imageRepository, featureGates, certSANs, etcdServerSANs, etcdPeerSANs } = TOLD;
  const components = Object.entries(TOLD.flags).map(([name, flag]): readonly [string, ComponentSettings] => [
    name,
    { extraArgs: [flag], ...(name === 'kube-apiserver' ? { extraVolumes: [TOLD.volume] } : {}) },
  ]);
  return {
    ...networking,
    clusterName,
    imageRepository,
    featureGates,
    certSANs,
    etcdServerSANs,
    etcdPeerSANs,
    components: Object.fromEntries(components),
    keyAlgorithm: TOLD.algorithm,
    certificateHours: TOLD.hours,
  };
}

/** The disk of a control plane, with folders where files should be. */
class Disk extends MemoryFiles {
  readonly #folders: readonly string[];

  constructor(files: ReadonlyMap<string, string>, folders: readonly string[]) {
    super({ given: Object.fromEntries([...files].map(([name, pem]) => [`${FOLDER}/${name}`, pem])) });
    this.#folders = folders.map((name) => `${FOLDER}/${name}`);
  }

  override exists(path: string): boolean {
    return this.#folders.includes(path) || super.exists(path);
  }

  override read(path: string): string | undefined {
    if (this.#folders.includes(path)) throw new Error(`read ${path}: is a directory`);
    return super.read(path);
  }
}

const uploaderOf =
  (release: string, another: AnotherClient): Uploader =>
  async ({ circumstance, key, files, cluster }) => {
    const { decisions: other, uploading = (asker) => asker, words = (line) => line, ends = (exit) => exit } = another;
    // what the next machine is to be told, its key and its command, is said alike in all languages
    const inWords = another.speaksKubeadm === false ? (line: string) => line : words;
    if (another.instead !== undefined) return { exit: another.instead.exit, said: [another.instead.said] };
    const { unreadable = [], uploads = true, quiet = false, isWhole = false, externalEtcd, isTold } = circumstance;
    const decisions = { ...joiningDecisions, ...other };
    const said: string[] = [];
    const disk = new Disk(files, unreadable);
    const machine: Machine = {
      wire: { exchange: () => Promise.reject(new Error('an upload asks as an administrator')) },
      files: another.files?.(disk) ?? disk,
      given: disk,
      clock: { now: () => Date.now(), sleep: async () => {} },
      hostName: OWN_NODE,
      random: randomBytes,
      tell: (line) => said.push(inWords(line)),
    };
    try {
      const admin = uploading(adminOf(cluster));
      const told = key === undefined ? {} : { certificateKey: key };
      const folders = { certificatesDir: FOLDER, ...(externalEtcd === true ? { externalEtcd: etcdFiles } : {}) };
      const own = { machine, decisions, release: parseRelease(release), admin, ...told };
      const certificateKey = await uploadPhase(own, folders, { uploads, quiet });
      const pins = decisions.pinsToSay([cluster.caCertHash]);
      const endpoint = `${OWN_ADDRESS}:${OWN_PORT}`;
      const at = { nodeName: OWN_NODE, advertiseAddress: OWN_ADDRESS, controlPlaneEndpoint: endpoint };
      const { token: ofToken, other, taints } = TOLD;
      const more = isTold === true ? toldMore() : {};
      const facts = { ...configure({ release: parseRelease(release), ...at, ...more }), caPem: cluster.caPem };
      const tokens = isTold === true ? [{ token: TOKEN, ...ofToken }, other] : [{ token: TOKEN }];
      const marks = isTold === true ? { taints } : {};
      if (isWhole) await writeToCluster({ machine, admin, facts, tokens, ...marks });
      if (isWhole) showJoinCommand(machine, { endpoint, token: TOKEN, pins, certificateKey });
      return { exit: ends(0), said };
    } catch (error) {
      if (!(error instanceof JoinFailed)) throw error;
      return { exit: ends(1), said: [...said, inWords(`error: ${error.message}`)] };
    }
  };

/** `release`: "1.36" */
export const referenceUploads = (release: string, another: AnotherClient): Uploads =>
  new Uploads(release, uploaderOf(release, another));

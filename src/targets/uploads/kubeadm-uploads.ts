/** kubeadm itself, handing on to those who join: in a cell, with a cluster of ours behind its network. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { Cell, OWN_ADDRESS, rooted } from '../client-under-test/cell.js';
import { removed } from '../removed-folder.js';
import type { UploadsUnderTest } from '../types.js';
import { type Circumstance, etcdFiles, FOLDER, OWN_NODE, OWN_PORT, TOKEN, TOLD } from './circumstances.js';
import { type Told, type Uploader, Uploads } from './uploads.js';

export interface KubeadmUploading {
  /** Private, removed by who made it. */
  readonly folder: string;
  readonly kubeadm: string;
  /** Of kubeadm. */
  readonly minor: number;
  readonly signal: AbortSignal;
}

/** Milliseconds of one upload. */
const LIMIT = 60_000;
const PROGRAM = '/joinproof/kubeadm';
const CONFIGURATION = '/work/kubeadm.yaml';
/** Of a whole init: what it does to its machine. */
const LEFT_OUT = [
  ...['preflight', 'certs', 'kubeconfig', 'etcd', 'control-plane', 'kubelet-start', 'wait-control-plane'],
  'kubelet-finalize',
].join(',');

const documentsFor = ({ circumstance: { externalEtcd, isTold }, key }: Told, minor: number): string => {
  const { token, other, taints, networking, clusterName, imageRepository, algorithm, hours } = TOLD;
  const written = ({ ttlSeconds, ...rest }: typeof token | typeof other) => ({ ...rest, ttl: `${ttlSeconds}s` });
  const flag = ([name, value]: readonly [string, string]) => ({
    extraArgs: minor >= 31 ? [{ name, value }] : { [name]: value },
  });
  const { etcd, ...flags } = TOLD.flags;
  const ofCluster = {
    networking,
    clusterName,
    imageRepository,
    featureGates: TOLD.featureGates,
    apiServer: { ...flag(flags['kube-apiserver']), certSANs: TOLD.certSANs, extraVolumes: [TOLD.volume] },
    controllerManager: flag(flags['kube-controller-manager']),
    scheduler: flag(flags['kube-scheduler']),
    etcd: { local: { ...flag(etcd), serverCertSANs: TOLD.etcdServerSANs, peerCertSANs: TOLD.etcdPeerSANs } },
  };
  const inV1beta4 = { encryptionAlgorithm: algorithm, certificateValidityPeriod: `${hours}h` };
  const apiVersion = `kubeadm.k8s.io/${minor >= 31 ? 'v1beta4' : 'v1beta3'}`;
  const init = {
    apiVersion,
    kind: 'InitConfiguration',
    bootstrapTokens: isTold === true ? [{ token: TOKEN, ...written(token) }, written(other)] : [{ token: TOKEN }],
    certificateKey: key,
    localAPIEndpoint: { advertiseAddress: OWN_ADDRESS, bindPort: OWN_PORT },
    nodeRegistration: {
      name: OWN_NODE,
      criSocket: 'unix:///run/containerd/containerd.sock',
      ...(isTold === true ? { taints } : {}),
    },
  };
  const cluster = {
    apiVersion,
    kind: 'ClusterConfiguration',
    kubernetesVersion: `v1.${minor}.0`,
    certificatesDir: FOLDER,
    controlPlaneEndpoint: `${OWN_ADDRESS}:${OWN_PORT}`,
    ...(externalEtcd === true ? { etcd: { external: etcdFiles } } : {}),
    ...(isTold === true ? { ...ofCluster, ...(minor >= 31 ? inV1beta4 : {}) } : {}),
  };
  return [init, cluster].map((document) => JSON.stringify(document)).join('\n---\n');
};

function commandFor({ uploads = true, quiet = false, isWhole = false }: Circumstance): readonly string[] {
  return [
    PROGRAM,
    'init',
    ...(isWhole ? [`--skip-phases=${LEFT_OUT}`] : ['phase', 'upload-certs']),
    ...['--config', CONFIGURATION],
    ...(uploads ? ['--upload-certs'] : []),
    ...(quiet ? ['--skip-certificate-key-print'] : []),
  ];
}

/** Whoever connects there in the cell speaks to a port of this machine, until it is closed. */
async function lead(cell: Cell, port: number): Promise<Server> {
  const listening = await cell.listen(OWN_ADDRESS, OWN_PORT);
  listening.on('connection', (socket) => {
    const to = connect(port, '127.0.0.1');
    pipeline(socket, to, socket, () => {});
  });
  return listening;
}

function layOut(root: string, told: Told, minor: number): void {
  const { circumstance, files, cluster } = told;
  const put = (place: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, place)), { recursive: true, mode: 0o755 });
    writeFileSync(path.join(root, place), text, { mode: 0o600 });
  };
  for (const folder of ['tmp', 'run', 'root']) mkdirSync(path.join(root, folder), { recursive: true, mode: 0o755 });
  put('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n');
  put('etc/hosts', `127.0.0.1 localhost ${OWN_NODE}\n`);
  put('etc/resolv.conf', '');
  put(CONFIGURATION, documentsFor(told, minor));
  put('etc/kubernetes/admin.conf', cluster.kubeconfig.replace(cluster.url, `https://${OWN_ADDRESS}:${OWN_PORT}`));
  for (const [name, pem] of files) put(`${FOLDER}/${name}`, pem);
  for (const name of circumstance.unreadable ?? []) mkdirSync(path.join(root, FOLDER, name), { recursive: true });
}

/** `close` ends its cell and its cluster. */
export function kubeadmUploads(uploading: KubeadmUploading): UploadsUnderTest & { close(): Promise<void> } {
  const { folder, kubeadm, minor, signal } = uploading;
  let cell: Cell | undefined;
  let led: Promise<Server> | undefined;
  let count = 0;
  const upload: Uploader = async (told) => {
    cell ??= new Cell(`${folder}/cell/`);
    led ??= lead(cell, told.cluster.port);
    await led;
    count += 1;
    const home = path.join(folder, `upload-${count}`);
    const root = path.join(home, 'root');
    try {
      layOut(root, told, minor);
      const environment = { PATH: '/usr/bin:/bin', HOME: '/root' };
      const command = ['/usr/bin/env', ...commandFor(told.circumstance)];
      const { exit, said } = await cell.run({
        command: rooted({ root, seen: { [PROGRAM]: kubeadm }, folder: '/work', command }),
        environment,
        folder: home,
        limit: LIMIT,
        signal,
        mark: `${home}/`,
      });
      return { exit, said };
    } finally {
      await removed(home);
    }
  };
  const uploads = new Uploads(`1.${minor}`, upload);
  return {
    upload: (circumstance) => uploads.upload(circumstance),
    close: async () => {
      // the server in the cell is of this process as well
      (await led?.catch(() => undefined))?.close();
      cell?.close();
      await uploads.close();
    },
  };
}

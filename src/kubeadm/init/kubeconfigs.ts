/**
 * The phases kubeconfig/…, and what must be there where the cluster's authority has no key here.
 * Source: cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go, cmd/init.go newInitData.
 */
import { firstLine } from '../../kubernetes/first-line.js';
import { record, records, text } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import { certificatesOfPem } from '../../pki/pem.js';
import type { Configuration } from '../configuration.js';
import { KUBECONFIGS, type KubeconfigFile, type KubeconfigRow, serverOf } from '../kubeconfig.js';
import { issueKubeconfig } from '../pki.js';
import { inRelease } from '../release.js';
import { InitFailed, type InitRun, MODES } from './host.js';
import {
  certificateIfSound,
  chainProblem,
  checkPeriod,
  inContext,
  type Loaded,
  loadAuthority,
  loadCertificate,
  loadKey,
} from './loaded.js';

const pathOf = ({ kubernetesDir }: Configuration, name: KubeconfigFile): string => `${kubernetesDir}/${name}.conf`;

/** The cluster of the current context. Throws InitFailed. */
function currentCluster(path: string, content: string): Readonly<Record<string, unknown>> {
  let config: Readonly<Record<string, unknown>>;
  try {
    config = record(parseYaml(content, { uniqueKeys: false }));
  } catch (error) {
    throw new InitFailed(
      `failed to load kubeconfig file ${path} that already exists on disk: error loading config file "${path}": ` +
        firstLine(error),
    );
  }
  const named = (list: unknown, name: string, key: string): Readonly<Record<string, unknown>> | undefined => {
    const found = records(list).find((one) => one.name === name);
    return found === undefined ? undefined : record(found[key]);
  };
  const context = named(config.contexts, text(config['current-context']), 'context');
  if (context === undefined)
    throw new InitFailed(`failed to find CurrentContext in Contexts of the kubeconfig file ${path}`);
  const cluster = named(config.clusters, text(context.cluster), 'cluster');
  if (cluster === undefined)
    throw new InitFailed(`failed to find the given CurrentContext Cluster in Clusters of the kubeconfig file ${path}`);
  return cluster;
}

/** Compares authority and server of a file that is there. Throws InitFailed. Source: validateKubeConfig. */
function judgeExisting(run: InitRun, name: KubeconfigFile, content: string): void {
  const { configuration, warn, files } = run;
  const path = pathOf(configuration, name);
  const cluster = currentCluster(path, content);
  const embedded = Buffer.from(text(cluster['certificate-authority-data']), 'base64').toString().trim();
  const caFile = text(cluster['certificate-authority']);
  const found = certificatesOfPem(embedded === '' && caFile !== '' ? (files.read(caFile) ?? '') : embedded);
  const [first] = found;
  if (first === undefined) throw new InitFailed(`the kubeconfig file "${path}" contains an invalid CA cert`);
  // of several in the file the first is the authority, and what stands behind it is not looked at
  if (!loadCertificate(run, 'ca').facts.der.equals(first))
    throw new InitFailed(
      `a kubeconfig file "${path}" exists but does not contain a trusted CA in its current context's ` +
        `cluster. Total CA certificates found: ${found.length}`,
    );
  const row: KubeconfigRow = KUBECONFIGS[name];
  const expected = serverOf(row, configuration);
  if (text(cluster.server) !== expected)
    warn(
      `a kubeconfig file "${path}" exists already but has an unexpected API Server URL: expected: ${expected}, ` +
        `got: ${text(cluster.server)}`,
    );
}

/** Source: createKubeConfigFileIfNotExists. */
export async function kubeconfigPhase(run: InitRun, name: KubeconfigFile): Promise<void> {
  const { configuration, files, tell, now } = run;
  const path = pathOf(configuration, name);
  if (configuration.externalCa) {
    tell(`[kubeconfig] External CA mode: Using user provided ${name}.conf`);
    return;
  }
  const context = "couldn't create a kubeconfig; the CA files couldn't be loaded";
  const ca = inContext(context, () => loadAuthority(run, 'ca'));
  const existing = files.read(path);
  if (existing !== undefined) {
    judgeExisting(run, name, existing);
    tell(`[kubeconfig] Using existing kubeconfig file: "${path}"`);
    return;
  }
  tell(`[kubeconfig] Writing "${name}.conf" kubeconfig file`);
  const key = await run.makeKey(configuration.keyAlgorithm);
  files.write(path, issueKubeconfig({ ca }, name, { configuration, key, now }).text, MODES.secret);
}

/** A certificate that init cannot make, and its key. Throws InitFailed. Source: certs.go validateSignedCert. */
function demand(run: InitRun, authority: Loaded, file: string, name: string): void {
  inContext(`failure loading key for ${file}`, () => {
    loadKey(run, file);
  });
  const loaded = inContext(`failure loading certificate for ${name}`, () => loadCertificate(run, file));
  checkPeriod(run, name, loaded);
  const problem = chainProblem(run, loaded, authority);
  if (problem !== undefined) throw new InitFailed(`certificate ${name} is not signed by corresponding CA: ${problem}`);
}

/** The certificate of an authority whose key is elsewhere; undefined: it is here, or there is no authority yet. */
function keyless(run: InitRun, name: string): Loaded | undefined {
  const { files, configuration } = run;
  const at = `${configuration.certificatesDir}/${name}`;
  if (!files.exists(`${at}.crt`) || files.exists(`${at}.key`)) return undefined;
  // What cannot be read is none, and the phases say so. Source: certs.go UsingExternalCA.
  const loaded = certificateIfSound(run, name);
  return loaded?.facts.basicConstraints?.ca === true ? loaded : undefined;
}

/**
 * Whether the cluster's authority has its key elsewhere; then all that it would have to sign must be there, and so for
 * the front proxy's. Throws InitFailed.
 */
export function isExternalCa(run: InitRun): boolean {
  const ca = keyless(run, 'ca');
  if (ca !== undefined) {
    inContext('invalid or incomplete external CA', () => {
      demand(run, ca, 'apiserver', 'API server');
      demand(run, ca, 'apiserver-kubelet-client', 'API server kubelet client');
    });
    const wanted: readonly KubeconfigFile[] = ['controller-manager', 'scheduler', 'admin', 'super-admin', 'kubelet'];
    for (const name of wanted.filter((one) => isWritten(one, run.configuration))) demandKubeconfig(run, name);
  }
  const frontProxy = keyless(run, 'front-proxy-ca');
  if (frontProxy !== undefined)
    inContext('invalid or incomplete external front-proxy CA', () => {
      demand(run, frontProxy, 'front-proxy-client', 'front-proxy client');
    });
  return ca !== undefined;
}

/** Whether the release has such a file. */
export function isWritten(name: KubeconfigFile, { release }: Configuration): boolean {
  const { span = {} }: KubeconfigRow = KUBECONFIGS[name];
  return inRelease(release, span);
}

function demandKubeconfig(run: InitRun, name: KubeconfigFile): void {
  const path = pathOf(run.configuration, name);
  inContext(`the ${name}.conf file does not exists or it is not valid`, () => {
    const content = run.files.read(path);
    if (content === undefined) throw new InitFailed(`stat ${path}: no such file or directory`);
    judgeExisting(run, name, content);
  });
}

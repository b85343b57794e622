/**
 * Discovery by a file or by an https URL: the file is believed; cluster-info completes it where it can be had.
 * Source: cmd/kubeadm/app/discovery/{file/file.go,https/https.go}.
 */

import { durationText } from '../kubeadm/duration.js';
import { withoutSlashes } from '../kubernetes/slashes.js';
import type { Trust } from '../kubernetes/wire.js';
import { AskingAgain } from './asking-again.js';
import { type Access, absolute } from './calls.js';
import type { ClusterInfo } from './decisions/discovery.js';
import { askForClusterInfo, CLUSTER_INFO_KEY, type Discovering, selectedIn } from './discovering.js';
import { failureText, JoinFailed } from './failures.js';
import { type ClusterEntry, type Kubeconfig, readKubeconfig, validate } from './kubeconfig.js';
import { poll } from './poll.js';

/** The kubeconfig of a file or https URL, completed. Throws JoinFailed. */
export async function discoverByFile(context: Discovering, path: string): Promise<Kubeconfig> {
  const text = /^https:/i.test(path) ? await download(context, path) : readFile(context, path);
  const config = embedded(context, readKubeconfig(text));
  if (config.clusters.size === 0)
    throw new JoinFailed('the provided kubeconfig file must have at least one Cluster defined');
  const selected = context.decisions.selectedCluster(config);
  if ('problem' in selected) throw new JoinFailed(`the provided kubeconfig file is malformed: ${selected.problem}`);
  validate(config, context.decisions.skipsBesideCa());
  const info = await readClusterInfo(context, accessOf(context, config, selected.cluster));
  return completed(context, config, selected, info);
}

function readFile({ machine }: Discovering, path: string): string {
  let text: string | undefined;
  try {
    text = machine.given.read(path);
  } catch (error) {
    throw new JoinFailed(`open ${path}: ${error instanceof Error ? error.message : error}`);
  }
  if (text === undefined) throw new JoinFailed(`open ${path}: no such file or directory`);
  return text;
}

/** One GET of a file, and those that redirects lead to. */
async function download({ machine, decisions, timeout }: Discovering, from: string): Promise<string> {
  const { wire, clock } = machine;
  let url = from;
  for (let requests = 1; ; requests += 1) {
    const within = decisions.downloadTimeout(timeout);
    const answer = await wire.exchange({
      method: 'GET',
      url,
      headers: {},
      trust: decisions.downloadTrust(),
      ...(within === undefined ? {} : { within }),
      largest: decisions.largestAnswer(),
    });
    if (answer.kind === 'failure') throw new JoinFailed(failureText(answer.failure, url, clock.now()));
    const { status, headers, body } = answer;
    const to = status >= 301 && status <= 308 ? headers.location : undefined;
    if (to === undefined) {
      if (!decisions.takesDownload(status))
        throw new JoinFailed(`the download of the discovery file was answered with status ${status}`);
      return body.toString('utf8');
    }
    if (requests >= decisions.redirects(to)) throw new JoinFailed(`Get "${to}": stopped after ${requests} redirects`);
    const next = absolute(to, url);
    if (next === undefined) throw new JoinFailed(`Get "${url}": failed to parse Location header ${JSON.stringify(to)}`);
    url = next;
  }
}

/** CA, certificate, key and token in place of the files that a kubeconfig names. */
function embedded(context: Discovering, config: Kubeconfig): Kubeconfig {
  const read = (text: string, file: string): string => (text !== '' || file === '' ? text : readFile(context, file));
  return {
    ...config,
    clusters: new Map(
      [...config.clusters].map(([name, cluster]) => [
        name,
        { ...cluster, caPem: read(cluster.caPem, cluster.caFile), caFile: '' },
      ]),
    ),
    users: new Map(
      [...config.users].map(([name, user]) => [
        name,
        {
          ...user,
          token: read(user.token, user.tokenFile).trim(),
          certificatePem: read(user.certificatePem, user.certificateFile),
          keyPem: read(user.keyPem, user.keyFile),
        },
      ]),
    ),
  };
}

/** Whom to believe of a cluster. */
export function trustOf({ decisions }: Pick<Discovering, 'decisions'>, cluster: ClusterEntry): Trust {
  if (cluster.skipsVerification) return 'anybody';
  return cluster.caPem === '' ? decisions.trustWithoutCa() : { caPem: cluster.caPem };
}

/** With the credentials of the file where it has any, else as nobody. */
export function accessOf(context: Pick<Discovering, 'decisions'>, config: Kubeconfig, cluster: ClusterEntry): Access {
  const user = context.decisions.selectedUser(config);
  return {
    server: serverUrl(cluster.server),
    trust: trustOf(context, cluster),
    ...(user === undefined || user.token === '' ? {} : { token: user.token }),
    ...(user === undefined || user.certificatePem === '' || user.keyPem === ''
      ? {}
      : { certificate: { certificate: user.certificatePem, key: user.keyPem } }),
  };
}

/** A server as client-go takes it: without a scheme it is https. Source: client-go, rest/url_utils.go. */
export const serverUrl = (server: string): string =>
  withoutSlashes(/^[a-z]+:\/\//i.test(server) ? server : `https://${server}`);

/** undefined: it may not be read. Throws JoinFailed when the time is over. */
async function readClusterInfo(context: Discovering, access: Access): Promise<ClusterInfo | undefined> {
  const { decisions, machine, timeout, release } = context;
  const interval = decisions.discoveryInterval('file', timeout, { release, chance: context.chance() });
  const again = new AskingAgain(machine, '[discovery]');
  const found = await poll(machine.clock, { interval, timeout }, async () => {
    const got = await askForClusterInfo(context, access);
    if (got.kind === 'got') return { info: got.object };
    if (decisions.goesOnWithFile(got.status)) return { info: undefined };
    if (!decisions.asksAgain(got.status, 'first')) throw new JoinFailed(got.why);
    again.because(got.why);
    return undefined;
  });
  if (found === undefined)
    throw new JoinFailed(
      `Abort reading the cluster-info ConfigMap after timeout of ${durationText(timeout)}: ${again.why}`,
    );
  if (found.info === undefined)
    machine.tell(
      '[discovery] Could not access the cluster-info ConfigMap for refreshing the cluster-info information, ' +
        'but the TLS cert is valid so proceeding...',
    );
  return found.info;
}

/** The file's kubeconfig, with the CA of cluster-info where the file has none. */
function completed(
  context: Discovering,
  config: Kubeconfig,
  { name, cluster }: { readonly name: string; readonly cluster: ClusterEntry },
  info: ClusterInfo | undefined,
): Kubeconfig {
  const { decisions, release } = context;
  const refreshed = info === undefined ? undefined : readable(info[CLUSTER_INFO_KEY] ?? '');
  if (refreshed === undefined) return config;
  const selected = selectedIn(context, refreshed);
  const { caPem } = selected.cluster;
  if (caPem === '' || !decisions.takesCaOfClusterInfo(cluster.caPem, release)) return config;
  return { ...config, clusters: new Map([...config.clusters, [name, { ...cluster, caPem }]]) };
}

/** undefined where it is empty or cannot be read: then it is passed over. */
function readable(text: string): Kubeconfig | undefined {
  if (text === '') return undefined;
  try {
    return readKubeconfig(text);
  } catch (error) {
    if (error instanceof JoinFailed) return undefined;
    throw error;
  }
}

/**
 * Discovery by token: cluster-info from anybody, its signature, its CA against the pins, cluster-info again from that
 * CA's server. Source: cmd/kubeadm/app/discovery/token/token.go retrieveValidatedConfigInfo.
 */

import type { Trust } from '../kubernetes/wire.js';
import { AskingAgain } from './asking-again.js';
import type { TokenDiscovery } from './configuration.js';
import type { ClusterInfo } from './decisions/discovery.js';
import type { Token } from './decisions/signature.js';
import { askForClusterInfo, CLUSTER_INFO_KEY, type Discovering, selectedIn } from './discovering.js';
import { inContext, JoinFailed } from './failures.js';
import { caCertificates, type Kubeconfig, readKubeconfig } from './kubeconfig.js';
import { poll } from './poll.js';

/** One of the two fetches. */
interface Fetch {
  readonly which: 'first' | 'second';
  readonly trust: Trust;
  readonly token: Token;
  /** URL of the server in the payload, known from the first fetch on. */
  readonly server: string;
}

/** The kubeconfig of a cluster-info that can be believed. Throws JoinFailed. */
export async function discoverByToken(context: Discovering, given: TokenDiscovery): Promise<Kubeconfig> {
  const { decisions } = context;
  const { caCertHashes: pins, unsafeSkipCAVerification: skips } = given;
  const token = decisions.readToken(given.token);
  if (token === undefined) throw new JoinFailed('the bootstrap token is invalid');
  const first = await fetch(context, given, { which: 'first', trust: decisions.firstTrust(), token, server: '' });
  const allowed = readPins(context, pins);
  const text = first[CLUSTER_INFO_KEY];
  if (!decisions.hasKubeconfig(text))
    throw new JoinFailed(
      "there is no kubeconfig key in the cluster-info ConfigMap. This API Server isn't set up for token " +
        "bootstrapping, can't connect",
    );
  if (decisions.verifiesSignature(skips)) verify(context, first, text, token);
  const config = await parseClusterInfo(decisions.believedText(first, text));
  const selected = selectedIn(context, config);
  const caPem = decisions.comparedCa(config);
  if (decisions.checksPins(pins, skips)) comparePins(context, caPem, allowed);
  if (!decisions.fetchesAgain(pins, skips)) return config;
  const trust = decisions.secondTrust(caPem);
  const second = await fetch(context, given, { which: 'second', trust, token, server: selected.cluster.server });
  if (!decisions.isSameCopy(text, second[CLUSTER_INFO_KEY]))
    throw new JoinFailed(
      'the second kubeconfig from the cluster-info ConfigMap (using validated TLS) was different from the first',
    );
  if (decisions.verifiesSecondSignature()) verify(context, second, text, token);
  return parseClusterInfo(second[CLUSTER_INFO_KEY] ?? '');
}

const parseClusterInfo = (text: string): Promise<Kubeconfig> =>
  inContext("couldn't parse the kubeconfig file in the cluster-info ConfigMap", async () => readKubeconfig(text));

/** Asks until cluster-info is there with a signature for the token. */
async function fetch(
  context: Discovering,
  given: TokenDiscovery,
  { which, trust, token, server }: Fetch,
): Promise<ClusterInfo> {
  const { decisions, machine, timeout, release } = context;
  const key = decisions.signatureKeyOf(token);
  const shown = decisions.fetchToken(which, given.token);
  const access = {
    server: decisions.discoveryServer(which, given.apiServerEndpoint, server),
    trust,
    ...(shown === undefined ? {} : { token: shown }),
  };
  const whole = decisions.fetchTimeout(which, timeout);
  const interval = decisions.discoveryInterval('token', whole, { release, chance: context.chance() });
  const again = new AskingAgain(machine, '[discovery]');
  const info = await poll(machine.clock, { interval, timeout: whole }, async () => {
    const got = await askForClusterInfo(context, access);
    if (got.kind === 'not') {
      const why = `failed to request the cluster-info ConfigMap: ${got.why}`;
      if (!decisions.asksAgain(got.status, which)) throw new JoinFailed(why);
      again.because(why);
      return undefined;
    }
    if (!decisions.waitsForSignature(got.object, key)) return got.object;
    again.because(`could not find a JWS signature in the cluster-info ConfigMap for token ID "${token.id}"`);
    return undefined;
  });
  if (info === undefined) throw new JoinFailed(again.why);
  return info;
}

/** Pins as they are compared. Throws JoinFailed where one of them is none. */
function readPins({ decisions }: Discovering, pins: readonly string[]): readonly string[] {
  return pins.map((pin) => {
    const reading = decisions.readPin(pin);
    if ('problem' in reading) throw new JoinFailed(`invalid discovery token CA certificate hash: ${reading.problem}`);
    return reading.hash;
  });
}

function verify({ decisions }: Discovering, info: ClusterInfo, content: string, token: Token): void {
  const signature = info[decisions.signatureKeyOf(token)] ?? '';
  if (decisions.isNoSignature(signature))
    throw new JoinFailed(
      `token id "${token.id}" is invalid for this cluster or it has expired. ` +
        'Use "kubeadm token create" on the control-plane node to create a new valid token',
    );
  if (!decisions.isSignature(signature, content, token))
    throw new JoinFailed("failed to verify JWS signature of received cluster info object, can't trust this API Server");
}

function comparePins({ decisions }: Discovering, caPem: string, allowed: readonly string[]): void {
  const hashes = certificatesOfClusterInfo(caPem).map((certificate) => decisions.pinOf(certificate));
  if (decisions.isPinned(hashes, allowed)) return;
  const shown = hashes.map((hash) => `sha256:${hash}`).join(':');
  throw new JoinFailed(
    `cluster CA found in cluster-info ConfigMap is invalid: none of the public keys "${shown}" are pinned`,
  );
}

function certificatesOfClusterInfo(caPem: string): ReturnType<typeof caCertificates> {
  try {
    return caCertificates(caPem);
  } catch (error) {
    if (!(error instanceof JoinFailed)) throw error;
    throw new JoinFailed(`failed to parse cluster CA from the cluster-info ConfigMap: ${error.message}`);
  }
}

/**
 * The phases of kubeadm init that write to the API, as the objects that they write, in order. Whoever stores them
 * creates each, or does with one that is there already what is decided. Source: cmd/kubeadm/app/cmd/phases/init,
 * phases/bootstraptoken.
 */
import type { KubeObject, Secret } from '../../kubernetes/objects.js';
import type { InitFacts, RandomBytes } from '../configuration.js';
import type { KubeadmDecisions } from '../decisions/index.js';
import type { TokenSpec } from '../decisions/tokens.js';
import { type ClusterPki, pkiFiles } from '../pki.js';
import { corednsDeployment, dnsService, kubeProxyDaemonSet, serviceAccount } from './addons.js';
import { corednsConfigMap, kubeadmConfigMap, kubeletConfigMap, kubeProxyConfigMap } from './config-maps.js';
import { CERTS_TOKEN_DESCRIPTION, CERTS_TTL, certsSecret, ownerOf } from './copy-certs.js';

/** What every phase needs. */
export interface Phase {
  readonly decisions: KubeadmDecisions;
  readonly facts: InitFacts;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly random: RandomBytes;
}

/** What init is told of a token: id.secret (else random) and seconds to live (else 24 h; zero is for ever). */
export interface TokenOptions {
  readonly token?: string;
  readonly ttlSeconds?: number;
  readonly description?: string;
  readonly usages?: readonly string[];
  readonly groups?: readonly string[];
}

/** A token with kubeadm's defaults filled in. */
export function tokenSpec({ decisions, now, random }: Omit<Phase, 'facts'>, options: TokenOptions): TokenSpec {
  const [id = '', secret = ''] = (options.token ?? decisions.newToken(random)).split('.');
  return {
    id,
    secret,
    description: options.description ?? '',
    expires: decisions.tokenExpires(options.ttlSeconds ?? decisions.defaultTokenTtl(), now),
    usages: options.usages ?? decisions.defaultTokenUsages(),
    groups: options.groups ?? decisions.defaultTokenGroups(),
  };
}

/** A token as clients present it. */
export const tokenText = ({ id, secret }: Pick<TokenSpec, 'id' | 'secret'>): string => `${id}.${secret}`;

/** What every init does before its first request as administrator: gives admin.conf's group its rights. */
export const ensureAdmin = ({ decisions, facts }: Phase): readonly KubeObject[] =>
  decisions.grants('admin', facts.release);

/** Phase upload-config: kubeadm-config, kubelet-config and who may read them. */
export const uploadConfig = ({ decisions, facts }: Phase): readonly KubeObject[] => [
  kubeadmConfigMap(facts),
  ...decisions.grants('kubeadm-config', facts.release),
  kubeletConfigMap(facts),
  ...decisions.grants('kubelet-config', facts.release),
];

/** What phase upload-certs writes: the token first, then what goes when the token goes, then who may read it. */
export interface SharedCerts {
  /** Decrypts kubeadm-certs: 64 hex digits. */
  readonly key: string;
  /** Of two hours, and of no use but that. */
  readonly token: Secret;
  /** kubeadm-certs, owned by the token as it is stored. */
  ownedBy(stored: KubeObject): Secret;
  readonly grants: readonly KubeObject[];
}

/** Phase upload-certs. */
export function uploadCerts(phase: Phase, pki: ClusterPki): SharedCerts {
  const { decisions, facts, random } = phase;
  const key = random(32);
  const told = { ttlSeconds: CERTS_TTL, description: CERTS_TOKEN_DESCRIPTION, usages: [], groups: [] };
  return {
    key: key.toString('hex'),
    token: decisions.tokenSecret(tokenSpec(phase, told)),
    ownedBy: (stored) => certsSecret(pkiFiles(pki), key, ownerOf(stored), random),
    grants: decisions.grants('kubeadm-certs', facts.release),
  };
}

/** Phase bootstrap-token: tokens, RBAC, cluster-info. */
export const bootstrapToken = ({ decisions, facts }: Phase, tokens: readonly TokenSpec[]): readonly KubeObject[] => [
  ...decisions.writtenTokens(tokens).map(decisions.tokenSecret),
  ...decisions.grants('joining', facts.release),
  decisions.clusterInfoConfigMap(decisions.clusterInfoKubeconfig(facts), tokens),
  ...decisions.grants('cluster-info', facts.release),
];

/** Phase addon/coredns. */
export const addonCoredns = ({ decisions, facts }: Phase): readonly KubeObject[] => [
  corednsConfigMap(facts),
  ...decisions.grants('coredns', facts.release),
  serviceAccount('coredns'),
  corednsDeployment(facts),
  dnsService(facts),
];

/** Phase addon/kube-proxy. */
export const addonKubeProxy = ({ decisions, facts }: Phase): readonly KubeObject[] => [
  kubeProxyConfigMap(facts),
  kubeProxyDaemonSet(facts),
  serviceAccount('kube-proxy'),
  ...decisions.grants('kube-proxy', facts.release),
];

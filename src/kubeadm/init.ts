/**
 * The phases of kubeadm init that write to the API, as library calls: upload-config, upload-certs, bootstrap-token, addon. Each may be run
 * again; what is there is replaced. Source: cmd/kubeadm/app/cmd/phases/init, phases/bootstraptoken, util/apiclient/idempotency.go.
 */

import { type ApiClient, ApiError, type Clock, type GroupResource, type RandomBytes } from '../apiserver/types.js';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import type { TokenSpec } from '../reference/decisions/kubeadm.js';
import type { Decisions } from '../reference/decisions.js';
import { corednsDeployment, dnsService, kubeProxyDaemonSet, serviceAccount } from './addons.js';
import { corednsConfigMap, kubeadmConfigMap, kubeletConfigMap, kubeProxyConfigMap } from './configuration.js';
import { CERTS_TOKEN_DESCRIPTION, CERTS_TTL, certsSecret, ownerOf } from './copy-certs.js';
import type { InitFacts } from './facts.js';
import { type ClusterPki, pkiFiles } from './pki.js';

/** What every phase needs; upload-certs needs the keys besides. */
export interface Writing {
  readonly api: ApiClient;
  readonly decisions: Decisions;
  readonly facts: InitFacts;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

export interface Init extends Writing {
  readonly pki: ClusterPki;
}

/** What init is told of a token: id.secret (else random) and seconds to live (else 24 h; zero is for ever). */
export interface TokenOptions {
  readonly token?: string;
  readonly ttlSeconds?: number;
  readonly description?: string;
  readonly usages?: readonly string[];
  readonly groups?: readonly string[];
}

const RBAC = 'rbac.authorization.k8s.io';
const RESOURCES: Readonly<Record<string, GroupResource>> = {
  ConfigMap: { group: '', resource: 'configmaps' },
  Secret: { group: '', resource: 'secrets' },
  ServiceAccount: { group: '', resource: 'serviceaccounts' },
  Service: { group: '', resource: 'services' },
  Pod: { group: '', resource: 'pods' },
  Node: { group: '', resource: 'nodes' },
  Role: { group: RBAC, resource: 'roles' },
  RoleBinding: { group: RBAC, resource: 'rolebindings' },
  ClusterRole: { group: RBAC, resource: 'clusterroles' },
  ClusterRoleBinding: { group: RBAC, resource: 'clusterrolebindings' },
  Deployment: { group: 'apps', resource: 'deployments' },
  DaemonSet: { group: 'apps', resource: 'daemonsets' },
};

/** Creates an object, or does with an existing one what is decided. Undefined: it was left out. Throws ApiError. */
export function write<T extends KubeObject>(init: Writing, object: T): KubeObject | undefined {
  const wanted = init.decisions.initWrites(object);
  if (wanted === undefined) return undefined;
  const resource = RESOURCES[wanted.kind ?? ''];
  if (resource === undefined) throw new Error(`kubeadm init writes no ${wanted.kind}.`);
  try {
    return init.api.create(resource, wanted);
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    const what = init.decisions.onExisting(wanted);
    if (what === 'fail') throw error;
    return what === 'keep'
      ? init.api.get(resource, wanted.metadata.namespace, wanted.metadata.name ?? '')
      : init.api.update(resource, wanted);
  }
}

const writeAll = (init: Writing, objects: readonly KubeObject[]): void => {
  for (const object of objects) write(init, object);
};

/** A token with kubeadm's defaults filled in. */
export function tokenSpec(init: Pick<Init, 'decisions' | 'clock' | 'random'>, options: TokenOptions): TokenSpec {
  const { decisions } = init;
  const [id = '', secret = ''] = (options.token ?? decisions.newToken(init.random)).split('.');
  return {
    id,
    secret,
    description: options.description ?? '',
    expires: decisions.tokenExpires(options.ttlSeconds ?? decisions.defaultTokenTtl(), init.clock.now()),
    usages: options.usages ?? decisions.defaultTokenUsages(),
    groups: options.groups ?? decisions.defaultTokenGroups(),
  };
}

/** What every init does before its first request as admin: gives admin.conf's group its rights. */
export const ensureAdmin = (init: Writing): void => writeAll(init, init.decisions.adminRbac(init.facts.release));

/** Phase upload-config: kubeadm-config, kubelet-config and who may read them. */
export const uploadConfig = (init: Writing): void =>
  writeAll(init, [
    kubeadmConfigMap(init.facts),
    ...init.decisions.kubeadmConfigRbac(),
    kubeletConfigMap(init.facts),
    ...init.decisions.kubeletConfigRbac(),
  ]);

/** Phase upload-certs: a token of two hours, and kubeadm-certs, which goes when that token goes. Returns the certificate key, 64 hex digits. */
export function uploadCerts(init: Init): string {
  const key = init.random(32);
  const spec = tokenSpec(init, { ttlSeconds: CERTS_TTL, description: CERTS_TOKEN_DESCRIPTION, usages: [], groups: [] });
  const token = write(init, init.decisions.tokenSecret(spec)) as Secret | undefined;
  if (token !== undefined) write(init, certsSecret(pkiFiles(init.pki), key, ownerOf(token), init.random));
  writeAll(init, init.decisions.kubeadmCertsRbac());
  return key.toString('hex');
}

/** Phase bootstrap-token: tokens, RBAC, cluster-info. Returns the tokens as id.secret. */
export function bootstrapToken(init: Writing, tokens: readonly TokenOptions[]): readonly string[] {
  const { decisions, facts } = init;
  const specs = tokens.map((token) => tokenSpec(init, token));
  writeAll(init, specs.map(decisions.tokenSecret));
  writeAll(init, [
    ...decisions.getNodesRbac(),
    ...decisions.kubeletBootstrapRbac(),
    ...decisions.autoApproveRbac(),
    ...decisions.rotationRbac(),
    ...decisions.kubeletClientRbac(facts.release),
    decisions.clusterInfoConfigMap(decisions.clusterInfoKubeconfig(facts), specs),
    ...decisions.clusterInfoRbac(),
  ]);
  return specs.map((spec) => `${spec.id}.${spec.secret}`);
}

/** Phase addon/coredns. */
export const addonCoredns = (init: Writing): void =>
  writeAll(init, [
    corednsConfigMap(init.facts.release),
    ...init.decisions.corednsRbac(),
    serviceAccount('coredns'),
    corednsDeployment(init.facts.release),
    dnsService(),
  ]);

/** Phase addon/kube-proxy. */
export const addonKubeProxy = (init: Writing): void =>
  writeAll(init, [
    kubeProxyConfigMap(init.facts),
    kubeProxyDaemonSet(init.facts.release),
    serviceAccount('kube-proxy'),
    ...init.decisions.kubeProxyRbac(),
  ]);

/** All phases in init's order. */
export function runInit(
  init: Init,
  tokens: readonly TokenOptions[],
): { readonly tokens: readonly string[]; readonly certificateKey: string } {
  ensureAdmin(init);
  uploadConfig(init);
  const certificateKey = uploadCerts(init);
  const made = bootstrapToken(init, tokens);
  addonCoredns(init);
  addonKubeProxy(init);
  return { tokens: made, certificateKey };
}

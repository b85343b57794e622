/**
 * What kubeadm init leaves in the API, and how it treats what is there already. The objects themselves are built in reference/kubeadm/.
 * Source: cmd/kubeadm/app/phases, cmd/kubeadm/app/apis/bootstraptoken/v1, cmd/kubeadm/app/util/apiclient/idempotency.go.
 */

import type { RandomBytes } from '../../apiserver/types.js';
import type { InitFacts, Release } from '../../kubeadm/facts.js';
import * as rbac from '../../kubeadm/rbac.js';
import {
  CLUSTER_INFO,
  CLUSTER_INFO_KUBECONFIG,
  GROUP_DEFAULT_NODE_TOKEN,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  TOKEN_KEYS,
  TOKEN_SECRET_PREFIX,
  TOKEN_SECRET_TYPE,
  USAGE_PREFIX,
} from '../../kubernetes/names.js';
import type { ConfigMap, KubeObject, Secret } from '../../kubernetes/objects.js';

/** A bootstrap token as kubeadm's configuration describes it. */
export interface TokenSpec {
  readonly id: string;
  readonly secret: string;
  readonly description: string;
  /** Milliseconds since the epoch; undefined: never expires. */
  readonly expires: number | undefined;
  readonly usages: readonly string[];
  readonly groups: readonly string[];
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

export const kubeadmDecisions = {
  /** Seconds that a token lives unless told otherwise. Source: apis/bootstraptoken/v1/defaults.go DefaultTokenDuration. */
  defaultTokenTtl: (): number => 24 * 60 * 60,

  /** Usages and groups of a token that names none. Source: SetDefaults_BootstrapToken. */
  defaultTokenUsages: (): readonly string[] => ['signing', 'authentication'],
  defaultTokenGroups: (): readonly string[] => [GROUP_DEFAULT_NODE_TOKEN],

  /** The instant at which a token of that TTL (seconds) ends; zero and less mean never. Source: utils.go encodeTokenSecretData. */
  tokenExpires: (ttlSeconds: number, now: number): number | undefined =>
    ttlSeconds > 0 ? now + ttlSeconds * 1000 : undefined,

  /** A new token, id.secret: every character uniform over [a-z0-9], from a source fit for keys. Source: cluster-bootstrap, token/util/helpers.go. */
  newToken: (random: RandomBytes): string => {
    const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
    let text = '';
    // Bytes above the largest multiple of 36 are thrown away: taking them would make some characters likelier.
    while (text.length < 22)
      for (const byte of random(32)) if (byte < 252 && text.length < 22) text += alphabet[byte % 36];
    return `${text.slice(0, 6)}.${text.slice(6)}`;
  },

  /** The Secret of a token. Times in UTC with second precision. Source: utils.go BootstrapTokenToSecret. */
  tokenSecret: (token: TokenSpec): Secret => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: TOKEN_SECRET_PREFIX + token.id, namespace: KUBE_SYSTEM },
    type: TOKEN_SECRET_TYPE,
    data: {
      [TOKEN_KEYS.id]: base64(token.id),
      [TOKEN_KEYS.secret]: base64(token.secret),
      ...(token.description === '' ? {} : { [TOKEN_KEYS.description]: base64(token.description) }),
      ...(token.expires === undefined
        ? {}
        : { [TOKEN_KEYS.expiration]: base64(`${new Date(token.expires).toISOString().slice(0, 19)}Z`) }),
      ...Object.fromEntries(token.usages.map((usage) => [USAGE_PREFIX + usage, base64('true')])),
      ...(token.groups.length === 0 ? {} : { [TOKEN_KEYS.groups]: base64(token.groups.join(',')) }),
    },
  }),

  /** Roles and bindings by the phase that writes them, in the order of writing. */
  adminRbac: rbac.adminRbac,
  kubeadmConfigRbac: rbac.kubeadmConfigRbac,
  kubeletConfigRbac: rbac.kubeletConfigRbac,
  kubeadmCertsRbac: rbac.kubeadmCertsRbac,
  getNodesRbac: rbac.getNodesRbac,
  kubeletBootstrapRbac: rbac.kubeletBootstrapRbac,
  autoApproveRbac: rbac.autoApproveRbac,
  rotationRbac: rbac.rotationRbac,
  kubeletClientRbac: rbac.kubeletClientRbac,
  clusterInfoRbac: rbac.clusterInfoRbac,
  corednsRbac: rbac.corednsRbac,
  kubeProxyRbac: rbac.kubeProxyRbac,

  /**
   * The text that cluster-info publishes: one cluster of the empty name with CA and URL, nobody's credentials.
   * `preferences: {}` was written up to 1.33, so the signed bytes differ. Source: phases/bootstraptoken/clusterinfo; client-go, clientcmd/api/v1.
   */
  clusterInfoKubeconfig: (facts: Pick<InitFacts, 'server' | 'caPem' | 'release'>): string =>
    [
      'apiVersion: v1',
      'clusters:',
      '- cluster:',
      `    certificate-authority-data: ${base64(facts.caPem)}`,
      `    server: ${facts.server}`,
      '  name: ""',
      'contexts: null',
      'current-context: ""',
      'kind: Config',
      ...(facts.release.minor <= 33 ? ['preferences: {}'] : []),
      'users: null',
      '',
    ].join('\n'),

  /** The ConfigMap as init writes it: no signature, the signer adds those. Source: CreateBootstrapConfigMapIfNotExists. */
  clusterInfoConfigMap: (kubeconfig: string, _tokens: readonly TokenSpec[]): ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: CLUSTER_INFO, namespace: KUBE_PUBLIC },
    data: { [CLUSTER_INFO_KUBECONFIG]: kubeconfig },
  }),

  /** Organizations of admin.conf's certificate. Source: phases/kubeconfig/kubeconfig.go; release notes of 1.29. */
  adminOrganizations: (release: Release): readonly string[] =>
    release.minor >= 29 ? ['kubeadm:cluster-admins'] : ['system:masters'],

  /** What a phase does with an object that is there already: replace it whole, as a rule. Source: apiclient/idempotency.go CreateOrUpdate. */
  onExisting: (_object: KubeObject): 'update' | 'keep' | 'fail' => 'update',

  /** Whether a controller runs that the switches of the controller manager turn on or off. Source: controller-manager, app/helper.go IsControllerEnabled. */
  controllerRuns: (_name: string, switchedOn: boolean): boolean => switchedOn,

  /** Whether an API group is served: --runtime-config says nothing against any. */
  groupIsServed: (_group: string): boolean => true,

  /** The last word on every object that init has prepared; undefined leaves it out. Upstream writes it as prepared. */
  initWrites: (object: KubeObject): KubeObject | undefined => object,
};

/** What a start finds that kubeadm has set up before (--data): its tokens, and an address that may have changed. */
import {
  CLUSTER_INFO,
  CLUSTER_INFO_KUBECONFIG,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  TOKEN_KEYS,
  USAGE_AUTHENTICATION,
  USAGE_SIGNING,
} from '../kubernetes/names.js';
import type { Secret } from '../kubernetes/objects.js';
import { kubeadmConfigMap, kubeProxyConfigMap } from './configuration.js';
import { type Init, type TokenOptions, tokenSpec, write } from './init.js';

const CONFIG_MAPS = { group: '', resource: 'configmaps' };
const SECRETS = { group: '', resource: 'secrets' };

/** Tokens by which a machine could join now, as id.secret. */
function usableTokens({ api, decisions, clock }: Init): readonly string[] {
  return api.list(SECRETS, KUBE_SYSTEM).flatMap((object) => {
    const { type, data = {} } = object as Secret;
    const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString('latin1');
    if (
      !decisions.isTokenSecret(type, true) ||
      decisions.isExpired(decisions.readExpiration(text(TOKEN_KEYS.expiration)), clock.now())
    )
      return [];
    return text(USAGE_SIGNING) === 'true' && text(USAGE_AUTHENTICATION) === 'true'
      ? [`${text(TOKEN_KEYS.id)}.${text(TOKEN_KEYS.secret)}`]
      : [];
  });
}

/**
 * Writes the tokens that are asked for, and the server's address where it is another than before. Returns the tokens asked for, or else
 * those that are there; where none would let a machine join, a new one.
 */
export function adopt(init: Init, wanted: readonly TokenOptions[] | undefined): readonly string[] {
  const { api, decisions, facts } = init;
  const published = api.get(CONFIG_MAPS, KUBE_PUBLIC, CLUSTER_INFO);
  const kubeconfig = decisions.clusterInfoKubeconfig(facts);
  const data = published?.data as Readonly<Record<string, string>> | undefined;
  if (published !== undefined && data !== undefined && data[CLUSTER_INFO_KUBECONFIG] !== kubeconfig) {
    api.update(CONFIG_MAPS, { ...published, data: { ...data, [CLUSTER_INFO_KUBECONFIG]: kubeconfig } });
    write(init, kubeadmConfigMap(facts));
    write(init, kubeProxyConfigMap(facts));
  }
  const there = wanted === undefined ? usableTokens(init) : [];
  if (there.length > 0) return there;
  return (wanted ?? [{}]).map((options) => {
    const spec = tokenSpec(init, options);
    write(init, decisions.tokenSecret(spec));
    return `${spec.id}.${spec.secret}`;
  });
}

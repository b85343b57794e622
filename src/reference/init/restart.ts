/** What a start finds that kubeadm has set up before (--data): its tokens, and an address that may have changed. */
import { kubeadmConfigMap, kubeProxyConfigMap } from '../../kubeadm/phases/config-maps.js';
import { type TokenOptions, tokenSpec, tokenText } from '../../kubeadm/phases/init.js';
import {
  CLUSTER_INFO,
  CLUSTER_INFO_KUBECONFIG,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  TOKEN_KEYS,
  USAGE_AUTHENTICATION,
  USAGE_SIGNING,
} from '../../kubernetes/names.js';
import type { ConfigMap, Secret } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { type Init, phaseOf, write } from './run-init.js';

/** Tokens by which a machine could join now, as id.secret. */
function usableTokens({ api, decisions, clock }: Init): readonly string[] {
  const secrets: readonly Secret[] = api.list(resources.secrets, KUBE_SYSTEM);
  return secrets.flatMap(({ type, data = {} }) => {
    const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString('latin1');
    const lets = decisions.letsJoin({
      isToken: decisions.isTokenSecret(type, true),
      isExpired: decisions.isExpired(decisions.readExpiration(text(TOKEN_KEYS.expiration)), clock.now()),
      signing: text(USAGE_SIGNING),
      authentication: text(USAGE_AUTHENTICATION),
    });
    return lets ? [tokenText({ id: text(TOKEN_KEYS.id), secret: text(TOKEN_KEYS.secret) })] : [];
  });
}

/**
 * Writes the tokens that are asked for, and the server's address where it is another than before. Returns the tokens
 * asked for, or else those that are there; where none would let a machine join, a new one.
 */
export function adopt(init: Init, wanted: readonly TokenOptions[] | undefined): readonly string[] {
  const { api, decisions, facts } = init;
  const kubeconfig = decisions.clusterInfoKubeconfig(facts);
  const published: ConfigMap | undefined = api.get(resources.configMaps, KUBE_PUBLIC, CLUSTER_INFO);
  if (published !== undefined && decisions.republishes(published.data?.[CLUSTER_INFO_KUBECONFIG], kubeconfig)) {
    const data = { ...published.data, [CLUSTER_INFO_KUBECONFIG]: kubeconfig };
    api.update(resources.configMaps, { ...published, data });
    write(init, kubeadmConfigMap(facts));
    write(init, kubeProxyConfigMap(facts));
  }
  const there = wanted === undefined ? usableTokens(init) : [];
  if (there.length > 0) return there;
  return (wanted ?? [{}]).map((options) => {
    const spec = tokenSpec(phaseOf(init), options);
    write(init, decisions.tokenSecret(spec));
    return tokenText(spec);
  });
}

/** What a kubeconfig means by its current context. Source: client-go, tools/clientcmd/client_config.go. */
import { type Fields, record, records } from '../../kubernetes/json.js';

const named = (items: unknown, name: unknown): Fields => record(records(items).find((item) => item.name === name));

/** The cluster and the user of the current context as they stand there; undefined where it has none. */
export function currentContext(config: Fields): { readonly cluster: unknown; readonly user: unknown } {
  const context = record(named(config.contexts, config['current-context']).context);
  return { cluster: named(config.clusters, context.cluster).cluster, user: named(config.users, context.user).user };
}

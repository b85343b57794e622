/** What a kubeconfig means by its current context. Source: client-go, tools/clientcmd/client_config.go. */
import { type Fields, record, records } from '../../kubernetes/json.js';

const named = (items: unknown, name: unknown): Fields => record(records(items).find((item) => item.name === name));

const LISTS = ['clusters', 'contexts', 'users'];

/**
 * What stands twice under one name, in words; '' where nothing does. Programs of Kubernetes refuse the whole of it.
 * Source: client-go, tools/clientcmd/api/v1/conversion.go.
 */
export function namedTwice(config: Fields): string {
  for (const list of LISTS) {
    const names = records(config[list]).map(({ name }) => name ?? '');
    if (new Set(names).size < names.length) return `its ${list} have one name twice`;
  }
  return '';
}

/** The cluster and the user of the current context as they stand there; undefined where it has none. */
export function currentContext(config: Fields): { readonly cluster: unknown; readonly user: unknown } {
  const context = record(named(config.contexts, config['current-context']).context);
  return { cluster: named(config.clusters, context.cluster).cluster, user: named(config.users, context.user).user };
}

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

/** The current context, and its cluster and its user as they stand there; undefined where it has none. */
interface Meant {
  readonly context: Fields;
  readonly cluster: unknown;
  readonly user: unknown;
}
export function currentContext(config: Fields): Meant {
  const context = record(named(config.contexts, config['current-context']).context);
  const [cluster, user] = [named(config.clusters, context.cluster), named(config.users, context.user)];
  return { context, cluster: cluster.cluster, user: user.user };
}

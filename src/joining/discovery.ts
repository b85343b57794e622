/** Whom a machine joins, and with what. Source: cmd/kubeadm/app/discovery/discovery.go For. */
import type { Access } from './calls.js';
import type { JoinConfiguration } from './configuration.js';
import { type Discovering, selectedIn } from './discovering.js';
import { accessOf, discoverByFile, serverUrl } from './discovery-file.js';
import { discoverByToken } from './discovery-token.js';
import { inContext, JoinFailed } from './failures.js';
import { caCertificates, type Kubeconfig } from './kubeconfig.js';

/** A cluster that is believed, and the credentials of the join. */
export interface Discovered {
  /** URL as cluster-info or the file says. */
  readonly server: string;
  /** PEM; '' where nobody gave one (up to 1.35). */
  readonly caPem: string;
  readonly access: Access;
  /** Names in the kubeconfig that is written. */
  readonly names: { readonly cluster: string; readonly user: string };
}

/** Throws JoinFailed; until it returns nothing is written and no credential is sent. */
export async function discover(context: Discovering, configuration: JoinConfiguration): Promise<Discovered> {
  const { decisions, release } = context;
  const { bootstrapToken, file, tlsBootstrapToken } = configuration.discovery;
  const config = await inContext("couldn't validate the identity of the API Server", async () => {
    if (file !== undefined) return discoverByFile(context, file.kubeConfigPath);
    if (bootstrapToken !== undefined) return discoverByToken(context, bootstrapToken);
    throw new JoinFailed("couldn't find a valid discovery configuration");
  });
  const hasOwn = decisions.hasCredentials(decisions.selectedUser(config));
  const token = decisions.joinToken(tlsBootstrapToken, hasOwn);
  const selected = selectedIn(context, config);
  if (token === undefined && !hasOwn)
    throw new JoinFailed(
      'could not find authentication credentials for the TLS bootstrap process. Please use Token discovery, a ' +
        'discovery file with embedded authentication credentials or a discovery file without authentication ' +
        'credentials but with the TLSBootstrapToken flag',
    );
  const { server, caPem } = selected.cluster;
  if (caPem !== '' || decisions.demandsCa(release))
    await inContext('could not get CA certificate from discovery kubeconfig', async () => caCertificates(caPem));
  const joined = decisions.joinServer(server, bootstrapToken?.apiServerEndpoint);
  if (!decisions.takesServer(joined))
    throw new JoinFailed(`the discovered server ${joined} is not asked: it would get the token in clear text`);
  const names = token === undefined ? namesIn(config, selected.name) : decisions.bootstrapNames();
  const access: Access =
    token === undefined
      ? accessOf(context, config, selected.cluster)
      : { server: serverUrl(joined), trust: caPem === '' ? decisions.trustWithoutCa() : { caPem }, token };
  return { server: joined, caPem, access, names };
}

const namesIn = ({ contexts, currentContext }: Kubeconfig, cluster: string): Discovered['names'] => ({
  cluster,
  user: contexts.get(currentContext)?.user ?? '',
});

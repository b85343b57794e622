/** The service account of the Pod that joinproof runs in. Source: client-go rest/config.go InClusterConfig. */
import { join } from 'node:path';
import type { Connection } from './connection.js';
import { ConfigurationError } from './errors.js';
import { checkedCertificates, LARGEST_PEM } from './pem.js';
import { readRegular } from './regular-file.js';
import { fileToken } from './token-file.js';

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InClusterOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Where the token and ca.crt lie. */
  readonly folder?: string;
  readonly now?: () => number;
}

/** Throws ConfigurationError where joinproof does not run in a Pod with a service account. */
export async function loadInCluster(options: InClusterOptions = {}): Promise<Connection> {
  const env = options.env ?? process.env;
  const host = env.KUBERNETES_SERVICE_HOST;
  const port = env.KUBERNETES_SERVICE_PORT;
  if (host === undefined || host === '' || port === undefined || port === '') {
    throw new ConfigurationError(
      '--in-cluster was given, but KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: this is no Pod of a cluster. Give --kubeconfig instead.',
    );
  }
  const folder = options.folder ?? FOLDER;
  const token = fileToken(
    join(folder, 'token'),
    'The service account token of --in-cluster',
    undefined,
    options.now ?? Date.now,
  );
  await token.read();
  let caPem: string;
  try {
    caPem = checkedCertificates(await readRegular(join(folder, 'ca.crt'), LARGEST_PEM), join(folder, 'ca.crt'));
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError(
      `--in-cluster needs ${join(folder, 'ca.crt')}, which cannot be read; is a service account mounted?`,
    );
  }
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    server,
    name: `${server} (service account of this Pod)`,
    caPem,
    insecure: false,
    credential: {
      async current() {
        const value = await token.read();
        return { authorization: `Bearer ${value}`, secrets: [value] };
      },
      refused: () => token.forget(),
    },
  };
}

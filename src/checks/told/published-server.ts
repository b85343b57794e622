/** What cluster-info says of the API server. Source: cmd/kubeadm/app/phases/bootstraptoken/clusterinfo. */
import { record, records, text } from '../../kubernetes/json.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import { decodedPem } from '../certificates/pem.js';
import { hostOf } from '../node-files/node-names.js';
import { documentOf } from './machine-configuration.js';

/** Its first cluster: a URL, the host in it, and authorities in PEM; '' where nothing is said. */
export function publishedServer(map: ConfigMap | undefined): {
  readonly server: string;
  readonly host: string;
  readonly authorities: string;
} {
  const { cluster } = record(records(record(documentOf(map, 'kubeconfig')).clusters)[0]);
  const { server, 'certificate-authority-data': data } = record(cluster);
  return { server: text(server), host: hostOf(text(server)), authorities: decodedPem(text(data)) };
}

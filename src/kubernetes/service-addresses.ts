/** Addresses of a Service within the cluster. */
import { record, text, texts } from './json.js';

/** Each once; none of one without an address, or that has none on purpose. Source: k8s.io/api, core/v1 ServiceSpec. */
export function serviceAddresses(service: unknown): readonly string[] {
  const { clusterIP, clusterIPs } = record(record(service).spec);
  return [...new Set([text(clusterIP), ...texts(clusterIPs)])].filter((one) => one !== '' && one !== 'None');
}

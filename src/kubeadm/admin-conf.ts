/** The administrator's kubeconfig. Source: cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go. */
import { CLUSTER_NAME, type InitFacts } from './facts.js';

/** Common name of the certificate in admin.conf. */
export const ADMIN = 'kubernetes-admin';

/** admin.conf, as kubeadm writes it. */
export function adminConf(facts: InitFacts, certificate: string, key: string): string {
  const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
  return [
    'apiVersion: v1',
    'clusters:',
    '- cluster:',
    `    certificate-authority-data: ${base64(facts.caPem)}`,
    `    server: ${facts.server}`,
    `  name: ${CLUSTER_NAME}`,
    'contexts:',
    '- context:',
    `    cluster: ${CLUSTER_NAME}`,
    `    user: ${ADMIN}`,
    `  name: ${ADMIN}@${CLUSTER_NAME}`,
    `current-context: ${ADMIN}@${CLUSTER_NAME}`,
    'kind: Config',
    'users:',
    `- name: ${ADMIN}`,
    '  user:',
    `    client-certificate-data: ${base64(certificate)}`,
    `    client-key-data: ${base64(key)}`,
    '',
  ].join('\n');
}

/** What a joining client makes by the authorities of its cluster: certificates and kubeconfigs of a control plane. */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { kubeconfigOf, leftAt, type Machines, PKI } from './joined-files.js';
import type { Machine } from './joined-files-reader.js';

/** Of each certificate the authority that is to have issued it. */
const ISSUERS: Readonly<Record<string, string>> = {
  'apiserver.crt': 'ca.crt',
  'apiserver-kubelet-client.crt': 'ca.crt',
  'front-proxy-client.crt': 'front-proxy-ca.crt',
  'apiserver-etcd-client.crt': 'etcd/ca.crt',
  'etcd/server.crt': 'etcd/ca.crt',
  'etcd/peer.crt': 'etcd/ca.crt',
  'etcd/healthcheck-client.crt': 'etcd/ca.crt',
};

const certificateAt = (machine: Machine, path: string) => {
  const held = leftAt(machine, path)?.held;
  return held?.kind === 'certificates' ? held : undefined;
};
const keyAt = (machine: Machine, path: string): string | undefined => {
  const held = leftAt(machine, path)?.held;
  return held?.kind === 'key' ? held.key : undefined;
};

/** What was given by hand, by an authority elsewhere, is not written by the client, and so is none of its files. */
export const certificatesIssued: Check<Machines> = {
  id: 'joined-issued/certificates',
  source: 'cmd/kubeadm/app/phases/certs/certlist.go; certs.go CreatePKIAssets',
  nothing: 'the client makes no certificates for a control plane',
  judge: (machines) =>
    machines.flatMap((machine) =>
      Object.entries(ISSUERS).flatMap(([name, issuer]) => {
        const held = certificateAt(machine, PKI + name);
        if (held === undefined) return [];
        const key = keyAt(machine, `${PKI}${name.replace(/\.crt$/, '.key')}`);
        const by = held.issuedBy === issuer ? '' : `issued by ${held.issuedBy ?? 'nobody whom control planes share'}`;
        const pair = key === held.certificate ? '' : key === undefined ? 'without its key' : 'beside another key';
        return demand({
          subject: `${PKI}${name} of ${machine.subject}`,
          demanded: `is issued by ${issuer} of the cluster, and lies beside its key`,
          seen: [by, pair].filter((part) => part !== '').join(', ') || 'it is, and does',
          ok: by === '' && pair === '',
        });
      }),
    ),
};

/** Who each of them is. Since 1.29 an administrator is of a group that RBAC holds. */
const WHO: Readonly<Record<string, string>> = {
  'admin.conf': 'O=kubeadm:cluster-admins, CN=kubernetes-admin',
  'controller-manager.conf': 'CN=system:kube-controller-manager',
  'scheduler.conf': 'CN=system:kube-scheduler',
};

export const kubeconfigsIssued: Check<Machines> = {
  id: 'joined-issued/kubeconfigs',
  source: 'cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go getKubeConfigSpecsBase, CreateWithCerts',
  nothing: 'the client writes no kubeconfigs for a control plane',
  judge: (machines) =>
    machines.flatMap((machine) =>
      Object.entries(WHO).flatMap(([name, who]) => {
        const config = kubeconfigOf(leftAt(machine, `/etc/kubernetes/${name}`));
        if (config === undefined) return [];
        const { certificate, key } = config;
        const isPair = 'inline' in certificate && 'inline' in key && certificate.inline.certificate === key.inline.key;
        const odd = [
          ...(config.who === who ? [] : [config.who ?? 'nobody']),
          ...(config.issuedBy === 'ca.crt' ? [] : ['issued by another authority']),
          ...(isPair ? [] : ['no key of its certificate']),
          ...(config.isTrueCa ? [] : ['another CA']),
          ...config.besides,
        ];
        return demand({
          subject: `/etc/kubernetes/${name} of ${machine.subject}`,
          demanded: `is of ${who}, by the CA of the cluster, believes that CA, and says nothing else`,
          seen: odd.join(', ') || 'so it is',
          ok: odd.length === 0,
        });
      }),
    ),
};

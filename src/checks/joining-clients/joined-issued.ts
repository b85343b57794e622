/** What a joining client makes by the authorities of its cluster: certificates and kubeconfigs of a control plane. */
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import { kubeconfigOf, leftAt, type Machines, PKI } from './joined-files.js';
import type { Machine } from './joined-files-reader.js';
import { NODE } from './joining-client-reader.js';

/** Of each certificate the authority that is to have issued it, and the name by which others know whose it is; undefined: that of the machine. */
const ISSUERS: Readonly<Record<string, readonly [issuer: string, commonName: string | undefined]>> = {
  'apiserver.crt': ['ca.crt', 'kube-apiserver'],
  'apiserver-kubelet-client.crt': ['ca.crt', 'kube-apiserver-kubelet-client'],
  'front-proxy-client.crt': ['front-proxy-ca.crt', 'front-proxy-client'],
  'apiserver-etcd-client.crt': ['etcd/ca.crt', 'kube-apiserver-etcd-client'],
  'etcd/server.crt': ['etcd/ca.crt', undefined],
  'etcd/peer.crt': ['etcd/ca.crt', undefined],
  'etcd/healthcheck-client.crt': ['etcd/ca.crt', 'kube-etcd-healthcheck-client'],
};
/** Of a year, which may begin when the authority has begun. Source: constants.go CertificateValidityPeriod; NewSignedCert. */
const MOST_DAYS = 398;
/** Nobody renews them but upgrades and administrators, who need weeks. */
const LEAST_DAYS = 7;

const certificateAt = (machine: Machine, path: string) => {
  const held = leftAt(machine, path)?.held;
  return held?.kind === 'certificates' ? held : undefined;
};
const keyAt = (machine: Machine, path: string): string | undefined => {
  const held = leftAt(machine, path)?.held;
  return held?.kind === 'key' ? held.key : undefined;
};

const keyOf = (name: string): string => `${PKI}${name.replace(/\.crt$/, '.key')}`;

const isForLong = (days: number): boolean => days >= LEAST_DAYS && days <= MOST_DAYS;

/** RSA keys that are computed by whoever has the means. Source: NIST SP 800-131A. */
const FEW_BITS = /^RSA-(?:\d{1,3}|1\d{3})$/;

const isOfEtcd = (name: string): boolean => name.includes('etcd');

/** Whether it makes certificates of an etcd of its own as kubeadm does, which makes all of them. */
const hasEtcd = (machine: Machine): boolean =>
  machine.ownWays !== true &&
  Object.keys(ISSUERS).some((name) => name.startsWith('etcd/') && certificateAt(machine, PKI + name) !== undefined);

/** What whoever takes part in an etcd is shown names a host, and no others. */
const forMany = (names: readonly string[] = []): string => {
  const many = names.filter((name) => name.includes('*'));
  return many.length === 0 ? '' : `for ${many.join(' and ')}`;
};

/** What was given by hand, by an authority elsewhere, is not written by the client, and so is none of its files. */
export const certificatesIssued: Check<Machines> = {
  id: 'joined-issued/certificates',
  source: 'cmd/kubeadm/app/phases/certs/certlist.go; certs.go CreatePKIAssets',
  nothing: 'the client makes no certificates for a control plane',
  judge: (machines) =>
    machines.flatMap((machine) =>
      Object.entries(ISSUERS).flatMap(([name, [issuer, commonName = machine.node ?? NODE]]) => {
        const held = certificateAt(machine, PKI + name);
        const demanded = `is issued by ${issuer} of the cluster to ${commonName}, for a year, and lies beside its key`;
        const subject = `${PKI}${name} of ${machine.subject}`;
        if (held === undefined)
          return isOfEtcd(name) && hasEtcd(machine)
            ? demand({ subject, demanded, seen: 'there is none', ok: false })
            : [];
        const key = keyAt(machine, keyOf(name));
        const by = held.issuedBy === issuer ? '' : `issued by ${held.issuedBy ?? 'nobody whom control planes share'}`;
        const pair = key === held.certificate ? '' : key === undefined ? 'without its key' : 'beside another key';
        const named = held.commonName === commonName ? '' : `of ${held.commonName ?? 'nobody'}`;
        const life = isForLong(held.days ?? LEAST_DAYS) ? '' : `for ${held.days} days`;
        const weak = FEW_BITS.test(held.algorithm ?? '') ? `with a key of ${held.algorithm}` : '';
        const many = isOfEtcd(name) ? forMany(held.names) : '';
        const odd = [by, pair, named, life, weak, many].filter((part) => part !== '');
        return demand({
          subject,
          demanded,
          seen: odd.join(', ') || 'it is, and does',
          ok: odd.length === 0,
        });
      }),
    ),
};

/** Others may have one key for both ends of the connections of their etcd. */
const OF_ETCD = /^etcd\/(?:server|peer)\.(?:crt|key)$/;

/** Whoever has the key of one of them is not who shows another. */
export const certificatesApart: Check<Machines> = {
  id: 'joined-issued/apart',
  source: 'cmd/kubeadm/app/util/pkiutil/pki_helpers.go NewCertAndKey; kubernetes.io, PKI certificates and requirements',
  nothing: 'the client makes no certificates for a control plane',
  judge: (machines) =>
    machines.flatMap((machine) => {
      const keys = Object.keys(ISSUERS).flatMap((name) => {
        const pin = certificateAt(machine, PKI + name)?.certificate ?? '';
        return pin === '' ? [] : [{ name, pin }];
      });
      if (keys.length === 0) return [];
      const files = machine.left.flatMap(({ path, held }) =>
        path.startsWith(PKI) && held.kind === 'key' ? [{ path, file: path.slice(PKI.length), pin: held.key }] : [],
      );
      const mayShare = (...both: readonly string[]): boolean =>
        machine.ownWays === true && both.every((one) => OF_ETCD.test(one));
      const ofOthers = keys.flatMap(({ name, pin }) =>
        files
          .filter((other) => other.pin === pin && other.path !== keyOf(name) && !mayShare(name, other.file))
          .map(({ file }) => `that of ${name} is ${file}`),
      );
      const ofKubelet = keys
        .filter(({ pin }) => pin === machine.certified)
        .map(({ name }) => `that of ${name} is its kubelet's`);
      const shared = [...ofOthers, ...ofKubelet];
      return refusal({
        subject: machine.subject,
        demanded: 'no two certificates of a control plane, or of its kubelet, are of one key',
        seen: shared.slice(0, 3).join(', ') || `none of ${keys.length} is`,
        ok: shared.length === 0,
      });
    }),
};

/** Who each of them is. Since 1.29 an administrator is of a group that RBAC holds. */
const WHO: Readonly<Record<string, string>> = {
  'admin.conf': 'O=kubeadm:cluster-admins, CN=kubernetes-admin',
  'controller-manager.conf': 'CN=system:kube-controller-manager',
  'scheduler.conf': 'CN=system:kube-scheduler',
};

/** Where others of them are there. */
const lacking = ({ subject }: Machine, name: string, who: string): Finding =>
  demand({
    subject: `/etc/kubernetes/${name} of ${subject}`,
    demanded: `is of ${who}, by the CA of the cluster, believes that CA, and says nothing else`,
    seen: 'there is none',
    ok: false,
  });

export const kubeconfigsIssued: Check<Machines> = {
  id: 'joined-issued/kubeconfigs',
  source: 'cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go getKubeConfigSpecsBase, CreateWithCerts',
  nothing: 'the client writes no kubeconfigs for a control plane',
  judge: (machines) =>
    machines.flatMap((machine) => {
      const at = (name: string) => kubeconfigOf(leftAt(machine, `/etc/kubernetes/${name}`));
      const isWritten = Object.keys(WHO).some((name) => at(name) !== undefined);
      return Object.entries(WHO).flatMap(([name, who]) => {
        const config = at(name);
        if (config === undefined) return isWritten && machine.ownWays !== true ? lacking(machine, name, who) : [];
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
      });
    }),
};

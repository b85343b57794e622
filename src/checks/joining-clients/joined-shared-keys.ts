/** What a control plane makes of the keys that all of them share, whoever has set it up. */
import { posix } from 'node:path';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { hostOf } from '../node-files/node-names.js';
import {
  besideKubeconfig,
  fileOf,
  KUBELET,
  keyOf,
  kubeconfigOf,
  leftAt,
  type Machines,
  PKI,
  wroteOf,
} from './joined-files.js';
import type { FileSeen, Machine } from './joined-files-reader.js';
import { unlessStarved } from './joining-attempts.js';
import { NODE } from './joining-client-reader.js';

const SHARED_KEYS = ['ca.key', 'front-proxy-ca.key', 'etcd/ca.key', 'sa.key'] as const;
/** Below which machines have their kubeconfigs. */
const KUBERNETES = '/etc/kubernetes/';

/** Keys that are shared, by the pin of each. */
const sharedIn = (machine: Machine): ReadonlyMap<string, string> =>
  new Map(
    SHARED_KEYS.flatMap((name) => {
      const pin = keyOf(leftAt(machine, PKI + name)?.held);
      return pin === '' ? [] : [[pin, name] as const];
    }),
  );

/** What lies outside of these folders. */
const outside = ({ left, beside = [] }: Machine, folders: readonly string[]): readonly FileSeen[] =>
  [...left, ...beside].filter(({ path }) => !folders.some((folder) => path.startsWith(folder)));

export const sharedKeysNowhereElse: Check<Machines> = {
  id: 'joined-shared-keys/nowhere-else',
  source: 'cmd/kubeadm/app/phases/copycerts/copycerts.go writeCertOrKey; 002, where kubeadm keeps its files',
  nothing: 'the client keeps no key that control planes share',
  judge: (machines) =>
    machines.flatMap((machine) => {
      const shared = sharedIn(machine);
      if (shared.size === 0) return [];
      const copies = outside(machine, [PKI]).flatMap((file) => {
        const name = shared.get(keyOf(file.held));
        return name === undefined ? [] : [`${name} at ${file.path}`];
      });
      return refusal({
        subject: machine.subject,
        demanded: 'no key that control planes share lies outside of the folder of certificates',
        seen: copies.slice(0, 5).join(', ') || 'so it is',
        ok: copies.length === 0,
      });
    }),
};

/** Whoever signs by an entry that is empty cannot go on, once he has passed it over and written the others. */
export const emptyPassedOver: Check<Machines, { readonly files: readonly string[] }> = {
  id: 'joined-shared-keys/empty-passed-over',
  source: '000, DownloadCerts; cmd/kubeadm/app/phases/copycerts/copycerts.go; crypto/x509, CreateCertificate',
  judge: (machines, { files }) =>
    machines.map((machine) => {
      const { subject, exit, ownWays, shared } = machine;
      // whoever fails may take away what he has written
      const lost = Object.keys(shared).filter(
        (name) => !files.includes(name) && (leftAt(machine, PKI + name) ?? wroteOf(machine, PKI + name)) === undefined,
      );
      const isPassedOver = ownWays === true && exit !== null && lost.length === 0;
      const finding = demand({
        subject,
        demanded: 'the client joins, or has written the other entries where it makes certificates by what is empty',
        seen: `it ends with ${exit}${lost.length === 0 ? '' : `, without ${lost.sort().join(', ')}`}`,
        ok: exit === 0 || isPassedOver,
      });
      return unlessStarved(finding, machine);
    }),
};

/** Where kubelets have what is their own. */
const OF_KUBELETS = '/var/lib/kubelet/';

/** Folders where its kubelet looks for its key: of the files that kubelet.conf names, or where that itself holds it. */
function foldersOf(machine: Machine): readonly string[] {
  const config = kubeconfigOf(leftAt(machine, KUBELET));
  const named = config === undefined ? [] : [config.certificate, config.key].map(fileOf).filter((file) => file !== '');
  return [
    OF_KUBELETS,
    ...(named.length === 0 ? [KUBERNETES] : named.map((file) => `${posix.dirname(besideKubeconfig(file))}/`)),
  ];
}

export const ownKeyNowhereElse: Check<Machines> = {
  id: 'joined-shared-keys/own-nowhere-else',
  source: 'client-go, util/certificate/certificate_store.go Update; pkg/kubelet/certificate/bootstrap/bootstrap.go',
  nothing: 'the client asks for no certificate',
  judge: (machines) =>
    machines.flatMap((machine) => {
      const { subject, certified, renewed = [] } = machine;
      if (certified === '') return [];
      const own = [certified, ...renewed];
      const copies = outside(machine, foldersOf(machine))
        .filter((file) => own.includes(keyOf(file.held)))
        .map(({ path }) => path);
      return refusal({
        subject,
        demanded: 'the key of the node lies where its kubelet looks for it, and nowhere else',
        seen: copies.slice(0, 5).join(', ') || 'so it is',
        ok: copies.length === 0,
      });
    }),
};

const API_SERVER = `${PKI}apiserver.crt`;

/** Nobody has told the cluster of names that stand for many. */
export const apiServerNamedForFew: Check<Machines> = {
  id: 'joined-shared-keys/api-server-named-for-few',
  source: 'cmd/kubeadm/app/util/pkiutil/pki_helpers.go GetAPIServerAltNames; RFC 9525, 6.3',
  nothing: 'the client makes no certificate of an API server',
  judge: (machines) =>
    machines.flatMap((machine) => {
      const held = leftAt(machine, API_SERVER)?.held;
      if (held?.kind !== 'certificates') return [];
      const wild = (held.names ?? []).filter((name) => name.includes('*'));
      return demand({
        subject: machine.subject,
        demanded: 'each name in the certificate of its API server is that of one server',
        seen: wild.slice(0, 5).join(', ') || 'so it is',
        ok: wild.length === 0,
      });
    }),
};

/** Where a certificate of an API server is made: for Pods, and for whoever asks the cluster, or its machine. */
export const apiServerNamedForAll: Check<Machines, { readonly names: readonly string[] }> = {
  id: 'joined-shared-keys/api-server-named-for-all',
  source: '002, certificates; cmd/kubeadm/app/util/pkiutil/pki_helpers.go GetAPIServerAltNames',
  nothing: 'the client makes no certificate of an API server',
  judge: (machines, { names }) =>
    machines.flatMap((machine) => {
      const held = leftAt(machine, API_SERVER)?.held;
      if (held?.kind !== 'certificates') return [];
      const { server, ownServer, node = NODE } = machine;
      const hosts = [server, ownServer].filter((one) => one !== '').map(hostOf);
      const needed = [...new Set([...names, node, ...hosts])];
      const lost = needed.filter((name) => held.names?.includes(name) !== true);
      return demand({
        subject: machine.subject,
        demanded: `the certificate of its API server is for ${needed.join(', ')}`,
        seen: lost.length === 0 ? 'it is' : `not for ${lost.join(', ')}`,
        ok: lost.length === 0,
      });
    }),
};

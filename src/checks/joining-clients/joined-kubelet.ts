/** The kubelet of a machine that joins: whom it asks once it is a node, where its key lies, and what is there when. */
import { posix } from 'node:path';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import {
  CA,
  each,
  indexOf,
  kubeconfigOf,
  leftAt,
  type Machines,
  OWN_WAYS,
  ofKubeadm,
  UNWATCHED,
} from './joined-files.js';
import type { Done, FileSeen, Held, Machine, Part } from './joined-files-reader.js';

const KUBELET = '/etc/kubernetes/kubelet.conf';
const BOOTSTRAP = '/etc/kubernetes/bootstrap-kubelet.conf';
const plain = (server: string): string => server.toLowerCase().replace(/\/$/, '');

/** Of the cluster, or of a control plane the one beside it. */
export const kubeletAsksTheCluster: Check<Machines> = {
  id: 'joined-kubelet/asks-the-cluster',
  source: 'pkg/kubelet/certificate/bootstrap/bootstrap.go writeKubeconfigFromBootstrapping; 002, TLS bootstrap',
  judge: each((machine) => {
    const config = kubeconfigOf(leftAt(machine, KUBELET));
    const servers = [machine.server, machine.ownServer].filter((server) => server !== '').map(plain);
    return demand({
      subject: machine.subject,
      demanded: 'the server of kubelet.conf is the validated one, or of a control plane its own',
      seen: config === undefined ? 'there is none' : config.server || 'no server',
      ok: config !== undefined && servers.includes(plain(config.server)),
    });
  }),
};

/** A kubelet that serves makes a key for that as well. */
const SERVES = /^\/var\/lib\/kubelet\/pki\/kubelet(?:-server[^/]*)?\.(?:key|crt|pem)$/;
/** As kubelets keep them: with the date when they were issued. */
const DATED = /\/kubelet-client-\d{4}(?:-\d\d){5}\.pem$/;

const fileOf = (part: Part): string => ('file' in part ? part.file : '');
const keyOf = (held: Held): string =>
  held.kind === 'key' ? held.key : held.kind === 'kubeconfig' && 'inline' in held.key ? held.key.inline.key : '';

/** Files that hold a key, and are none of those that a worker has. */
function strayIn({ left }: Machine, config: ReturnType<typeof kubeconfigOf>): readonly string[] {
  const named = (config === undefined ? [] : [config.certificate, config.key])
    .map(fileOf)
    .filter((file) => file !== '')
    .map((file) => posix.resolve(posix.dirname(KUBELET), file));
  const isKnown = ({ path }: FileSeen): boolean =>
    path === KUBELET || named.includes(path) || SERVES.test(path) || DATED.test(path);
  return left.filter((file) => keyOf(file.held) !== '' && !isKnown(file)).map(({ path }) => path);
}

export const workerKeepsOneKey: Check<Machines> = {
  id: 'joined-kubelet/one-key',
  source: 'client-go, util/certificate/certificate_store.go; pkg/kubelet/certificate/bootstrap/bootstrap.go',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const stray = strayIn(machine, kubeconfigOf(leftAt(machine, KUBELET)));
      return refusal({
        subject: machine.subject,
        demanded: 'a worker has no key but that of its kubelet, and has that where kubelet.conf names it',
        seen: stray.slice(0, 5).join(', ') || 'so it has',
        ok: stray.length === 0,
      });
    }),
  ),
};

/** By it the kubelet knows its clients. */
export const caBeforeKubelet: Check<Machines> = {
  id: 'joined-kubelet/ca-first',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go runKubeletStartJoinPhase',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const { subject, done } = machine;
      const demanded = 'ca.crt is written before the kubelet is started';
      if (done === undefined) return demand({ subject, demanded, seen: UNWATCHED, ok: undefined });
      const started = indexOf(machine, (one) => one.what === 'ran' && /^(?:re)?start /.test(one.path));
      const isThen = (one: Done): boolean => (one.what === 'wrote' ? one.file.path : one.path) === CA;
      const last = done.slice(0, started < 0 ? undefined : started).findLast(isThen);
      const isLater = done.some((one) => one.what === 'wrote' && one.file.path === CA);
      const ok = last?.what === 'wrote';
      const seen = ok ? 'it is' : isLater ? 'it is not there then' : 'it is not written';
      return demand({ subject, demanded, seen, ok });
    }),
  ),
};

/** A kubelet that is started again before its certificate is there bootstraps again. */
export const bootstrapStays: Check<Machines> = {
  id: 'joined-kubelet/bootstrap-stays',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go runKubeletWaitBootstrapPhase; cmd/kubelet/app/server.go',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const { subject, done, requested } = machine;
      const demanded = 'the bootstrap kubeconfig stays until a certificate was asked for';
      if (done === undefined) return demand({ subject, demanded, seen: UNWATCHED, ok: undefined });
      const gone = done.findLast((one) => one.what === 'removed' && one.path === BOOTSTRAP);
      const isEarly = gone !== undefined && (requested < 0 || gone.after <= requested);
      const seen = gone === undefined ? 'it stays' : isEarly ? 'it is removed before that' : 'it does';
      return demand({ subject, demanded, seen, ok: gone !== undefined && !isEarly });
    }),
  ),
};

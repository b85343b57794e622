/** What becomes of a machine that has joined as a control plane: who administers from it, and what its Node says. */
import { LABEL_CONTROL_PLANE } from '../kubernetes/names.js';
import type { Check } from '../model/check.js';
import { demand, refusal } from '../model/finding.js';
import { kubeconfigOf, leftAt, type Machines, ofKubeadm } from './joined-files.js';
import { type Attempts, ofKubeadm as likeKubeadm } from './joining-attempts.js';

const ADMIN = '/etc/kubernetes/admin.conf';
const SUPER_ADMIN = '/etc/kubernetes/super-admin.conf';
const HELD = 'kubeadm:cluster-admins';

/** Whom RBAC does not hold is made by init alone, and stays there. */
export const administratorHeld: Check<Machines> = {
  id: 'joined-control-plane/administrator-held',
  source: 'cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go CreateJoinControlPlaneKubeConfigFiles; CHANGELOG-1.29',
  nothing: 'the client writes no kubeconfig of an administrator',
  judge: ofKubeadm((machines) =>
    machines.flatMap((machine) => {
      const groups = kubeconfigOf(leftAt(machine, ADMIN))?.groups;
      const isSuper = leftAt(machine, SUPER_ADMIN) !== undefined;
      if (groups === undefined && !isSuper) return [];
      const seen = [...(groups ?? ['no certificate']), ...(isSuper ? [`and there is ${SUPER_ADMIN}`] : [])];
      return refusal({
        subject: machine.subject,
        demanded: `the one administrator of the machine is in ${HELD}, and in no other group`,
        seen: seen.join(', '),
        ok: !isSuper && groups?.join() === HELD,
      });
    }),
  ),
};

const LABELS = [LABEL_CONTROL_PLANE, 'node.kubernetes.io/exclude-from-external-load-balancers'] as const;
const TAINT = `${LABEL_CONTROL_PLANE}:NoSchedule`;
/** Of its Node before, at every server here that has one for it. */
const OWN_TAINT = 'node.cloudprovider.kubernetes.io/uninitialized:NoSchedule';

/** `always`: a client that marks nothing is judged as well. */
export const nodeMarked: Check<Attempts, { readonly always: boolean }> = {
  id: 'joined-control-plane/node-marked',
  source: 'cmd/kubeadm/app/phases/markcontrolplane/markcontrolplane.go',
  nothing: 'the client starts no control plane, and marks no Node',
  judge: likeKubeadm((attempts, { always }) =>
    attempts.flatMap(({ subject, seen }) => {
      const marks = seen.flatMap((one) => one.marks ?? []);
      if (marks.length === 0 && !always) return [];
      const labels = marks.flatMap((one) => one.labels);
      const taints = marks.findLast((one) => one.taints.length > 0)?.taints ?? [];
      const lost = [
        ...LABELS.filter((label) => !labels.includes(label)),
        ...[TAINT, OWN_TAINT].filter((taint) => !taints.includes(taint)),
      ];
      return demand({
        subject,
        demanded: 'its Node gets the labels and the taint of a control plane, and keeps its own taints',
        seen: lost.length === 0 ? 'it does' : `without ${lost.join(', ')}`,
        ok: lost.length === 0,
      });
    }),
  ),
};

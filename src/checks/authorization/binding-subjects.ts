/** Whom a binding names, and what becomes of it. Source: rbac.authorization.k8s.io/v1 ClusterRoleBinding. */
import type { Binding, Role } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { expand, permissionText, subjectName } from './rbac-policy.js';

/** A role or binding that somebody has changed, and what the setup made of it when it ran again. */
export interface Restored {
  /** "ClusterRoleBinding kubeadm:kubelet-bootstrap" */
  readonly subject: string;
  /** What it grants, or whom it binds: before, after the change, and in the end. */
  readonly before: string;
  readonly changed: string;
  readonly after: string;
}

/** Whom a binding names, or what a role grants; '' where there is neither. */
export const contentOf = (object: (Binding & Role) | undefined): string =>
  [...(object?.subjects ?? []).map(subjectName), ...expand(object?.rules ?? []).map(permissionText)].sort().join('; ');

const shown = (content: string): string => content || 'nobody and nothing';

/** What somebody has changed was something, and is something else now: else nothing could be repaired. */
export const reallyChanged: Check<readonly Restored[]> = {
  id: 'binding-subjects/changed',
  source: '002, kubeadm init phase bootstrap-token',
  judge: (objects) => {
    const same = objects.filter(({ before, changed }) => before === '' || before === changed);
    return [
      demand({
        subject: 'the roles and bindings of the cluster of ours',
        demanded: 'are no longer what the setup has made of them',
        seen: same.map(({ subject, changed }) => `${subject}: ${shown(changed)}`).join('; ') || 'each is another',
        ok: same.length === 0,
      }),
    ];
  },
};

/** What the setup has made, it makes again. */
export const asBefore: Check<readonly Restored[]> = {
  id: 'binding-subjects/as-before',
  source: '000, CreateOrUpdateRole and RoleBinding; kubeadm, util/apiclient/idempotency.go',
  judge: (objects) =>
    objects.map(({ subject, before, after }) =>
      demand({ subject, demanded: `holds ${shown(before)} again`, seen: shown(after), ok: after === before }),
    ),
};

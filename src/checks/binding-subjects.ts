/** Whom a binding names. Source: rbac.authorization.k8s.io/v1 ClusterRoleBinding. */
import type { Binding } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { demand } from '../model/finding.js';

export interface Bound {
  /** "ClusterRoleBinding kubeadm:kubelet-bootstrap" */
  readonly subject: string;
  /** "Group system:nodes" */
  readonly names: readonly string[];
}

/** Exactly one subject, again. */
export const bindsAgain: Check<Bound, { readonly name: string }> = {
  id: 'binding-subjects/again',
  source: '002, kubeadm init phase bootstrap-token',
  judge: ({ subject, names }, { name }) => [
    demand({
      subject,
      demanded: `binds ${name} again`,
      seen: names.join(', ') || 'nobody',
      ok: names.length === 1 && names[0] === name,
    }),
  ],
};

/** The binding, under whatever name, that gives a role to a whole group; undefined where none does. */
export const bindingOf = (bindings: readonly Binding[], role: string, group: string): Binding | undefined =>
  bindings.find(
    ({ roleRef, subjects }) =>
      roleRef.name === role && (subjects ?? []).some(({ kind, name }) => kind === 'Group' && name === group),
  );

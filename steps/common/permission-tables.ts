/** How the tables of the features write permissions: "create, get" on "secrets named x in y" or "/healthz, /livez". */

import type { Documented } from '../../src/checks/rbac.js';
import type { Permission } from '../../src/checks/rbac-policy.js';
import type { DataTable } from '../../src/run/define.js';

const listed = (text: string): string[] => text.split(',').map((part) => part.trim());

/** "secrets named kubeadm-certs in kube-system", "jobs.batch", "certificatesigningrequests.certificates.k8s.io/nodeclient", "/healthz" */
function one(verb: string, what: string): Permission {
  if (what.startsWith('/')) return { kind: 'url', verb, url: what };
  const [target = '', namespace = '*'] = what.split(' in ');
  const [resource = '', name = '*'] = target.split(' named ');
  const [path = '', subresource] = resource.split('/');
  const dot = path.indexOf('.');
  const plural = dot < 0 ? path : path.slice(0, dot);
  const group = dot < 0 ? '' : path.slice(dot + 1);
  return {
    kind: 'resource',
    verb,
    group,
    resource: subresource === undefined ? plural : `${plural}/${subresource}`,
    namespace,
    name,
  };
}

/** "create certificatesigningrequests.certificates.k8s.io/nodeclient" */
export function permissionOf(text: string): Permission {
  const blank = text.indexOf(' ');
  return one(text.slice(0, blank), text.slice(blank + 1));
}

const rowPermissions = (row: Record<string, string>, what: string): Permission[] =>
  listed(row.verbs ?? '').flatMap((verb) =>
    listed(what).map((part) => one(verb, row.name === undefined ? part : `${part} named ${row.name}`)),
  );

/** Columns verbs, resource and, where names matter, name. */
export const permissionsOf = (table: DataTable): Permission[] =>
  table.hashes().flatMap((row) => rowPermissions(row, row.resource ?? ''));

/** Columns verbs, what, needed (yes, no, or kubeadm: only where kubeadm has set the cluster up). */
export const documentedOf = (table: DataTable, kubeadm: boolean): Documented[] =>
  table.hashes().flatMap((row) =>
    rowPermissions(row, row.what ?? '').map((permission) => ({
      permission,
      needed: row.needed === 'yes' || (row.needed === 'kubeadm' && kubeadm),
    })),
  );

/** Column subject: "Group x", "User y". */
export const subjectsOf = (table: DataTable): string[] => table.hashes().map((row) => row.subject ?? '');
